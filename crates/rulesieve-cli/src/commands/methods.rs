//! `methods`: what there is to choose from, and what can be set.

use crate::args::MethodsArgs;
use crate::output;
use anyhow::Result;
use rulesieve::methods::inductive::refit;
use rulesieve::methods::settings::ParamSpec;
use rulesieve::methods::{self, Method};
use serde_json::{Value, json};
use std::process::ExitCode;

/// Not a method that selects, but it has parameters that one may ask for.
const REFIT: &str = "refit";

pub(crate) fn run(args: &MethodsArgs) -> Result<ExitCode> {
    if args.name.as_deref() == Some(REFIT) {
        if args.json {
            let params = params_json(&refit::SPECS);
            output::print_json(&json!({"schema": "rulesieve/methods/1", "name": REFIT, "params": params}))?;
        } else {
            let about = "refit: the rules that `rulesieve train` fits to the selected columns; set with --refit\n\n";
            output::print(&format!("{about}{}", params_table(&refit::SPECS)))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let chosen: Vec<&'static dyn Method> = match &args.name {
        Some(name) => vec![super::select::method(name)?],
        None => methods::all().to_vec(),
    };
    if args.json {
        let methods: Vec<Value> = chosen.iter().map(|method| describe_json(*method)).collect();
        output::print_json(&json!({"schema": "rulesieve/methods/1", "methods": methods}))?;
    } else if args.name.is_some() {
        output::print(&chosen.iter().map(|method| describe(*method)).collect::<String>())?;
    } else {
        output::print(&list(&chosen))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn list(methods: &[&dyn Method]) -> String {
    let mut lines = vec![["method", "certainty", "what it does"].map(str::to_owned).to_vec()];
    lines.extend(methods.iter().map(|method| {
        let info = method.info();
        vec![info.name.to_owned(), info.certainty.name().to_owned(), info.summary.to_owned()]
    }));
    output::aligned(&lines, &[]) + "\n`rulesieve methods NAME` shows source, cost and parameters.\n"
}

fn describe(method: &dyn Method) -> String {
    let info = method.info();
    let about = [("source", info.source), ("certainty", info.certainty.describe()), ("cost", info.cost)];
    let title = if info.title == info.name { String::new() } else { format!(" ({})", info.title) };
    let mut text = format!("{}{title}: {}\n\n", info.name, info.summary);
    text += &output::aligned(&about.map(|(name, value)| vec![name.to_owned(), value.to_owned()]), &[]);
    if info.params.is_empty() {
        return text + "\nIt has no parameters.\n";
    }
    text + "\n" + &params_table(info.params)
}

fn params_table(specs: &[&ParamSpec]) -> String {
    let mut lines = vec![["parameter", "default", "allowed", "purpose"].map(str::to_owned).to_vec()];
    for spec in specs {
        lines.push(vec![
            spec.name.to_owned(),
            spec.default.to_string(),
            spec.range.to_string(),
            spec.purpose.to_owned(),
        ]);
    }
    output::aligned(&lines, &[])
}

fn describe_json(method: &dyn Method) -> Value {
    let info = method.info();
    let params = params_json(info.params);
    json!({
        "name": info.name,
        "title": info.title,
        "summary": info.summary,
        "source": info.source,
        "certainty": info.certainty.describe(),
        "cost": info.cost,
        "params": params,
    })
}

fn params_json(specs: &[&ParamSpec]) -> Vec<Value> {
    let one = |spec: &&ParamSpec| json!({"name": spec.name, "default": spec.default, "allowed": spec.range.to_string(), "purpose": spec.purpose});
    specs.iter().map(one).collect()
}
