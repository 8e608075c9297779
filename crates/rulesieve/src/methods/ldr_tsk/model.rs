//! The low-dimensional TSK system (Eq. "obj2"): what its rules say, and by how much they miss.
//!
//! `r_io = sum_r F_ir (x_hat_i P_o + p0_o)_r - y_io`.

use crate::linalg::Matrix;

/// `X_hat P + 1 p0^T`: what every rule says of every sample, given `X_hat P`.
pub(super) fn rule_outputs(slopes: &Matrix, p0: &[f64]) -> Matrix {
    let mut outputs = slopes.clone();
    for (col, &constant) in p0.iter().enumerate() {
        outputs.col_mut(col).iter_mut().for_each(|value| *value += constant);
    }
    outputs
}

/// `sum_r F_ir G_ir - y_i` for every sample and output, given the rule outputs G.
pub(super) fn residuals(f: &Matrix, outputs: &Matrix, y: &Matrix) -> Matrix {
    let rules = f.cols();
    let mut residuals = y.clone();
    residuals.as_mut_slice().iter_mut().for_each(|value| *value = -*value);
    for output in 0..y.cols() {
        let residual = residuals.col_mut(output);
        for rule in 0..rules {
            let said = outputs.col(output * rules + rule);
            for ((sum, firing), said) in residual.iter_mut().zip(f.col(rule)).zip(said) {
                *sum += firing * said;
            }
        }
    }
    residuals
}

/// `r_io F_ir` in column `o * rules + r`: the weights with which both gradients of the consequent side sum.
pub(super) fn weighted_firing(residuals: &Matrix, f: &Matrix) -> Matrix {
    let rules = f.cols();
    let mut weighted = Matrix::zeros(f.rows(), residuals.cols() * rules);
    for col in 0..weighted.cols() {
        let factors = residuals.col(col / rules).iter().zip(f.col(col % rules));
        for (value, (residual, firing)) in weighted.col_mut(col).iter_mut().zip(factors) {
            *value = residual * firing;
        }
    }
    weighted
}
