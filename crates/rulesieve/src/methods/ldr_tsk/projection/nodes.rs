//! A few factorisations for all multipliers, by interpolation.
//!
//! Column j of Q solves `(A + lambda_j I) q_j = b_j`, and the lambda_j lie close together. The solution is analytic in lambda,
//! with poles only at minus the eigenvalues of A, so it is interpolated between Chebyshev nodes: factorise at each node, then
//! combine the inverses with Lagrange weights.
//!
//! For an interval of half width h and a pole at a distance of at least `reach` from it, the polynomial through p nodes has a
//! relative error of at most `1 / T_p(1 + reach / h) <= 2 r^p`, `r = h / (2 reach)`. What is interpolated is
//! `v_j = alpha (x_hat_j - X q_j)`. The error delta of q in v comes back as `delta - D_j^-1 (A + lambda_j I) delta` in
//! `q_j = D_j^-1 X^T v_j`: at most `4 (1 + 2 r) r^p` of |q_j|. Four nodes give nine digits where the multipliers lie within a
//! hundredth of each other. Wider intervals are halved until at most [`MAX_NODES`] nodes suffice.
//!
//! Squared row lengths of Q are sums of `(x_i^T v_j)^2 / (beta z_i + lambda_j)^2`. The last factor has a double pole; p nodes
//! leave at most `(p + 1) r^p` of it, and so of every sum.

use super::groups::{Group, split};
use super::some_columns;
use crate::linalg::{LinalgError, Matrix, weighted_product_sum};
use std::f64::consts::PI;

/// Bound on the relative error: of a column of Q, or of a squared row length.
const TOLERANCE: f64 = 1e-9;
/// An interval that needs more nodes is halved.
const MAX_NODES: usize = 12;

/// What is interpolated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Quantity {
    /// The solutions.
    Solutions,
    /// The squares of entries of Q, as functions of lambda `1 / (beta z + lambda)^2`.
    Squares,
}

impl Quantity {
    /// Bound on the relative error.
    fn error(self, ratio: f64, nodes: usize) -> f64 {
        match self {
            Self::Solutions => 4.0 * (1.0 + 2.0 * ratio) * ratio.powi(nodes as i32),
            Self::Squares => (nodes + 1) as f64 * ratio.powi(nodes as i32),
        }
    }
}

/// Columns that share a set of nodes.
pub(super) struct Interval {
    /// The columns, ascending.
    pub(super) columns: Vec<usize>,
    /// The values of lambda at which something is computed.
    pub(super) nodes: Vec<f64>,
    /// For every node its weight in every column.
    pub(super) weights: Vec<Vec<f64>>,
}

/// Covers all multipliers by intervals; `pole` is a lower bound of the eigenvalues of A.
pub(super) fn cover(quantity: Quantity, lambda: &[f64], pole: f64) -> Result<Vec<Interval>, LinalgError> {
    if lambda.iter().any(|lambda| !(lambda.is_finite() && lambda + pole > 0.0)) {
        return Err(LinalgError::NotFinite);
    }
    let count = |low: f64, high: f64| {
        let ratio = (high - low) / (4.0 * (low + pole));
        (1..=MAX_NODES).find(|&nodes| quantity.error(ratio, nodes) <= TOLERANCE)
    };
    let interval = |Group { columns, low, high, plan }| {
        let nodes = chebyshev_nodes(plan, low, high);
        let of_node = |node: usize| columns.iter().map(|&column| lagrange(&nodes, node, lambda[column])).collect();
        let weights = (0..nodes.len()).map(of_node).collect();
        Interval { columns, nodes, weights }
    };
    Ok(split(lambda, count).into_iter().map(interval).collect())
}

/// The zeros of the Chebyshev polynomial of that degree, between `low` and `high`.
fn chebyshev_nodes(count: usize, low: f64, high: f64) -> Vec<f64> {
    let zero = |k: usize| (PI * (2 * k + 1) as f64 / (2 * count) as f64).cos();
    (0..count).map(|k| low + (high - low) * (1.0 + zero(k)) / 2.0).collect()
}

/// The value at `at` of the Lagrange polynomial that is 1 at that node and 0 at the others.
fn lagrange(nodes: &[f64], node: usize, at: f64) -> f64 {
    let others = nodes.iter().enumerate().filter(|&(other, _)| other != node);
    others.map(|(_, other)| (at - other) / (nodes[node] - other)).product()
}

