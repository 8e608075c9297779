//! Firing strengths of rules, and the derivatives with respect to them.

use crate::linalg::{ColumnsTransposed, Matrix, Plain, add_product, dot, scale_columns, widest};
pub(crate) use crate::rule_network::pass::softmax;
use std::ops::Range;

/// Log-firing as quadratic forms of the sample, `z_r = sum_d (A_dr x_d^2 + B_dr x_d) + a_r`.
///
/// Gaussian memberships under the product: the softmax of z equals the textbook's products divided by their sum,
/// without underflow. A form `A` that is the same for all rules cancels and is omitted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Forms {
    /// A, m x k.
    pub(crate) quadratic: Option<Matrix>,
    /// B, m x k.
    pub(crate) linear: Matrix,
    /// a.
    pub(crate) constant: Vec<f64>,
}

impl Forms {
    /// `z_r = -sum_d w_d (x_d - c_dr)^2` without the part common to all rules.
    pub(crate) fn of_distances(centres: &Matrix, weights: &[f64]) -> Self {
        let mut linear = centres.clone();
        let mut constant = vec![0.0; centres.cols()];
        for (rule, constant) in constant.iter_mut().enumerate() {
            for (value, weight) in linear.col_mut(rule).iter_mut().zip(weights) {
                *constant -= weight * *value * *value;
                *value *= 2.0 * weight;
            }
        }
        Self { quadratic: None, linear, constant }
    }

    /// Normalised firing strengths for some samples, b x k. `squares` are those of `xt`, for forms with a quadratic
    /// part.
    pub(crate) fn shares(&self, xt: &Matrix, squares: &Matrix, samples: Range<usize>, out: &mut Matrix) {
        out.resize(samples.len(), self.constant.len());
        for (rule, &constant) in self.constant.iter().enumerate() {
            out.col_mut(rule).fill(constant);
        }
        add_product(out, 1.0, 1.0, ColumnsTransposed(xt, samples.clone()), Plain(&self.linear));
        if let Some(quadratic) = &self.quadratic {
            add_product(out, 1.0, 1.0, ColumnsTransposed(squares, samples), Plain(quadratic));
        }
        softmax(out, &mut Matrix::default());
    }
}

/// Multiplies every column of strengths by the opening of its rule.
pub(crate) fn gated(shares: &Matrix, gates: &[f64]) -> Matrix {
    scale_columns(shares, gates)
}

/// Propagates the derivative from gated to ungated strengths, in place; the derivative with respect to the gates is
/// added to `d_gates`.
pub(crate) fn through_gates(shares: &Matrix, gates: &[f64], d: &mut Matrix, d_gates: &mut [f64]) {
    for (rule, (gate, d_gate)) in gates.iter().zip(d_gates).enumerate() {
        *d_gate += dot(shares.col(rule), d.col(rule));
        d.col_mut(rule).iter_mut().for_each(|d| *d *= gate);
    }
}

/// For every sample `sum_r shares_r d_r`.
fn means(shares: &Matrix, d: &Matrix) -> Vec<f64> {
    let mut means = vec![0.0; shares.rows()];
    widest!(|| {
        for rule in 0..shares.cols() {
            let terms = shares.col(rule).iter().zip(d.col(rule));
            means.iter_mut().zip(terms).for_each(|(mean, (share, d))| *mean += share * d);
        }
    });
    means
}

/// Propagates the derivative from `softmax(z)` to z, in place.
pub(crate) fn through_softmax(shares: &Matrix, d: &mut Matrix) {
    let means = means(shares, d);
    widest!(|| {
        for rule in 0..shares.cols() {
            let terms = shares.col(rule).iter().zip(&means);
            d.col_mut(rule).iter_mut().zip(terms).for_each(|(d, (share, mean))| *d = share * (*d - mean));
        }
    });
}

/// Normalises strengths to `f_r / sum f`; returns the sums.
pub(crate) fn normalise(strengths: &mut Matrix) -> Vec<f64> {
    let mut sums = vec![0.0; strengths.rows()];
    for rule in 0..strengths.cols() {
        sums.iter_mut().zip(strengths.col(rule)).for_each(|(sum, strength)| *sum += strength);
    }
    for rule in 0..strengths.cols() {
        strengths.col_mut(rule).iter_mut().zip(&sums).for_each(|(strength, sum)| *strength /= sum);
    }
    sums
}

/// Propagates the derivative from `f / sum f` to f, in place.
pub(crate) fn through_normalise(shares: &Matrix, sums: &[f64], d: &mut Matrix) {
    let means = means(shares, d);
    for rule in 0..shares.cols() {
        let terms = means.iter().zip(sums);
        d.col_mut(rule).iter_mut().zip(terms).for_each(|(d, (mean, sum))| *d = (*d - mean) / sum);
    }
}
