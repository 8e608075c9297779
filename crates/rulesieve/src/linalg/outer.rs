//! Weighted Gram matrices of one matrix in a suitable memory layout.

use super::product::Plain;
use super::symmetric::fill_upper;
use super::{Matrix, Strips, widest};
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

/// Columns of a panel: the weighted panels of several Gram matrices fit into the cache together, and the results are
/// updated once per panel.
const PANEL: usize = 384;

/// A matrix prepared for many weighted Gram matrices.
#[derive(Debug, Clone)]
pub(crate) struct Outer<'a> {
    x: &'a Matrix,
    strips: Strips,
}

impl<'a> Outer<'a> {
    /// Copies X into the layout.
    pub(crate) fn new(x: &'a Matrix) -> Self {
        Self { x, strips: Strips::new(Plain(x)) }
    }

    /// X itself, as a left factor.
    pub(crate) fn strips(&self) -> &Strips {
        &self.strips
    }

    /// [`super::weighted_grams`], faster.
    pub(crate) fn weighted_grams(&self, weights: &[Vec<f64>]) -> Vec<Matrix> {
        self.lower_grams(weights).into_iter().map(|lower| self.both_triangles(lower)).collect()
    }

    fn both_triangles(&self, lower: Vec<f64>) -> Matrix {
        let order = self.x.rows();
        let mut gram = Matrix::from_column_major(order, order, lower).unwrap_or_default();
        fill_upper(&mut gram);
        gram
    }

    /// The lower triangles. The grouping depends on the number of threads, but the order of summation does not.
    fn lower_grams(&self, weights: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let each = weights.len().div_ceil(rayon::current_num_threads()).max(1);
        weights.par_chunks(each).flat_map(|some| self.grams_together(some)).collect()
    }

    /// Computes panel by panel, each strip of a panel with all weights while it is in the cache.
    fn grams_together(&self, weights: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let (order, cols) = (self.x.rows(), self.x.cols());
        let mut grams = vec![vec![0.0; order * order]; weights.len()];
        let mut panels = vec![vec![0.0; PANEL * order]; weights.len()];
        for start in (0..cols).step_by(PANEL) {
            let taken = PANEL.min(cols - start);
            for (panel, weights) in panels.iter_mut().zip(weights) {
                let columns = self.x.as_slice()[start * order..].chunks_exact(order.max(1));
                widest!(|| for ((weighted, column), weight) in
                    panel.chunks_exact_mut(order.max(1)).zip(columns).zip(&weights[start..start + taken])
                {
                    weighted.iter_mut().zip(column).for_each(|(to, from)| *to = weight * from);
                });
            }
            for (first, strip) in self.strips.iter() {
                let (strip, end) = (strip.subcols(start, taken), first + strip.nrows());
                for (gram, panel) in grams.iter_mut().zip(&panels) {
                    let out = MatMut::from_column_major_slice_mut(gram, order, order);
                    let weighted = MatRef::from_column_major_slice(&panel[..taken * order], order, taken).transpose();
                    let part = out.submatrix_mut(first, 0, strip.nrows(), end);
                    matmul(part, Accum::Add, strip, weighted.subcols(0, end), 1.0, Par::Seq);
                }
            }
        }
        grams
    }
}
