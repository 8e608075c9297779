//! Matrix products. Large ones run on the current thread pool, in blocks that depend on the shapes alone.

use super::Matrix;
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use std::ops::Range;

/// A factor of a product: a matrix or a view of its entries.
#[derive(Debug, Clone)]
pub enum Factor<'a> {
    /// The matrix.
    Plain(&'a Matrix),
    /// Its transpose.
    Transposed(&'a Matrix),
    /// Some of its columns.
    Columns(&'a Matrix, Range<usize>),
    /// The transpose of some of its columns.
    ColumnsTransposed(&'a Matrix, Range<usize>),
    /// Its entries reshaped to columns of another length.
    Reshaped(&'a Matrix, usize),
}

pub(crate) use Factor::{Columns, ColumnsTransposed, Reshaped};
pub use Factor::{Plain, Transposed};

impl<'a> Factor<'a> {
    pub(super) fn view(self) -> MatRef<'a, f64> {
        match self {
            Plain(matrix) => view(matrix),
            Transposed(matrix) => view(matrix).transpose(),
            Columns(matrix, range) => view(matrix).subcols(range.start, range.len()),
            ColumnsTransposed(matrix, range) => view(matrix).subcols(range.start, range.len()).transpose(),
            Reshaped(matrix, rows) => {
                let entries = matrix.as_slice();
                MatRef::from_column_major_slice(entries, rows, entries.len() / rows.max(1))
            }
        }
    }
}

/// Maximum number of multiplications of a product in one block.
const SMALL: usize = 1 << 20;
/// Rows of a strip: a multiple of the 48 rows of the kernels.
const STRIP: usize = 96;
/// Columns of a panel.
const PANEL: usize = 512;

pub(super) fn view(matrix: &Matrix) -> MatRef<'_, f64> {
    MatRef::from_column_major_slice(matrix.as_slice(), matrix.rows(), matrix.cols())
}

/// `left * right`.
pub(crate) fn product(left: Factor, right: Factor) -> Matrix {
    let mut out = Matrix::zeros(left.clone().view().nrows(), right.clone().view().ncols());
    add_product(&mut out, 0.0, 1.0, left, right);
    out
}

/// `out = keep * out + scale * left * right`, where `keep` is 0 or 1.
pub fn add_product(out: &mut Matrix, keep: f64, scale: f64, left: Factor, right: Factor) {
    let (left, right) = (left.view(), right.view());
    let (rows, cols) = (left.nrows(), right.ncols());
    assert_eq!((out.rows(), out.cols(), left.ncols()), (rows, cols, right.nrows()), "shapes of a product");
    if rows == 0 || cols == 0 {
        return;
    }
    let accumulate = if keep == 0.0 { Accum::Replace } else { Accum::Add };
    let out = MatMut::from_column_major_slice_mut(out.as_mut_slice(), rows, cols);
    multiply(out, accumulate, scale, left, right);
}

/// Splits the rows of the result into strips, then its columns into panels, which was measured to be fastest; threads
/// share the blocks.
pub(super) fn multiply(out: MatMut<f64>, accumulate: Accum, scale: f64, left: MatRef<f64>, right: MatRef<f64>) {
    let (rows, cols) = (out.nrows(), out.ncols());
    let small = rows.saturating_mul(cols).saturating_mul(left.ncols()) <= SMALL;
    if !small && rows > STRIP {
        let cut = rows.div_ceil(2).next_multiple_of(STRIP);
        let (upper, lower) = out.split_at_row_mut(cut);
        let (left_upper, left_lower) = left.split_at_row(cut);
        rayon::join(
            || multiply(upper, accumulate, scale, left_upper, right),
            || multiply(lower, accumulate, scale, left_lower, right),
        );
    } else if !small && cols > PANEL {
        let cut = cols.div_ceil(2).next_multiple_of(PANEL);
        let (first, second) = out.split_at_col_mut(cut);
        let (right_first, right_second) = right.split_at_col(cut);
        rayon::join(
            || multiply(first, accumulate, scale, left, right_first),
            || multiply(second, accumulate, scale, left, right_second),
        );
    } else {
        matmul(out, accumulate, left, right, scale, Par::Seq);
    }
}

/// `X diag(weights)`.
pub(crate) fn scale_columns(x: &Matrix, weights: &[f64]) -> Matrix {
    let mut out = x.clone();
    for (col, &weight) in weights.iter().enumerate() {
        out.col_mut(col).iter_mut().for_each(|value| *value *= weight);
    }
    out
}

/// `diag(weights) X`.
pub(crate) fn scale_rows(x: &Matrix, weights: &[f64]) -> Matrix {
    let mut out = x.clone();
    for col in 0..out.cols() {
        out.col_mut(col).iter_mut().zip(weights).for_each(|(value, weight)| *value *= weight);
    }
    out
}
