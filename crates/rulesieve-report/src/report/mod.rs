//! Report pages for a selection, a model and an evaluation.

mod association;
mod columns;
mod comparison;
mod dataset;
mod inputs;
mod pairs;
mod predictions;
mod ranking;
mod rules;
mod summary;

use crate::page::Page;
use rulesieve::data::Dataset;
use rulesieve::data::names::short;
use rulesieve::model::Predictor;
use rulesieve::select::Selection;
use rulesieve_eval::evaluate::EvaluationRecord;

/// The table and the command of a run.
#[derive(Debug, Clone, Copy)]
pub struct RunInfo<'a> {
    /// Name of the table as given.
    pub input: &'a str,
    /// The command line.
    pub command: &'a str,
    /// The table, or a sample of it.
    pub data: &'a Dataset,
    /// Number of rows of the table; more than in `data` if that is a sample.
    pub rows: usize,
}

/// The results to report. Sections without a result are omitted.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    /// The table and the command.
    pub run: RunInfo<'a>,
    /// The selection.
    pub selection: Option<&'a Selection>,
    /// The model trained on the selected columns.
    pub model: Option<&'a Predictor>,
    /// The evaluation of methods.
    pub evaluation: Option<&'a EvaluationRecord>,
}

impl Report<'_> {
    /// Creates the page.
    pub fn page(&self) -> Page {
        let title = match (self.selection, self.model, self.evaluation) {
            (Some(_), Some(_), _) => "Selected columns and rules",
            (Some(_), None, _) => "Selected columns",
            _ => "Evaluation of feature selection",
        };
        let subject = format!("{} in {}", short(self.run.data.target.name()), short(self.run.input));
        let page = self.summary(Page::new(title, &subject));
        page.section(self.inputs())
            .maybe(self.scores())
            .maybe(self.pairs())
            .maybe(self.size())
            .maybe(self.comparison())
            .maybe(self.stability())
            .maybe(self.frequencies())
            .maybe(self.curves())
            .maybe(self.evaluation_confusion())
            .maybe(self.rules())
            .maybe(self.recovered())
            .maybe(self.example())
            .maybe(self.performance())
            .maybe(self.distributions())
            .maybe(self.correlation())
            .maybe(self.convergence())
            .maybe(self.warnings())
            .section(self.reproduction())
    }

    /// The features to describe, best first: the selected ones, else those that the first method selected in at least half of the
    /// splits.
    fn features(&self) -> Vec<String> {
        if let Some(selection) = self.selection {
            return selection.selected.clone();
        }
        let Some(first) = self.evaluation.and_then(|record| record.methods.first()) else { return Vec::new() };
        let mut kept: Vec<(&String, f64)> = first.frequencies.iter().map(|(name, share)| (name, *share)).collect();
        kept.retain(|(_, share)| *share >= 0.5);
        kept.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        kept.into_iter().map(|(name, _)| name.clone()).collect()
    }

    /// A sentence about the sample, if the data are one.
    fn sampled(&self) -> String {
        let samples = self.run.data.samples();
        if samples < self.run.rows {
            format!(" From a sample of {samples} of {} rows.", self.run.rows)
        } else {
            String::new()
        }
    }
}

/// A share in percent.
fn percent(share: f64) -> String {
    // With a no-break space.
    format!("{:.1}\u{a0}%", 100.0 * share)
}

/// Formats a p-value with few digits.
pub fn p_value(value: f64) -> String {
    match value {
        value if value >= 0.9995 => "1".to_owned(),
        value if value >= 0.001 => format!("{value:.3}"),
        value if value > 1e-300 => format!("{value:.0e}"),
        _ => "< 1e-300".to_owned(),
    }
}

/// A count with the singular or plural of a noun.
fn many(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

#[cfg(test)]
mod tests;
