//! Products with a symmetric result or factor, for about two thirds of the work of the plain product: only blocks on
//! and below the diagonal are computed. Several of them share their passes over the long matrix (see `outer` for a
//! prepared layout), which is processed in panels that stay in the cache. The blocks depend on the shapes alone, never
//! on the number of threads.

use super::product::{Plain, view};
use super::strips::HEIGHT;
use super::vector::{LANES, add_products, sum_lanes};
use super::{BLOCK, Matrix, Strips, widest};
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;
use std::ops::Range;

/// Columns of a panel of a Gram matrix.
const PANEL: usize = 256;
/// The same for quadratic forms, which need less cache for results.
const FORM_PANEL: usize = 800;
/// Height of a block when three or more matrices are computed together.
const SHORT: usize = 2 * LANES;
/// Number of panels per task; each task has its own sums.
const GRAM_PANELS_PER_TASK: usize = 8;

/// Block ranges of `count` symmetric matrices computed together. Small blocks waste less above the diagonal; together
/// they are a multiple of the 24 rows of the kernels.
fn blocks(order: usize, count: usize) -> Vec<Range<usize>> {
    const MOST_BLOCKS: usize = 12;
    let base = if count >= 3 { SHORT } else { 24 };
    let size = base * order.div_ceil(MOST_BLOCKS * base).max(1);
    (0..order).step_by(size).map(|first| first..(first + size).min(order)).collect()
}

/// The symmetric matrix `X^T X`; both triangles are filled.
pub(crate) fn inner_gram(x: &Matrix) -> Matrix {
    let order = x.cols();
    let parts: Vec<Matrix> = blocks(order, 1)
        .into_par_iter()
        .map(|block| {
            let mut part = Matrix::zeros(order - block.start, block.len());
            let left = view(x).subcols(block.start, order - block.start).transpose();
            let out = MatMut::from_column_major_slice_mut(part.as_mut_slice(), order - block.start, block.len());
            matmul(out, Accum::Replace, left, view(x).subcols(block.start, block.len()), 1.0, Par::Seq);
            part
        })
        .collect();
    let mut gram = Matrix::zeros(order, order);
    for (block, part) in blocks(order, 1).into_iter().zip(&parts) {
        mirror(&mut gram, block, part, 0);
    }
    gram
}

/// The symmetric matrix `X X^T`; both triangles are filled.
pub(crate) fn outer_gram(x: &Matrix) -> Matrix {
    let mut gram = Matrix::default();
    write_outer_gram(&mut gram, x);
    gram
}

/// The symmetric matrix `X X^T`, both triangles filled, in existing memory.
pub fn write_outer_gram(gram: &mut Matrix, x: &Matrix) {
    let (order, strips) = (x.rows(), Strips::new(Plain(x)));
    gram.resize(order, order);
    // Blocks of columns, from the diagonal downwards: wide ones touch fewer pages of a large result, narrow ones waste
    // less above the diagonal of a small one.
    let width = if order > 10 * BLOCK { BLOCK } else { HEIGHT };
    gram.as_mut_slice().par_chunks_mut((width * order).max(1)).enumerate().for_each(|(at, out)| {
        let (start, cols) = (at * width, out.len() / order);
        let out = MatMut::from_column_major_slice_mut(out, order, cols);
        let right = view(x).subrows(start, cols).transpose();
        strips.multiply_from(start, out.subrows_mut(start, order - start), 1.0, right);
    });
    fill_upper(gram);
}

/// Copies the entries below the diagonal to the upper triangle.
pub(super) fn fill_upper(matrix: &mut Matrix) {
    /// Rows and columns of a tile, which stays in the cache while it is read across the columns.
    const TILE: usize = 32;
    let order = matrix.cols();
    for right in (0..order).step_by(TILE) {
        for top in (0..=right).step_by(TILE) {
            for col in right..(right + TILE).min(order) {
                let (before, this) = matrix.as_mut_slice().split_at_mut(col * order);
                let below = before.iter().skip(top * order + col).step_by(order);
                this[top..(top + TILE).min(col)].iter_mut().zip(below).for_each(|(to, from)| *to = *from);
            }
        }
    }
}

/// The symmetric matrices `X diag(w) X^T`, one for each vector of weights; both triangles are filled.
pub(crate) fn weighted_grams(x: &Matrix, weights: &[Vec<f64>]) -> Vec<Matrix> {
    let (order, count) = (x.rows(), weights.len());
    let starts: Vec<usize> = (0..x.cols()).step_by(GRAM_PANELS_PER_TASK * PANEL).collect();
    let tasks: Vec<Vec<Matrix>> = starts
        .into_par_iter()
        .map(|start| gram_parts(x, weights, start..(start + GRAM_PANELS_PER_TASK * PANEL).min(x.cols())))
        .collect();
    let mut grams = vec![Matrix::zeros(order, order); count];
    let blocks = blocks(order, count);
    for (at, block) in blocks.into_iter().enumerate() {
        let mut sum = Matrix::zeros(order - block.start, count * block.len());
        for parts in &tasks {
            sum.as_mut_slice().iter_mut().zip(parts[at].as_slice()).for_each(|(sum, part)| *sum += part);
        }
        for (which, gram) in grams.iter_mut().enumerate() {
            mirror(gram, block.clone(), &sum, which * block.len());
        }
    }
    grams
}

