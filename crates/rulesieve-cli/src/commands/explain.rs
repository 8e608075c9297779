//! `explain`: print the rules of a model, or explain the prediction for a row.

mod recovered;

use crate::args::{ExplainArgs, InputArgs};
use crate::{input, model_file, output};
use anyhow::{Context, Result, bail};
use rulesieve::model::{Explanation, Model, Predictor, RowExplanation, signed};
use serde_json::json;
use std::ops::ControlFlow;
use std::process::ExitCode;

/// Maximum number of rules printed for a row without `--top`.
const FIRED: usize = 5;
/// Minimum firing strength of the rules printed for a row.
const MIN_FIRING: f64 = 0.001;
/// Maximum number of classes printed per row or rule.
const MAX_CLASSES: usize = 4;

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

/// Reads the table in chunks up to the row.
fn explain_row(predictor: &Predictor, args: &ExplainArgs, input: &str, row: usize) -> Result<RowExplanation> {
    if row == 0 {
        bail!("--row 0: data rows are counted from 1");
    }
    let source = InputArgs { input: input.to_owned(), read: args.read.clone() };
    let (mut before, mut explained) = (0, None);
    let kind = |column: &str| input::kind_for(predictor.model(), column);
    input::each_chunk(&source, kind, |chunk| {
        if row > before + chunk.rows() {
            before += chunk.rows();
            return Ok(ControlFlow::Continue(()));
        }
        let one = predictor.explain_row(chunk, row - before - 1, before + 1);
        explained = Some(one.with_context(|| output::shown(input))?);
        Ok(ControlFlow::Break(()))
    })?;
    explained.with_context(|| format!("{}: there is no data row {row}; it has {before}", output::shown(input)))
}

fn text(model: &Model, explanation: &Explanation, top: usize) -> String {
    let mut text = explanation.text(top, &output::shown);
    if let Some(recovered) = &model.recovered {
        text += &format!("\n{}", recovered::text(model, recovered, top));
    }
    text
}

fn row_text(model: &Model, explanation: &Explanation, row: &RowExplanation, top: usize) -> String {
    let mut text =
        format!("data row {}: {} is {}", row.row, output::shown(&model.target), output::shown(&row.predicted));
    let mut order: Vec<usize> = (0..row.probabilities.len()).collect();
    order.sort_by(|&a, &b| row.probabilities[b].total_cmp(&row.probabilities[a]).then(a.cmp(&b)));
    let shares: Vec<String> = order
        .iter()
        .take(MAX_CLASSES)
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
    for fired in row.fired.iter().take(top).filter(|fired| fired.firing >= MIN_FIRING) {
        let Some(rule) = explanation.rules.get(fired.rule - 1) else { continue };
        text += &format!(
            "\nrule {} fires at {:.1} %, output {}\n    {}\n    {}\n",
            fired.rule,
            100.0 * fired.firing,
            signed(fired.says),
            rule.conditions_text(&output::shown),
            explanation.effects_text(rule, &output::shown)
        );
    }
    text
}
