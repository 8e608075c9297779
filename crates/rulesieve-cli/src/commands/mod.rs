//! The commands, one module each.

mod apply;
mod check;
mod compare;
mod completions;
mod demo;
mod evaluate;
mod explain;
mod generate;
mod methods;
mod predict;
mod records;
mod reproduce;
mod select;
mod train;

use crate::args::{Cli, Command};
use anyhow::Result;
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn run(cli: Cli) -> Result<ExitCode> {
    match cli.command {
        Command::Select(args) => select::run(&args),
        Command::Apply(args) => apply::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Predict(args) => predict::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Evaluate(args) => evaluate::run(&args),
        Command::Records(args) => records::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Methods(args) => methods::run(&args),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Completions(args) => completions::completions(&args),
        Command::Man(args) => completions::man(&args),
    }
}
