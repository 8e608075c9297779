mod softmin;

use super::consequents::{Consequents, Outputs, squared_error};
use super::descent::descend;
use super::firing::{Forms, normalise, through_normalise, through_softmax};
use super::gate::{Gate, choice, open, order, to_columns, to_features};
use super::rules::{clusters, enhanced, nearest, partition, points};
use super::*;
use crate::data::{Column, Design};
use crate::linalg::Matrix;
use crate::methods::tests;
use crate::methods::{FitError, Method, Problem};
use crate::optim::Silent;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Random numbers between -1 and 1.
pub(crate) fn noise(rows: usize, cols: usize, seed: u64) -> Matrix {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    Matrix::from_fn(rows, cols, |_, _| 2.0 * rng.random::<f64>() - 1.0)
}

/// Compares a gradient with central differences: `loss(at, by)` is the loss with entry `at` changed by `by`.
pub(crate) fn check_gradient(name: &str, found: &[f64], loss: impl Fn(usize, f64) -> f64) {
    let step = 1e-5;
    let expected: Vec<f64> = (0..found.len()).map(|at| (loss(at, step) - loss(at, -step)) / (2.0 * step)).collect();
    let length = |values: &mut dyn Iterator<Item = f64>| values.map(|value| value * value).sum::<f64>().sqrt();
    let size = length(&mut expected.iter().copied());
    assert!(size > 1e-5, "{name}: nothing to compare, {size:e}");
    let error = length(&mut found.iter().zip(&expected).map(|(found, expected)| found - expected)) / size;
    assert!(error < 1e-6, "{name}: relative error {error:e}");
}

/// A single feature with more classes, a constant, duplicates, a category, and a class without rows give finite scores.
pub(crate) fn check_degenerate_tables(method: &str, set: &[(&str, &str)]) {
    let scores = check_degenerate_tables_except_duplicates(method, set);
    assert!((scores[2] - scores[3]).abs() <= 1e-6 * scores[3], "{scores:?}");
}

/// The same for methods whose initial state differs between duplicates; returns the scores of k, levels, twin and x.
pub(crate) fn check_degenerate_tables_except_duplicates(method: &str, set: &[(&str, &str)]) -> Vec<f64> {
    let column = |name: &str, f: fn(usize) -> f64| Column::numeric(name, (0..20).map(f).collect());
    let target = || Column::text("t", (0..20).map(|row| ["a", "b", "c", "d"][row % 4]));
    let finite = |scores: &[f64]| scores.iter().all(|score| score.is_finite() && *score >= 0.0);
    let single = tests::data(vec![column("only", |row| (row % 4) as f64), target()]);
    let found = tests::fit(&single, method, set, 0);
    assert!(finite(&found.scores) && found.native.is_none_or(|native| native == 1), "{found:?}");
    let degenerate = tests::data(vec![
        column("k", |_| 3.0),
        column("twin", |row| (row % 4) as f64),
        column("x", |row| (row % 4) as f64),
        Column::text("levels", (0..20).map(|row| ["u", "v", "w"][row % 3])),
        target(),
    ]);
    let found = tests::fit(&degenerate, method, set, 0);
    // Sorted by name: k, levels, twin, x.
    assert!(found.scores.len() == 4 && finite(&found.scores), "{:?}", found.scores);
    assert!(found.scores[0] == 0.0 && found.scores[3] > 0.0, "{:?}", found.scores);
    let scores = found.scores;
    let blocks = vec![0..1, 1..2];
    let design = Design { x: Matrix::zeros(20, 2), parts: blocks.clone(), blocks, filled: Vec::new() };
    let problem = Problem { design: &design, names: &["a", "b"], target: &degenerate.target, weights: None };
    let prepared = method.parse::<Method>().unwrap().prepare(problem).unwrap();
    assert_eq!(prepared.fit(&tests::settings(method, set), 0, &mut Silent).unwrap().scores, [0.0, 0.0]);
    let mut absent = degenerate.clone();
    crate::methods::tests::add_class(&mut absent.target, "none");
    let found = tests::fit(&absent, method, set, 0);
    assert!(finite(&found.scores) && found.scores[3] > 0.0, "{:?}", found.scores);
    scores
}

#[test]
fn gates_have_their_shape_and_slope() {
    for u in [-1.7, -1.0, -0.3, 0.0, 0.01, 0.1, 0.9, 1.0, 2.5] {
        for gate in [Gate::Bell, Gate::Well, Gate::Odd] {
            let slope = (gate.value(u + 1e-6) - gate.value(u - 1e-6)) / 2e-6;
            assert!((gate.slope(u) - slope).abs() < 1e-8, "{gate:?} at {u}");
            assert!(gate.value(u).abs() <= 1.0);
        }
        assert_eq!(Gate::Bell.value(u), Gate::Bell.value(-u));
        assert_eq!(Gate::Odd.value(u), -Gate::Odd.value(-u));
    }
    // The initial values of the articles.
    assert!((Gate::Bell.value(0.1) - 0.0269).abs() < 1e-4 && (Gate::Well.value(0.01) - 0.001).abs() < 1e-6);
    assert_eq!([Gate::Bell.value(1.0), Gate::Odd.value(1.0)], [1.0, 1.0]);
}

