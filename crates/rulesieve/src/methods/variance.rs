//! `variance`: the variance of a feature after min-max scaling, independent of the target.
//!
//! A baseline that ignores the target. The score is the population variance of the scaled column; for a feature coded
//! by several indicators their sum, which is the Gini impurity of its categories. O(n m).

use super::{Certainty, Fit, FitError, MethodInfo, Prepared, Problem, Settings};
use crate::optim::Observer;
use rayon::prelude::*;

pub(super) static INFO: MethodInfo = MethodInfo {
    name: "variance",
    title: "variance",
    summary: "variance of the scaled column, without regard to the target",
    source: "textbook",
    certainty: Certainty::Established,
    cost: "O(n m)",
    regression: true,
    ..MethodInfo::DEFAULT
};

pub(super) fn prepare(problem: Problem<'_>) -> Result<Box<dyn Prepared + '_>, FitError> {
    Ok(Box::new(OnDesign(problem)))
}

struct OnDesign<'a>(Problem<'a>);

impl Prepared for OnDesign<'_> {
    fn fit(&self, _: &Settings, _: u64, _: &mut dyn Observer) -> Result<Fit, FitError> {
        let design = self.0.design;
        let scores = design.blocks.par_iter().map(|block| block.clone().map(|col| variance(design.x.col(col))).sum());
        Ok(Fit { scores: scores.collect(), ..Fit::default() })
    }
}

fn variance(column: &[f64]) -> f64 {
    let count = column.len() as f64;
    let mean = column.iter().sum::<f64>() / count;
    column.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count
}
