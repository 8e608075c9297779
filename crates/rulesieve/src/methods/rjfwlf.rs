//! `rjfwlf`: RJFWLF-style nonnegative regression, a reconstruction after Yan, Yang and Yang (TKDE 2016).
//!
//! Known from the article: its coefficients are nonnegative under an l2,1 norm, it is based on linear regression with
//! that norm, and its objective is convex. The objective here is `min_{W >= 0} L(X W - Y) + alpha |W|_{2,1}` with
//! indicators Y and
//!
//! - `loss=robust` (default): L is the sum of the lengths of the residuals, so that outliers have limited influence;
//! - `loss=squared`: the sum of their squares.
//!
//! There is no bias: a feature that is low for a class cannot indicate it on its own. Lengths of residuals are
//! smoothed, `sqrt(|r|^2 + 1e-10)`, and are weights of reweighted least squares, `P = 1 / length` (2 for squares).
//! There are two solvers: in both the objective never rises, `X^T P X` is never formed, and all entries have the same
//! initial value:
//!
//! - `solver=multiplicative` (default): `W <- W o (X^T P Y) / (X^T P X W + alpha W / lengths of rows)`. Requires
//!   nonnegative data; rows approach zero but never reach it, the slower the larger alpha is. The lengths of rows are
//!   smoothed too;
//! - `solver=proximal`: a gradient step, negative entries set to zero, then rows shortened by a fixed length. Reaches
//!   zero; the nonzero features are the method's own selection. Slow if some residuals vanish.
//!
//! Scores are the lengths of rows. The rows of a category count as one; classes without rows are left out.

use super::settings::params;
use super::shared::{Course, LargestEigenvalue, block_lengths, seen_classes, smoothed_lengths, sum_of_lengths};
use super::{Certainty, Fit, FitError, MethodInfo, OwnSize, Prepared, Problem, Settings};
use crate::linalg::{Matrix, Plain, Transposed, add_product, product, scale_rows};
use crate::optim::Observer;
use crate::warning::Warning;
use std::ops::Range;

params! { SPECS:
    ALPHA = "alpha", N(1.0), Number(1e-9, 1e9), "weight of |W|_{2,1}";
    LOSS = "loss", Word("robust"), OneOf(&["robust", "squared"]), "lengths of residuals, or their squares";
    SOLVER = "solver", Word("multiplicative"), OneOf(&["multiplicative", "proximal"]),
        "solver; proximal sets rows exactly to zero";
    ITERATIONS = "iterations", W(1000), Whole(1, 1_000_000), "maximum number of iterations";
    TOLERANCE = "tolerance", N(1e-7), Number(0.0, 1.0), "relative change of the objective to stop at; 0: never";
}

static GRID: [f64; 5] = [0.01, 0.1, 1.0, 10.0, 100.0];

pub(super) static INFO: MethodInfo = MethodInfo {
    name: "rjfwlf",
    title: "RJFWLF-style",
    summary: "regression on the classes with nonnegative coefficients and l2,1 norms",
    source: "after Yan, Yang and Yang, TKDE 2016; reconstruction",
    certainty: Certainty::Reconstruction,
    cost: "O(n m c) an iteration",
    own_size: OwnSize::With("solver", "proximal"),
    grid: &[("alpha", &GRID)],
    params: &SPECS,
    ..MethodInfo::DEFAULT
};

/// Minimum divisor, so that an underflowed row gives 0 instead of 0 / 0.
const FLOOR: f64 = 1e-300;
/// A relative increase within rounding.
const ROUNDING: f64 = 1e-12;
/// Halvings after which a step is negligible.
const HALVINGS: usize = 60;

pub(super) fn prepare(problem: Problem<'_>) -> Result<Box<dyn Prepared + '_>, FitError> {
    Ok(Box::new(OnRows { y: seen_classes(problem.target), problem }))
}

struct OnRows<'a> {
    problem: Problem<'a>,
    y: Matrix,
}

impl Prepared for OnRows<'_> {
    fn fit(&self, settings: &Settings, _: u64, observer: &mut dyn Observer) -> Result<Fit, FitError> {
        let (x, blocks) = (&self.problem.design.x, &self.problem.design.blocks[..]);
        let proximal = settings.word(&SOLVER) == "proximal";
        if !proximal && x.as_slice().iter().any(|value| *value < 0.0) {
            return Err(SOLVER.out_of_range("multiplicative", "proximal if the data contain negative numbers").into());
        }
        let robust = settings.word(&LOSS) == "robust";
        let regression = Regression { x, y: &self.y, alpha: settings.number(&ALPHA), robust, blocks };
        let mut course = Course::new(observer, settings.whole(&ITERATIONS), settings.number(&TOLERANCE));
        let mut largest = LargestEigenvalue::new(x.cols());
        let mut at = regression.start();
        loop {
            at = if proximal { regression.shortened(&at, &mut largest) } else { regression.multiplied(&at) };
            let sparsity = if proximal { regression.sparsity(&at.w) } else { regression.smoothed_sparsity(&at.w) };
            if !course.goes_on(vec![regression.loss(&at.residual), sparsity])? {
                break;
            }
        }
        let fit = Fit { iteration: Some(course.finish(&["residuals", "sparsity"])), ..Fit::default() };
        let scores = block_lengths(&at.w, blocks);
        Ok(if proximal { with_selection(fit, scores) } else { Fit { scores, ..fit } })
    }
}

