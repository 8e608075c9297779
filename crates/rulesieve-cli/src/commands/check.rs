//! `check`: profile a table and report data problems.

mod columns;

use crate::args::{CheckArgs, Coding};
use crate::output::{Cell, Document, Head, Table};
use crate::{input, output, remedy};
use anyhow::Result;
use rulesieve::Warning;
use rulesieve::data::{self, table::missing_levels};
use rulesieve::data::{Column, ColumnData, Dataset, DatasetOptions, Encoder, Feature, FeatureValues, Missing, Target};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::ExitCode;

/// Maximum number of columns printed without `--all`.
const SHOWN: usize = 30;
const MORE: &str = " (--all shows them)";

pub(crate) fn run(args: &CheckArgs) -> Result<ExitCode> {
    let table = input::sampled_table(&args.input, &args.data, args.seed)?;
    let options = input::dataset_options(&args.data, Coding::OneHot);
    let raw = Raw::of(&table, args.data.target.as_deref());
    // Profiles tables with missing values too; `rejection` reports them.
    let lenient = match options.missing {
        Missing::Error => options.clone().missing(Missing::Fill),
        Missing::Fill | Missing::Median | Missing::DropRows => options.clone(),
    };
    let rejection = rejection(table.clone(), &options);
    let data = Dataset::new(table, &lenient).ok();
    let mut document = document(&args.input.input, &raw, data.as_ref(), args.all);
    if let Some(rejection) = &rejection {
        document.text(format!("\nselect would reject this table: {}\n", output::escaped(rejection)));
    }
    document.print(args.format.format(), &as_json(&raw, data.as_ref(), rejection.as_deref()))?;
    Ok(if rejection.is_some() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Returns why `select` would reject the table in its default coding, and what to do.
fn rejection(table: data::Table, options: &DatasetOptions) -> Option<String> {
    let coded = Dataset::new(table, options).and_then(|data| {
        let rows: Vec<usize> = (0..data.samples()).collect();
        Encoder::fit(&data, &rows, data.coding)
    });
    coded.err().map(|error| remedy::line(&error.to_string(), error.remedy().as_ref()))
}

/// Profile of a table that does not need a target.
struct Raw {
    rows: usize,
    columns: Vec<RawColumn>,
    /// Name of the target column and number of rows per label; absent for more than [`MAX_LABELS`] labels.
    labels: Option<(String, BTreeMap<String, usize>)>,
    warnings: Vec<Warning>,
}

struct RawColumn {
    name: String,
    kind: &'static str,
    missing: usize,
}

/// Maximum number of different labels listed.
const MAX_LABELS: usize = 100;

impl Raw {
    fn of(table: &data::Table, target: Option<&str>) -> Self {
        let column = |column: &Column| {
            let (kind, missing) = match &column.data {
                ColumnData::Numeric(values) => ("numeric", values.iter().filter(|value| value.is_nan()).count()),
                ColumnData::Dates(values) => ("date", values.iter().filter(|value| value.is_nan()).count()),
                ColumnData::Text(text) => {
                    let missing = missing_levels(text.levels());
                    ("text", text.codes().iter().filter(|&&code| missing[code as usize]).count())
                }
            };
            RawColumn { name: column.name.clone(), kind, missing }
        };
        let labels = table.target_position(target).ok().and_then(|at| {
            let target = &table.columns()[at];
            let mut counts = BTreeMap::new();
            for row in 0..target.len() {
                *counts.entry(target.cell(row)).or_insert(0) += 1;
                if counts.len() > MAX_LABELS {
                    return None;
                }
            }
            Some((target.name.clone(), counts))
        });
        Self {
            rows: table.rows(),
            columns: table.columns().iter().map(column).collect(),
            labels,
            warnings: table.warnings.clone(),
        }
    }
}

fn document(name: &str, raw: &Raw, data: Option<&Dataset>, all: bool) -> Document {
    let limit = if all { usize::MAX } else { SHOWN };
    let mut document = Document::new();
    let rows = output::rows(raw.rows, &raw.warnings);
    document.text(format!("{}: {rows}, {}\n\n", output::shown(name), output::counted(raw.columns.len(), "column")));
    document.table(columns::table(raw, data).limit(limit, MORE));
    target(raw, data, limit, &mut document);
    for date in data.iter().flat_map(|data| &data.dates) {
        document.text(format!("\n{} is a date column, since {}\n", output::shown(&date.column), date.first()));
    }
    if let Some(data) = data.filter(|data| !data.excluded.is_empty()) {
        document.text(format!("\n{}", output::excluded(&data.excluded)));
    }
    document.text(listed(data.map_or(&raw.warnings, |data| &data.warnings)));
    document
}

/// Formats the target and the number of rows per class.
fn target(raw: &Raw, data: Option<&Dataset>, limit: usize, document: &mut Document) {
    let (heading, labels) = match (data.map(|data| &data.target), &raw.labels) {
        (Some(target @ Target::Classes { classes, .. }), _) => {
            let heading = format!("{}: {} classes", output::shown(target.name()), classes.len());
            (heading, classes.iter().cloned().zip(target.counts()).collect())
        }
        (Some(target @ Target::Numbers { values, .. }), _) => {
            let [low, high] = range(values).map(output::number);
            (format!("{}: numbers, {low} to {high}", output::shown(target.name())), Vec::new())
        }
        (None, Some((name, labels))) => {
            let labels: Vec<_> = labels.iter().map(|(label, rows)| (label.clone(), *rows)).collect();
            (format!("{}: {} labels", output::shown(name), labels.len()), labels)
        }
        (None, None) => return,
    };
    document.text(format!("\ntarget {heading}\n"));
    if labels.is_empty() {
        return;
    }
    let heads = [Head::left("").fields(&["label"]), Head::right("").fields(&["rows"])];
    let mut table = Table::new(heads).limit(limit, MORE);
    for (label, rows) in &labels {
        let text = if label.is_empty() { "(missing)".to_owned() } else { output::shown(label) };
        table.push([Cell::new(format!("  {text}"), [label.clone()]), (*rows).into()]);
    }
    document.table(table);
}

fn listed(warnings: &[Warning]) -> String {
    if warnings.is_empty() {
        return String::new();
    }
    let line = |warning: &Warning| format!("  {}\n", output::escaped(&remedy::of_warning(warning)));
    format!("\nwarnings:\n{}", warnings.iter().map(line).collect::<String>())
}

fn range(values: &[f64]) -> [f64; 2] {
    values.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &value| [low.min(value), high.max(value)])
}

fn as_json(raw: &Raw, data: Option<&Dataset>, rejection: Option<&str>) -> Value {
    let columns: Vec<Value> = raw
        .columns
        .iter()
        .map(|column| json!({"name": column.name, "kind": column.kind, "missing": column.missing}))
        .collect();
    let mut profile = json!({
        "schema": "rulesieve/check/1",
        "rows": raw.rows,
        "columns": columns,
        "usable": rejection.is_none(),
        "refusal": rejection,
        "labels": raw.labels.as_ref().map(|(_, counts)| counts),
        "warnings": data.map_or(&raw.warnings, |data| &data.warnings),
    });
    let Some(data) = data else { return profile };
    let counts = data.target.counts();
    let classes: Vec<Value> = data
        .target
        .classes()
        .iter()
        .zip(&counts)
        .map(|(class, count)| json!({"class": class, "rows": count}))
        .collect();
    let names = |at: &[usize]| at.iter().map(|&at| data.features[at].name.as_str()).collect::<Vec<_>>();
    let duplicates: Vec<_> = data.suspicions.duplicates.iter().map(|set| names(set)).collect();
    profile["target"] = json!({"name": data.target.name(), "task": data.target.task(), "classes": classes});
    profile["features"] = data.features.iter().map(feature_json).collect();
    profile["excluded"] = json!(data.excluded);
    profile["suspicious"] = json!({
        "constant": names(&data.suspicions.constant),
        "duplicates": duplicates,
        "identifiers": names(&data.suspicions.identifiers),
        "row_numbers": names(&data.suspicions.row_numbers),
        "named_like_identifiers": names(&data.suspicions.named_like_identifiers),
        "copies_of_target": names(&data.suspicions.copies_of_target),
        "perfect_separators": names(&data.suspicions.perfect_separators),
        "outliers": names(&data.suspicions.outliers),
        "mostly_numbers": names(&data.suspicions.mostly_numbers),
    });
    profile
}

fn feature_json(feature: &Feature) -> Value {
    let missing = feature.values.missing();
    match &feature.values {
        FeatureValues::Numeric(values) => {
            let [low, high] = range(values);
            json!({"name": feature.name, "kind": "numeric", "missing": missing, "min": low, "max": high})
        }
        FeatureValues::Categorical { levels, .. } => {
            json!({"name": feature.name, "kind": "categorical", "missing": missing, "levels": levels})
        }
    }
}
