//! `relieff`: features in which a sample differs from its neighbours of other classes more than from those of its own
//! (Kononenko 1994; Robnik-Sikonja and Kononenko 2003); with a regression target RReliefF (`regression`).
//!
//! For every sample the k nearest of its class (hits) and of every other class (misses) are found; with P the class
//! shares, `W_f = mean over samples of  sum_C P(C) / (1 - P(own)) mean_misses(C) diff_f  -  mean_hits diff_f`. The
//! difference of two numbers is that of the scaled values, in 0..1; of two categories 0 or 1; that of a group of
//! features is the sum over its members. Distances are sums of differences over the features present in both samples,
//! divided by their number; missing values are ignored in distances and weights. Ties in distance go to the first
//! rows.
//!
//! O(s n m) for s samples without an n x n matrix: distances are computed for a few samples at a time.

mod regression;

use super::fuzzy::samples_in_columns;
use super::settings::{AUTO, ParamSpec, param};
use super::{Certainty, Fit, FitError, Iteration, MethodInfo, Prepared, Problem, Settings};
use crate::data::Target;
use crate::linalg::{Matrix, widest};
use crate::optim::{Observer, Progress};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::ops::Range;

/// Number of samples whose distances are computed together, to share the reads of a column.
const CHUNK: usize = 8;
/// Number of samples between calls of the observer.
const OBSERVE_EVERY: usize = 256;
/// The same with missing values, which are more expensive.
const OBSERVE_EVERY_MISSING: usize = 16;

param!(
    NEIGHBOURS,
    "neighbours",
    W(10),
    Whole(1, 100_000),
    "hits and misses of every class; for regression, neighbours"
);
param!(
    SAMPLES,
    "samples",
    Word(AUTO),
    WholeOrAuto(1, 1 << 40),
    "number of samples whose neighbours are used; auto: all"
);
static SPECS: [&ParamSpec; 2] = [&NEIGHBOURS.spec, &SAMPLES.spec];

pub(super) static INFO: MethodInfo = MethodInfo {
    name: "relieff",
    title: "relieff",
    summary: "differences from near samples of other classes or targets minus those of the same; detects interactions",
    source: "Kononenko, ECML 1994; Robnik-Sikonja and Kononenko, ICML 1997 and Machine Learning 53, 2003",
    certainty: Certainty::Established,
    cost: "O(n^2 m), or O(samples n m); missing values add their number times n log m",
    regression: true,
    params: &SPECS,
    ..MethodInfo::DEFAULT
};

pub(super) fn prepare(problem: Problem<'_>) -> Result<Box<dyn Prepared + '_>, FitError> {
    Ok(Box::new(OnRows::new(problem)))
}

struct OnRows<'a> {
    problem: Problem<'a>,
    /// Columns of a category are halved, so that their differences sum to 0 or 1.
    columns: Matrix,
    /// The transpose, with samples in columns.
    samples: Matrix,
    /// For every row the features with a missing value, ascending.
    missing: Vec<Vec<usize>>,
    goal: Goal,
}

/// The target.
enum Goal {
    /// The rows of every class.
    Classes(Vec<Vec<usize>>),
    Numbers(regression::Numbers),
}

impl<'a> OnRows<'a> {
    fn new(problem: Problem<'a>) -> Self {
        let (x, parts) = (&problem.design.x, &problem.design.parts);
        let mut columns = x.clone();
        for col in parts.iter().filter(|part| part.len() > 1).flat_map(|part| part.clone()) {
            columns.col_mut(col).iter_mut().for_each(|value| *value *= 0.5);
        }
        let mut missing = vec![Vec::new(); x.rows()];
        for (feature, rows) in &problem.design.filled {
            rows.iter().for_each(|&row| missing[row].push(*feature));
        }
        let goal = match problem.target {
            Target::Classes { classes, codes, .. } => {
                let mut members = vec![Vec::new(); classes.len()];
                codes.iter().enumerate().for_each(|(row, &code)| members[code as usize].push(row));
                Goal::Classes(members)
            }
            Target::Numbers { values, .. } => Goal::Numbers(regression::Numbers::new(values)),
        };
        let samples = samples_in_columns(&columns);
        Self { problem, columns, samples, missing, goal }
    }
}

