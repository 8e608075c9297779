//! `generate`: write a data set with known informative features, or the built-in real table.

use crate::args::GenerateArgs;
use crate::output::{Cell, Document, Head, Table};
use crate::{input, output};
use anyhow::{Result, bail};
use rulesieve::generate::{self, Generator};
use rulesieve_io::TableFormat;
use serde_json::{Value, json};
use std::process::ExitCode;

pub(crate) fn run(args: &GenerateArgs) -> Result<ExitCode> {
    let Some(name) = &args.name else {
        list().print(args.format.format(), &record())?;
        return Ok(ExitCode::SUCCESS);
    };
    for path in args.output.iter().chain(&args.truth) {
        output::check_destination(path)?;
    }
    let format = output::table_format(args.output.as_deref())?;
    if let Some((csv, target)) = rulesieve_io::builtin_csv(name) {
        return real(args, format, name, csv, target);
    }
    let generator = find(name)?;
    let generated = generator.generate(args.samples, args.features, args.seed)?;
    output::write_table(args.output.as_deref(), format, &generated.table)?;
    let (rows, features) = (generated.table.rows(), generated.table.columns().len() - 1);
    if let Some(path) = &args.truth {
        let truth = json!({
            "schema": "rulesieve/truth/1",
            "name": generator.name,
            "samples": rows,
            "features": features,
            "seed": args.seed,
            "target": generator.target,
            "informative": generated.informative,
            "redundant": generated.redundant,
        });
        output::write_json(path, &truth)?;
    }
    output::note(&format!("{name}: {rows} rows, {features} features, target {}", generator.target));
    output::note(&format!("informative: {}", generated.informative.join(", ")));
    if !generated.redundant.is_empty() {
        output::note(&format!("redundant: {}", generated.redundant.join(", ")));
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the built-in real table.
fn real(args: &GenerateArgs, format: TableFormat, name: &str, csv: &str, target: &str) -> Result<ExitCode> {
    if args.samples.is_some() || args.features.is_some() || args.truth.is_some() {
        bail!(
            "{name} is a real table of fixed size, and its informative features are unknown; leave --samples, --features and \
             --truth out"
        );
    }
    match &args.output {
        Some(path) if format != TableFormat::CSV => output::write_table(Some(path), format, &input::builtin(name)?)?,
        // Text that is copied keeps its digits.
        Some(path) => output::write_file(path, |file| file.write_all(csv.as_bytes()))?,
        None => output::print(csv)?,
    }
    output::note(&format!("{name}: a real table, target {target}"));
    Ok(ExitCode::SUCCESS)
}

fn find(name: &str) -> Result<&'static Generator> {
    if let Some(generator) = generate::find(name) {
        return Ok(generator);
    }
    Err(rulesieve_cli::arguments::unknown("data set", name, &input::builtin_names().collect::<Vec<_>>()))
}

fn list() -> Document {
    let mut table =
        Table::new([Head::left("name"), Head::right("rows"), Head::right("features"), Head::left("description")]);
    for generator in generate::all() {
        let sizes = [generator.default_samples, generator.default_features].map(Cell::from);
        table.push([generator.name.into()].into_iter().chain(sizes).chain([generator.summary.into()]));
    }
    let real = rulesieve_io::BUILTIN.iter().map(|(name, about)| format!("{name}, a real table: {about}\n"));
    let mut document = Document::new();
    document.table(table);
    document.text(format!(
        "\n{}Other commands read these data sets, in this size with seed 0, from builtin:NAME.\n",
        real.collect::<String>()
    ));
    document
}

fn record() -> Value {
    let generator = |one: &Generator| json!({"name": one.name, "rows": one.default_samples, "features": one.default_features, "description": one.summary});
    let real = rulesieve_io::BUILTIN.iter().map(|(name, about)| json!({"name": name, "description": about}));
    let generators: Vec<Value> = generate::all().iter().map(generator).collect();
    json!({"schema": "rulesieve/datasets/1", "generators": generators, "tables": real.collect::<Vec<_>>()})
}
