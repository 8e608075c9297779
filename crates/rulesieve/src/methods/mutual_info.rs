//! `mutual-info`: mutual information of a feature and the class, in nats, one feature at a time.
//!
//! Numbers: the nearest-neighbour estimator for a number and a class (Ross 2014). For every sample, r is the distance
//! to its k-th nearest neighbour of the same class, and c the number of samples of any class nearer than r, including
//! itself; with n samples and N of its class, `I = psi(n) - mean psi(N) + mean psi(k) - mean psi(c)`. If the k nearest
//! are equal to the sample, k and c count all equal ones (Gao, Kannan, Oh and Viswanath 2017), so that ties need no
//! added noise. Classes of one sample are ignored. Categories: the plug-in estimate from the contingency table.
//! Negative estimates are set to zero. The score of a group of features is that of its best member.
//!
//! In one dimension neighbours are adjacent in sorted order: O(n log n) per feature, without a tree.

use super::settings::{ParamSpec, param};
use super::{Algorithm, Certainty, Fit, FitError, Iteration, MethodInfo, OwnSize, Prepared, Problem, Settings};
use crate::linalg::Matrix;
use crate::optim::{Observer, Progress};
use rayon::prelude::*;
use std::ops::Range;

/// The `mutual-info` method, see the module.
pub(super) struct MutualInfo;

/// Number of features between calls of the observer.
const OBSERVE_EVERY: usize = 64;

param!(NEIGHBOURS, "neighbours", W(3), Whole(1, 1000), "nearest neighbours that define the distance");
static SPECS: [&ParamSpec; 1] = [&NEIGHBOURS.spec];

static INFO: MethodInfo = MethodInfo {
    name: "mutual-info",
    title: "mutual-info",
    summary: "mutual information with the class by nearest neighbours, one feature at a time; detects any dependence",
    source: "Ross, PLoS ONE 9, 2014; ties after Gao, Kannan, Oh and Viswanath 2017",
    certainty: Certainty::Established,
    cost: "O(m n log n)",
    regression: false,
    weights: false,
    own_size: OwnSize::Never,
    tunes: None,
    grid: &[],
    params: &SPECS,
};

impl Algorithm for MutualInfo {
    fn info(&self) -> &'static MethodInfo {
        &INFO
    }

    fn prepare<'a>(&self, problem: Problem<'a>) -> Result<Box<dyn Prepared + 'a>, FitError> {
        Ok(Box::new(OnRows { digamma: digammas(problem.target.rows()), problem }))
    }
}

struct OnRows<'a> {
    problem: Problem<'a>,
    /// psi of every whole number up to the number of rows.
    digamma: Vec<f64>,
}

impl Prepared for OnRows<'_> {
    fn fit(&self, settings: &Settings, _: u64, observer: &mut dyn Observer) -> Result<Fit, FitError> {
        let classes = Classes::new(self.problem.target.codes(), self.problem.target.classes().len(), &self.digamma);
        let (design, k) = (self.problem.design, settings.whole(&NEIGHBOURS));
        let (x, blocks) = (&design.x, &design.blocks);
        let alone = |part: &Range<usize>| match part.len() {
            1 => classes.with_numbers(x.col(part.start), k),
            _ => classes.with_categories(&categories(x, part), part.len()),
        };
        let score = |block: &Range<usize>| design.parts_of(block).iter().map(alone).fold(0.0, f64::max);
        let (mut scores, mut halted) = (Vec::with_capacity(blocks.len()), None);
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

/// The indicator that is set in every row.
fn categories(x: &Matrix, block: &Range<usize>) -> Vec<usize> {
    let largest = |row: usize| block.clone().rev().max_by(|&a, &b| x[(row, a)].total_cmp(&x[(row, b)]));
    (0..x.rows()).map(|row| largest(row).map_or(0, |col| col - block.start)).collect()
}

/// Samples by class, without classes of one sample.
struct Classes<'a> {
    codes: &'a [u32],
    counts: Vec<usize>,
    samples: usize,
    digamma: &'a [f64],
}

impl<'a> Classes<'a> {
    fn new(codes: &'a [u32], classes: usize, digamma: &'a [f64]) -> Self {
        let mut counts = vec![0; classes];
        codes.iter().for_each(|&code| counts[code as usize] += 1);
        let samples = counts.iter().filter(|&&count| count > 1).sum();
        Self { codes, counts, samples, digamma }
    }

    fn with_numbers(&self, column: &[f64], k: usize) -> f64 {
        if self.samples == 0 {
            return 0.0;
        }
        let mut order: Vec<(f64, u32)> = column.iter().copied().zip(self.codes.iter().copied()).collect();
        order.retain(|(_, code)| self.counts[*code as usize] > 1);
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let all: Vec<f64> = order.iter().map(|(value, _)| *value).collect();
        let mut sum = self.samples as f64 * self.digamma[self.samples];
        let mut by_class: Vec<Vec<f64>> = self.counts.iter().map(|&count| Vec::with_capacity(count)).collect();
        order.iter().for_each(|(value, code)| by_class[*code as usize].push(*value));
        for (own, &count) in by_class.iter().zip(&self.counts).filter(|(_, count)| **count > 1) {
            sum += self.of_class(own, &all, k.min(count - 1)) - count as f64 * self.digamma[count];
        }
        (sum / self.samples as f64).max(0.0)
    }

    /// The sum of `psi(k) - psi(c)` over the samples of a class; both lists ascend.
    fn of_class(&self, own: &[f64], all: &[f64], k: usize) -> f64 {
        let (mut sum, mut first) = (0.0, 0);
        for (at, &value) in own.iter().enumerate() {
            // The k + 1 consecutive neighbours that contain the sample and span the shortest distance.
            first = first.max(at.saturating_sub(k));
            while first < at && first + k + 1 < own.len() && own[first + k + 1] - value < value - own[first] {
                first += 1;
            }
            let radius = (value - own[first]).max(own[first + k] - value);
            if radius > 0.0 {
                let beyond = all.partition_point(|other| other - value < radius);
                let nearer = beyond - all[..beyond].partition_point(|other| value - other >= radius);
                sum += self.digamma[k] - self.digamma[nearer];
            } else {
                let equal = |list: &[f64]| list.partition_point(|v| *v <= value) - list.partition_point(|v| *v < value);
                // As in a contingency table, all equal samples are counted.
                sum += (equal(own) as f64).ln() - (equal(all) as f64).ln() - self.discrete_shift(own.len());
            }
        }
        sum
    }

    /// Converts `psi(n) - psi(N)` to `ln(n) - ln(N)`, as in the estimate from a table.
    fn discrete_shift(&self, count: usize) -> f64 {
        (self.digamma[self.samples] - self.digamma[count]) - ((self.samples as f64).ln() - (count as f64).ln())
    }

    fn with_categories(&self, categories: &[usize], levels: usize) -> f64 {
        let classes = self.counts.len();
        let mut table = vec![0_usize; levels * classes];
        categories.iter().zip(self.codes).for_each(|(&level, &code)| table[level * classes + code as usize] += 1);
        let total = self.codes.len() as f64;
        let mut sum = 0.0;
        for row in table.chunks(classes) {
            let level = row.iter().sum::<usize>() as f64;
            for (&both, &count) in row.iter().zip(&self.counts).filter(|(both, _)| **both > 0) {
                sum += both as f64 / total * (both as f64 * total / (level * count as f64)).ln();
            }
        }
        sum.max(0.0)
    }
}

#[cfg(test)]
mod tests;
