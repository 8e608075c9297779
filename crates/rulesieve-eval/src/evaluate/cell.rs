//! Scores of a method on one table, for each setting and split. They take a thousandth of the space of the results and suffice for
//! the tables, figures and tests of a sweep over many tables.

use super::constant;
use super::measures::scores;
use super::options::Protocol;
use super::result::{CertaintyScores, Point, SplitResult, Task, TaskPart, TaskResult};
use super::run_spec::{Params, RunSpec};
use crate::stability::stability;
use rulesieve::methods::Method;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The baseline that predicts the most frequent class.
pub const MAJORITY: &str = "most frequent class";

/// A method on one table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The method, or a baseline.
    pub method: String,
    /// The settings; a single one where they were chosen by inner folds.
    pub points: Vec<CellPoint>,
    /// Seconds of all training and scoring.
    pub seconds: f64,
}

/// A setting in every split.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CellPoint {
    /// The parameters that differ between settings; none where settings were chosen by inner folds.
    #[serde(default, skip_serializing_if = "Params::is_empty")]
    pub params: Params,
    /// Where settings were chosen by inner folds: those parameters for every split.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chosen: Vec<Params>,
    /// Every score, split by split.
    pub scores: BTreeMap<String, Vec<f64>>,
    /// The stability of the selections of the splits, where it is defined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stability: Option<f64>,
    /// Why it failed in some split, if it did; it then has no scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

impl CellPoint {
    /// The mean of a score over the splits.
    pub fn mean(&self, score: &str) -> Option<f64> {
        let values = self.scores.get(score).filter(|values| !values.is_empty())?;
        Some(values.iter().sum::<f64>() / values.len() as f64)
    }
}

/// Returns the cells of all methods and baselines, the most frequent class last; `None` while tasks are left.
pub fn cells(spec: &RunSpec, results: &BTreeMap<Task, TaskResult>) -> Option<Vec<Cell>> {
    let rankers = spec.rankers();
    let mut cells = Vec::with_capacity(rankers.len() + 1);
    for (ranker, name) in rankers.into_iter().enumerate() {
        let of_split = |split: usize| match results.get(&Task { ranker, part: TaskPart::Split(split) }) {
            Some(TaskResult::Split(result)) => Some(result),
            _ => None,
        };
        let results: Vec<&SplitResult> = (0..spec.tests.len()).map(of_split).collect::<Option<_>>()?;
        let settings = spec.methods.get(ranker).map(|(name, all)| differing(name, all)).unwrap_or_default();
        let points = results.first().map_or(0, |first| first.points.len());
        let point = |at: usize| {
            let points: Vec<&Point> = results.iter().filter_map(|result| result.points.get(at)).collect();
            cell_point(spec, &points, &settings)
        };
        let seconds = results.iter().map(|result| result.seconds).sum();
        cells.push(Cell { method: name.to_owned(), points: (0..points).map(point).collect(), seconds });
    }
    if spec.baselines {
        let scores = constant::by_split(spec);
        let points =
            vec![CellPoint { params: Params::new(), chosen: Vec::new(), scores, stability: None, failed: None }];
        cells.push(Cell { method: MAJORITY.to_owned(), points, seconds: 0.0 });
    }
    Some(cells)
}

fn cell_point(spec: &RunSpec, points: &[&Point], settings: &[Params]) -> CellPoint {
    let (mut by_split, mut selections, mut failed) = (BTreeMap::<String, Vec<f64>>::new(), Vec::new(), None);
    for (split, point) in points.iter().enumerate() {
        match &point.prediction {
            Err(failure) => failed = Some(format!("split {}: {failure}", split + 1)),
            Ok((indices, prediction)) => {
                selections.push(indices.clone());
                // Saved cells of earlier versions have no other scores.
                let certainty = CertaintyScores { log_loss: prediction.certainty.log_loss, ..Default::default() };
                for (name, score) in scores(&spec.truth, &spec.tests[split], &prediction.values, &certainty) {
                    by_split.entry(name.to_owned()).or_default().push(score);
                }
            }
        }
    }
    if failed.is_some() {
        by_split.clear();
        selections.clear();
    }
    let own = |point: &&Point| settings.get(point.setting).cloned().unwrap_or_default();
    let nested = spec.protocol == Protocol::Nested && settings.len() > 1;
    CellPoint {
        params: if nested { Params::new() } else { points.first().map(own).unwrap_or_default() },
        chosen: if nested { points.iter().map(own).collect() } else { Vec::new() },
        scores: by_split,
        stability: stability(&selections, spec.features.len()).map(|found| found.value),
        failed,
    }
}

/// Returns the parameters in the method's grid (of which these settings may be a part) and those that differ between the settings.
fn differing(method: &str, settings: &[Params]) -> Vec<Params> {
    let axes = method.parse().map_or(&[][..], |method: Method| method.info().grid);
    let same = |name: &String| settings.iter().all(|one| one.get(name) == settings[0].get(name));
    let varies = |name: &String| axes.iter().any(|(axis, _)| axis == name) || !same(name);
    let only =
        |one: &Params| one.iter().filter(|(name, _)| varies(name)).map(|(n, v)| (n.clone(), v.clone())).collect();
    settings.iter().map(only).collect()
}
