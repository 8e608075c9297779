//! First-order consequents for more rules than columns. The slopes S, m x (k c), have the same memory layout as (m c)
//! x k, all columns and classes for every rule; mixed by the weights of the rules they are m c numbers per sample,
//! instead of the k c outputs of all rules.

use crate::linalg::{Matrix, Plain, Reshaped, Transposed, add_product, dot, product, widest};
use std::ops::Range;

/// Adds `x_n . (sum_r w_nr S_rc)` to the outputs, b x c.
pub(super) fn add_outputs(slopes: &Matrix, xt: &Matrix, samples: Range<usize>, weights: &Matrix, outputs: &mut Matrix) {
    let (m, rows) = (xt.rows(), xt.rows() * outputs.cols());
    let mixed = product(Reshaped(slopes, rows), Transposed(weights));
    widest!(|| {
        for (at, sample) in samples.enumerate() {
            for (class, slopes) in mixed.col(at).chunks_exact(m).enumerate() {
                outputs[(at, class)] += dot(slopes, xt.col(sample));
            }
        }
    });
}

/// Adds `sum_n w_nr e_nc x_n` to the derivative with respect to the slopes.
pub(super) fn add_slopes(d_slopes: &mut Matrix, xt: &Matrix, samples: Range<usize>, weights: &Matrix, error: &Matrix) {
    let (rows, cols) = (d_slopes.rows(), d_slopes.cols());
    d_slopes.resize(xt.rows() * error.cols(), weights.cols());
    add_product(d_slopes, 1.0, 1.0, Plain(&outer(xt, samples, error)), Plain(weights));
    d_slopes.resize(rows, cols);
}

/// Adds `sum_c e_nc (x_n . S_rc)` to the derivative with respect to the weights, b x k.
pub(super) fn add_weight_errors(slopes: &Matrix, xt: &Matrix, samples: Range<usize>, error: &Matrix, out: &mut Matrix) {
    let rows = xt.rows() * error.cols();
    add_product(out, 1.0, 1.0, Transposed(&outer(xt, samples, error)), Reshaped(slopes, rows));
}

/// `e_nc x_n`, (m c) x b.
fn outer(xt: &Matrix, samples: Range<usize>, error: &Matrix) -> Matrix {
    let m = xt.rows();
    let mut out = Matrix::zeros(m * error.cols(), samples.len());
    widest!(|| {
        for (at, sample) in samples.enumerate() {
            for (class, out) in out.col_mut(at).chunks_exact_mut(m).enumerate() {
                let error = error[(at, class)];
                out.iter_mut().zip(xt.col(sample)).for_each(|(out, x)| *out = error * x);
            }
        }
    });
    out
}
