//! Evaluation options from arguments.

use crate::args::EvaluateArgs;
use crate::input;
use anyhow::{Error, Result, bail};
use rulesieve_cli::arguments;
use rulesieve_eval::evaluate::grid::{self, Axis};
use rulesieve_eval::evaluate::{Candidate, EstimatorOptions, EvaluateError, EvaluateOptions, defaults};
use rulesieve_eval::splits::Plan;

pub(super) fn options(
    args: &EvaluateArgs,
    candidates: Vec<Candidate>,
    groups: Option<Vec<u32>>,
    regression: bool,
) -> Result<EvaluateOptions> {
    let estimator = EstimatorOptions {
        kind: args.estimator,
        kernel: args.kernel,
        gamma: args.gamma,
        costs: args.costs.clone(),
        neighbours: args.neighbours.clone(),
    };
    let options = EvaluateOptions {
        protocol: args.protocol,
        candidates,
        size: args.size.size(),
        plan: match groups {
            Some(groups) => Plan::Groups { folds: args.folds, groups },
            None if args.leave_one_out => Plan::LeaveOneOut,
            None => Plan::Folds { folds: args.folds, repeats: args.repeats },
        },
        inner: args.inner.unwrap_or(defaults::INNER),
        estimator: estimator.estimator(args.protocol, regression).map_err(with_option)?,
        curve: args.curve,
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
pub(super) fn candidates(args: &EvaluateArgs) -> Result<Vec<Candidate>> {
    let mut sets = Vec::new();
    for text in &args.set {
        let (method, rest) = of_method(args, "--set", text, "NAME=VALUE", "--set ldr-tsk:alpha=10")?;
        sets.push((method, input::assignment("--set", rest)?));
    }
    let mut grids: Vec<(&str, Axis)> = Vec::new();
    for text in &args.grid {
        let (method, rest) = of_method(args, "--grid", text, "NAME=VALUE,VALUE,...", "--grid ldr-tsk:alpha=1,10")?;
        let (name, values) = input::assignment("--grid", rest)?;
        grids.push((method, (name, values.split(',').map(|value| value.trim().to_owned()).collect())));
    }
    let limit = args.points.or(defaults::points(args.protocol));
    let candidate = |name: &String| {
        let method = arguments::method(name)?;
        let set: Vec<_> = sets.iter().filter(|(own, _)| own == name).map(|(_, set)| set.clone()).collect();
        let axes: Vec<_> = grids.iter().filter(|(own, _)| own == name).map(|(_, axis)| axis.clone()).collect();
        Ok(Candidate { method, points: grid::points(method, &set, &axes, limit, args.seed)? })
    };
    args.methods.iter().map(candidate).collect()
}

/// Splits `METHOD:REST`, where the method is one of `--methods`.
fn of_method<'a>(
    args: &EvaluateArgs,
    flag: &str,
    text: &'a str,
    form: &str,
    example: &str,
) -> Result<(&'a str, &'a str)> {
    let Some((method, rest)) = text.split_once(':') else {
        bail!("{flag} takes METHOD:{form} here, not '{text}'; for example {example}");
    };
    if !args.methods.iter().any(|name| name == method) {
        bail!("{flag} {text}: {method} is not among the methods {}", args.methods.join(", "));
    }
    Ok((method, rest))
}
