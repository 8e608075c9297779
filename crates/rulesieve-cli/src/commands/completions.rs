//! `completions` and `man`: files for shells and for `man`, generated from the definition of the options.

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::output;
use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_mangen::Man;
use std::path::Path;
use std::process::ExitCode;

/// Prints the completions of a shell.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "rulesieve", &mut text);
    output::print(&String::from_utf8(text)?)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a man page for the program and for each command.
pub(crate) fn man(args: &ManArgs) -> Result<ExitCode> {
    let folder = &args.output;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let mut program = Cli::command();
    program.build();
    page(program.clone(), folder)?;
    let commands: Vec<clap::Command> =
        program.get_subcommands().filter(|one| one.get_name() != "help").cloned().collect();
    let pages = commands.len() + 1;
    commands.into_iter().try_for_each(|command| page(command, folder))?;
    output::note(&format!("{pages} man pages written to {}", folder.display()));
    Ok(ExitCode::SUCCESS)
}

fn page(command: clap::Command, folder: &Path) -> Result<()> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    let mut text = Vec::new();
    Man::new(command).title(name.clone()).render(&mut text)?;
    output::write_file(&folder.join(format!("{name}.1")), |file| file.write_all(&text))
}
