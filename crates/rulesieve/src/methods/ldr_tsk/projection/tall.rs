//! The Q step when samples are at least as many as features: m x m systems on the Gram matrix.
//!
//! `(alpha X^T X + D_j) q_j = alpha X^T x_hat_j`, `D_j = beta Z + lambda_j I`. Between two passes only D changes, so
//! with q the solution for D and q + e the one for D', `(alpha X^T X + D'_j) e_j = (D_j - D'_j) q_j`: once the first
//! pass is solved, the right-hand side of every other is a scaling of what is there. Rounding of one pass stays in the
//! next: rows a million times shorter than others lose some of their last digits.

use super::chebyshev::{self, Floor};
use super::past::Past;
use super::{Multipliers, Weights};
use crate::linalg::{
    Centred, Cholesky, LinalgError, Matrix, Plain, Small, Strips, Transposed, add_product, dot, product, widest,
};

/// Up to this many samples a feature the first pass takes one product instead of two, for a matrix of the size of X in
/// every fit. Counted in multiplications, the second product would be a tenth of the work at
/// 2.5 samples a feature (isolet), a fifteenth at 5.2 (madelon).
const FUSED: usize = 6;
/// Changes of `X Q` in single precision, before it is computed anew.
const CHANGES_IN_A_ROW: usize = 3;
/// Changes of Q, relative to it, that single precision is enough for: it then leaves eight digits of `X Q` at worst.
const SMALL_CHANGE: f64 = 0.03;

/// Whether products with X are most of the work.
pub(super) fn products_dominate(x: &Matrix) -> bool {
    x.rows() <= FUSED * x.cols()
}

/// Q, and what it hands on to the next iteration.
#[derive(Default)]
pub(super) struct TallQ {
    pub(super) q: Matrix,
    /// What the step to the second pass is guessed from.
    pub(super) past: Past,
    /// `Q - before`.
    pub(super) change: Option<Small>,
    changes: usize,
    before: Matrix,
}

impl TallQ {
    /// Becomes what was before.
    pub(super) fn for_next(mut self) -> Self {
        std::mem::swap(&mut self.q, &mut self.before);
        self
    }

    /// Finds the change, unless it is too large or one of too many in a row.
    pub(super) fn compare(&mut self, centred: &Centred) {
        let (q, before) = (&self.q, &self.before);
        let same_shape = (q.rows(), q.cols()) == (before.rows(), before.cols());
        if same_shape && self.changes < CHANGES_IN_A_ROW && is_near(q, before) {
            let mut change = self.change.take().unwrap_or_default();
            centred.write_difference(&mut change, q, before);
            (self.change, self.changes) = (Some(change), self.changes + 1);
        } else {
            (self.change, self.changes) = (None, 0);
        }
    }
}

/// Whether Q has moved little. (The squares cancel, but to far more digits than matter here.)
fn is_near(q: &Matrix, before: &Matrix) -> bool {
    let (q, before) = (q.as_slice(), before.as_slice());
    let (length, distance) = widest!(|| {
        let length = dot(q, q);
        (length, length + dot(before, before) - 2.0 * dot(q, before))
    });
    distance <= SMALL_CHANGE * SMALL_CHANGE * length
}

/// Algorithm 1 for one (alpha, beta) on one training set with n >= m.
pub(super) struct Tall<'a> {
    x: &'a Matrix,
    beta: f64,
    /// `alpha X^T X`.
    gram: Matrix,
    first: First,
}

/// What solves the first pass, where Z = I and Lambda = I: `S = alpha (alpha X^T X + (beta + 1) I)^-1`.
enum First {
    /// `S X^T`.
    Fused(Strips),
    /// `S`.
    Apart(Matrix),
}

/// The diagonals of a pass: Z and Lambda.
pub(super) struct Diagonals {
    pub(super) weights: Weights,
    pub(super) lambda: Multipliers,
}

impl<'a> Tall<'a> {
    /// `gram` is `X^T X`.
    pub(super) fn new(x: &'a Matrix, gram: &Matrix, alpha: f64, beta: f64) -> Result<Self, LinalgError> {
        let scale = |matrix: &mut Matrix| matrix.as_mut_slice().iter_mut().for_each(|value| *value *= alpha);
        let mut gram = gram.clone();
        scale(&mut gram);
        let mut system = gram.clone();
        system.shift_diagonal(beta + 1.0);
        let mut solve = Cholesky::new(system)?.inverse();
        scale(&mut solve);
        let first = if products_dominate(x) {
            First::Fused(Strips::new(Plain(&product(Plain(&solve), Transposed(x)))))
        } else {
            First::Apart(solve)
        };
        Ok(Self { x, beta, gram, first })
    }

    /// Makes `q` Q after the first pass.
    pub(super) fn first_pass(&self, q: &mut Matrix, x_hat: &Matrix) {
        q.resize(self.x.cols(), x_hat.cols());
        match &self.first {
            First::Fused(map) => map.multiply(q, x_hat),
            First::Apart(solve) => {
                let right = product(Transposed(self.x), Plain(x_hat));
                add_product(q, 0.0, 1.0, Plain(solve), Plain(&right));
            }
        }
    }

    /// Takes Q from the diagonals that it was solved for to others; `past` is what this pass did in the iterations before.
    pub(super) fn pass(
        &self,
        q: &mut Matrix,
        from: &Diagonals,
        to: &Diagonals,
        past: &mut Past,
    ) -> Result<(), LinalgError> {
        let change: Vec<f64> = from.weights.iter().zip(&to.weights).map(|(from, to)| self.beta * (from - to)).collect();
        let right = |column: usize, q: &[f64], out: &mut [f64]| {
            let shift = from.lambda[column] - to.lambda[column];
            out.iter_mut().zip(q).zip(&change).for_each(|((out, q), change)| *out = (change + shift) * q);
        };
        let least = |values: &[f64]| values.iter().fold(f64::INFINITY, |min, &value| min.min(value));
        let floor = Floor {
            pole: self.beta * least(&to.weights),
            before: self.beta * least(&from.weights) + least(&from.lambda),
        };
        let diagonal: Vec<f64> = to.weights.iter().map(|z| self.beta * z).collect();
        chebyshev::solve(past.next(q, &right, &diagonal, &to.lambda), floor, |centre| {
            let mut system = self.gram.clone();
            for (feature, entry) in diagonal.iter().enumerate() {
                system[(feature, feature)] += entry + centre;
            }
            Cholesky::new(system)
        })
    }
}
