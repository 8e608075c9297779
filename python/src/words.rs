//! Messages of the engine speak the language of the command line; here they learn that of Python.

use pyo3::prelude::*;

/// What is said on the command line, and the same in Python; longer phrases first.
const PHRASES: [(&str, &str); 20] = [
    (
        "clear those cells and use --missing, or name the columns in --categorical",
        "make those cells NaN and fit with missing='median'",
    ),
    ("or clear it and use --missing", "or make it NaN and fit with missing='median'"),
    (" (check --json lists them)", ""),
    ("; try --set ", "; try "),
    (
        " with --missing median, or leave those rows out with --missing drop-rows",
        " with missing='median', or leave those rows out",
    ),
    ("--missing median", "missing='median'"),
    ("rename one of them, or, if the first row is data, use --header no", "rename one of them"),
    ("name it, or, if the first row is data, use --header no", "name it"),
    ("give a number with --top, or --size one-se", "give a number, or 'one-se'"),
    ("give --top or --fraction", "give a number or a share of features"),
    ("--size needs all rows", "a size rule needs all rows"),
    ("cannot be combined with --stream", "cannot be had from blocks"),
    (
        "cannot stream; use --method sieve or ldr-tsk-inductive, or leave --stream out",
        "cannot learn from blocks; use 'sieve' or 'ldr-tsk-inductive'",
    ),
    ("--categorical-coding ordinal", "categorical_coding='ordinal'"),
    ("consider --drop:", "consider leaving it out:"),
    ("cut the target with --bins", "cut the target into classes"),
    ("--task regression needs numbers", "task='regression' needs numbers"),
    (
        "learn its numbers with --task regression, cut it into classes with --bins 2, or name another target",
        "learn its numbers with task='regression', or cut it into classes",
    ),
    ("try more, --rule-param steps=", "try more, rule_params with steps="),
    ("name the label column with --target (a name, a number counted from 1, or 'last')", "give y"),
];
/// What follows is the name of a column, in quotes, or nothing.
const DROP: &str = " with --drop";

/// What follows is a row, counted from 1.
const ROW: &str = "data row ";

/// Begins a message about columns that were left out.
const ASIDE: &str = "set aside as ";

/// Rows as Python counts them, from 0.
fn from_zero(text: &str) -> String {
    let mut parts = text.split(ROW);
    let mut said = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (digits, rest) = part.split_at(part.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(part.len()));
        match digits.parse::<usize>().ok().and_then(|row| row.checked_sub(1)) {
            Some(row) => said += &format!("row {row}{rest}"),
            None => said += &format!("{ROW}{part}"),
        }
    }
    said
}

/// A message in the words of Python.
#[pyfunction]
pub(super) fn in_python(text: &str) -> String {
    let mut said = PHRASES.iter().fold(from_zero(text), |text, (from, to)| text.replace(from, to));
    while let Some(at) = said.find(DROP) {
        let rest = &said[at + DROP.len()..];
        let quoted = rest.strip_prefix(" '").and_then(|name| name.find('\'')).map_or(0, |end| end + 3);
        said.replace_range(at..at + DROP.len() + quoted, "");
    }
    if said.starts_with(ASIDE) {
        said += "; keep_suspicious=True includes them";
    }
    said
}
