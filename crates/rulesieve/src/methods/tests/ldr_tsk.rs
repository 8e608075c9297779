//! The paper's method through its public interface: reproducibility, early termination, shared preparation.

use super::*;
use crate::Remedy;
use crate::linalg::{Plain, product};
use crate::methods::Iteration;
use crate::methods::ldr_tsk::fit::{coded_targets, fit as run};
use crate::methods::ldr_tsk::params::{Params, Targets};
use crate::methods::ldr_tsk::projection::{Decomposed, Projector};
use crate::methods::ldr_tsk::state::State;
use crate::optim::{Halt, Observer, Progress};
use std::ops::ControlFlow;

/// More columns than rows, and more rows than columns.
fn wide_and_tall() -> [Dataset; 2] {
    [generated("waveform", 30, 70), generated("waveform", 150, 24)]
}

const QUICK: &[(&str, &str)] = &[("iterations", "12"), ("tolerance", "0")];

#[test]
fn divergence_is_an_error() {
    let data = generated("waveform", 150, 24);
    let names: Vec<&str> = data.features.iter().map(|feature| feature.name.as_str()).collect();
    let design = design(&data);
    let problem = Problem { design: &design, names: &names, target: &data.target, weights: None };
    let prepared = method("ldr-tsk").prepare(problem).unwrap();
    for window in ["5", "1000"] {
        let wild = [("rate_x", "1"), ("rate_p", "1"), ("rate_f", "1"), ("tolerance", "0"), ("window", window)];
        let wild = [&wild[..], &[("iterations", "300")]].concat();
        let error = prepared.fit(&settings("ldr-tsk", &wild), 0, &mut Silent).unwrap_err();
        assert!(matches!(error, FitError::Diverged { .. }), "{error}");
        assert_eq!(error.remedy(), Some(Remedy::plain("lower the learning rates")), "{error}");
    }
}

#[test]
fn an_objective_that_rises_is_reported() {
    let iteration = |values: &[f64]| Iteration {
        count: values.len(),
        converged: false,
        halted: None,
        terms: &["one", "two"],
        trace: values.iter().map(|value| vec![value / 2.0; 2]).collect(),
        diagnostics: Vec::new(),
    };
    assert_eq!(iteration(&[9.0, 2.0, 3.0]).rose(), Some((2, 2.0, 3.0)));
    assert_eq!(iteration(&[9.0, 2.0, 2.1]).rose(), None);
    assert_eq!(iteration(&[]).rose(), None);
}

#[test]
fn an_invalid_initial_state_is_rejected() {
    let design = design(&generated("waveform", 40, 24));
    let params = Params::new(&Settings::default(), 40, 24).unwrap();
    let decomposed = Decomposed::new(&design.x).unwrap();
    let y = coded_targets(&[0, 1].repeat(20), 2, Targets::ClassNumbers);
    let refused = |change: fn(&mut State)| {
        let mut start = State::start(40, 1, &params, 0);
        change(&mut start);
        run(&decomposed, &y, &params, start, &mut Silent).err()
    };
    assert_eq!(refused(|_| {}), None);
    assert_eq!(refused(|start| start.x_hat.as_mut_slice()[3] = 1e160), Some(FitError::BadStart));
    assert_eq!(refused(|start| start.f.as_mut_slice()[0] = 0.0), Some(FitError::BadStart));
    assert_eq!(refused(|start| start.p0 = vec![0.0]), Some(FitError::BadStart));
    assert_eq!(refused(|start| start.p = crate::linalg::Matrix::zeros(1, 1)), Some(FitError::BadStart));
}

#[test]
fn a_seed_repeats_and_another_differs() {
    for data in wide_and_tall() {
        let first = fit(&data, "ldr-tsk", QUICK, 1);
        assert_eq!(first, fit(&data, "ldr-tsk", QUICK, 1));
        assert_ne!(first.scores, fit(&data, "ldr-tsk", QUICK, 2).scores);
        assert!(first.scores.iter().all(|score| score.is_finite() && *score >= 0.0));
    }
}

#[test]
fn fits_do_not_depend_on_shared_preparation() {
    for data in wide_and_tall() {
        let design = design(&data);
        let names: Vec<&str> = data.features.iter().map(|feature| feature.name.as_str()).collect();
        let problem = Problem { design: &design, names: &names, target: &data.target, weights: None };
        let prepared = method("ldr-tsk").prepare(problem).unwrap();
        for alpha in ["0.1", "10"] {
            let set = [("iterations", "6"), ("alpha", alpha)];
            let shared = prepared.fit(&settings("ldr-tsk", &set), 3, &mut Silent).unwrap();
            assert_eq!(shared, fit(&data, "ldr-tsk", &set, 3), "alpha {alpha}");
        }
    }
}

