//! Comparing methods over data sets, and how alike selections are.

use super::{json, refused};
use pyo3::prelude::*;
use rulesieve_eval::statistics::{CompareOptions, Scores};

/// Features whose shares can be counted.
const MOST_FEATURES: usize = 100_000_000;

/// Whether methods differ, as JSON.
#[pyfunction]
pub(super) fn compare(
    datasets: Vec<String>,
    methods: Vec<String>,
    scores: Vec<Vec<f64>>,
    control: Option<String>,
    alpha: f64,
    higher_is_better: bool,
) -> PyResult<String> {
    let scores = Scores::new(datasets, methods, scores).map_err(refused)?;
    let options = CompareOptions { control, alpha, higher_is_better };
    json(&rulesieve_eval::statistics::compare(&scores, &options).map_err(refused)?)
}

/// Nogueira's measure and its 95 % interval; nothing where it is not defined.
#[pyfunction]
pub(super) fn stability(selections: Vec<Vec<usize>>, features: usize) -> PyResult<Option<(f64, f64, f64)>> {
    if features > MOST_FEATURES {
        return Err(refused(format!("n_features={features} is not allowed; it must be at most {MOST_FEATURES}")));
    }
    if let Some(place) = selections.iter().flatten().find(|&&place| place >= features) {
        return Err(refused(format!("feature {place} is selected, and there are {features}")));
    }
    let found = rulesieve_eval::stability::stability(&selections, features);
    Ok(found.map(|found| (found.value, found.low, found.high)))
}
