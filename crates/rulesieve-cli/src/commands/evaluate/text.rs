//! Tables of an evaluation.

use crate::output;
use rulesieve::methods;
use rulesieve_eval::evaluate::{EvaluationRecord, MAJORITY, MethodRecord, Spread, Spreads};

/// Formats an evaluation as tables.
pub(crate) fn text(found: &EvaluationRecord, input: &str) -> String {
    let columns = columns(found);
    let mut head = vec!["method".to_owned()];
    head.extend(columns.iter().map(|(_, title)| (*title).to_owned()));
    head.extend(["features", "stability (95 %)", "seconds", "p against the first"].map(str::to_owned));
    let base = &found.baselines;
    let mut lines = vec![head];
    let baselines = base.all_features.iter().chain(&base.random_features);
    lines.extend(found.methods.iter().chain(baselines).map(|one| line(one, &columns)));
    for (name, scores) in [(MAJORITY, &base.majority), ("mean", &base.mean)] {
        lines.extend(scores.as_ref().map(|scores| [vec![name.to_owned()], cells(scores, &columns)].concat()));
    }
    let right: Vec<usize> = (1..lines[0].len()).collect();
    heading(found, input) + &output::aligned(&lines, &right) + &curves(found)
}

fn heading(found: &EvaluationRecord, input: &str) -> String {
    let classes = match found.class_names.len() {
        0 => format!("numeric target {}", output::shown(&found.target)),
        count => format!("{count} classes of {}", output::shown(&found.target)),
    };
    format!(
        "{}: {} rows, {} features, {classes}{}\nprotocol {}: {}{}, {}\n\n",
        output::shown(input),
        found.samples,
        found.features,
        if found.permuted_labels { ", labels shuffled" } else { "" },
        found.protocol,
        found.splits,
        found.inner_folds.map_or(String::new(), |folds| format!(", {folds} inner folds")),
        found.estimator,
    )
}

/// Returns the names and titles of the printed scores.
fn columns(found: &EvaluationRecord) -> Vec<(&'static str, &'static str)> {
    let mut columns = match found.task {
        "regression" => vec![("r2", "R2"), ("rmse", "RMSE")],
        _ => vec![("accuracy", "accuracy"), ("macro_f1", "macro-F1")],
    };
    if found.methods.iter().any(|method| method.scores.contains_key("log_loss")) {
        columns.push(("log_loss", "log-loss"));
    }
    columns
}

fn cells(scores: &Spreads, columns: &[(&'static str, &'static str)]) -> Vec<String> {
    let cell = |(name, _): &(&'static str, &'static str)| match scores.get(name) {
        None => String::new(),
        Some(spread) if matches!(*name, "accuracy" | "macro_f1") => percent(*spread),
        Some(spread) => plain(*spread),
    };
    columns.iter().map(cell).collect()
}

fn line(method: &MethodRecord, columns: &[(&'static str, &'static str)]) -> Vec<String> {
    let stability = method.stability.as_ref().map(|found| {
        let found = &found.measure;
        format!("{:.2} ({:.2} to {:.2})", found.value, found.low, found.high)
    });
    let against = method.first_against_this.as_ref().map(|test| test.p.map_or("-".to_owned(), |p| format!("{p:.3}")));
    let rest = vec![
        format!("{:.1} +- {:.1}", method.features.mean, method.features.std.unwrap_or(0.0)),
        stability.unwrap_or_default(),
        format!("{:.1}", method.seconds),
        against.unwrap_or_default(),
    ];
    [vec![methods::title(&method.method).to_owned()], cells(&method.scores, columns), rest].concat()
}

fn percent(spread: Spread) -> String {
    match spread.std {
        Some(std) => format!("{:.2} +- {:.2} %", 100.0 * spread.mean, 100.0 * std),
        None => format!("{:.2} %", 100.0 * spread.mean),
    }
}

fn plain(spread: Spread) -> String {
    match spread.std {
        Some(std) => format!("{} +- {}", output::number(spread.mean), output::number(std)),
        None => output::number(spread.mean),
    }
}

/// Formats the score by number of features, one line per method; empty if not computed.
fn curves(found: &EvaluationRecord) -> String {
    let every = found.methods.iter().chain(&found.baselines.random_features);
    let with: Vec<_> = every.filter_map(|method| Some((&method.method, method.curve.as_ref()?))).collect();
    let Some((_, first)) = with.first() else { return String::new() };
    let score = |score: f64| match found.task {
        "regression" => output::number(score),
        _ => format!("{:.1}", 100.0 * score),
    };
    let sizes = first.points.iter().map(|point| point.features.to_string());
    let mut lines = vec![["features".to_owned()].into_iter().chain(sizes).collect::<Vec<_>>()];
    lines[0].extend(["area", "one-se size"].map(str::to_owned));
    for (name, curve) in &with {
        let mut line = vec![methods::title(name).to_owned()];
        line.extend(curve.points.iter().map(|point| score(point.score)));
        line.extend([score(curve.area), curve.one_se.to_string()]);
        lines.push(line);
    }
    let right: Vec<usize> = (1..lines[0].len()).collect();
    let what = if found.task == "regression" { "R2" } else { "accuracy in %" };
    format!("\n{what} of the best features of every fold\n\n{}", output::aligned(&lines, &right))
}
