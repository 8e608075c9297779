//! What is reported about the cells of a table, and what to do about it.

use crate::common::{Folder, assert_contains};

/// 40 rows `a,CELL,y` below a header; `cell` gives the second cell.
fn table(cell: impl Fn(usize) -> String) -> String {
    let row = |row: usize| format!("{},{},{}\n", row * 7 % 31, cell(row), ["u", "v"][row * 7 % 31 / 16]);
    String::from("a,b,y\n") + &(0..40).map(row).collect::<String>()
}

fn day(row: usize) -> String {
    format!("2024-{:02}-{:02}", row % 12 + 1, row % 28 + 1)
}

#[test]
fn a_few_cells_that_are_no_dates_are_named() {
    let folder = Folder::with(table(|row| if row == 6 { "soon".to_owned() } else { day(row) }));
    let text = "'b' kept as text, although most cells are dates: 'soon' in data row 7 is no date; \
                correct or clear the cell, or use --na-values soon";
    assert_contains(&folder.run("check t.csv -t y").out, &[text]);
    assert_contains(&folder.run("check t.csv -t y --sample 30").out, &[text]);
    assert_contains(&folder.run("check t.csv -t y --na-values soon").out, &["b is a date column"]);
    let lines: String = (0..40).map(|row| format!("{{\"b\": \"{}\", \"y\": {}}}\n", day(row), row % 2)).collect();
    folder.write("t.jsonl", lines.replacen("2024-05-05", "soon", 1));
    assert_contains(&folder.run("check t.jsonl -t y").out, &["'soon' in data row 5 is no date"]);
    // Texts in which a few cells are dates.
    let folder = Folder::with(table(|row| if row % 3 == 0 { day(row) } else { format!("w{}", row % 2) }));
    assert!(!folder.run("check t.csv -t y").out.contains("dates"));
    let folder =
        Folder::with(table(|row| if row == 30 { "4/13/2024".into() } else { format!("{}/4/2024", row % 28 + 1) }));
    let text = "'4/13/2024' in data row 31 has another form, or another order of day and month; write all";
    assert_contains(&folder.run("check t.csv -t y").out, &[text]);
}

#[test]
fn dates_as_texts_of_typed_formats_are_reported() {
    let folder = Folder::with(table(day));
    // In CSV and JSON, texts are dates if their order is known.
    folder.write("t.jsonl", "{\"b\": \"2024-01-02\", \"c\": \"3/4/2024\", \"d\": \"3/4/2024\", \"y\": 1}\n".repeat(3));
    let found = folder.run("check t.jsonl -t y").out;
    assert_contains(&found, &["columns c, d kept as text: the dates allow both"]);
    folder.run_with("apply - t.jsonl --output t.parquet", b"c\ny\n").ok();
    assert_contains(&folder.run("check t.parquet -t y").out, &["'c': dates were kept as texts"]);
}

#[test]
fn signs_are_categories() {
    let folder = Folder::with(table(|row| ["+", "-"][row * 7 % 31 / 16].to_owned()));
    let check = folder.run("check t.csv -t y --keep-suspicious").out;
    assert_contains(&check, &["+, -"]);
    assert!(!check.contains("missing values"), "{check}");
    folder.run("train t.csv -t y --top 1 --keep b --keep-suspicious --no-held-out --model m.json").ok();
    folder.write("new.csv", "b\n-\n-\n+\n");
    let run = folder.run("predict m.json new.csv");
    assert!(!run.err.contains("filled in"), "{}", run.err);
    let classes: Vec<String> = run.ok().lines().skip(1).map(|line| line[..1].to_owned()).collect();
    assert_eq!(classes, ["v", "v", "u"]);
}