impl Prepared for OnRows<'_> {
    fn fit(&self, settings: &Settings, seed: u64, observer: &mut dyn Observer) -> Result<Fit, FitError> {
        let rows = self.problem.target.rows();
        let mut chosen: Vec<usize> = (0..rows).collect();
        if let Some(wanted) = settings.auto_whole(&SAMPLES).filter(|&wanted| wanted < rows) {
            chosen.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
            chosen.truncate(wanted);
            chosen.sort_unstable();
        }
        let neighbours = settings.whole(&NEIGHBOURS);
        let (mut sums, mut done, mut halted) = (vec![0.0; self.sums()], 0, None);
        let every = if self.problem.design.filled.is_empty() { OBSERVE_EVERY } else { OBSERVE_EVERY_MISSING };
        for part in chosen.chunks(every) {
            let weights: Vec<Vec<f64>> = part.par_chunks(CHUNK).map(|some| self.weights(some, neighbours)).collect();
            // Summed in the order of the rows, independent of the number of threads.
            weights.iter().for_each(|own| sums.iter_mut().zip(own).for_each(|(sum, weight)| *sum += weight));
            done += part.len();
            let progress = Progress { iteration: done, limit: chosen.len(), objective: None };
            halted = observer.observe(&progress).break_value();
            if halted.is_some() {
                break;
            }
        }
        let scores = match &self.goal {
            Goal::Classes(_) => sums.into_iter().map(|sum| sum / done.max(1) as f64).collect(),
            Goal::Numbers(_) => regression::scores(&sums),
        };
        let iteration = Iteration {
            count: done,
            converged: halted.is_none(),
            halted,
            terms: &[],
            trace: Vec::new(),
            diagnostics: Vec::new(),
        };
        Ok(Fit { scores, iteration: Some(iteration), ..Fit::default() })
    }
}

impl OnRows<'_> {
    /// Number of sums over the samples.
    fn sums(&self) -> usize {
        let features = self.problem.design.blocks.len();
        match &self.goal {
            Goal::Classes(_) => features,
            Goal::Numbers(_) => regression::sums(features),
        }
    }

    /// The sum of the contributions of some samples to every feature; for regression, the sums for its scores.
    fn weights(&self, some: &[usize], neighbours: usize) -> Vec<f64> {
        let rows = self.columns.rows();
        let mut distances = vec![0.0; some.len() * rows];
        widest!(|| self.add_distances(some, &mut distances));
        let mut weights = vec![0.0; self.sums()];
        let mut differences = Differences::new(self);
        for (&row, distances) in some.iter().zip(distances.chunks_mut(rows)) {
            self.leave_out_missing(row, distances);
            match &self.goal {
                Goal::Classes(all) => {
                    let own = self.problem.target.codes()[row] as usize;
                    let others = (rows - all[own].len()) as f64;
                    for (class, members) in all.iter().enumerate().filter(|(_, members)| !members.is_empty()) {
                        let near = nearest(members, distances, row, neighbours);
                        let factor = if class == own { -1.0 } else { members.len() as f64 / others };
                        differences.add(row, &near, |_| 1.0, factor, &mut weights);
                    }
                }
                Goal::Numbers(numbers) => {
                    let near = nearest(numbers.rows(), distances, row, neighbours);
                    numbers.add(row, &near, &mut differences, &mut weights);
                }
            }
        }
        weights
    }

    /// Sums of differences of some samples with all.
    #[inline(always)]
    fn add_distances(&self, some: &[usize], distances: &mut [f64]) {
        let rows = self.columns.rows();
        for col in 0..self.columns.cols() {
            let column = self.columns.col(col);
            for (&row, distances) in some.iter().zip(distances.chunks_mut(rows)) {
                let value = column[row];
                distances.iter_mut().zip(column).for_each(|(sum, other)| *sum += (other - value).abs());
            }
        }
    }

    /// Divides sums by the number of features present in both samples.
    fn leave_out_missing(&self, row: usize, distances: &mut [f64]) {
        if self.problem.design.filled.is_empty() {
            return;
        }
        let features = self.problem.design.blocks.len();
        for (other, distance) in distances.iter_mut().enumerate() {
            let absent = self.absent(row, other);
            let without: f64 = absent.iter().map(|&feature| self.difference(feature, row, other)).sum();
            // Samples without a common feature are not neighbours.
            *distance = match features - absent.len() {
                0 => f64::INFINITY,
                shared => (*distance - without).max(0.0) / shared as f64,
            };
        }
    }

    /// Features missing in one of two samples.
    fn absent(&self, a: usize, b: usize) -> Vec<usize> {
        let (a, b) = (&self.missing[a], &self.missing[b]);
        let theirs = b.iter().filter(|feature| a.binary_search(feature).is_err());
        a.iter().chain(theirs).copied().collect()
    }

    fn lacks(&self, row: usize, feature: usize) -> bool {
        self.missing[row].binary_search(&feature).is_ok()
    }

    fn difference(&self, feature: usize, a: usize, b: usize) -> f64 {
        let block: Range<usize> = self.problem.design.blocks[feature].clone();
        let (a, b) = (&self.samples.col(a)[block.clone()], &self.samples.col(b)[block]);
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum()
    }
}

