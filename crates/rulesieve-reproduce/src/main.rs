//! `rulesieve-reproduce`: reproduces the experiments of the paper. `rulesieve reproduce` runs it.

mod command;

use rulesieve_reproduce::ReproduceError;
use std::process::ExitCode;

fn main() -> ExitCode {
    match rulesieve_cli::parse() {
        Ok(args) => {
            rulesieve_cli::run(|cause| cause.downcast_ref::<ReproduceError>()?.remedy(), || command::run(&args))
        }
        Err(code) => code,
    }
}
