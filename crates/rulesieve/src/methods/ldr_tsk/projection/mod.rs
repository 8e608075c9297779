//! Algorithm 1 of the paper: the projection Q for a given low-dimensional representation.
//!
//! Each pass solves the Sylvester equation (Eq. "updateQ")
//! `(alpha X^T X + beta Z) Q + Q Lambda = alpha X^T X_hat`, then updates
//! `Z_ii = 1 / (2 |q^i|)` and `lambda_j += eta (|q_j|^2 - 1)`; Z and Lambda start at the identity.
//! The paper computes an m x m eigendecomposition in every pass, O(m^3). Here Lambda is diagonal, so the columns decouple:
//! `wide` solves them for n < m, `tall` for n >= m. The lambda_j lie close together (`groups`), so a few factorisations
//! (`nodes`) or one (`chebyshev`) serve all columns. Cost of a step: O(n m d + n^2 (m + d)) for n < m, else
//! O(m^2 (m + d) + n m d). docs/ldr-tsk.md has the error budget.

mod chebyshev;
mod groups;
mod nodes;
mod tall;
mod wide;

use super::params::Params;
use crate::linalg::{BLOCK, LinalgError, Matrix, Outer, Plain, Strips, SymmetricEigen, inner_gram, outer_gram};
use std::borrow::Cow;
use std::ops::Range;
use tall::{Diagonals, Tall};
use wide::{Wide, WideQ};

/// The diagonal of Z.
type Weights = Vec<f64>;
/// The diagonal of Lambda.
type Multipliers = Vec<f64>;

/// Rows of Q shorter than this count as this long in Z.
const SHORTEST_ROW: f64 = 1e-8;
/// Lambda is kept at or above this, so that every system stays positive definite.
const SMALLEST_MULTIPLIER: f64 = 1e-6;

/// What all fits on the same training rows share: the smaller Gram matrix, and a copy of X laid out for products.
#[derive(Debug)]
pub(crate) struct Decomposed<'a> {
    x: &'a Matrix,
    side: Shared<'a>,
}

#[derive(Debug)]
enum Shared<'a> {
    /// n < m, with the decomposition of `X X^T`.
    Wide { outer: Outer<'a>, eigen: SymmetricEigen },
    /// n >= m, with `X^T X`.
    Tall { strips: Strips, gram: Matrix },
}

impl<'a> Decomposed<'a> {
    /// Decomposes `X X^T` (n < m), or forms `X^T X`.
    pub(crate) fn new(x: &'a Matrix) -> Result<Self, LinalgError> {
        let side = if x.rows() < x.cols() {
            Shared::Wide { outer: Outer::new(x), eigen: SymmetricEigen::new(&outer_gram(x))? }
        } else {
            let gram = inner_gram(x);
            if gram.as_slice().iter().any(|value| !value.is_finite()) {
                return Err(LinalgError::NotFinite);
            }
            Shared::Tall { strips: Strips::new(Plain(x)), gram }
        };
        Ok(Self { x, side })
    }

    /// The training data, samples in rows.
    pub(crate) fn x(&self) -> &'a Matrix {
        self.x
    }
}

/// Algorithm 1, ready to run for one (alpha, beta).
pub(crate) struct Projector<'a> {
    x: &'a Matrix,
    strips: &'a Strips,
    side: Side<'a>,
    inner: usize,
    eta: f64,
}

