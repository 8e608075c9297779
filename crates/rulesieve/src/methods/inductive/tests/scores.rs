//! Scores compared with their definition, and the validation loss of a search.

use crate::linalg::Matrix;
use crate::methods::inductive::params::Params;
use crate::methods::inductive::{importance, start};
use crate::methods::settings::Settings;
use crate::rule_network::network::Network;
use crate::rule_network::pass::Pass;
use crate::rule_network::restart::Restart;
use crate::rule_network::tests::{classes, example};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

#[test]
fn importance_is_the_root_mean_square_derivative_times_the_deviation() {
    let (n, m, outputs) = (25, 4, 3);
    let (network, mut samples) = example(n, m, 3, 4, classes(n, outputs), 9);
    for feature in 0..m {
        let mean = (0..n).map(|sample| samples.x[(feature, sample)]).sum::<f64>() / n as f64;
        (0..n).for_each(|sample| samples.x[(feature, sample)] -= mean);
    }
    let groups: Vec<_> = (0..m).map(|at| at..at + 1).collect();
    let found = importance::jacobian(&network, &samples.x, &groups, false);
    let outputs_of = |x: &Matrix| {
        let mut pass = Pass::default();
        pass.forward(&network, x, 0..n);
        let mean = |row: usize| (0..outputs).map(|o| pass.logits[(row, o)]).sum::<f64>() / outputs as f64;
        Matrix::from_fn(n, outputs, |row, output| pass.logits[(row, output)] - mean(row))
    };
    let step = 1e-5;
    for (feature, found) in found.iter().enumerate() {
        let moved = |by: f64| {
            let mut x = samples.x.clone();
            (0..n).for_each(|sample| x[(feature, sample)] += by);
            outputs_of(&x)
        };
        let (above, below) = (moved(step), moved(-step));
        let slopes = above.as_slice().iter().zip(below.as_slice()).map(|(a, b)| ((a - b) / (2.0 * step)).powi(2));
        let variance = (0..n).map(|sample| samples.x[(feature, sample)].powi(2)).sum::<f64>() / n as f64;
        let expected = (slopes.sum::<f64>() / n as f64 * variance).sqrt();
        assert!((found - expected).abs() < 1e-6 * expected, "{found} {expected}");
    }
}

/// Indicators of several categories matter only by their differences: adding a constant to all rows of Q of the group
/// changes no output, so the score must not change.
#[test]
fn the_score_of_indicators_is_invariant_to_common_offsets() {
    let (mut network, _) = example(12, 4, 2, 3, classes(12, 2), 4);
    let mut x =
        Matrix::from_fn(4, 12, |row, col| if row < 3 { f64::from(u8::from(col % 3 == row)) } else { col as f64 });
    for row in 0..4 {
        let mean = (0..12).map(|col| x[(row, col)]).sum::<f64>() / 12.0;
        (0..12).for_each(|col| x[(row, col)] -= mean);
    }
    let groups = [0..3, 3..4];
    let before = importance::jacobian(&network, &x, &groups, false);
    let q = network.projection.as_mut().unwrap();
    (0..3).for_each(|row| q[(row, 1)] += 0.7);
    let after = importance::jacobian(&network, &x, &groups, false);
    assert!((before[0] - after[0]).abs() < 1e-12 * before[0], "{before:?} {after:?}");
}

/// A search may be overconfident, since only its ranking is used; a model for predictions may not.
#[test]
fn a_search_is_validated_by_its_calibrated_loss_and_a_model_by_its_plain_loss() {
    let (mut network, samples) = example(60, 4, 2, 3, classes(60, 2), 3);
    network.constants.iter_mut().for_each(|constant| *constant *= 50.0);
    let (samples, learn, groups) = (Arc::new(samples), 40, [0..1, 1..2, 2..3, 3..4]);
    let params = Params { d: 2, rules: 3, ..Params::new(&Settings::default(), 60, 4, 4).unwrap() };
    let (mut pass, mut scratch) = (Pass::default(), Matrix::default());
    let mut losses = |network: &Network| {
        pass.forward(network, &samples.x, learn..60);
        let calibrated = samples.goal.calibrated_loss(&pass.logits, learn..60, &samples.weights);
        (samples.goal.loss_gradient(&mut pass.logits, learn..60, &samples.weights, &mut scratch), calibrated)
    };
    let (plain, calibrated) = losses(&network);
    assert!(calibrated < 0.5 * plain, "{calibrated} {plain}");

    let rng = ChaCha8Rng::seed_from_u64(1);
    let mut given = Restart::new(Arc::clone(&samples), learn, &groups, &params.training(), network, rng);
    given.validate();
    assert_eq!(given.best_loss(), plain);

    let mut searching = start::start(&samples, Some(learn), &groups, &params, &[1.0; 4], (1, 1));
    searching.network.constants.iter_mut().enumerate().for_each(|(at, constant)| *constant = 30.0 * (at % 2) as f64);
    let (plain, calibrated) = losses(&searching.network);
    searching.validate();
    assert!(calibrated < plain);
    assert_eq!(searching.best_loss(), calibrated);
}
