//! The Q step for n < m: n x n systems only.
//!
//! With `D_j = beta Z + lambda_j I` (diagonal), `q_j = D_j^-1 X^T v_j` and `(I / alpha + X D_j^-1 X^T) v_j = x_hat_j`, hence
//! `x_hat_j - X q_j = v_j / alpha`. The fit needs only that difference and the row lengths of Q; the entries of Q are computed
//! a block of rows at a time.

use super::nodes::{self, Interval, Quantity};
use super::{Multipliers, Weights, row_blocks, some_columns};
use crate::linalg::{
    Cholesky, ColumnsTransposed, LinalgError, Matrix, Outer, Plain, SymmetricEigen, outer_gram, product,
    quadratic_forms, smallest, widest,
};
use rayon::prelude::*;
use std::ops::Range;

/// Algorithm 1 for one (alpha, beta) on one training set with n < m.
pub(super) struct Wide<'a> {
    x: &'a Matrix,
    outer: &'a Outer<'a>,
    alpha: f64,
    beta: f64,
    /// `S = (I / alpha + X X^T / (beta + 1))^-1` solves the first pass, where Z = I and Lambda = I.
    first_solve: Matrix,
    /// `S X / (beta + 1)`: row i of Q after the first pass is its column i, transposed, times X_hat.
    first_rows: Matrix,
    /// `x_hat^T first_columns x_hat` is the squared length of that column of Q after the first pass.
    first_columns: Matrix,
}

/// Q as `D_j^-1 X^T v_j`.
#[derive(Debug, Clone)]
pub(super) struct WideQ {
    beta: f64,
    v: Matrix,
    weights: Weights,
    lambda: Multipliers,
}

impl<'a> Wide<'a> {
    /// `outer` is X laid out for weighted Gram matrices; `eigen` decomposes `X X^T`.
    pub(super) fn new(x: &'a Matrix, outer: &'a Outer<'a>, eigen: &SymmetricEigen, alpha: f64, beta: f64) -> Self {
        let first = beta + 1.0;
        let inverse = |s: f64| 1.0 / (1.0 / alpha + s.max(0.0) / first);
        let first_solve = eigen.apply(inverse);
        let mut first_rows = product(Plain(&first_solve), Plain(x));
        first_rows.as_mut_slice().iter_mut().for_each(|value| *value /= first);
        let first_columns = eigen.apply(|s| inverse(s).powi(2) * s.max(0.0) / (first * first));
        Self { x, outer, alpha, beta, first_solve, first_rows, first_columns }
    }

    /// Squared row and column lengths of Q after the first pass, without forming Q.
    pub(super) fn first_norms(&self, x_hat: &Matrix) -> (Vec<f64>, Vec<f64>) {
        let rows = quadratic_forms(&outer_gram(x_hat), &self.first_rows).into_iter().map(|form| form.max(0.0));
        (rows.collect(), quadratic_forms(&self.first_columns, x_hat))
    }

    /// Q after the first pass.
    pub(super) fn first_pass(&self, x_hat: &Matrix) -> WideQ {
        let (weights, lambda) = (vec![1.0; self.x.cols()], vec![1.0; x_hat.cols()]);
        WideQ { beta: self.beta, v: product(Plain(&self.first_solve), Plain(x_hat)), weights, lambda }
    }

    /// Q for given Z and Lambda.
    pub(super) fn pass(&self, x_hat: &Matrix, weights: Weights, lambda: Multipliers) -> Result<WideQ, LinalgError> {
        let pole = nearest_pole(self.beta, &weights);
        let v = nodes::interpolate(&lambda, pole, x_hat, |nodes| self.inverses_at(&weights, nodes))?;
        Ok(WideQ { beta: self.beta, v, weights, lambda })
    }