enum Side<'a> {
    Wide(Wide<'a>),
    Tall(Tall<'a>),
}

/// Q, as the fit needs it.
pub(crate) struct Projection(Q);

enum Q {
    /// For n < m, with `- X Q`, which follows from the solution without a product.
    Implicit(WideQ, Matrix),
    Explicit(Matrix),
}

impl Projection {
    fn dimensions(&self) -> usize {
        match &self.0 {
            Q::Implicit(_, minus) => minus.cols(),
            Q::Explicit(q) => q.cols(),
        }
    }
}

impl<'a> Projector<'a> {
    /// Prepares the passes for the parameters of one fit.
    pub(crate) fn new(data: &'a Decomposed<'a>, params: &Params) -> Result<Self, LinalgError> {
        let (x, alpha, beta) = (data.x, params.alpha, params.beta);
        let (strips, side) = match &data.side {
            Shared::Wide { outer, eigen } => (outer.strips(), Side::Wide(Wide::new(x, outer, eigen, alpha, beta))),
            Shared::Tall { strips, gram } => (strips, Side::Tall(Tall::new(x, gram, alpha, beta)?)),
        };
        Ok(Self { x, strips, side, inner: params.inner, eta: params.eta })
    }

    /// Runs the passes from Z = I and Lambda = I.
    pub(crate) fn project(&self, x_hat: &Matrix) -> Result<Projection, LinalgError> {
        Ok(Projection(match &self.side {
            Side::Wide(wide) => {
                let q = self.project_wide(wide, x_hat)?;
                let minus_projected = wide.minus_projected(&q, x_hat);
                Q::Implicit(q, minus_projected)
            }
            Side::Tall(tall) => Q::Explicit(self.project_tall(tall, x_hat)?),
        }))
    }

    fn project_wide(&self, wide: &Wide, x_hat: &Matrix) -> Result<WideQ, LinalgError> {
        if self.inner == 1 {
            return Ok(wide.first_pass(x_hat));
        }
        let (mut rows, mut cols) = wide.first_norms(x_hat);
        let mut lambda = vec![1.0; x_hat.cols()];
        for _ in 2..self.inner {
            self.update_multipliers(&mut lambda, &cols);
            (rows, cols) = wide.pass(x_hat, updated_weights(&rows), lambda.clone())?.norms(self.x);
        }
        self.update_multipliers(&mut lambda, &cols);
        wide.pass(x_hat, updated_weights(&rows), lambda)
    }

    fn project_tall(&self, tall: &Tall, x_hat: &Matrix) -> Result<Matrix, LinalgError> {
        let mut q = tall.first_pass(x_hat);
        let mut at = Diagonals { weights: vec![1.0; q.rows()], lambda: vec![1.0; q.cols()] };
        for _ in 1..self.inner {
            let mut next = Diagonals { weights: updated_weights(&q.row_norms_squared()), lambda: at.lambda.clone() };
            self.update_multipliers(&mut next.lambda, &q.col_norms_squared());
            tall.pass(&mut q, &at, &next)?;
            at = next;
        }
        Ok(q)
    }

    /// `lambda_j += eta (|q_j|^2 - 1)`, Eq. "updateLambda".
    fn update_multipliers(&self, lambda: &mut Multipliers, col_norms: &[f64]) {
        for (lambda, norm) in lambda.iter_mut().zip(col_norms) {
            *lambda = (*lambda + self.eta * (norm - 1.0)).max(SMALLEST_MULTIPLIER);
        }
    }

    /// Writes a [`BLOCK`] of rows of `- X Q` to `out`, from `first` on, column by column. For n >= m an iteration never forms
    /// the whole of `X Q`.
    pub(crate) fn minus_projected(&self, projection: &Projection, first: usize, out: &mut [f64]) {
        match &projection.0 {
            Q::Implicit(_, minus) => {
                let rows = BLOCK.min(minus.rows() - first);
                let parts = out.chunks_exact_mut(rows).enumerate();
                parts.for_each(|(col, out)| out.copy_from_slice(&minus.col(col)[first..first + rows]));
            }
            Q::Explicit(q) => self.strips.multiply_block(first, out, -1.0, q),
        }
    }

    /// `X Q`: the samples in the space of the rules.
    pub(crate) fn latent(&self, projection: &Projection) -> Matrix {
        match &projection.0 {
            Q::Implicit(_, minus) => Matrix::from_fn(minus.rows(), minus.cols(), |row, col| -minus[(row, col)]),
            Q::Explicit(q) => {
                let mut latent = Matrix::zeros(self.x.rows(), q.cols());
                self.strips.multiply(&mut latent, q);
                latent
            }
        }
    }

    /// `|q^i|` for every feature: the scores.
    ///
    /// # Errors
    /// [`LinalgError::NotFinite`].
    pub(crate) fn row_lengths(&self, projection: &Projection) -> Result<Vec<f64>, LinalgError> {
        let squares = match &projection.0 {
            Q::Implicit(q, _) => q.row_norms(self.x)?,
            Q::Explicit(q) => q.row_norms_squared(),
        };
        Ok(squares.into_iter().map(f64::sqrt).collect())
    }

    /// `|Q^T Q - I|_F`: how far the constraint of the paper is from being met.
    pub(crate) fn orthogonality_gap(&self, projection: &Projection) -> f64 {
        let d = projection.dimensions();
        let mut gram = Matrix::zeros(d, d);
        for range in row_blocks(self.x.cols()) {
            let part = inner_gram(&self.rows(projection, range));
            gram.as_mut_slice().iter_mut().zip(part.as_slice()).for_each(|(sum, part)| *sum += part);
        }
        gram.shift_diagonal(-1.0);
        gram.norm_squared().sqrt()
    }

    /// Some rows of Q, one for each feature of the range. For n < m a fit never forms all of them at once.
    pub(crate) fn rows(&self, projection: &Projection, range: Range<usize>) -> Matrix {
        match &projection.0 {
            Q::Implicit(q, _) => q.rows(self.x, range),
            Q::Explicit(q) => Matrix::from_fn(range.len(), q.cols(), |row, col| q[(range.start + row, col)]),
        }
    }
}

/// Some columns of a matrix, in ascending order; borrowed if these are all.
fn some_columns<'m>(matrix: &'m Matrix, columns: &[usize]) -> Cow<'m, Matrix> {
    if columns.len() == matrix.cols() { Cow::Borrowed(matrix) } else { Cow::Owned(select_columns(matrix, columns)) }
}

/// Some columns of a matrix, in that order.
fn select_columns(matrix: &Matrix, columns: &[usize]) -> Matrix {
    let mut selected = Matrix::zeros(matrix.rows(), columns.len());
    for (at, &column) in columns.iter().enumerate() {
        selected.col_mut(at).copy_from_slice(matrix.col(column));
    }
    selected
}

/// Ranges that cover all features, so that rows of Q are formed in bounded memory.
fn row_blocks(features: usize) -> impl Iterator<Item = Range<usize>> {
    const ROWS: usize = 512;
    (0..features).step_by(ROWS).map(move |first| first..(first + ROWS).min(features))
}

/// `Z_ii = 1 / (2 |q^i|)`.
fn updated_weights(row_norms_squared: &[f64]) -> Weights {
    row_norms_squared.iter().map(|norm| 0.5 / norm.sqrt().max(SHORTEST_ROW)).collect()
}

#[cfg(test)]
mod tests;
