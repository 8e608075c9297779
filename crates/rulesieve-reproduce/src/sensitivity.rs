//! Sensitivity of the paper's method: two of alpha, beta, gamma varied, the third at its best value.

use crate::document::Block;
use crate::printed::OURS;
use crate::results::{Measure, Results, View};
use rulesieve::select::Value;
use rulesieve_eval::evaluate::CellPoint;
use rulesieve_report::charts::{Chart, Heat, Panels, Shading};

/// The data sets in the paper's figure.
pub(crate) const SETS: [&str; 4] = ["arrhythmia", "control", "vote", "yale"];

const PAIRS: [(&str, &str, &str); 3] =
    [("alpha", "beta", "gamma"), ("alpha", "gamma", "beta"), ("beta", "gamma", "alpha")];

/// Creates three heat maps for each evaluated data set.
pub(crate) fn figures(results: &Results) -> Vec<Block> {
    let mut blocks = Vec::new();
    for set in SETS {
        let points = results.points(View::Paper, set, OURS);
        let Some(best) = results.best(View::Paper, set, OURS, Measure::Accuracy) else { continue };
        if values(&points, "alpha").len() < 2 {
            continue;
        }
        let all: Vec<f64> = points.iter().filter_map(|point| point.mean("accuracy")).map(|mean| 100.0 * mean).collect();
        let (low, high) = (all.iter().copied().fold(f64::INFINITY, f64::min), all.iter().copied().fold(0.0, f64::max));
        let panels: Vec<(String, Box<dyn Chart>)> = PAIRS
            .iter()
            .map(|&(row, column, fixed)| {
                let at = number(best, fixed);
                (
                    format!("{fixed} = {at}"),
                    Box::new(map(&points, (row, column), (fixed, at), (low, high))) as Box<dyn Chart>,
                )
            })
            .collect();
        let chart = Panels { panels, columns: 3, legend: Vec::new(), lines: false };
        let figure = chart
            .figure(&format!("sensitivity-{set}"), &format!("Accuracy of ldr-tsk on {set} against its parameters"));
        blocks.push(Block::Figure(Box::new(figure)));
        blocks.push(Block::Text(format!(
            "{set}: {} settings lie between {low:.2} and {high:.2} %, half of them above {:.2} %.",
            all.len(),
            median(all)
        )));
    }
    blocks
}

/// Creates a heat map; those of a data set share their scale.
fn map(points: &[&CellPoint], (row, column): (&str, &str), (fixed, at): (&str, f64), range: (f64, f64)) -> Heat {
    let (rows, columns) = (values(points, row), values(points, column));
    let score = |y: f64, x: f64| {
        let here =
            |point: &&&CellPoint| number(point, row) == y && number(point, column) == x && number(point, fixed) == at;
        points.iter().find(here).and_then(|point| point.mean("accuracy")).map_or(f64::NAN, |mean| 100.0 * mean)
    };
    Heat {
        values: rows.iter().map(|&y| columns.iter().map(|&x| score(y, x)).collect()).collect(),
        rows: rows.iter().map(ToString::to_string).collect(),
        columns: columns.iter().map(ToString::to_string).collect(),
        shading: Shading::Sequential,
        range: Some(range),
        digits: Some(1),
        row_title: row.to_owned(),
        column_title: column.to_owned(),
        value_title: "accuracy in %".to_owned(),
    }
}

pub(crate) fn number(point: &CellPoint, name: &str) -> f64 {
    match point.params.get(name) {
        Some(Value::Number(number)) => *number,
        _ => f64::NAN,
    }
}

/// Returns the distinct values of a parameter, ascending.
pub(crate) fn values(points: &[&CellPoint], name: &str) -> Vec<f64> {
    let mut values: Vec<f64> =
        points.iter().map(|point| number(point, name)).filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => values[count / 2],
        count => (values[count / 2 - 1] + values[count / 2]) / 2.0,
    }
}
