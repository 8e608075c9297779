//! LIBSVM text: absent indices are zero, indices are positive and ascending.

use crate::common::{assert_contains, limited, names, numbers, refusal, table, texts};

#[test]
fn sparse_lines_become_dense_columns() {
    let table = table("t.svm", "+1 1:0.5 3:-2 # first\n\n# nothing\n-1 2:1e3\r\n1\n");
    assert_eq!(names(&table), ["f1", "f2", "f3", "target"]);
    assert_eq!(numbers(&table, "f1"), [0.5, 0.0, 0.0]);
    assert_eq!(numbers(&table, "f2"), [0.0, 1000.0, 0.0]);
    assert_eq!(numbers(&table, "f3"), [-2.0, 0.0, 0.0]);
    assert_eq!(numbers(&table, "target"), [1.0, -1.0, 1.0]);
    assert_eq!(table.target_hint.as_deref(), Some("target"));
}

#[test]
fn text_labels_and_query_numbers() {
    let table = table("t.libsvm", "spam qid:3 1:1\nham qid:3 1:2\n");
    assert_eq!(texts(&table, "target"), ["spam", "ham"]);
    assert_contains(&table.warnings[0].to_string(), &["qid", "ignored"]);
}

#[test]
fn errors_of_indices_give_their_line() {
    for (line, parts) in [
        ("1 2:1 1:1", &["line 2", "index 1", "ascending"][..]),
        ("1 2:1 2:1", &["line 2", "index 2", "repeated"]),
        ("1 0:1", &["line 2", "index 0", "not positive"]),
        ("1 -5:1", &["line 2", "index -5", "not positive"]),
        ("1 2147483648:1", &["line 2", "2147483648", "1000000", "raise the limit of columns"]),
        ("1 99999999999999999999999:1", &["line 2", "raise the limit of columns"]),
        ("1 x:1", &["line 2", "'x'", "whole number"]),
        ("1 3", &["line 2", "'3'", "index:value"]),
        ("1 3:abc", &["line 2", "'f3'", "'abc'", "a number"]),
        ("1:2 3:4", &["line 2", "'1:2'", "label"]),
    ] {
        assert_contains(&refusal("t.svm", format!("1 1:1\n{line}\n")), parts);
    }
}

#[test]
fn files_without_samples_or_features_are_rejected() {
    assert_contains(&refusal("t.svm", "# only a comment\n"), &["no sample"]);
    assert_contains(&refusal("t.svm", "1\n-1\n"), &["no feature"]);
}

#[test]
fn the_dense_size_is_checked_before_allocation() {
    let wide = "1 100000:1\n".repeat(1000);
    let said = crate::common::error(&crate::common::bytes("t.svm", wide), &limited(10_000, 1_000_000, 100_000_000));
    assert_contains(&said, &["800008000 bytes", "100000000", "raise the limit of bytes"]);
}
