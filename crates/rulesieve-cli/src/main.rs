//! `rulesieve`: the command line. Words in, words out; the mathematics lives in the library.

mod args;
mod commands;
mod input;
mod interrupt;
mod learning;
mod model_file;
mod output;
mod progress;
mod report;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    interrupt::install();
    match commands::run(cli) {
        Ok(code) => code,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(_) if interrupt::requested() => output::interrupted(),
        Err(error) => output::failed(&error),
    }
}
