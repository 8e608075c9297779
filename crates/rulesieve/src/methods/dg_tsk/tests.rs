use super::*;
use crate::methods::fuzzy::tests::{check_gradient, noise};
use crate::methods::tests::{fit, planted, top};

#[test]
fn planted_features_come_first_for_tall_and_wide_tables() {
    for (rows, columns, order) in [(120, 20, "first"), (120, 20, "zero"), (60, 150, "auto")] {
        let found = fit(&planted(rows, columns, 1), "dg-tsk", &[("order", order)], 0);
        assert_eq!(top(&found.scores, 3), [0, 1, 2], "{rows} x {columns}, {order}: {:?}", found.scores);
        assert!(if columns == 20 { found.native == Some(3) } else { found.native < Some(15) }, "{:?}", found.native);
        let resolved = if columns > 100 { "zero" } else { "first" };
        assert!(order != "auto" || found.resolved == [("order", Word(resolved))]);
    }
}

/// A system with a category of two columns, and a state different from its initial one.
fn example(first: bool, k: usize) -> (Matrix, Vec<u32>, Vec<Range<usize>>, State) {
    let (m, n, c) = (5, 9, 3);
    let codes: Vec<u32> = (0..n).map(|at| at % c).collect();
    let c = c as usize;
    let mut state = State {
        features: noise(4, 1, 3).as_slice().to_vec(),
        rules: noise(k, 1, 4).as_slice().to_vec(),
        consequents: Consequents { constants: noise(k, c, 5), slopes: first.then(|| noise(m, k * c, 6)) },
    };
    state.features[0] = 1.3;
    (noise(m, n as usize, 2), codes, vec![0..1, 1..3, 3..4, 4..5], state)
}

/// The model by the formulas of the article.
fn plain_loss(system: &System, state: &State) -> f64 {
    let (n, k, c) = (system.xt.cols(), system.centres.cols(), state.consequents.constants.cols());
    let bell = |u: f64| u * u * (1.0 - u * u).exp();
    let mut loss = 0.0;
    for at in 0..n {
        let x = system.xt.col(at);
        let strength = |rule: usize| -> f64 {
            let mut product = 1.0;
            for (feature, block) in system.blocks.iter().enumerate() {
                for d in block.clone() {
                    let membership = (-(x[d] - system.centres[(d, rule)]).powi(2) * system.precision).exp();
                    product *= membership.powf(bell(state.features[feature]));
                }
            }
            product
        };
        let sum: f64 = (0..k).map(strength).sum();
        for class in 0..c {
            let rule_output = |rule: usize| {
                let slopes = |slopes: &Matrix| (0..x.len()).map(|d| slopes[(d, rule * c + class)] * x[d]).sum();
                let line: f64 = state.consequents.slopes.as_ref().map_or(0.0, slopes);
                state.consequents.constants[(rule, class)] + line
            };
            let output: f64 =
                (0..k).map(|rule| strength(rule) / sum * bell(state.rules[rule]) * rule_output(rule)).sum();
            let wanted = f64::from(u8::from(system.codes[at] as usize == class));
            loss += (output - wanted).powi(2) / (2 * n) as f64;
        }
    }
    loss
}

#[test]
fn the_loss_follows_its_definition_and_the_gradients_are_derivatives() {
    // Fewer rules than columns, and more.
    for (first, rules) in [(false, &[0, 3, 4, 8][..]), (true, &[0, 3, 4, 8]), (true, &[0, 1, 2, 3, 4, 6, 8])] {
        let (xt, codes, blocks, state) = example(first, rules.len());
        let system = System::new(&xt, &codes, &blocks, rules);
        let (loss, gradient) = system.loss(&state);
        let (by_two, gradient_by_two) = system.loss_in_batches(&state, 2);
        assert!((by_two - loss).abs() < 1e-13 * loss, "{by_two} {loss}");
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-13);
        assert!(close(&gradient.features, &gradient_by_two.features) && close(&gradient.rules, &gradient_by_two.rules));
        let (constants, slopes) = (&gradient.consequents.constants, &gradient.consequents.slopes);
        assert!(close(constants.as_slice(), gradient_by_two.consequents.constants.as_slice()));
        if let (Some(slopes), Some(by_two)) = (slopes, &gradient_by_two.consequents.slopes) {
            assert!(close(slopes.as_slice(), by_two.as_slice()));
        }
        assert!((loss - plain_loss(&system, &state)).abs() < 1e-13 * loss, "{loss}");
        let moved = |entries: fn(&mut State) -> &mut [f64]| {
            let (system, state) = (&system, &state);
            move |at: usize, by: f64| {
                let mut state = state.clone();
                entries(&mut state)[at] += by;
                plain_loss(system, &state)
            }
        };
        check_gradient("features", &gradient.features, moved(|state| &mut state.features));
        check_gradient("rules", &gradient.rules, moved(|state| &mut state.rules));
        let constants = gradient.consequents.constants.as_slice();
        check_gradient("constants", constants, moved(|state| state.consequents.constants.as_mut_slice()));
        if let Some(slopes) = &gradient.consequents.slopes {
            let entries: fn(&mut State) -> &mut [f64] =
                |state| state.consequents.slopes.as_mut().unwrap().as_mut_slice();
            check_gradient("slopes", slopes.as_slice(), moved(entries));
        }
    }
}

#[test]
fn the_initial_state_is_that_of_the_authors() {
    let (xt, codes, blocks, _) = example(true, 4);
    let system = System::new(&xt, &codes, &blocks, &[1, 2, 6]);
    let start = system.start(&[1, 2, 6], 3, true);
    assert_eq!((start.features.as_slice(), start.rules.as_slice()), (&[0.1; 4][..], &[0.1; 3][..]));
    assert_eq!(start.consequents.constants.as_slice(), [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let two = Matrix::from_fn(2, 2, |row, col| (2 * row * col) as f64);
    // Deviations 0 and sqrt(2).
    assert!((mean_deviation(&two) - 0.5_f64.sqrt()).abs() < 1e-15);
}

#[test]
fn the_loss_falls_and_too_large_rates_are_lowered() {
    let data = planted(90, 12, 2);
    let found = fit(&data, "dg-tsk", &[], 0);
    let trace = found.iteration.unwrap().trace;
    assert!(trace.windows(2).all(|pair| pair[1][0] <= pair[0][0] * (1.0 + 1e-9)) && trace.len() == 300);
    let wild = fit(&data, "dg-tsk", &[("rate", "100"), ("iterations", "60")], 0);
    assert!(wild.warnings.iter().any(|warning| warning.to_string().contains("100")), "{:?}", wild.warnings);
    let trace = wild.iteration.unwrap().trace;
    assert!(trace[59] < trace[0] && wild.scores.iter().all(|score| (0.0..=1.0).contains(score)));
}

#[test]
fn seeds_only_affect_the_draw_of_the_rules() {
    let data = planted(90, 12, 3);
    let run = |rules: &str, seed: u64| fit(&data, "dg-tsk", &[("rules", rules), ("iterations", "40")], seed).scores;
    assert_eq!(run("30", 1), run("30", 1));
    assert_ne!(run("30", 1), run("30", 2));
    assert_eq!(run("90", 1), run("90", 2), "all rows are rules");
}

#[test]
fn degenerate_tables_give_finite_scores() {
    crate::methods::fuzzy::tests::check_degenerate_tables("dg-tsk", &[]);
}
