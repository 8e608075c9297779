//! `rulesieve`: the command-line program. It parses arguments and prints results of the library.

mod args;
mod commands;
mod input;
mod learning;
mod model_file;
mod report;
mod sample;

use rulesieve::Remedy;
use rulesieve_cli::{interrupt, output, progress, remedy};
use std::error::Error;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli: args::Cli = match rulesieve_cli::parse() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    if cli.quiet {
        output::be_quiet();
    }
    use args::Command::{Check, Evaluate, Select, Train};
    let has_sample = matches!(cli.command, Select(_) | Train(_) | Evaluate(_) | Check(_));
    rulesieve_cli::run(if has_sample { |_| None } else { without_sample }, || commands::run(cli))
}

/// The remedies of commands without `--sample` and `--drop`.
fn without_sample(error: &(dyn Error + 'static)) -> Option<Remedy> {
    match remedy::of_cause(error) {
        Some(Remedy::LessData) => Some(Remedy::plain("use a table with fewer rows or columns")),
        _ => None,
    }
}