#[test]
fn an_observer_ends_the_fit() {
    let [data, _] = wide_and_tall();
    for halt in [Halt::Interrupted, Halt::OutOfTime] {
        let mut seen = Vec::new();
        let mut observer = |progress: &Progress| {
            seen.push(progress.iteration);
            if progress.iteration == 3 { ControlFlow::Break(halt) } else { ControlFlow::Continue(()) }
        };
        let halted = fit_watched(&data, "ldr-tsk", QUICK, 0, &mut observer).unwrap();
        let iteration = halted.iteration.unwrap();
        assert_eq!((iteration.count, iteration.converged, iteration.halted), (3, false, Some(halt)));
        assert_eq!(seen, [1, 2, 3]);
        let short = fit(&data, "ldr-tsk", &[("iterations", "3"), ("tolerance", "0")], 0);
        assert_eq!(halted.scores, short.scores, "the scores at that iteration");
    }
}

#[test]
fn tolerance_zero_runs_all_iterations_and_a_large_one_stops() {
    let [_, data] = wide_and_tall();
    let all = fit(&data, "ldr-tsk", &[("iterations", "25"), ("tolerance", "0")], 0).iteration.unwrap();
    assert_eq!((all.count, all.converged, all.halted, all.trace.len()), (25, false, None, 25));
    let loose = fit(&data, "ldr-tsk", &[("iterations", "25"), ("tolerance", "1"), ("window", "2")], 0);
    let loose = loose.iteration.unwrap();
    assert!(loose.converged && loose.count < 25, "{} iterations", loose.count);
    assert!(all.trace.iter().all(|terms| terms.len() == all.terms.len() && terms.iter().all(|t| t.is_finite())));
}

/// An observer that does not request the objective and ends the fit after some iterations.
struct Unwatched(usize);

impl Observer for Unwatched {
    fn observe(&mut self, progress: &Progress) -> ControlFlow<Halt> {
        if progress.iteration == self.0 { ControlFlow::Break(Halt::OutOfTime) } else { ControlFlow::Continue(()) }
    }

    fn wants_objective(&self) -> bool {
        false
    }
}

#[test]
fn a_fit_without_a_requested_objective_is_the_same_with_a_sparse_trace() {
    for data in wide_and_tall() {
        for (tolerance, window, stopped) in [("0", 5, 22), ("1", 5, 10), ("1", 3, 6), ("0", 1000, 22)] {
            let set = [("iterations", "22"), ("tolerance", tolerance), ("window", &window.to_string())];
            let mut watched = fit(&data, "ldr-tsk", &set, 0);
            let mut alone = fit_watched(&data, "ldr-tsk", &set, 0, &mut Unwatched(0)).unwrap();
            let (all, few) = (watched.iteration.take().unwrap(), alone.iteration.take().unwrap());
            assert_eq!(alone, watched, "scores, to the last bit");
            assert_eq!((all.count, few.count, all.trace.len()), (stopped, stopped, stopped));
            assert_eq!((all.converged, few.converged), (tolerance == "1", tolerance == "1"));
            assert_eq!((all.diagnostics.len(), few.diagnostics.len()), (1, 0), "how far Q is from orthogonal");
            let looked_at = |at: &usize| *at == 1 || at.is_multiple_of(window) || *at == 22;
            let looked_at = (1..=stopped).filter(looked_at).map(|at| all.trace[at - 1].clone());
            assert_eq!(few.trace, looked_at.collect::<Vec<_>>());
        }
        for (halted, traced) in [(3, 1), (7, 2)] {
            let alone = fit_watched(&data, "ldr-tsk", QUICK, 0, &mut Unwatched(halted)).unwrap();
            let iteration = alone.iteration.unwrap();
            assert_eq!((iteration.count, iteration.halted), (halted, Some(Halt::OutOfTime)));
            assert_eq!(iteration.trace.len(), traced, "observed at 1 and 5");
            let short = [("iterations", &*halted.to_string()), ("tolerance", "0")];
            assert_eq!(alone.scores, fit(&data, "ldr-tsk", &short, 0).scores);
        }
    }
}

#[test]
fn sizes_beyond_the_data_name_the_range() {
    let [data, _] = wide_and_tall();
    let error = |name: &str, value: &str| {
        fit_watched(&data, "ldr-tsk", &[(name, value)], 0, &mut Silent).unwrap_err().to_string()
    };
    assert_eq!(error("d", "71"), "parameter d = 71 is not allowed; it must be at most the number of columns, 70");
    assert_eq!(
        error("rules", "31"),
        "parameter rules = 31 is not allowed; it must be at most the number of samples, 30"
    );
    assert!(
        fit_watched(&data, "ldr-tsk", &[("d", "70"), ("rules", "30"), ("iterations", "2")], 0, &mut Silent).is_ok()
    );
}

