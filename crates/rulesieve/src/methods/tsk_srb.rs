//! `tsk-srb`: a sparse rule base, after Gong, Wang, Ren, Zhang, El-Alfy and Mandziuk, Knowledge-Based Systems 295, 2024.
//!
//! A reconstruction: the original formulation was not available. Known are its parts: rules from clusters, a refined
//! softmin that does not underflow, group sparsity of features and of rules, an automatic threshold. The objective
//! here is, with x centred in the consequents,
//!
//! `mu_nrd = exp(-(x_nd - m_rd)^2 / 2 s_rd^2)`, `f_nr = mu_min (mean_d (mu_nrd / mu_min)^q)^(1/q)` with `q = -12`,
//! `yhat_n = p_0 + sum_r (f_nr / sum_i f_ni) x_n P_r`,
//! `J = 1/2n sum |yhat_n - y_n|^2 + alpha sum_d |P_.d.| + beta sum_r |P_r..|`.
//!
//! Every class is divided into `max(2, rules / classes)` clusters by k-means; their means are the centres, their
//! deviations, at least 0.1, the spreads. With these fixed J is convex, and every step of reweighted ridge regression
//! lowers it (lengths smoothed as `sqrt(|p|^2 + 1e-10)`): with the centred design `Phi` of columns `f_r x_d` and
//! weights `D = alpha / |P_.d.| + beta / |P_r..|`
//!
//! - *dual* (n <= k m): `P = D^-1 Phi^T (Phi D^-1 Phi^T + n)^-1 Y`, with `Phi D^-1 Phi^T` summed over chunks of rules;
//! - *primal*: `P = (Phi^T Phi + n D)^-1 Phi^T Y`.
//!
//! Scores are the lengths `|P_.d.|`; their Otsu split is the method's own number of features. An alpha at which all
//! slopes are below 1e-3 is divided by ten until they do not. The columns of a category are one group.
//!
//! All rules share the constants p_0. With constants of its own in every rule, the firing of the clusters determines
//! separated classes without any slope, and the scores are noise: with two of twelve columns shifted by four standard
//! deviations, noise came first in most draws.

mod regression;

use super::fuzzy::rules::{clusters, nearest};
use super::fuzzy::samples_in_columns;
use super::fuzzy::softmin::refined;
use super::settings::{AUTO, params};
use super::shared::{Course, one_hot};
use super::{Certainty, Fit, FitError, Iteration, MethodInfo, OwnSize, Prepared, Problem, Settings};
use crate::linalg::Matrix;
use crate::methods::fuzzy::firing::softmax;
use crate::optim::Observer;
use crate::warning::Warning;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use regression::Regression;

params! { SPECS:
    ALPHA = "alpha", N(1e-3), Number(1e-12, 1e6), "weight of the group sparsity of features";
    BETA = "beta", N(1e-3), Number(1e-12, 1e6), "weight of the group sparsity of rules";
    RULES = "rules", W(10), Whole(1, 10_000), "number of rules, at least two per class";
    FORM = "form", Word(AUTO), OneOf(&[AUTO, "primal", "dual"]), "which system is solved; auto: the smaller one";
    ITERATIONS = "iterations", W(50), Whole(1, 1_000_000), "maximum number of iterations";
    TOLERANCE = "tolerance", N(1e-6), Number(0.0, 1.0), "relative change of the objective to stop at; 0: never";
}

static GRID: [f64; 4] = [1e-4, 1e-3, 1e-2, 1e-1];

pub(super) static INFO: MethodInfo = MethodInfo {
    name: "tsk-srb",
    title: "TSK-SRB-style",
    summary: "fuzzy rules from clusters, with group sparsity of features and rules in the consequents",
    source: "after Gong, Wang, Ren, Zhang, El-Alfy and Mandziuk, Knowledge-Based Systems 295, 2024; reconstruction",
    certainty: Certainty::Reconstruction,
    cost: "O(n^2 k m + n^3) an iteration for k rules and n <= k m, else O(k^3 m^3)",
    own_size: OwnSize::Always,
    grid: &[("alpha", &GRID), ("beta", &GRID)],
    params: &SPECS,
    ..MethodInfo::DEFAULT
};

/// Minimum spread, on columns between 0 and 1.
const LEAST_SPREAD: f64 = 0.1;
/// Maximum number of divisions of alpha by ten.
const MAX_DIVISIONS: usize = 8;

pub(super) fn prepare(problem: Problem<'_>) -> Result<Box<dyn Prepared + '_>, FitError> {
    Ok(Box::new(OnRows { y: one_hot(problem.target), problem }))
}

struct OnRows<'a> {
    problem: Problem<'a>,
    y: Matrix,
}

