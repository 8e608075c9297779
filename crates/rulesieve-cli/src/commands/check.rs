//! `check`: profile a table and report data problems.

use crate::args::{CheckArgs, Coding};
use crate::{input, output, remedy};
use anyhow::Result;
use rulesieve::Warning;
use rulesieve::data::table::is_missing;
use rulesieve::data::{
    Column, ColumnData, Dataset, DatasetOptions, Encoder, Feature, FeatureValues, Missing, Table, Target,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::ExitCode;

/// Maximum number of columns printed without `--all`.
const SHOWN: usize = 30;

pub(crate) fn run(args: &CheckArgs) -> Result<ExitCode> {
    let table = input::table(&args.input)?;
    let options = input::dataset_options(&args.data, Coding::OneHot);
    let raw = Raw::of(&table, args.data.target.as_deref());
    // Profiles tables with missing values too; `rejection` reports them.
    let lenient = match options.missing {
        Missing::Error => options.clone().missing(Missing::Median),
        Missing::Median | Missing::DropRows => options.clone(),
    };
    let rejection = rejection(table.clone(), &options);
    let data = Dataset::new(table, &lenient).ok();
    if args.json {
        output::print_json(&as_json(&raw, data.as_ref(), rejection.as_deref()))?;
    } else {
        output::print(&as_text(&args.input.input, &raw, data.as_ref(), args.all))?;
        if let Some(rejection) = &rejection {
            let rejection = output::escaped(rejection);
            output::print(&format!("\nselect would reject this table: {rejection}\n"))?;
        }
    }
    Ok(if rejection.is_some() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Returns why `select` would reject the table in its default coding, and what to do.
fn rejection(table: Table, options: &DatasetOptions) -> Option<String> {
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
    fn of(table: &Table, target: Option<&str>) -> Self {
        let column = |column: &Column| {
            let (kind, missing) = match &column.data {
                ColumnData::Numeric(values) => ("numeric", values.iter().filter(|value| value.is_nan()).count()),
                ColumnData::Text(text) => ("text", (0..column.len()).filter(|&row| is_missing(text.get(row))).count()),
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

fn as_text(name: &str, raw: &Raw, data: Option<&Dataset>, all: bool) -> String {
    let mut text = format!("{}: {} rows, {} columns\n", output::shown(name), raw.rows, raw.columns.len());
    let limit = if all { usize::MAX } else { SHOWN };
    let hidden = |count: usize| match count.saturating_sub(limit) {
        0 => String::new(),
        more => format!("... and {more} more (--all shows them)\n"),
    };
    let Some(data) = data else {
        if let Some((target, labels)) = &raw.labels {
            text += &format!("\ntarget {}: {} labels\n", output::shown(target), labels.len());
            let lines = labels.iter().take(limit).map(|(label, rows)| {
                let label = if label.is_empty() { "(missing)".to_owned() } else { output::shown(label) };
                vec![format!("  {label}"), rows.to_string()]
            });
            text += &output::aligned(&lines.collect::<Vec<_>>(), &[1]);
            text += &hidden(labels.len());
        }
        let mut lines = vec![["column", "kind", "missing"].map(str::to_owned).to_vec()];
        lines.extend(
            raw.columns
                .iter()
                .take(limit)
                .map(|column| vec![output::shown(&column.name), column.kind.to_owned(), column.missing.to_string()]),
        );
        text += &format!("\n{}{}", output::aligned(&lines, &[2]), hidden(raw.columns.len()));
        return text + &listed(&raw.warnings);
    };
    let target = output::shown(data.target.name());
    text += &match &data.target {
        Target::Classes { classes, .. } => format!("\ntarget {target}: {} classes\n", classes.len()),
        Target::Numbers { values, .. } => {
            let (low, high) = range(values);
            format!("\ntarget {target}: numbers, {} to {}\n", output::number(low), output::number(high))
        }
    };
    let counts = data.target.counts();
    let classes = data.target.classes().iter().zip(&counts).take(limit);
    let lines: Vec<Vec<String>> =
        classes.map(|(class, count)| vec![format!("  {}", output::shown(class)), count.to_string()]).collect();
    text += &output::aligned(&lines, &[1]);
    text += &hidden(data.target.classes().len());

    let mut lines = vec![["feature", "kind", "missing", "values"].map(str::to_owned).to_vec()];
    lines.extend(data.features.iter().take(limit).map(|feature| {
        let (kind, values) = describe(feature);
        vec![output::shown(&feature.name), kind.to_owned(), feature.values.missing().to_string(), values]
    }));
    text += &format!("\n{}{}", output::aligned(&lines, &[2]), hidden(data.features.len()));
    if !data.set_aside.is_empty() {
        text += &format!("\n{}", output::set_aside(&data.set_aside));
    }
    text + &listed(&data.warnings)
}

fn listed(warnings: &[Warning]) -> String {
    if warnings.is_empty() {
        return String::new();
    }
    let line = |warning: &Warning| format!("  {}\n", output::escaped(&remedy::of_warning(warning)));
    format!("\nwarnings:\n{}", warnings.iter().map(line).collect::<String>())
}

/// Returns the kind of a feature, and its range or categories.
fn describe(feature: &Feature) -> (&'static str, String) {
    match &feature.values {
        FeatureValues::Numeric(values) => {
            let (low, high) = range(values);
            ("numeric", format!("{} to {}", output::number(low), output::number(high)))
        }
        FeatureValues::Categorical { levels, .. } => {
            const LISTED: usize = 6;
            let mut shown: Vec<String> = levels.iter().take(LISTED).map(|level| output::shown(level)).collect();
            if levels.len() > LISTED {
                shown.push(format!("... ({})", levels.len()));
            }
            ("categorical", shown.join(", "))
        }
    }
}

fn range(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |range, &v| (range.0.min(v), range.1.max(v)))
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
    profile["set_aside"] = json!(data.set_aside);
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
            let (low, high) = range(values);
            json!({"name": feature.name, "kind": "numeric", "missing": missing, "min": low, "max": high})
        }
        FeatureValues::Categorical { levels, .. } => {
            json!({"name": feature.name, "kind": "categorical", "missing": missing, "levels": levels})
        }
    }
}