#[test]
fn remedies_are_options_of_the_command() {
    let folder = Folder::with(table(|row| row.to_string()));
    folder
        .run("train t.csv -t y --top 2 -m anova --no-held-out --model m.json --rule-param steps=9 --keep-suspicious")
        .ok();
    folder.write("new.csv", "a,b\n1,inf\n");
    folder.refuses("predict m.json new.csv", &["'b' is inf", "correct or clear the cell, or use --na-values inf"]);
    assert_contains(&folder.run("predict m.json new.csv --na-values inf").err, &["wrote 1 prediction\n"]);
    folder.write("few.csv", table(|row| if row == 5 { "n.d.".to_owned() } else { format!("{row}.5") }));
    assert_contains(
        &folder.run("check few.csv -t y").out,
        &["clear those cells, use --na-values n.d., or name it in --cat"],
    );
    folder.write("hash.csv", "a,b,y\n1,2,u\n# a comment\n");
    folder.refuses("check hash.csv -t y", &["line 3", "if that line is a comment, use --comment '#'"]);
    folder.refuses("select hash.csv -t y --stream", &["line 3", "use --comment '#'"]);
    folder.write("when.csv", table(day));
    let train = "train when.csv -t y --keep b --top 1 -m anova --no-held-out --model d.json --rule-param steps=9";
    folder.run(train).ok();
    folder.write("new.csv", "b\n3/4/2024\n");
    folder.refuses("predict d.json new.csv", &["'3/4/2024'", "--day-first yes or no"]);
    folder.write("new.csv", "b\nsoon\n");
    folder.refuses("predict d.json new.csv", &["'soon'", "write dates as YYYY-MM-DD"]);
}

#[test]
fn damaged_and_misnamed_files_have_a_remedy() {
    let folder = Folder::with(table(day));
    folder.run_with("apply - t.csv --output t.parquet", b"a\nb\ny\n").ok();
    let bytes = std::fs::read(folder.path("t.parquet")).unwrap();
    folder.write("cut.parquet", &bytes[..bytes.len() - 20]);
    folder.refuses("check cut.parquet -t y", &["write or download the file again"]);
    folder.refuses("select cut.parquet -t y --sample 9", &["write or download the file again"]);
    for name in ["text.parquet", "text.xlsx"] {
        folder.write(name, table(day));
        folder.refuses(&format!("check {name} -t y"), &["name its format with --input-format: csv"]);
        folder.run(&format!("check {name} -t y --input-format csv")).ok();
    }
}

#[test]
fn applied_selections_report_how_the_table_was_read() {
    let folder = Folder::with("a;b\n1,5;2\n2,5;3\n");
    let run = folder.run_with("apply - t.csv --output out.csv", b"a\n");
    assert_contains(&run.err, &["separated by ';'", "wrote 2 rows of 1 column to"]);
    let run = folder.run_with("apply - t.csv --output out.json", b"a\n");
    assert_contains(&run.err, &["separated by ';'", "decimal sign"]);
}

#[test]
fn points_that_may_separate_thousands_are_reported() {
    let folder = Folder::with("a;b;y\n4.110;1;u\n8.394;2;v\n2.727;1;u\n5.108;2;v\n");
    let text = "'a': the point was read as the decimal mark, although it may separate thousands in all cells (such as '4.110')";
    assert_contains(&folder.run("check t.csv -t y").out, &[text, "--decimal point or comma"]);
    assert_contains(&folder.run("check t.csv -t y --sample 4").out, &[text]);
    for option in ["--decimal point", "--decimal comma"] {
        assert!(!folder.run(&format!("check t.csv -t y {option}")).out.contains("was read as the decimal mark"));
    }
    folder.write("t.csv", "a;b;y\n4.110;0.5;u\n8.394;2;v\n2.727;1;u\n5.108;2;v\n");
    assert!(!folder.run("check t.csv -t y").out.contains("thousands"));
}

#[test]
fn targets_of_dates_and_included_columns_are_stated() {
    let folder = Folder::with(table(|row| format!("2024-{:02}-{:02}", row / 28 + 1, row % 28 + 1)));
    let text = "task: regression (target 'b' holds dates, read as days since 1970-01-01)";
    assert_contains(&folder.run("select t.csv -t b --top 1 -m anova").err, &[text]);
    assert_contains(&folder.run("select t.csv -t b --top 1 --stream -m sieve").err, &[text]);
    let run = folder.run("select t.csv -t y -m anova --include a,b.month --top 1");
    assert_contains(&run.err, &["asked for 1 features, but 2 are included: 2 are selected"]);
}

#[test]
fn a_missing_date_is_one_missing_value() {
    let folder = Folder::with(table(|row| if row == 3 { String::new() } else { day(row) }));
    let text = "1 missing values in 1 columns were filled in";
    assert_contains(&folder.run("check t.csv -t y").out, &[text]);
    assert_contains(&folder.run("select t.csv -t y -m sieve --stream --top 1").err, &[text]);
}
