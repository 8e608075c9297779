//! `reproduce` runs a separate program.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking as tests do")]

use crate::common::{Folder, Run, assert_contains};
use std::os::unix::fs::PermissionsExt;

#[test]
fn the_program_on_the_path_gets_all_arguments_and_its_exit_code_is_returned() {
    let folder = Folder::new();
    // Outside the folder where cargo may have built the real one.
    let program = folder.path("rulesieve");
    std::fs::copy(folder.command("").get_program(), &program).unwrap();
    let run = |path: &str| {
        let mut command = std::process::Command::new(&program);
        Run::new(command.args(["reproduce", "--data", "a b", "--help"]).env("PATH", path).output().unwrap())
    };
    let absent = run("/nowhere");
    absent.refused(&["rulesieve-reproduce is not installed", "cargo install --path crates/rulesieve-reproduce"]);
    std::fs::create_dir(folder.path("bin")).unwrap();
    let other = folder.path("bin/rulesieve-reproduce");
    folder.write("bin/rulesieve-reproduce", "#!/bin/sh\nprintf '%s;' \"$@\"\nexit 7\n");
    std::fs::set_permissions(&other, std::fs::Permissions::from_mode(0o755)).unwrap();
    let found = run(folder.path("bin").to_str().unwrap());
    assert_eq!((found.code, found.out.as_str()), (7, "--data;a b;--help;"), "{}", found.err);
    std::fs::rename(other, folder.path("rulesieve-reproduce")).unwrap();
    assert_eq!(run("/nowhere").code, 7, "beside the program");
    assert_contains(&folder.run("help reproduce").ok(), &["separate program rulesieve-reproduce"]);
}