#[test]
fn gates_of_columns_and_the_choice_by_gates() {
    let blocks = [0..1, 1..4, 4..5];
    assert_eq!(to_columns(&[5.0, 6.0, 7.0], &blocks), [5.0, 6.0, 6.0, 6.0, 7.0]);
    assert_eq!(to_features(&[1.0, 2.0, 3.0, 4.0, 5.0], &blocks), [1.0, 9.0, 5.0]);
    assert_eq!(open([0.1, 0.9, 0.51, 0.49].into_iter(), 0.5), 2, "above (0.1 + 0.9) / 2 are 0.9 and 0.51");
    assert_eq!((open([0.3, 0.3].into_iter(), 0.5), open([0.2, 0.4].into_iter(), 0.0)), (2, 1));
    assert_eq!(order(&[0.5, 0.9, 0.5]), [1, 0, 2]);
    let (scores, native) = choice(&[0.9, 0.8, 0.0], &[true, true, false], 0.5);
    assert_eq!((scores, native), (vec![0.9, 0.8, 0.0], 1), "the constant does not lower the threshold");
    assert_eq!(choice(&[0.9], &[false], 0.5), (vec![0.0], 1));
}

/// Any loss of the strengths, `sum w s`, has the derivative that both backward functions give.
#[test]
fn the_backward_functions_give_the_derivative() {
    let (start, weights) = (noise(6, 4, 1), noise(6, 4, 2));
    let value = |shares: &Matrix| -> f64 { shares.as_slice().iter().zip(weights.as_slice()).map(|(s, w)| s * w).sum() };
    let moved = |at: usize, by: f64, shift: f64| {
        let mut z = start.clone();
        z.as_mut_slice()[at] += by;
        z.as_mut_slice().iter_mut().for_each(|z| *z += shift);
        z
    };
    let softmaxed = |mut z: Matrix| {
        firing::softmax(&mut z, &mut Matrix::default());
        z
    };
    let mut d = weights.clone();
    through_softmax(&softmaxed(start.clone()), &mut d);
    check_gradient("softmax", d.as_slice(), |at, by| value(&softmaxed(moved(at, by, 0.0))));
    let normalised = |mut f: Matrix| {
        let sums = normalise(&mut f);
        (f, sums)
    };
    let (shares, sums) = normalised(moved(0, 0.0, 1.5));
    assert!((0..6).all(|row| ((0..4).map(|rule| shares[(row, rule)]).sum::<f64>() - 1.0).abs() < 1e-15));
    let mut d = weights.clone();
    through_normalise(&shares, &sums, &mut d);
    check_gradient("normalise", d.as_slice(), |at, by| value(&normalised(moved(at, by, 1.5)).0));
}

#[test]
fn quadratic_forms_are_the_products_of_memberships() {
    let (xt, centres, weights) = (noise(3, 5, 3), noise(3, 4, 4), [0.2, 1.5, 0.0]);
    let mut shares = Matrix::default();
    Forms::of_distances(&centres, &weights).shares(&xt, &Matrix::default(), 1..4, &mut shares);
    for sample in 1..4 {
        let fire = |rule: usize| -> f64 {
            (0..3).map(|d| (-weights[d] * (xt[(d, sample)] - centres[(d, rule)]).powi(2)).exp()).product()
        };
        let sum: f64 = (0..4).map(fire).sum();
        (0..4).for_each(|rule| assert!((shares[(sample - 1, rule)] - fire(rule) / sum).abs() < 1e-14));
    }
}

