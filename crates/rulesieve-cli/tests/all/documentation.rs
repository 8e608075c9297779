//! The reference of commands is what the program prints, and the table of contents lists every page.
//!
//! `UPDATE_REFERENCE=1 cargo test -p rulesieve-cli --test all documentation` writes `docs/reference/commands.md`.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking as tests do")]

use crate::common::Folder;
use std::fs;
use std::path::{Path, PathBuf};

const INTRODUCTION: &str = "\
# Commands

What `rulesieve COMMAND --help` prints. A test compares this page with the program and states how to
write it again.
";

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn help(folder: &Folder, command: &str) -> String {
    let text = folder.run(&format!("{command} --help")).ok();
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Names of the commands in the help of the program.
fn commands(help: &str) -> Vec<&str> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // Lines with a larger indent continue the line before. The last two pass `--help` on, or have none.
    let names = listed.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    names.filter_map(|line| line.split(' ').next()).filter(|name| !["reproduce", "help"].contains(name)).collect()
}

#[test]
fn the_reference_of_commands_is_their_help() {
    let folder = Folder::new();
    let whole = help(&folder, "");
    let mut page = format!("{INTRODUCTION}\n## rulesieve\n\n```text\n{}\n```\n", whole.trim_end());
    for command in commands(&whole) {
        page += &format!("\n## rulesieve {command}\n\n```text\n{}\n```\n", help(&folder, command).trim_end());
    }
    let file = docs().join("reference/commands.md");
    if std::env::var_os("UPDATE_REFERENCE").is_some() {
        fs::write(&file, &page).unwrap();
    }
    let saved = fs::read_to_string(&file).unwrap_or_default();
    let differs = page.lines().zip(saved.lines()).find(|(now, saved)| now != saved);
    assert!(page == saved, "the help of a command changed: {differs:?}; set UPDATE_REFERENCE=1 to accept it");
    assert!(page.matches("\n## ").count() > 10);
}

#[test]
fn the_table_of_contents_lists_every_page_once() {
    let contents = fs::read_to_string(docs().join("SUMMARY.md")).unwrap();
    let pages = ["", "reference/"].into_iter().flat_map(|folder| {
        let entries = fs::read_dir(docs().join(folder)).unwrap();
        entries.map(move |entry| format!("{folder}{}", entry.unwrap().file_name().into_string().unwrap()))
    });
    let pages: Vec<String> = pages.filter(|name| name.ends_with(".md") && name != "SUMMARY.md").collect();
    assert_eq!(contents.matches(".md)").count(), pages.len());
    for page in pages {
        assert_eq!(contents.matches(&format!("]({page})")).count(), 1, "{page}");
    }
}
