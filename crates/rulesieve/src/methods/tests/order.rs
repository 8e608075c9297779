//! Invariance to the order of rows and columns, and rankings of degenerate columns.

use super::*;
use crate::Warning;
use crate::methods::{Method, MethodInfo};
use crate::optim::{Halt, Progress};
use std::collections::BTreeSet;
use std::ops::ControlFlow::{Break, Continue};

/// A generated table with degenerate columns: `dup1` repeats x1, `const` is constant.
fn degenerate_table() -> Vec<Column> {
    let table = generate::find("waveform").unwrap().generate(Some(60), Some(21), 1).unwrap().table;
    let mut columns = table.into_columns();
    let label = columns.pop().unwrap();
    let mut copy = columns[0].clone();
    copy.name = "dup1".to_owned();
    columns.extend([copy, Column::numeric("const", vec![4.0; 60])]);
    columns.push(Column { name: "t".to_owned(), ..label });
    columns
}

fn permuted(mut columns: Vec<Column>) -> Vec<Column> {
    columns.reverse();
    columns.rotate_left(7);
    columns
}

fn ranking(selection: &Selection) -> Vec<(String, u64)> {
    selection.ranking.iter().map(|ranked| (ranked.feature.clone(), ranked.score.to_bits())).collect()
}

/// A few steps of every method except `ldr-tsk-inductive` and `sieve`, which have tests of their own: the latter does
/// not order features by score.
fn every() -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
    let few = [("iterations", "8"), ("steps", "8"), ("epochs", "2"), ("d", "4")];
    let others = |info: &&MethodInfo| !["ldr-tsk-inductive", "sieve"].contains(&info.name);
    let names = Method::ALL.iter().copied().map(|method| method.info()).filter(others);
    let own = |info: &'static MethodInfo| {
        few.into_iter().filter(|(name, _)| info.params.iter().any(|spec| spec.name == *name)).collect()
    };
    names.map(|info| (info.name, own(info))).collect()
}

/// The same with very few steps for larger tables.
fn shortest(name: &'static str, set: Vec<(&'static str, &'static str)>) -> Vec<(&'static str, &'static str)> {
    let fewer = |(param, value)| match param {
        "iterations" | "steps" => (param, "2"),
        "epochs" => (param, "1"),
        _ => (param, value),
    };
    let starts = (name == "mcfs").then_some(("starts", "2"));
    set.into_iter().map(fewer).chain(starts).collect()
}

#[test]
fn the_order_of_columns_changes_no_bit_of_any_method() {
    let (one, other) = (data(degenerate_table()), data(permuted(degenerate_table())));
    for (name, set) in every() {
        assert_eq!(ranking(&selection(&one, name, &set, 2)), ranking(&selection(&other, name, &set, 2)), "{name}");
    }
}

#[test]
fn equal_columns_share_a_score_and_constants_come_last_with_zero() {
    let data = data(degenerate_table());
    for (name, set) in every() {
        let found = selection(&data, name, &set, 2);
        let place = |feature: &str| found.ranking.iter().find(|ranked| ranked.feature == feature).unwrap();
        assert_eq!(place("dup1").score, place("x1").score, "{name}");
        assert_eq!(place("dup1").rank + 1, place("x1").rank, "{name}: ties go by name");
        let last = found.ranking.last().unwrap();
        assert_eq!((last.feature.as_str(), last.score, last.rank), ("const", 0.0, 23), "{name}");
        let (_, varying) = found.ranking.split_last().unwrap();
        assert!(varying.windows(2).all(|pair| pair[0].score >= pair[1].score), "{name}");
        assert_eq!((found.selected.len(), &found.selected[0]), (7, &found.ranking[0].feature), "{name}");
    }
}

/// A method may put all weight on either copy of a column: both get the same score and are selected together.
#[test]
fn copies_share_score_and_use() {
    let data = data(degenerate_table());
    let place = |name: &str| data.features.iter().position(|feature| feature.name == name).unwrap();
    let own = [("fsor", vec![("solver", "exact")]), ("rjfwlf", vec![("solver", "proximal"), ("alpha", "0.1")])];
    for (name, set) in every().into_iter().chain(own) {
        let raw = fit(&data, name, &set, 2);
        let found = selection(&data, name, &set, 2);
        let largest = raw.scores[place("dup1")].max(raw.scores[place("x1")]);
        let shared = found.ranking.iter().find(|ranked| ranked.feature == "dup1").unwrap().score;
        assert_eq!(shared, largest, "{name}");
        let unused = |feature: &str| found.unused.iter().any(|name| name == feature);
        let neither = ["dup1", "x1"].iter().all(|name| raw.unused.contains(&place(name)));
        assert!(unused("dup1") == neither && unused("x1") == neither, "{name}: {:?}", found.unused);
        let texts: Vec<String> = found.warnings.iter().map(ToString::to_string).collect();
        if let Some(text) = texts.iter().find(|text| text.contains("have a weight")) {
            assert!(text.starts_with(&format!("{} of 23", 23 - found.unused.len())), "{text}");
        }
    }
}

