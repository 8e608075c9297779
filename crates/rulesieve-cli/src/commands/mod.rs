//! One file a command.

mod apply;
mod check;
mod demo;
mod generate;
mod methods;
mod select;

use crate::args::{Cli, Command};
use anyhow::Result;
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn run(cli: Cli) -> Result<ExitCode> {
    match cli.command {
        Command::Select(args) => select::run(&args),
        Command::Apply(args) => apply::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Methods(args) => methods::run(&args),
        Command::Demo(args) => demo::run(&args),
    }
}
