use super::*;
use crate::data::{Column, Dataset};
use crate::methods::shared::SMOOTHING;
use crate::methods::tests::{data, design, fit, planted, settings, top};
use crate::optim::Silent;

const SOLVERS: [&str; 2] = ["multiplicative", "proximal"];
const LOSSES: [&str; 2] = ["robust", "squared"];

#[test]
fn planted_features_come_first_for_tall_and_wide_tables() {
    for (rows, columns) in [(120, 20), (60, 150)] {
        for solver in SOLVERS {
            for loss in LOSSES {
                let set = [("solver", solver), ("loss", loss)];
                let found = fit(&planted(rows, columns, 1), "rjfwlf", &set, 0);
                assert_eq!(top(&found.scores, 3), [0, 1, 2], "{rows} x {columns}, {solver}, {loss}");
            }
        }
    }
}

#[test]
fn the_objective_never_rises() {
    for (rows, columns) in [(90, 12), (30, 60)] {
        for (solver, alpha) in
            [("multiplicative", "0.1"), ("multiplicative", "10"), ("proximal", "0.1"), ("proximal", "10")]
        {
            for loss in LOSSES {
                let set = [("solver", solver), ("loss", loss), ("alpha", alpha), ("iterations", "150")];
                let trace = fit(&planted(rows, columns, 2), "rjfwlf", &set, 0).iteration.unwrap().trace;
                let totals: Vec<f64> = trace.iter().map(|terms| terms.iter().sum()).collect();
                assert!(totals.len() > 3, "{solver}, {loss}, {alpha}: {totals:?}");
                assert!(
                    totals.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-12)),
                    "{solver}, {loss}: {totals:?}"
                );
            }
        }
    }
}

/// The optimal value of a convex objective is unique.
#[test]
fn both_solvers_reach_the_same_objective() {
    for (rows, columns, alpha, loss) in [
        (60, 12, "0.1", "robust"),
        (60, 12, "1", "robust"),
        (60, 12, "1", "squared"),
        (30, 60, "0.1", "robust"),
        (30, 60, "1", "robust"),
        (30, 60, "1", "squared"),
    ] {
        let table = planted(rows, columns, 3);
        let run = |solver: &str, iterations: &str| {
            let set = [("solver", solver), ("loss", loss), ("alpha", alpha)];
            fit(&table, "rjfwlf", &[&set[..], &[("tolerance", "0"), ("iterations", iterations)]].concat(), 0)
        };
        let (a, b) = (run("multiplicative", "3000"), run("proximal", "1500"));
        let last = |fit: &Fit| fit.iteration.as_ref().unwrap().trace.last().unwrap().iter().sum::<f64>();
        assert!((last(&a) / last(&b) - 1.0).abs() < 1e-4, "{loss}, {alpha}: {} {}", last(&a), last(&b));
        assert_eq!(top(&a.scores, 3), top(&b.scores, 3));
    }
}

/// The steps by the formulas, entry by entry.
#[test]
fn steps_agree_with_plain_loops() {
    let design = mixed_design();
    let (x, blocks) = (&design.x, &design.blocks[..]);
    let (n, m) = (x.rows(), x.cols());
    let y = Matrix::from_fn(n, 2, |row, class| f64::from(u8::from(row % 2 == class)));
    let group = |j: usize| blocks.iter().find(|block| block.contains(&j)).unwrap().clone();
    for robust in [true, false] {
        let regression = Regression { x, y: &y, alpha: 0.3, robust, blocks };
        let w = Matrix::from_fn(m, 2, |row, col| 0.1 + 0.05 * ((row + 2 * col) % 4) as f64);
        let r = |i: usize, k: usize| (0..m).map(|j| x[(i, j)] * w[(j, k)]).sum::<f64>() - y[(i, k)];
        let p = |i: usize| {
            if robust { 1.0 / ((0..2).map(|k| r(i, k).powi(2)).sum::<f64>() + SMOOTHING).sqrt() } else { 2.0 }
        };
        let phi = |j: usize| {
            (group(j).map(|j| (0..2).map(|k| w[(j, k)].powi(2)).sum::<f64>()).sum::<f64>() + SMOOTHING).sqrt()
        };
        let multiplied = regression.multiplied(&regression.point(w.clone())).w;
        let slope = Matrix::from_fn(m, 2, |j, k| (0..n).map(|i| x[(i, j)] * p(i) * r(i, k)).sum());
        let stepped = regression.stepped(&w, &slope, 0.02);
        for j in 0..m {
            for k in 0..2 {
                let over: f64 = (0..n).map(|i| x[(i, j)] * p(i) * y[(i, k)]).sum();
                let under: f64 = (0..n).map(|i| x[(i, j)] * p(i) * (r(i, k) + y[(i, k)])).sum();
                let wanted = w[(j, k)] * over / (under + 0.3 * w[(j, k)] / phi(j));
                assert!((multiplied[(j, k)] - wanted).abs() <= 1e-12 * wanted, "{j} {k}");
                let cut = |j: usize, k: usize| (w[(j, k)] - 0.02 * slope[(j, k)]).max(0.0);
                let length = group(j).map(|j| cut(j, 0).powi(2) + cut(j, 1).powi(2)).sum::<f64>().sqrt();
                let wanted = cut(j, k) * (1.0 - 0.02 * 0.3 / length).max(0.0);
                assert!((stepped[(j, k)] - wanted).abs() < 1e-12, "{j} {k}");
            }
        }
        let gradient_step = regression.shortened(&regression.point(w.clone()), &mut LargestEigenvalue::new(m));
        assert!(regression.loss(&gradient_step.residual) < regression.loss(&regression.point(w).residual));
    }
}

