//! What the command-line programs share: arguments, output, progress, interruption and remedies.

pub mod arguments;
pub mod interrupt;
pub mod output;
pub mod progress;
pub mod remedy;

use anyhow::Result;
use std::process::ExitCode;

/// Runs a command and returns the exit code of the program; errors are printed.
pub fn run(command: impl FnOnce() -> Result<ExitCode>) -> ExitCode {
    interrupt::install();
    match command() {
        Ok(code) => code,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(_) if interrupt::requested() => output::interrupted(),
        Err(error) => output::failed(&error),
    }
}