/// The nearest members of a class, except the row itself.
fn nearest(members: &[usize], distances: &[f64], row: usize, count: usize) -> Vec<usize> {
    let near = |other: &usize| *other != row && distances[*other].is_finite();
    let mut others: Vec<usize> = members.iter().copied().filter(near).collect();
    let order = |a: &usize, b: &usize| distances[*a].total_cmp(&distances[*b]).then(a.cmp(b));
    if count < others.len() {
        others.select_nth_unstable_by(count, order);
        others.truncate(count);
    }
    // Sorted, so that sums do not depend on the order of the partial selection.
    others.sort_unstable();
    others
}

/// Sums of differences between one sample and others, per feature.
struct Differences<'a> {
    on: &'a OnRows<'a>,
    /// For every column.
    sums: Vec<f64>,
}

impl<'a> Differences<'a> {
    fn new(on: &'a OnRows<'a>) -> Self {
        Self { on, sums: vec![0.0; on.columns.cols()] }
    }

    /// Adds the factor times the mean difference of a row with its neighbours, each times its share, to the weights.
    fn add(&mut self, row: usize, near: &[usize], share: impl Fn(usize) -> f64, factor: f64, weights: &mut [f64]) {
        let (own, blocks) = (self.on.samples.col(row), &self.on.problem.design.blocks);
        self.sums.fill(0.0);
        for &other in near {
            let (share, other) = (share(other), self.on.samples.col(other));
            widest!(|| {
                let pairs = own.iter().zip(other);
                self.sums.iter_mut().zip(pairs).for_each(|(sum, (a, b))| *sum += share * (a - b).abs());
            });
        }
        let present = near.len().max(1) as f64;
        for (weight, block) in weights.iter_mut().zip(blocks) {
            *weight += factor * self.sums[block.clone()].iter().sum::<f64>() / present;
        }
        self.correct_missing(row, near, share, factor, weights);
    }

    /// Features missing in a row or in one of its neighbours, ascending.
    fn lacking(&self, row: usize, near: &[usize]) -> Vec<usize> {
        let missing = &self.on.missing;
        let mut lacking: Vec<usize> =
            missing[row].iter().chain(near.iter().flat_map(|&other| &missing[other])).copied().collect();
        lacking.sort_unstable();
        lacking.dedup();
        lacking
    }

    /// The neighbours that have a feature, if the row has it.
    fn present(&self, feature: usize, row: usize, near: &[usize]) -> Vec<usize> {
        let has = |other: &usize| !self.on.lacks(row, feature) && !self.on.lacks(*other, feature);
        near.iter().copied().filter(has).collect()
    }

    /// Corrects features missing in a pair: their mean is over the other pairs.
    fn correct_missing(
        &self,
        row: usize,
        near: &[usize],
        share: impl Fn(usize) -> f64,
        factor: f64,
        weights: &mut [f64],
    ) {
        let on = self.on;
        for feature in self.lacking(row, near) {
            let pairs = self.present(feature, row, near).into_iter();
            let pairs: Vec<f64> = pairs.map(|other| share(other) * on.difference(feature, row, other)).collect();
            let all: f64 = self.sums[self.on.problem.design.blocks[feature].clone()].iter().sum();
            let mean = pairs.iter().sum::<f64>() / pairs.len().max(1) as f64;
            weights[feature] += factor * (mean - all / near.len().max(1) as f64);
        }
    }
}

#[cfg(test)]
mod tests;
