use super::classifier::cross_entropy;
use super::network::{Batch, Network, Pass};
use super::*;
use crate::data::Column;
use crate::linalg::Matrix;
use crate::methods::fuzzy::consequents::Consequents;
use crate::methods::fuzzy::tests::{check_degenerate_tables_except_duplicates, check_gradient, noise};
use crate::methods::tests::{design, fit, generated, planted, top};
use crate::optim::Silent;

#[test]
fn planted_features_come_first_for_tall_and_wide_tables() {
    for (rows, columns, seed, set) in [
        (120, 20, 1, &[][..]),
        (120, 20, 1, &[("order", "zero")]),
        (120, 20, 1, &[("aggregation", "tsk")]),
        // Fewer rows are not always sufficient: see the module.
        (200, 300, 1, &[("epochs", "80")]),
        (200, 300, 2, &[("epochs", "80")]),
    ] {
        let found = fit(&planted(rows, columns, seed), "htsk", set, 0);
        assert_eq!(top(&found.scores, 3), [0, 1, 2], "{rows} x {columns}, {seed}, {set:?}: {:?}", found.scores);
    }
}

fn example(first: bool, mean: bool, k: usize) -> (Network, Batch, Vec<u32>) {
    let (m, n, c) = (5, 9, 3);
    let mut spreads = noise(m, k, 2);
    spreads.as_mut_slice().iter_mut().for_each(|spread| *spread = 0.9 + 0.3 * *spread);
    let consequents = Consequents { constants: noise(k, c, 3), slopes: first.then(|| noise(m, k * c, 4)) };
    let params = Params { mean, ..Params::default() };
    let network = Network::new(&params, noise(m, k, 5), spreads, consequents);
    (network, Batch::new(noise(m, n, 1)), (0..9).map(|at| at % 3).collect())
}

/// The logits by the formulas.
fn plain(network: &Network, xt: &Matrix) -> Matrix {
    let (m, k, c) = (xt.rows(), network.centres.cols(), network.consequents.constants.cols());
    let mut out = Matrix::zeros(xt.cols(), c);
    for at in 0..xt.cols() {
        let strength = |rule: usize| {
            let distance = |d: usize| {
                let square = network.spreads[(d, rule)].powi(2) + 1e-8;
                (xt[(d, at)] - network.centres[(d, rule)]).powi(2) / (2.0 * square)
            };
            (-network.share * (0..m).map(distance).sum::<f64>()).exp()
        };
        let total: f64 = (0..k).map(strength).sum();
        for class in 0..c {
            for rule in 0..k {
                let slopes = |slopes: &Matrix| (0..m).map(|d| slopes[(d, rule * c + class)] * xt[(d, at)]).sum::<f64>();
                let rule_output = network.consequents.constants[(rule, class)]
                    + network.consequents.slopes.as_ref().map_or(0.0, slopes);
                out[(at, class)] += strength(rule) / total * rule_output;
            }
        }
    }
    out
}

#[test]
fn the_logits_follow_their_definition_and_the_gradients_are_derivatives() {
    for (first, mean, rules) in [(false, true, 4), (true, true, 4), (true, false, 4), (true, true, 7)] {
        let (network, batch, codes) = example(first, mean, rules);
        let mut pass = Pass::default();
        network.forward(&batch, 0..9, &mut pass);
        let expected = plain(&network, &batch.xt);
        for (found, expected) in pass.outputs.classes.as_slice().iter().zip(expected.as_slice()) {
            assert!((found - expected).abs() < 1e-13, "{found} {expected}");
        }
        let loss = |network: &Network, xt: &Matrix| {
            let logits = plain(network, xt);
            let own = |at: usize| {
                let sum: f64 = (0..3).map(|class| logits[(at, class)].exp()).sum();
                sum.ln() - logits[(at, codes[at] as usize)]
            };
            (0..9).map(own).sum::<f64>() / 9.0
        };
        let mut error = pass.outputs.classes.clone();
        let found = cross_entropy(&mut error, codes.clone());
        assert!((found - loss(&network, &batch.xt)).abs() < 1e-13);
        let mut gradient = network.back(&batch, 0..9, &pass, &error);
        let names = ["centres", "spreads", "constants", "slopes"];
        for (part, (name, found)) in names.iter().zip(gradient.parts()).enumerate().filter(|(_, (_, d))| !d.is_empty())
        {
            check_gradient(name, found, |at, by| {
                let mut network = network.clone();
                network.parts()[part][at] += by;
                loss(&network, &batch.xt)
            });
        }
        let samples = network.back_to_samples(&batch, 0..9, &pass, &error);
        check_gradient("samples", samples.as_slice(), |at, by| {
            let mut xt = batch.xt.clone();
            xt.as_mut_slice()[at] += by;
            loss(&network, &xt)
        });
    }
}

