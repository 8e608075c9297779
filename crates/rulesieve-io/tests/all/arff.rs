//! ARFF: dense and sparse rows, nominal sets, and invalid files.

use crate::common::{assert_contains, names, numbers, refusal, table, texts};

const HEADER: &str = "% a comment\n@RELATION r\n@Attribute 'bill length' REAL\n@attribute n integer\n\
                      @attribute kind {red, 'dark blue', \"it's\"}\n@DATA\n";

fn with(rows: &str) -> String {
    format!("{HEADER}{rows}")
}

#[test]
fn dense_rows() {
    let table = table("t.arff", with("1.5, 2, red % note\n\n% all comment\n?,-3,'dark blue'\r\n0,0,\"it's\"\n7,1,?\n"));
    assert_eq!(names(&table), ["bill length", "n", "kind"]);
    let length = numbers(&table, "bill length");
    assert!(length[0] == 1.5 && length[1].is_nan() && length[3] == 7.0);
    assert_eq!(texts(&table, "kind"), ["red", "dark blue", "it's", "?"]);
}

#[test]
fn sparse_rows_omit_zeros_and_first_values() {
    let table = table("t.arff", with("{0 1.5, 2 'dark blue'}\n{}\n{1 ?}\n"));
    assert_eq!(numbers(&table, "bill length"), [1.5, 0.0, 0.0]);
    assert!(numbers(&table, "n")[2].is_nan());
    assert_eq!(texts(&table, "kind"), ["dark blue", "red", "red"]);
}

#[test]
fn nominal_numbers_stay_text_and_dates_give_a_warning() {
    let content = "@relation r\n@attribute c {0,1}\n@attribute d date 'yyyy-MM-dd'\n@attribute s string\n@data\n\
                   1,'2020-01-02','a, b'\n0,?,'it\\'s'\n";
    let table = table("t.arff", content);
    assert_eq!(texts(&table, "c"), ["1", "0"]);
    assert_eq!(texts(&table, "s"), ["a, b", "it's"]);
    assert_contains(&table.warnings[0].to_string(), &["'d'", "dates"]);
}

#[test]
fn an_undeclared_value_is_reported_with_line_and_set() {
    let message = refusal("t.arff", with("1,2,red\n1,2,green\n"));
    assert_contains(&message, &["t.arff", "line 8", "'kind'", "'green'", "{red, dark blue, it's}"]);
}

#[test]
fn errors_in_rows_give_their_line() {
    for (row, parts) in [
        ("1,2", &["line 7", "2 cells", "3"][..]),
        ("1,2,red,4", &["line 7", "4 cells"]),
        ("x,2,red", &["line 7", "'bill length'", "'x'", "a number"]),
        ("1,2,'red", &["line 7", "is not closed"]),
        ("{0 1", &["line 7", "not closed"]),
        ("{3 1}", &["line 7", "index 3", "0 to 2"]),
        ("{1 1, 1 2}", &["line 7", "repeated"]),
        ("{1 1, 0 2}", &["line 7", "not ascending"]),
        ("{-1 1}", &["line 7", "'-1'"]),
        ("{0 1} {5}", &["line 7", "'{5}'"]),
    ] {
        assert_contains(&refusal("t.arff", with(row)), parts);
    }
}

#[test]
fn errors_in_declarations_give_their_line() {
    for (declaration, parts) in [
        ("@attribute a {x, x}", &["line 1", "'a'", "repeats"][..]),
        ("@attribute a {x, }", &["line 1", "empty value"]),
        ("@attribute a {x, y", &["line 1", "not closed"]),
        ("@attribute a {}", &["line 1", "empty value"]),
        ("@attribute a relational", &["'a'", "line 1", "relational"]),
        ("@attribute a complex", &["line 1", "'complex'", "numeric"]),
        ("@attribute 'a numeric", &["line 1", "is not closed"]),
        ("hello", &["line 1", "'hello'", "@attribute"]),
        ("@data", &["line 1", "before any @attribute"]),
        ("@attribute a numeric\n@attribute a numeric\n@data\n1,2", &["'a'", "twice"]),
        ("@attribute a numeric\n@data\n", &["no rows"]),
        ("@attribute a numeric\n", &["no @data"]),
    ] {
        assert_contains(&refusal("t.arff", declaration), parts);
    }
}
