//! What a selection, a model and an evaluation say, as a page. What is not there is left out.

mod answer;
mod answers;
mod asked;
mod association;
mod columns;
mod comparison;
mod pairs;
mod ranking;
mod rules;
mod views;

use crate::page::Page;
use rulesieve::data::Dataset;
use rulesieve::data::names::short;
use rulesieve::model::Predictor;
use rulesieve::select::Selection;
use rulesieve_eval::evaluate::EvaluationRecord;

/// What a page is about, as its reader knows it.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// The table, as it was named.
    pub input: &'a str,
    /// The command that was typed.
    pub command: &'a str,
    /// The table itself, or a sample of it.
    pub data: &'a Dataset,
    /// Rows of the table; more than those of `data` where that is a sample.
    pub rows: usize,
}

/// What there is to be told about a table.
#[derive(Debug, Clone, Copy)]
pub struct Story<'a> {
    /// The table.
    pub about: About<'a>,
    /// The selection that was made.
    pub selection: Option<&'a Selection>,
    /// The model that was trained on it.
    pub model: Option<&'a Predictor>,
    /// How methods were judged.
    pub evaluation: Option<&'a EvaluationRecord>,
}

impl Story<'_> {
    /// The page.
    pub fn page(&self) -> Page {
        let title = match (self.selection, self.model, self.evaluation) {
            (Some(_), Some(_), _) => "Which columns matter, and the rules behind it",
            (Some(_), None, _) => "Which columns matter",
            _ => "How far to trust the chosen columns",
        };
        let subject = format!("{} in {}", short(self.about.data.target.name()), short(self.about.input));
        let page = self.answered(Page::new(title, &subject));
        page.section(self.asked())
            .maybe(self.scores())
            .maybe(self.pairs())
            .maybe(self.size())
            .maybe(self.comparison())
            .maybe(self.stability())
            .maybe(self.frequencies())
            .maybe(self.curves())
            .maybe(self.judged_confusion())
            .maybe(self.rules())
            .maybe(self.recovered())
            .maybe(self.row())
            .maybe(self.fit())
            .maybe(self.distributions())
            .maybe(self.correlation())
            .maybe(self.convergence())
            .maybe(self.warnings())
            .section(self.repeat())
    }

    /// The features that the page is about, best first: those selected, else those that the first method kept in at least half of
    /// the splits.
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

    /// Words about the rows that figures rest on, where they are a sample.
    fn sampled(&self) -> String {
        let seen = self.about.data.samples();
        if seen < self.about.rows {
            format!(" From a sample of {seen} of {} rows.", self.about.rows)
        } else {
            String::new()
        }
    }
}

/// A share in percent.
fn percent(share: f64) -> String {
    // A blank that does not break.
    format!("{:.1}\u{a0}%", 100.0 * share)
}

/// A p-value in few digits.
pub fn p_value(value: f64) -> String {
    match value {
        value if value >= 0.9995 => "1".to_owned(),
        value if value >= 0.001 => format!("{value:.3}"),
        value if value > 1e-300 => format!("{value:.0e}"),
        _ => "< 1e-300".to_owned(),
    }
}

/// One thing or many.
fn many(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

#[cfg(test)]
mod tests;
