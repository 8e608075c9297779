//! The Q step when samples are fewer than features: everything in n x n systems.
//!
//! With `D_j = beta Z + lambda_j I` (diagonal), `q_j = D_j^-1 X^T v_j` and `(I / alpha + X D_j^-1 X^T) v_j = x_hat_j`,
//! hence `x_hat_j - X q_j = v_j / alpha`: the gap costs nothing, and Q need not exist. No m x m matrix appears.

use super::nodes::{self, Interval, Quantity, Seen, System};
use super::{Multipliers, Weights, row_blocks, some_columns};
use crate::linalg::{
    Cholesky, ColumnsTransposed, LinalgError, Matrix, Outer, Plain, SymmetricEigen, add_product, many_quadratic_forms,
    outer_gram, product, quadratic_forms, smallest, widest,
};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// Algorithm 1 for one (alpha, beta) on one training set with n < m.
pub(super) struct Wide<'a> {
    x: &'a Matrix,
    outer: &'a Outer<'a>,
    alpha: f64,
    beta: f64,
    ready: Arc<Ready>,
}

/// What every fit with the same alpha and beta needs.
#[derive(Debug)]
pub(super) struct Ready {
    /// `S = (I / alpha + X X^T / (beta + 1))^-1`: solves the first pass, where Z = I and Lambda = I.
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
    pub(super) v: Matrix,
    weights: Weights,
    pub(super) lambda: Multipliers,
    /// What a next iteration may know about the nodes it needs.
    pub(super) seen: Option<Seen>,
}

impl Ready {
    /// `eigen` decomposes `X X^T`.
    pub(super) fn new(x: &Matrix, eigen: &SymmetricEigen, alpha: f64, beta: f64) -> Self {
        let first = beta + 1.0;
        let inverse = |s: f64| 1.0 / (1.0 / alpha + s.max(0.0) / first);
        let first_solve = eigen.apply(inverse);
        let mut first_rows = Matrix::zeros(x.rows(), x.cols());
        add_product(&mut first_rows, 0.0, 1.0 / first, Plain(&first_solve), Plain(x));
        let first_columns = eigen.apply(|s| inverse(s).powi(2) * s.max(0.0) / (first * first));
        Self { first_solve, first_rows, first_columns }
    }
}

impl<'a> Wide<'a> {
    /// `outer` is X once more.
    pub(super) fn new(x: &'a Matrix, outer: &'a Outer<'a>, alpha: f64, beta: f64, ready: Arc<Ready>) -> Self {
        Self { x, outer, alpha, beta, ready }
    }

    /// Squared row and column lengths of Q after the first pass, without forming Q.
    pub(super) fn first_norms(&self, x_hat: &Matrix) -> (Vec<f64>, Vec<f64>) {
        let rows = quadratic_forms(&outer_gram(x_hat), &self.ready.first_rows).into_iter().map(|form| form.max(0.0));
        (rows.collect(), quadratic_forms(&self.ready.first_columns, x_hat))
    }

    /// Q after the first pass.
    pub(super) fn first_pass(&self, x_hat: &Matrix) -> WideQ {
        let (weights, lambda) = (vec![1.0; self.x.cols()], vec![1.0; x_hat.cols()]);
        let v = product(Plain(&self.ready.first_solve), Plain(x_hat));
        WideQ { beta: self.beta, v, weights, lambda, seen: None }
    }

    /// Q for given Z and Lambda; `seen` is what this pass has seen in the iterations before.
    pub(super) fn pass(
        &self,
        x_hat: &Matrix,
        weights: Weights,
        lambda: Multipliers,
        seen: Option<Seen>,
    ) -> Result<WideQ, LinalgError> {
        let intervals = nodes::cover(Quantity::Solutions, &lambda, nearest_pole(self.beta, &weights));
        let intervals = nodes::fewer(intervals, &lambda, seen);
        let (v, now) = nodes::interpolate(&intervals, x_hat, |nodes| self.systems_at(&weights, nodes))?;
        Ok(WideQ { beta: self.beta, v, weights, lambda, seen: Seen::latest(now, seen) })
    }

