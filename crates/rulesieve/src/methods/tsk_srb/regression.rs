//! Consequents with group sparsity by reweighted ridge regression.
//!
//! All rules share one constant for each class, which is not penalised: the regression is that of centred targets on a
//! centred design.

use crate::linalg::{Cholesky, LinalgError, Matrix, Plain, Transposed, inner_gram, product, widest};
use crate::methods::fuzzy::samples_in_columns;
use crate::methods::shared::{SMOOTHING, centred};
use rayon::prelude::*;
use std::ops::Range;

/// A length of slopes that does not affect the output, for columns between 0 and 1. Above the smoothing, which slopes
/// under any penalty exceed a little.
const NEGLIGIBLE: f64 = 1e-3;

/// Maximum number of entries of the design in memory, unless a single rule has more.
const MAX_CELLS: usize = 1 << 23;

/// Consequents P are a matrix with a row for every column of the design, km x c: for every rule its slopes.
pub(super) struct Regression<'a> {
    /// Centred columns, n x m.
    x: Matrix,
    /// Centred indicators, n x c.
    y: Matrix,
    shares: &'a Matrix,
    blocks: &'a [Range<usize>],
    pub(super) alpha: f64,
    pub(super) beta: f64,
    /// Number of rules per chunk of the dual form.
    pub(super) rules_at_once: usize,
    form: Form,
}

enum Form {
    /// The centred samples in columns, m x n.
    Dual(Matrix),
    /// `Phi^T Phi` and `Phi^T Y` of the centred design.
    Primal(Matrix, Matrix),
}

impl<'a> Regression<'a> {
    pub(super) fn new(x: &Matrix, y: &Matrix, shares: &'a Matrix, blocks: &'a [Range<usize>], dual: bool) -> Self {
        let (x, y) = (centred(x), centred(y));
        let form = if dual {
            Form::Dual(samples_in_columns(&x))
        } else {
            let design = centred(&design(&x, shares));
            Form::Primal(inner_gram(&design), product(Transposed(&design), Plain(&y)))
        };
        let rules_at_once = (MAX_CELLS / (x.rows() * x.cols()).max(1)).max(1);
        Self { x, y, shares, blocks, alpha: 0.0, beta: 0.0, rules_at_once, form }
    }

    fn width(&self) -> usize {
        self.x.cols()
    }

    /// Initial weights.
    pub(super) fn start(&self) -> Vec<f64> {
        vec![1.0; self.shares.cols() * self.width()]
    }

    /// Sums of squares of all rows of P of a feature.
    fn feature_squares(&self, p: &Matrix) -> Vec<f64> {
        let (squares, width) = (p.row_norms_squared(), self.width());
        let of = |block: &Range<usize>| {
            let rows = (0..self.shares.cols()).flat_map(|rule| block.clone().map(move |col| rule * width + col));
            rows.map(|row| squares[row]).sum()
        };
        self.blocks.iter().map(of).collect()
    }

    /// Sums of squares of all rows of P of a rule.
    fn rule_squares(&self, p: &Matrix) -> Vec<f64> {
        p.row_norms_squared().chunks(self.width().max(1)).map(|rule| rule.iter().sum()).collect()
    }

    /// Lengths of the slopes of every feature.
    pub(super) fn feature_lengths(&self, p: &Matrix) -> Vec<f64> {
        self.feature_squares(p).iter().map(|square| square.sqrt()).collect()
    }

    /// Whether the slopes of all features are negligible.
    pub(super) fn vanished(&self, p: &Matrix) -> bool {
        self.feature_lengths(p).iter().all(|&length| length < NEGLIGIBLE)
    }

    /// Lengths of the consequents of every rule.
    pub(super) fn rule_lengths(&self, p: &Matrix) -> Vec<f64> {
        self.rule_squares(p).iter().map(|square| square.sqrt()).collect()
    }

    /// The terms of the smoothed objective.
    pub(super) fn objective(&self, p: &Matrix) -> Vec<f64> {
        let smoothed = |squares: Vec<f64>| squares.iter().map(|square| (square + SMOOTHING).sqrt()).sum::<f64>();
        vec![
            self.residuals(p),
            self.alpha * smoothed(self.feature_squares(p)),
            self.beta * smoothed(self.rule_squares(p)),
        ]
    }

    /// `1/2n |p0 + Phi P - Y|^2` with the best constants p0, rule by rule.
    fn residuals(&self, p: &Matrix) -> f64 {
        let (n, classes, width) = (self.x.rows(), self.y.cols(), self.width());
        let mut residual = self.y.clone();
        for rule in 0..self.shares.cols() {
            let slopes = Matrix::from_fn(width, classes, |col, class| p[(rule * width + col, class)]);
            let linear = product(Plain(&self.x), Plain(&slopes));
            for class in 0..classes {
                let terms = self.shares.col(rule).iter().zip(linear.col(class));
                let targets = residual.col_mut(class).iter_mut();
                targets.zip(terms).for_each(|(residual, (share, linear))| *residual -= share * linear);
            }
        }
        0.5 * centred(&residual).norm_squared() / n.max(1) as f64
    }

