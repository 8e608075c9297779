//! Tables of an evaluation.

use crate::output::{self, Cell, Document, Head, Table, exact};
use rulesieve::methods;
use rulesieve_eval::evaluate::{EvaluationRecord, MAJORITY, MethodRecord, Spread, Spreads};

/// Formats an evaluation as tables.
pub(crate) fn document(found: &EvaluationRecord, input: &str) -> Document {
    let columns = columns(found);
    let score =
        |(name, title): &(&'static str, &'static str)| Head::right(*title).fields(&[name, &format!("{name}_std")]);
    let last = [
        Head::right("features").fields(&["features", "features_std"]),
        Head::right("stability (95 %)").fields(&["stability", "stability_low", "stability_high"]),
        Head::right("seconds"),
        Head::right("p against the first").fields(&["p_against_first"]),
    ];
    let mut table = Table::new([Head::left("method")].into_iter().chain(columns.iter().map(score)).chain(last));
    let base = &found.baselines;
    let baselines = base.all_features.iter().chain(&base.random_features);
    found.methods.iter().chain(baselines).for_each(|one| table.push(line(one, &columns)));
    for (name, scores) in [(MAJORITY, &base.majority), ("mean", &base.mean)] {
        if let Some(scores) = scores {
            table.push([name.into()].into_iter().chain(cells(scores, &columns)));
        }
    }
    let mut document = Document::new();
    document.text(heading(found, input));
    document.table(table);
    curves(found, &mut document);
    document
}

fn heading(found: &EvaluationRecord, input: &str) -> String {
    let classes = match found.class_names.len() {
        0 => format!("numeric target {}", output::shown(&found.target)),
        count => format!("{count} classes of {}", output::shown(&found.target)),
    };
    format!(
        "{}: {}, {} features, {classes}{}\nprotocol {}: {}{}, {}\n\n",
        output::shown(input),
        output::rows(found.samples, &found.warnings),
        found.features,
        if found.permuted_labels { ", labels shuffled" } else { "" },
        found.protocol,
        found.splits_text(),
        found.inner_folds.map_or(String::new(), |folds| format!(", {folds} inner folds")),
        found.estimator_text(),
    )
}

/// Returns the names and titles of the printed scores.
fn columns(found: &EvaluationRecord) -> Vec<(&'static str, &'static str)> {
    let mut columns = match found.task {
        "regression" => vec![("r2", "R2"), ("rmse", "RMSE")],
        _ => vec![
            ("accuracy", "accuracy"),
            ("macro_f1", "macro-F1"),
            ("roc_auc", "ROC AUC"),
            ("average_precision", "precision"),
        ],
    };
    columns.retain(|(name, _)| found.scores_of(name).next().is_some());
    if found.scores_of("log_loss").next().is_some() {
        columns.push(("log_loss", "log-loss"));
    }
    columns
}

fn cells(scores: &Spreads, columns: &[(&'static str, &'static str)]) -> Vec<Cell> {
    let cell = |(name, _): &(&'static str, &'static str)| match scores.get(name) {
        None => Cell::default(),
        Some(spread) => cell_of(
            spread,
            match *name {
                "accuracy" | "macro_f1" => percent(*spread),
                "roc_auc" | "average_precision" => format!("{:.3}", spread.mean),
                _ => plain(*spread),
            },
        ),
    };
    columns.iter().map(cell).collect()
}

/// A mean and a standard deviation with their text.
fn cell_of(spread: &Spread, text: String) -> Cell {
    Cell::new(text, [exact(spread.mean), spread.std.map(exact).unwrap_or_default()])
}

fn line(method: &MethodRecord, columns: &[(&'static str, &'static str)]) -> Vec<Cell> {
    let stability = method.stability.as_ref().map(|found| {
        let found = &found.measure;
        let text = format!("{:.2} ({:.2} to {:.2})", found.value, found.low, found.high);
        Cell::new(text, [found.value, found.low, found.high].map(exact))
    });
    let against = method.first_against_this.as_ref();
    let against = against.map(|test| test.p.map_or("-".into(), |p| Cell::precise(format!("{p:.3}"), p)));
    let features = format!("{:.1} +- {:.1}", method.features.mean, method.features.std.unwrap_or(0.0));
    let rest = [
        cell_of(&method.features, features),
        stability.unwrap_or_default(),
        Cell::precise(format!("{:.1}", method.seconds), method.seconds),
        against.unwrap_or_default(),
    ];
    let title = Cell::new(methods::title(&method.method), [method.method.clone()]);
    [title].into_iter().chain(cells(&method.scores, columns)).chain(rest).collect()
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

/// Formats the score by number of features, one line per method, if computed.
fn curves(found: &EvaluationRecord, document: &mut Document) {
    let every = found.methods.iter().chain(&found.baselines.random_features);
    let with: Vec<_> = every.filter_map(|method| Some((&method.method, method.curve.as_ref()?))).collect();
    let Some((_, first)) = with.first() else { return };
    let score = |score: f64| {
        let percent = || format!("{:.1}", 100.0 * score);
        Cell::precise(if found.task == "regression" { output::number(score) } else { percent() }, score)
    };
    let sizes = first.points.iter().map(|point| Head::right(point.features.to_string()));
    let last = ["area", "one-se size"].map(Head::right);
    let mut table = Table::new([Head::left("features")].into_iter().chain(sizes).chain(last));
    for (name, curve) in &with {
        let points = curve.points.iter().map(|point| score(point.score));
        let last = [score(curve.area), curve.one_se.into()];
        table.push([methods::title(name).into()].into_iter().chain(points).chain(last));
    }
    let what = if found.task == "regression" { "R2" } else { "accuracy in %" };
    document.text(format!("\n{what} of the best features of every fold\n\n"));
    document.table(table);
}