/// By differences of the logits: one column, and a group of two.
#[test]
fn importance_is_the_root_mean_square_derivative() {
    let x = noise(40, 3, 1);
    let codes: Vec<u32> = (0..40).map(|row| u32::from(x[(row, 0)] > 0.0) + u32::from(x[(row, 1)] > 0.3)).collect();
    let params = Params { rules: 4, epochs: 10, ..Params::default() };
    let found = Classifier::fit(&x, &codes, 3, &params, 1, &mut Silent).unwrap();
    let scores = found.importance(&x, &[0..1, 1..3]);
    let step = 1e-5;
    let derivative = |col: usize| {
        let moved = |by: f64| {
            let logits =
                found.logits(&Matrix::from_fn(40, 3, |row, at| x[(row, at)] + if at == col { by } else { 0.0 }));
            let mean = |row: usize| (0..3).map(|class| logits[(row, class)]).sum::<f64>() / 3.0;
            Matrix::from_fn(40, 3, |row, class| logits[(row, class)] - mean(row))
        };
        let (up, down) = (moved(step), moved(-step));
        Matrix::from_fn(40, 3, |row, class| (up[(row, class)] - down[(row, class)]) / (2.0 * step))
    };
    let mean = |col: usize| x.col(col).iter().sum::<f64>() / 40.0;
    let product = |a: usize, b: usize| {
        x.col(a).iter().zip(x.col(b)).map(|(u, v)| (u - mean(a)) * (v - mean(b))).sum::<f64>() / 40.0
    };
    let inner = |a: &Matrix, b: &Matrix| a.as_slice().iter().zip(b.as_slice()).map(|(a, b)| a * b).sum::<f64>() / 40.0;
    let d: Vec<Matrix> = (0..3).map(derivative).collect();
    let sum: f64 = [(1, 1), (1, 2), (2, 1), (2, 2)].iter().map(|&(a, b)| product(a, b) * inner(&d[a], &d[b])).sum();
    assert!((scores[0] - (product(0, 0) * inner(&d[0], &d[0])).sqrt()).abs() < 1e-7 * scores[0], "{scores:?}");
    assert!((scores[1] - sum.sqrt()).abs() < 1e-7 * scores[1], "{scores:?}");
}

#[test]
fn the_classifier_learns_a_nonlinear_problem() {
    let data = generated("xor", 300, 3);
    let x = design(&data).x;
    for mean in [true, false] {
        let params = Params { mean, rules: 12, ..Params::default() };
        let found = Classifier::fit(&x, data.target.codes(), 2, &params, 3, &mut Silent).unwrap();
        let logits = found.logits(&x);
        let right = |&row: &usize| (logits[(row, 1)] > logits[(row, 0)]) == (data.target.codes()[row] == 1);
        let right = (0..300).filter(right).count();
        assert!(right > 270, "{right} of 300");
    }
}

#[test]
fn training_ends_at_the_best_validation_loss() {
    let data = planted(90, 12, 2);
    let found = fit(&data, "htsk", &[("patience", "5"), ("rate", "0.05")], 0).iteration.unwrap();
    assert!(found.converged && found.count < 200, "{}", found.count);
    let losses: Vec<f64> = found.trace.iter().map(|terms| terms[1]).collect();
    let smallest = losses.iter().copied().fold(f64::INFINITY, f64::min);
    assert_eq!(found.diagnostics[0], ("validation_loss", smallest));
    // Three classes with 27 training rows each.
    assert!(found.diagnostics[1].0 == "chance_loss" && (found.diagnostics[1].1 - 3_f64.ln()).abs() < 1e-12);
    assert_eq!(losses.iter().position(|&loss| loss == smallest), Some(found.count - 6));
}

#[test]
fn a_model_without_improvement_gives_a_warning() {
    let data = planted(60, 150, 1);
    let linear = fit(&data, "htsk", &[("order", "first")], 0);
    assert!(
        linear.warnings.iter().any(|warning| warning.to_string().contains("no better than chance")),
        "{:?}",
        linear.warnings
    );
    let fine = fit(&planted(120, 20, 1), "htsk", &[], 0);
    assert!(fine.warnings.is_empty() && fine.resolved == [("order", Word("first"))], "{:?}", fine.warnings);
}

#[test]
fn degenerate_tables_give_finite_scores() {
    for set in [&[][..], &[("order", "zero")], &[("aggregation", "tsk")]] {
        check_degenerate_tables_except_duplicates("htsk", set);
    }
    let tiny = crate::methods::tests::data(vec![
        Column::numeric("x", vec![0.0, 1.0, 0.1, 0.9]),
        Column::text("t", ["a", "b", "a", "b"]),
    ]);
    assert!(fit(&tiny, "htsk", &[("batch", "3")], 0).scores[0].is_finite());
}
