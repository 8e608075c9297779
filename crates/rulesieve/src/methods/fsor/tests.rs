use super::rotation::Weighted;
use super::weights::Quadratic;
use super::*;
use crate::data::{Column, Dataset};
use crate::linalg::{Cholesky, dot};
use crate::methods::tests::{data, design, fit, fit_watched, planted, settings, top};
use crate::optim::Silent;
use rand::RngExt;

fn random(rows: usize, cols: usize, seed: u64) -> Matrix {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    Matrix::from_fn(rows, cols, |_, _| rng.random())
}

/// Blocks of `cols` columns; the first two columns are one feature.
fn blocks(cols: usize) -> Vec<Range<usize>> {
    std::iter::once(0..2).chain((2..cols).map(|at| at..at + 1)).collect()
}

fn regression<'a>(rows: usize, cols: usize, blocks: &'a [Range<usize>]) -> (Regression<'a>, Matrix) {
    let y = Matrix::from_fn(rows, 3, |row, class| f64::from(u8::from(row % 3 == class)));
    let w = random_orthonormal(cols, 3, &mut ChaCha8Rng::seed_from_u64(9)).unwrap();
    (Regression::new(&random(rows, cols, 8), centred(&y), blocks), w)
}

fn objective(data: &Regression, theta: &[f64], w: &Matrix) -> f64 {
    data.residual(&data.spread(theta), w).norm_squared()
}

#[test]
fn planted_features_come_first_for_tall_and_wide_tables() {
    for (rows, columns) in [(120, 20), (45, 150)] {
        for solver in ["alm", "exact"] {
            for seed in 0..2 {
                let found = fit(&planted(rows, columns, 1), "fsor", &[("solver", solver)], seed);
                assert_eq!(top(&found.scores, 3), [0, 1, 2], "{rows} x {columns}, {solver}: {:?}", found.scores);
            }
        }
    }
}

#[test]
fn with_exact_weights_the_objective_never_rises() {
    for (rows, columns) in [(90, 12), (30, 100)] {
        let set = [("solver", "exact"), ("tolerance", "0"), ("iterations", "15")];
        let trace = fit(&planted(rows, columns, 2), "fsor", &set, 0).iteration.unwrap().trace;
        assert!(trace.len() == 15 && trace[14][0] < trace[0][0], "{trace:?}");
        assert!(trace.windows(2).all(|pair| pair[1][0] <= pair[0][0] * (1.0 + 1e-13)), "{trace:?}");
        let settled = fit(&planted(rows, columns, 2), "fsor", &[("solver", "exact")], 0).iteration.unwrap();
        assert!(settled.converged, "{:?}", settled.trace);
    }
}

/// As the specification reports: nearly a vertex when solved, and when stopped early a sum above one and negative
/// entries.
#[test]
fn the_optimum_is_nearly_a_vertex_and_the_articles_weights_are_not() {
    let table = planted(120, 60, 3);
    let exact = fit(&table, "fsor", &[("solver", "exact")], 0);
    let weights: Vec<f64> = exact.scores.iter().copied().filter(|score| *score > 0.0).collect();
    assert!((1..=3).contains(&weights.len()) && exact.unused.len() == 60 - weights.len(), "{weights:?}");
    assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9 && exact.unused_ordered_by == Some("reduced cost"));
    let alm = fit(&table, "fsor", &[], 0).scores;
    let sum: f64 = alm.iter().sum();
    assert!((1.0..1.3).contains(&sum) && alm.iter().any(|theta| *theta < 0.0), "{sum}: {alm:?}");
}

/// `theta^T Q theta - s^T theta + |Y|^2` is the objective, in both forms of Q, and `2 Q theta - s` its derivative.
#[test]
fn the_programme_is_the_objective() {
    for (rows, cols, wide) in [(20, 9, false), (4, 15, true)] {
        let blocks = blocks(cols);
        let (data, w) = regression(rows, cols, &blocks);
        let programme = Programme::new(&data, &w, false);
        assert_eq!(matches!(programme.q, Quadratic::Free(..)), wide);
        let theta = random(cols - 1, 1, 7).as_slice().to_vec();
        let free = Quadratic::Free(&data, w.clone()).times(&Matrix::from_fn(cols - 1, 1, |row, _| theta[row]));
        let image = programme.q.times(&Matrix::from_fn(cols - 1, 1, |row, _| theta[row]));
        let same = free.as_slice().iter().zip(image.as_slice()).all(|(a, b)| (a - b).abs() < 1e-12 * (1.0 + b.abs()));
        assert!(same, "products need neither");
        let value = dot(image.as_slice(), &theta) - dot(&programme.s, &theta) + data.y.norm_squared();
        assert!((value - objective(&data, &theta, &w)).abs() < 1e-11 * value);
        let gradient = programme.gradient(&theta);
        for at in 0..cols - 1 {
            let moved = |by: f64| {
                let mut theta = theta.clone();
                theta[at] += by;
                objective(&data, &theta, &w)
            };
            let slope = (moved(1e-4) - moved(-1e-4)) / 2e-4;
            assert!((slope - gradient[at]).abs() < 1e-6 * slope.abs().max(1e-2), "{at}: {slope} {}", gradient[at]);
        }
    }
}

