//! `explain`: the rules of a model in words, or why a row got its answer.

mod recovered;

use crate::args::{ExplainArgs, InputArgs};
use crate::{input, model_file, output};
use anyhow::{Context, Result, bail};
use rulesieve::data::{Task, Term};
use rulesieve::methods;
use rulesieve::model::{Condition, Explanation, Model, Predictor, RowExplanation, RuleSentence};
use serde_json::json;
use std::ops::ControlFlow;
use std::process::ExitCode;

/// Rules that are shown for a row without `--top`.
const FIRED: usize = 5;
/// A rule that fires less than this had no say.
const LEAST_FIRING: f64 = 0.001;
/// Classes whose effect is told in a sentence.
const EFFECTS: usize = 4;

pub(crate) fn run(args: &ExplainArgs) -> Result<ExitCode> {
    let predictor = model_file::read_model(&args.model)?;
    let mut explanation = predictor.explain();
    match (&args.input, args.row) {
        (Some(input), Some(row)) => {
            let mut one = explain_row(&predictor, args, input, row)?;
            if args.json {
                one.fired.truncate(args.top.unwrap_or(usize::MAX));
                let classes = &explanation.classes;
                output::print_json(&json!({"schema": "rulesieve/row/1", "classes": classes, "explanation": one}))?;
            } else {
                output::print(&row_text(predictor.model(), &explanation, &one, args.top.unwrap_or(FIRED)))?;
            }
        }
        _ if args.json => {
            let top = args.top.unwrap_or(usize::MAX);
            explanation.rules.truncate(top);
            let mut recovered = predictor.model().recovered.clone();
            recovered.iter_mut().for_each(|recovered| recovered.rules.truncate(top));
            output::print_json(&json!({
                "schema": "rulesieve/explanation/1",
                "method": predictor.model().method,
                "features": predictor.model().features,
                "explanation": explanation,
                "recovered": recovered,
            }))?;
        }
        _ => output::print(&text(predictor.model(), &explanation, args.top.unwrap_or(usize::MAX)))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the table part by part up to the row.
fn explain_row(predictor: &Predictor, args: &ExplainArgs, input: &str, row: usize) -> Result<RowExplanation> {
    if row == 0 {
        bail!("--row 0: data rows are counted from 1");
    }
    let source = InputArgs { input: input.to_owned(), read: args.read.clone() };
    let (mut before, mut explained) = (0, None);
    let kind = |column: &str| input::kind_for(predictor.model(), column);
    input::each_part(&source, kind, |part| {
        if row > before + part.rows() {
            before += part.rows();
            return Ok(ControlFlow::Continue(()));
        }
        let one = predictor.explain_row(part, row - before - 1, before + 1);
        explained = Some(one.with_context(|| output::shown(input))?);
        Ok(ControlFlow::Break(()))
    })?;
    explained.with_context(|| format!("{}: there is no data row {row}; it has {before}", output::shown(input)))
}

fn text(model: &Model, explanation: &Explanation, top: usize) -> String {
    let shown = top.min(explanation.rules.len());
    let mut text = format!(
        "{} rules for {} on {} features selected by {}\n",
        explanation.rules.len(),
        output::shown(&model.target),
        model.features.len(),
        output::shown(methods::title(&model.method))
    );
    for rule in &explanation.rules[..shown] {
        text += &format!("\n{}", sentence(model, rule));
    }
    if shown < explanation.rules.len() {
        text += &format!("\n... and {} weaker rules\n", explanation.rules.len() - shown);
    }
    if let Some(recovered) = &model.recovered {
        text += &format!("\n{}", recovered::text(model, recovered, top));
    }
    text
}

fn sentence(model: &Model, rule: &RuleSentence) -> String {
    let mut text = format!("{:>2}. {}\n    {}\n", rule.rule, conditions(rule), effects(model, &rule.effects));
    text += &format!("    weight {:.3}, fires most in {:.1} % of the rows\n", rule.weight, 100.0 * rule.coverage);
    let slopes: Vec<String> = rule
        .slopes
        .iter()
        .map(|slope| {
            let feature = output::shown(&slope.feature);
            match &slope.category {
                Some(category) => format!("{} if {feature} is {}", signed(slope.per_unit), output::shown(category)),
                None => format!("{} per unit of {feature}", signed(slope.per_unit)),
            }
        })
        .collect();
    if let (false, Some(first)) = (slopes.is_empty(), rule.slopes.first()) {
        let about = model.classes.get(first.output).unwrap_or(&model.target);
        text += &format!("    there, {} changes by {}\n", output::shown(about), slopes.join(", "));
    }
    text
}

fn conditions(rule: &RuleSentence) -> String {
    let asked: Vec<String> =
        rule.conditions.iter().filter(|condition| condition.term != Term::Any).map(phrase).collect();
    if asked.is_empty() { "IF anything".to_owned() } else { format!("IF {}", asked.join(" AND ")) }
}

fn phrase(condition: &Condition) -> String {
    let feature = output::shown(&condition.feature);
    let categories: Vec<String> = condition.categories.iter().map(|category| output::shown(category)).collect();
    match (condition.term, condition.about) {
        (Term::Categories, _) => format!("{feature} is {}", categories.join(" or ")),
        (term, Some(about)) => format!("{feature} is {} (about {})", term.word(), rounded(about)),
        (term, None) => format!("{feature} is {}", term.word()),
    }
}

/// `THEN a (+1.2), b (-0.3)`: what it speaks for most first.
fn effects(model: &Model, effects: &[f64]) -> String {
    if model.task == Task::Regression {
        let effect = effects.first().copied().unwrap_or(0.0);
        return format!("THEN {} is {}", output::shown(&model.target), rounded(model.output.mean + effect));
    }
    let mut order: Vec<usize> = (0..effects.len()).collect();
    order.sort_by(|&a, &b| effects[b].total_cmp(&effects[a]).then(a.cmp(&b)));
    let told = order.iter().take(EFFECTS);
    let told: Vec<String> =
        told.map(|&at| format!("{} ({})", output::shown(&model.classes[at]), signed(effects[at]))).collect();
    let more = if order.len() > EFFECTS { ", ..." } else { "" };
    format!("THEN {}{more}", told.join(", "))
}

fn row_text(model: &Model, explanation: &Explanation, row: &RowExplanation, top: usize) -> String {
    let mut text =
        format!("data row {}: {} is {}", row.row, output::shown(&model.target), output::shown(&row.predicted));
    let mut order: Vec<usize> = (0..row.probabilities.len()).collect();
    order.sort_by(|&a, &b| row.probabilities[b].total_cmp(&row.probabilities[a]).then(a.cmp(&b)));
    let shares: Vec<String> = order
        .iter()
        .take(EFFECTS)
        .map(|&at| format!("{} {:.1} %", output::shown(&model.classes[at]), 100.0 * row.probabilities[at]))
        .collect();
    if !shares.is_empty() {
        text += &format!(" ({})", shares.join(", "));
    }
    text += "\n\n";
    let mut lines = vec![["feature", "value", "typical", "contribution"].map(str::to_owned).to_vec()];
    for one in &row.contributions {
        let cells = [&one.feature, &one.value, &one.typical].map(|cell| output::shown(cell));
        lines.push(cells.into_iter().chain([signed(one.contribution)]).collect());
    }
    text += &output::aligned(&lines, &[1, 2, 3]);
    for fired in row.fired.iter().take(top).filter(|fired| fired.firing >= LEAST_FIRING) {
        let Some(rule) = explanation.rules.get(fired.rule - 1) else { continue };
        text += &format!(
            "\nrule {} fires at {:.1} % and says {}\n    {}\n    {}\n",
            fired.rule,
            100.0 * fired.firing,
            signed(fired.says),
            conditions(rule),
            effects(model, &rule.effects)
        );
    }
    text
}

/// Two digits after the point, with a sign; more where that would be nothing.
fn signed(value: f64) -> String {
    if value == 0.0 || value.abs() >= 0.01 { format!("{value:+.2}") } else { format!("{value:+.1e}") }
}

/// Three to four significant digits.
fn rounded(value: f64) -> String {
    let magnitude = value.abs();
    match magnitude {
        _ if value == 0.0 => "0".to_owned(),
        _ if !(1e-3..1e7).contains(&magnitude) => format!("{value:.2e}"),
        _ if magnitude >= 1000.0 => format!("{value:.0}"),
        _ if magnitude >= 10.0 => format!("{value:.1}"),
        _ if magnitude >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}
