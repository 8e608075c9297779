//! New tables are read as the training table was, also where their own cells do not show how.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking as tests do")]

use crate::common::{Folder, assert_contains};
use serde_json::Value;

/// 40 rows below a header.
fn table(header: &str, row: impl Fn(usize) -> String) -> String {
    let rows: String = (0..40).map(|at| row(at) + "\n").collect();
    format!("{header}\n{rows}")
}

/// A permutation of 1 to 37.
fn number(row: usize) -> usize {
    row * 7 % 37 + 1
}

fn class(high: bool) -> &'static str {
    if high { "high" } else { "low" }
}

/// A folder with a model `m.json` and a selection `s.json` of `t.csv`.
#[track_caller]
fn trained(content: &str, options: &str) -> Folder {
    let folder = Folder::with(content);
    let method = if options.contains("--method") { "" } else { "--method anova" };
    let train = "train t.csv --target last --no-held-out --model m.json --output s.json";
    folder.run(&format!("{train} {method} {options}")).ok();
    folder
}

/// The first predicted class of a table, and the messages.
#[track_caller]
fn predicted(folder: &Folder, name: &str, content: &str, options: &str) -> (String, String) {
    folder.write(name, content);
    let run = folder.run(&format!("predict m.json {name} {options}"));
    let messages = run.err.clone();
    let predicted = run.ok();
    (predicted.lines().nth(1).unwrap().split(',').next().unwrap().to_owned(), messages)
}

/// Thousands with points beside decimal commas: `b` shows the mark, `a` decides the class.
fn german() -> String {
    let row = |row: usize| format!("{}.914;0,{};{}", number(row), 30 + row % 4, class(number(row) > 18));
    table("a;b;y", row)
}

#[test]
fn decimal_marks_are_those_of_the_training() {
    for options in ["", "--sample 36"] {
        let folder = trained(&german(), options);
        for (content, expected) in [("a;b\n30.914;1\n", "high"), ("a;b\n5.914;1\n", "low"), ("a;b\n30914;1\n", "high")]
        {
            assert_eq!(predicted(&folder, "new.csv", content, "").0, expected, "{content} {options}");
        }
        let piped = folder.run_with("predict m.json -", b"a;b\n30.914;1\n").ok();
        assert!(piped.lines().nth(1).unwrap().starts_with("high"), "{piped}");
        let explained = folder.run("explain m.json new.csv --row 1 --json").json();
        assert!(explained.to_string().contains("30914"), "{explained}");
        folder.write("new.csv", "a;b;x\n30.914;1;u\n");
        folder.run("apply s.json new.csv --output reduced.json").ok();
        assert_contains(&folder.read("reduced.json"), &["30914"]);
    }
}

#[test]
fn other_decimal_marks_are_used_with_a_warning() {
    let folder = trained(&german(), "");
    let warning = "not read like the training table (decimal mark: '.' instead of ','";
    let (class, messages) = predicted(&folder, "new.csv", "a;b\n30.914;1\n", "--decimal point");
    assert_eq!(class, "low", "30.914 is below all training values");
    assert_contains(&messages, &[warning]);
    // These cells can only be read with a point.
    let (class, messages) = predicted(&folder, "new.csv", "a;b\n30914;0.31\n", "");
    assert_eq!(class, "high");
    assert_contains(&messages, &[warning]);
    let (class, messages) = predicted(&folder, "new.csv", "a;b\n30.914;1\n", "--decimal comma");
    assert_eq!(class, "high");
    assert!(!messages.contains("training table"), "{messages}");
}

#[test]
fn older_models_are_read() {
    let folder = trained(&german(), "");
    let mut model: Value = serde_json::from_str(&folder.read("m.json")).unwrap();
    let saved = model["preprocessing"].as_object_mut().unwrap().remove("reading").unwrap();
    assert_eq!((&saved["decimal"], &saved["delimiter"]), (&Value::from(","), &Value::from(";")));
    let selection: Value = serde_json::from_str(&folder.read("s.json")).unwrap();
    assert_eq!(selection["reading"], saved);
    folder.write("m.json", model.to_string());
    assert_eq!(predicted(&folder, "new.csv", "a;b\n30.914;0,31\n", "").0, "high");
}

