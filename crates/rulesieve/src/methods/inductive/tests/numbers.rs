use super::super::importance;
use super::super::params::Params;
use super::super::pass::{Gradient, Pass};
use super::super::train::{Start, shrink_rows};
use super::*;
use std::sync::Arc;

fn loss(network: &Network, samples: &Samples) -> f64 {
    let (mut pass, mut scratch) = (Pass::default(), Matrix::default());
    pass.forward(network, &samples.x, 0..samples.count());
    let mut outputs = pass.logits.clone();
    samples.goal.price(&mut outputs, 0..samples.count(), &samples.weights, &mut scratch)
}

fn gradient(network: &Network, samples: &Samples) -> Gradient {
    let (mut pass, mut scratch, mut gradient) = (Pass::default(), Matrix::default(), Gradient::default());
    pass.forward(network, &samples.x, 0..samples.count());
    let mut error = pass.logits.clone();
    samples.goal.price(&mut error, 0..samples.count(), &samples.weights, &mut scratch);
    pass.backward(network, &samples.x, 0..samples.count(), &error, &mut gradient);
    gradient
}

/// Compares a gradient with central differences of the loss.
fn check(name: &str, network: &Network, samples: &Samples, found: &[f64], entries: fn(&mut Network) -> &mut [f64]) {
    let step = 1e-5;
    let expected: Vec<f64> = (0..found.len())
        .map(|at| {
            let moved = |by: f64| {
                let mut moved = network.clone();
                entries(&mut moved)[at] += by;
                loss(&moved, samples)
            };
            (moved(step) - moved(-step)) / (2.0 * step)
        })
        .collect();
    let length = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>().sqrt();
    let differences: Vec<f64> = found.iter().zip(&expected).map(|(found, expected)| found - expected).collect();
    assert!(length(&expected) > 1e-4, "{name}: nothing to compare");
    let error = length(&differences) / length(&expected);
    assert!(error < 1e-6, "{name}: relative error {error:e}");
}

#[test]
fn all_five_gradients_are_derivatives() {
    for (m, d, rules, goal) in
        [(7, 3, 4, classes(30, 3)), (4, 6, 2, classes(30, 2)), (5, 0, 3, classes(30, 4)), (6, 2, 3, numbers(30))]
    {
        let (network, samples) = example(30, m, d, rules, goal, 5);
        let found = gradient(&network, &samples);
        if d > 0 {
            let entries: fn(&mut Network) -> &mut [f64] = |network| network.projection.as_mut().unwrap().as_mut_slice();
            check("projection", &network, &samples, found.projection.as_slice(), entries);
        }
        check("centres", &network, &samples, found.centres.as_slice(), |network| network.centres.as_mut_slice());
        let spreads: fn(&mut Network) -> &mut [f64] = |network| network.log_spreads.as_mut_slice();
        check("log-spreads", &network, &samples, found.log_spreads.as_slice(), spreads);
        check("slopes", &network, &samples, found.slopes.as_slice(), |network| network.slopes.as_mut_slice());
        check("constants", &network, &samples, &found.constants, |network| &mut network.constants);
    }
}

#[test]
fn importance_is_the_root_mean_square_derivative_times_the_deviation() {
    let (n, m, outputs) = (25, 4, 3);
    let (network, mut samples) = example(n, m, 3, 4, classes(n, outputs), 9);
    for feature in 0..m {
        let mean = (0..n).map(|sample| samples.x[(feature, sample)]).sum::<f64>() / n as f64;
        (0..n).for_each(|sample| samples.x[(feature, sample)] -= mean);
    }
    let groups: Vec<_> = (0..m).map(|at| at..at + 1).collect();
    let found = importance::jacobian(&network, &samples.x, &groups);
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

/// An indicator for each of several categories says no more than their differences: adding the same to all rows of Q of
/// the group moves no output, so the score must not change.
#[test]
fn the_score_of_indicators_ignores_what_they_share() {
    let (mut network, _) = example(12, 4, 2, 3, classes(12, 2), 4);
    let mut x =
        Matrix::from_fn(4, 12, |row, col| if row < 3 { f64::from(u8::from(col % 3 == row)) } else { col as f64 });
    for row in 0..4 {
        let mean = (0..12).map(|col| x[(row, col)]).sum::<f64>() / 12.0;
        (0..12).for_each(|col| x[(row, col)] -= mean);
    }
    let groups = [0..3, 3..4];
    let before = importance::jacobian(&network, &x, &groups);
    let q = network.projection.as_mut().unwrap();
    (0..3).for_each(|row| q[(row, 1)] += 0.7);
    let after = importance::jacobian(&network, &x, &groups);
    assert!((before[0] - after[0]).abs() < 1e-12 * before[0], "{before:?} {after:?}");
}

#[test]
fn the_proximal_step_shortens_rows_and_groups_of_rows_down_to_zero() {
    let mut q = Matrix::from_fn(4, 2, |row, col| [[3.0, 4.0], [0.03, 0.04], [0.3, 0.0], [0.0, 0.4]][row][col]);
    let groups = [0..1, 1..2, 2..4];
    shrink_rows(&mut q, &groups, 0.1, &mut Matrix::default());
    let expected = [[2.94, 3.92], [0.0, 0.0], [0.24, 0.0], [0.0, 0.32]];
    for (row, expected) in expected.iter().enumerate() {
        for (col, expected) in expected.iter().enumerate() {
            assert!((q[(row, col)] - expected).abs() < 1e-12, "{row} {col}: {}", q[(row, col)]);
        }
    }
    assert_eq!((q[(1, 0)], q[(1, 1)]), (0.0, 0.0));
}

/// A search may be too sure of itself, since only its ranking is used; a model that answers may not.
#[test]
fn a_search_is_judged_by_its_calibrated_loss_and_a_given_network_by_its_loss_as_it_is() {
    let (mut network, samples) = example(60, 4, 2, 3, classes(60, 2), 3);
    network.constants.iter_mut().for_each(|constant| *constant *= 50.0);
    let (samples, learn, groups) = (Arc::new(samples), 40, [0..1, 1..2, 2..3, 3..4]);
    let params = Params { d: 2, rules: 3, ..Params::default() };
    let (mut pass, mut scratch) = (Pass::default(), Matrix::default());
    let mut losses = |network: &Network| {
        pass.forward(network, &samples.x, learn..60);
        let calibrated = samples.goal.calibrated_loss(&pass.logits, learn..60, &samples.weights);
        (samples.goal.price(&mut pass.logits, learn..60, &samples.weights, &mut scratch), calibrated)
    };
    let (plain, calibrated) = losses(&network);
    assert!(calibrated < 0.5 * plain, "{calibrated} {plain}");

    let rng = ChaCha8Rng::seed_from_u64(1);
    let mut given = Start::from_network(Arc::clone(&samples), learn, &groups, &params, network, rng);
    given.look();
    assert_eq!(given.best_loss(), plain);

    let mut searching = Start::new(&samples, Some(learn), &groups, &params, &[1.0; 4], (1, 1));
    searching.network.constants.iter_mut().enumerate().for_each(|(at, constant)| *constant = 30.0 * (at % 2) as f64);
    let (plain, calibrated) = losses(&searching.network);
    searching.look();
    assert!(calibrated < plain);
    assert_eq!(searching.best_loss(), calibrated);
}
