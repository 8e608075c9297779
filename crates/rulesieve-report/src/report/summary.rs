//! The summary at the top: selected columns, their performance and stability.

use super::{Report, many, percent};
use crate::page::{Page, name, names};
use crate::svg::number;
use maud::{Markup, html};
use rulesieve::data::Task;
use rulesieve::methods;
use rulesieve::model::Model;
use rulesieve::select::Selection;
use rulesieve_eval::evaluate::{EvaluationRecord, MethodRecord, Spread};
use rulesieve_eval::statistics::ResampledT;

/// Maximum columns named in a sentence.
const NAMED: usize = 5;
/// Significance level of differences.
const LEVEL: f64 = 0.05;

impl Report<'_> {
    pub(super) fn summary(&self, mut page: Page) -> Page {
        if let Some(selection) = self.selection {
            page = page.summary_markup(selected(selection));
        }
        if let Some(model) = self.model {
            page = page.summary_markup(performance(model.model()));
        }
        if let Some(record) = self.evaluation {
            page = page.summary_markup(evaluated(record, self.selection.is_none()));
            page = page.summary_markup(reliability(record));
        }
        match self.selection {
            Some(selection) if self.evaluation.is_none() => {
                page.summary_markup(caution(selection, self.model.map(|predictor| predictor.model())))
            }
            _ => page,
        }
    }
}

fn selected(selection: &Selection) -> Markup {
    let (count, all) = (selection.selected.len(), selection.data.features);
    html! {
        (name(methods::title(&selection.method))) " selected " (count) " of " (many(all, "column", "columns")) " to predict "
        (name(&selection.data.target)) ": " (names(&selection.selected, NAMED)) "."
        @if let Some(curve) = &selection.size {
            @if let Some(point) = curve.points.iter().find(|point| point.features == count) {
                " The cross-validated score of " (many(count, "column is ", "columns is "))
                @if selection.data.task == Task::Regression { "R² " (number(point.score)) }
                @else { (percent(point.score)) }
                " (± " @if selection.data.task == Task::Regression { (number(point.standard_error)) }
                @else { (percent(point.standard_error)) } ", size by " (curve.rule) ")."
            }
        }
        @if let Some(found) = selection.held_out_summary() { " Kernel ridge regression on selected columns: " strong { (found) } "." }
        @if selection.held_out.as_ref().is_some_and(|found| !found.better_than_chance) {
            " " strong { "No better than chance" } ": do not rely on these columns."
        }
    }
}

/// The score of a model on held-out rows, else on its training rows.
fn performance(model: &Model) -> Markup {
    let (training, share) = (&model.training, model.training.training_accuracy);
    html! {
        (many(model.rules.len(), "fuzzy rule", "fuzzy rules")) " on " (if model.features.len() == 1 { "this column" } else { "these columns" }) ": "
        @match &training.held_out {
            Some(found) => {
                strong { (found.summary()) } "."
                @if !found.better_than_chance { " " strong { "No better than chance" } ": do not rely on these columns and rules." }
            }
            None => {
                @if model.task == Task::Regression { "training R² " (number(share)) } @else { "training accuracy " (percent(share)) }
                " (" (many(training.training_rows, "row", "rows")) ")."
            }
        }
    }
}

/// What a run without an evaluation cannot show.
fn caution(selection: &Selection, model: Option<&Model>) -> Markup {
    let warnings = selection.warnings.len();
    html! {
        @match (model, model.and_then(|model| model.training.held_out.as_ref()).or(selection.held_out.as_ref())) {
            (_, Some(_)) => "Held-out rows were used neither for selection nor for training. To compare methods, use ",
            (None, None) => "A ranking alone does not show its quality. To evaluate methods on held-out rows, use ",
            (Some(_), None) => "The training score does not show the performance on new rows. To evaluate methods on held-out rows, use ",
        }
        code { "rulesieve evaluate" } "."
        @if warnings > 0 { " See " (many(warnings, "warning", "warnings")) " below." }
    }
}

