//! Evaluation options from arguments.

use crate::args::{EstimatorRows, EvaluateArgs};
use crate::input;
use anyhow::{Error, Result, bail};
use rulesieve::data::{Dataset, Task};
use rulesieve::methods::Method;
use rulesieve_cli::arguments;
use rulesieve_eval::evaluate::grid::{self, Axis};
use rulesieve_eval::evaluate::{Candidate, EstimatorOptions, EvaluateError, EvaluateOptions, PlanOptions, defaults};

pub(super) fn options(args: &EvaluateArgs, split: PlanOptions, data: &Dataset) -> Result<EvaluateOptions> {
    let (task, rows) = (data.target.task(), data.samples());
    let size = args.size.size();
    let estimator = EstimatorOptions {
        kind: args.estimator,
        kernel: args.kernel,
        gamma: args.gamma,
        costs: args.costs.clone(),
        class_order: args.class_order,
        neighbours: args.neighbours.clone(),
    };
    let options = EvaluateOptions {
        protocol: args.protocol,
        candidates: candidates(args, task)?,
        size,
        plan: split.plan(args.protocol, args.thorough, rows),
        inner: args.inner.unwrap_or(defaults::INNER),
        estimator: estimator.estimator(args.protocol, task == Task::Regression).map_err(with_option)?,
        estimator_rows: match args.estimator_rows {
            None => defaults::estimator_rows(args.protocol, args.thorough, rows),
            Some(EstimatorRows::All) => None,
            Some(EstimatorRows::AtMost(rows)) => Some(rows),
        },
        curve: args.curve || (args.thorough && defaults::allows_curve(args.protocol, size)),
        subsamples: args.subsample.unwrap_or(0),
        permute: args.permute_labels,
        baselines: true,
        seed: args.seed,
    };
    if args.subsample == Some(0) {
        bail!("--subsample 0 is not allowed; use at least 2");
    }
    if args.inner.is_some() {
        options.check_inner().map_err(with_option)?;
    }
    Ok(options)
}

/// Adds the name of the option that an error refers to.
fn with_option(error: EvaluateError) -> Error {
    match error {
        EvaluateError::NotApplicable { option, .. } => Error::new(error).context(format!("--{option}")),
        EvaluateError::NothingToChoose => Error::new(error).context("--inner"),
        error => error.into(),
    }
}

/// Returns the methods with the settings of `--set METHOD:NAME=VALUE` and `--grid METHOD:NAME=VALUE,...`.
fn candidates(args: &EvaluateArgs, task: Task) -> Result<Vec<Candidate>> {
    let methods = match args.methods.as_slice() {
        [] => defaults::methods(task, args.thorough),
        names => names.iter().map(|name| arguments::method(name)).collect::<Result<_>>()?,
    };
    let mut sets = Vec::new();
    for text in &args.set {
        let (method, rest) = of_method(&methods, "--set", text, "NAME=VALUE", "--set ldr-tsk:alpha=10")?;
        sets.push((method, input::assignment("--set", rest)?));
    }
    let mut grids: Vec<(&str, Axis)> = Vec::new();
    for text in &args.grid {
        let (method, rest) = of_method(&methods, "--grid", text, "NAME=VALUE,VALUE,...", "--grid ldr-tsk:alpha=1,10")?;
        let (name, values) = input::assignment("--grid", rest)?;
        grids.push((method, (name, values.split(',').map(|value| value.trim().to_owned()).collect())));
    }
    let limit = args.points.or(defaults::points(args.protocol));
    let candidate = |&method: &Method| {
        let name = method.name();
        let set: Vec<_> = sets.iter().filter(|(own, _)| *own == name).map(|(_, set)| set.clone()).collect();
        let axes: Vec<_> = grids.iter().filter(|(own, _)| *own == name).map(|(_, axis)| axis.clone()).collect();
        Ok(Candidate { method, points: grid::points(method, &set, &axes, limit, args.seed)? })
    };
    methods.iter().map(candidate).collect()
}

/// Splits `METHOD:REST`, where the method is one of `--methods`.
fn of_method<'a>(
    methods: &[Method],
    flag: &str,
    text: &'a str,
    form: &str,
    example: &str,
) -> Result<(&'a str, &'a str)> {
    let Some((method, rest)) = text.split_once(':') else {
        bail!("{flag} takes METHOD:{form} here, not '{text}'; for example {example}");
    };
    let names: Vec<&str> = methods.iter().map(|one| one.name()).collect();
    if !names.contains(&method) {
        bail!("{flag} {text}: {method} is not among the methods {}", names.join(", "));
    }
    Ok((method, rest))
}
