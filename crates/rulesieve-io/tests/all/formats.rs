//! Files of pandas, pyarrow, polars and compression tools: the same table in every format, and special types.

use crate::common::{assert_contains, bytes, error, fixture, limited, names, numbers, refusal, table, texts};
use rulesieve::data::Table;
use rulesieve_io::{ReadOptions, TableFormat, read, write_table};

/// Every format and compression of the table `t.csv`.
const SAME: &[&str] = &[
    "t.csv.gz",
    "t.tsv.gz",
    "t.csv.zip",
    #[cfg(feature = "compression")]
    "t.csv.zst",
    #[cfg(feature = "compression")]
    "t.csv.bz2",
    #[cfg(feature = "compression")]
    "t.csv.xz",
    "t.jsonl",
    "t.json",
    #[cfg(feature = "parquet")]
    "zstd.parquet",
    #[cfg(feature = "parquet")]
    "brotli.parquet",
    #[cfg(feature = "parquet")]
    "lz4.parquet",
    #[cfg(feature = "parquet")]
    "snappy.parquet",
    #[cfg(feature = "parquet")]
    "gzip.parquet",
    #[cfg(feature = "parquet")]
    "v2.parquet",
    #[cfg(feature = "parquet")]
    "polars.parquet",
    #[cfg(feature = "arrow")]
    "lz4.feather",
    #[cfg(feature = "arrow")]
    "zstd.arrow",
    #[cfg(feature = "arrow")]
    "stream.ipc",
    #[cfg(feature = "arrow")]
    "dictionary.arrow",
    #[cfg(feature = "arrow")]
    "polars.arrow",
    #[cfg(feature = "excel")]
    "t.xlsx",
    #[cfg(feature = "excel")]
    "t.ods",
    #[cfg(feature = "excel")]
    "t.xls",
];

/// Names and cells.
fn cells(table: &Table) -> Vec<(String, Vec<String>)> {
    let column = |column: &rulesieve::data::Column| (0..column.len()).map(|row| column.cell(row)).collect();
    table.columns().iter().map(|found| (found.name.clone(), column(found))).collect()
}

#[test]
fn every_format_and_compression_gives_the_same_table() {
    let expected = cells(&table("t.csv", fixture("t.csv")));
    for name in SAME {
        assert_eq!(cells(&table(name, fixture(name))), expected, "{name}");
        // The content decides, whatever the name: compression always, the format where no ending names it.
        assert_eq!(cells(&table("download", fixture(name))), expected, "{name} by content");
    }
}

#[test]
#[cfg(all(feature = "arrow", feature = "parquet"))]
fn special_types_of_parquet_and_arrow() {
    for name in ["types.parquet", "types.arrow"] {
        let table = table(name, fixture(name));
        assert_eq!(texts(&table, "u64"), ["18446744073709551615", "18446744073709551614", ""], "{name}");
        assert_eq!(texts(&table, "i64"), ["-4611686018427387905", "3", ""]);
        let number = |column: &str| -> Vec<String> {
            let at = table.position(column).unwrap();
            numbers(&table, column);
            (0..3).map(|row| table.columns()[at].cell(row)).collect()
        };
        assert_eq!(number("i8"), ["-128", "", "127"]);
        assert_eq!(number("small"), ["9007199254740992", "-9007199254740992", ""]);
        assert_eq!(number("half"), ["0.5", "", "-2"]);
        assert_eq!(number("money"), ["123.45", "", "-0.01"]);
        assert_eq!(number("cents"), ["1.5", "", "-2.5"]);
        assert_eq!(number("time"), ["3723.5", "", "0"]);
        assert_eq!(number("nothing"), ["", "", ""]);
        assert_eq!(number("codes"), ["20", "", "10"]);
        assert_eq!(number("bool"), ["1", "", "0"]);
        let date = |column: &str| -> Vec<String> {
            let at = table.position(column).unwrap();
            (0..3).map(|row| table.columns()[at].cell(row)).collect()
        };
        assert_eq!(date("day"), ["2024-02-29", "", "1900-03-01"]);
        for column in ["ms", "ns"] {
            assert!(date(column)[0].starts_with("1969-12-31T23:59:58"), "{:?}", date(column));
            assert_eq!(date(column)[1..], ["", "2024-02-29"]);
        }
        assert_eq!(texts(&table, "text"), ["ä", "", "a longer text than twelve bytes"]);
        assert_eq!(texts(&table, "coded"), ["b", "", "a"]);
    }
    let legacy = cells(&table("int96.parquet", fixture("int96.parquet")));
    assert!(legacy[0].1[0].starts_with("1969-12-31T23:59:58") && legacy[0].1[2] == "2024-02-29", "{legacy:?}");
    let views = table("views.arrow", fixture("views.arrow"));
    assert_eq!(texts(&views, "v"), ["short", "", "a longer text than twelve bytes"]);
}

