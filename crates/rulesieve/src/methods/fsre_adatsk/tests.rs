use super::*;
use crate::methods::fuzzy::consequents::Consequents;
use crate::methods::fuzzy::tests::{check_degenerate_tables, check_gradient, noise};
use crate::methods::tests::{design, fit, planted, settings, top};
use crate::optim::Silent;
use std::ops::Range;

#[test]
fn planted_features_come_first_for_tall_and_wide_tables() {
    for (rows, columns, iterations) in [(120, 20, "300"), (60, 150, "300"), (60, 1100, "200")] {
        let data = planted(rows, columns, 1);
        let found = fit(&data, "fsre-adatsk", &[("iterations", iterations)], 0);
        assert_eq!(top(&found.scores, 3), [0, 1, 2], "{rows} x {columns}: {:?}", found.scores);
        assert_eq!(found.native, Some(3), "{rows} x {columns}");
    }
}

/// The model by the formulas of the article, for given indices of the softmin.
fn plain(system: &System, state: &State, indices: Option<&Matrix>) -> (f64, Matrix) {
    let (m, n, k) = (system.xt.rows(), system.xt.cols(), state.centres.cols());
    let c = state.consequents.constants.cols();
    let odd = |u: f64| u * (1.0 - u * u).exp().sqrt();
    let slopes = state.consequents.slopes.as_ref().unwrap();
    let (mut loss, mut used) = (0.0, Matrix::zeros(n, k));
    for at in 0..n {
        let x = system.xt.col(at);
        let mut strengths = Vec::new();
        for rule in 0..k {
            let mu: Vec<f64> = (0..m).map(|d| (-(x[d] - state.centres[(d, rule)]).powi(2)).exp()).collect();
            let least = mu.iter().copied().fold(1.0, f64::min);
            let q = indices.map_or((690.0 / least.ln()).ceil().max(-1000.0), |indices| indices[(at, rule)]);
            used[(at, rule)] = q;
            strengths.push((mu.iter().map(|mu| mu.powf(q)).sum::<f64>() / m as f64).powf(1.0 / q));
        }
        let total: f64 = strengths.iter().sum();
        for class in 0..c {
            let rule_output = |rule: usize| {
                let gate = |d: usize| match system.gated {
                    Gated::Features(blocks) => odd(state.gates[blocks.iter().position(|b| b.contains(&d)).unwrap()]),
                    Gated::Rules | Gated::Nothing => 1.0,
                };
                let whole = if matches!(system.gated, Gated::Rules) { odd(state.gates[rule]) } else { 1.0 };
                let line: f64 = (0..m).map(|d| gate(d) * slopes[(d, rule * c + class)] * x[d]).sum();
                whole * (state.consequents.constants[(rule, class)] + line)
            };
            let output: f64 = (0..k).map(|rule| strengths[rule] / total * rule_output(rule)).sum();
            let wanted = f64::from(u8::from(system.codes[at] as usize == class));
            loss += (output - wanted).powi(2) / (2 * n) as f64;
        }
    }
    (loss, used)
}

#[test]
fn the_loss_of_all_phases_follows_its_definition_and_the_gradients_are_derivatives() {
    let (m, n, k, c) = (5, 9, 4, 3);
    let mut xt = noise(m, n, 1);
    // Distant samples reduce the index, so that more than one column contributes to the softmin.
    xt.as_mut_slice().iter_mut().for_each(|x| *x *= 3.0);
    let codes: Vec<u32> = (0..9).map(|at| at % 3).collect();
    let blocks: Vec<Range<usize>> = vec![0..1, 1..3, 3..4, 4..5];
    for gated in [Gated::Features(&blocks), Gated::Rules, Gated::Nothing] {
        let gates = if matches!(gated, Gated::Nothing) { 0 } else { 4 };
        let state = State {
            gates: noise(gates, 1, 3).as_slice().to_vec(),
            consequents: Consequents { constants: noise(k, c, 4), slopes: Some(noise(m, k * c, 5)) },
            centres: noise(m, k, 6),
        };
        let system = System::new(&xt, &codes, gated, None);
        let (loss, gradient) = system.loss(&state);
        let (expected, q) = plain(&system, &state, None);
        assert!((loss - expected).abs() < 1e-12 * loss, "{loss} {expected}");
        let moved = |entries: fn(&mut State) -> &mut [f64]| {
            let (system, state, q) = (&system, &state, &q);
            move |at: usize, by: f64| {
                let mut state = state.clone();
                entries(&mut state)[at] += by;
                plain(system, &state, Some(q)).0
            }
        };
        if gates > 0 {
            check_gradient("gates", &gradient.gates, moved(|state| &mut state.gates));
        }
        let constants = gradient.consequents.constants.as_slice();
        check_gradient("constants", constants, moved(|state| state.consequents.constants.as_mut_slice()));
        let entries: fn(&mut State) -> &mut [f64] = |state| state.consequents.slopes.as_mut().unwrap().as_mut_slice();
        check_gradient("slopes", gradient.consequents.slopes.as_ref().unwrap().as_slice(), moved(entries));
        // The softmin is steep: the error of the finite differences limits the comparison of the centres.
        check_gradient("centres", gradient.centres.as_slice(), moved(|state| state.centres.as_mut_slice()));
        let fixed = System::new(&xt, &codes, gated, Some(&state.centres));
        let (fixed_loss, fixed_gradient) = fixed.loss(&state);
        assert!((fixed_loss - loss).abs() < 1e-14 && fixed_gradient.centres.as_slice().is_empty());
        assert_eq!(fixed_gradient.gates.len(), gates);
    }
}

