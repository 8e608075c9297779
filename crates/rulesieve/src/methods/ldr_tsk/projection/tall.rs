//! The Q step for n >= m: m x m systems on the Gram matrix.
//!
//! `(alpha X^T X + D_j) q_j = alpha X^T x_hat_j`, `D_j = beta Z + lambda_j I`. Only D changes between two passes. With q the
//! solution for D and q + e the solution for D', `(alpha X^T X + D'_j) e_j = (D_j - D'_j) q_j`: after the first pass, every
//! right-hand side is a scaling of q. The error of one pass remains in the next one.

use super::chebyshev::{self, Floor};
use super::{Multipliers, Weights};
use crate::linalg::{Cholesky, LinalgError, Matrix, Plain, Transposed, product, smallest};

/// Algorithm 1 for one (alpha, beta) on one training set with n >= m.
pub(super) struct Tall<'a> {
    x: &'a Matrix,
    beta: f64,
    /// `alpha X^T X`.
    gram: Matrix,
    /// `S = alpha (alpha X^T X + (beta + 1) I)^-1` solves the first pass, where Z = I and Lambda = I.
    first_solve: Matrix,
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
        let mut first_solve = Cholesky::new(system)?.inverse();
        scale(&mut first_solve);
        Ok(Self { x, beta, gram, first_solve })
    }

    /// Q after the first pass.
    pub(super) fn first_pass(&self, x_hat: &Matrix) -> Matrix {
        product(Plain(&self.first_solve), Plain(&product(Transposed(self.x), Plain(x_hat))))
    }

    /// Replaces Q, the solution for the diagonals `from`, by the solution for `to`.
    pub(super) fn pass(&self, q: &mut Matrix, from: &Diagonals, to: &Diagonals) -> Result<(), LinalgError> {
        let change: Vec<f64> = from.weights.iter().zip(&to.weights).map(|(from, to)| self.beta * (from - to)).collect();
        let right = |column: usize, q: &[f64], out: &mut [f64]| {
            let shift = from.lambda[column] - to.lambda[column];
            out.iter_mut().zip(q).zip(&change).for_each(|((out, q), change)| *out = (change + shift) * q);
        };
        let least = |values: &[f64]| smallest(values, f64::INFINITY);
        let floor = Floor {
            pole: self.beta * least(&to.weights),
            before: self.beta * least(&from.weights) + least(&from.lambda),
        };
        chebyshev::add_step(q, right, &to.lambda, floor, |centre| {
            let mut system = self.gram.clone();
            for (feature, z) in to.weights.iter().enumerate() {
                system[(feature, feature)] += self.beta * z + centre;
            }
            Cholesky::new(system)
        })
    }
}
