//! `sum_a M_a X diag(w_a)` for square matrices `M_a`, each with its own weights of the columns of X: one product of the
//! matrices side by side with the weighted copies of X below one another, which exist a panel at a time.

use super::along::Along;
use super::strips::Number;
use super::{Matrix, Strips, sum_of_squares, widest};
use faer::{MatMut, MatRef};
use rayon::prelude::*;

/// Columns of a panel: three weighted copies of 130 rows stay in the second level of the cache.
const PANEL: usize = 128;

/// `sum_a M_a X diag(w_a)`.
pub fn weighted_product_sum(matrices: &[&Matrix], x: &Matrix, weights: &[Vec<f64>]) -> Matrix {
    let matrices: Vec<&[f64]> = matrices.iter().map(|matrix| matrix.as_slice()).collect();
    sum_of(&Stacked::<f64>::new(x.rows(), &matrices, weights), None, x)
}

/// The same for matrices at places along a smooth curve: what the others leave of one of them is taken in single precision,
/// unless it is too much. Gives that rest, too, for three places and more, with the number of its place.
pub fn weighted_product_sum_along(
    places: &[f64],
    matrices: &[&Matrix],
    x: &Matrix,
    weights: &[Vec<f64>],
) -> (Matrix, Option<(usize, Matrix)>) {
    /// So much of a matrix may be left: single precision then keeps eleven digits of the whole.
    const SMALL: f64 = 1e-4;
    let Some(along) = Along::new(places) else { return (weighted_product_sum(matrices, x, weights), None) };
    let mut slices: Vec<&[f64]> = matrices.iter().map(|matrix| matrix.as_slice()).collect();
    let rest = along.rest(&slices);
    let sum = if sum_of_squares(&rest) <= SMALL * SMALL * sum_of_squares(slices[Along::MIDDLE]) {
        slices.remove(Along::MIDDLE);
        let of_others = along.weights_of_others(weights);
        let small = Stacked::new(x.rows(), &[&rest], std::slice::from_ref(&weights[Along::MIDDLE]));
        sum_of(&Stacked::new(x.rows(), &slices, &of_others), Some(&small), x)
    } else {
        weighted_product_sum(matrices, x, weights)
    };
    (sum, Matrix::from_column_major(x.rows(), x.rows(), rest).map(|rest| (Along::MIDDLE, rest)))
}

/// Matrices side by side, with the weights of each.
struct Stacked<'w, T> {
    left: Strips<T>,
    weights: &'w [Vec<f64>],
    order: usize,
}

impl<'w, T: Number> Stacked<'w, T> {
    fn new(order: usize, matrices: &[&[f64]], weights: &'w [Vec<f64>]) -> Self {
        let side_by_side = matrices.concat();
        let left = Strips::of(MatRef::from_column_major_slice(&side_by_side, order, matrices.len() * order));
        Self { left, weights, order }
    }

    /// Writes the columns of the sum from `start` on; `copies` is memory for the weighted columns of X.
    fn columns(&self, x: &Matrix, start: usize, out: &mut [T], copies: &mut Vec<T>) {
        let (order, cols, height) = (self.order, out.len() / self.order, self.weights.len() * self.order);
        copies.resize(height * cols, T::ZERO);
        widest!(|| {
            for (at, copies) in copies.chunks_exact_mut(height).enumerate() {
                for (copy, weights) in copies.chunks_exact_mut(order).zip(self.weights) {
                    let weight = weights[start + at];
                    let entries = copy.iter_mut().zip(x.col(start + at));
                    entries.for_each(|(copy, value)| *copy = T::rounded(weight * value));
                }
            }
        });
        let right = MatRef::from_column_major_slice(copies, height, cols);
        self.left.multiply_from(0, MatMut::from_column_major_slice_mut(out, order, cols), T::ONE, right);
    }
}

fn sum_of(stacked: &Stacked<f64>, rests: Option<&Stacked<f32>>, x: &Matrix) -> Matrix {
    let order = x.rows();
    let mut sum = Matrix::zeros(order, x.cols());
    let panels = sum.as_mut_slice().par_chunks_mut((order * PANEL).max(1)).enumerate();
    panels.for_each_init(
        || (Vec::new(), Vec::new(), Vec::new()),
        |(copies, rounded_copies, rest), (panel, out)| {
            stacked.columns(x, panel * PANEL, out, copies);
            if let Some(rests) = rests {
                rest.resize(out.len(), 0.0);
                rests.columns(x, panel * PANEL, rest, rounded_copies);
                out.iter_mut().zip(&*rest).for_each(|(out, &rest)| *out += f64::from(rest));
            }
        },
    );
    sum
}