/// For every column j the product of the inverse at lambda_j with column j of `right`. `inverses(nodes)` gives the inverse at
/// every node, and `pole` is a lower bound of the eigenvalues of A.
pub(super) fn interpolate<F>(lambda: &[f64], pole: f64, right: &Matrix, inverses: F) -> Result<Matrix, LinalgError>
where
    F: Fn(&[f64]) -> Result<Vec<Matrix>, LinalgError>,
{
    let mut solution = Matrix::zeros(right.rows(), right.cols());
    for Interval { columns, nodes, weights } in cover(Quantity::Solutions, lambda, pole)? {
        let inverses = inverses(&nodes)?;
        let part = weighted_product_sum(&inverses.iter().collect::<Vec<_>>(), &some_columns(right, &columns), &weights);
        for (at, &column) in columns.iter().enumerate() {
            solution.col_mut(column).copy_from_slice(part.col(at));
        }
    }
    Ok(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of nodes and the largest relative error of `1 / (lambda + eigenvalue)`, and of the q that the interpolated v
    /// gives back, for any eigenvalue of A from the smallest one on. D is the smallest eigenvalue plus lambda.
    fn error(lambda: &[f64], least: f64) -> (usize, f64) {
        let ones = Matrix::from_fn(1, lambda.len(), |_, _| 1.0);
        let count = std::cell::Cell::new(0);
        let worst = |eigenvalue: f64| {
            count.set(0);
            let inverses = |nodes: &[f64]| {
                count.set(count.get() + nodes.len());
                Ok(nodes.iter().map(|at| Matrix::from_fn(1, 1, |_, _| 1.0 / (at + eigenvalue))).collect())
            };
            let found = interpolate(lambda, least, &ones, inverses).unwrap();
            let of_column = |(j, lambda): (usize, &f64)| {
                let error = (found[(0, j)] * (lambda + eigenvalue) - 1.0).abs();
                // `v = 1 - (eigenvalue - least) q`, and q is v over D, times what X has in that direction.
                let of_q = error * (eigenvalue - least) / (lambda + least);
                error.max(if eigenvalue < 1e3 * (lambda + least) { of_q } else { 0.0 })
            };
            lambda.iter().enumerate().map(of_column).fold(0.0, f64::max)
        };
        let eigenvalues = (0..80).map(|k| least + 0.03 * (lambda[0] + least) * (1.25_f64.powi(k) - 1.0));
        let worst = eigenvalues.map(worst).fold(0.0, f64::max);
        (count.get(), worst)
    }

    fn evenly(low: f64, high: f64) -> Vec<f64> {
        (0..200).map(|j| low + (high - low) * f64::from(j) / 199.0).collect()
    }

    #[test]
    fn close_multipliers_need_few_nodes() {
        for (spread, expected) in [(1e-9, 1), (5e-5, 2), (2e-3, 3), (1e-2, 4)] {
            let (nodes, error) = error(&evenly(0.99, 0.99 + spread), 0.5);
            assert!(nodes == expected && error < 1e-9, "{spread}: {nodes} nodes, error {error}");
        }
    }

    #[test]
    fn the_bound_of_the_interpolation_holds_and_is_close() {
        for spread in [4e-3, 9e-3, 4e-2, 0.13] {
            let (nodes, error) = error(&evenly(0.99, 0.99 + spread), 0.5);
            let bound = 2.0 * (spread / 4.0 / 1.49_f64).powi(nodes as i32);
            assert!(error < bound + 1e-12 && error > 0.3 * bound - 1e-12, "{spread}, {nodes} nodes: {error} {bound}");
        }
    }

    #[test]
    fn wide_spreads_are_cut_and_stay_exact() {
        for (low, high) in [(1.25, 1.6), (1e-6, 1.0), (1.0, 1e6)] {
            let lambda: Vec<f64> = (0..300).map(|j| low + (high - low) * (f64::from(j) / 299.0).powi(3)).collect();
            let (_, error) = error(&lambda, 0.0);
            assert!(error < 1e-9, "{low}..{high}: {error}");
        }
    }

    /// The double pole at any distance, with the smallest as the lower bound.
    #[test]
    fn squares_are_exact_at_any_distance_of_the_pole() {
        for (low, high, least) in [(0.99, 0.992, 0.5), (1.25, 1.6, 0.0), (1e-6, 1.0, 0.0), (1.0, 1e6, 0.0)] {
            let lambda = evenly(low, high);
            for Interval { columns, nodes, weights } in cover(Quantity::Squares, &lambda, least).unwrap() {
                for distance in (0..60).map(|k| least + 0.03 * (low + least) * (1.25_f64.powi(k) - 1.0)) {
                    let square = |at: f64| (distance + at).powi(-2);
                    for (at, &column) in columns.iter().enumerate() {
                        let found: f64 = nodes.iter().zip(&weights).map(|(node, w)| w[at] * square(*node)).sum();
                        let error = (found / square(lambda[column]) - 1.0).abs();
                        assert!(error < 1.01e-9, "{low}..{high}, {distance}: {error}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_column_gets_its_own_multiplier() {
        let lambda = [5.0, 1.0, 1.0, 1000.0, 1e-6];
        let right = Matrix::from_fn(1, 5, |_, column| column as f64);
        let inverses =
            |nodes: &[f64]| Ok(nodes.iter().map(|at| Matrix::from_fn(1, 1, |_, _| 1.0 / (1.0 + at))).collect());
        let found = interpolate(&lambda, 1.0, &right, inverses).unwrap();
        for (column, lambda) in lambda.iter().enumerate() {
            assert!((found[(0, column)] * (1.0 + lambda) - column as f64).abs() < 1e-9 * column as f64 + 1e-15);
        }
        assert_eq!(chebyshev_nodes(1, 0.99, 0.99), [0.99]);
    }
}
