//! Tests of the network against its definition and of its derivatives against finite differences.

mod model;
mod numbers;

use super::loss::Goal;
use super::network::Network;
use super::samples::Samples;
use crate::linalg::Matrix;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn random(rows: usize, cols: usize, rng: &mut ChaCha8Rng) -> Matrix {
    Matrix::from_fn(rows, cols, |_, _| rng.random_range(-1.0..1.0))
}

/// A random network and samples; `d` is 0 for rules on the columns themselves.
pub(crate) fn example(n: usize, m: usize, d: usize, rules: usize, goal: Goal, seed: u64) -> (Network, Samples) {
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    let dims = if d == 0 { m } else { d };
    let network = Network {
        projection: (d > 0).then(|| random(m, d, rng)),
        centres: random(rules, dims, rng),
        log_spreads: random(rules, dims, rng),
        slopes: random(dims, rules * goal.outputs(), rng),
        constants: random(rules * goal.outputs(), 1, rng).as_slice().to_vec(),
    };
    let weights = (0..n).map(|_| rng.random_range(0.2..2.0)).collect();
    (network, Samples { x: random(m, n, rng), goal, weights })
}

pub(crate) fn classes(n: usize, count: usize) -> Goal {
    Goal::Classes { codes: (0..n).map(|at| (at * 7 % 5 % count) as u32).collect(), count }
}

fn numbers(n: usize) -> Goal {
    Goal::Numbers((0..n).map(|at| (at as f64).sin()).collect())
}