impl Prepared for OnRows<'_> {
    fn fit(&self, settings: &Settings, seed: u64, observer: &mut dyn Observer) -> Result<Fit, FitError> {
        let design = self.problem.design;
        let (xt, target) = (samples_in_columns(&design.x), self.problem.target);
        let rules = settings.whole(&RULES);
        let shares = Antecedents::new(&xt, target.codes(), target.classes().len(), rules, seed).shares(&xt);
        let dual = match settings.word(&FORM) {
            AUTO => design.x.rows() <= shares.cols() * design.x.cols(),
            form => form == "dual",
        };
        let mut regression = Regression::new(&design.x, &self.y, &shares, &design.blocks, dual);
        let wanted = settings.number(&ALPHA);
        (regression.alpha, regression.beta) = (wanted, settings.number(&BETA));
        let (mut p, mut iteration) = solve(&regression, settings, observer)?;
        for _ in 0..MAX_DIVISIONS {
            if !regression.vanished(&p) || iteration.halted.is_some() {
                break;
            }
            regression.alpha *= 0.1;
            (p, iteration) = solve(&regression, settings, observer)?;
        }
        let (scores, rules) = (regression.feature_lengths(&p), regression.rule_lengths(&p));
        let warning = match regression.alpha {
            _ if regression.vanished(&p) => Some(Warning::SlopesVanish),
            used if used < wanted => Some(Warning::PenaltyLowered { asked: wanted, used }),
            _ => None,
        };
        let kept_rules = otsu(&rules).max(self.y.cols().min(rules.len()));
        iteration.diagnostics =
            vec![("alpha", regression.alpha), ("rules", rules.len() as f64), ("kept_rules", kept_rules as f64)];
        Ok(Fit {
            native: Some(otsu(&scores)),
            scores,
            iteration: Some(iteration),
            warnings: warning.into_iter().collect(),
            ..Fit::default()
        })
    }
}

/// Lowers the objective until convergence.
fn solve(
    regression: &Regression,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<(Matrix, Iteration), FitError> {
    let mut course = Course::new(observer, settings.whole(&ITERATIONS), settings.number(&TOLERANCE));
    let mut p = regression.step(&regression.start())?;
    while course.goes_on(regression.objective(&p))? {
        p = regression.step(&regression.weights(&p))?;
    }
    Ok((p, course.finish(&["residuals", "features", "rules"])))
}

/// Gaussian rules: centres and spreads of all columns.
struct Antecedents {
    centres: Vec<Vec<f64>>,
    spreads: Vec<Vec<f64>>,
}

impl Antecedents {
    /// Clusters of every class of the samples `xt` (m x n), about `rules` of them.
    fn new(xt: &Matrix, codes: &[u32], classes: usize, rules: usize, seed: u64) -> Self {
        let each = ((rules as f64 / classes.max(1) as f64).round() as usize).max(2);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut out = Self { centres: Vec::new(), spreads: Vec::new() };
        for class in 0..classes {
            let own: Vec<usize> = (0..xt.cols()).filter(|&at| codes[at] as usize == class).collect();
            if own.is_empty() {
                continue;
            }
            let part = Matrix::from_fn(xt.rows(), own.len(), |row, at| xt[(row, own[at])]);
            let found = clusters(&part, each.min(own.len()), &mut rng);
            out.centres.extend((0..found.cols()).map(|rule| found.col(rule).to_vec()));
            out.spreads.extend(deviations(&part, &found));
        }
        out
    }

    /// Normalised firing strengths for all samples, n x k.
    fn shares(&self, xt: &Matrix) -> Matrix {
        let fire = |sample: usize| -> Vec<f64> {
            let rule = |(centre, spread): (&Vec<f64>, &Vec<f64>)| {
                let terms = xt.col(sample).iter().zip(centre).zip(spread);
                refined(&terms.map(|((x, m), s)| 0.5 * ((x - m) / s).powi(2)).collect::<Vec<f64>>())
            };
            self.centres.iter().zip(&self.spreads).map(rule).collect()
        };
        let strengths: Vec<Vec<f64>> = (0..xt.cols()).into_par_iter().map(fire).collect();
        let mut shares = Matrix::from_fn(xt.cols(), self.centres.len(), |row, rule| strengths[row][rule]);
        softmax(&mut shares, &mut Matrix::default());
        shares
    }
}

/// The standard deviation of every column within every cluster, at least the minimum spread.
fn deviations(xt: &Matrix, centres: &Matrix) -> Vec<Vec<f64>> {
    let mut sums = vec![vec![0.0; xt.rows()]; centres.cols()];
    let mut counts = vec![0_usize; centres.cols()];
    for (sample, (cluster, _)) in nearest(xt, centres).into_iter().enumerate() {
        counts[cluster] += 1;
        let terms = xt.col(sample).iter().zip(centres.col(cluster));
        sums[cluster].iter_mut().zip(terms).for_each(|(sum, (x, centre))| *sum += (x - centre) * (x - centre));
    }
    for (sums, count) in sums.iter_mut().zip(counts) {
        sums.iter_mut().for_each(|sum| *sum = (*sum / count.max(1) as f64).sqrt().max(LEAST_SPREAD));
    }
    sums
}

/// Number of the largest values above the split that maximises `w0 w1 (mean0 - mean1)^2`; all if they are equal.
fn otsu(values: &[f64]) -> usize {
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let (count, total) = (sorted.len(), sorted.iter().sum::<f64>());
    let (mut best, mut most, mut upper) = (count, 0.0, 0.0);
    for at in 1..count {
        upper += sorted[at - 1];
        let apart = upper / at as f64 - (total - upper) / (count - at) as f64;
        let between = (at * (count - at)) as f64 * apart * apart;
        if sorted[at] < sorted[at - 1] && between > most {
            (best, most) = (at, between);
        }
    }
    best
}

#[cfg(test)]
mod tests;
