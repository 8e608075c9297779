//! Messages of the libraries name no options of the command line: each interface renders advice in its own terms.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

/// The libraries, beside this one.
const CRATES: [&str; 4] = ["rulesieve", "rulesieve-io", "rulesieve-eval", "rulesieve-report"];
/// Style sheets have names that begin with two dashes.
const STYLE_SHEET: &str = "rulesieve-report/src/page/style.rs";

/// All source files of a folder but those of tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && name != "tests" {
            found.push(path);
        }
    }
}

/// The string literals of a source text, with the lines in which they begin. Comments are left out.
fn literals(source: &str) -> Vec<(usize, String)> {
    let text: Vec<char> = source.chars().collect();
    let starts = |at: usize, what: &str| what.chars().enumerate().all(|(i, sign)| text.get(at + i) == Some(&sign));
    let (mut at, mut found) = (0, Vec::new());
    while at < text.len() {
        if starts(at, "//") {
            at += text[at..].iter().position(|&sign| sign == '\n').unwrap_or(text.len() - at);
        } else if text[at] == '\'' && text.get(at + 1) == Some(&'\\') {
            // A character behind a backslash, which may be a quote.
            at += 3;
            at += text[at..].iter().position(|&sign| sign == '\'').map_or(0, |end| end + 1);
        } else if text[at] == '\'' && text.get(at + 2) == Some(&'\'') {
            at += 3;
        } else if text[at] == '"' {
            let hashes = text[..at].iter().rev().take_while(|&&sign| sign == '#').count();
            let raw = at > hashes && text[at - hashes - 1] == 'r';
            let end = format!("\"{}", "#".repeat(if raw { hashes } else { 0 }));
            let begin = at + 1;
            at = begin;
            while at < text.len() && !starts(at, &end) {
                at += if text[at] == '\\' && !raw { 2 } else { 1 };
            }
            let line = text[..begin].iter().filter(|&&sign| sign == '\n').count() + 1;
            found.push((line, text[begin..at.min(text.len())].iter().collect()));
            at += end.len();
        } else {
            at += 1;
        }
    }
    found
}

/// Whether a text contains two dashes and a letter.
fn has_flag(text: &str) -> bool {
    text.match_indices("--").any(|(at, _)| text[at + 2..].starts_with(|sign: char| sign.is_ascii_alphabetic()))
}

#[test]
fn no_message_of_a_library_names_an_option() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    CRATES.iter().for_each(|name| sources(&crates.join(name).join("src"), &mut files));
    assert!(files.len() > 200, "{}", files.len());
    let (mut read, mut wrong) = (0, Vec::new());
    for path in files.iter().filter(|path| !path.ends_with(STYLE_SHEET)) {
        let text = fs::read_to_string(path).unwrap();
        let tests = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
        let found = literals(&text[..tests]);
        read += found.len();
        wrong.extend(found.into_iter().filter(|(_, text)| has_flag(text)).map(|found| (path.clone(), found)));
    }
    assert!(wrong.is_empty() && read > 1000, "{read} literals, {wrong:#?}");
}

#[test]
fn literals_are_told_from_comments_and_characters() {
    let source = "// \"--a\"\nlet x: &'a str = \"--b \\\" c\"; let q = ['\"', '\\'', '\\u{7}']; r#\"d \" --e\"#; \"f\\\\\" // --g";
    let found: Vec<String> = literals(source).into_iter().map(|(_, text)| text).collect();
    assert_eq!(found, ["--b \\\" c", "d \" --e", "f\\\\"]);
    assert!(has_flag(&found[0]) && has_flag(&found[1]) && !has_flag(&found[2]) && !has_flag("a -- b"));
}
