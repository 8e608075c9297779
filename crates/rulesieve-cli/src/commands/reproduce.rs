//! `reproduce`: runs the separate program `rulesieve-reproduce`.

use crate::args::ReproduceArgs;
use anyhow::{Context, Result, bail};
use std::env;
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

const PROGRAM: &str = "rulesieve-reproduce";

pub(crate) fn run(args: &ReproduceArgs) -> Result<ExitCode> {
    // Prefers the program in the folder of this one to the one on PATH.
    let sibling =
        env::current_exe().ok().map(|path| path.with_file_name(format!("{PROGRAM}{}", env::consts::EXE_SUFFIX)));
    let program = sibling.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(PROGRAM));
    match execute(Command::new(program).args(&args.arguments)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => bail!(
            "the program {PROGRAM} is not installed; in a clone, run `cargo install --path crates/{PROGRAM}`, or \
             `cargo run --release -p {PROGRAM} -- ...`"
        ),
        code => code.with_context(|| format!("cannot run {PROGRAM}")),
    }
}

/// Replaces this process, so that the program receives all signals; returns only if it cannot be started.
#[cfg(unix)]
fn execute(command: &mut Command) -> io::Result<ExitCode> {
    Err(std::os::unix::process::CommandExt::exec(command))
}

/// Waits for the program, which also receives Ctrl-C.
#[cfg(not(unix))]
fn execute(command: &mut Command) -> io::Result<ExitCode> {
    let _watched = crate::interrupt::Watched::begin();
    let code = command.status()?.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
