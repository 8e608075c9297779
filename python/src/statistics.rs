//! Comparison of methods over data sets, and stability of selections.

use super::{json, value_error};
use pyo3::prelude::*;
use rulesieve_eval::statistics::{CompareOptions, Scores};

/// Maximum number of features.
const MAX_FEATURES: usize = 100_000_000;

/// Tests whether methods differ; returns the record as JSON.
#[pyfunction]
pub(super) fn compare(
    datasets: Vec<String>,
    methods: Vec<String>,
    scores: Vec<Vec<f64>>,
    control: Option<String>,
    alpha: f64,
    higher_is_better: bool,
) -> PyResult<String> {
    let scores = Scores::new(datasets, methods, scores).map_err(value_error)?;
    let options = CompareOptions { control, alpha, higher_is_better };
    json(&rulesieve_eval::statistics::compare(&scores, &options).map_err(value_error)?)
}

/// Computes Nogueira's measure and its 95 % interval; `None` if undefined.
#[pyfunction]
pub(super) fn stability(selections: Vec<Vec<usize>>, features: usize) -> PyResult<Option<(f64, f64, f64)>> {
    if features > MAX_FEATURES {
        return Err(value_error(format!("n_features={features} is not allowed; it must be at most {MAX_FEATURES}")));
    }
    if let Some(index) = selections.iter().flatten().find(|&&index| index >= features) {
        return Err(value_error(format!("feature index {index} is out of range; there are {features} features")));
    }
    let found = rulesieve_eval::stability::stability(&selections, features);
    Ok(found.map(|found| (found.value, found.low, found.high)))
}