#[test]
fn a_constant_column_and_a_category_pass_through() {
    let labels: Vec<&str> = (0..40).map(|row| if row % 2 == 0 { "a" } else { "b" }).collect();
    let kinds: Vec<&str> = (0..40).map(|row| ["u", "v", "w"][row * row % 3]).collect();
    let values: Vec<f64> = (0..40).map(|row| f64::from((row * 37 + 11) % 41) / 3.0).collect();
    let data = data(vec![
        Column::numeric("k", vec![1.0; 40]),
        Column::text("kind", kinds),
        Column::numeric("x", values),
        Column::text("t", labels),
    ]);
    let found = fit(&data, "ldr-tsk", &[("iterations", "5")], 0);
    assert_eq!(found.scores.len(), 3, "one score for a block of indicators");
    assert_eq!(found.scores[0], 0.0, "nothing can be learned from a constant");
    let design = design(&data);
    let params = Params { iterations: 5, ..Params::new(&Settings::default(), 40, design.x.cols()).unwrap() };
    let y = coded_targets(data.target.codes(), 2, Targets::ClassNumbers);
    let start = State::start(40, 1, &params, 0);
    let rows = run(&Decomposed::new(&design.x).unwrap(), &y, &params, start, &mut Silent).unwrap().row_lengths;
    let together = design.blocks[1].clone().map(|row| rows[row].powi(2)).sum::<f64>().sqrt();
    assert_eq!(found.scores[1], together, "a block is as long as its rows together");
}

#[test]
fn the_latent_samples_are_the_projected_ones() {
    for data in wide_and_tall() {
        let design = design(&data);
        let (n, m) = (design.x.rows(), design.x.cols());
        let params = Params { iterations: 4, d: 5, ..Params::default() };
        let y = coded_targets(data.target.codes(), 3, Targets::ClassNumbers);
        let decomposed = Decomposed::new(&design.x).unwrap();
        let outcome = run(&decomposed, &y, &params, State::start(n, 1, &params, 0), &mut Silent).unwrap();
        let q = Projector::new(&decomposed, &params).unwrap().rows(&outcome.projection, 0..m);
        let projected = product(Plain(&design.x), Plain(&q));
        let latent = outcome.latent;
        for (found, expected) in latent.as_slice().iter().zip(projected.as_slice()) {
            assert!((found - expected).abs() < 1e-8, "{found} {expected}");
        }
        assert!(latent.norm_squared() > 1e-3);
    }
}

/// Scores of Algorithm 2 after some iterations with other class codes; `new_code[c]` is that of class c.
fn recoded(data: &Dataset, targets: Targets, new_code: [u32; 3]) -> Vec<f64> {
    let design = design(data);
    let params = Params { iterations: 15, tolerance: 0.0, targets, d: 5, ..Params::default() };
    let codes: Vec<u32> = data.target.codes().iter().map(|&code| new_code[code as usize]).collect();
    let y = coded_targets(&codes, 3, targets);
    let start = State::start(design.x.rows(), y.cols(), &params, 4);
    let decomposed = Decomposed::new(&design.x).unwrap();
    run(&decomposed, &y, &params, start, &mut Silent).unwrap().row_lengths
}

/// Numbers by appearance are class numbers after the classes are renamed in the order in which they appear in the whole
/// table, also in a part of the rows that starts with another class.
#[test]
fn numbers_by_appearance_follow_the_whole_table() {
    let labelled = |names: [&str; 3]| {
        let mut columns = planted_columns(60, 9, 2);
        columns.push(Column::text("t", (0..60).map(|row| names[(row / 2) % 3])));
        data(columns)
    };
    let (file, renamed) = (labelled(["hid", "had", "hod"]), labelled(["1", "2", "3"]));
    let rows: Vec<usize> = (3..60).collect();
    let run = |data: &Dataset, targets: &str| {
        let set = [("targets", targets), ("iterations", "15"), ("tolerance", "0")];
        [fit(data, "ldr-tsk", &set, 1).scores, fit(&data.subset(&rows).unwrap(), "ldr-tsk", &set, 1).scores]
    };
    assert_eq!(run(&file, "numbers-by-appearance"), run(&renamed, "class-numbers"));
    assert_ne!(run(&file, "class-numbers"), run(&renamed, "class-numbers"), "sorted: had, hid, hod");
}

#[test]
fn one_hot_targets_do_not_depend_on_the_class_codes() {
    let data = generated("waveform", 60, 25);
    let difference = |targets| {
        let (plain, other) = (recoded(&data, targets, [0, 1, 2]), recoded(&data, targets, [2, 0, 1]));
        let size = plain.iter().fold(0.0, |most: f64, score| most.max(*score));
        plain.iter().zip(&other).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs())) / size
    };
    let (one_hot, numbers) = (difference(Targets::OneHot), difference(Targets::ClassNumbers));
    assert!(one_hot < 1e-9, "{one_hot:e}");
    assert!(numbers > 1e-6, "class numbers are an order: {numbers:e}");
}
