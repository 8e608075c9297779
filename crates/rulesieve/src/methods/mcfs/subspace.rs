//! A projection with s features that raises `tr(W^T A W)`, with A the difference of the scatters, made positive
//! semidefinite by a multiple of the identity.
//!
//! Repeats: the proxy `A W (W^T A W)^+ W^T A`, of rank d and never above A; the s features with the largest share of
//! its trace; the first d eigenvectors of A in those. Since W itself is in the span of the proxy, no round lowers the
//! trace.

use super::scatter::{Fixed, Scatters, symmetric};
use crate::linalg::{
    LinalgError, Matrix, Plain, SymmetricEigen, Transposed, add_product, dot, outer_gram, polar, product,
    scale_columns, symmetric_eigenvalues,
};
use crate::methods::fuzzy::gate::order;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use std::ops::Range;

/// Maximum number of rounds.
const ROUNDS: usize = 20;
/// Eigenvalues up to this share of the largest count as zero.
const NEGLIGIBLE: f64 = 1e-10;

/// The set of projections: d dimensions, s features.
pub(super) struct Subspace<'a> {
    pub(super) x: &'a Matrix,
    /// X in coordinates of its row space; X itself if that is no smaller.
    pub(super) coordinates: &'a Matrix,
    /// In these coordinates.
    pub(super) fixed: &'a Fixed,
    pub(super) blocks: &'a [Range<usize>],
    pub(super) s: usize,
    pub(super) d: usize,
}

/// X in coordinates of its row space, if those are fewer than its columns.
pub(super) fn coordinates(x: &Matrix) -> Result<Option<Matrix>, LinalgError> {
    Ok(if x.rows() < x.cols() { Some(RowSpace::new(x)?.coordinates) } else { None })
}

/// A: `X^T K X + shift I`.
pub(super) struct Difference<'a> {
    scatters: &'a Scatters<'a>,
    ratio: f64,
    shift: f64,
    /// `X^T K X`, if X has no more columns than rows.
    full: Option<Matrix>,
}

impl Difference<'_> {
    pub(super) fn times(&self, w: &Matrix) -> Matrix {
        let mut image = match &self.full {
            Some(full) => product(Plain(full), Plain(w)),
            None => {
                let z = product(Plain(self.scatters.x), Plain(w));
                product(Transposed(self.scatters.x), Plain(&self.scatters.difference(self.ratio, &z)))
            }
        };
        image.as_mut_slice().iter_mut().zip(w.as_slice()).for_each(|(image, w)| *image += self.shift * w);
        image
    }

    /// `Z^T K Z`.
    fn inner(&self, z: &Matrix) -> Matrix {
        symmetric(&product(Transposed(z), Plain(&self.scatters.difference(self.ratio, z))))
    }

    /// The first d eigenvectors of A in some columns, as rows for these alone.
    pub(super) fn leading(&self, columns: &[usize], d: usize) -> Result<Matrix, LinalgError> {
        let x = self.scatters.x;
        let order = columns.len();
        let inner = match &self.full {
            Some(full) => Matrix::from_fn(order, order, |row, col| full[(columns[row], columns[col])]),
            None => {
                let part = Matrix::from_fn(x.rows(), order, |row, at| x[(row, columns[at])]);
                if order > x.rows() {
                    return RowSpace::new(&part)?.leading(self, d);
                }
                self.inner(&part)
            }
        };
        Ok(last_columns(&SymmetricEigen::new(&inner)?.vectors, d))
    }
}