#[test]
fn dates_have_the_order_of_the_training() {
    let row = |row: usize| {
        let (day, month) = (row * 5 % 28 + 1, row * 7 % 12 + 1);
        format!("{row},{day}/{month}/2024,{}", class(month > 6))
    };
    for options in ["", "--method sieve --stream"] {
        let folder = trained(&table("id,when,y", row), &format!("{options} --keep when.month"));
        for (name, content, expected) in [
            ("new.csv", "when\n3/11/2024\n", "high"),
            ("new.csv", "when\n11/3/2024\n", "low"),
            ("new.json", "{\"when\": \"3/11/2024\"}\n", "high"),
        ] {
            let (class, messages) = predicted(&folder, name, content, "");
            assert_eq!(class, expected, "{content} {options}");
            assert!(!messages.contains("month/day"), "{messages}");
        }
        let warning = "order of dates in column 'when': 'month first' instead of 'day first'";
        for (content, options) in [("when\n3/11/2024\n", "--day-first no"), ("when\n3/11/2024\n3/13/2024\n", "")] {
            let (class, messages) = predicted(&folder, "new.csv", content, options);
            assert_eq!(class, "low", "{content} {options}");
            assert_contains(&messages, &[warning]);
        }
    }
}

#[test]
fn missing_values_comments_and_headers_are_those_of_the_training() {
    let row = |row: usize| match row % 10 {
        9 => format!("-999,u,{}", class(row % 20 == 9)),
        8 => format!("%{row}"),
        _ => format!("{},u{},{}", number(row), row % 3, class(number(row) > 18)),
    };
    let folder = trained(&table("5,v,low", row), "--header no --comment % --na-values -999,none");
    let (_, messages) = predicted(&folder, "new.csv", "%1,2\n-999,u\n", "");
    assert_contains(&messages, &["1 missing values were filled in", "wrote 1 prediction\n"]);
    assert!(!messages.contains("training table"), "{messages}");
    let (class, messages) = predicted(&folder, "new.csv", "30,u\n", "--na-values -7");
    assert_eq!(class, "high");
    let warning = "values for missing cells: '-7' instead of '-999, none'";
    assert_contains(&messages, &[warning]);
    assert_eq!(predicted(&folder, "new.csv", "c1,c2\n30,u\n", "").0, "high", "numbered columns may be named");
    assert_eq!(predicted(&folder, "new.json", "{\"c1\": 30, \"c2\": \"none\"}\n", "").0, "high");
}

#[test]
fn the_encoding_of_the_training_is_for_texts_that_are_not_utf_8() {
    let row = |row: usize| format!("{},{},{}", row % 5, ["grün", "rosé"][row % 2], class(row.is_multiple_of(2)));
    let text = table("x,farbe,y", row);
    let latin = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
    let folder = Folder::with(latin(&text));
    folder
        .run("train t.csv -t y --top 2 -m anova --no-held-out --model m.json --encoding windows-1252 --keep-suspicious")
        .ok();
    let new = "x,farbe\n1,grün\n1,rosé\n";
    let little: Vec<u8> = new.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (content, options) in [
        (new.as_bytes().to_vec(), ""),
        (latin(new), ""),
        (new.as_bytes().to_vec(), "--encoding utf-8"),
        (little.clone(), "--encoding utf-16le"),
    ] {
        folder.write("new.csv", &content);
        let run = folder.run(&format!("predict m.json new.csv {options}"));
        assert!(!run.err.contains("unknown to the model") && !run.err.contains("read as"), "{}", run.err);
        assert_contains(&run.ok(), &["\nhigh", "\nlow"]);
        let piped = folder.run_with(&format!("predict m.json - {options}"), &content);
        assert_contains(&piped.ok(), &["\nhigh", "\nlow"]);
    }
    folder.write("new.csv", little);
    folder.refuses("predict m.json new.csv", &["NUL byte", "--encoding utf-16le"]);
    let trained: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    folder.write("big.csv", trained);
    folder.refuses("check big.csv -t y", &["--encoding utf-16be"]);
    folder.run("train big.csv -t y --top 1 -m anova --no-held-out --model big.json --encoding utf-16be").ok();
    folder.write("new.csv", new);
    folder.run("predict big.json new.csv").ok();
    folder.run("predict big.json big.csv").ok();
}

#[test]
fn the_delimiter_of_the_training_is_for_undecided_files() {
    let row = |row: usize| format!("{};{};{}", number(row), row % 4, class(number(row) > 18));
    let folder = trained(&table("a;b,c;y", row), "");
    assert_eq!(predicted(&folder, "new.csv", "a;b,c\n30;1\n", "").0, "high");
    let (class, messages) = predicted(&folder, "new.csv", "a,\"b,c\",d;e\n30,1,2\n5,1,2\n", "");
    assert_eq!(class, "high", "{messages}");
}

#[test]
fn explained_rows_have_values_of_dates() {
    let row =
        |row: usize| format!("{}-{:02}-01,{},{}", 2000 + row % 3, row * 7 % 12 + 1, row % 4, class(row * 7 % 12 > 5));
    let folder = trained(&table("when,x,y", row), "--keep when.month --top 1");
    let explained = folder.run("explain m.json t.csv --row 1 --json").json();
    assert!(explained.to_string().contains("\"value\":\"1\""), "{explained}");
}
