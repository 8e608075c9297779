//! `anova`: the F statistic of a feature and the target, one feature at a time.
//!
//! Classes: one-way analysis of variance, `F = (SSB / (c - 1)) / (SSW / (n - c))` with the sums of squares of the
//! feature between and within the c classes. A feature coded by several indicators pools their sums of squares (Light
//! and Margolin's analysis of variance for categories, 1971).
//!
//! Regression targets: `F = r^2 (n - 2) / (1 - r^2)` with the correlation r of the feature and the target; for a
//! category the analysis of variance of the target over its k levels. The score of a group of features is that of its
//! best member.
//!
//! A feature that leaves nothing unexplained has no finite F: its score is the largest number, so that it ranks first.
//! O(n m).

use super::{Certainty, Fit, FitError, MethodInfo, Prepared, Problem, Settings};
use crate::data::Target;
use crate::optim::Observer;
use rayon::prelude::*;
use std::ops::Range;

pub(super) static INFO: MethodInfo = MethodInfo {
    name: "anova",
    title: "anova",
    summary: "F statistic of the class means, or of the correlation with a numeric target, one feature at a time",
    source: "R. A. Fisher 1925; for categories Light and Margolin 1971",
    certainty: Certainty::Established,
    cost: "O(n m)",
    regression: true,
    ..MethodInfo::DEFAULT
};

pub(super) fn prepare(problem: Problem<'_>) -> Result<Box<dyn Prepared + '_>, FitError> {
    Ok(Box::new(Statistics(problem)))
}

struct Statistics<'a>(Problem<'a>);

impl Prepared for Statistics<'_> {
    fn fit(&self, _: &Settings, _: u64, _: &mut dyn Observer) -> Result<Fit, FitError> {
        Ok(Fit { scores: statistics(&self.0), ..Fit::default() })
    }
}

/// The F statistic of every feature.
pub(super) fn statistics(problem: &Problem) -> Vec<f64> {
    let design = problem.design;
    match problem.target {
        Target::Classes { codes, .. } => {
            let classes = Classes { codes, counts: problem.target.counts() };
            let of_block = |block: &Range<usize>| classes.statistic(block.clone().map(|col| design.x.col(col)));
            design.blocks.par_iter().map(of_block).collect()
        }
        Target::Numbers { values, .. } => {
            let numbers = Numbers::new(values);
            let of_part = |part: &Range<usize>| numbers.statistic(part.clone().map(|col| design.x.col(col)));
            let of_block = |block: &Range<usize>| design.parts_of(block).iter().map(of_part).fold(0.0, f64::max);
            design.blocks.par_iter().map(of_block).collect()
        }
    }
}

/// F from explained and residual sums of squares with their degrees of freedom; sums up to `nothing` are rounding.
fn f_statistic((explained, by): (f64, f64), (residual, free): (f64, f64), nothing: f64) -> f64 {
    match (explained <= nothing, residual <= nothing) {
        (true, _) => 0.0,
        (false, true) => f64::MAX,
        (false, false) => (explained / by) / (residual / free),
    }
}

struct Classes<'a> {
    codes: &'a [u32],
    counts: Vec<usize>,
}

impl Classes<'_> {
    /// F of a feature with these columns.
    fn statistic<'a>(&self, columns: impl Iterator<Item = &'a [f64]>) -> f64 {
        let sums = columns.map(|column| self.sums_of_squares(column));
        let (between, within) = sums.fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
        let rows = self.codes.len() as f64;
        let classes = self.counts.iter().filter(|&&count| count > 0).count() as f64;
        // Scaled columns lie in 0..1.
        f_statistic((between, classes - 1.0), (within, (rows - classes).max(0.0)), 1e-24 * rows)
    }

    /// Sums of squares between and within the classes. Two passes: deviations from means avoid cancellation.
    fn sums_of_squares(&self, column: &[f64]) -> (f64, f64) {
        let mut means = vec![0.0; self.counts.len()];
        self.codes.iter().zip(column).for_each(|(&class, value)| means[class as usize] += value);
        let total = means.iter().sum::<f64>() / column.len() as f64;
        // A class may have no rows here if the rows are part of a table.
        means.iter_mut().zip(&self.counts).for_each(|(mean, &count)| *mean /= count.max(1) as f64);
        let between = means.iter().zip(&self.counts).map(|(mean, &count)| count as f64 * (mean - total).powi(2)).sum();
        let within = self.codes.iter().zip(column).map(|(&class, value)| (value - means[class as usize]).powi(2)).sum();
        (between, within)
    }
}

/// A regression target: centred, with deviations of at most 1.
struct Numbers {
    centred: Vec<f64>,
    squares: f64,
}

impl Numbers {
    fn new(values: &[f64]) -> Self {
        let rows = values.len() as f64;
        let most = values.iter().fold(f64::MIN_POSITIVE, |most, value| value.abs().max(most));
        let mean = values.iter().map(|value| value / most).sum::<f64>() / rows;
        let mut centred: Vec<f64> = values.iter().map(|value| value / most - mean).collect();
        let largest = centred.iter().fold(f64::MIN_POSITIVE, |most, value| value.abs().max(most));
        centred.iter_mut().for_each(|value| *value /= largest);
        let squares = centred.iter().map(|value| value * value).sum();
        Self { centred, squares }
    }

    /// F of a number, or of a category with these indicators.
    fn statistic<'a>(&self, columns: impl ExactSizeIterator<Item = &'a [f64]>) -> f64 {
        let rows = self.centred.len() as f64;
        let levels = columns.len();
        let mut present = 0.0;
        let explained: f64 = columns
            .map(|column| {
                let (explained, occurs) = if levels == 1 { self.of_number(column) } else { self.of_level(column) };
                present += f64::from(u8::from(occurs));
                explained
            })
            .sum();
        let by = if levels == 1 { 1.0 } else { present - 1.0 };
        let residual = self.squares - explained;
        // Differences of sums of squares lose the last digits.
        f_statistic((explained, by), (residual, (rows - 1.0 - by).max(0.0)), 1e-13 * self.squares)
    }

    /// The explained sum of squares of the regression on a column, and whether it varies.
    fn of_number(&self, column: &[f64]) -> (f64, bool) {
        let mean = column.iter().sum::<f64>() / column.len() as f64;
        let squares: f64 = column.iter().map(|value| (value - mean).powi(2)).sum();
        let both: f64 = column.iter().zip(&self.centred).map(|(value, target)| (value - mean) * target).sum();
        if squares <= 1e-24 * column.len() as f64 { (0.0, false) } else { (both * both / squares, true) }
    }

    /// The contribution of the rows of a level to the sum of squares between levels, and whether there are any.
    fn of_level(&self, indicator: &[f64]) -> (f64, bool) {
        let count: f64 = indicator.iter().sum();
        let sum: f64 = indicator.iter().zip(&self.centred).map(|(own, target)| own * target).sum();
        if count > 0.0 { (sum * sum / count, true) } else { (0.0, false) }
    }
}