    /// `(I / alpha + X D^-1 X^T)^-1` for `D = beta Z + lambda I` at every node lambda.
    fn inverses_at(&self, weights: &Weights, nodes: &[f64]) -> Result<Vec<Matrix>, LinalgError> {
        let diagonal = |lambda: &f64| weights.iter().map(|z| 1.0 / (self.beta * z + lambda)).collect();
        let diagonals: Vec<Vec<f64>> = nodes.iter().map(diagonal).collect();
        let inverse = |mut system: Matrix| {
            system.shift_diagonal(1.0 / self.alpha);
            Ok(Cholesky::new(system)?.inverse())
        };
        self.outer.weighted_grams(&diagonals).into_par_iter().map(inverse).collect()
    }

    /// `- X Q`.
    pub(super) fn minus_projected(&self, q: &WideQ, x_hat: &Matrix) -> Matrix {
        let mut minus = Matrix::zeros(q.v.rows(), q.v.cols());
        let entries = minus.as_mut_slice().iter_mut().zip(q.v.as_slice()).zip(x_hat.as_slice());
        widest!(|| entries.for_each(|((minus, v), x_hat)| *minus = v / self.alpha - x_hat));
        minus
    }
}

impl WideQ {
    /// Squared row lengths of Q, by the cheaper of two ways.
    pub(super) fn row_norms(&self, x: &Matrix) -> Result<Vec<f64>, LinalgError> {
        let intervals = nodes::cover(Quantity::Squares, &self.lambda, nearest_pole(self.beta, &self.weights))?;
        let (n, m, d) = (x.rows(), x.cols(), self.lambda.len());
        let nodes: usize = intervals.iter().map(|interval| interval.nodes.len()).sum();
        let cheaper = nodes * n * (m + d) * 5 / 8 < m * d;
        Ok(if cheaper { self.interpolated_row_norms(x, &intervals) } else { self.norms(x).0 })
    }

    /// `|q^i|^2 = sum_j (x_i^T v_j)^2 / (beta z_i + lambda_j)^2` with the last factor interpolated between the nodes: one
    /// quadratic form in n x n for each node instead of the m x d matrix.
    pub(super) fn interpolated_row_norms(&self, x: &Matrix, intervals: &[Interval]) -> Vec<f64> {
        let mut norms = vec![0.0; x.cols()];
        for Interval { columns, nodes, weights } in intervals {
            let grams = Outer::new(&some_columns(&self.v, columns)).weighted_grams(weights);
            for (lambda, gram) in nodes.iter().zip(&grams) {
                let forms = quadratic_forms(gram, x);
                for ((norm, form), z) in norms.iter_mut().zip(forms).zip(&self.weights) {
                    *norm += form / (self.beta * z + lambda).powi(2);
                }
            }
        }
        norms.iter_mut().for_each(|norm| *norm = norm.max(0.0));
        norms
    }

    /// Squared row and column lengths of Q, a block of rows at a time.
    pub(super) fn norms(&self, x: &Matrix) -> (Vec<f64>, Vec<f64>) {
        let mut rows = Vec::with_capacity(x.cols());
        let mut cols = vec![0.0; self.lambda.len()];
        for range in row_blocks(x.cols()) {
            let block = self.rows(x, range);
            rows.extend(block.row_norms_squared());
            cols.iter_mut().zip(block.col_norms_squared()).for_each(|(sum, part)| *sum += part);
        }
        (rows, cols)
    }

    /// Some rows of Q.
    pub(super) fn rows(&self, x: &Matrix, range: Range<usize>) -> Matrix {
        let weights = &self.weights[range.clone()];
        let mut block = product(ColumnsTransposed(x, range), Plain(&self.v));
        widest!(|| for (col, &lambda) in self.lambda.iter().enumerate() {
            let entries = block.col_mut(col).iter_mut().zip(weights);
            entries.for_each(|(value, weight)| *value /= self.beta * weight + lambda);
        });
        block
    }
}

/// A lower bound of the eigenvalues of `alpha X^T X + beta Z`.
fn nearest_pole(beta: f64, weights: &Weights) -> f64 {
    beta * smallest(weights, f64::INFINITY)
}
