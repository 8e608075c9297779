//! A method on one table as scores alone, every setting in every split: a thousandth of the outcomes, and enough for the tables,
//! figures and tests of a sweep over many tables.

use super::constant;
use super::frame::{Frame, Params};
use super::measures::scores;
use super::options::Protocol;
use super::outcome::{Judged, Outcome, Point, Task, TaskPart};
use crate::stability::stability;
use rulesieve::methods;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The name under which the most frequent class answers.
pub const MAJORITY: &str = "most frequent class";

/// A method on one table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The method, or a baseline.
    pub method: String,
    /// The settings that were judged; one where settings were chosen inside every split.
    pub points: Vec<CellPoint>,
    /// Seconds of everything that was learned and judged.
    pub seconds: f64,
}

/// A setting in every split.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CellPoint {
    /// The parameters that tell settings apart; none where settings were chosen inside.
    #[serde(default, skip_serializing_if = "Params::is_empty")]
    pub params: Params,
    /// Where settings were chosen inside: those parameters for every split.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chosen: Vec<Params>,
    /// Every score, split by split.
    pub scores: BTreeMap<String, Vec<f64>>,
    /// How alike the selections of the splits are, where that can be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stability: Option<f64>,
    /// Why it could not be used in some split, where it could not; it then has no scores.
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

/// The cells of everything that was judged in every split, the most frequent class last; nothing while work is left.
pub fn cells(frame: &Frame, outcomes: &BTreeMap<Task, Outcome>) -> Option<Vec<Cell>> {
    let rankers = frame.rankers();
    let mut cells = Vec::with_capacity(rankers.len() + 1);
    for (ranker, name) in rankers.into_iter().enumerate() {
        let judged = |split: usize| match outcomes.get(&Task { ranker, part: TaskPart::Split(split) }) {
            Some(Outcome::Judged(judged)) => Some(judged),
            _ => None,
        };
        let judged: Vec<&Judged> = (0..frame.tests.len()).map(judged).collect::<Option<_>>()?;
        let settings = frame.methods.get(ranker).map(|(name, all)| telling(name, all)).unwrap_or_default();
        let points = judged.first().map_or(0, |first| first.points.len());
        let point = |at: usize| {
            let points: Vec<&Point> = judged.iter().filter_map(|judged| judged.points.get(at)).collect();
            cell_point(frame, &points, &settings)
        };
        let seconds = judged.iter().map(|judged| judged.seconds).sum();
        cells.push(Cell { method: name.to_owned(), points: (0..points).map(point).collect(), seconds });
    }
    if frame.baselines {
        let scores = constant::by_split(frame);
        let points =
            vec![CellPoint { params: Params::new(), chosen: Vec::new(), scores, stability: None, failed: None }];
        cells.push(Cell { method: MAJORITY.to_owned(), points, seconds: 0.0 });
    }
    Some(cells)
}

fn cell_point(frame: &Frame, points: &[&Point], settings: &[Params]) -> CellPoint {
    let (mut by_split, mut kept, mut failed) = (BTreeMap::<String, Vec<f64>>::new(), Vec::new(), None);
    for (split, point) in points.iter().enumerate() {
        match &point.verdict {
            Err(failure) => failed = Some(format!("split {}: {failure}", split + 1)),
            Ok((places, verdict)) => {
                kept.push(places.clone());
                for (name, score) in scores(&frame.truth, &frame.tests[split], &verdict.answers, verdict.log_loss) {
                    by_split.entry(name.to_owned()).or_default().push(score);
                }
            }
        }
    }
    if failed.is_some() {
        by_split.clear();
        kept.clear();
    }
    let own = |point: &&Point| settings.get(point.setting).cloned().unwrap_or_default();
    let nested = frame.protocol == Protocol::Nested && settings.len() > 1;
    CellPoint {
        params: if nested { Params::new() } else { points.first().map(own).unwrap_or_default() },
        chosen: if nested { points.iter().map(own).collect() } else { Vec::new() },
        scores: by_split,
        stability: stability(&kept, frame.features.len()).map(|found| found.value),
        failed,
    }
}

/// The parameters that tell settings apart: those of the method's grid, of which this may be a part, and those that differ here.
fn telling(method: &str, settings: &[Params]) -> Vec<Params> {
    let axes = methods::find(method).map(|method| method.info().grid).unwrap_or_default();
    let same = |name: &String| settings.iter().all(|one| one.get(name) == settings[0].get(name));
    let tells = |name: &String| axes.iter().any(|(axis, _)| axis == name) || !same(name);
    let only = |one: &Params| one.iter().filter(|(name, _)| tells(name)).map(|(n, v)| (n.clone(), v.clone())).collect();
    settings.iter().map(only).collect()
}
