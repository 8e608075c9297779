//! Sensitivity of the outputs to a feature: its standard deviation times the root mean square of the derivatives of the
//! centred outputs.

use crate::linalg::{Matrix, Plain, Transposed, add_product, product};
use crate::rule_network::network::Network;
use crate::rule_network::pass::Pass;
use crate::rule_network::samples::{spread, windows};
use std::ops::Range;

/// Number of samples processed together.
const WINDOW: usize = 1024;
/// Maximum number of multiplications after a fit that was ended early: about two seconds.
const MAX_WORK_ENDED_EARLY: usize = 1 << 32;

/// Scores of the groups of columns of `x` (m x n, centred).
///
/// With `S = mean over samples of sum over outputs of g g^T`, g the derivative of a centred output with respect to the
/// projection, a group B scores `sqrt(tr(S Cov(X_B Q_B)))`; for a single column that is
/// `std(x_i) sqrt(q_i^T S q_i)`. After a fit that was ended early, S is the mean over a part of the samples if there are many outputs.
pub(crate) fn jacobian(network: &Network, x: &Matrix, groups: &[Range<usize>], ended_early: bool) -> Vec<f64> {
    let outputs = network.outputs();
    let per_sample = outputs * (outputs + 2) * network.rules() * network.dimensions();
    let most = if ended_early { MAX_WORK_ENDED_EARLY / per_sample.max(1) } else { x.cols() };
    let sensitivity = if most < x.cols() {
        let samples = spread(x.cols(), most);
        sensitivity(network, &Matrix::from_fn(x.rows(), samples.len(), |row, at| x[(row, samples[at])]))
    } else {
        sensitivity(network, x)
    };
    let n = x.cols() as f64;
    let d = network.dimensions();
    groups
        .iter()
        .map(|group| {
            let rows = Matrix::from_fn(group.len(), d, |row, dim| match &network.projection {
                Some(q) => q[(group.start + row, dim)],
                None => f64::from(u8::from(group.start + row == dim)),
            });
            let covariance = Matrix::from_fn(group.len(), group.len(), |a, b| {
                let (a, b) = (group.start + a, group.start + b);
                (0..x.cols()).map(|sample| x[(a, sample)] * x[(b, sample)]).sum::<f64>() / n
            });
            let half = product(Plain(&covariance), Plain(&product(Plain(&rows), Plain(&sensitivity))));
            let trace: f64 = half.as_slice().iter().zip(rows.as_slice()).map(|(a, b)| a * b).sum();
            trace.max(0.0).sqrt()
        })
        .collect()
}

/// S, d x d.
fn sensitivity(network: &Network, x: &Matrix) -> Matrix {
    let (n, d, outputs) = (x.cols(), network.dimensions(), network.outputs());
    let mut sum = Matrix::zeros(d, d);
    let mut pass = Pass::default();
    for window in windows(n, WINDOW) {
        pass.forward(network, x, window.clone());
        for output in 0..outputs {
            // Adding a constant to all logits changes nothing, so derivatives of centred logits are used.
            let shift = if outputs > 1 { 1.0 / outputs as f64 } else { 0.0 };
            let own = |col: usize| f64::from(u8::from(col == output)) - shift;
            let error = Matrix::from_fn(window.len(), outputs, |_, col| own(col));
            pass.backward_to_hidden(network, &error);
            add_product(&mut sum, 1.0, 1.0 / n as f64, Transposed(&pass.d_hidden), Plain(&pass.d_hidden));
        }
    }
    sum
}

/// Lengths of the rows of Q, combined for every group.
pub(crate) fn row_lengths(network: &Network, groups: &[Range<usize>]) -> Vec<f64> {
    let Some(q) = &network.projection else { return vec![1.0; groups.len()] };
    let squares = q.row_norms_squared();
    groups.iter().map(|group| squares[group.clone()].iter().sum::<f64>().sqrt()).collect()
}