/// The objective from `X^T X` is that from the residuals, and its step the same.
#[test]
fn both_forms_of_the_coefficients_agree() {
    let blocks = blocks(12);
    let (mut data, w) = regression(30, 12, &blocks);
    let spread = data.spread(random(11, 1, 3).as_slice());
    let moved = |data: &Regression| {
        let weighted = Weighted { data, spread: &spread };
        (weighted.moved(&weighted.point(w.clone()), &mut 3.0).unwrap(), weighted.normal(&w))
    };
    let (short, short_image) = moved(&data);
    data.gram = None;
    let (long, long_image) = moved(&data);
    assert!(short_image.as_slice().iter().zip(long_image.as_slice()).all(|(a, b)| (a - b).abs() < 1e-13));
    assert!((short.value - long.value).abs() < 1e-13 * long.value, "{} {}", short.value, long.value);
    assert!((short.value - data.residual(&spread, &short.w).norm_squared()).abs() < 1e-13 * short.value);
    assert!(short.w.as_slice().iter().zip(long.w.as_slice()).all(|(a, b)| (a - b).abs() < 1e-13));
}

/// The article's steps with Q by its formula and a plain system in every step.
#[test]
fn one_band_form_serves_all_steps_of_the_lagrangian() {
    for (rows, cols) in [(20, 9), (40, 90), (4, 15), (6, 60), (20, 150), (80, 240), (80, 241)] {
        let blocks = blocks(cols);
        let (data, w) = regression(rows, cols, &blocks);
        let programme = Programme::new(&data, &w, false);
        let (x, features) = (&data.x, cols - 1);
        let q = Matrix::from_fn(features, features, |f, g| {
            let entry = |a: usize, b: usize| {
                let inner: f64 = (0..rows).map(|i| x[(i, a)] * x[(i, b)]).sum();
                inner * (0..3).map(|k| w[(a, k)] * w[(b, k)]).sum::<f64>()
            };
            blocks[f].clone().map(|a| blocks[g].clone().map(|b| entry(a, b)).sum::<f64>()).sum()
        });
        let plain = programme.alm_with(|mu, right| {
            let entry = |f: usize, g: usize| 2.0 * q[(f, g)] + mu + if f == g { mu } else { 0.0 };
            let system = Cholesky::new(Matrix::from_fn(features, features, entry)).unwrap();
            let mut solution = Matrix::from_fn(features, 1, |row, _| right[row]);
            system.solve_in_place(&mut solution);
            let form = dot(product(Plain(&q), Plain(&solution)).as_slice(), solution.as_slice());
            (solution.as_slice().to_vec(), form)
        });
        let largest = plain.iter().fold(0.0_f64, |most, theta| most.max(theta.abs()));
        for (fast, plain) in programme.alm().unwrap().iter().zip(&plain) {
            assert!((fast - plain).abs() < 1e-11 * largest, "{rows} x {cols}: {fast} {plain}");
        }
    }
}

#[test]
fn exact_weights_meet_their_conditions_and_do_not_depend_on_the_start() {
    for (rows, cols) in [(20, 9), (60, 30), (4, 15)] {
        let blocks = blocks(cols);
        let (data, w) = regression(rows, cols, &blocks);
        // Targets far smaller than the data, so that the solution is not a vertex.
        let mut programme = Programme::new(&data, &w, false);
        programme.s.iter_mut().for_each(|s| *s *= 0.02);
        let even = vec![1.0 / (cols - 1) as f64; cols - 1];
        let corner: Vec<f64> = (0..cols - 1).map(|at| f64::from(u8::from(at == 3))).collect();
        let found = programme.exact(&even, &mut LargestEigenvalue::new(cols - 1));
        let gradient = programme.gradient(&found);
        let least = gradient.iter().copied().fold(f64::INFINITY, f64::min);
        let used = (0..cols - 1).filter(|&at| found[at] > 0.0).collect::<Vec<_>>();
        assert!(used.len() > 1 && used.iter().all(|&at| gradient[at] - least < 1e-7), "{used:?} {gradient:?}");
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let other = programme.exact(&corner, &mut LargestEigenvalue::new(cols - 1));
        assert!((0..cols - 1).all(|at| (found[at] - other[at]).abs() < 1e-6), "{found:?} {other:?}");
    }
}

