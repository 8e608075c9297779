//! Memory limits: no m x m matrix for many columns (3.2 GB here), and no complete table when streamed.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use std::process::Command;

/// The allocator may reserve 64 MB of address space per contending thread; one arena makes the limit deterministic.
const ONE_ARENA: (&str, &str) = ("MALLOC_ARENA_MAX", "1");

#[test]
fn twenty_thousand_columns_need_less_than_a_gigabyte() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("wide.csv");
    let program = env!("CARGO_BIN_EXE_rulesieve");
    let made = Command::new(program)
        .args(["generate", "waveform", "--samples", "100", "--features", "20000", "--output"])
        .arg(&data)
        .status();
    assert!(made.unwrap().success());
    // The limit applies to address space, of which every thread reserves some; two threads suffice.
    let script = "ulimit -v 1000000; exec \"$0\" select \"$1\" --target class --method ldr-tsk --set d=64 --set iterations=2 --threads 2 --json";
    let output =
        Command::new("sh").env(ONE_ARENA.0, ONE_ARENA.1).args(["-c", script, program]).arg(&data).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&record["params"]["d"], &record["iterations"]), (&64.into(), &2.into()));
    assert_eq!(record["ranking"].as_array().unwrap().len(), 20_000);
}

#[test]
fn a_streamed_model_needs_less_memory_than_its_table() {
    let folder = tempfile::tempdir().unwrap();
    let (data, model) = (folder.path().join("long.csv"), folder.path().join("m.json"));
    let program = env!("CARGO_BIN_EXE_rulesieve");
    let made = Command::new(program)
        .args(["generate", "xor", "--samples", "120000", "--features", "30", "--output"])
        .arg(&data)
        .status();
    assert!(made.unwrap().success());
    let run = |stream: &str| {
        let few = "--method ldr-tsk-inductive --set steps=20 --set starts=1 --rule-param steps=20 --rule-param rules=4 --top 2 --threads 1";
        let script = format!("ulimit -v 200000; exec \"$0\" train \"$1\" --target class {few} {stream} --model \"$2\"");
        let mut shell = Command::new("sh");
        shell.env(ONE_ARENA.0, ONE_ARENA.1).args(["-c", &script, program]).arg(&data).arg(&model).output().unwrap()
    };
    // Under this limit the table cannot be loaded, so the limit is effective.
    assert!(!run("").status.success() && !model.exists());
    let output = run("--stream");
    assert!(output.status.success() && model.exists(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn running_out_of_memory_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("t.csv");
    let program = env!("CARGO_BIN_EXE_rulesieve");
    let made = Command::new(program)
        .args(["generate", "waveform", "--samples", "20000", "--features", "60", "--output"])
        .arg(&data)
        .status();
    assert!(made.unwrap().success());
    let mut refused = 0;
    for kilobytes in (50_000..130_000).step_by(10_000) {
        let script = format!(
            "ulimit -v {kilobytes}; exec \"$0\" select \"$1\" --target class --method relieff --time-budget 0.2 --threads 1 --json"
        );
        let mut shell = Command::new("sh");
        let output = shell.env(ONE_ARENA.0, ONE_ARENA.1).args(["-c", &script, program]).arg(&data).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => {}
            Some(2) => {
                assert!(said.contains("MB of memory, which is not available; use a sample of the rows with"), "{said}");
                refused += 1;
            }
            other => panic!("{kilobytes} KB: {other:?} {said}"),
        }
    }
    assert!(refused > 0);
}
