//! A symmetric matrix in band form, for systems with it and many multiples of the identity.
//!
//! `A = Z H Z^T` with Z orthogonal and H zero beyond some diagonals. `a A + b I` has the same Z, and its band a
//! Cholesky factor in O(m): for any a and b, a system costs two passes over Z. Eigenvectors would work too, but take
//! several times longer: the reduction to a band consists of matrix products, while half of the reduction to
//! tridiagonal form is matrix-vector products, and further iterations follow.

use super::product::{Plain, Transposed, add_product, multiply, product, view};
use super::{LinalgError, Matrix, dot, sum_of_squares, widest};
use faer::{Accum, MatMut, MatRef};

/// Diagonals of the band below the main one: a trade-off between fast products and cheap factors.
const WIDTH: usize = 24;
/// Columns of a block. Blocks on and below the diagonal are stored, the others follow by symmetry.
const BLOCK: usize = 192;

/// A symmetric matrix in band form, see the module.
#[derive(Debug, Clone)]
pub(crate) struct BandForm {
    panels: Vec<Reflections>,
    band: Band,
}

impl BandForm {
    /// Reduces a symmetric matrix of finite numbers, of which only the lower triangle and the blocks on the diagonal
    /// are read.
    pub(crate) fn new(a: Matrix) -> Result<Self, LinalgError> {
        Self::of_width(a, WIDTH)
    }

    fn of_width(mut a: Matrix, width: usize) -> Result<Self, LinalgError> {
        if a.as_slice().iter().any(|value| !value.is_finite()) {
            return Err(LinalgError::NotFinite);
        }
        let order = a.rows();
        let mut panels = Vec::new();
        for start in (width..order).step_by(width) {
            let mut panel = Matrix::from_fn(order - start, width, |row, col| a[(start + row, start - width + col)]);
            let reflections = Reflections::new(start, &mut panel);
            for col in 0..width {
                let rows = start..order.min(start + width);
                let part = &panel.col(col)[..rows.len()];
                a.col_mut(start - width + col)[rows].copy_from_slice(part);
            }
            reflections.both_sides(&mut a);
            panels.push(reflections);
        }
        Ok(Self { panels, band: Band::new(&a, width) })
    }

    /// Overwrites x by `Z^T x`.
    pub(crate) fn enter(&self, x: &mut [f64]) {
        self.panels.iter().for_each(|panel| panel.apply(x, true));
    }

    /// Overwrites x by `Z x`.
    pub(crate) fn leave(&self, x: &mut [f64]) {
        self.panels.iter().rev().for_each(|panel| panel.apply(x, false));
    }

    /// H.
    pub(crate) fn band(&self) -> &Band {
        &self.band
    }
}

/// The orthogonal matrix `I - V T V^T`, on the coordinates from `first` on.
#[derive(Debug, Clone)]
struct Reflections {
    first: usize,
    v: Matrix,
    t: Matrix,
}

impl Reflections {
    /// Householder reflections of a panel, which is overwritten by its triangular factor (with arbitrary entries below
    /// it).
    fn new(first: usize, panel: &mut Matrix) -> Self {
        let (rows, cols) = (panel.rows(), panel.cols());
        let (mut v, mut t) = (Matrix::zeros(rows, cols), Matrix::zeros(cols, cols));
        for at in 0..cols.min(rows) {
            let column = &panel.col(at)[at..];
            let below = sum_of_squares(&column[1..]);
            let unit = v.col_mut(at);
            unit[at] = 1.0;
            // Zero or too small below the diagonal: no reflection.
            if below < f64::MIN_POSITIVE {
                continue;
            }
            let length = -column[0].signum() * (column[0] * column[0] + below).sqrt();
            let (scale, tau) = (1.0 / (column[0] - length), (length - column[0]) / length);
            unit[at + 1..].iter_mut().zip(&column[1..]).for_each(|(to, from)| *to = scale * from);
            panel[(at, at)] = length;
            widest!(|| {
                for col in at + 1..cols {
                    let (unit, rest) = (&v.col(at)[at..], &mut panel.col_mut(col)[at..]);
                    let along = tau * dot(unit, rest);
                    rest.iter_mut().zip(unit).for_each(|(value, unit)| *value -= along * unit);
                }
            });
            let inner: Vec<f64> = (0..at).map(|col| dot(&v.col(col)[at..], &v.col(at)[at..])).collect();
            for row in 0..at {
                t[(row, at)] = -tau * (row..at).map(|col| t[(row, col)] * inner[col]).sum::<f64>();
            }
            t[(at, at)] = tau;
        }
        Self { first, v, t }
    }

    /// `x -= V T V^T x`, or with the transpose of T, from `first` on.
    fn apply(&self, x: &mut [f64], transposed: bool) {
        let (x, cols) = (&mut x[self.first..], self.v.cols());
        let mut inner = vec![0.0; cols];
        widest!(|| {
            // A loop: `map` and `collect` would be compiled separately, for narrow registers.
            for (col, inner) in inner.iter_mut().enumerate() {
                *inner = dot(self.v.col(col), x);
            }
            for col in 0..cols {
                let weight: f64 = if transposed {
                    (0..=col).map(|at| self.t[(at, col)] * inner[at]).sum()
                } else {
                    (col..cols).map(|at| self.t[(col, at)] * inner[at]).sum()
                };
                x.iter_mut().zip(self.v.col(col)).for_each(|(value, v)| *value -= weight * v);
            }
        });
    }

