//! A Cholesky factor in a layout for many solves.
//!
//! Substitution by strips of rows: the contribution of the solved rows to a strip is one product, and the small
//! triangles on the diagonal are inverted in advance, so that only products remain.

use super::factor::Cholesky;
use super::strips::HEIGHT;
use super::{Matrix, product::view};
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::prelude::{Reborrow, ReborrowMut};
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

/// Columns of the right-hand side that are solved for together.
const PANEL: usize = 128;

/// `A = L L^T` in a layout for solves.
pub(crate) struct Solver {
    order: usize,
    strips: Vec<Strip>,
}

/// Blocks of the factor for some rows, from `first` on.
struct Strip {
    first: usize,
    /// These rows of L, before the diagonal.
    forward: Mat<f64>,
    /// These rows of `L^T`, after the diagonal.
    backward: Mat<f64>,
    /// The inverse of the triangle between.
    inverse: Mat<f64>,
}

impl Solver {
    /// Copies a factor into the layout.
    pub(crate) fn new(factor: &Cholesky) -> Self {
        let lower = view(factor.lower());
        let order = lower.nrows();
        let strip = |first: usize| {
            let rows = HEIGHT.min(order - first);
            let mut inverse = Mat::identity(rows, rows);
            let triangle = lower.submatrix(first, first, rows, rows);
            solve_lower_triangular_in_place(triangle, inverse.as_mut(), Par::Seq);
            let after = first + rows;
            Strip {
                first,
                forward: lower.submatrix(first, 0, rows, first).to_owned(),
                backward: lower.submatrix(after, first, order - after, rows).transpose().to_owned(),
                inverse,
            }
        };
        Self { order, strips: (0..order).step_by(HEIGHT).map(strip).collect() }
    }

    /// Overwrites the first columns of `B` by those of `A^-1 B`.
    pub(crate) fn solve_first_columns(&self, b: &mut Matrix, cols: usize) {
        assert_eq!(b.rows(), self.order, "rows of a right-hand side");
        let part = &mut b.as_mut_slice()[..self.order * cols];
        part.par_chunks_mut((self.order * PANEL).max(1)).for_each(|panel| {
            let cols = panel.len() / self.order;
            self.solve(MatMut::from_column_major_slice_mut(panel, self.order, cols));
        });
    }

    fn solve(&self, mut b: MatMut<f64>) {
        let mut scratch = Mat::zeros(HEIGHT.min(self.order), b.ncols());
        for Strip { first, forward, inverse, .. } in &self.strips {
            let (before, rest) = b.rb_mut().split_at_row_mut(*first);
            let rows = rest.subrows_mut(0, inverse.nrows());
            substitute(rows, forward.as_ref(), before.rb(), inverse.as_ref(), scratch.as_mut());
        }
        for Strip { first, backward, inverse, .. } in self.strips.iter().rev() {
            let (before, after) = b.rb_mut().split_at_row_mut(first + inverse.nrows());
            let rows = before.subrows_mut(*first, inverse.nrows());
            substitute(rows, backward.as_ref(), after.rb(), inverse.transpose(), scratch.as_mut());
        }
    }
}

/// `rows = inverse (rows - factor solved)`.
fn substitute(
    mut rows: MatMut<f64>,
    factor: MatRef<f64>,
    solved: MatRef<f64>,
    inverse: MatRef<f64>,
    scratch: MatMut<f64>,
) {
    let mut rest = scratch.subrows_mut(0, rows.nrows());
    rest.copy_from(rows.rb());
    if factor.ncols() > 0 {
        matmul(rest.rb_mut(), Accum::Add, factor, solved, -1.0, Par::Seq);
    }
    matmul(rows.rb_mut(), Accum::Replace, inverse, rest.rb(), 1.0, Par::Seq);
}
