//! Algorithm 1 of the paper: the projection Q for a given low-dimensional representation.
//!
//! Each pass solves the Sylvester equation (Eq. "updateQ")
//! `(alpha X^T X + beta Z) Q + Q Lambda = alpha X^T X_hat`, then renews
//! `Z_ii = 1 / (2 |q^i|)` and `lambda_j += eta (|q_j|^2 - 1)`; Z and Lambda start at the identity.
//! The paper takes an m x m eigendecomposition every time (O(m^3)); here Lambda is diagonal, so the columns decouple:
//! see `wide` for n < m and `tall` for n >= m. Both use that the lambda_j lie close together (`groups`): a few
//! factorisations (`nodes`) or one (`chebyshev`) serve all columns. Cost of a step:
//! O(n^2 (m + d)) and O(m^2 (m + d) + n m d).

mod chebyshev;
mod groups;
mod latest;
mod nodes;
mod orthogonality;
mod past;
mod tall;
mod wide;

use super::params::Params;
use crate::linalg::{
    BLOCK, Centred, LinalgError, Matrix, Outer, Plain, Strips, SymmetricEigen, inner_gram, outer_gram, widest,
};
use latest::Latest;
use past::Past;
use std::borrow::Cow;
use std::ops::Range;
use tall::{Diagonals, Tall, TallQ};
use wide::{Wide, WideQ};

/// The diagonal of Z.
type Weights = Vec<f64>;
/// The diagonal of Lambda.
type Multipliers = Vec<f64>;

/// Rows of Q shorter than this count as this long in Z.
const SHORTEST_ROW: f64 = 1e-8;
/// Lambda is kept at or above this, so that every system stays positive definite.
const SMALLEST_MULTIPLIER: f64 = 1e-6;

/// What one training set gives to every fit on it: the smaller Gram matrix, and X laid out for products.
#[derive(Debug)]
pub struct Decomposed<'a> {
    x: &'a Matrix,
    side: Shared<'a>,
}

#[derive(Debug)]
enum Shared<'a> {
    /// n < m, with the decomposition of `X X^T`, which gives two functions of it for every (alpha, beta).
    Wide { outer: Outer<'a>, eigen: SymmetricEigen, latest: Latest<wide::Ready> },
    /// n >= m, with `X^T X`, and X once more where changes of `X Q` are worth it.
    Tall { strips: Strips, gram: Matrix, centred: Option<Centred>, latest: Latest<tall::Ready> },
}

impl<'a> Decomposed<'a> {
    /// Decomposes `X X^T` (n < m), or forms `X^T X`.
    pub fn new(x: &'a Matrix) -> Result<Self, LinalgError> {
        let side = if x.rows() < x.cols() {
            Shared::Wide { outer: Outer::new(x), eigen: SymmetricEigen::new(&outer_gram(x))?, latest: Latest::new() }
        } else {
            let gram = inner_gram(x);
            if gram.as_slice().iter().any(|value| !value.is_finite()) {
                return Err(LinalgError::NotFinite);
            }
            let centred = tall::products_dominate(x).then(|| Centred::new(x));
            Shared::Tall { strips: Strips::new(Plain(x)), gram, centred, latest: Latest::new() }
        };
        Ok(Self { x, side })
    }

    /// The training data, samples in rows.
    pub fn x(&self) -> &'a Matrix {
        self.x
    }
}

/// Algorithm 1, ready to run for one (alpha, beta).
pub struct Projector<'a> {
    x: &'a Matrix,
    strips: &'a Strips,
    centred: Option<&'a Centred>,
    side: Side<'a>,
    inner: usize,
    eta: f64,
}

