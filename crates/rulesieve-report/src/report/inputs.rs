//! The data and options of a run, its warnings, and how to reproduce it.

use super::{Report, many};
use crate::Data;
use crate::page::{Section, name, names, table, words};
use crate::svg::number;
use maud::{Markup, html};
use rulesieve::data::{ExcludedColumn, Task, table::format_number};
use rulesieve::methods::{self, Method};
use rulesieve::select::Value;
use rulesieve_eval::evaluate::EvaluationRecord;
use std::collections::BTreeMap;

/// Maximum number of classes listed.
const CLASSES: usize = 8;
/// Maximum number of columns listed.
const COLUMNS: usize = 12;

impl Report<'_> {
    pub(super) fn inputs(&self) -> Section {
        let run = &self.run;
        let protocol = |record: &EvaluationRecord| format!("{}, {}", record.size, record.splits);
        let section = Section::new("Data and options").with(html! {
            dl {
                dt { "Data" } dd { (name(run.input)) ": " (many(run.rows, "row", "rows")) ", "
                    (many(run.data.features.len(), "column", "columns")) " to choose from" }
                @if !run.data.excluded.is_empty() {
                    dt { "Excluded" } dd { (excluded(&run.data.excluded)) }
                }
                dt { "Target" } dd { (self.target()) }
                @if let Some(selection) = self.selection {
                    dt { "Method" } dd { (name(methods::title(&selection.method))) (summary(&selection.method)) }
                }
                @if let Some(record) = self.evaluation {
                    dt { "Methods" } dd { (names(&record.methods.iter().map(|one| methods::title(&one.method)).collect::<Vec<_>>(), 12)) }
                    dt { "Protocol" } dd { (name(&record.protocol)) ": " (words(&protocol(record))) }
                    dt { "Estimator" } dd { (record.estimator) }
                }
                dt { "Seed" } dd { (self.seed()) }
            }
        });
        match self.selection {
            Some(selection) => section.with(parameters("Method parameters", &selection.params)),
            None => section,
        }
    }

    fn seed(&self) -> u64 {
        self.selection.map(|selection| selection.seed).or(self.evaluation.map(|record| record.seed)).unwrap_or(0)
    }

    /// The target in one line: classes with row counts, or the range.
    fn target(&self) -> Markup {
        let target = &self.run.data.target;
        if target.task() == Task::Regression {
            let numbers = target.numbers().unwrap_or_default();
            let (low, high) =
                numbers.iter().fold((f64::MAX, -f64::MAX), |(low, high), &value| (low.min(value), high.max(value)));
            return html! { (name(target.name())) ", a number from " (number(low)) " to " (number(high)) };
        }
        let counts = target.counts();
        let more = target.classes().len().saturating_sub(CLASSES);
        html! {
            (name(target.name())) ", " (many(target.classes().len(), "class", "classes")) ": "
            @for (at, (class, count)) in target.classes().iter().zip(counts).take(CLASSES).enumerate() {
                @if at > 0 { ", " } (name(class)) " (" (count) ")"
            }
            @if more > 0 { " and " (more) " more" }
            (self.sampled())
        }
    }

    pub(super) fn warnings(&self) -> Option<Section> {
        let selected = self.selection.into_iter().flat_map(|selection| &selection.warnings);
        let trained = self.model.into_iter().flat_map(|model| &model.model().training.warnings);
        let evaluated = self.evaluation.into_iter().flat_map(|record| &record.warnings);
        let mut lines: Vec<String> = Vec::new();
        for warning in selected.chain(trained).chain(evaluated) {
            let advice = warning.remedy().map(|remedy| format!("; {remedy}")).unwrap_or_default();
            let line = format!("{warning}{advice}");
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        let list = html! { ul.warnings { @for line in &lines { li { (words(line)) } } } };
        (!lines.is_empty()).then(|| Section::new("Warnings").with(list))
    }

    pub(super) fn reproduction(&self) -> Section {
        let version = self.selection.map(|selection| selection.version.as_str());
        let version = version.or(self.evaluation.map(|record| record.version.as_str()));
        let hash = self.evaluation.map(|record| record.data_sha256.as_str());
        Section::new("How to reproduce this").command(self.run.command).with(html! {
            dl {
                dt { "Version" } dd { "rulesieve " (version.unwrap_or(env!("CARGO_PKG_VERSION"))) }
                dt { "Seed" } dd { (self.seed()) }
                @if let Some(hash) = hash { dt { "Data" } dd { "SHA-256 of names, values and target: " code { (hash) } } }
            }
            p.quiet { "The same table, version and seed give the same results for any number of threads; only times differ." }
        })
    }
}

/// Excluded columns with the reasons.
fn excluded(columns: &[ExcludedColumn]) -> Markup {
    html! {
        @for (at, one) in columns.iter().take(COLUMNS).enumerate() {
            @if at > 0 { ", " } (name(&one.feature)) " (" (one.reason.text()) ")"
        }
        @if columns.len() > COLUMNS { " and " (columns.len() - COLUMNS) " more" }
    }
}

fn summary(method: &str) -> Markup {
    let info = method.parse().ok().map(Method::info);
    html! { @if let Some(info) = info { ": " (info.summary) br; span.quiet { "Source: " (info.source) } } }
}

/// Parameters in a collapsed block.
fn parameters(caption: &str, params: &BTreeMap<String, Value>) -> Markup {
    if params.is_empty() {
        return html! {};
    }
    let mut data = Data::new(["parameter", "value"]);
    for (parameter, value) in params {
        let value = match value {
            Value::Whole(value) => value.to_string(),
            Value::Number(value) => format_number(*value),
            Value::Word(value) => value.clone(),
        };
        data.push([parameter.clone(), value]);
    }
    html! { details { summary { (caption) } (table(caption, &data, &[1])) } }
}
