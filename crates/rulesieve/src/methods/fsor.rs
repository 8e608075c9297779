//! `fsor`: orthogonal regression with weights of the features (Wu, Xu, Liu, Wang, Hu and Nie, TNNLS 2021).
//!
//! `min |Xc Theta W - Yc|^2` over `W^T W = I` (m x c) and weights `theta >= 0` of sum one, Theta their diagonal; Xc and
//! the indicators Yc are centred, which models the bias. There is no regularisation parameter. The columns of Xc have
//! variance one (`scale=standard`, which gives the figures that the paper prints for FSOR), or keep their range of one
//! (`scale=min-max`). Alternately:
//!
//! - *W* by generalised power iteration, starting from its previous value:
//!   `W = polar(alpha W - Theta Xc^T (Xc Theta W - Yc))`
//!   with alpha above the largest eigenvalue of `Theta Xc^T Xc Theta`;
//! - *theta* by a quadratic programme on the simplex, with one of two solvers (see [`weights`]).
//!
//! The optimum of the weights is nearly a vertex: far fewer features than any selection keeps have a weight at all.
//! The ranking of the article comes from its augmented Lagrangian, which is stopped after 100 steps, far from the
//! optimum. So
//!
//! - `solver=alm` (default) takes exactly those steps, and the scores are the resulting theta: they sum to about one,
//!   and some are negative. F, the objective, need not fall. With `rank=absolute` the scores are |theta|: a feature of
//!   large negative weight contributes to the fit as one of large positive weight does;
//! - `solver=exact` solves the programme. F never rises. The score of a feature is its weight; without a weight it is,
//!   from 0 down to -1, the excess of its reduced cost over the least one, so the order is by weight and then by
//!   reduced cost. No weight is negative, so `rank` changes nothing.
//!
//! Centred indicators of c classes have rank c - 1, so one column of W fits nothing but takes part in the constraint,
//! and the ranking depends on the random start. By default Yc is multiplied by c - 1 orthonormal contrasts
//! (`codes=contrasts`). `codes=indicators` is the article's coding; with fewer columns than classes, where it has no W,
//! the contrasts replace it.
//!
//! Assumed beyond the article: a category has one weight for all its columns, and they are scaled together; classes
//! without rows are removed.

mod rotation;
mod system;
mod weights;

use super::settings::params;
use super::shared::{Course, LargestEigenvalue, centred, random_orthonormal, seen_classes};
use super::{Certainty, Fit, FitError, MethodInfo, Prepared, Problem, Settings};
use crate::linalg::{Matrix, Plain, Transposed, inner_gram, product, scale_rows};
use crate::optim::Observer;
use crate::rule_network::samples::Scaling;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::ops::Range;
use weights::Programme;

params! { SPECS:
    SOLVER = "solver", Word("alm"), OneOf(&["alm", "exact"]),
        "solver of the weights: the truncated one of the article, or exact";
    SCALE = "scale", Word("standard"), OneOf(&["standard", "min-max"]),
        "scaling of the columns: standard deviation one, or range one";
    CODES = "codes", Word("contrasts"), OneOf(&["contrasts", "indicators"]),
        "coding of c classes: c - 1 contrasts, or c indicators if there are as many columns";
    RANK = "rank", Word("weight"), OneOf(&["weight", "absolute"]),
        "order of the features: by weight, or by absolute weight (solver=alm alone has negative ones)";
    ITERATIONS = "iterations", W(30), Whole(1, 1_000_000), "maximum number of iterations";
    TOLERANCE = "tolerance", N(1e-6), Number(0.0, 1.0), "relative change of the objective to stop at; 0: never";
}

pub(super) static INFO: MethodInfo = MethodInfo {
    name: "fsor",
    title: "fsor",
    summary: "orthogonal regression on the classes with a weight for every feature",
    source: "Wu, Xu, Liu, Wang, Hu and Nie, TNNLS 2021",
    certainty: Certainty::Article,
    cost: "O(min(n, m) m c) for each of 50 steps, and O(m^2 c + m^3) an iteration, or O(n^2 c^2 m) for n c < m",
    params: &SPECS,
    ..MethodInfo::DEFAULT
};

pub(super) fn prepare(problem: Problem<'_>) -> Result<Box<dyn Prepared + '_>, FitError> {
    let (columns, y) = (problem.design.x.cols(), centred(&seen_classes(problem.target)));
    if columns + 1 < y.cols() {
        return Err(FitError::TooFewColumns { method: INFO.name, columns, needed: y.cols() - 1 });
    }
    Ok(Box::new(OnRows { problem, y }))
}

/// Contrasts of centred indicators; the indicators if they are wanted and there are as many columns, or for one class.
fn coded(y: &Matrix, columns: usize, indicators: bool) -> Matrix {
    match y.cols() {
        0 | 1 => y.clone(),
        classes if indicators && columns >= classes => y.clone(),
        classes => product(Plain(y), Plain(&contrasts(classes))),
    }
}

/// c x (c - 1), orthonormal columns that sum to zero: each class against the previous ones.
fn contrasts(classes: usize) -> Matrix {
    Matrix::from_fn(classes, classes.saturating_sub(1), |class, at| {
        let before = (at + 1) as f64;
        let length = (before * (before + 1.0)).sqrt();
        match class {
            _ if class <= at => 1.0 / length,
            _ if class == at + 1 => -before / length,
            _ => 0.0,
        }
    })
}

/// The training rows, with centred indicators of the classes.
struct OnRows<'a> {
    problem: Problem<'a>,
    y: Matrix,
}

