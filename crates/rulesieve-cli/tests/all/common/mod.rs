//! Shared helpers: a temporary folder per test, runs of the program in it, and their output.
#![allow(clippy::unwrap_used, dead_code, unreachable_pub, reason = "every test file uses some of it")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// The outcome of a run.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Run {
    pub fn new(output: std::process::Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        // A process terminated by a signal has no exit code.
        Self { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Asserts success and returns standard output.
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!(self.code, 0, "{}{}", self.out, self.err);
        self.out
    }

    /// Asserts success and parses standard output as JSON.
    #[track_caller]
    pub fn json(self) -> serde_json::Value {
        serde_json::from_str(&self.ok()).unwrap()
    }

    /// Asserts an error: exit code 2, empty standard output, one line that starts with `error:` and contains all parts.
    #[track_caller]
    pub fn refused(&self, parts: &[&str]) {
        assert_eq!((self.code, self.out.as_str()), (2, ""), "{}", self.err);
        assert!(self.err.starts_with("error: ") && self.err.ends_with('\n'), "{}", self.err);
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        assert!(self.err.len() < 1000, "{} bytes: {}", self.err.len(), self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        assert_contains(&self.err, parts);
    }

    /// Asserts an error of the argument parser, which also prints the usage.
    #[track_caller]
    pub fn misused(&self, parts: &[&str]) {
        assert_eq!((self.code, self.out.as_str()), (2, ""), "{}", self.err);
        assert!(self.err.starts_with("error: "), "{}", self.err);
        assert_contains(self.err.lines().next().unwrap(), parts);
    }
}

/// A table with every row twice, for checks that need twenty rows.
#[allow(dead_code, reason = "not every test needs it")]
pub fn twice(table: &str) -> String {
    format!("{table}{}", table.split_once('\n').map_or("", |(_, rows)| rows))
}

#[track_caller]
pub fn assert_contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "'{part}' is missing in: {text}");
    }
}

/// A temporary folder.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// A folder with `t.csv` in it.
    pub fn with(content: impl AsRef<[u8]>) -> Self {
        let folder = Self::new();
        folder.write("t.csv", content);
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Names of all files, including hidden ones.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program in this folder; `arguments` are separated by spaces.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = program(self.0.path());
        command.args(arguments.split_whitespace());
        command
    }

    pub fn run(&self, arguments: &str) -> Run {
        Run::new(self.command(arguments).stdin(Stdio::null()).output().unwrap())
    }

    /// Asserts that a run ends with an error that contains all parts.
    #[track_caller]
    pub fn refuses(&self, arguments: &str, parts: &[&str]) {
        self.run(arguments).refused(parts);
    }

    /// Runs with the given bytes on standard input.
    pub fn run_with(&self, arguments: &str, input: &[u8]) -> Run {
        self.write("standard-input", input);
        let file = std::fs::File::open(self.path("standard-input")).unwrap();
        Run::new(self.command(arguments).stdin(file).output().unwrap())
    }
}

pub fn program(folder: &Path) -> Command {
    // The program of the package under test.
    let path = option_env!("CARGO_BIN_EXE_rulesieve").or(option_env!("CARGO_BIN_EXE_rulesieve-reproduce")).unwrap();
    let mut command = Command::new(path);
    command.current_dir(folder);
    command
}

/// Sends Ctrl-C.
#[cfg(unix)]
pub fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

/// Waits for the end with a timeout. Reads the output meanwhile, so that a full pipe does not block the program.
#[cfg(unix)]
pub fn end(child: Child) -> Run {
    let id = child.id().to_string();
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(child.wait_with_output()));
    match receiver.recv_timeout(Duration::from_secs(60)) {
        Ok(output) => Run::new(output.unwrap()),
        Err(_) => {
            Command::new("kill").args(["-KILL", &id]).status().unwrap();
            panic!("still running after a minute");
        }
    }
}

/// Twelve rows: `good` separates the classes x and y, `weak` nearly, `noise` not; `kind` is a category.
pub const SMALL: &str = "\
noise,good,kind,weak,t
0.3,1.50,u,1.0,x
0.9,1.25,v,2.5,x
0.1,2.00,w,0.5,x
0.7,1.75,u,3.5,x
0.5,1.10,v,1.5,x
0.2,1.90,w,2.0,x
0.8,8.50,u,3.0,y
0.4,9.25,v,4.5,y
0.6,8.00,w,5.0,y
0.35,9.75,u,2.2,y
0.15,8.10,v,4.0,y
0.95,9.90,w,6.0,y
";

/// The folder of the paper's data sets, which are not part of the project; prints a message and returns `None` if absent.
#[allow(clippy::print_stdout, reason = "a test that is skipped must say so")]
pub fn data_sets() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/datasets");
    let folder = std::env::var_os("RULESIEVE_DATA").map_or_else(beside, PathBuf::from);
    if !folder.is_dir() {
        println!("skipped: {} does not exist; RULESIEVE_DATA may name another folder", folder.display());
        return None;
    }
    Some(folder)
}
