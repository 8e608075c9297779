use super::*;
use crate::data::{Column, Dataset, DatasetOptions};
use crate::generate;
use crate::methods::shared::SMOOTHING;
use crate::methods::tests::{data, design, fit, planted, top};

#[test]
fn planted_features_come_first_for_tall_and_wide_tables() {
    for (rows, columns) in [(120, 20), (60, 150)] {
        let found = fit(&planted(rows, columns, 1), "erfs", &[], 0);
        assert_eq!(top(&found.scores, 3), [0, 1, 2], "{rows} x {columns}");
    }
}

#[test]
fn the_objective_never_rises_and_settles() {
    for (rows, columns, gamma) in [(90, 12, "0.1"), (90, 12, "10"), (40, 100, "0.1"), (40, 100, "10")] {
        let found = fit(&planted(rows, columns, 2), "erfs", &[("gamma", gamma)], 0).iteration.unwrap();
        let totals: Vec<f64> = found.trace.iter().map(|terms| terms.iter().sum()).collect();
        assert!(found.converged && totals.len() > 3, "{totals:?}");
        assert!(totals.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-12)), "{totals:?}");
    }
}

#[test]
fn primal_and_dual_take_the_same_steps() {
    for (rows, columns) in [(30, 50), (80, 15)] {
        let data = planted(rows, columns, 3);
        for gamma in ["0.1", "1", "10"] {
            let run = |form: &str| {
                fit(&data, "erfs", &[("gamma", gamma), ("form", form), ("iterations", "60"), ("tolerance", "0")], 0)
            };
            let (primal, dual) = (run("primal"), run("dual"));
            let largest = primal.scores.iter().fold(0.0_f64, |most, score| most.max(*score));
            for (a, b) in primal.scores.iter().zip(&dual.scores) {
                assert!((a - b).abs() < 1e-7 * largest, "gamma {gamma}: {a} {b}");
            }
        }
    }
}

/// At the optimum the derivative of the smoothed objective is zero, computed here without weights or systems.
#[test]
fn the_optimum_meets_its_conditions() {
    let data = planted(50, 8, 4);
    let (design, y) = (design(&data), one_hot(&data.target));
    let x = with_ones(&design.x);
    let regression = Regression { x: &x, y: &y, gamma: 0.7, blocks: &design.blocks };
    let mut w = regression.step(&[1.0; 9], &[1.0; 50], false).unwrap();
    for _ in 0..3000 {
        let (columns, residuals) = regression.lengths(&w);
        w = regression.step(&columns, &residuals, false).unwrap();
    }
    let mut r = product(Plain(&x), Plain(&w));
    r.as_mut_slice().iter_mut().zip(y.as_slice()).for_each(|(r, y)| *r -= y);
    let length = |m: &Matrix, row: usize| (0..m.cols()).map(|col| m[(row, col)].powi(2)).sum::<f64>() + SMOOTHING;
    for feature in 0..9 {
        for class in 0..3 {
            let pull: f64 = (0..50).map(|row| x[(row, feature)] * r[(row, class)] / length(&r, row).sqrt()).sum();
            let hold = 0.7 * w[(feature, class)] / length(&w, feature).sqrt();
            assert!((pull + hold).abs() < 1e-5, "feature {feature}, class {class}: {pull} {hold}");
        }
    }
}

/// The means of the classes coincide, so that a linear method finds the two true features among the first four by
/// chance only.
#[test]
fn a_linear_method_does_not_find_circles() {
    let both_first = |seed: u64| {
        let table = generate::find("double-circle").unwrap().generate(None, None, seed).unwrap().table;
        let data = Dataset::new(table, &DatasetOptions::default()).unwrap();
        let found = fit(&data, "erfs", &[], 0);
        let names: Vec<&str> = top(&found.scores, 4).into_iter().map(|at| data.features[at].name.as_str()).collect();
        names.contains(&"x") && names.contains(&"y")
    };
    // By chance, 2 of 15 draws of 4 from 10 contain both.
    assert!((0..10).filter(|&seed| both_first(seed)).count() <= 4);
}

#[test]
fn degenerate_tables_give_finite_scores() {
    let column = |name: &str, f: fn(usize) -> f64| Column::numeric(name, (0..20).map(f).collect());
    let target = || Column::text("t", (0..20).map(|row| ["a", "b", "c", "d"][row % 4]));
    let single = data(vec![column("only", |row| (row % 4) as f64), target()]);
    assert!(fit(&single, "erfs", &[], 0).scores[0] > 0.0, "fewer features than classes");
    let degenerate = data(vec![
        column("k", |_| 3.0),
        column("twin", |row| (row % 4) as f64),
        column("x", |row| (row % 4) as f64),
        Column::text("levels", (0..20).map(|row| ["u", "v", "w"][row % 3])),
        target(),
    ]);
    for bias in ["yes", "no"] {
        let found = fit(&degenerate, "erfs", &[("bias", bias)], 0);
        // In the order of names: k, levels, twin, x.
        assert!(found.scores[0] < 1e-9 && (found.scores[2] - found.scores[3]).abs() < 1e-9, "{:?}", found.scores);
    }
    assert!(fit(&degenerate, "erfs", &[("gamma", "1e9")], 0).scores.iter().all(|score| *score < 1e-6));
}
