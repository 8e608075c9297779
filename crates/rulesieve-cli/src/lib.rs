//! Shared code of the command-line programs: arguments, output, progress, interruption and remedies.

pub mod arguments;
pub mod interrupt;
pub mod output;
pub mod progress;
pub mod remedy;

use anyhow::Result;
use std::process::ExitCode;

/// Runs a command, prints its error and returns the exit code.
pub fn run(command: impl FnOnce() -> Result<ExitCode>) -> ExitCode {
    interrupt::install();
    match command() {
        Ok(code) => code,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(_) if interrupt::requested() => output::interrupted(),
        Err(error) => output::failed(&error),
    }
}