/// Marks features with zero rows as unused.
fn with_selection(fit: Fit, scores: Vec<f64>) -> Fit {
    let unused: Vec<usize> = (0..scores.len()).filter(|&at| scores[at] == 0.0).collect();
    let native = scores.len() - unused.len();
    let warnings = if native == 0 { vec![Warning::NoCoefficient] } else { Vec::new() };
    Fit { scores, unused, warnings, native: Some(native), ..fit }
}

/// Coefficients and their residual `X W - Y`.
struct Point {
    w: Matrix,
    residual: Matrix,
}

struct Regression<'a> {
    x: &'a Matrix,
    y: &'a Matrix,
    alpha: f64,
    robust: bool,
    blocks: &'a [Range<usize>],
}

impl Regression<'_> {
    fn start(&self) -> Point {
        let columns = self.x.cols();
        // A zero column has no gradient, so its row starts at zero.
        let nonzero = |col: usize| self.x.col(col).iter().any(|value| *value != 0.0);
        let start = |row: usize, _| if nonzero(row) { 1.0 / columns as f64 } else { 0.0 };
        self.point(Matrix::from_fn(columns, self.y.cols(), start))
    }

    fn point(&self, w: Matrix) -> Point {
        let mut residual = product(Plain(self.x), Plain(&w));
        residual.as_mut_slice().iter_mut().zip(self.y.as_slice()).for_each(|(fitted, y)| *fitted -= y);
        Point { w, residual }
    }

    fn loss(&self, residual: &Matrix) -> f64 {
        if self.robust { smoothed_lengths(residual, &[]).iter().sum() } else { residual.norm_squared() }
    }

    fn sparsity(&self, w: &Matrix) -> f64 {
        self.alpha * block_lengths(w, self.blocks).iter().sum::<f64>()
    }

    fn smoothed_sparsity(&self, w: &Matrix) -> f64 {
        self.alpha * sum_of_lengths(&smoothed_lengths(w, self.blocks), self.blocks)
    }

    /// P: the weights of the rows in the least squares that replace the loss.
    fn row_weights(&self, residual: &Matrix) -> Vec<f64> {
        match self.robust {
            true => smoothed_lengths(residual, &[]).iter().map(|length| 1.0 / length).collect(),
            false => vec![2.0; residual.rows()],
        }
    }

    fn multiplied(&self, at: &Point) -> Point {
        let weights = self.row_weights(&at.residual);
        let wanted = scale_rows(self.y, &weights);
        let mut fitted = scale_rows(&at.residual, &weights);
        fitted.as_mut_slice().iter_mut().zip(wanted.as_slice()).for_each(|(fitted, wanted)| *fitted += wanted);
        let raise = product(Transposed(self.x), Plain(&wanted));
        let hold: Vec<f64> = smoothed_lengths(&at.w, self.blocks).iter().map(|length| self.alpha / length).collect();
        let mut lower = scale_rows(&at.w, &hold);
        add_product(&mut lower, 1.0, 1.0, Transposed(self.x), Plain(&fitted));
        let entry = |row: usize, col: usize| at.w[(row, col)] * raise[(row, col)] / lower[(row, col)].max(FLOOR);
        self.point(Matrix::from_fn(at.w.rows(), at.w.cols(), entry))
    }

    /// A proximal step of the length that the curvature of the weighted least squares allows.
    fn shortened(&self, at: &Point, largest: &mut LargestEigenvalue) -> Point {
        let weights = self.row_weights(&at.residual);
        let slope = product(Transposed(self.x), Plain(&scale_rows(&at.residual, &weights)));
        let times =
            |v: &Matrix| product(Transposed(self.x), Plain(&scale_rows(&product(Plain(self.x), Plain(v)), &weights)));
        // Zero curvature: the data are zeros, and only the penalty remains.
        let mut step = 1.0 / largest.estimate(times).max(f64::EPSILON);
        let bound = (self.loss(&at.residual) + self.sparsity(&at.w)) * (1.0 + ROUNDING);
        let mut halvings = 0;
        loop {
            let next = self.point(self.stepped(&at.w, &slope, step));
            if self.loss(&next.residual) + self.sparsity(&next.w) <= bound || halvings == HALVINGS {
                return next;
            }
            step /= 2.0;
            halvings += 1;
        }
    }

    /// A gradient step, clamped at zero, then the rows of every feature shortened.
    fn stepped(&self, w: &Matrix, slope: &Matrix, step: f64) -> Matrix {
        let moved = Matrix::from_fn(w.rows(), w.cols(), |row, col| (w[(row, col)] - step * slope[(row, col)]).max(0.0));
        let mut keep = vec![0.0; w.rows()];
        for (block, length) in self.blocks.iter().zip(block_lengths(&moved, self.blocks)) {
            let left = length - step * self.alpha;
            keep[block.clone()].fill(if left > 0.0 { left / length } else { 0.0 });
        }
        scale_rows(&moved, &keep)
    }
}

#[cfg(test)]
mod tests;
