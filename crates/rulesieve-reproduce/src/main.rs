//! `rulesieve-reproduce`: reproduces the experiments of the paper. `rulesieve reproduce` runs it.

mod command;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = command::Args::parse();
    rulesieve_cli::run(|| command::run(&args))
}
