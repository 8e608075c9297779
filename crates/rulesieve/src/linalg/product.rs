//! Matrix products. Large ones run on the current thread pool, cut into blocks that depend on the shapes alone, so
//! that the bits of a result do not depend on the number of threads.

use super::{Matrix, dot};
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

/// A factor of a product: a matrix as it is, or transposed.
#[derive(Debug, Clone, Copy)]
pub enum Factor<'a> {
    /// The matrix.
    Plain(&'a Matrix),
    /// Its transpose.
    Transposed(&'a Matrix),
}

pub use Factor::{Plain, Transposed};

impl<'a> Factor<'a> {
    fn view(self) -> MatRef<'a, f64> {
        match self {
            Plain(matrix) => view(matrix),
            Transposed(matrix) => view(matrix).transpose(),
        }
    }
}

/// The number of multiplications up to which a product is one piece.
const PIECE: usize = 48 << 20;
/// Sides shorter than twice this are not cut.
const SMALLEST_SIDE: usize = 32;
/// Columns of a panel.
const PANEL: usize = 256;

pub(super) fn view(matrix: &Matrix) -> MatRef<'_, f64> {
    MatRef::from_column_major_slice(matrix.as_slice(), matrix.rows(), matrix.cols())
}

/// `left * right`.
pub fn product(left: Factor, right: Factor) -> Matrix {
    let mut out = Matrix::zeros(left.view().nrows(), right.view().ncols());
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

/// Halves the longer side of the result until a piece is small enough to stay in the cache of one core.
fn multiply(out: MatMut<f64>, accumulate: Accum, scale: f64, left: MatRef<f64>, right: MatRef<f64>) {
    let (rows, cols) = (out.nrows(), out.ncols());
    if rows.saturating_mul(cols).saturating_mul(left.ncols()) <= PIECE || rows.max(cols) < 2 * SMALLEST_SIDE {
        matmul(out, accumulate, left, right, scale, Par::Seq);
    } else if rows >= cols {
        let (upper, lower) = out.split_at_row_mut(rows / 2);
        let (left_upper, left_lower) = left.split_at_row(rows / 2);
        rayon::join(
            || multiply(upper, accumulate, scale, left_upper, right),
            || multiply(lower, accumulate, scale, left_lower, right),
        );
    } else {
        let (first, second) = out.split_at_col_mut(cols / 2);
        let (right_first, right_second) = right.split_at_col(cols / 2);
        rayon::join(
            || multiply(first, accumulate, scale, left, right_first),
            || multiply(second, accumulate, scale, left, right_second),
        );
    }
}

/// The blocks of a symmetric product: only those on and below the diagonal are computed. Their size is a multiple of
/// the 48 rows that the kernels below take at a time.
fn block_bounds(order: usize) -> Vec<(usize, usize)> {
    let size = 48 * order.div_ceil(4 * 48).max(1);
    (0..order).step_by(size).map(|first| (first, (first + size).min(order))).collect()
}

/// The symmetric matrix `X diag(weights) X^T`, or `X X^T` without weights; both triangles are filled.
///
/// Columns are taken in panels, so that a weighted copy of a panel, not of X, is made and stays in the cache.
pub fn outer_gram(x: &Matrix, weights: Option<&[f64]>) -> Matrix {
    let order = x.rows();
    symmetric_from_blocks(order, |first, end| {
        let mut block = Matrix::zeros(order - first, end - first);
        let mut panel = Matrix::zeros(end - first, PANEL);
        for start in (0..x.cols()).step_by(PANEL) {
            let width = PANEL.min(x.cols() - start);
            for col in 0..width {
                let weight = weights.map_or(1.0, |weights| weights[start + col]);
                let source = &x.col(start + col)[first..end];
                panel.col_mut(col).iter_mut().zip(source).for_each(|(to, from)| *to = weight * from);
            }
            let left = view(x).subcols(start, width).subrows(first, order - first);
            let out = MatMut::from_column_major_slice_mut(block.as_mut_slice(), order - first, end - first);
            matmul(out, Accum::Add, left, view(&panel).subcols(0, width).transpose(), 1.0, Par::Seq);
        }
        block
    })
}

/// The symmetric matrix `X^T X`; both triangles are filled.
pub fn inner_gram(x: &Matrix) -> Matrix {
    let (order, x) = (x.cols(), view(x));
    symmetric_from_blocks(order, |first, end| {
        let mut block = Matrix::zeros(order - first, end - first);
        let left = x.subcols(first, order - first).transpose();
        let out = MatMut::from_column_major_slice_mut(block.as_mut_slice(), order - first, end - first);
        matmul(out, Accum::Replace, left, x.subcols(first, end - first), 1.0, Par::Seq);
        block
    })
}

/// Computes the block columns of the lower triangle (in parallel) and mirrors them.
fn symmetric_from_blocks(order: usize, block: impl Fn(usize, usize) -> Matrix + Sync) -> Matrix {
    let bounds = block_bounds(order);
    let blocks: Vec<_> = bounds.par_iter().map(|&(first, end)| block(first, end)).collect();
    let mut out = Matrix::zeros(order, order);
    for (&(first, end), block) in bounds.iter().zip(&blocks) {
        for col in first..end {
            let source = &block.col(col - first)[col - first..];
            out.col_mut(col)[col..].copy_from_slice(source);
            source.iter().enumerate().for_each(|(below, &value)| out[(col, col + below)] = value);
        }
    }
    out
}

/// `X diag(weights)`.
pub fn scale_columns(x: &Matrix, weights: &[f64]) -> Matrix {
    let mut out = x.clone();
    for (col, &weight) in weights.iter().enumerate() {
        out.col_mut(col).iter_mut().for_each(|value| *value *= weight);
    }
    out
}

/// `x_i^T M x_i` for every column `x_i` of `x`, with `M` symmetric, for about two thirds of the work of `M X`.
pub fn quadratic_forms(m: &Matrix, x: &Matrix) -> Vec<f64> {
    let (order, lower) = (x.rows(), doubled_lower_blocks(m));
    let mut forms = vec![0.0; x.cols()];
    forms.par_chunks_mut(4 * PANEL).enumerate().for_each(|(chunk, forms)| {
        let mut image = Matrix::zeros(order, PANEL);
        for (panel, forms) in forms.chunks_mut(PANEL).enumerate() {
            let start = (4 * chunk + panel) * PANEL;
            let columns = view(x).subcols(start, forms.len());
            let mut target = MatMut::from_column_major_slice_mut(image.as_mut_slice(), order, PANEL);
            for (first, end) in block_bounds(order) {
                let left = view(&lower).submatrix(first, 0, end - first, end);
                let rows = target.as_mut().submatrix_mut(first, 0, end - first, forms.len());
                matmul(rows, Accum::Replace, left, columns.subrows(0, end), 1.0, Par::Seq);
            }
            for (col, form) in forms.iter_mut().enumerate() {
                *form = dot(x.col(start + col), image.col(col));
            }
        }
    });
    forms
}

/// The blocks of `M` on the diagonal as they are, those below it doubled: the same quadratic form.
fn doubled_lower_blocks(m: &Matrix) -> Matrix {
    let mut lower = m.clone();
    for (first, end) in block_bounds(m.rows()) {
        for col in first..end {
            lower.col_mut(col)[end..].iter_mut().for_each(|value| *value *= 2.0);
        }
    }
    lower
}
