//! Weighted Gram matrices of one matrix, which is laid out for them once.

use super::along::Along;
use super::product::Plain;
use super::strips::Number;
use super::symmetric::fill_upper;
use super::{Centred, Matrix, Strips, widest};
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;
use std::sync::OnceLock;

/// Columns of a panel: the weighted panels of several Gram matrices are in the cache together, and the results
/// are gone through once a panel.
const PANEL: usize = 384;

/// A matrix whose weighted Gram matrices are wanted again and again.
#[derive(Debug, Clone)]
pub struct Outer<'a> {
    x: &'a Matrix,
    strips: Strips,
    /// Once it is asked for.
    centred: OnceLock<Centred>,
}

impl<'a> Outer<'a> {
    /// Lays out X once more.
    pub fn new(x: &'a Matrix) -> Self {
        Self { x, strips: Strips::new(Plain(x)), centred: OnceLock::new() }
    }

    /// X itself, as a left factor.
    pub fn strips(&self) -> &Strips {
        &self.strips
    }

    /// [`super::weighted_grams`], faster.
    pub fn weighted_grams(&self, weights: &[Vec<f64>]) -> Vec<Matrix> {
        self.lower_grams(&self.strips, None, weights).into_iter().map(|lower| self.both_triangles(lower)).collect()
    }

    /// The same for weights at places along a smooth curve: of one of them only what the others leave is computed, in single
    /// precision and half the time. Where that is too much, all in double precision.
    pub fn weighted_grams_along(&self, places: &[f64], weights: &[Vec<f64>]) -> Vec<Matrix> {
        /// So much of a weight may be left: single precision then keeps twelve digits of the whole.
        const SMALL: f64 = 1e-5;
        let Some(along) = Along::new(places) else { return self.weighted_grams(weights) };
        let slices: Vec<&[f64]> = weights.iter().map(Vec::as_slice).collect();
        let rest = along.rest(&slices);
        if !rest.iter().zip(slices[Along::MIDDLE]).all(|(rest, weight)| rest.abs() <= SMALL * weight.abs()) {
            return self.weighted_grams(weights);
        }
        let mut others = weights.to_vec();
        others.remove(Along::MIDDLE);
        let (mut grams, mut middle) =
            rayon::join(|| self.lower_grams(&self.strips, None, &others), || self.small_gram(rest));
        grams.insert(Along::MIDDLE, Vec::new());
        along.add_others(&mut middle, &grams.iter().map(Vec::as_slice).collect::<Vec<_>>(), 1.0);
        grams[Along::MIDDLE] = middle;
        grams.into_iter().map(|lower| self.both_triangles(lower)).collect()
    }

    /// A weighted Gram matrix in single precision, from the centred columns: with the means m of the columns and C what is left
    /// of X, `X W X^T = C W C^T + 1 (C W m)^T + (C W m) 1^T + m^T W m`. All but the first term is cheap, and in columns that have
    /// one sign by far the larger part.
    fn small_gram(&self, weights: Vec<f64>) -> Vec<f64> {
        let centred = self.centred.get_or_init(|| Centred::new(self.x));
        let (order, mut side, mut constant) = (self.x.rows(), vec![0.0; self.x.rows()], 0.0);
        widest!(|| {
            let columns = self.x.as_slice().chunks_exact(order.max(1)).zip(&centred.means).zip(&weights);
            for ((column, mean), weight) in columns {
                side.iter_mut().zip(column).for_each(|(side, value)| *side += weight * mean * (value - mean));
                constant += weight * mean * mean;
            }
        });
        let small = self.lower_grams(&centred.strips, Some(&centred.means), &[weights]).swap_remove(0);
        let mut gram = vec![0.0; order * order];
        widest!(|| {
            let columns = gram.chunks_exact_mut(order.max(1)).zip(small.chunks_exact(order.max(1))).zip(&side);
            for ((gram, small), of_column) in columns {
                let entries = gram.iter_mut().zip(small).zip(&side);
                entries.for_each(|((gram, &small), side)| *gram = f64::from(small) + (side + (of_column + constant)));
            }
        });
        gram
    }

    fn both_triangles(&self, lower: Vec<f64>) -> Matrix {
        let order = self.x.rows();
        let mut gram = Matrix::from_column_major(order, order, lower).unwrap_or_default();
        fill_upper(&mut gram);
        gram
    }

    /// The lower triangles, of X as it is laid out in `strips`: without `means`, if there are any. Which of them are computed
    /// together depends on the threads, but none of their sums does.
    fn lower_grams<T: Number>(&self, strips: &Strips<T>, means: Option<&[f64]>, weights: &[Vec<f64>]) -> Vec<Vec<T>> {
        let each = weights.len().div_ceil(rayon::current_num_threads()).max(1);
        weights.par_chunks(each).flat_map(|some| self.grams_together(strips, means, some)).collect()
    }

    /// Panel by panel, each strip of a panel with all weights while it is in the cache.
    fn grams_together<T: Number>(
        &self,
        strips: &Strips<T>,
        means: Option<&[f64]>,
        weights: &[Vec<f64>],
    ) -> Vec<Vec<T>> {
        let (order, cols) = (self.x.rows(), self.x.cols());
        let mut grams = vec![vec![T::ZERO; order * order]; weights.len()];
        let mut panels = vec![vec![T::ZERO; PANEL * order]; weights.len()];
        for start in (0..cols).step_by(PANEL) {
            let taken = PANEL.min(cols - start);
            for (panel, weights) in panels.iter_mut().zip(weights) {
                let columns = self.x.as_slice()[start * order..].chunks_exact(order.max(1)).zip(start..start + taken);
                widest!(|| for (weighted, (column, at)) in panel.chunks_exact_mut(order.max(1)).zip(columns) {
                    let (weight, mean) = (weights[at], means.map_or(0.0, |means| means[at]));
                    weighted.iter_mut().zip(column).for_each(|(to, from)| *to = T::rounded(weight * (from - mean)));
                });
            }
            for (first, strip) in strips.iter() {
                let (strip, end) = (strip.subcols(start, taken), first + strip.nrows());
                for (gram, panel) in grams.iter_mut().zip(&panels) {
                    let out = MatMut::from_column_major_slice_mut(gram, order, order);
                    let weighted = MatRef::from_column_major_slice(&panel[..taken * order], order, taken).transpose();
                    let part = out.submatrix_mut(first, 0, strip.nrows(), end);
                    matmul(part, Accum::Add, strip, weighted.subcols(0, end), T::ONE, Par::Seq);
                }
            }
        }
        grams
    }
}
