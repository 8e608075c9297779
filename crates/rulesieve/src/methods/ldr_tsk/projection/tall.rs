//! The Q step when samples are at least as many as features: m x m systems on the Gram matrix.
//!
//! `(alpha X^T X + beta Z + lambda_j I) q_j = alpha X^T x_hat_j`.

use super::{Multipliers, Weights, chebyshev};
use crate::linalg::{Cholesky, LinalgError, Matrix, Plain, SymmetricEigen, Transposed, add_product, product};

/// Algorithm 1 for one (alpha, beta) on one training set with n >= m.
pub(super) struct Tall<'a> {
    x: &'a Matrix,
    alpha: f64,
    beta: f64,
    /// `alpha X^T X`.
    gram: Matrix,
    /// `(alpha X^T X + (beta + 1) I)^-1`: solves the first pass, where Z = I and Lambda = I.
    first_solve: Matrix,
}

impl<'a> Tall<'a> {
    /// `gram` is `X^T X` and `eigen` its decomposition.
    pub(super) fn new(x: &'a Matrix, gram: &Matrix, eigen: &SymmetricEigen, alpha: f64, beta: f64) -> Self {
        let mut gram = gram.clone();
        gram.as_mut_slice().iter_mut().for_each(|value| *value *= alpha);
        let first_solve = eigen.apply(|s| 1.0 / (alpha * s.max(0.0) + beta + 1.0));
        Self { x, alpha, beta, gram, first_solve }
    }

    /// The right-hand side `alpha X^T X_hat`, the same in every pass.
    pub(super) fn right(&self, x_hat: &Matrix) -> Matrix {
        let mut right = Matrix::zeros(self.x.cols(), x_hat.cols());
        add_product(&mut right, 0.0, self.alpha, Transposed(self.x), Plain(x_hat));
        right
    }

    /// Q after the first pass.
    pub(super) fn first_pass(&self, right: &Matrix) -> Matrix {
        product(Plain(&self.first_solve), Plain(right))
    }

    /// Q for given Z and Lambda.
    pub(super) fn pass(&self, right: &Matrix, weights: &Weights, lambda: &Multipliers) -> Result<Matrix, LinalgError> {
        let smallest = weights.iter().fold(f64::INFINITY, |min, &z| min.min(z));
        chebyshev::solve(right, lambda, self.beta * smallest, |centre| {
            let mut system = self.gram.clone();
            for (feature, z) in weights.iter().enumerate() {
                system[(feature, feature)] += self.beta * z + centre;
            }
            Cholesky::new(&system)
        })
    }

    /// `- X Q`.
    pub(super) fn minus_projected(&self, q: &Matrix) -> Matrix {
        let mut minus = Matrix::zeros(self.x.rows(), q.cols());
        add_product(&mut minus, 0.0, -1.0, Plain(self.x), Plain(q));
        minus
    }
}