    /// `S -= V U^T + U V^T` with `U = Y - V (T^T V^T Y) / 2` and `Y = S V T`: both sides of the rest of the matrix, S.
    fn both_sides(&self, a: &mut Matrix) {
        let (order, rows) = (a.rows(), self.v.rows());
        let blocks = (0..order).step_by(BLOCK).map(|start| (start.max(self.first), order.min(start + BLOCK)));
        // Rows and columns of S that a block has.
        let blocks: Vec<(usize, usize)> = blocks
            .filter(|(start, end)| start < end)
            .map(|(start, end)| (start - self.first, end - self.first))
            .collect();
        let mut s = MatMut::from_column_major_slice_mut(a.as_mut_slice(), order, order);
        let mut s = s.as_mut().submatrix_mut(self.first, self.first, rows, rows);
        let image = mirrored_product(s.as_ref(), &blocks, view(&self.v));
        let mut u = product(Plain(&image), Plain(&self.t));
        let inner = product(Transposed(&self.v), Plain(&u));
        let half = product(Transposed(&self.t), Plain(&inner));
        add_product(&mut u, 1.0, -0.5, Plain(&self.v), Plain(&half));
        // Side by side, so that every entry of S is read once.
        let (left, right) = (beside(&self.v, &u), beside(&u, &self.v));
        for (start, end) in blocks {
            let out = s.as_mut().submatrix_mut(start, start, rows - start, end - start);
            let right = view(&right).subrows(start, end - start).transpose();
            multiply(out, Accum::Add, -1.0, view(&left).subrows(start, rows - start), right);
        }
    }
}

/// `S V`, from the blocks of S on and below the diagonal.
fn mirrored_product(s: MatRef<f64>, blocks: &[(usize, usize)], v: MatRef<f64>) -> Matrix {
    let (rows, cols) = (v.nrows(), v.ncols());
    let mut image = Matrix::zeros(rows, cols);
    for &(start, end) in blocks {
        let mut out = MatMut::from_column_major_slice_mut(image.as_mut_slice(), rows, cols);
        let here = s.submatrix(start, start, rows - start, end - start);
        let below = s.submatrix(end, start, rows - end, end - start).transpose();
        let lower = out.as_mut().subrows_mut(start, rows - start);
        multiply(lower, Accum::Add, 1.0, here, v.subrows(start, end - start));
        if end < rows {
            multiply(out.subrows_mut(start, end - start), Accum::Add, 1.0, below, v.subrows(end, rows - end));
        }
    }
    image
}

fn beside(a: &Matrix, b: &Matrix) -> Matrix {
    Matrix::from_fn(a.rows(), a.cols() + b.cols(), |row, col| match col.checked_sub(a.cols()) {
        Some(col) => b[(row, col)],
        None => a[(row, col)],
    })
}

/// A symmetric band matrix: its diagonals from the main one down.
#[derive(Debug, Clone)]
pub(crate) struct Band {
    /// Column by column from the diagonal down, padded with zeros.
    columns: Matrix,
}

impl Band {
    fn new(a: &Matrix, width: usize) -> Self {
        let below = |down: usize, col: usize| if col + down < a.rows() { a[(col + down, col)] } else { 0.0 };
        Self { columns: Matrix::from_fn(width + 1, a.rows(), below) }
    }

    /// `x^T H x`.
    pub(crate) fn quadratic_form(&self, x: &[f64]) -> f64 {
        let reach = |col: usize| self.columns.rows().min(x.len() - col);
        let of_column = |col: usize| {
            let below = dot(&self.columns.col(col)[1..reach(col)], &x[col + 1..col + reach(col)]);
            x[col] * (self.columns[(0, col)] * x[col] + 2.0 * below)
        };
        (0..x.len()).map(of_column).sum()
    }

    /// The factor of `scale H + shift I`, for positive semidefinite `scale H` and a positive shift.
    pub(crate) fn shifted(&self, scale: f64, shift: f64) -> BandFactor {
        let (height, order) = (self.columns.rows(), self.columns.cols());
        let mut factor = self.columns.clone();
        widest!(|| {
            factor.as_mut_slice().iter_mut().for_each(|value| *value *= scale);
            factor.as_mut_slice().iter_mut().step_by(height).for_each(|value| *value += shift);
            for col in 0..order {
                let (here, after) = factor.as_mut_slice()[col * height..].split_at_mut(height);
                // Safeguard: no pivot is smaller than the shift except by rounding, which is far below any shift in
                // use.
                here[0] = here[0].max(shift);
                let inverse = 1.0 / here[0];
                for (at, next) in after.chunks_exact_mut(height).take(height - 1).enumerate() {
                    let weight = here[at + 1] * inverse;
                    next.iter_mut().zip(&here[at + 1..]).for_each(|(to, from)| *to -= weight * from);
                }
                here[1..].iter_mut().for_each(|value| *value *= inverse);
            }
        });
        BandFactor { factor }
    }
}

/// `L D L^T` of a band matrix: in every column the entry of D, then those of L.
#[derive(Debug, Clone)]
pub(crate) struct BandFactor {
    factor: Matrix,
}

impl BandFactor {
    /// Overwrites the right-hand side by the solution.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        let (order, height) = (x.len(), self.factor.rows());
        widest!(|| {
            for col in 0..order {
                let (here, after) = x[col..].split_at_mut(1);
                let below = &self.factor.col(col)[1..];
                after.iter_mut().zip(below).for_each(|(value, entry)| *value -= here[0] * entry);
            }
            for col in (0..order).rev() {
                let reach = height.min(order - col);
                let column = &self.factor.col(col)[..reach];
                x[col] = x[col] / column[0] - dot(&column[1..], &x[col + 1..col + reach]);
            }
        });
    }
}

#[cfg(test)]
mod tests;
