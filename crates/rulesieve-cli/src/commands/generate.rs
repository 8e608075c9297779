//! `generate`: data whose answer is known.

use crate::args::GenerateArgs;
use crate::{input, output};
use anyhow::{Context, Result};
use rulesieve::generate::{self, Generator};
use serde_json::json;
use std::io::{self, BufWriter};
use std::process::ExitCode;

pub(crate) fn run(args: &GenerateArgs) -> Result<ExitCode> {
    let Some(name) = &args.name else {
        output::print(&list())?;
        return Ok(ExitCode::SUCCESS);
    };
    let generator = find(name)?;
    for path in args.output.iter().chain(&args.truth) {
        output::check_destination(path)?;
    }
    let made = generator.generate(args.samples, args.features, args.seed)?;
    match &args.output {
        Some(path) => output::write_file(path, |file| rulesieve_io::write_csv(&made.table, file))?,
        None => {
            rulesieve_io::write_csv(&made.table, &mut BufWriter::new(io::stdout().lock())).context(output::NO_OUTPUT)?
        }
    }
    let (rows, features) = (made.table.rows(), made.table.columns().len() - 1);
    if let Some(path) = &args.truth {
        let truth = json!({
            "schema": "rulesieve/truth/1",
            "name": generator.name,
            "samples": rows,
            "features": features,
            "seed": args.seed,
            "target": generator.target,
            "informative": made.informative,
            "redundant": made.redundant,
        });
        output::write_json(path, &truth)?;
    }
    output::note(&format!("{name}: {rows} rows, {features} features, target {}", generator.target));
    output::note(&format!("carry signal: {}", made.informative.join(", ")));
    if !made.redundant.is_empty() {
        output::note(&format!("repeat it: {}", made.redundant.join(", ")));
    }
    Ok(ExitCode::SUCCESS)
}

fn find(name: &str) -> Result<&'static Generator> {
    if let Some(generator) = generate::find(name) {
        return Ok(generator);
    }
    let known: Vec<&str> = generate::all().iter().map(|generator| generator.name).collect();
    Err(input::unknown("generator", name, &known))
}

fn list() -> String {
    let mut lines = vec![["name", "rows", "features", "what"].map(str::to_owned).to_vec()];
    for generator in generate::all() {
        lines.push(vec![
            generator.name.to_owned(),
            generator.default_samples.to_string(),
            generator.default_features.to_string(),
            generator.summary.to_owned(),
        ]);
    }
    let embedded = rulesieve_io::BUILTIN.iter().map(|(name, what)| format!("builtin:{name} is a real table: {what}\n"));
    format!(
        "{}\nAll of them, in that size and with seed 0, are INPUT of the other commands as builtin:NAME.\n{}",
        output::aligned(&lines, &[1, 2]),
        embedded.collect::<String>()
    )
}
