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

/// Products below this many multiplications are not worth a second block.
const BLOCK_WORK: usize = 16 << 20;
/// The largest number of blocks of one product.
const MAX_BLOCKS: usize = 16;

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
    let width = block_width(rows * left.ncols(), cols);
    out.as_mut_slice().par_chunks_mut(width * rows).enumerate().for_each(|(block, out)| {
        let first = block * width;
        let count = out.len() / rows;
        let out = MatMut::from_column_major_slice_mut(out, rows, count);
        matmul(out, accumulate, left, right.subcols(first, count), scale, Par::Seq);
    });
}

fn block_width(work_per_column: usize, cols: usize) -> usize {
    let blocks = (work_per_column.saturating_mul(cols) / BLOCK_WORK).clamp(1, MAX_BLOCKS);
    cols.div_ceil(blocks).max(1)
}

/// How many row blocks a symmetric product is cut into: only the blocks on and below the diagonal are computed.
fn triangle_blocks(order: usize) -> usize {
    (order / 32).clamp(1, 4)
}

fn block_bounds(order: usize) -> Vec<(usize, usize)> {
    let count = triangle_blocks(order);
    (0..count).map(|b| (b * order / count, (b + 1) * order / count)).collect()
}

/// The symmetric matrix `X diag(weights) X^T`, or `X X^T` without weights; both triangles are filled.
pub fn outer_gram(x: &Matrix, weights: Option<&[f64]>) -> Matrix {
    let order = x.rows();
    let weighted = weights.map(|weights| scale_columns(x, weights));
    let (left, right) = (view(weighted.as_ref().unwrap_or(x)), view(x));
    symmetric_from_blocks(order, |first, end| {
        let mut block = faer::Mat::zeros(order - first, end - first);
        matmul(
            block.as_mut(),
            Accum::Replace,
            left.subrows(first, order - first),
            right.subrows(first, end - first).transpose(),
            1.0,
            Par::Seq,
        );
        block
    })
}

/// The symmetric matrix `X^T X`; both triangles are filled.
pub fn inner_gram(x: &Matrix) -> Matrix {
    let (order, x) = (x.cols(), view(x));
    symmetric_from_blocks(order, |first, end| {
        let mut block = faer::Mat::zeros(order - first, end - first);
        let left = x.subcols(first, order - first).transpose();
        matmul(block.as_mut(), Accum::Replace, left, x.subcols(first, end - first), 1.0, Par::Seq);
        block
    })
}

/// Computes the block columns of the lower triangle (in parallel) and mirrors them.
fn symmetric_from_blocks(order: usize, block: impl Fn(usize, usize) -> faer::Mat<f64> + Sync) -> Matrix {
    let bounds = block_bounds(order);
    let blocks: Vec<_> = bounds.par_iter().map(|&(first, end)| block(first, end)).collect();
    let mut out = Matrix::zeros(order, order);
    for (&(first, end), block) in bounds.iter().zip(&blocks) {
        for col in first..end {
            for row in col..order {
                let value = block[(row - first, col - first)];
                out[(row, col)] = value;
                out[(col, row)] = value;
            }
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

/// `x_i^T M x_i` for every column `x_i` of `x`, with `M` symmetric: five eighths of the work of forming `M X`.
pub fn quadratic_forms(m: &Matrix, x: &Matrix) -> Vec<f64> {
    let (order, cols) = (x.rows(), x.cols());
    let lower = doubled_lower_blocks(m);
    let width = block_width(order * order, cols);
    let mut forms = vec![0.0; cols];
    forms.par_chunks_mut(width).enumerate().for_each(|(block, forms)| {
        let start = block * width;
        let columns = view(x).subcols(start, forms.len());
        let mut image = Matrix::zeros(order, forms.len());
        let mut target = MatMut::from_column_major_slice_mut(image.as_mut_slice(), order, forms.len());
        for (first, end) in block_bounds(order) {
            let left = view(&lower).submatrix(first, 0, end - first, end);
            let rows = target.as_mut().subrows_mut(first, end - first);
            matmul(rows, Accum::Replace, left, columns.subrows(0, end), 1.0, Par::Seq);
        }
        for (col, form) in forms.iter_mut().enumerate() {
            *form = dot(x.col(start + col), image.col(col));
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