/// Contribution of some columns to each block: rows from the block downwards, columns of the block for all weights side
/// by side. All blocks process a panel before the next one.
fn gram_parts(x: &Matrix, weights: &[Vec<f64>], columns: Range<usize>) -> Vec<Matrix> {
    let (order, count) = (x.rows(), weights.len());
    let blocks = blocks(order, count);
    let mut parts: Vec<Matrix> =
        blocks.iter().map(|block| Matrix::zeros(order - block.start, count * block.len())).collect();
    let mut panel = vec![0.0; PANEL * parts.iter().map(Matrix::cols).max().unwrap_or(0)];
    for start in columns.clone().step_by(PANEL) {
        let taken = PANEL.min(columns.end - start);
        for (block, part) in blocks.iter().zip(&mut parts) {
            let width = part.cols();
            let panel = &mut panel[..width * taken];
            weigh(panel, x, weights, block, start);
            let left = view(x).submatrix(block.start, start, order - block.start, taken);
            let right = MatRef::from_column_major_slice(panel, width, taken).transpose();
            let out = MatMut::from_column_major_slice_mut(part.as_mut_slice(), order - block.start, width);
            matmul(out, Accum::Add, left, right, 1.0, Par::Seq);
        }
    }
    parts
}

/// A block of the columns from `start` on, times each of their weights, stacked.
fn weigh(panel: &mut [f64], x: &Matrix, weights: &[Vec<f64>], block: &Range<usize>, start: usize) {
    let (height, order) = (block.len(), x.rows());
    let columns = x.as_slice()[start * order..].chunks_exact(order);
    widest!(|| {
        for (at, (panel, column)) in panel.chunks_exact_mut(height * weights.len()).zip(columns).enumerate() {
            let source = &column[block.clone()];
            for (target, weights) in panel.chunks_exact_mut(height).zip(weights) {
                let weight = weights[start + at];
                match (<&mut [f64; SHORT]>::try_from(&mut *target), <&[f64; SHORT]>::try_from(source)) {
                    // The usual height, unrolled.
                    (Ok(target), Ok(source)) => (0..SHORT).for_each(|row| target[row] = weight * source[row]),
                    _ => target.iter_mut().zip(source).for_each(|(to, from)| *to = weight * from),
                }
            }
        }
    });
}

/// Writes the columns of a block, from the diagonal downwards, to both triangles.
fn mirror(out: &mut Matrix, block: Range<usize>, part: &Matrix, first_col: usize) {
    for (at, col) in block.clone().enumerate() {
        out.col_mut(col)[col..].copy_from_slice(&part.col(first_col + at)[at..]);
    }
    // Column by column of the result, which writes the other triangle without strides.
    for (below, col) in (block.start..out.cols()).enumerate() {
        let above = block.start..block.end.min(col);
        for (at, value) in out.col_mut(col)[above].iter_mut().enumerate() {
            *value = part[(below, first_col + at)];
        }
    }
}

/// `x_i^T M x_i` for every column `x_i` of `x`, with `M` symmetric.
pub(crate) fn quadratic_forms(m: &Matrix, x: &Matrix) -> Vec<f64> {
    let lefts: Vec<(Range<usize>, Matrix)> =
        blocks(x.rows(), 1).into_iter().map(|block| (block.clone(), doubled_below(m, block))).collect();
    let largest = lefts.iter().map(|(_, left)| left.rows()).max().unwrap_or(0);
    let mut forms = vec![0.0; x.cols()];
    let buffers = || (Matrix::zeros(largest, FORM_PANEL), vec![[0.0; LANES]; FORM_PANEL]);
    forms.par_chunks_mut(FORM_PANEL).enumerate().for_each_init(buffers, |(image, sums), (at, forms)| {
        let (start, cols) = (at * FORM_PANEL, forms.len());
        sums.fill([0.0; LANES]);
        for (block, left) in &lefts {
            let right = view(x).submatrix(0, start, block.end, cols);
            let images = &mut image.as_mut_slice()[..left.rows() * cols];
            let mut out = MatMut::from_column_major_slice_mut(images, left.rows(), cols);
            for first in (0..left.rows()).step_by(HEIGHT) {
                let rows = HEIGHT.min(left.rows() - first);
                let part = view(left).subrows(first, rows);
                matmul(out.as_mut().subrows_mut(first, rows), Accum::Replace, part, right, 1.0, Par::Seq);
            }
            let columns = x.as_slice()[start * x.rows()..].chunks_exact(x.rows());
            let pairs = images.chunks_exact(block.len()).zip(columns);
            widest!(|| for (lanes, (image, column)) in sums.iter_mut().zip(pairs) {
                add_products(lanes, &column[block.clone()], image);
            });
        }
        forms.iter_mut().zip(&*sums).for_each(|(form, lanes)| *form = sum_lanes(lanes));
    });
    forms
}

/// The rows of a block up to the diagonal block, with the entries left of it doubled: summed over the blocks this is
/// the same quadratic form.
fn doubled_below(matrix: &Matrix, block: Range<usize>) -> Matrix {
    let double = |row, col| {
        if col < block.start { 2.0 * matrix[(block.start + row, col)] } else { matrix[(block.start + row, col)] }
    };
    Matrix::from_fn(block.len(), block.end, double)
}
