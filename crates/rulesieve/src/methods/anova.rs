//! `anova`: the F statistic of one-way analysis of variance.
//!
//! `F = (SSB / (c - 1)) / (SSW / (n - c))` with the sums of squares between and within the c classes. A feature coded
//! by several indicators pools their sums of squares (Light and Margolin's analysis of variance for categories, 1971).
//! A feature that varies between but not within the classes has no finite F: its score is the largest number, so that a
//! perfect separator ranks first. O(n m).

use super::{Algorithm, Certainty, Fit, FitError, MethodInfo, OwnSize, Prepared, Problem, Settings};
use crate::optim::Observer;
use rayon::prelude::*;

/// The `anova` method, see the module.
pub(super) struct Anova;

static INFO: MethodInfo = MethodInfo {
    name: "anova",
    title: "anova",
    summary: "F statistic of the class means, one feature at a time",
    source: "R. A. Fisher 1925; for categories Light and Margolin 1971",
    certainty: Certainty::Established,
    cost: "O(n m)",
    regression: false,
    weights: false,
    own_size: OwnSize::Never,
    tunes: None,
    grid: &[],
    params: &[],
};

impl Algorithm for Anova {
    fn info(&self) -> &'static MethodInfo {
        &INFO
    }

    fn prepare<'a>(&self, problem: Problem<'a>) -> Result<Box<dyn Prepared + 'a>, FitError> {
        Ok(Box::new(OnClasses { counts: problem.target.counts(), problem }))
    }
}

/// The F statistic of every feature.
pub(super) fn statistics(problem: &Problem) -> Vec<f64> {
    OnClasses { counts: problem.target.counts(), problem: *problem }.statistics()
}

struct OnClasses<'a> {
    problem: Problem<'a>,
    counts: Vec<usize>,
}

impl Prepared for OnClasses<'_> {
    fn fit(&self, _: &Settings, _: u64, _: &mut dyn Observer) -> Result<Fit, FitError> {
        Ok(Fit { scores: self.statistics(), ..Fit::default() })
    }
}

impl OnClasses<'_> {
    fn statistics(&self) -> Vec<f64> {
        let scores = self.problem.design.blocks.par_iter().map(|block| {
            let sums = block.clone().map(|col| self.sums_of_squares(self.problem.design.x.col(col)));
            let (between, within) = sums.fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
            self.statistic(between, within)
        });
        scores.collect()
    }

    /// Sums of squares between and within the classes. Two passes: deviations from means avoid cancellation.
    fn sums_of_squares(&self, column: &[f64]) -> (f64, f64) {
        let codes = self.problem.target.codes();
        let mut means = vec![0.0; self.counts.len()];
        codes.iter().zip(column).for_each(|(&class, value)| means[class as usize] += value);
        let total = means.iter().sum::<f64>() / column.len() as f64;
        // A class may have no rows here if the rows are part of a table.
        means.iter_mut().zip(&self.counts).for_each(|(mean, &count)| *mean /= count.max(1) as f64);
        let between = means.iter().zip(&self.counts).map(|(mean, &count)| count as f64 * (mean - total).powi(2)).sum();
        let within = codes.iter().zip(column).map(|(&class, value)| (value - means[class as usize]).powi(2)).sum();
        (between, within)
    }

    fn statistic(&self, between: f64, within: f64) -> f64 {
        let classes = self.counts.iter().filter(|&&count| count > 0).count() as f64;
        let free = (self.problem.target.codes().len() as f64 - classes).max(0.0);
        // Scaled columns lie in 0..1: sums of squares below this are rounding.
        let nothing = 1e-24 * self.problem.target.codes().len() as f64;
        match (between <= nothing, within <= nothing) {
            (true, _) => 0.0,
            (false, true) => f64::MAX,
            (false, false) => (between / (classes - 1.0)) / (within / free),
        }
    }
}
