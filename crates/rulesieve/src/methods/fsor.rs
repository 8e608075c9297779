//! `fsor`: orthogonal regression with weights of the features (Wu, Xu, Liu, Wang, Hu and Nie, TNNLS 2021).
//!
//! `min |Xc Theta W - Yc|^2` over `W^T W = I` (m x c) and weights `theta >= 0` of sum one, Theta their diagonal; Xc and
//! the indicators Yc are centred, which models the bias. There is no regularisation parameter. Alternately:
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
//!   and some are negative. F, the objective, need not fall;
//! - `solver=exact` solves the programme. F never rises. The score of a feature is its weight; without a weight it is,
//!   from 0 down to -1, the excess of its reduced cost over the least one, so the order is by weight and then by
//!   reduced cost.
//!
//! Assumed beyond the article: a category has one weight for all its columns; classes without rows are removed; with
//! fewer columns than classes, where no W exists, an orthonormal code of one dimension less represents the classes.

mod rotation;
mod system;
mod weights;

use super::settings::params;
use super::shared::{Course, LargestEigenvalue, centred, random_orthonormal, seen_classes};
use super::{Certainty, Fit, FitError, MethodInfo, Prepared, Problem, Settings};
use crate::linalg::{Matrix, Plain, Transposed, inner_gram, product, scale_rows};
use crate::optim::Observer;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::ops::Range;
use weights::Programme;

params! { SPECS:
    SOLVER = "solver", Word("alm"), OneOf(&["alm", "exact"]),
        "solver of the weights: the truncated one of the article, or exact";
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
    let columns = problem.design.x.cols();
    let y = coded(centred(&seen_classes(problem.target)), columns)?;
    Ok(Box::new(Regression::new(&problem.design.x, y, &problem.design.blocks)))
}

/// Centred indicators, or contrasts if there are too few columns for orthonormal coefficients: one dimension less.
fn coded(y: Matrix, columns: usize) -> Result<Matrix, FitError> {
    let classes = y.cols();
    if columns >= classes {
        return Ok(y);
    }
    if columns + 1 < classes {
        return Err(FitError::TooFewColumns { method: INFO.name, columns, needed: classes - 1 });
    }
    Ok(product(Plain(&y), Plain(&contrasts(classes))))
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
}

impl Prepared for Regression<'_> {
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
            return Ok(Fit { scores: theta, iteration, ..Fit::default() });
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
