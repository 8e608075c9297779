//! `sum_a M_a X diag(w_a)` for square matrices `M_a`, each with its own weights of the columns of X: one product of the
//! concatenated matrices with the stacked weighted copies of X, which are formed panel by panel.

use super::{Matrix, Strips, widest};
use faer::{MatMut, MatRef};
use rayon::prelude::*;

/// Columns of a panel: three weighted copies of 130 rows fit into the second-level cache.
const PANEL: usize = 128;

/// `sum_a M_a X diag(w_a)`.
pub(crate) fn weighted_product_sum(matrices: &[&Matrix], x: &Matrix, weights: &[Vec<f64>]) -> Matrix {
    let (order, height) = (x.rows(), matrices.len() * x.rows());
    let side_by_side = matrices.iter().map(|matrix| matrix.as_slice()).collect::<Vec<_>>().concat();
    let left = Strips::of(MatRef::from_column_major_slice(&side_by_side, order, height));
    let mut sum = Matrix::zeros(order, x.cols());
    let panels = sum.as_mut_slice().par_chunks_mut((order * PANEL).max(1)).enumerate();
    panels.for_each_init(Vec::new, |copies, (panel, out)| {
        let (start, cols) = (panel * PANEL, out.len() / order);
        copies.resize(height * cols, 0.0);
        widest!(|| {
            for (at, copies) in copies.chunks_exact_mut(height).enumerate() {
                for (copy, weights) in copies.chunks_exact_mut(order).zip(weights) {
                    let weight = weights[start + at];
                    copy.iter_mut().zip(x.col(start + at)).for_each(|(copy, value)| *copy = weight * value);
                }
            }
        });
        let right = MatRef::from_column_major_slice(copies, height, cols);
        left.multiply_from(0, MatMut::from_column_major_slice_mut(out, order, cols), 1.0, right);
    });
    sum
}
