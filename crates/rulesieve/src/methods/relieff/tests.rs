use super::*;
use crate::data::{Column, Dataset, DatasetOptions, Missing, Table, Target};
use crate::methods::tests::{bits, data, design, fit, fit_watched, generated, planted, top};
use crate::optim::Halt;
use std::ops::ControlFlow;

/// Four samples, one neighbour of each kind. a is 0, 0.1, 1, 0.9 (scaled), classes x x y y: every hit differs by 0.1, every nearest
/// miss by 0.8 or 0.9. b is 0, 1, 0, 1: hits differ by 1; distances decide the misses.
#[test]
fn four_samples_by_hand() {
    let table = data(vec![
        Column::numeric("a", vec![0.0, 1.0, 10.0, 9.0]),
        Column::numeric("b", vec![0.0, 1.0, 0.0, 1.0]),
        Column::text("t", ["x", "x", "y", "y"]),
    ]);
    // Distances: 0-1 1.1, 0-2 1.0, 0-3 1.9, 1-2 1.9, 1-3 0.8, 2-3 1.1. Misses: 0-2, 1-3, 2-0, 3-1.
    // a: misses 1.0, 0.8, 1.0, 0.8, hits 0.1 each; b: misses 0, hits 1. P(other) / (1 - P(own)) = 1.
    let scores = fit(&table, "relieff", &[("neighbours", "1")], 0).scores;
    assert!((scores[0] - (0.9 - 0.1)).abs() < 1e-12 && (scores[1] + 1.0).abs() < 1e-12, "{scores:?}");
}

/// The definition, pair by pair.
fn plain(table: &Dataset, k: usize) -> Vec<f64> {
    let design = design(table);
    let (x, codes, rows) = (&design.x, table.target.codes(), table.samples());
    let missing =
        |feature: usize, row: usize| design.filled.iter().any(|(own, rows)| *own == feature && rows.contains(&row));
    let diff = |f: usize, a: usize, b: usize| {
        let parts = design.blocks[f].clone().map(|col| (x[(a, col)] - x[(b, col)]).abs());
        let known = !missing(f, a) && !missing(f, b);
        known.then(|| parts.fold(0.0, f64::max))
    };
    let features = design.blocks.len();
    let distance = |a: usize, b: usize| {
        let known: Vec<f64> = (0..features).filter_map(|f| diff(f, a, b)).collect();
        if known.is_empty() { f64::INFINITY } else { known.iter().sum::<f64>() / known.len() as f64 }
    };
    let count = |class: u32| codes.iter().filter(|&&code| code == class).count() as f64;
    let mut scores = vec![0.0; features];
    for row in 0..rows {
        for class in 0..table.target.classes().len() as u32 {
            let mut others: Vec<usize> = (0..rows)
                .filter(|&other| codes[other] == class && other != row && distance(row, other).is_finite())
                .collect();
            others.sort_by(|&a, &b| distance(row, a).total_cmp(&distance(row, b)).then(a.cmp(&b)));
            others.truncate(k);
            let own = codes[row];
            let factor = if class == own { -1.0 } else { count(class) / (rows as f64 - count(own)) };
            for (feature, score) in scores.iter_mut().enumerate() {
                let known: Vec<f64> = others.iter().filter_map(|&other| diff(feature, row, other)).collect();
                *score += factor * known.iter().sum::<f64>() / known.len().max(1) as f64 / rows as f64;
            }
        }
    }
    scores
}

fn close(found: &[f64], expected: &[f64]) {
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}\n{expected:?}");
}

#[test]
fn the_fast_form_is_the_definition_for_several_classes() {
    let table = planted(70, 9, 3);
    for k in [1, 5, 10, 500] {
        close(&fit(&table, "relieff", &[("neighbours", &k.to_string())], 0).scores, &plain(&table, k));
    }
}

