//! placeholder
use crate::args::DemoArgs;
use anyhow::Result;
use std::process::ExitCode;
pub(crate) fn run(_args: &DemoArgs) -> Result<ExitCode> {
    Ok(ExitCode::SUCCESS)
}
