//! `rulesieve`: the command-line program. It parses arguments and prints results of the library.

mod args;
mod commands;
mod input;
mod learning;
mod model_file;
mod report;
mod sample;

use rulesieve_cli::{interrupt, output, progress, remedy};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli: args::Cli = match rulesieve_cli::parse() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    if cli.quiet {
        output::be_quiet();
    }
    rulesieve_cli::run(|_| None, || commands::run(cli))
}