#[test]
fn missing_values_and_categories_follow_the_definition() {
    let rows = 45;
    // All distances are different.
    let value = |row: usize, by: usize| (row as f64 * by as f64 * 0.618_033_988_749_895).fract();
    let holed = |by: usize, hole: usize| {
        (0..rows).map(|row| if row % hole == 3 { f64::NAN } else { value(row, by) }).collect::<Vec<_>>()
    };
    let table = Table::new(vec![
        Column::numeric("a", holed(7, 5)),
        Column::numeric("b", holed(11, 8)),
        Column::text("levels", (0..rows).map(|row| if row % 9 == 3 { "" } else { ["u", "v", "w"][row * 5 % 3] })),
        Column::numeric("z", (0..rows).map(|row| value(row, 17)).collect()),
        Column::text("t", (0..rows).map(|row| ["x", "y", "z"][row * row % 3])),
    ]);
    let options = DatasetOptions { target: Target::named("t"), missing: Missing::Median, ..Default::default() };
    let table = Dataset::new(table.unwrap(), &options).unwrap();
    assert_eq!(design(&table).filled.len(), 3);
    for k in [1, 4, 10] {
        close(&fit(&table, "relieff", &[("neighbours", &k.to_string())], 0).scores, &plain(&table, k));
    }
}

/// Rows without values are not neighbours of any row: they only change the class shares.
#[test]
fn empty_rows_do_not_affect_a_perfect_feature() {
    let rows = 60;
    let hole = |row: usize, value: f64| if row.is_multiple_of(3) { f64::NAN } else { value };
    let table = Table::new(vec![
        Column::numeric("x", (0..rows).map(|row| hole(row, (row % 2) as f64 + 0.001 * row as f64)).collect()),
        Column::numeric("y", (0..rows).map(|row| hole(row, (row * 7 % 13) as f64)).collect()),
        Column::text("t", (0..rows).map(|row| ["a", "b"][row % 2])),
    ]);
    let options = DatasetOptions { target: Target::named("t"), missing: Missing::Median, ..Default::default() };
    let table = Dataset::new(table.unwrap(), &options).unwrap();
    let scores = fit(&table, "relieff", &[], 0).scores;
    assert!(scores[0] > 0.4 && scores[1] < 0.1, "{scores:?}");
    close(&scores, &plain(&table, 10));
}

/// Two columns whose exclusive or is the class: alone, both are uninformative.
#[test]
fn interactions_are_detected() {
    let scores = fit(&generated("xor", 300, 12), "relieff", &[], 0).scores;
    let xor = top(&scores, 2);
    // Sorted by name: x1, x10, x11, x12, x2, ...
    assert_eq!(xor, [0, 4], "{scores:?}");
    for (rows, columns) in [(120, 20), (60, 150)] {
        assert_eq!(top(&fit(&planted(rows, columns, 1), "relieff", &[], 0).scores, 3), [0, 1, 2]);
    }
}

#[test]
fn samples_threads_and_seeds() {
    let table = planted(300, 6, 2);
    let some = |seed: u64| fit(&table, "relieff", &[("samples", "40")], seed);
    assert_eq!((some(1).iteration.unwrap().count, bits(&some(1).scores)), (40, bits(&some(1).scores)));
    assert_ne!(bits(&some(1).scores), bits(&some(2).scores));
    assert_eq!(top(&some(1).scores, 3), [0, 1, 2]);
    let all = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        bits(&pool.install(|| fit(&table, "relieff", &[], 0)).scores)
    };
    assert_eq!(all(1), all(5));
    let mut stop = |_: &Progress| ControlFlow::Break(Halt::OutOfTime);
    let ended = fit_watched(&table, "relieff", &[], 0, &mut stop).unwrap().iteration.unwrap();
    assert_eq!((ended.count, ended.halted), (256, Some(Halt::OutOfTime)));
}

#[test]
fn degenerate_columns_give_finite_scores() {
    let table = data(vec![
        Column::numeric("k", vec![1.0; 8]),
        Column::numeric("twin", (0..8).map(f64::from).collect()),
        Column::numeric("x", (0..8).map(f64::from).collect()),
        Column::text("t", (0..8).map(|row| ["a", "b", "c", "d"][row / 2])),
    ]);
    let scores = fit(&table, "relieff", &[("neighbours", "3")], 0).scores;
    assert!(scores[0] == 0.0 && scores[1] == scores[2] && scores[1] > 0.0, "{scores:?}");
    let single = data(vec![
        Column::numeric("x", (0..8).map(f64::from).collect()),
        Column::text("t", (0..8).map(|row| ["a", "b"][row / 4])),
    ]);
    assert!(fit(&single, "relieff", &[], 0).scores[0] > 0.0);
}

