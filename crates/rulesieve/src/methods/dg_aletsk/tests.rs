use super::gates::{State, System};
use super::*;
use crate::data::Column;
use crate::methods::fuzzy::consequents::Consequents;
use crate::methods::fuzzy::tests::{check_degenerate_tables, check_gradient, noise};
use crate::methods::tests::{data, fit, planted, top};
use std::ops::Range;

#[test]
fn planted_features_come_first_for_tall_and_wide_tables() {
    for (rows, columns) in [(120, 20), (90, 150)] {
        let found = fit(&planted(rows, columns, 1), "dg-aletsk", &[], 0);
        assert_eq!(top(&found.scores, 3), [0, 1, 2], "{rows} x {columns}: {:?}", found.scores);
        assert!((1..columns).contains(&found.native.unwrap()), "{:?}", found.native);
    }
}

/// The model by the formulas of the article, for given indices of the softmin.
fn plain(system: &System, state: &State, samples: &[usize], indices: Option<&Matrix>) -> (f64, Matrix) {
    let (k, c) = (system.centres.cols(), state.consequents.constants.cols());
    let well = |u: f64| 1.0 - (-10.0 * u * u).exp();
    let (mut loss, mut used) = (0.0, Matrix::zeros(samples.len(), k));
    for (row, &at) in samples.iter().enumerate() {
        let mut strengths = Vec::new();
        for rule in 0..k {
            let mut memberships = Vec::new();
            for (feature, block) in system.blocks.iter().enumerate() {
                for d in block.clone() {
                    let away = system.xt[(d, at)] - system.centres[(d, rule)];
                    memberships.push((-away * away / 2.0).exp().powf(well(state.features[feature])));
                }
            }
            let most = memberships.iter().copied().fold(0.0, f64::max);
            let q = indices.map_or(-700.0 / most, |indices| indices[(row, rule)]);
            used[(row, rule)] = q;
            let sum: f64 = memberships.iter().map(|mu| (q * mu).exp()).sum();
            strengths.push((sum.ln() / q).max(1e-12));
        }
        let total: f64 = strengths.iter().sum();
        for class in 0..c {
            let rule_output = |rule: usize| well(state.rules[rule]) * state.consequents.constants[(rule, class)];
            let output: f64 = (0..k).map(|rule| strengths[rule] / total * rule_output(rule)).sum();
            let wanted = f64::from(u8::from(system.codes[at] as usize == class));
            loss += (output - wanted).powi(2) / (2 * samples.len()) as f64;
        }
    }
    (loss, used)
}

#[test]
fn the_loss_follows_its_definition_and_the_gradients_are_derivatives() {
    let (m, n, k, c) = (5, 12, 4, 3);
    let xt = noise(m, n, 1);
    let codes: Vec<u32> = (0..12).map(|at| at % 3).collect();
    let blocks: Vec<Range<usize>> = vec![0..1, 1..3, 3..4, 4..5];
    let system = System::new(&xt, &codes, &blocks, &[0, 3, 4, 8]);
    let state = State {
        // Small openings: memberships are close and several of them contribute to the softmin.
        features: noise(4, 1, 3).as_slice().iter().map(|u| 0.02 + 0.01 * u).collect(),
        rules: noise(k, 1, 4).as_slice().iter().map(|u| 0.3 * u).collect(),
        consequents: Consequents { constants: noise(k, c, 5), slopes: None },
    };
    // More samples than one task takes, in another order.
    let samples = [11, 2, 3, 0, 7, 5, 6, 1, 9, 10];
    let (loss, gradient) = system.loss(&state, &samples);
    let (expected, q) = plain(&system, &state, &samples, None);
    assert!((loss - expected).abs() < 1e-12 * loss, "{loss} {expected}");
    let moved = |entries: fn(&mut State) -> &mut [f64]| {
        let (system, state, q) = (&system, &state, &q);
        move |at: usize, by: f64| {
            let mut state = state.clone();
            entries(&mut state)[at] += by;
            plain(system, &state, &samples, Some(q)).0
        }
    };
    check_gradient("features", &gradient.features, moved(|state| &mut state.features));
    check_gradient("rules", &gradient.rules, moved(|state| &mut state.rules));
    let constants = gradient.consequents.constants.as_slice();
    check_gradient("constants", constants, moved(|state| state.consequents.constants.as_mut_slice()));
}

/// With many columns and a distant sample the softmin is negative: the strength is clamped and has no gradient.
#[test]
fn negative_strengths_are_clamped() {
    let m = 2420;
    let xt = Matrix::from_fn(m, 2, |_, sample| if sample == 0 { 0.0 } else { 40.0 });
    let (codes, blocks) = ([0, 1], (0..m).map(|at| at..at + 1).collect::<Vec<_>>());
    let system = System::new(&xt, &codes, &blocks, &[0, 1]);
    let mut state = system.start(&[0, 1], 2);
    state.features.fill(2.0);
    let (loss, gradient) = system.loss(&state, &[0, 1]);
    assert!(loss.is_finite() && gradient.features.iter().all(|d| *d == 0.0), "{loss}");
}

#[test]
fn the_defaults_are_those_of_the_article() {
    let data = planted(60, 8, 2);
    let found = fit(&data, "dg-aletsk", &[], 0);
    let iteration = found.iteration.unwrap();
    assert_eq!((iteration.count, &found.resolved), (10, &vec![("rules", W(100))]));
    assert!(iteration.trace[9][0] < iteration.trace[0][0], "{:?}", iteration.trace);
    let value = |name: &str| iteration.diagnostics.iter().find(|pair| pair.0 == name).unwrap().1;
    assert!(value("kept_rules") >= 3.0 && value("kept_rules") <= 60.0);
    assert!(value("held_out_accuracy") > 0.5, "{}", value("held_out_accuracy"));
}

#[test]
fn degenerate_tables_give_finite_scores() {
    check_degenerate_tables("dg-aletsk", &[]);
    let tiny = data(vec![Column::numeric("x", vec![0.0, 1.0, 0.2, 0.9]), Column::text("t", ["a", "b"].repeat(2))]);
    assert!(fit(&tiny, "dg-aletsk", &[], 0).scores[0].is_finite());
}

#[test]
fn ties_of_thresholds_go_to_the_smaller_system() {
    let chosen = |features: usize, rules: usize, accuracy: f64| search::Chosen { features, rules, accuracy };
    let old = chosen(5, 20, 0.8);
    assert!(chosen(9, 90, 0.81).is_better_than(&old), "accuracy comes first");
    assert!(!chosen(1, 1, 0.79).is_better_than(&old));
    assert!(chosen(4, 90, 0.8).is_better_than(&old), "then fewer features, whatever the rules");
    assert!(!chosen(6, 1, 0.8).is_better_than(&old));
    assert!(chosen(5, 19, 0.8).is_better_than(&old), "then fewer rules");
    assert!(!chosen(5, 20, 0.8).is_better_than(&old) && !chosen(5, 21, 0.8).is_better_than(&old));
}