enum Side<'a> {
    Wide(Wide<'a>),
    Tall(Tall<'a>),
}

/// Q, as the fit needs it.
pub struct Projection(Q);

enum Q {
    /// For n < m, with `- X Q`, which comes out on the way.
    Implicit(WideQ, Matrix),
    Explicit(TallQ),
}

impl Projection {
    /// Leaves what only a next iteration would need.
    pub fn last(self) -> Self {
        match self.0 {
            Q::Explicit(last) => Self(Q::Explicit(last.without_memory())),
            implicit => Self(implicit),
        }
    }

    fn dimensions(&self) -> usize {
        match &self.0 {
            Q::Implicit(_, minus) => minus.cols(),
            Q::Explicit(TallQ { q, .. }) => q.cols(),
        }
    }
}

impl<'a> Projector<'a> {
    /// Prepares the passes for the parameters of one fit.
    pub fn new(data: &'a Decomposed<'a>, params: &Params) -> Result<Self, LinalgError> {
        let (x, alpha, beta) = (data.x, params.alpha, params.beta);
        let (strips, centred, side) = match &data.side {
            Shared::Wide { outer, eigen, latest } => {
                let ready = latest.of((alpha, beta), || Ok(wide::Ready::new(x, eigen, alpha, beta)))?;
                (outer.strips(), None, Side::Wide(Wide::new(x, outer, alpha, beta, ready)))
            }
            Shared::Tall { strips, gram, centred, latest } => {
                let ready = latest.of((alpha, beta), || tall::Ready::new(x, gram, alpha, beta))?;
                (strips, centred.as_ref(), Side::Tall(Tall::new(x, beta, ready)))
            }
        };
        Ok(Self { x, strips, centred, side, inner: params.inner, eta: params.eta })
    }

    /// Runs the passes from Z = I and Lambda = I. The projection of the iteration before, by this projector, makes this one
    /// cheaper.
    pub fn project(&self, x_hat: &Matrix, before: Option<Projection>) -> Result<Projection, LinalgError> {
        match &self.side {
            Side::Wide(wide) => self.project_wide(wide, x_hat, before),
            Side::Tall(tall) => self.project_tall(tall, x_hat, before),
        }
    }

    fn project_wide(&self, wide: &Wide, x_hat: &Matrix, before: Option<Projection>) -> Result<Projection, LinalgError> {
        let seen = match before {
            Some(Projection(Q::Implicit(before, _))) if before.lambda.len() == x_hat.cols() => before.seen,
            _ => None,
        };
        let q = if self.inner == 1 {
            wide.first_pass(x_hat)
        } else {
            let (rows, cols) = wide.first_norms(x_hat);
            let (mut weights, mut lambda) = (renewed_weights(&rows), vec![1.0; x_hat.cols()]);
            self.renew_multipliers(&mut lambda, &cols);
            let mut q = wide.pass(x_hat, weights, lambda.clone(), seen)?;
            let seen = q.seen;
            for _ in 2..self.inner {
                let (rows, cols) = q.norms(self.x);
                weights = renewed_weights(&rows);
                self.renew_multipliers(&mut lambda, &cols);
                q = wide.pass(x_hat, weights, lambda.clone(), None)?;
            }
            q.seen = seen;
            q
        };
        let minus_projected = wide.minus_projected(&q, x_hat);
        Ok(Projection(Q::Implicit(q, minus_projected)))
    }

    fn project_tall(&self, tall: &Tall, x_hat: &Matrix, before: Option<Projection>) -> Result<Projection, LinalgError> {
        let mut tall_q = match before {
            Some(Projection(Q::Explicit(before))) => before.for_next(),
            _ => TallQ::default(),
        };
        let TallQ { q, past, .. } = &mut tall_q;
        tall.first_pass(q, x_hat);
        let mut at = Diagonals { weights: vec![1.0; q.rows()], lambda: vec![1.0; q.cols()] };
        for pass in 1..self.inner {
            let mut next = Diagonals { weights: renewed_weights(&q.row_norms_squared()), lambda: at.lambda.clone() };
            self.renew_multipliers(&mut next.lambda, &q.col_norms_squared());
            // More passes than the usual two would each need a memory of their own.
            let past = if pass == 1 { &mut *past } else { &mut Past::default() };
            tall.pass(q, &at, &next, past)?;
            at = next;
        }
        if let Some(centred) = self.centred {
            tall_q.compare(centred);
        }
        Ok(Projection(Q::Explicit(tall_q)))
    }

    /// `lambda_j += eta (|q_j|^2 - 1)`, Eq. "updateLambda".
    fn renew_multipliers(&self, lambda: &mut Multipliers, col_norms: &[f64]) {
        for (lambda, norm) in lambda.iter_mut().zip(col_norms) {
            *lambda = (*lambda + self.eta * (norm - 1.0)).max(SMALLEST_MULTIPLIER);
        }
    }

    /// Whether [`Self::minus_projected`] wants to know what it gave in the two iterations before.
    pub fn follows(&self) -> bool {
        self.centred.is_some()
    }

    /// Writes a [`BLOCK`] of rows of `- X Q` to `out`, from `first` on, column by column. `before` is what the last iteration gave
    /// and `out` holds what the one before that gave: where Q is guessed well from these, only the rest is multiplied, in single
    /// precision. For n >= m an iteration does without the whole of `X Q`.
    pub fn minus_projected(&self, projection: &Projection, first: usize, out: &mut [f64], before: &[f64]) {
        match &projection.0 {
            Q::Implicit(_, minus) => {
                let rows = BLOCK.min(minus.rows() - first);
                let parts = out.chunks_exact_mut(rows).enumerate();
                parts.for_each(|(col, out)| out.copy_from_slice(&minus.col(col)[first..first + rows]));
            }
            Q::Explicit(TallQ { q, rest, .. }) => match (self.centred, rest) {
                (Some(centred), Some(rest)) => {
                    widest!(|| out.iter_mut().zip(before).for_each(|(out, before)| *out = 2.0 * before - *out));
                    centred.subtract_block(first, out, rest);
                }
                _ => self.strips.multiply_block(first, out, -1.0, q),
            },
        }
    }

    /// `X Q`: the samples in the space of the rules.
    pub fn latent(&self, projection: &Projection) -> Matrix {
        match &projection.0 {
            Q::Implicit(_, minus) => Matrix::from_fn(minus.rows(), minus.cols(), |row, col| -minus[(row, col)]),
            Q::Explicit(TallQ { q, .. }) => {
                let mut latent = Matrix::zeros(self.x.rows(), q.cols());
                self.strips.multiply(&mut latent, q);
                latent
            }
        }
    }

    /// `|Q|_2,1`, the sum of the row lengths. For n < m this is a good part of an iteration, and only J needs it.
    pub fn sum_of_row_lengths(&self, projection: &Projection) -> f64 {
        match &projection.0 {
            Q::Implicit(q, _) => q.sum_of_row_lengths(self.x),
            Q::Explicit(TallQ { q, .. }) => square_roots(q.row_norms_squared()).iter().sum(),
        }
    }

    /// `|q^i|` for every feature: the scores. An iteration does without; their sum costs less.
    pub fn row_lengths(&self, projection: &Projection) -> Vec<f64> {
        square_roots(match &projection.0 {
            Q::Implicit(q, _) => q.row_norms(self.x),
            Q::Explicit(TallQ { q, .. }) => q.row_norms_squared(),
        })
    }

    /// `|Q^T Q - I|_F`: how far the constraint of the paper is from being met.
    pub fn orthogonality_gap(&self, projection: &Projection) -> f64 {
        if let Q::Implicit(q, _) = &projection.0
            && let Some(gap) = orthogonality::implicit_gap(q, self.x)
        {
            return gap;
        }
        let d = projection.dimensions();
        let mut gram = Matrix::zeros(d, d);
        for range in row_blocks(self.x.cols()) {
            let part = inner_gram(&self.rows(projection, range));
            gram.as_mut_slice().iter_mut().zip(part.as_slice()).for_each(|(sum, part)| *sum += part);
        }
        gram.shift_diagonal(-1.0);
        gram.norm_squared().sqrt()
    }

    /// Some rows of Q, one for each feature of the range. All of them are m x d: the fit does without.
    pub fn rows(&self, projection: &Projection, range: Range<usize>) -> Matrix {
        match &projection.0 {
            Q::Implicit(q, _) => q.rows(self.x, range),
            Q::Explicit(TallQ { q, .. }) => {
                Matrix::from_fn(range.len(), q.cols(), |row, col| q[(range.start + row, col)])
            }
        }
    }
}

/// Some columns of a matrix, named in ascending order; all of them are not copied.
fn some_columns<'m>(matrix: &'m Matrix, columns: &[usize]) -> Cow<'m, Matrix> {
    if columns.len() == matrix.cols() { Cow::Borrowed(matrix) } else { Cow::Owned(select_columns(matrix, columns)) }
}

/// The named columns of a matrix, in that order.
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
fn renewed_weights(row_norms_squared: &[f64]) -> Weights {
    row_norms_squared.iter().map(|norm| 0.5 / norm.sqrt().max(SHORTEST_ROW)).collect()
}

fn square_roots(mut values: Vec<f64>) -> Vec<f64> {
    values.iter_mut().for_each(|value| *value = value.sqrt());
    values
}

#[cfg(test)]
mod tests;
