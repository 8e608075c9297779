//! Comparison with the NumPy reference program from the same start; `tests/golden/make.py` creates the records.

use super::fit::fit;
use super::params::Params;
use super::projection::{Decomposed, Projector};
use super::state::State;
use crate::linalg::Matrix;
use crate::optim::Silent;
use serde_json::Value;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

fn matrix(value: &Value) -> Matrix {
    let rows: Vec<Vec<f64>> = value.as_array().unwrap().iter().map(numbers).collect();
    Matrix::from_fn(rows.len(), rows[0].len(), |row, col| rows[row][col])
}

fn assert_parity(record: &str) {
    let record: Value = serde_json::from_str(record).unwrap();
    let (x, y) = (matrix(&record["x"]), numbers(&record["y"]));
    let start = &record["start"];
    let state = State {
        x_hat: matrix(&start["x_hat"]),
        f: matrix(&start["f"]),
        p: matrix(&start["p"]),
        p0: numbers(&start["p0"]),
    };
    let trace = matrix(&record["trace"]);
    let params = Params { iterations: trace.rows(), tolerance: 0.0, d: state.x_hat.cols(), ..Params::default() };
    let y = Matrix::from_column_major(y.len(), 1, y).unwrap();
    let data = Decomposed::new(&x).unwrap();
    let outcome = fit(&data, &y, &params, state, &mut Silent).unwrap();

    assert_eq!(outcome.trace.len(), trace.rows());
    for (iteration, terms) in outcome.trace.iter().enumerate() {
        for (term, value) in terms.values().into_iter().enumerate() {
            let expected = trace[(iteration, term)];
            let error = ((value - expected) / expected).abs();
            assert!(error < 1e-8, "iteration {iteration}, term {term}: {value} against {expected}");
        }
    }
    let q = Projector::new(&data, &params).unwrap().rows(&outcome.projection, 0..x.cols());
    let expected = matrix(&record["q"]);
    let difference = Matrix::from_fn(q.rows(), q.cols(), |i, j| q[(i, j)] - expected[(i, j)]);
    let error = (difference.norm_squared() / expected.norm_squared()).sqrt();
    assert!(error < 1e-8, "Q: relative error {error}");
}

#[test]
fn more_samples_than_columns() {
    assert_parity(include_str!("../../../tests/golden/tall.json"));
}

#[test]
fn more_columns_than_samples() {
    assert_parity(include_str!("../../../tests/golden/wide.json"));
}
