use super::*;
use crate::data::{Column, Dataset, DatasetOptions};
use crate::generate;
use crate::methods::tests::{data, fit, fit_watched, planted, settings, top};
use crate::optim::Silent;
use rand::RngExt;

mod parts;

fn circles(seed: u64) -> Dataset {
    let table = generate::find("double-circle").unwrap().generate(None, None, seed).unwrap().table;
    Dataset::new(table, &DatasetOptions::default()).unwrap()
}

/// The means of the classes coincide: one centre per class is not sufficient. The true features are the last by name.
#[test]
fn circles_need_several_centres() {
    for seed in 0..4 {
        let found = |q: &str| {
            let set = [("s", "2"), ("d", "2"), ("q", q), ("rho", "0.01")];
            let found = fit(&circles(seed), "mcfs", &set, 0);
            assert_eq!(found.native, Some(2));
            top(&found.scores, 2)
        };
        assert_ne!(found("1"), [8, 9], "table {seed}");
        assert_eq!((found("4"), found("8")), (vec![8, 9], vec![8, 9]), "table {seed}");
    }
}

#[test]
fn planted_features_come_first_for_tall_and_wide_tables() {
    for (rows, columns) in [(120, 20), (60, 150)] {
        for (s, d) in [("3", "3"), ("3", "2"), ("auto", "auto")] {
            let set = [("s", s), ("d", d)];
            let found = fit(&planted(rows, columns, 1), "mcfs", &set, 0);
            assert_eq!(top(&found.scores, 3), [0, 1, 2], "{rows} x {columns}, s {s}, d {d}: {:?}", found.scores);
        }
    }
}

#[test]
fn the_ratio_never_falls() {
    for (table, q) in [(planted(90, 12, 2), "2"), (planted(30, 80, 2), "2"), (circles(1), "4"), (degenerate(), "2")] {
        for rho in ["0", "1", "100"] {
            let set = [("q", q), ("rho", rho), ("starts", "1"), ("tolerance", "0")];
            let iteration = fit(&table, "mcfs", &set, 0).iteration.unwrap();
            let shares: Vec<f64> = iteration.trace.iter().map(|terms| terms[0]).collect();
            assert!(shares.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-12)), "{shares:?}");
            assert!(shares.len() == 20 && (iteration.diagnostics[0].1 * shares[19] - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn more_restarts_are_never_worse() {
    let ratio = |starts: &str| {
        let set = [("s", "2"), ("d", "2"), ("q", "4"), ("starts", starts)];
        fit(&circles(5), "mcfs", &set, 0).iteration.unwrap().diagnostics[0].1
    };
    let ratios = ["1", "3", "10"].map(ratio);
    assert!(ratios[0] <= ratios[1] && ratios[1] <= ratios[2] && ratios[0] < ratios[2], "{ratios:?}");
}

#[test]
fn the_selected_come_first_and_the_others_follow_the_proxy() {
    let found = fit(&planted(60, 20, 3), "mcfs", &[], 0);
    assert_eq!(found.resolved, [("s", W(6)), ("d", W(3))]);
    assert!(found.native == Some(6) && found.unused.len() == 14, "{:?}", found.scores);
    for (feature, score) in found.scores.iter().enumerate() {
        let range = if found.unused.contains(&feature) { 0.0..=0.5 } else { 1.0..=2.0 };
        assert!(range.contains(score), "{feature}: {score}");
    }
    let full = fit(&planted(60, 5, 3), "mcfs", &[("s", "5"), ("d", "5"), ("q", "1")], 0);
    assert!(full.unused.is_empty() && full.native == Some(5));
    assert_eq!(top(&full.scores, 3), [0, 1, 2], "lengths are all one, the proxy decides: {:?}", full.scores);
}

#[test]
fn sizes_beyond_the_data_are_rejected() {
    let table = planted(30, 6, 4);
    let refused = |set: &[(&str, &str)]| fit_watched(&table, "mcfs", set, 0, &mut Silent).unwrap_err().to_string();
    assert_eq!(refused(&[("s", "7")]), "parameter s = 7 is not allowed; it must be at most the number of features, 6");
    assert!(refused(&[("s", "2"), ("d", "3")]).contains("at most the number of features to select, 2"));
}

/// A constant, two equal columns, a category of three columns, and in the order of names: k, levels, twin, x.
fn degenerate() -> Dataset {
    let column = |name: &str, f: fn(usize) -> f64| Column::numeric(name, (0..20).map(f).collect());
    data(vec![
        column("k", |_| 3.0),
        column("twin", |row| (row % 4) as f64 + 0.01 * (row % 7) as f64),
        column("x", |row| (row % 4) as f64 + 0.01 * (row % 7) as f64),
        Column::text("levels", (0..20).map(|row| ["u", "v", "w"][row % 3])),
        Column::text("t", (0..20).map(|row| ["a", "b", "c", "d"][row % 4])),
    ])
}

#[test]
fn degenerate_tables_give_finite_scores() {
    for (s, d) in [("auto", "auto"), ("2", "1"), ("2", "2"), ("4", "4"), ("4", "1")] {
        for q in ["1", "3", "1000"] {
            let found = fit(&degenerate(), "mcfs", &[("s", s), ("d", d), ("q", q), ("neighbours", "1000")], 0).scores;
            assert!(found.len() == 4 && found.iter().all(|score| score.is_finite()), "{s} {d} {q}: {found:?}");
        }
    }
    let target = || Column::text("t", (0..20).map(|row| ["a", "b", "c", "d"][row % 4]));
    let single = data(vec![Column::numeric("only", (0..20).map(|row| (row % 4) as f64).collect()), target()]);
    assert!(fit(&single, "mcfs", &[], 0).scores[0] >= 1.0, "fewer features than classes");
}

fn on_rows(x: Matrix, classes: Vec<Vec<usize>>) -> Fit {
    let blocks: Vec<Range<usize>> = (0..x.cols()).map(|at| at..at + 1).collect();
    let rows = OnRows { x, coordinates: None, classes, blocks: &blocks, neighbourhood: OnceLock::new() };
    rows.fit(&settings("mcfs", &[]), 0, &mut Silent).unwrap()
}

#[test]
fn classes_of_one_row_and_a_table_in_which_nothing_varies() {
    let x = centred(&Matrix::from_fn(4, 3, |row, col| ((row * row + 3 * col) % 5) as f64));
    let alone = on_rows(x, (0..4).map(|row| vec![row]).collect());
    assert!(alone.scores.iter().all(|score| score.is_finite()) && alone.native == Some(1), "{:?}", alone.scores);
    let still = on_rows(Matrix::zeros(6, 2), vec![vec![0, 1, 2], vec![3, 4, 5]]);
    assert!(still.scores == [0.0, 0.0] && still.warnings[0].to_string().contains("no feature varies"));
}

#[test]
fn a_class_without_rows_changes_nothing() {
    let table = planted(30, 10, 5);
    let mut more = table.clone();
    crate::methods::tests::add_class(&mut more.target, "never");
    assert_eq!(fit(&table, "mcfs", &[], 0).scores, fit(&more, "mcfs", &[], 0).scores);
}