impl Prepared for OnRows<'_> {
    fn fit(&self, settings: &Settings, seed: u64, observer: &mut dyn Observer) -> Result<Fit, FitError> {
        let design = self.problem.design;
        let scaled =
            (settings.word(&SCALE) == "standard").then(|| Scaling::fit(&design.x, &design.blocks).scaled(&design.x));
        let y = coded(&self.y, design.x.cols(), settings.word(&CODES) == "indicators");
        let regression = Regression::new(scaled.as_ref().unwrap_or(&design.x), y, &design.blocks);
        regression.fit(settings, seed, observer)
    }
}

/// Centred data.
struct Regression<'a> {
    x: Matrix,
    y: Matrix,
    /// `X^T Y`.
    cross: Matrix,
    /// `X^T X`, if it is no larger than its replacement.
    gram: Option<Matrix>,
    blocks: &'a [Range<usize>],
}

impl<'a> Regression<'a> {
    fn new(x: &Matrix, y: Matrix, blocks: &'a [Range<usize>]) -> Self {
        let x = centred(x);
        let gram = (x.cols() <= x.rows() * y.cols()).then(|| inner_gram(&x));
        Self { cross: product(Transposed(&x), Plain(&y)), gram, x, y, blocks }
    }

    /// The weight of every column.
    fn spread(&self, theta: &[f64]) -> Vec<f64> {
        let mut spread = vec![0.0; self.x.cols()];
        self.blocks.iter().zip(theta).for_each(|(block, &weight)| spread[block.clone()].fill(weight));
        spread
    }

    /// `X Theta W - Y`.
    fn residual(&self, spread: &[f64], w: &Matrix) -> Matrix {
        let mut residual = product(Plain(&self.x), Plain(&scale_rows(w, spread)));
        residual.as_mut_slice().iter_mut().zip(self.y.as_slice()).for_each(|(fitted, y)| *fitted -= y);
        residual
    }

    /// `Theta X^T R`.
    fn back(&self, spread: &[f64], residual: &Matrix) -> Matrix {
        scale_rows(&product(Transposed(&self.x), Plain(residual)), spread)
    }

    fn fit(&self, settings: &Settings, seed: u64, observer: &mut dyn Observer) -> Result<Fit, FitError> {
        let exact = settings.word(&SOLVER) == "exact";
        let features = self.blocks.len();
        let mut course = Course::new(observer, settings.whole(&ITERATIONS), settings.number(&TOLERANCE));
        let mut theta = vec![1.0 / features.max(1) as f64; features];
        let mut w = random_orthonormal(self.x.cols(), self.y.cols(), &mut ChaCha8Rng::seed_from_u64(seed))?;
        let (mut of_columns, mut of_features) =
            (LargestEigenvalue::new(self.x.cols()), LargestEigenvalue::new(features));
        let programme = loop {
            w = rotation::step(self, &self.spread(&theta), w, &mut of_columns)?;
            let programme = Programme::new(self, &w, exact);
            theta = if exact { programme.exact(&theta, &mut of_features) } else { programme.alm()? };
            if !course.goes_on(vec![self.residual(&self.spread(&theta), &w).norm_squared()])? {
                break programme;
            }
        };
        let iteration = Some(course.finish(&["residuals"]));
        if !exact {
            let absolute = settings.word(&RANK) == "absolute";
            let scores = theta.into_iter().map(|weight| if absolute { weight.abs() } else { weight }).collect();
            return Ok(Fit { scores, iteration, ..Fit::default() });
        }
        let unused: Vec<usize> = (0..features).filter(|&at| theta[at] == 0.0).collect();
        Ok(Fit {
            scores: by_weight_then_cost(&theta, &programme.gradient(&theta)),
            iteration,
            unused,
            unused_ordered_by: Some("reduced cost"),
            ..Fit::default()
        })
    }
}

/// Weights if they are positive; else, from 0 down to -1, the excess of the reduced cost over the least one.
fn by_weight_then_cost(theta: &[f64], cost: &[f64]) -> Vec<f64> {
    let least = cost.iter().copied().fold(f64::INFINITY, f64::min);
    let most = cost.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let range = if most > least { most - least } else { 1.0 };
    theta.iter().zip(cost).map(|(&weight, cost)| if weight > 0.0 { weight } else { (least - cost) / range }).collect()
}

#[cfg(test)]
mod tests;
