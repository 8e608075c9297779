use super::*;
use crate::data::{Column, Dataset};
use crate::linalg::{Plain, Transposed, product};
use crate::methods::fuzzy::tests::{check_degenerate_tables, noise};
use crate::methods::shared::{SMOOTHING, centred};
use crate::methods::tests::{data, fit, planted, top};
use rand_distr::{Distribution, StandardNormal};
use regression::design as design_of;

/// Two overlapping classes, whose probability depends on the sum of the first three columns.
fn overlapping(rows: usize, columns: usize, seed: u64) -> Dataset {
    let x = noise(rows, columns + 1, seed);
    let class = |row: usize| if x[(row, 0)] + x[(row, 1)] + x[(row, 2)] > 0.5 * x[(row, columns)] { "a" } else { "b" };
    let mut all: Vec<Column> =
        (0..columns).map(|col| Column::numeric(format!("x{col:03}"), x.col(col).to_vec())).collect();
    all.push(Column::text("t", (0..rows).map(class)));
    data(all)
}

/// With fewer rows one of the three may be lost: at 200 x 20, and for some seeds at 400 x 12 and 600 x 10.
#[test]
fn features_of_overlapping_classes_come_first_with_many_rows() {
    for (rows, seed) in [(600, 1), (600, 2), (600, 3), (1000, 1)] {
        let found = fit(&overlapping(rows, 20, seed), "tsk-srb", &[], 0);
        assert_eq!(top(&found.scores, 3), [0, 1, 2], "{rows} rows, seed {seed}: {:?}", found.scores);
        assert!((2..=3).contains(&found.native.unwrap()), "{:?}", found.native);
    }
}

/// Two classes, the second one shifted by four standard deviations in the first two columns.
fn shifted(rows: usize, columns: usize, seed: u64) -> Dataset {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut value = |row: usize, col: usize| {
        let noise: f64 = StandardNormal.sample(&mut rng);
        noise + if row % 2 == 1 && col < 2 { 4.0 } else { 0.0 }
    };
    let mut all: Vec<Column> = (0..columns)
        .map(|col| Column::numeric(format!("x{col:03}"), (0..rows).map(|row| value(row, col)).collect()))
        .collect();
    all.push(Column::text("t", (0..rows).map(|row| ["a", "b"][row % 2])));
    data(all)
}

/// The firing of the clusters determines separated classes; with constants of its own in every rule noise came first.
#[test]
fn features_of_separated_classes_come_first() {
    for seed in 0..10 {
        for (rows, columns) in [(240, 12), (60, 12), (100, 60)] {
            let found = fit(&shifted(rows, columns, seed), "tsk-srb", &[], 0);
            assert_eq!(top(&found.scores, 2), [0, 1], "{rows} x {columns}, seed {seed}: {:?}", found.scores);
        }
        let found = fit(&shifted(240, 12, seed), "tsk-srb", &[], 0);
        assert_eq!(found.native, Some(2), "seed {seed}: {:?}", found.scores);
    }
    for (rows, columns) in [(120, 20), (60, 150)] {
        let found = fit(&planted(rows, columns, 1), "tsk-srb", &[], 0);
        assert_eq!(top(&found.scores, 3), [0, 1, 2], "{rows} x {columns}: {:?}", found.scores);
    }
}

#[test]
fn firing_strengths_follow_their_definition() {
    let (xt, codes) = (noise(4, 30, 5), (0..30).map(|at| at % 2).collect::<Vec<u32>>());
    let rules = Antecedents::new(&xt, &codes, 3, 7, 1);
    // Seven rules for three classes are two each; the third class has no rows.
    assert_eq!(rules.centres.len(), 4);
    let shares = rules.shares(&xt);
    for sample in 0..30 {
        let strength = |rule: usize| {
            let mu = |d: usize| {
                (-(xt[(d, sample)] - rules.centres[rule][d]).powi(2) / (2.0 * rules.spreads[rule][d].powi(2))).exp()
            };
            ((0..4).map(|d| mu(d).powf(-12.0)).sum::<f64>() / 4.0).powf(-1.0 / 12.0)
        };
        let total: f64 = (0..4).map(strength).sum();
        (0..4).for_each(|rule| assert!((shares[(sample, rule)] - strength(rule) / total).abs() < 1e-10));
    }
}

#[test]
fn the_objective_never_rises_and_settles() {
    for (rows, columns, alpha) in [(90, 12, "0.001"), (90, 12, "0.01"), (40, 60, "0.0001"), (400, 4, "0.01")] {
        let set = [("alpha", alpha), ("iterations", "2000")];
        let found = fit(&planted(rows, columns, 2), "tsk-srb", &set, 0).iteration.unwrap();
        let totals: Vec<f64> = found.trace.iter().map(|terms| terms.iter().sum()).collect();
        assert!(found.converged && totals.len() > 3, "{rows} x {columns}: {totals:?}");
        assert!(totals.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-12)), "{totals:?}");
    }
}