    /// `I / alpha + X D^-1 X^T` for `D = beta Z + lambda I` at every node lambda.
    fn systems_at(&self, weights: &Weights, nodes: &[f64]) -> Result<Vec<System>, LinalgError> {
        let inverses: Vec<Vec<f64>> = nodes.iter().map(|&lambda| inverses(weights, self.beta, lambda)).collect();
        let system = |mut matrix: Matrix| {
            matrix.shift_diagonal(1.0 / self.alpha);
            Ok(System { inverse: Cholesky::new(matrix.clone())?.inverse(), matrix })
        };
        self.outer.weighted_grams_along(nodes, &inverses).into_par_iter().map(system).collect()
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
    pub(super) fn row_norms(&self, x: &Matrix) -> Vec<f64> {
        let intervals = self.intervals_of_squares();
        if self.nodes_are_cheaper(x, &intervals) { self.interpolated_row_norms(x, &intervals) } else { self.norms(x).0 }
    }

    /// `|Q|_2,1`, the sum of the row lengths. It takes fewer nodes than the lengths themselves.
    pub(super) fn sum_of_row_lengths(&self, x: &Matrix) -> f64 {
        let fewer = |interval| nodes::for_sums(interval, &self.lambda, x.rows());
        let intervals: Vec<Interval> = self.intervals_of_squares().iter().map(fewer).collect();
        let norms = if self.nodes_are_cheaper(x, &intervals) {
            self.interpolated_row_norms(x, &intervals)
        } else {
            self.norms(x).0
        };
        norms.into_iter().map(f64::sqrt).sum()
    }

    pub(super) fn intervals_of_squares(&self) -> Vec<Interval> {
        self.intervals(Quantity::Squares)
    }

    pub(super) fn intervals(&self, quantity: Quantity) -> Vec<Interval> {
        nodes::cover(quantity, &self.lambda, nearest_pole(self.beta, &self.weights))
    }

    fn nodes_are_cheaper(&self, x: &Matrix, intervals: &[Interval]) -> bool {
        let (n, m, d) = (x.rows(), x.cols(), self.lambda.len());
        let nodes: usize = intervals.iter().map(|interval| interval.nodes.len()).sum();
        nodes * n * (m + d) * 5 / 8 < m * d
    }

    /// `|q^i|^2 = sum_j (x_i^T v_j)^2 / (beta z_i + lambda_j)^2`, the last factor interpolated between the nodes: one
    /// quadratic form in n x n a node instead of the m x d matrix.
    pub(super) fn interpolated_row_norms(&self, x: &Matrix, intervals: &[Interval]) -> Vec<f64> {
        let mut norms = vec![0.0; x.cols()];
        for interval in intervals {
            let grams = Outer::new(&some_columns(&self.v, &interval.columns)).weighted_grams(&interval.weights);
            for (&lambda, forms) in interval.nodes.iter().zip(many_quadratic_forms(&grams, x)) {
                for ((norm, form), z) in norms.iter_mut().zip(forms).zip(&self.weights) {
                    *norm += form / (self.beta * z + lambda).powi(2);
                }
            }
        }
        norms.iter_mut().for_each(|norm| *norm = norm.max(0.0));
        norms
    }

    /// Squared row and column lengths of Q from its entries, a block of rows at a time.
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

    /// The diagonal of `(beta Z + lambda I)^-1`.
    pub(super) fn inverse_weights(&self, lambda: f64) -> Vec<f64> {
        inverses(&self.weights, self.beta, lambda)
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

/// The diagonal of `(beta Z + lambda I)^-1`.
fn inverses(weights: &Weights, beta: f64, lambda: f64) -> Vec<f64> {
    weights.iter().map(|z| 1.0 / (beta * z + lambda)).collect()
}
