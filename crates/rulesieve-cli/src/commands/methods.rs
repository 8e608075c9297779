//! `methods`: list the methods and their parameters.

use crate::args::MethodsArgs;
use crate::output::{self, Cell, Document, Format, Head, Table};
use anyhow::Result;
use rulesieve::methods::settings::ParamSpec;
use rulesieve::methods::{Method, MethodInfo};
use rulesieve::model::RuleParams;
use serde_json::{Value, json};
use std::process::ExitCode;

pub(crate) fn run(args: &MethodsArgs) -> Result<ExitCode> {
    let format = args.format.format();
    let mut document = Document::new();
    if args.rule_params {
        let specs = RuleParams::specs();
        document.text("Parameters of `rulesieve train --rule-param`\n\n");
        document.table(params_table(specs));
        let record = json!({"schema": "rulesieve/methods/1", "rule_params": params_json(specs)});
        document.print(format, &record)?;
        return Ok(ExitCode::SUCCESS);
    }
    let chosen: Vec<Method> = match &args.name {
        Some(name) => vec![rulesieve_cli::arguments::method(name)?],
        None => Method::ALL.to_vec(),
    };
    if args.name.is_some() && format == Format::Csv {
        // Also without parameters, there is a header.
        chosen.iter().for_each(|method| document.table(params_table(method.info().params)));
    } else if args.name.is_some() {
        chosen.iter().for_each(|method| describe(*method, &mut document));
    } else if format == Format::Text {
        document.text(list(&chosen));
    } else {
        document.table(table(&chosen));
    }
    let methods: Vec<Value> = chosen.iter().map(|method| describe_json(*method)).collect();
    document.print(format, &json!({"schema": "rulesieve/methods/1", "methods": methods}))?;
    Ok(ExitCode::SUCCESS)
}

fn list(methods: &[Method]) -> String {
    let mut text = String::new();
    for info in methods.iter().map(|method| method.info()) {
        text += &format!(
            "{}  [{}]\n    {}\n    tasks: {}\n    source: {}\n    cost: {}\n    parameters: {}\n\n",
            name_and_title(info),
            info.certainty.name(),
            info.summary,
            tasks(info).join(", "),
            info.source,
            info.cost,
            parameters(info)
        );
    }
    text + "`rulesieve methods NAME` describes the parameters.\n"
}

/// The learning tasks that a method supports.
fn tasks(info: &MethodInfo) -> &'static [&'static str] {
    if info.regression { &["classification", "regression"] } else { &["classification"] }
}

fn parameters(info: &MethodInfo) -> String {
    let names: Vec<&str> = info.params.iter().map(|spec| spec.name).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn table(methods: &[Method]) -> Table {
    let mut table =
        Table::new(["name", "title", "certainty", "summary", "tasks", "source", "cost", "parameters"].map(Head::left));
    for info in methods.iter().map(|method| method.info()) {
        let first = [info.name, info.title, info.certainty.name(), info.summary].map(Cell::from);
        let rest = [tasks(info).join(", "), info.source.to_owned(), info.cost.to_owned(), parameters(info)];
        table.push(first.into_iter().chain(rest.map(Cell::from)));
    }
    table
}

/// Returns the name, with the title if it differs.
fn name_and_title(info: &MethodInfo) -> String {
    if info.title == info.name { info.name.to_owned() } else { format!("{} ({})", info.name, info.title) }
}

fn describe(method: Method, document: &mut Document) {
    let info = method.info();
    let tasks = tasks(info).join(", ");
    let certainty = ("certainty", info.certainty.describe());
    let about = [("tasks", tasks.as_str()), ("source", info.source), certainty, ("cost", info.cost)];
    let about = output::aligned(&about.map(|(name, value)| vec![name.to_owned(), value.to_owned()]), &[]);
    document.text(format!("{}: {}\n\n{about}\n", name_and_title(info), info.summary));
    if info.params.is_empty() {
        document.text("It has no parameters.\n");
    } else {
        document.table(params_table(info.params));
        document.text(format!("\n{}", grid(info)));
    }
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

fn params_table(specs: &[&ParamSpec]) -> Table {
    let mut table = Table::new(["parameter", "default", "allowed", "purpose"].map(Head::left));
    for spec in specs {
        table.push([
            spec.name.into(),
            spec.default.to_string().into(),
            spec.range.to_string().into(),
            spec.purpose.into(),
        ]);
    }
    table
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
        "tasks": tasks(info),
        "params": params,
        "grid": info.grid.iter().map(|(name, values)| ((*name).to_owned(), json!(values))).collect::<serde_json::Map<_, _>>(),
    })
}

fn params_json(specs: &[&ParamSpec]) -> Vec<Value> {
    let one = |spec: &&ParamSpec| json!({"name": spec.name, "default": spec.default, "allowed": spec.range.to_string(), "purpose": spec.purpose});
    specs.iter().map(one).collect()
}
