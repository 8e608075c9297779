//! The scatters, as `X^T K X` with products by K: they are never formed.

use super::centres::Centres;
use super::graph::Graph;
use crate::linalg::{Matrix, Plain, Transposed, dot, inner_gram, product, sum_of_squares};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Regularisation of the denominator, relative to the mean of the diagonal of the total scatter.
const DELTA: f64 = 1e-8;

/// Constant parts of the scatters, as matrices in some coordinates Z of the rows.
pub(super) struct Fixed {
    /// `Z^T Z`.
    total: Matrix,
    /// `Z^T L Z`, with the Laplacian of the graph.
    local: Matrix,
}

impl Fixed {
    pub(super) fn new(z: &Matrix, graph: &Graph) -> Self {
        let mut pulled = z.clone();
        pulled
            .as_mut_slice()
            .par_chunks_mut(z.rows().max(1))
            .for_each(|column| column.copy_from_slice(&laplacian(graph, column)));
        Self { total: inner_gram(z), local: symmetric(&product(Transposed(z), Plain(&pulled))) }
    }
}

/// `L z` with the Laplacian of the graph.
fn laplacian(graph: &Graph, z: &[f64]) -> Vec<f64> {
    let pull = |(row, tied): (usize, &Vec<usize>)| tied.iter().map(|&other| z[row] - z[other]).sum();
    graph.iter().enumerate().map(pull).collect()
}

pub(super) fn symmetric(a: &Matrix) -> Matrix {
    Matrix::from_fn(a.rows(), a.cols(), |row, col| (a[(row, col)] + a[(col, row)]) / 2.0)
}

/// Total scatter and scatter within, of centred data.
pub(super) struct Scatters<'a> {
    pub(super) x: &'a Matrix,
    graph: &'a Graph,
    centres: Centres,
    sizes: Vec<usize>,
    /// The weight of the scatter between neighbours.
    local: f64,
    pub(super) delta: f64,
}

impl<'a> Scatters<'a> {
    /// With `rho` = 1 the scatters about centres and between neighbours have the same trace.
    pub(super) fn new(x: &'a Matrix, graph: &'a Graph, centres: Centres, rho: f64) -> Self {
        let sizes = centres.sizes();
        let delta = DELTA * x.norm_squared() / x.cols().max(1) as f64;
        let mut scatters = Self { x, graph, centres, sizes, local: 0.0, delta };
        let about: f64 = scatters.of_columns(|s, z| s.about_centres(z)).iter().sum();
        let between: f64 = scatters.of_columns(|s, z| s.between_neighbours(z)).iter().sum();
        scatters.local = if between > 0.0 { rho * about / between } else { 0.0 };
        scatters
    }

    /// `x_j^T K x_j` of every column.
    fn of_columns(&self, form: impl Fn(&Self, &[f64]) -> f64 + Sync) -> Vec<f64> {
        (0..self.x.cols()).into_par_iter().map(|col| form(self, self.x.col(col))).collect()
    }

    /// `z` less the means about the centres.
    fn deviations(&self, z: &[f64]) -> Vec<f64> {
        let mut means = vec![0.0; self.sizes.len()];
        self.centres.of_row.iter().zip(z).for_each(|(&centre, value)| means[centre] += value);
        means.iter_mut().zip(&self.sizes).for_each(|(mean, &size)| *mean /= size.max(1) as f64);
        self.centres.of_row.iter().zip(z).map(|(&centre, value)| value - means[centre]).collect()
    }

    fn about_centres(&self, z: &[f64]) -> f64 {
        sum_of_squares(&self.deviations(z))
    }

    fn between_neighbours(&self, z: &[f64]) -> f64 {
        dot(&laplacian(self.graph, z), z)
    }

    /// `z^T K z` of the scatter within.
    fn within(&self, z: &[f64]) -> f64 {
        let between = if self.local > 0.0 { self.local * self.between_neighbours(z) } else { 0.0 };
        self.about_centres(z) + between
    }

    /// The diagonals of the total scatter and of the denominator.
    pub(super) fn diagonals(&self) -> (Vec<f64>, Vec<f64>) {
        let within = self.of_columns(Self::within);
        (self.x.col_norms_squared(), within.iter().map(|within| within + self.delta).collect())
    }

    /// `tr(W^T S_t W) / tr(W^T Den W)`.
    pub(super) fn ratio(&self, w: &Matrix) -> f64 {
        let z = product(Plain(self.x), Plain(w));
        let within: f64 = (0..z.cols()).map(|col| self.within(z.col(col))).sum();
        z.norm_squared() / (within + self.delta * w.norm_squared())
    }

    /// `K Z` for the total scatter less `ratio` times that within, without delta.
    pub(super) fn difference(&self, ratio: f64, z: &Matrix) -> Matrix {
        let mut out = z.clone();
        out.as_mut_slice().par_chunks_mut(z.rows().max(1)).for_each(|column| {
            let (about, pull) = (self.deviations(column), laplacian(self.graph, column));
            for ((value, about), pull) in column.iter_mut().zip(about).zip(pull) {
                *value -= ratio * (about + self.local * pull);
            }
        });
        out
    }

    /// `Z^T K Z` for the same K, from the constant parts and the means alone, without a pass over pairs of columns and
    /// all rows.
    pub(super) fn inner(&self, ratio: f64, z: &Matrix, fixed: &Fixed) -> Matrix {
        let mut sums = Matrix::zeros(self.sizes.len(), z.cols());
        for col in 0..z.cols() {
            let sums = sums.col_mut(col);
            self.centres.of_row.iter().zip(z.col(col)).for_each(|(&centre, value)| sums[centre] += value);
            sums.iter_mut().zip(&self.sizes).for_each(|(sum, &size)| *sum /= (size.max(1) as f64).sqrt());
        }
        let mut inner = inner_gram(&sums);
        let parts = fixed.total.as_slice().iter().zip(fixed.local.as_slice());
        for (value, (total, local)) in inner.as_mut_slice().iter_mut().zip(parts) {
            *value = total - ratio * (total - *value + self.local * local);
        }
        inner
    }

    /// One step of k-means of every class among the projected rows.
    pub(super) fn regroup(&mut self, w: &Matrix, rng: &mut ChaCha8Rng) {
        self.centres.step(&product(Plain(self.x), Plain(w)), rng);
        self.sizes = self.centres.sizes();
    }
}
