//! `evaluate`: methods judged by rows they have not seen.

use super::select;
use crate::args::{EvaluateArgs, KernelArg, Missing};
use crate::progress::Watcher;
use crate::{input, interrupt, output};
use anyhow::{Context, Result, bail};
use rulesieve::data::table::is_missing;
use rulesieve::data::{Column, Dataset};
use rulesieve::select::Size;
use rulesieve_eval::evaluate::{
    Contender, EvaluateError, EvaluateOptions, EvaluationRecord, KernelKind, MethodRecord, Spread, evaluate,
};
use rulesieve_eval::splits::Plan;
use rulesieve_eval::svm::Gamma;
use std::collections::BTreeMap;
use std::process::ExitCode;

pub(crate) fn run(args: &EvaluateArgs) -> Result<ExitCode> {
    let contenders = contenders(args)?;
    let gamma = gamma(&args.gamma)?;
    if args.kernel == KernelArg::Linear && gamma != Gamma::Scale {
        bail!("--gamma means nothing to the linear kernel; leave one of them out");
    }
    let mut costs = args.costs.clone();
    costs.dedup();
    if let Some(path) = &args.output {
        output::check_destination(path)?;
        output::check_not_input(path, &args.input.input)?;
    }
    let threads = select::threads(args.threads)?;
    let named = || output::shown(&args.input.input);
    let (data, groups) = data(args)?;
    let options = EvaluateOptions {
        contenders,
        size: args.top.map(Size::Top).or(args.fraction.map(Size::Fraction)),
        coding: input::coding(args.categorical_coding),
        plan: match groups {
            Some(groups) => Plan::Groups { folds: args.folds, groups },
            None if args.leave_one_out => Plan::LeaveOneOut,
            None => Plan::Folds { folds: args.folds, repeats: args.repeats },
        },
        inner: args.inner,
        kernel: if args.kernel == KernelArg::Linear { KernelKind::Linear } else { KernelKind::Rbf },
        gamma,
        costs,
        permute: args.permute_labels,
        seed: args.seed,
    };
    let mut watcher = Watcher::new("evaluate", None);
    let mut found = match threads.install(|| evaluate(&data, &options, &mut watcher)) {
        Err(EvaluateError::Halted(_)) if interrupt::requested() => return Ok(output::interrupted()),
        found => found.with_context(named)?,
    };
    drop(watcher);
    if args.data.missing == Missing::DropRows {
        found.notices.push("rows are counted without those that were left out as incomplete".to_owned());
    }
    if let Some(path) = &args.output {
        output::write_json(path, &found)?;
    }
    if args.json {
        output::print_json(&found)?;
    } else {
        output::print(&text(&found, &args.input.input))?;
        output::notices(&found.notices);
        args.output.iter().for_each(|path| output::note(&format!("record written to {}", path.display())));
    }
    Ok(ExitCode::SUCCESS)
}

/// The methods, each with its share of `--set METHOD:NAME=VALUE`.
fn contenders(args: &EvaluateArgs) -> Result<Vec<Contender>> {
    let mut sets: BTreeMap<&str, Vec<(String, String)>> = BTreeMap::new();
    for text in &args.set {
        let Some((method, rest)) = text.split_once(':') else {
            bail!("--set takes METHOD:NAME=VALUE here, not '{text}'; for example --set ldr-tsk:alpha=10");
        };
        if !args.methods.iter().any(|name| name == method) {
            bail!("--set {text}: {method} is not among the methods {}", args.methods.join(", "));
        }
        sets.entry(method).or_default().push(input::assignment("--set", rest)?);
    }
    let contender = |name: &String| {
        let method = select::method(name)?;
        let set = sets.get(name.as_str()).cloned().unwrap_or_default();
        Ok(Contender { method, settings: method.settings(&set)? })
    };
    args.methods.iter().map(contender).collect()
}