impl Subspace<'_> {
    /// The difference at this ratio, shifted until no eigenvalue is negative.
    pub(super) fn difference<'b>(&self, scatters: &'b Scatters<'b>, ratio: f64) -> Result<Difference<'b>, LinalgError> {
        let inner = scatters.inner(ratio, self.coordinates, self.fixed);
        let wide = self.x.rows() < self.x.cols();
        // Directions outside of the row space have the eigenvalue zero.
        let outside = if inner.rows() < self.x.cols() { 0.0 } else { f64::INFINITY };
        let lowest = symmetric_eigenvalues(&inner)?.first().copied().unwrap_or(0.0).min(outside);
        let shift = (-lowest).max(-ratio * scatters.delta);
        Ok(Difference { scatters, ratio, shift, full: (!wide).then_some(inner) })
    }

    /// The best projection of some rounds, including the initial one.
    pub(super) fn improved(&self, scatters: &Scatters, ratio: f64, w: &Matrix) -> Result<Matrix, LinalgError> {
        let mut w = w.clone();
        let difference = self.difference(scatters, ratio)?;
        let mut image = difference.times(&w);
        let mut trace = trace_of_product(&w, &image);
        for _ in 0..ROUNDS {
            let order = order(&self.proxies(&w, &image)?);
            let columns = columns_of(&order[..self.s], self.blocks);
            let next = spread(&difference.leading(&columns, self.d)?, &columns, self.x.cols());
            let next_image = difference.times(&next);
            let next_trace = trace_of_product(&next, &next_image);
            if next_trace <= trace {
                break;
            }
            (w, image, trace) = (next, next_image, next_trace);
        }
        Ok(w)
    }

    /// Shares of the features in the trace of the proxy.
    pub(super) fn proxies_of(&self, scatters: &Scatters, ratio: f64, w: &Matrix) -> Result<Vec<f64>, LinalgError> {
        self.proxies(w, &self.difference(scatters, ratio)?.times(w))
    }

    /// The same, given `A W`.
    fn proxies(&self, w: &Matrix, image: &Matrix) -> Result<Vec<f64>, LinalgError> {
        let small = product(Transposed(w), Plain(image));
        let eigen = SymmetricEigen::new(&symmetric(&small))?;
        let most = eigen.values.last().copied().unwrap_or(0.0);
        let roots: Vec<f64> = eigen
            .values
            .iter()
            .map(|&value| if value > NEGLIGIBLE * most { 1.0 / value.sqrt() } else { 0.0 })
            .collect();
        let half = product(Plain(image), Plain(&scale_columns(&eigen.vectors, &roots)));
        let squares = half.row_norms_squared();
        Ok(self.blocks.iter().map(|block| squares[block.clone()].iter().sum()).collect())
    }
}

/// Data as `Z B^T` with orthonormal columns of B, as many as the rank.
struct RowSpace {
    /// Z, n x rank.
    coordinates: Matrix,
    /// B, m x rank.
    basis: Matrix,
}

impl RowSpace {
    /// From the n x n products of rows.
    fn new(x: &Matrix) -> Result<Self, LinalgError> {
        let eigen = SymmetricEigen::new(&outer_gram(x))?;
        let most = eigen.values.last().copied().unwrap_or(0.0);
        let kept: Vec<usize> = (0..x.rows()).filter(|&at| eigen.values[at] > NEGLIGIBLE * most).collect();
        let vectors = Matrix::from_fn(x.rows(), kept.len(), |row, at| eigen.vectors[(row, kept[at])]);
        let roots: Vec<f64> = kept.iter().map(|&at| eigen.values[at].sqrt()).collect();
        let inverses: Vec<f64> = roots.iter().map(|root| 1.0 / root).collect();
        let basis = product(Transposed(x), Plain(&scale_columns(&vectors, &inverses)));
        Ok(Self { coordinates: scale_columns(&vectors, &roots), basis })
    }

    /// The first d eigenvectors of `X^T K X`: those with positive values, then any outside of the row space, then the
    /// rest.
    fn leading(&self, difference: &Difference, d: usize) -> Result<Matrix, LinalgError> {
        let eigen = SymmetricEigen::new(&difference.inner(&self.coordinates))?;
        let rank = eigen.values.len();
        let positive = eigen.values.iter().filter(|value| **value > 0.0).count().min(d);
        let outside = (d - positive).min(self.basis.rows() - rank);
        let inside = d - outside;
        let first = product(Plain(&self.basis), Plain(&last_columns(&eigen.vectors, inside)));
        let others = self.outside(outside);
        polar(&Matrix::from_fn(first.rows(), d, |row, col| {
            if col < inside { first[(row, col)] } else { others[(row, col - inside)] }
        }))
    }

    /// Directions outside of the row space, not yet orthonormal.
    fn outside(&self, count: usize) -> Matrix {
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let mut found = Matrix::from_fn(self.basis.rows(), count, |_, _| StandardNormal.sample(&mut rng));
        let inside = product(Transposed(&self.basis), Plain(&found));
        add_product(&mut found, 1.0, -1.0, Plain(&self.basis), Plain(&inside));
        found
    }
}

fn trace_of_product(a: &Matrix, b: &Matrix) -> f64 {
    dot(a.as_slice(), b.as_slice())
}

fn last_columns(a: &Matrix, count: usize) -> Matrix {
    Matrix::from_fn(a.rows(), count, |row, at| a[(row, a.cols() - count + at)])
}

/// The columns of some features, ascending.
pub(super) fn columns_of(features: &[usize], blocks: &[Range<usize>]) -> Vec<usize> {
    let mut columns: Vec<usize> = features.iter().flat_map(|&feature| blocks[feature].clone()).collect();
    columns.sort_unstable();
    columns
}

/// The rows of `part` at the given indices, zeros elsewhere.
pub(super) fn spread(part: &Matrix, indices: &[usize], rows: usize) -> Matrix {
    let mut out = Matrix::zeros(rows, part.cols());
    for col in 0..part.cols() {
        indices.iter().zip(part.col(col)).for_each(|(&index, &value)| out[(index, col)] = value);
    }
    out
}