#[test]
fn primal_and_dual_take_the_same_steps() {
    for (rows, columns) in [(30, 20), (150, 5)] {
        let data = planted(rows, columns, 3);
        let run = |form: &str| fit(&data, "tsk-srb", &[("form", form), ("tolerance", "0")], 0);
        let (primal, dual) = (run("primal"), run("dual"));
        let largest = primal.scores.iter().copied().fold(0.0, f64::max);
        for (a, b) in primal.scores.iter().zip(&dual.scores) {
            assert!((a - b).abs() < 1e-7 * largest, "{a} {b}");
        }
    }
}

/// At the optimum the derivative of the smoothed objective is zero, computed here from the whole design.
#[test]
fn the_optimum_meets_its_conditions() {
    let (n, m, k, c) = (40, 5, 3, 2);
    let (x, y, mut shares) = (noise(n, m, 1), noise(n, c, 2), noise(n, k, 3));
    softmax(&mut shares, &mut Matrix::default());
    let blocks = [0..1, 1..3, 3..4, 4..5];
    for (dual, rules_at_once) in [(false, k), (true, k), (true, 2)] {
        let mut regression = Regression::new(&x, &y, &shares, &blocks, dual);
        (regression.alpha, regression.beta, regression.rules_at_once) = (0.01, 0.005, rules_at_once);
        let mut p = regression.step(&regression.start()).unwrap();
        for _ in 0..3000 {
            p = regression.step(&regression.weights(&p)).unwrap();
        }
        let phi = design_of(&centred(&x), &shares);
        // With the constants that are best for the slopes the residuals have mean zero.
        let mut residual = product(Plain(&phi), Plain(&p));
        residual.as_mut_slice().iter_mut().zip(y.as_slice()).for_each(|(r, y)| *r = (*r - y) / n as f64);
        let gradient = product(Transposed(&phi), Plain(&centred(&residual)));
        let length = |rows: &dyn Fn(usize) -> bool| {
            let squares = (0..p.rows()).filter(|&row| rows(row)).map(|row| p[(row, 0)].powi(2) + p[(row, 1)].powi(2));
            (squares.sum::<f64>() + SMOOTHING).sqrt()
        };
        for row in 0..k * m {
            let block = blocks.iter().find(|block| block.contains(&(row % m))).unwrap();
            let hold =
                0.005 / length(&|other| other / m == row / m) + 0.01 / length(&|other| block.contains(&(other % m)));
            for class in 0..c {
                let sum = gradient[(row, class)] + hold * p[(row, class)];
                assert!(sum.abs() < 1e-6, "row {row}, class {class}: {sum:e}");
            }
        }
        let fitted = centred(&residual).norm_squared() * (n * n) as f64;
        assert!((regression.objective(&p)[0] - 0.5 * fitted / n as f64).abs() < 1e-12);
    }
}

#[test]
fn an_alpha_at_which_everything_vanishes_is_lowered() {
    let found = fit(&planted(60, 10, 4), "tsk-srb", &[("alpha", "1000")], 0);
    assert!(found.warnings.iter().any(|warning| warning.to_string().contains("alpha 1000")), "{:?}", found.warnings);
    assert!(found.scores.iter().any(|score| *score > 1e-3), "{:?}", found.scores);
    let used = found.iteration.unwrap().diagnostics[0];
    assert!(used.0 == "alpha" && used.1 < 1.0, "{used:?}");
}

#[test]
fn otsu_separates_two_groups() {
    assert_eq!(otsu(&[0.1, 5.0, 0.2, 4.8, 0.0]), 2);
    assert_eq!((otsu(&[1.0]), otsu(&[2.0, 2.0, 2.0]), otsu(&[3.0, 1.0])), (1, 3, 1));
    assert_eq!(otsu(&[1.0, 1.0, 0.0, 1.0]), 3);
}

#[test]
fn spreads_are_deviations_within_clusters_of_at_least_a_tenth() {
    let xt = Matrix::from_fn(2, 4, |row, col| if row == 0 { [0.0, 0.4, 2.0, 2.4][col] } else { 0.5 });
    let centres = Matrix::from_fn(2, 2, |row, col| if row == 0 { [0.2, 2.2][col] } else { 0.5 });
    for spread in deviations(&xt, &centres) {
        assert!((spread[0] - 0.2).abs() < 1e-12 && spread[1] == 0.1, "{spread:?}");
    }
}

#[test]
fn degenerate_tables_give_finite_scores() {
    check_degenerate_tables("tsk-srb", &[]);
    check_degenerate_tables("tsk-srb", &[("form", "primal")]);
}
