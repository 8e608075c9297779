//! The variables of Algorithm 2 and where they start.

use super::params::Params;
use crate::linalg::Matrix;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// What Algorithm 2 improves in turn. Consequents of several outputs stand side by side: output o and rule r have
/// column `o * rules + r` of `p` and that entry of `p0`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct State {
    /// Low-dimensional representation, n x d.
    pub x_hat: Matrix,
    /// Firing strengths, n x rules, positive.
    pub f: Matrix,
    /// Slopes of the consequents, d x (outputs * rules).
    pub p: Matrix,
    /// Constants of the consequents.
    pub p0: Vec<f64>,
}

impl State {
    /// The seeded start: X_hat uniform on (0, 1), rows of F uniform on (0.1, 1) scaled to sum one, P normal with
    /// standard deviation 0.1 and the same for every output (so that the order of classes does not matter to one-hot
    /// targets), p0 zero. The paper states none.
    pub(crate) fn start(n: usize, outputs: usize, params: &Params, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (d, rules) = (params.d, params.rules);
        let x_hat = Matrix::from_fn(n, d, |_, _| rng.random());
        let mut f = Matrix::from_fn(n, rules, |_, _| 0.1 + 0.9 * rng.random::<f64>());
        for row in 0..n {
            let sum: f64 = (0..rules).map(|rule| f[(row, rule)]).sum();
            (0..rules).for_each(|rule| f[(row, rule)] /= sum);
        }
        let slopes = Matrix::from_fn(d, rules, |_, _| {
            let normal: f64 = StandardNormal.sample(&mut rng);
            0.1 * normal
        });
        let p = Matrix::from_fn(d, outputs * rules, |row, col| slopes[(row, col % rules)]);
        Self { x_hat, f, p, p0: vec![0.0; outputs * rules] }
    }
}