/// The gradient of both solvers, compared with differences of the loss.
#[test]
fn the_weighted_residuals_are_the_derivative_of_the_loss() {
    let design = mixed_design();
    let x = &design.x;
    let y = Matrix::from_fn(x.rows(), 2, |row, class| f64::from(u8::from(row % 2 == class)));
    for robust in [true, false] {
        let regression = Regression { x, y: &y, alpha: 1.0, robust, blocks: &design.blocks };
        let at = regression.start();
        let weighted = scale_rows(&at.residual, &regression.row_weights(&at.residual));
        let slope = product(Transposed(x), Plain(&weighted));
        for j in 0..x.cols() {
            let moved = |by: f64| {
                let mut w = at.w.clone();
                w[(j, 1)] += by;
                regression.loss(&regression.point(w).residual)
            };
            let found = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            assert!((found - slope[(j, 1)]).abs() < 1e-6 * found.abs().max(1e-2), "{j}: {found} {}", slope[(j, 1)]);
        }
    }
}

fn mixed() -> Dataset {
    let column = |name: &str, f: fn(usize) -> f64| Column::numeric(name, (0..20).map(f).collect());
    data(vec![
        column("k", |_| 3.0),
        column("twin", |row| (row % 4) as f64),
        column("x", |row| (row % 4) as f64),
        Column::text("levels", (0..20).map(|row| ["u", "v", "w"][row % 3])),
        Column::text("t", (0..20).map(|row| ["a", "b", "c", "d"][row % 4])),
    ])
}

fn mixed_design() -> crate::data::Design {
    design(&mixed())
}

#[test]
fn degenerate_tables_give_finite_scores() {
    let target = || Column::text("t", (0..20).map(|row| ["a", "b", "c", "d"][row % 4]));
    let single = data(vec![Column::numeric("only", (0..20).map(|row| (row % 4) as f64).collect()), target()]);
    for solver in SOLVERS {
        for loss in LOSSES {
            let set = [("solver", solver), ("loss", loss), ("alpha", "0.1")];
            assert!(fit(&single, "rjfwlf", &set, 0).scores[0] > 0.0, "fewer features than classes");
            // Sorted by name: k, levels, twin, x.
            let found = fit(&mixed(), "rjfwlf", &set, 0).scores;
            assert!(found[0] < 1e-9 && (found[2] - found[3]).abs() < 1e-12 && found[2] > 0.0, "{found:?}");
        }
    }
}

#[test]
fn underflowing_rows_give_finite_scores() {
    let set = [("alpha", "1000000"), ("iterations", "2000"), ("tolerance", "0")];
    for loss in LOSSES {
        let found = fit(&mixed(), "rjfwlf", &[&set[..], &[("loss", loss)]].concat(), 0).scores;
        assert!(found.iter().all(|score| score.is_finite() && *score < 1e-3), "{found:?}");
    }
}

#[test]
fn the_proximal_solver_selects() {
    let table = planted(90, 15, 4);
    let found = fit(&table, "rjfwlf", &[("solver", "proximal"), ("alpha", "10")], 0);
    let zeros: Vec<usize> = (0..15).filter(|&at| found.scores[at] == 0.0).collect();
    assert!(found.unused == zeros && found.native == Some(15 - zeros.len()) && zeros.len() > 5, "{:?}", found.scores);
    let none = fit(&table, "rjfwlf", &[("solver", "proximal"), ("alpha", "1e6")], 0);
    assert!(none.native == Some(0) && none.warnings == [Warning::NoCoefficient]);
    assert_eq!(fit(&table, "rjfwlf", &[], 0).native, None);
}

#[test]
fn negative_numbers_need_the_proximal_solver() {
    let table = planted(30, 6, 5);
    let mut design = design(&table);
    design.x.as_mut_slice()[7] = -0.5;
    let names = ["a", "b", "c", "d", "e", "f"];
    let problem = Problem { design: &design, names: &names, target: &table.target, weights: None };
    let prepared = prepare(problem).unwrap();
    let refused = prepared.fit(&settings("rjfwlf", &[]), 0, &mut Silent).unwrap_err().to_string();
    assert!(refused.contains("it must be proximal if the data contain negative numbers"), "{refused}");
    assert!(prepared.fit(&settings("rjfwlf", &[("solver", "proximal")]), 0, &mut Silent).is_ok());
}

#[test]
fn a_class_without_rows_and_the_seed_change_nothing() {
    let table = planted(30, 10, 6);
    let mut more = table.clone();
    crate::methods::tests::add_class(&mut more.target, "never");
    assert_eq!(fit(&table, "rjfwlf", &[], 0).scores, fit(&more, "rjfwlf", &[], 1).scores);
}