/// Rows of every class rotated.
fn rows_permuted(columns: Vec<Column>) -> Vec<Column> {
    let labels = columns.last().unwrap().clone();
    let mut order: Vec<usize> = (0..labels.len()).collect();
    let classes: BTreeSet<String> = order.iter().map(|&row| labels.cell(row)).collect();
    assert_eq!(classes.len(), 3);
    for class in classes {
        let rows: Vec<usize> = (0..labels.len()).filter(|&row| labels.cell(row) == class).collect();
        for (at, &row) in rows.iter().enumerate() {
            order[row] = rows[(at + 3) % rows.len()];
        }
    }
    let moved = |column: &Column| {
        let cells = order.iter().map(|&row| column.cell(row).parse().unwrap()).collect();
        Column::numeric(&column.name, cells)
    };
    let mut moved: Vec<Column> = columns[..columns.len() - 1].iter().map(moved).collect();
    moved.push(labels);
    moved
}

#[test]
fn rows_permuted_within_their_class_give_the_same_selection() {
    let (one, other) = (data(degenerate_table()), data(rows_permuted(degenerate_table())));
    for name in ["erfs", "relieff", "mrmr", "mutual-info", "anova", "variance", "random"] {
        let (one, other) = (selection(&one, name, &[], 0), selection(&other, name, &[], 0));
        assert_eq!(one.selected, other.selected, "{name}");
        for (a, b) in one.ranking.iter().zip(&other.ranking) {
            assert!((a.score - b.score).abs() <= 1e-9 * a.score.abs(), "{name}: {a:?} {b:?}");
        }
    }
}

#[test]
fn seeds_change_the_scores_of_random_methods() {
    let data = data(degenerate_table());
    let random = ["dg-aletsk", "fsor", "htsk", "mcfs", "random", "tsk-srb"];
    let named: Vec<_> = every().into_iter().filter(|(name, _)| random.contains(name)).collect();
    assert_eq!(named.len(), random.len());
    for (name, set) in named {
        assert_ne!(fit(&data, name, &set, 1).scores, fit(&data, name, &set, 2).scores, "{name}");
    }
}

#[test]
fn threads_change_no_bit_of_any_method() {
    // The larger tables are split between threads.
    let tables = [data(degenerate_table()), generated("waveform", 700, 160), generated("waveform", 120, 1300)];
    for (at, data) in tables.iter().enumerate() {
        for (name, mut set) in every() {
            if at > 0 {
                set = shortest(name, set);
            }
            let run = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| fit(data, name, &set, 2))
            };
            assert_eq!(run(1), run(3), "{name}, table {at}");
        }
    }
}

/// A method that calls its observer can be ended at any call and reports it; filters with a single pass need no call.
#[test]
fn every_iterative_method_can_be_ended_at_any_observer_call() {
    let data = data(degenerate_table());
    let phases = vec![("iterations", "4"), ("phases", "all"), ("extract_iterations", "4"), ("tune_iterations", "4")];
    for (name, set) in every().into_iter().chain([("fsre-adatsk", phases)]) {
        let ended_at = |every: usize| {
            let mut calls = 0_usize;
            let mut watch = |_: &Progress| {
                calls += 1;
                if calls.is_multiple_of(every) { Break(Halt::Interrupted) } else { Continue(()) }
            };
            let found = fit_watched(&data, name, &set, 2, &mut watch).unwrap();
            assert!(found.scores.iter().all(|score| score.is_finite()), "{name}");
            (found.iteration.map(|iteration| iteration.halted), calls)
        };
        let (whole, calls) = ended_at(usize::MAX);
        let single_pass = ["anova", "variance", "random"].contains(&name);
        assert_eq!((whole, calls > 0), ((!single_pass).then_some(None), !single_pass), "{name}");
        for every in [1, 2, 3, 5, calls / 2, calls - calls / 4, calls] {
            if (1..=calls).contains(&every) {
                assert_eq!(ended_at(every).0, Some(Some(Halt::Interrupted)), "{name} at call {every} of {calls}");
            }
        }
    }
}

/// The rows of a fold may lack a class.
#[test]
fn every_method_supports_a_class_without_rows() {
    let data = data(degenerate_table());
    let rows: Vec<usize> = (0..data.samples()).filter(|&row| data.target.codes()[row] != 1).collect();
    let design = Encoder::fit(&data, &rows, CategoricalCoding::OneHot).unwrap().transform(&data, &rows).unwrap();
    let (names, target) = (vec![""; data.features.len()], data.target.rows_of(&rows));
    for (name, set) in every() {
        let problem = Problem { design: &design, names: &names, target: &target, weights: None };
        let found = method(name).prepare(problem).unwrap().fit(&settings(name, &set), 2, &mut Silent).unwrap();
        assert!(found.scores.iter().all(|score| score.is_finite()) && found.scores.len() == 23, "{name}");
    }
}

#[test]
fn the_record_has_parameters_and_seed() {
    let data = data(degenerate_table());
    let found = selection(&data, "ldr-tsk", &[("iterations", "4"), ("tolerance", "0")], 9);
    assert_eq!((found.seed, found.iterations, found.converged), (9, Some(4), Some(false)));
    assert_eq!((found.data.samples, found.data.features, found.data.classes), (60, 23, 3));
    let d = serde_json::to_value(&found.params["d"]).unwrap();
    assert_eq!(d, 7, "a third of 23 columns, as it was resolved");
    assert!(found.warnings.iter().any(|warning| matches!(warning, Warning::NotConverged { iterations: 4, .. })));
    let plain = selection(&data, "anova", &[], 9);
    assert_eq!((plain.iterations, plain.converged, plain.params.len()), (None, None, 0));
}
