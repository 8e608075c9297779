//! Help, completions and man pages, and the first minutes of a new user.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking as tests do")]

use crate::common::{Folder, Run, SMALL, assert_contains};
use std::process::{Command, Stdio};

const COMMANDS: [&str; 14] = [
    "select",
    "apply",
    "train",
    "predict",
    "explain",
    "evaluate",
    "records",
    "compare",
    "check",
    "generate",
    "methods",
    "demo",
    "completions",
    "man",
];

fn help(folder: &Folder, line: &str, width: usize) -> String {
    Run::new(folder.command(line).env("COLUMNS", width.to_string()).output().unwrap()).ok()
}

#[test]
fn help_fits_every_width() {
    let folder = Folder::new();
    for command in COMMANDS.into_iter().chain([""]) {
        for width in [60, 80, 100] {
            let text = help(&folder, &format!("{command} --help"), width);
            let long = text.lines().find(|line| line.chars().count() > width);
            assert_eq!(long, None, "{command} at {width}");
        }
        // Paragraphs are wrapped once: a line is only short if the next word does not fit.
        let text = help(&folder, &format!("{command} --help"), 80);
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2) {
            let indent = |line: &str| line.len() - line.trim_start().len();
            let paragraph = |line: &str| line.starts_with(|first: char| first.is_alphanumeric() || first == '`');
            let [line, next] = [pair[0], pair[1]];
            let word = next.split_whitespace().next().unwrap_or_default();
            let ragged = paragraph(line) && paragraph(next) && indent(next) == 0 && line.len() + 1 + word.len() <= 80;
            assert!(!ragged || line.ends_with(':'), "{command}: {line}\n{next}");
        }
    }
}

#[test]
fn examples_in_help_are_whole_lines_of_valid_options() {
    let folder = Folder::new();
    let mut examples = 0;
    for command in COMMANDS {
        let text = help(&folder, &format!("{command} --help"), 80);
        for line in text.lines().filter_map(|line| line.strip_prefix("  rulesieve ")) {
            let line = line.split(" > ").next().unwrap().split(" | rulesieve ").next().unwrap();
            // The files do not exist, so that valid options end with another error than that of the parser.
            if ["demo", "generate", "methods", "completions", "man"].iter().any(|name| line.starts_with(name))
                || line.contains("builtin:")
            {
                continue;
            }
            let run = folder.run(line);
            assert_eq!(run.code, 2, "{line}");
            assert!(!run.err.contains("--help") && run.err.lines().count() == 1, "{line}: {}", run.err);
            examples += 1;
        }
    }
    assert!(examples > 25, "{examples} examples");
}

#[test]
fn limits_are_shown_with_their_defaults() {
    let folder = Folder::new();
    let limits = rulesieve_io::Limits::default();
    for command in ["select", "train", "predict", "apply", "check", "compare", "evaluate", "explain"] {
        let text = help(&folder, &format!("{command} --help"), 200);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let defaults = [limits.rows.to_string(), limits.columns.to_string(), limits.bytes.to_string()];
        for default in defaults {
            assert_contains(&text, &[&format!("[default: {default}]")]);
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_an_error() {
    let folder = Folder::new();
    for line in ["--help", "--version", "select --help", "help select", "completions bash"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let run = Run::new(folder.command(line).stdout(full).output().unwrap());
        run.refused(&["cannot write to standard output", "No space left"]);
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let closed = Run::new(folder.command(line).stdout(writer).output().unwrap());
        assert_eq!((closed.code, closed.err.as_str()), (0, ""), "{line}");
    }
}

#[test]
fn completions_are_valid_and_know_every_command() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = folder.run(&format!("completions {shell}")).ok();
        assert_contains(&text, &COMMANDS);
        assert_contains(&text, &["keep-suspicious", "format"]);
        folder.write(&format!("script.{shell}"), &text);
    }
    // Only bash is part of every system that builds this.
    if let Ok(bash) = Command::new("bash").arg("-n").arg(folder.path("script.bash")).stderr(Stdio::piped()).output() {
        assert!(bash.status.success(), "{}", String::from_utf8_lossy(&bash.stderr));
    }
    folder.run("completions cmd").misused(&["cmd", "<SHELL>"]);
}

#[test]
fn man_pages_are_written_for_every_command() {
    let folder = Folder::new();
    let run = folder.run("man --output man1");
    assert_contains(&run.err, &["man pages written to man1"]);
    let page = |name: &str| folder.read(&format!("man1/{name}.1"));
    assert_contains(&page("rulesieve"), &[".TH rulesieve 1", "rulesieve\\-select(1)", "rulesieve\\-man(1)"]);
    for command in COMMANDS {
        let text = page(&format!("rulesieve-{command}"));
        assert!(text.contains(&format!(".TH rulesieve-{command} 1")), "{text}");
        assert_contains(&text, &[".SH SYNOPSIS", ".SH OPTIONS", "\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR"]);
    }
    assert_contains(&page("rulesieve-select"), &["rulesieve select data.csv \\-\\-target class"]);
    folder.write("file", "");
    folder.run("man --output file").refused(&["cannot create the folder file"]);
}

/// What a new user types wrong, and parts of the answer.
const MISTAKES: [(&str, &[&str]); 23] = [
    ("selct t.csv", &["unrecognized subcommand 'selct'"]),
    ("select", &["required arguments"]),
    ("select t.csv --tagret t", &["unexpected argument '--tagret'"]),
    ("select none.csv -t t", &["cannot read none.csv", "No such file"]),
    ("select . -t t", &["is a directory"]),
    ("select empty.csv -t t", &["empty.csv is empty"]),
    ("select t.csv -t goood", &["no column 'goood'", "did you mean 'good'?"]),
    ("select t.csv", &["no target", "--target"]),
    ("select t.csv -t t --top 0", &["cannot select 0 features"]),
    ("select t.csv -t t --top many", &["whole number, at least 1"]),
    ("select t.csv -t t --top -1", &["whole number, at least 1"]),
    ("select t.csv -t t --fraction 2", &["above 0 and at most 1"]),
    ("select t.csv -t t --threads -1", &["'-1'", "whole number"]),
    ("select t.csv -t t --method siev", &["no method 'siev'", "did you mean 'sieve'?"]),
    ("select t.csv -t t --sample 0", &["at least 1"]),
    ("select t.csv -t t --sample 9 --stream", &["--sample", "--stream"]),
    ("select t.csv -t t -o nowhere/s.json", &["there is no folder nowhere"]),
    ("select none.csv -t t -o nowhere/s.json", &["there is no folder nowhere"]),
    ("apply none.json t.csv -o nowhere/r.csv", &["there is no folder nowhere"]),
    ("apply none.json t.csv", &["none.json", "No such file"]),
    ("evaluate none.csv -t t -o nowhere/e.json", &["there is no folder nowhere"]),
    ("generate xor --samples many", &["whole number"]),
    ("predict none.json t.csv", &["none.json", "No such file"]),
];

#[test]
fn mistakes_are_explained_in_the_first_line() {
    let folder = Folder::with(SMALL);
    folder.write("empty.csv", "");
    let before = folder.files();
    for (line, parts) in MISTAKES {
        folder.run(line).misused(&[]);
        let run = folder.run(line);
        assert_contains(&run.err, parts);
        assert!(!run.err.contains("panicked") && !run.err.contains(".tmp"), "{line}: {}", run.err);
    }
    assert_eq!(folder.files(), before);
    let whole = folder.run("select t.csv -t t -m anova --top 1e9 --names").ok();
    assert_eq!(whole.lines().count(), 4);
}
