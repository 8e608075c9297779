use super::super::pass::{Gradient, Pass};
use super::super::sparsity::shrink_rows;
use super::*;

fn loss(network: &Network, samples: &Samples) -> f64 {
    let (mut pass, mut scratch) = (Pass::default(), Matrix::default());
    pass.forward(network, &samples.x, 0..samples.count());
    let mut outputs = pass.logits.clone();
    samples.goal.loss_gradient(&mut outputs, 0..samples.count(), &samples.weights, &mut scratch)
}

fn gradient(network: &Network, samples: &Samples) -> Gradient {
    let (mut pass, mut scratch, mut gradient) = (Pass::default(), Matrix::default(), Gradient::default());
    pass.forward(network, &samples.x, 0..samples.count());
    let mut error = pass.logits.clone();
    samples.goal.loss_gradient(&mut error, 0..samples.count(), &samples.weights, &mut scratch);
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
