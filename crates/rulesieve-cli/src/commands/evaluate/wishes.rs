//! From what was typed to what is asked of an evaluation.

use super::select;
use crate::args::{EvaluateArgs, JudgeArg, KernelArg, ProtocolArg};
use crate::input;
use anyhow::{Result, bail};
use rulesieve::select::Size;
use rulesieve_eval::evaluate::grid::{self, Axis};
use rulesieve_eval::evaluate::{Contender, EvaluateOptions, Judge, KernelKind, Protocol, usual};
use rulesieve_eval::splits::Plan;
use rulesieve_eval::svm::Gamma;

pub(super) fn options(
    args: &EvaluateArgs,
    contenders: Vec<Contender>,
    groups: Option<Vec<u32>>,
    numbers: bool,
) -> Result<EvaluateOptions> {
    let options = EvaluateOptions {
        protocol: protocol(args),
        contenders,
        size: args.top.map(Size::Top).or(args.fraction.map(Size::Fraction)).or(args.size.map(|_| Size::Native)),
        coding: input::coding(args.categorical_coding),
        plan: match groups {
            Some(groups) => Plan::Groups { folds: args.folds, groups },
            None if args.leave_one_out => Plan::LeaveOneOut,
            None => Plan::Folds { folds: args.folds, repeats: args.repeats },
        },
        inner: args.inner.unwrap_or(usual::INNER),
        judge: judge(args, numbers)?,
        curve: args.curve,
        halves: args.subsample.unwrap_or(0),
        permute: args.permute_labels,
        baselines: true,
        seed: args.seed,
    };
    if args.subsample == Some(0) {
        bail!("--subsample 0 is not allowed; there must be at least 2 halves");
    }
    if args.inner.is_some() && options.inner_folds().is_none() {
        bail!(
            "--inner means nothing here: size, settings and the judge's parameter are given, nothing is left to choose inside"
        );
    }
    Ok(options)
}

fn protocol(args: &EvaluateArgs) -> Protocol {
    match args.protocol {
        ProtocolArg::Nested => Protocol::Nested,
        ProtocolArg::Paper => Protocol::Paper,
        ProtocolArg::PaperPerFold => Protocol::PaperPerFold,
    }
}

/// The methods, each with its share of `--set METHOD:NAME=VALUE` and `--grid METHOD:NAME=VALUE,...`.
pub(super) fn contenders(args: &EvaluateArgs) -> Result<Vec<Contender>> {
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
    let most = args.points.or(usual::points(protocol(args)));
    let contender = |name: &String| {
        let method = select::method(name)?;
        let set: Vec<_> = sets.iter().filter(|(own, _)| own == name).map(|(_, set)| set.clone()).collect();
        let axes: Vec<_> = grids.iter().filter(|(own, _)| own == name).map(|(_, axis)| axis.clone()).collect();
        Ok(Contender { method, points: grid::points(method, &set, &axes, most, args.seed)? })
    };
    args.methods.iter().map(contender).collect()
}

/// `METHOD:REST`, the method one of those that are judged.
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

fn judge(args: &EvaluateArgs, numbers: bool) -> Result<Judge> {
    let judge = args.judge.unwrap_or(if numbers { JudgeArg::Knn } else { JudgeArg::Svm });
    let foreign = [
        ("--kernel", args.kernel.is_some(), JudgeArg::Svm),
        ("--gamma", args.gamma.is_some(), JudgeArg::Svm),
        ("--costs", args.costs.is_some(), JudgeArg::Svm),
        ("--neighbours", args.neighbours.is_some(), JudgeArg::Knn),
    ];
    if let Some((flag, ..)) = foreign.iter().find(|(_, given, own)| *given && *own != judge) {
        bail!("{flag} means nothing to the judge {judge:?}; leave one of them out");
    }
    Ok(match judge {
        JudgeArg::Svm => {
            let kernel = args.kernel.unwrap_or(KernelArg::Rbf);
            if kernel == KernelArg::Linear && args.gamma.is_some() {
                bail!("--gamma means nothing to the linear kernel; leave one of them out");
            }
            Judge::Svm {
                kernel: if kernel == KernelArg::Linear { KernelKind::Linear } else { KernelKind::Rbf },
                gamma: gamma(args.gamma.as_deref().unwrap_or("scale"))?,
                costs: args.costs.clone().unwrap_or_else(|| usual::costs(protocol(args))),
            }
        }
        JudgeArg::Knn => {
            Judge::Knn { neighbours: args.neighbours.clone().unwrap_or_else(|| usual::neighbours(protocol(args))) }
        }
        JudgeArg::Tsk => Judge::Tsk,
        JudgeArg::Htsk => Judge::Htsk,
    })
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