#[test]
#[cfg(all(feature = "arrow", feature = "parquet"))]
fn what_cannot_be_read_is_refused_by_name() {
    for (name, parts) in [
        ("nested.parquet", ["nested column 'outer.b'", "flatten or drop it"]),
        ("nested.arrow", ["column 'list' of type list", "flatten or drop it"]),
        ("one.feather", ["Feather file of version 1", "save it again as Feather version 2"]),
        ("two.zip", ["ZIP archive of 2 files ('a.csv', 'b.csv')", "extract the table"]),
    ] {
        assert_contains(&refusal(name, fixture(name)), &parts);
    }
}

#[test]
#[cfg(all(feature = "excel", feature = "parquet"))]
fn an_index_that_pandas_saved_is_marked() {
    for (name, index) in [("index.parquet", "__index_level_0__"), ("index.xlsx", "column1")] {
        let table = table(name, fixture(name));
        assert_eq!((table.columns().len(), table.index_hint.as_deref()), (7, Some(index)), "{name}");
        assert_eq!(numbers(&table, index)[..2], [10.0, 11.0]);
    }
}

#[test]
fn json_types_missing_keys_and_faults() {
    let read =
        table("t.json", r#"[{"a": 1, "b": "x"}, {"b": 2.5, "c": true}, {"a": null, "c": 18446744073709551615}]"#);
    assert_eq!(names(&read), ["a", "b", "c"]);
    let expected = [["1", "", ""], ["x", "2.5", ""], ["", "1", "18446744073709551615"]];
    assert_eq!(cells(&read).into_iter().map(|(_, cells)| cells).collect::<Vec<_>>(), expected);
    for (text, parts) in [
        ("{\"a\": 1}\n{\"a\": [1, 2]}\n", ["t.jsonl, line 2", "the value of 'a' is an array"]),
        ("{\"a\": 1}\n\n{\"b\": {\"c\": 1}}\n", ["line 3", "the value of 'b' is an object"]),
        ("{\"a\": 1}\n{\"a\": 1, \"a\": 2}\n", ["line 2", "the key 'a' appears twice"]),
        ("{\"a\": 1}\n{\"a\": }\n", ["line 2", "expected value"]),
        ("[1, 2]", ["line 1", "expected an object"]),
        ("[{\"a\": 1}", ["line 1", "EOF"]),
        ("{}\n{}\n", ["t.jsonl", "no keys"]),
        ("", ["t.jsonl", "is empty"]),
        ("[]", ["t.jsonl", "is empty"]),
    ] {
        assert_contains(&refusal("t.jsonl", text), &parts);
    }
    let wide: String = (0..200).map(|at| format!("{{\"k{at}\": 1}}\n")).collect();
    assert_contains(&error(&bytes("t.jsonl", &wide), &limited(1000, 100, 1 << 20)), &["101 columns", "limit of 100"]);
    assert_contains(&error(&bytes("t.jsonl", &wide), &limited(1000, 1000, 10_000)), &["bytes", "limit of 10000"]);
}

#[test]
#[cfg(feature = "excel")]
fn sheets_are_chosen_by_name_or_number_and_trimmed() {
    let source = bytes("sheets.xlsx", fixture("sheets.xlsx"));
    let of = |sheet: &str| read(&source, &ReadOptions { sheet: Some(sheet.to_owned()), ..ReadOptions::default() });
    let expected = cells(&table("t.csv", fixture("t.csv")));
    assert_eq!(cells(&of("shifted").unwrap()), expected);
    assert_eq!(cells(&of("2").unwrap()), expected);
    assert!(of("2").unwrap().warnings.is_empty());
    let wrong = crate::common::with_advice(&of("3").unwrap_err());
    assert_contains(&wrong, &["no sheet '3' among 'notes', 'shifted'", "name the sheet"]);
    // The first sheet has a single text, which would be a header.
    assert_contains(&refusal("sheets.xlsx", fixture("sheets.xlsx")), &["header but no rows"]);
    assert_contains(&error(&source, &limited(10, 100, 1 << 20)), &["header but no rows"]);
    let small = ReadOptions { sheet: Some("2".to_owned()), ..limited(10, 100, 1 << 20) };
    assert_contains(&error(&source, &small), &["11 rows", "limit of 10"]);
}

/// A workbook that claims, or unfolds to, more cells than memory holds.
#[test]
#[cfg(feature = "excel")]
fn vast_workbooks_end_at_the_limit() {
    let sheet = |rows: &str| {
        format!(
            "<office:document-content xmlns:office='o' xmlns:table='t' xmlns:text='x'><office:body><office:spreadsheet>\
             <table:table table:name='a'>{rows}</table:table></office:spreadsheet></office:body></office:document-content>"
        )
    };
    let cell = "<table:table-cell table:number-columns-repeated='16384' office:value-type='float' office:value='1'/>";
    let ods = |rows: &str| {
        crate::common::zip(&[
            ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet".to_vec()),
            ("content.xml", sheet(rows).into_bytes()),
        ])
    };
    let wide = ods(&format!("<table:table-row>{cell}</table:table-row>").repeat(9000));
    let tall = ods(&format!("<table:table-row table:number-rows-repeated='9000'>{cell}</table:table-row>"));
    assert!(wide.len() < 50_000 && tall.len() < 2000);
    for content in [wide, tall] {
        assert_contains(&refusal("t.ods", content), &["more than the limit of 4294967296"]);
    }
    // The extent in the header of the sheet, of four bytes each.
    let mut old = fixture("t.xls");
    let extent = old.windows(4).position(|bytes| bytes == b"\x00\x02\x0e\x00").unwrap() + 8;
    old[extent..extent + 4].copy_from_slice(&0x00ff_ffff_u32.to_le_bytes());
    assert_contains(&refusal("t.xls", old), &["bytes, more than the limit of 4294967296"]);
    let small = ReadOptions { sheet: Some("2".to_owned()), ..limited(100, 100, 5000) };
    assert_contains(&error(&bytes("t.xlsx", fixture("sheets.xlsx")), &small), &["more than 5000 bytes"]);
}

/// Bombs of a few kilobytes are refused by their limit.
#[test]
fn compressed_bombs_end_at_the_limit() {
    let text = "a\n".to_owned() + &"1\n".repeat(5_000_000);
    let options = limited(10_000_000, 10, 1_000_000);
    for (name, content) in [
        ("t.gz", crate::common::gzip(text.as_bytes())),
        ("t.zip", crate::common::zip(&[("t.csv", text.clone().into_bytes())])),
        #[cfg(feature = "compression")]
        ("t.zst", zstd::encode_all(text.as_bytes(), 1).unwrap()),
        #[cfg(feature = "compression")]
        ("t.bz2", {
            use std::io::Write;
            let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            encoder.write_all(text.as_bytes()).unwrap();
            encoder.finish().unwrap()
        }),
    ] {
        assert!(content.len() < 50_000, "{name} has {} bytes", content.len());
        assert_contains(&error(&bytes(name, &content), &options), &[name, "more than 1000000 bytes"]);
        // Data that end early or are damaged name the compression.
        let cut = refusal(name, &content[..content.len() - 20]);
        assert_contains(&cut, &[name, "damaged or cut off"]);
    }
}

#[test]
fn tables_are_written_by_file_ending() {
    let original = table("t.csv", fixture("t.csv"));
    for name in [
        "o.csv",
        "o.tsv",
        "o.csv.gz",
        "o.json",
        "o.jsonl",
        "o.ndjson.gz",
        #[cfg(feature = "compression")]
        "o.tsv.zst",
        #[cfg(feature = "parquet")]
        "o.parquet",
    ] {
        let mut out = Vec::new();
        write_table(&original, TableFormat::from_path(name.as_ref()).unwrap(), &mut out).unwrap();
        let back = read(&bytes(name, out), &ReadOptions::default()).unwrap();
        assert_eq!(cells(&back), cells(&original), "{name}");
    }
    for name in ["o.docx", "o", "o.parquet.gz", "o.csv.xz", "o.xlsx"] {
        let refused = TableFormat::from_path(name.as_ref()).unwrap_err();
        assert_contains(&refused.to_string(), &[name]);
        assert_contains(&format!("{:?}", refused.remedy()), &[".csv", ".parquet"]);
    }
}
