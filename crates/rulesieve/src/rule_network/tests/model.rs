use super::super::pass::Pass;
use super::*;

/// The outputs for one sample by the formulas.
fn naive(network: &Network, x: &[f64]) -> Vec<f64> {
    let (rules, d, outputs) = (network.rules(), network.dimensions(), network.outputs());
    let h: Vec<f64> = (0..d)
        .map(|dim| match &network.projection {
            Some(q) => x.iter().enumerate().map(|(row, value)| value * q[(row, dim)]).sum(),
            None => x[dim],
        })
        .collect();
    let z = |rule: usize| {
        let squares = (0..d).map(|dim| {
            let spread = network.log_spreads[(rule, dim)].exp();
            ((h[dim] - network.centres[(rule, dim)]) / spread).powi(2)
        });
        (-squares.sum::<f64>() / (2 * d) as f64).exp()
    };
    let fired: Vec<f64> = (0..rules).map(z).collect();
    let total: f64 = fired.iter().sum();
    (0..outputs)
        .map(|output| {
            let rule_output = |rule: usize| {
                let column = rule * outputs + output;
                (0..d).map(|dim| h[dim] * network.slopes[(dim, column)]).sum::<f64>() + network.constants[column]
            };
            (0..rules).map(|rule| fired[rule] / total * rule_output(rule)).sum()
        })
        .collect()
}

#[test]
fn outputs_are_those_of_the_definition() {
    for (m, d, rules, outputs) in [(6, 3, 4, 2), (2, 5, 1, 3), (5, 0, 3, 1), (40, 16, 9, 11)] {
        let (network, samples) = example(23, m, d, rules, classes(23, outputs), 1);
        let mut pass = Pass::default();
        pass.forward(&network, &samples.x, 4..20);
        for sample in 4..20 {
            for (output, expected) in naive(&network, samples.x.col(sample)).iter().enumerate() {
                let found = pass.logits[(sample - 4, output)];
                assert!((found - expected).abs() < 1e-12 * expected.abs().max(1.0), "{found} {expected}");
            }
        }
        for row in 0..16 {
            let sum: f64 = (0..rules).map(|rule| pass.firing[(row, rule)]).sum();
            assert!((sum - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn firing_stays_finite_for_many_features_and_at_the_bounds_of_the_spreads() {
    for log_spread in [-super::super::network::WIDEST, super::super::network::WIDEST] {
        for d in [0, 16] {
            let (mut network, mut samples) = example(8, 10_000, d, 5, classes(8, 2), 2);
            network.log_spreads.as_mut_slice().fill(log_spread);
            samples.x.as_mut_slice().iter_mut().for_each(|value| *value *= 10.0);
            let mut pass = Pass::default();
            pass.forward(&network, &samples.x, 0..8);
            assert!(pass.logits.as_slice().iter().chain(pass.firing.as_slice()).all(|value| value.is_finite()));
            for row in 0..8 {
                let sum: f64 = (0..5).map(|rule| pass.firing[(row, rule)]).sum();
                assert!((sum - 1.0).abs() < 1e-9, "{sum}");
            }
        }
    }
}