/// RReliefF as printed in the article, pair by pair.
fn plain_regression(table: &Dataset, k: usize) -> Vec<f64> {
    let design = design(table);
    let target = table.target.numbers().unwrap();
    let (low, high) = target.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |r, &v| (r.0.min(v), r.1.max(v)));
    let rows = table.samples();
    let diff = |f: usize, a: usize, b: usize| {
        design.blocks[f].clone().map(|col| (design.x[(a, col)] - design.x[(b, col)]).abs()).fold(0.0, f64::max)
    };
    let features = design.blocks.len();
    let distance = |a: usize, b: usize| (0..features).map(|f| diff(f, a, b)).sum::<f64>();
    let (mut of_target, mut of_feature, mut of_both) = (0.0, vec![0.0; features], vec![0.0; features]);
    for row in 0..rows {
        let mut near: Vec<usize> = (0..rows).filter(|&other| other != row).collect();
        near.sort_by(|&a, &b| distance(row, a).total_cmp(&distance(row, b)).then(a.cmp(&b)));
        near.truncate(k);
        let influence = 1.0 / near.len() as f64;
        for other in near {
            let apart = (target[row] - target[other]).abs() / (high - low);
            of_target += apart * influence;
            for feature in 0..features {
                of_feature[feature] += diff(feature, row, other) * influence;
                of_both[feature] += apart * diff(feature, row, other) * influence;
            }
        }
    }
    let score = |f: usize| of_both[f] / of_target - (of_feature[f] - of_both[f]) / (rows as f64 - of_target);
    (0..features).map(score).collect()
}

/// A number that depends on the product of two columns and on a category.
fn product(rows: usize) -> Dataset {
    let value = |row: usize, by: f64| (row as f64 * by).fract();
    let (a, b) = (|row: usize| value(row, 0.618_033_988_749_895), |row: usize| value(row, 0.414_213_562_373_095));
    let kind = |row: usize| row * row % 7 % 3;
    data(vec![
        Column::numeric("a", (0..rows).map(a).collect()),
        Column::numeric("b", (0..rows).map(b).collect()),
        Column::text("kind", (0..rows).map(|row| ["u", "v", "w"][kind(row)])),
        Column::numeric("noise", (0..rows).map(|row| value(row, 0.732_050_807_568_877)).collect()),
        Column::numeric("t", (0..rows).map(|r| (a(r) - 0.5) * (b(r) - 0.5) + 0.05 * kind(r) as f64).collect()),
    ])
}

#[test]
fn regression_follows_the_definition_and_finds_interactions() {
    for k in [1, 10, 500] {
        let table = product(60);
        close(&fit(&table, "relieff", &[("neighbours", &k.to_string())], 0).scores, &plain_regression(&table, k));
    }
    let scores = fit(&product(400), "relieff", &[], 0).scores;
    // The nearest rows have the same category.
    assert_eq!((top(&scores, 2), scores[2]), (vec![0, 1], 0.0), "{scores:?}");
    assert!(scores[..2].iter().all(|score| *score > 10.0 * scores[3].abs()), "{scores:?}");
}

#[test]
fn regression_leaves_missing_values_out() {
    let rows = 200;
    let hole = |row: usize, value: f64| if row % 5 == 3 { f64::NAN } else { value };
    let table = Table::new(vec![
        Column::numeric("noise", (0..rows).map(|row| hole(row + 1, (row * 83 % 199) as f64)).collect()),
        Column::numeric("x", (0..rows).map(|row| hole(row, (row * 37 % 200) as f64)).collect()),
        Column::numeric("t", (0..rows).map(|row| (row * 37 % 200) as f64).collect()),
    ]);
    let keep_suspicious = crate::data::KeepSuspicious::All;
    let options = DatasetOptions { target: Target::named("t"), keep_suspicious, ..Default::default() };
    let scores = fit(&Dataset::new(table.unwrap(), &options).unwrap(), "relieff", &[], 0).scores;
    // Computed by a separate program from the definition, which may order equal distances differently.
    assert!((scores[0] + 0.00461893).abs() < 1e-4 && (scores[1] - 0.01406807).abs() < 1e-4, "{scores:?}");
}
