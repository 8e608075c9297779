//! `methods`: list the methods and their parameters.

use crate::args::MethodsArgs;
use crate::output;
use anyhow::Result;
use rulesieve::methods::settings::ParamSpec;
use rulesieve::methods::{Method, MethodInfo};
use rulesieve::model::RuleParams;
use serde_json::{Value, json};
use std::process::ExitCode;

pub(crate) fn run(args: &MethodsArgs) -> Result<ExitCode> {
    if args.rule_params {
        let specs = RuleParams::specs();
        if args.json {
            output::print_json(&json!({"schema": "rulesieve/methods/1", "rule_params": params_json(specs)}))?;
        } else {
            output::print(&format!("Parameters of `rulesieve train --rule-param`\n\n{}", params_table(specs)))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let chosen: Vec<Method> = match &args.name {
        Some(name) => vec![rulesieve_cli::arguments::method(name)?],
        None => Method::ALL.to_vec(),
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

fn list(methods: &[Method]) -> String {
    let mut text = String::new();
    for info in methods.iter().map(|method| method.info()) {
        let names: Vec<&str> = info.params.iter().map(|spec| spec.name).collect();
        let parameters = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        text += &format!(
            "{}  [{}]\n    {}\n    source: {}\n    cost: {}\n    parameters: {parameters}\n\n",
            name_and_title(info),
            info.certainty.name(),
            info.summary,
            info.source,
            info.cost
        );
    }
    text + "`rulesieve methods NAME` describes the parameters.\n"
}

/// Returns the name, with the title if it differs.
fn name_and_title(info: &MethodInfo) -> String {
    if info.title == info.name { info.name.to_owned() } else { format!("{} ({})", info.name, info.title) }
}

fn describe(method: Method) -> String {
    let info = method.info();
    let about = [("source", info.source), ("certainty", info.certainty.describe()), ("cost", info.cost)];
    let mut text = format!("{}: {}\n\n", name_and_title(info), info.summary);
    text += &output::aligned(&about.map(|(name, value)| vec![name.to_owned(), value.to_owned()]), &[]);
    if info.params.is_empty() {
        return text + "\nIt has no parameters.\n";
    }
    text + "\n" + &params_table(info.params) + "\n" + &grid(info)
}

/// Describes the hyperparameter grid.
fn grid(info: &MethodInfo) -> String {
    let values = |(name, values): &(&str, &[f64])| {
        format!("{name} {}", values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
    };
    match info.grid {
        [] => "It has no grid: evaluate uses its defaults or --set, reproduce its defaults.\n".to_owned(),
        axes => {
            let axes: Vec<String> = axes.iter().map(values).collect();
            format!("Grid of evaluate and reproduce: {}.\n", axes.join("; "))
        }
    }
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

fn describe_json(method: Method) -> Value {
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
        "grid": info.grid.iter().map(|(name, values)| ((*name).to_owned(), json!(values))).collect::<serde_json::Map<_, _>>(),
    })
}

fn params_json(specs: &[&ParamSpec]) -> Vec<Value> {
    let one = |spec: &&ParamSpec| json!({"name": spec.name, "default": spec.default, "allowed": spec.range.to_string(), "purpose": spec.purpose});
    specs.iter().map(one).collect()
}