/// Orthonormal, never worse, and in the end stationary: the derivative has no part along the manifold.
#[test]
fn coefficients_converge_to_a_stationary_point() {
    for (rows, cols) in [(30, 8), (5, 20)] {
        let blocks = blocks(cols);
        let (data, mut w) = regression(rows, cols, &blocks);
        let spread = data.spread(random(cols - 1, 1, 3).as_slice());
        let mut largest = LargestEigenvalue::new(cols);
        let mut before = data.residual(&spread, &w).norm_squared();
        for _ in 0..2000 {
            w = rotation::step(&data, &spread, w, &mut largest).unwrap();
            let after = data.residual(&spread, &w).norm_squared();
            assert!(after <= before * (1.0 + 1e-14), "{before} {after}");
            before = after;
        }
        let slope = data.back(&spread, &data.residual(&spread, &w));
        let inner = product(Transposed(&w), Plain(&slope));
        let normal = product(Plain(&w), Plain(&inner));
        for col in 0..3 {
            for row in 0..cols {
                assert!((slope[(row, col)] - normal[(row, col)]).abs() < 1e-4 * before.sqrt(), "{rows} x {cols}");
            }
            assert!((0..3).all(|row| (inner[(row, col)] - inner[(col, row)]).abs() < 1e-4 * before.sqrt()));
        }
    }
}

#[test]
fn an_alpha_below_the_largest_eigenvalue_is_raised() {
    let blocks = blocks(8);
    let (data, w) = regression(200, 8, &blocks);
    let spread = vec![0.2; 8];
    // From near the optimum, where a long step increases the objective.
    let w = rotation::step(&data, &spread, w, &mut LargestEigenvalue::new(8)).unwrap();
    let weighted = Weighted { data: &data, spread: &spread };
    let at = weighted.point(w);
    let mut alpha = 1e-6;
    let next = weighted.moved(&at, &mut alpha).unwrap();
    assert!(alpha > 1e-3 && next.value <= at.value && next.w != at.w, "{alpha}");
}

/// The regression gets the columns that the setting names, and absolute weights are those of the same fit.
#[test]
fn scaling_and_ranking_follow_their_settings() {
    let table = planted(60, 9, 4);
    let x = design(&table).x;
    let deviation = |col: usize| (centred(&x).col(col).iter().map(|v| v * v).sum::<f64>() / 60.0).sqrt();
    let divided = Matrix::from_fn(60, 9, |row, col| x[(row, col)] / deviation(col));
    let blocks: Vec<Range<usize>> = (0..9).map(|col| col..col + 1).collect();
    let y = centred(&seen_classes(&table.target));
    let of = |x: &Matrix| {
        let y = product(Plain(&y), Plain(&contrasts(3)));
        Regression::new(x, y, &blocks).fit(&settings("fsor", &[]), 0, &mut Silent).unwrap().scores
    };
    for (scale, expected) in [("standard", of(&divided)), ("min-max", of(&x))] {
        let found = fit(&table, "fsor", &[("scale", scale)], 0).scores;
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-9), "{scale}: {found:?} {expected:?}");
        let absolute = fit(&table, "fsor", &[("scale", scale), ("rank", "absolute")], 0).scores;
        assert!(found.iter().any(|weight| *weight < 0.0), "{found:?}");
        assert!(found.iter().zip(&absolute).all(|(weight, absolute)| weight.abs() == *absolute));
    }
    assert_ne!(of(&divided), of(&x));
    let indicators = Regression::new(&x, y.clone(), &blocks).fit(&settings("fsor", &[]), 0, &mut Silent).unwrap();
    assert_eq!(fit(&table, "fsor", &[("codes", "indicators"), ("scale", "min-max")], 0).scores, indicators.scores);
    assert_eq!(fit(&table, "fsor", &[], 0), fit(&table, "fsor", &[("scale", "standard"), ("rank", "weight")], 0));
}

