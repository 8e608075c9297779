//! Random initialisation of a restart: a projection and rules around random samples.

use super::params::Params;
use crate::linalg::{ColumnsTransposed, Matrix, Plain, dot, product};
use crate::rule_network::network::Network;
use crate::rule_network::restart::Restart;
use crate::rule_network::samples::{Samples, shuffled_split};
use crate::rule_network::sparsity::step_shares;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use std::ops::Range;
use std::sync::Arc;

/// A restart with its own random stream. The first `learn` samples are training rows; without `learn` the restart
/// orders and splits the samples itself. `factors` scale the rows of Q.
pub(super) fn start(
    samples: &Arc<Samples>,
    learn: Option<usize>,
    groups: &[Range<usize>],
    params: &Params,
    factors: &[f64],
    (seed, stream): (u64, u64),
) -> Restart {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(stream);
    let (samples, learn) = match learn {
        Some(learn) => (Arc::clone(samples), learn),
        None => {
            let (order, learn) = shuffled_split(&samples.goal, samples.count(), params.holdout, &mut rng);
            (Arc::new(samples.reordered(&order)), learn)
        }
    };
    let factors = match step_shares(groups) {
        Some(step_shares) => factors.iter().zip(step_shares).map(|(factor, share)| factor * share).collect(),
        None => factors.to_vec(),
    };
    let q = random_projection(&factors, params.d, params.start, &mut rng);
    let mut network = around_samples(&samples.x, q, params.rules, samples.goal.outputs(), &mut rng);
    if !params.first_order {
        network.slopes.as_mut_slice().fill(0.0);
    }
    Restart::new(samples, learn, groups, &params.training(), network, rng).calibrated()
}

/// A network with rules at random samples of the centred columns of `x` (m x n), and the spread of their projections.
fn around_samples(x: &Matrix, projection: Matrix, rules: usize, outputs: usize, rng: &mut ChaCha8Rng) -> Network {
    let n = x.cols();
    let rows: Vec<usize> = if rules <= n {
        let mut rows: Vec<usize> = (0..n).collect();
        rows.partial_shuffle(rng, rules).0.to_vec()
    } else {
        (0..rules).map(|_| rng.random_range(0..n)).collect()
    };
    let hat = product(ColumnsTransposed(x, 0..n), Plain(&projection));
    let d = hat.cols();
    let centres = Matrix::from_fn(rules, d, |rule, dim| hat[(rows[rule], dim)]);
    let spread = deviation(hat.as_slice()).max(1e-4).ln();
    let mut normal = || 0.01 * Distribution::<f64>::sample(&StandardNormal, rng);
    let slopes = Matrix::from_fn(d, rules * outputs, |_, _| normal());
    let constants = (0..rules * outputs).map(|_| normal()).collect();
    let log_spreads = Matrix::from_fn(rules, d, |_, _| spread);
    Network { projection: Some(projection), centres, log_spreads, slopes, constants }
}

fn deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

/// Random orthogonal columns of the given length, with their rows scaled by factors. If there are more columns than
/// rows, they are independent.
fn random_projection(factors: &[f64], d: usize, length: f64, rng: &mut ChaCha8Rng) -> Matrix {
    let m = factors.len();
    let mut q = Matrix::from_fn(m, d, |row, _| {
        let normal: f64 = StandardNormal.sample(rng);
        factors[row] * normal
    });
    for col in 0..d {
        for other in 0..if d <= m { col } else { 0 } {
            let before = q.col(other).to_vec();
            let share = dot(&before, q.col(col));
            q.col_mut(col).iter_mut().zip(&before).for_each(|(value, before)| *value -= share * before);
        }
        let norm = dot(q.col(col), q.col(col)).sqrt();
        q.col_mut(col).iter_mut().for_each(|value| *value /= norm);
    }
    q.as_mut_slice().iter_mut().for_each(|value| *value *= length);
    q
}