fn gamma(text: &str) -> Result<Gamma> {
    Ok(match text {
        "scale" => Gamma::Scale,
        "auto" => Gamma::Auto,
        number => match number.parse::<f64>() {
            Ok(number) if (1e-12..=1e12).contains(&number) => Gamma::Number(number),
            _ => bail!("--gamma {text} is not allowed; it must be scale, auto, or a number from 1e-12 to 1e12"),
        },
    })
}

/// The data set, and the group of every row where rows are grouped.
fn data(args: &EvaluateArgs) -> Result<(Dataset, Option<Vec<u32>>)> {
    let table = input::table(&args.input)?;
    let Some(column) = &args.groups else { return Ok((input::dataset(table, &args.input.input, &args.data)?, None)) };
    if args.data.missing == Missing::DropRows {
        bail!("--groups cannot be combined with --missing drop-rows; fill missing values in with --missing median");
    }
    let named = || output::shown(&args.input.input);
    let at = table.target_position(Some(column)).with_context(|| format!("{}, --groups", named()))?;
    let groups = groups(&table.columns()[at]).with_context(named)?;
    let mut wishes = args.data.clone();
    wishes.drop.push(table.columns()[at].name.clone());
    Ok((input::dataset(table, &args.input.input, &wishes)?, Some(groups)))
}

/// A number for the group of every row.
fn groups(column: &Column) -> Result<Vec<u32>> {
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    let group = |row: usize| {
        let (cell, next) = (column.cell(row), numbers.len() as u32);
        if is_missing(cell.trim()) {
            let name = output::shown(&column.name);
            bail!("--groups: column '{name}' is missing in data row {}; every row must belong to a group", row + 1);
        }
        Ok(*numbers.entry(cell).or_insert(next))
    };
    (0..column.len()).map(group).collect()
}

fn text(found: &EvaluationRecord, input: &str) -> String {
    let judge = &found.classifier;
    let costs: Vec<String> = judge.c.iter().map(ToString::to_string).collect();
    let shuffled = if found.permuted_labels { ", labels shuffled" } else { "" };
    let mut text = format!(
        "{}: {} rows, {} features, {} classes of {}{shuffled}\nprotocol {}: {}{}, {} SVM, C of {}\n\n",
        output::shown(input),
        found.samples,
        found.features,
        found.class_names.len(),
        output::shown(&found.target),
        found.protocol,
        found.splits,
        found.inner_folds.map_or(String::new(), |folds| format!(", {folds} inside")),
        judge.kernel,
        costs.join(", ")
    );
    let head = ["method", "accuracy", "macro-F1", "features", "stability (95 %)", "seconds", "p against the first"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    lines.extend(found.methods.iter().map(line));
    let base = &found.baselines;
    lines.push(line(&base.all_features));
    lines.push(line(&base.random_features));
    lines.push(vec!["most frequent class".to_owned(), percent(base.majority), percent(base.majority_macro_f1)]);
    text += &output::aligned(&lines, &[1, 2, 3, 4, 5, 6]);
    text
}

fn line(method: &MethodRecord) -> Vec<String> {
    let stability = method.stability.map(|found| format!("{:.2} ({:.2} to {:.2})", found.value, found.low, found.high));
    let against = method.first_against_this.as_ref().map(|test| test.p.map_or("-".to_owned(), |p| format!("{p:.3}")));
    vec![
        method.method.clone(),
        percent(method.accuracy),
        percent(method.macro_f1),
        format!("{:.1} +- {:.1}", method.features.mean, method.features.std.unwrap_or(0.0)),
        stability.unwrap_or_default(),
        format!("{:.1}", method.seconds),
        against.unwrap_or_default(),
    ]
}

fn percent(spread: Spread) -> String {
    match spread.std {
        Some(std) => format!("{:.2} +- {:.2} %", 100.0 * spread.mean, 100.0 * std),
        None => format!("{:.2} %", 100.0 * spread.mean),
    }
}