    /// The weights D for the lengths of P.
    pub(super) fn weights(&self, p: &Matrix) -> Vec<f64> {
        let weight = |factor: f64, squares: Vec<f64>| -> Vec<f64> {
            squares.iter().map(|square| factor / (square + SMOOTHING).sqrt()).collect()
        };
        let (features, rules) = (weight(self.alpha, self.feature_squares(p)), weight(self.beta, self.rule_squares(p)));
        let mut out = Vec::with_capacity(p.rows());
        for rule in rules {
            let columns = self.blocks.iter().zip(&features);
            out.extend(columns.flat_map(|(block, &feature)| block.clone().map(move |_| feature + rule)));
        }
        out
    }

    /// P for given weights.
    pub(super) fn step(&self, weights: &[f64]) -> Result<Matrix, LinalgError> {
        let n = self.x.rows() as f64;
        match &self.form {
            Form::Primal(gram, right) => {
                let (mut system, mut p) = (gram.clone(), right.clone());
                weights.iter().enumerate().for_each(|(at, weight)| system[(at, at)] += n * weight);
                Cholesky::new(system)?.solve_in_place(&mut p);
                Ok(p)
            }
            Form::Dual(samples) => {
                let mut system = centred_both_ways(self.weighted_gram(samples, weights));
                system.shift_diagonal(n);
                let mut z = self.y.clone();
                Cholesky::new(system)?.solve_in_place(&mut z);
                Ok(self.consequents(samples, weights, &z))
            }
        }
    }

    /// `Phi D^-1 Phi^T` over chunks of rules: the design is never formed as a whole.
    fn weighted_gram(&self, samples: &Matrix, weights: &[f64]) -> Matrix {
        let (n, width) = (self.x.rows(), self.width());
        let roots: Vec<f64> = weights.iter().map(|weight| 1.0 / weight.sqrt()).collect();
        let mut sum = Matrix::zeros(n, n);
        let mut design = Matrix::default();
        let rules = self.rules_at_once;
        for (part, roots) in roots.chunks(rules * width).enumerate() {
            design.resize(roots.len(), n);
            design.as_mut_slice().par_chunks_mut(roots.len()).enumerate().for_each(|(row, column)| {
                widest!(|| {
                    for (at, (out, roots)) in column.chunks_mut(width).zip(roots.chunks(width)).enumerate() {
                        let share = self.shares[(row, part * rules + at)];
                        let terms = roots.iter().zip(samples.col(row));
                        out.iter_mut().zip(terms).for_each(|(out, (root, x))| *out = share * root * x);
                    }
                });
            });
            let gram = inner_gram(&design);
            sum.as_mut_slice().iter_mut().zip(gram.as_slice()).for_each(|(sum, part)| *sum += part);
        }
        sum
    }

    /// `D^-1 Phi^T Z`, where the columns of Z have mean zero, as those of Y have.
    fn consequents(&self, samples: &Matrix, weights: &[f64], z: &Matrix) -> Matrix {
        let width = self.width();
        let mut p = Matrix::zeros(weights.len(), z.cols());
        for rule in 0..self.shares.cols() {
            let mut weighted = z.clone();
            for class in 0..z.cols() {
                let shares = self.shares.col(rule);
                weighted.col_mut(class).iter_mut().zip(shares).for_each(|(value, share)| *value *= share);
            }
            let part = product(Plain(samples), Plain(&weighted));
            for class in 0..z.cols() {
                for col in 0..width {
                    p[(rule * width + col, class)] = part[(col, class)] / weights[rule * width + col];
                }
            }
        }
        p
    }
}

/// Phi: for every rule the columns of `x`, each times the strength of the rule.
pub(super) fn design(x: &Matrix, shares: &Matrix) -> Matrix {
    let width = x.cols().max(1);
    Matrix::from_fn(x.rows(), shares.cols() * x.cols(), |row, at| shares[(row, at / width)] * x[(row, at % width)])
}

/// The Gram matrix of the rows of a design after its columns were centred.
fn centred_both_ways(gram: Matrix) -> Matrix {
    let n = gram.rows();
    let means: Vec<f64> = (0..n).map(|col| gram.col(col).iter().sum::<f64>() / n.max(1) as f64).collect();
    let mean = means.iter().sum::<f64>() / n.max(1) as f64;
    Matrix::from_fn(n, n, |row, col| gram[(row, col)] - (means[row] + means[col]) + mean)
}