#[test]
fn scores_follow_weight_and_then_reduced_cost() {
    let scores = by_weight_then_cost(&[0.0, 0.3, 0.0, 0.7, 0.0], &[5.0, 1.0, 2.0, 1.0, 1.0]);
    assert_eq!(scores, [-1.0, 0.3, -0.25, 0.7, 0.0]);
    assert_eq!(by_weight_then_cost(&[1.0], &[-4.0]), [1.0]);
}

#[test]
fn contrasts_are_orthonormal_and_sum_to_zero() {
    let v = contrasts(5);
    let gram = inner_gram(&v);
    for at in 0..4 {
        assert!(v.col(at).iter().sum::<f64>().abs() < 1e-15);
        assert!((0..4).all(|other| (gram[(at, other)] - f64::from(u8::from(at == other))).abs() < 1e-15));
    }
}

fn many_classes(features: usize, classes: usize) -> Dataset {
    let rows = 6 * classes;
    let mut columns: Vec<Column> = (0..features)
        .map(|at| Column::numeric(format!("x{at}"), (0..rows).map(|row| ((row * (at + 3)) % 11) as f64).collect()))
        .collect();
    columns.push(Column::text("t", (0..rows).map(|row| format!("class {}", row % classes))));
    data(columns)
}

/// Two classes have one contrast, and every start leads to the same order; two indicators have a direction to spare.
#[test]
fn contrasts_of_two_classes_do_not_depend_on_the_start() {
    let x = random(200, 6, 3);
    let mut columns: Vec<Column> = (0..6).map(|at| Column::numeric(format!("x{at}"), x.col(at).to_vec())).collect();
    columns.push(Column::text("t", (0..200).map(|row| if x[(row, 0)] + 0.5 * x[(row, 1)] > 0.8 { "a" } else { "b" })));
    let table = data(columns);
    let orders = |codes: &str| {
        let one = |seed| {
            let scores = fit(&table, "fsor", &[("codes", codes)], seed).scores;
            (1..=6).map(|count| top(&scores, count)).collect::<Vec<_>>()
        };
        (0..8).map(one).collect::<std::collections::BTreeSet<_>>().len()
    };
    assert_eq!(orders("contrasts"), 1);
    assert!(orders("indicators") > 1);
}

#[test]
fn fewer_columns_than_classes_use_contrasts_or_are_rejected() {
    for solver in ["alm", "exact"] {
        for (features, classes) in [(5, 6), (4, 4), (1, 2)] {
            let found = fit(&many_classes(features, classes), "fsor", &[("solver", solver)], 0).scores;
            assert!(found.len() == features && found.iter().all(|score| score.is_finite()), "{found:?}");
        }
    }
    let refused = fit_watched(&many_classes(4, 6), "fsor", &[], 0, &mut Silent).unwrap_err().to_string();
    assert_eq!(refused, "fsor needs at least 5 coded columns for these classes, and there are 4");
}

#[test]
fn degenerate_tables_give_finite_scores() {
    let column = |name: &str, f: fn(usize) -> f64| Column::numeric(name, (0..20).map(f).collect());
    let degenerate = data(vec![
        column("k", |_| 3.0),
        column("twin", |row| (row % 4) as f64),
        column("x", |row| (row % 4) as f64),
        Column::text("levels", (0..20).map(|row| ["u", "v", "w"][row % 3])),
        Column::text("t", (0..20).map(|row| ["a", "b", "c", "d"][row % 4])),
    ]);
    for solver in ["alm", "exact"] {
        let found = fit(&degenerate, "fsor", &[("solver", solver)], 0).scores;
        assert!(found.len() == 4 && found.iter().all(|score| score.is_finite()), "{found:?}");
        let blocks = blocks(5);
        let still = Regression::new(&Matrix::zeros(9, 5), centred(&random(9, 3, 2)), &blocks);
        let found = still.fit(&settings("fsor", &[("solver", solver)]), 0, &mut Silent).unwrap().scores;
        assert!(found.iter().all(|score| (score - 0.25).abs() < 0.1), "equal weights: {found:?}");
    }
}

#[test]
fn a_class_without_rows_changes_nothing() {
    let table = planted(30, 10, 5);
    let mut more = table.clone();
    crate::methods::tests::add_class(&mut more.target, "never");
    assert_eq!(fit(&table, "fsor", &[], 0).scores, fit(&more, "fsor", &[], 0).scores);
    assert_eq!(design(&table), design(&more));
}
