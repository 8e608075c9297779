//! `explain`: print the rules of a model, or explain the prediction for a row.

mod recovered;

use crate::args::{ExplainArgs, InputArgs};
use crate::output::{Cell, Document, Format, Head, Table};
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
    let (format, top) = (args.format.format(), args.top.unwrap_or(usize::MAX));
    if let (Some(input), Some(row)) = (&args.input, args.row) {
        let mut one = explain_row(&predictor, args, input, row)?;
        let document = row_document(predictor.model(), &explanation, &one, args.top.unwrap_or(FIRED));
        one.fired.truncate(top);
        let classes = &explanation.classes;
        document.print(format, &json!({"schema": "rulesieve/row/1", "classes": classes, "explanation": one}))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut document = Document::new();
    match format {
        Format::Text => document.text(text(predictor.model(), &explanation, top)),
        _ => document.table(rules(&explanation).limit(top, " rules")),
    }
    explanation.rules.truncate(top);
    let mut recovered = predictor.model().recovered.clone();
    recovered.iter_mut().for_each(|recovered| recovered.rules.truncate(top));
    let record = json!({
        "schema": "rulesieve/explanation/1",
        "method": predictor.model().method,
        "features": predictor.model().features,
        "explanation": explanation,
        "recovered": recovered,
    });
    document.print(format, &record)?;
    Ok(ExitCode::SUCCESS)
}

/// The rules as a table, strongest first.
fn rules(explanation: &Explanation) -> Table {
    let heads = [Head::right("rule"), Head::right("weight"), Head::right("coverage")];
    let mut table = Table::new(heads.into_iter().chain(["if", "then"].map(Head::left)));
    for rule in &explanation.rules {
        table.push([
            rule.rule.into(),
            Cell::precise(format!("{:.3}", rule.weight), rule.weight),
            Cell::precise(format!("{:.1} %", 100.0 * rule.coverage), rule.coverage),
            Cell::from(rule.conditions_text(&output::shown).trim_start_matches("IF ")),
            Cell::from(explanation.effects_text(rule, &output::shown).trim_start_matches("THEN ")),
        ]);
    }
    table
}

/// Reads the table in chunks up to the row.
fn explain_row(predictor: &Predictor, args: &ExplainArgs, input: &str, row: usize) -> Result<RowExplanation> {
    if row == 0 {
        bail!("--row 0: data rows are counted from 1");
    }
    let source = InputArgs { input: input.to_owned(), read: args.read.clone() };
    let (mut before, mut explained) = (0, None);
    let kind = |column: &str| input::kind_for(predictor.model(), column);
    let like = Some(&predictor.model().preprocessing.reading);
    input::each_chunk(&source, like, kind, |chunk| {
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

fn row_document(model: &Model, explanation: &Explanation, row: &RowExplanation, top: usize) -> Document {
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
    let mut document = Document::new();
    document.text(text);
    let heads = [Head::left("feature")].into_iter().chain(["value", "typical", "contribution"].map(Head::right));
    let mut table = Table::new(heads);
    for one in &row.contributions {
        let cells = [&one.feature, &one.value, &one.typical].map(|cell| Cell::name(cell));
        table.push(cells.into_iter().chain([Cell::precise(signed(one.contribution), one.contribution)]));
    }
    document.table(table);
    for fired in row.fired.iter().take(top).filter(|fired| fired.firing >= MIN_FIRING) {
        let Some(rule) = explanation.rules.get(fired.rule - 1) else { continue };
        document.text(format!(
            "\nrule {} fires at {:.1} %, output {}\n    {}\n    {}\n",
            fired.rule,
            100.0 * fired.firing,
            signed(fired.output),
            rule.conditions_text(&output::shown),
            explanation.effects_text(rule, &output::shown)
        ));
    }
    document
}
