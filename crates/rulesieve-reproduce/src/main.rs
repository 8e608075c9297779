//! `rulesieve-reproduce`: reproduces the experiments of the paper. `rulesieve reproduce` runs it.

mod command;

use std::process::ExitCode;

fn main() -> ExitCode {
    match rulesieve_cli::parse() {
        Ok(args) => rulesieve_cli::run(|| command::run(&args)),
        Err(code) => code,
    }
}
