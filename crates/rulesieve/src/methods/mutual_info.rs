//! `mutual-info`: mutual information of a feature and the target, in nats, one feature at a time.
//!
//! | feature | classes | regression target |
//! |---|---|---|
//! | number | neighbours of the same class (Ross 2014) | neighbours in the plane (Kraskov, Stögbauer and Grassberger 2004) |
//! | category | contingency table | neighbours of the same category (Ross 2014) |
//!
//! Rounded numbers repeat, and neighbours at distance 0 would create information. As in scikit-learn, noise of 1e-10
//! standard deviations breaks such ties; here it is the same noise in every run and for every column. A number with few
//! distinct values is read as a category. Negative estimates are set to zero. The score of a group of features is that
//! of its best member.
//!
//! In one dimension neighbours are adjacent in sorted order, in the plane a k-d tree finds them: O(n log n) per
//! feature.

mod classes;
mod plane;
mod ties;

use super::settings::{ParamSpec, param};
use super::{Certainty, Fit, FitError, Iteration, MethodInfo, Prepared, Problem, Settings};
use crate::data::Target;
use crate::linalg::Matrix;
use crate::optim::{Observer, Progress};
use classes::Classes;
use plane::Numbers;
use rayon::prelude::*;
use std::ops::Range;
use ties::Noise;

/// Number of features between calls of the observer.
const OBSERVE_EVERY: usize = 64;

param!(NEIGHBOURS, "neighbours", W(3), Whole(1, 1000), "nearest neighbours that define the distance");
static SPECS: [&ParamSpec; 1] = [&NEIGHBOURS.spec];

pub(super) static INFO: MethodInfo = MethodInfo {
    name: "mutual-info",
    title: "mutual-info",
    summary: "mutual information with the target by nearest neighbours, one feature at a time; detects any dependence",
    source: "Ross, PLoS ONE 9, 2014; Kraskov, Stögbauer and Grassberger, Physical Review E 69, 2004",
    certainty: Certainty::Established,
    cost: "O(m n log n)",
    regression: true,
    params: &SPECS,
    ..MethodInfo::DEFAULT
};

pub(super) fn prepare(problem: Problem<'_>) -> Result<Box<dyn Prepared + '_>, FitError> {
    let rows = problem.target.rows();
    Ok(Box::new(OnRows { digamma: digammas(rows), noise: Noise::new(rows), problem }))
}

struct OnRows<'a> {
    problem: Problem<'a>,
    /// psi of every whole number up to the number of rows.
    digamma: Vec<f64>,
    noise: Noise,
}

impl Prepared for OnRows<'_> {
    fn fit(&self, settings: &Settings, _: u64, observer: &mut dyn Observer) -> Result<Fit, FitError> {
        let (design, k) = (self.problem.design, settings.whole(&NEIGHBOURS));
        let alone: Box<dyn Fn(Feature) -> f64 + Sync> = match self.problem.target {
            Target::Classes { codes, classes, .. } => {
                let classes = Classes::new(codes, classes.len(), &self.digamma);
                Box::new(move |feature| match feature {
                    Feature::Number(column) => classes.with_numbers(&self.noise.on_feature(column), k),
                    Feature::Category(levels, _) => classes.with_categories(&levels),
                })
            }
            Target::Numbers { values, .. } => {
                let target = self.noise.on_target(values);
                let numbers = Numbers::new(target.clone(), &self.digamma);
                Box::new(move |feature| match feature {
                    Feature::Number(column) => numbers.with_numbers(self.noise.on_feature(column), k),
                    Feature::Category(levels, count) => {
                        Classes::new(&levels, count, &self.digamma).with_numbers(&target, k)
                    }
                })
            }
        };
        let alone = |part: &Range<usize>| alone(Feature::of(&design.x, part));
        let score = |block: &Range<usize>| design.parts_of(block).iter().map(alone).fold(0.0, f64::max);
        let (blocks, mut scores, mut halted) = (&design.blocks, Vec::with_capacity(design.blocks.len()), None);
        for part in blocks.chunks(OBSERVE_EVERY) {
            scores.par_extend(part.par_iter().map(score));
            let progress = Progress { iteration: scores.len(), limit: blocks.len(), objective: None };
            halted = observer.observe(&progress).break_value();
            if halted.is_some() {
                break;
            }
        }
        let iteration = Iteration {
            count: scores.len(),
            converged: halted.is_none(),
            halted,
            terms: &[],
            trace: Vec::new(),
            diagnostics: Vec::new(),
        };
        // Skipped features.
        scores.resize(blocks.len(), 0.0);
        Ok(Fit { scores, iteration: Some(iteration), ..Fit::default() })
    }
}

/// `psi(i)` for i from 0 (unused) to `most`: minus Euler's constant plus harmonic numbers.
fn digammas(most: usize) -> Vec<f64> {
    const EULER: f64 = 0.577_215_664_901_532_9;
    let mut all = vec![0.0, -EULER];
    (1..most).for_each(|i| all.push(all[i] + 1.0 / i as f64));
    all
}

/// Maximum number of distinct values of a number that is read as a category ...
const FEW_VALUES: usize = 10;
/// ... with this many rows for each on average: the estimate from a table is then nearly unbiased.
const ROWS_PER_VALUE: usize = 20;

/// A feature as the estimators read it.
enum Feature<'a> {
    Number(&'a [f64]),
    /// The level of every row, and their number.
    Category(Vec<u32>, usize),
}

impl<'a> Feature<'a> {
    fn of(x: &'a Matrix, part: &Range<usize>) -> Self {
        if part.len() > 1 {
            return Self::Category(indicators(x, part), part.len());
        }
        let column = x.col(part.start);
        match few_values(column) {
            Some(values) => {
                let level = |value: &f64| values.partition_point(|other| other < value) as u32;
                Self::Category(column.iter().map(level).collect(), values.len())
            }
            None => Self::Number(column),
        }
    }
}

/// The values of a column in ascending order, if there are few of them.
fn few_values(column: &[f64]) -> Option<Vec<f64>> {
    let most = FEW_VALUES.min(column.len() / ROWS_PER_VALUE).max(2);
    let mut values: Vec<f64> = Vec::with_capacity(most + 1);
    for value in column {
        let at = values.partition_point(|other| other < value);
        if values.get(at) != Some(value) {
            values.insert(at, *value);
            if values.len() > most {
                return None;
            }
        }
    }
    Some(values)
}

/// The indicator that is set in every row.
fn indicators(x: &Matrix, block: &Range<usize>) -> Vec<u32> {
    let largest = |row: usize| block.clone().rev().max_by(|&a, &b| x[(row, a)].total_cmp(&x[(row, b)]));
    (0..x.rows()).map(|row| largest(row).map_or(0, |col| (col - block.start) as u32)).collect()
}

#[cfg(test)]
mod tests;
