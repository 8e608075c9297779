//! A Cholesky factor laid out for many solves.
//!
//! Substitution by strips of rows: what the rows solved before have in common with a strip is one product, and the small
//! triangle on the diagonal is inverted beforehand, so that nothing but products is left. In single precision, what is small
//! beside a result is solved for in half the time.

use super::factor::Cholesky;
use super::strips::Number;
use super::{Matrix, largest, product::view, smallest, widest};
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::prelude::{Reborrow, ReborrowMut};
use faer::{Accum, Mat, MatMut, MatRef, Par, unzip, zip};
use rayon::prelude::*;

/// Columns of the right-hand side that are solved for together.
const PANEL: usize = 128;

/// `A = L L^T`, ready to solve.
pub struct Solver<T = f64> {
    order: usize,
    strips: Vec<Strip<T>>,
}

/// What solves for some rows, from `first` on.
struct Strip<T> {
    first: usize,
    /// These rows of L, before the diagonal.
    forward: Mat<T>,
    /// These rows of `L^T`, after the diagonal.
    backward: Mat<T>,
    /// The inverse of the triangle between.
    inverse: Mat<T>,
}

impl<T: Number> Solver<T> {
    /// Lays out a factor.
    pub fn new(factor: &Cholesky) -> Self {
        let lower = view(factor.lower());
        let order = lower.nrows();
        let strip = |first: usize| {
            let rows = T::HEIGHT.min(order - first);
            let mut inverse = Mat::<f64>::identity(rows, rows);
            let triangle = lower.submatrix(first, first, rows, rows);
            solve_lower_triangular_in_place(triangle, inverse.as_mut(), Par::Seq);
            let after = first + rows;
            Strip {
                first,
                forward: rounded(lower.submatrix(first, 0, rows, first)),
                backward: rounded(lower.submatrix(after, first, order - after, rows).transpose()),
                inverse: rounded(inverse.as_ref()),
            }
        };
        Self { order, strips: (0..order).step_by(T::HEIGHT).map(strip).collect() }
    }

    fn solve(&self, mut b: MatMut<T>) {
        let mut scratch = Mat::<T>::zeros(T::HEIGHT.min(self.order), b.ncols());
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

impl Solver {
    /// `A^-1 B` in place of `B`, for its first columns.
    pub fn solve_first_columns(&self, b: &mut Matrix, cols: usize) {
        panels(b, self.order, cols).for_each(|panel| {
            let cols = panel.len() / self.order;
            self.solve(MatMut::from_column_major_slice_mut(panel, self.order, cols));
        });
    }
}

impl Solver<f32> {
    /// `A^-1 B` in place of `B`, for its first columns, in single precision. They are scaled to where that has its range.
    pub fn solve_first_columns(&self, b: &mut Matrix, cols: usize) {
        panels(b, self.order, cols).for_each(|panel| {
            let cols = panel.len() / self.order;
            let scale = widest!(|| largest(panel, 0.0).max(-smallest(panel, 0.0)));
            if scale > 0.0 {
                let mut rounded = vec![0.0; panel.len()];
                widest!(|| rounded.iter_mut().zip(&*panel).for_each(|(to, from)| *to = (from / scale) as f32));
                self.solve(MatMut::from_column_major_slice_mut(&mut rounded, self.order, cols));
                widest!(|| panel.iter_mut().zip(&rounded).for_each(|(to, &from)| *to = scale * f64::from(from)));
            }
        });
    }
}

/// The first columns of a right-hand side, some at a time.
fn panels(b: &mut Matrix, order: usize, cols: usize) -> impl ParallelIterator<Item = &mut [f64]> {
    assert_eq!(b.rows(), order, "rows of a right-hand side");
    b.as_mut_slice()[..order * cols].par_chunks_mut((order * PANEL).max(1))
}

fn rounded<T: Number>(source: MatRef<f64>) -> Mat<T> {
    let mut copy = Mat::zeros(source.nrows(), source.ncols());
    zip!(copy.as_mut(), source).for_each(|unzip!(to, from)| *to = T::rounded(*from));
    copy
}

/// `rows = inverse (rows - factor solved)`.
fn substitute<T: Number>(
    mut rows: MatMut<T>,
    factor: MatRef<T>,
    solved: MatRef<T>,
    inverse: MatRef<T>,
    scratch: MatMut<T>,
) {
    let mut rest = scratch.subrows_mut(0, rows.nrows());
    rest.copy_from(rows.rb());
    if factor.ncols() > 0 {
        matmul(rest.rb_mut(), Accum::Add, factor, solved, -T::ONE, Par::Seq);
    }
    matmul(rows.rb_mut(), Accum::Replace, inverse, rest.rb(), T::ONE, Par::Seq);
}
