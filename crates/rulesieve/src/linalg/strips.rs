//! The left factor of many products, cut into strips of rows that are contiguous in memory.
//!
//! The kernels of the linear-algebra crate take a few rows of the left factor at a time. In a tall matrix the entries
//! of a row are a page apart, which costs time in every product; a strip stays in the second-level cache and is read
//! sequentially.

use super::Matrix;
use super::product::{Factor, view};
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

/// Rows of a block, the unit of work of threads: a multiple of the strips.
pub(crate) const BLOCK: usize = 96;

/// Rows of a strip: what the kernels take at once with registers of 64 bytes, twice that with registers of 32. (For
/// long factors, the kernels would split higher strips.)
pub(super) const HEIGHT: usize = 24;
/// Terms of an inner product that the strips of a block take before the next ones: so many rows of the right factor
/// stay in the cache between strips, and the kernels split there anyway.
const DEPTH: usize = 512;

/// A matrix prepared for many products.
#[derive(Debug, Clone)]
pub(crate) struct Strips {
    rows: usize,
    cols: usize,
    /// Strip by strip, each column by column; the last one may be lower.
    entries: Vec<f64>,
}

impl Strips {
    /// Copies a matrix, or its transpose, into strips.
    pub(crate) fn new(factor: Factor) -> Self {
        Self::of(factor.view())
    }

    /// `out = self * right`.
    pub(crate) fn multiply(&self, out: &mut Matrix, right: &Matrix) {
        let (rows, cols) = (self.rows, right.cols());
        assert_eq!((out.rows(), out.cols(), self.cols), (rows, cols, right.rows()), "shapes of a product");
        if rows * cols > 0 {
            let out = MatMut::from_column_major_slice_mut(out.as_mut_slice(), rows, cols);
            self.multiply_from(0, out, 1.0, view(right));
        }
    }

    /// `scale` times the product of one block of rows, from `first` on, with `right`, column by column. The last block may be
    /// lower than [`BLOCK`].
    pub(crate) fn multiply_block(&self, first: usize, out: &mut [f64], scale: f64, right: &Matrix) {
        let rows = BLOCK.min(self.rows - first);
        assert!(first.is_multiple_of(BLOCK) && self.cols == right.rows(), "a block of a product");
        assert_eq!(out.len(), rows * right.cols(), "entries of a block");
        if right.cols() > 0 {
            let out = MatMut::from_column_major_slice_mut(out, rows, right.cols());
            self.multiply_from(first, out, scale, view(right));
        }
    }

    pub(super) fn of(source: MatRef<f64>) -> Self {
        let (rows, cols) = (source.nrows(), source.ncols());
        let mut entries = Vec::with_capacity(rows * cols);
        for start in (0..rows).step_by(HEIGHT) {
            let end = (start + HEIGHT).min(rows);
            for col in 0..cols {
                match source.col(col).try_as_col_major() {
                    Some(column) => entries.extend_from_slice(&column.as_slice()[start..end]),
                    None => entries.extend((start..end).map(|row| source[(row, col)])),
                }
            }
        }
        Self { rows, cols, entries }
    }

    /// The strips with their first rows.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, MatRef<'_, f64>)> {
        let strip = |(at, entries): (usize, _)| {
            let first = at * HEIGHT;
            (first, MatRef::from_column_major_slice(entries, HEIGHT.min(self.rows - first), self.cols))
        };
        self.entries.chunks((HEIGHT * self.cols).max(1)).enumerate().map(strip)
    }

    /// Computes blocks in parallel, the strips of a block in order: the split depends on the shapes alone.
    pub(super) fn multiply_from(&self, first: usize, mut out: MatMut<f64>, scale: f64, right: MatRef<f64>) {
        let rows = out.nrows();
        if self.cols == 0 {
            out.fill(0.0);
            return;
        }
        if rows > BLOCK {
            let cut = rows.div_ceil(2).next_multiple_of(BLOCK);
            let (upper, lower) = out.split_at_row_mut(cut);
            rayon::join(
                || self.multiply_from(first, upper, scale, right),
                || self.multiply_from(first + cut, lower, scale, right),
            );
            return;
        }
        for inner in (0..self.cols).step_by(DEPTH) {
            let taken = DEPTH.min(self.cols - inner);
            let (accumulate, right) =
                (if inner == 0 { Accum::Replace } else { Accum::Add }, right.subrows(inner, taken));
            for (start, strip) in self.iter().skip(first / HEIGHT).take(rows.div_ceil(HEIGHT)) {
                let part = out.as_mut().subrows_mut(start - first, strip.nrows());
                matmul(part, accumulate, strip.subcols(inner, taken), right, scale, Par::Seq);
            }
        }
    }
}