#[test]
fn consequents_follow_their_definition_and_the_gradients_are_derivatives() {
    let (m, n, c) = (4, 7, 2);
    // Fewer rules than columns, and more.
    for (k, first) in [(3, false), (3, true), (6, true)] {
        let (xt, weights, codes) = (noise(m, n, 5), noise(5, k, 6), [0, 1, 1, 0, 1]);
        let consequents = Consequents { constants: noise(k, c, 7), slopes: first.then(|| noise(m, k * c, 8)) };
        let plain = |weights: &Matrix, consequents: &Consequents| {
            let mut sum = 0.0;
            for row in 0..5 {
                for class in 0..c {
                    let rule_output = |rule: usize| {
                        let slope = |d: usize| match &consequents.slopes {
                            Some(slopes) => slopes[(d, rule * c + class)] * xt[(d, row + 2)],
                            None => 0.0,
                        };
                        consequents.constants[(rule, class)] + (0..m).map(slope).sum::<f64>()
                    };
                    let output: f64 = (0..k).map(|rule| weights[(row, rule)] * rule_output(rule)).sum();
                    sum += (output - f64::from(u8::from(codes[row] as usize == class))).powi(2) / 18.0;
                }
            }
            sum
        };
        let (mut outputs, mut gradient) = (Outputs::default(), consequents.zeros_like());
        consequents.forward(&xt, 2..7, &weights, &mut outputs);
        let mut error = outputs.classes.clone();
        let loss = squared_error(&mut error, &codes, 9);
        assert!((loss - plain(&weights, &consequents)).abs() < 1e-14);
        let d_weights = consequents.back(&xt, 2..7, &weights, &outputs, &error, &mut gradient);
        let moved = |at: usize, by: f64, matrix: &Matrix| {
            let mut matrix = matrix.clone();
            matrix.as_mut_slice()[at] += by;
            matrix
        };
        check_gradient("weights", d_weights.as_slice(), |at, by| plain(&moved(at, by, &weights), &consequents));
        check_gradient("constants", gradient.constants.as_slice(), |at, by| {
            let constants = moved(at, by, &consequents.constants);
            plain(&weights, &Consequents { constants, ..consequents.clone() })
        });
        if let (Some(found), Some(slopes)) = (&gradient.slopes, &consequents.slopes) {
            check_gradient("slopes", found.as_slice(), |at, by| {
                plain(&weights, &Consequents { slopes: Some(moved(at, by, slopes)), ..consequents.clone() })
            });
        }
    }
}

#[test]
fn descent_lowers_its_rate_until_it_converges_or_fails() {
    // u^2 / 2 with curvature 100: steps above 2 / 100 diverge.
    let run = |rate: f64| {
        descend(&1.0, rate, 50, &mut Silent, |u: &mut f64, rate| {
            let loss = 50.0 * *u * *u;
            *u -= rate * 100.0 * *u;
            loss
        })
    };
    let calm = run(0.01).unwrap();
    assert!(calm.warning.is_none() && calm.state.abs() < 1e-9 && calm.iteration.count == 50);
    let wild = run(0.13).unwrap();
    assert!(wild.state.abs() < 1e-3, "{}", wild.state);
    assert_eq!(wild.iteration.diagnostics, [("rate", 0.13 / 8.0)]);
    assert!(wild.warning.unwrap().to_string().contains("0.13"));
    assert!(matches!(run(1e6), Err(FitError::Diverged { .. })));
}

#[test]
fn points_are_all_samples_or_a_stratified_part() {
    let codes: Vec<u32> = (0..1000).map(|at| u32::from(at % 4 == 0) * 2).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    assert_eq!(points(&codes[..300], 3, 300, &mut rng), (0..300).collect::<Vec<_>>());
    let drawn = points(&codes, 3, 300, &mut rng);
    assert!(drawn.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!((drawn.len(), drawn.iter().filter(|&&at| codes[at] == 2).count()), (300, 75));
}

#[test]
fn features_vary_if_one_of_their_columns_does() {
    let x = Matrix::from_fn(3, 4, |row, col| if col == 2 { row as f64 } else { 4.0 });
    assert_eq!(varying(&x, &[0..1, 1..3, 3..4]), [false, true, false]);
    assert_eq!(samples_in_columns(&x)[(2, 1)], 1.0);
}

#[test]
fn enhanced_rule_bases_have_their_sizes() {
    let size = |sets: usize, features: usize| enhanced(sets, features).len();
    assert_eq!([size(3, 4), size(5, 6), size(2, 5)], [27, 65, 12]);
    assert_eq!(enhanced(3, 1), [[0], [1], [2]], "with one feature they repeat one another");
    assert!(enhanced(4, 2).contains(&vec![0, 3]), "wrapping around at the ends");
}

#[test]
fn sets_are_equally_spaced() {
    let xt = Matrix::from_fn(2, 3, |row, col| if row == 0 { [4.0, 0.0, 1.0][col] } else { 7.0 });
    assert_eq!(partition(&xt, 5).as_slice(), [0.0, 7.0, 1.0, 7.0, 2.0, 7.0, 3.0, 7.0, 4.0, 7.0]);
}

#[test]
fn clusters_are_the_best_of_several_restarts() {
    let corner = |sample: usize| [(sample % 2) as f64 * 10.0, (sample / 2 % 2) as f64 * 10.0];
    let xt = Matrix::from_fn(2, 80, |dim, sample| corner(sample)[dim] + (sample as f64 * 0.7).sin());
    let found = clusters(&xt, 4, &mut ChaCha8Rng::seed_from_u64(1));
    assert_eq!((found.rows(), found.cols()), (2, 4));
    assert!(nearest(&xt, &found).iter().all(|(_, distance)| *distance < 8.0));
    let groups = nearest(&xt, &found);
    assert!((4..80).all(|sample| groups[sample].0 == groups[sample % 4].0));
}