#[test]
fn the_loss_falls_and_gates_change_after_the_first_step() {
    let data = planted(90, 12, 2);
    let found = fit(&data, "fsre-adatsk", &[("iterations", "200")], 0);
    let trace = found.iteration.unwrap().trace;
    assert!((trace[0][0] - 0.5).abs() < 1e-12, "all consequents are zero at first");
    assert!(trace.windows(2).all(|pair| pair[1][0] <= pair[0][0] * (1.0 + 1e-9)) && trace.len() == 200);
    let once = fit(&data, "fsre-adatsk", &[("iterations", "1")], 0);
    assert!(once.scores.iter().all(|score| *score == Gate::Odd.value(0.01)), "{:?}", once.scores);
    assert_eq!(found.scores, fit(&data, "fsre-adatsk", &[("iterations", "200")], 7).scores, "nothing is random");
}

#[test]
fn columns_are_scaled_as_set() {
    let data = planted(90, 12, 2);
    let (design, names) = (design(&data), vec![""; 12]);
    let columns: Vec<Range<usize>> = (0..12).map(|col| col..col + 1).collect();
    let tables =
        [("standard", Scaling::fit(&design.x, &columns).apply(&design.x)), ("min-max", samples_in_columns(&design.x))];
    let found = tables.map(|(scale, xt)| {
        let set = [("scale", scale), ("iterations", "200")];
        let on =
            OnRows { xt, problem: Problem { design: &design, names: &names, target: &data.target, weights: None } };
        let expected = on.fit(&settings("fsre-adatsk", &set), &mut Silent).unwrap();
        let found = fit(&data, "fsre-adatsk", &set, 0);
        assert_eq!(found, expected, "{scale}");
        found.scores
    });
    assert_ne!(found[0], found[1]);
    assert_eq!(found[0], fit(&data, "fsre-adatsk", &[("iterations", "200")], 0).scores);
}

#[test]
fn rules_are_extracted_on_request() {
    let data = planted(90, 6, 3);
    let set = [("iterations", "100"), ("extract_iterations", "50"), ("tune_iterations", "150"), ("phases", "all")];
    let found = fit(&data, "fsre-adatsk", &set, 0);
    let iteration = found.iteration.unwrap();
    let value = |name: &str| iteration.diagnostics.iter().find(|pair| pair.0 == name).unwrap().1;
    assert_eq!(value("rules"), 5.0 * (1.0 + 2.0 * found.native.unwrap() as f64));
    assert!(value("extracted_rules") >= 3.0 && value("extracted_rules") <= value("rules"));
    let short = [set[0], set[1], ("tune_iterations", "1"), set[3]];
    let untuned = fit(&data, "fsre-adatsk", &short, 0).iteration.unwrap();
    let before = untuned.diagnostics.iter().find(|pair| pair.0 == "tuned_loss").unwrap().1;
    assert!(value("tuned_loss") < before && value("tuned_accuracy") > 0.8, "{:?}", iteration.diagnostics);
    assert_eq!(found.scores, fit(&data, "fsre-adatsk", &set[..1], 0).scores, "the ranking is that of the first phase");
}

/// Beyond 1000 columns centres are fixed while there are gates, and change in the fine-tuning.
#[test]
fn only_fine_tuning_changes_the_centres_of_wide_tables() {
    let data = planted(30, 1001, 4);
    let (design, names) = (design(&data), vec![""; 1001]);
    let problem = Problem { design: &design, names: &names, target: &data.target, weights: None };
    let columns: Vec<Range<usize>> = (0..1001).map(|col| col..col + 1).collect();
    let on = OnRows { xt: Scaling::fit(&design.x, &columns).apply(&design.x), problem };
    let xt = Matrix::from_fn(3, 30, |row, sample| on.xt[(row, sample)]);
    let moved = |gated: Gated, gates: usize| {
        let start = State::start(gates, 3, partition(&xt, 5));
        let set = settings("fsre-adatsk", &[]);
        let end = on.train(&xt, gated, start.clone(), &set, 20, &mut Silent).unwrap();
        end.state.centres != start.centres
    };
    assert!(!moved(Gated::Rules, 5) && moved(Gated::Nothing, 0));
}

#[test]
fn degenerate_tables_give_finite_scores() {
    check_degenerate_tables(
        "fsre-adatsk",
        &[("iterations", "100"), ("phases", "all"), ("extract_iterations", "30"), ("tune_iterations", "20")],
    );
}