fn spread(record: &EvaluationRecord, spread: Spread) -> String {
    let around =
        |text: String, std: Option<String>| std.map_or(text.clone(), |std| format!("{text}\u{a0}±\u{a0}{std}"));
    match record.score {
        "r2" => around(number(spread.mean), spread.std.map(number)),
        _ => {
            let std = spread.std.map(|std| format!("{:.1}", 100.0 * std));
            around(format!("{:.1}", 100.0 * spread.mean), std) + "\u{a0}%"
        }
    }
}

/// The score of the first method.
fn evaluated(record: &EvaluationRecord, alone: bool) -> Markup {
    let Some(first) = record.methods.first() else { return html! {} };
    let score = |method: &MethodRecord| method.scores.get(record.score).map(|found| spread(record, *found));
    let own = score(first).unwrap_or_else(|| "no score".to_owned());
    let base = record.baselines.majority.as_ref().or(record.baselines.mean.as_ref());
    let base = base.and_then(|scores| scores.get(record.score)).map(|found| spread(record, *found));
    let constant = if record.baselines.majority.is_some() { "the most frequent class" } else { "the mean" };
    let mut often: Vec<(&String, &f64)> = first.frequencies.iter().filter(|(_, share)| **share >= 0.5).collect();
    often.sort_by(|a, b| b.1.total_cmp(a.1).then_with(|| a.0.cmp(b.0)));
    let often: Vec<&String> = often.into_iter().map(|(name, _)| name).collect();
    html! {
        @if alone && !often.is_empty() {
            (name(methods::title(&first.method))) " selects " (names(&often, NAMED)) " in at least half of the splits. "
        }
        @if record.score == "r2" { "R²" } @else { "Accuracy" } " on held-out rows with " (number(first.features.mean)) " of "
        (record.features) " columns selected by " (name(methods::title(&first.method))) ": " strong { (own) }
        @if let Some(all) = record.baselines.all_features.as_ref().and_then(score) { "; with all columns " (all) }
        @if let Some(base) = base { "; predicting " (constant) " " (base) }
        "."
    }
}

/// Stability, and significant differences from the other methods.
fn reliability(record: &EvaluationRecord) -> Markup {
    let Some(first) = record.methods.first() else { return html! {} };
    let found = first.stability.as_ref().map(|found| found.measure);
    let word = |value: f64| match value {
        _ if value >= 0.75 => "hardly depends",
        _ if value >= 0.4 => "depends moderately",
        _ => "depends strongly",
    };
    let others: Vec<&MethodRecord> = record.methods.iter().skip(1).chain(&record.baselines.random_features).collect();
    let named = |wanted: &dyn Fn(&ResampledT) -> bool| -> Vec<&str> {
        let some = others.iter().filter(|other| other.first_against_this.as_ref().is_some_and(wanted));
        some.map(|other| methods::title(&other.method)).collect()
    };
    let alike = named(&|test| test.p.is_none_or(|p| p > LEVEL));
    let better = named(&|test| test.p.is_some_and(|p| p <= LEVEL) && test.difference < 0.0);
    html! {
        @if let Some(found) = found {
            "The selection " (word(found.value)) " on the rows (stability " (format!("{:.2}", found.value))
            @if found.low < found.high { ", 95 % interval " (format!("{:.2}", found.low)) " to " (format!("{:.2}", found.high)) }
            "). "
        }
        @if !better.is_empty() { strong { "Significantly better: " } (names(&better, NAMED)) ". " }
        @if !alike.is_empty() { "No significant difference from " (names(&alike, NAMED)) ". " }
        @if record.protocol != "nested" { "The protocol " (record.protocol) " chooses settings on the test rows, so these scores are optimistic. " }
        @if !record.complete { "Not all splits were evaluated. " }
        @if record.permuted_labels { "Labels were permuted: scores above chance would indicate an error." }
    }
}
