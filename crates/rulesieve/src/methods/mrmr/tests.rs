use super::*;
use crate::data::{Column, Dataset};
use crate::methods::tests::{data, design, fit, fit_watched, planted, top};
use crate::optim::Halt;
use std::ops::ControlFlow;

fn order(data: &Dataset, set: &[(&str, &str)]) -> Vec<usize> {
    let scores = fit(data, "mrmr", set, 0).scores;
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    order
}

#[test]
fn a_small_case_by_hand() {
    let table = data(vec![
        Column::numeric("a", vec![0.0, 1.0, 2.0, 10.0, 11.0, 12.0]),
        Column::numeric("c", vec![0.0, 4.0, 2.0, 4.0, 6.0, 8.0]),
        Column::numeric("z", vec![1.0, 3.0, 2.0, 2.0, 1.0, 3.0]),
        Column::text("t", ["x", "x", "x", "y", "y", "y"]),
    ]);
    // F(a): means 1 and 11, SSB = 150, SSW = 4, F = 150. F(c): means 2 and 6, SSB = 24, SSW = 16, F = 6. F(z) = 0.
    let names: Vec<&str> = vec!["a", "c", "z"];
    let design = design(&table);
    let problem = Problem { design: &design, names: &names, target: &table.target, weights: None };
    let relevance = anova::statistics(&problem);
    assert!((relevance[0] - 150.0).abs() < 1e-9 && (relevance[1] - 6.0).abs() < 1e-9 && relevance[2] < 1e-9);
    // r(a, c) from sums of products around the means 6 and 4: 66 / sqrt(154 * 40).
    let columns = standardised(&design.x, &design.blocks);
    let r = crate::linalg::dot(columns.col(0), columns.col(1));
    assert!((r - 66.0 / (154.0_f64 * 40.0).sqrt()).abs() < 1e-12, "{r}");
    let trace = fit(&table, "mrmr", &[], 0).iteration.unwrap().trace;
    assert!((trace[0][0] - 150.0).abs() < 1e-9 && (trace[1][0] - 6.0 / r).abs() < 1e-9, "{trace:?}");
    let trace = fit(&table, "mrmr", &[("scheme", "difference")], 0).iteration.unwrap().trace;
    assert!((trace[1][0] - (6.0 - r)).abs() < 1e-9, "{trace:?}");
}

/// The definition, with every correlation computed from its formula.
#[test]
fn fast_sums_give_the_order_of_the_definition() {
    for (rows, columns) in [(60, 12), (30, 40)] {
        let table = planted(rows, columns, 5);
        let design = design(&table);
        let x = &design.x;
        let names: Vec<&str> = table.features.iter().map(|feature| feature.name.as_str()).collect();
        let relevance =
            anova::statistics(&Problem { design: &design, names: &names, target: &table.target, weights: None });
        let correlation = |a: usize, b: usize| {
            let mean = |col: usize| x.col(col).iter().sum::<f64>() / rows as f64;
            let (ma, mb) = (mean(a), mean(b));
            let sum = |f: &dyn Fn(usize) -> f64| (0..rows).map(f).sum::<f64>();
            let both = sum(&|row| (x[(row, a)] - ma) * (x[(row, b)] - mb));
            let (va, vb) = (sum(&|row| (x[(row, a)] - ma).powi(2)), sum(&|row| (x[(row, b)] - mb).powi(2)));
            (both / (va * vb).sqrt()).abs()
        };
        for scheme in ["quotient", "difference"] {
            let mut taken: Vec<usize> = Vec::new();
            while taken.len() < columns {
                let worth = |feature: usize| {
                    let mean =
                        taken.iter().map(|&other| correlation(feature, other)).sum::<f64>() / taken.len().max(1) as f64;
                    match (taken.is_empty(), scheme) {
                        (true, _) => relevance[feature],
                        (false, "quotient") => relevance[feature] / mean.max(1e-3),
                        (false, _) => relevance[feature] - mean,
                    }
                };
                let left = (0..columns).filter(|feature| !taken.contains(feature));
                taken.push(left.max_by(|&a, &b| worth(a).total_cmp(&worth(b))).unwrap());
            }
            assert_eq!(order(&table, &[("scheme", scheme)]), taken, "{scheme}");
        }
    }
}

/// A copy of the best feature ranks after a weaker one with new information.
#[test]
fn redundant_features_rank_lower() {
    let rows = 90;
    let noise = |row: usize, by: usize| (row * by % 97) as f64 / 97.0;
    let best: Vec<f64> = (0..rows).map(|row| if row % 3 == 0 { 1.0 } else { 0.0 } + noise(row, 31)).collect();
    let copy: Vec<f64> = best.iter().enumerate().map(|(row, value)| value + 0.01 * noise(row, 7)).collect();
    let other: Vec<f64> = (0..rows).map(|row| if row % 3 == 1 { 0.8 } else { 0.0 } + noise(row, 53)).collect();
    let table = data(vec![
        Column::numeric("best", best),
        Column::numeric("copy", copy),
        Column::numeric("other", other),
        Column::text("t", (0..rows).map(|row| ["a", "b", "c"][row % 3])),
    ]);
    assert_eq!(order(&table, &[])[1], 2);
    let by_relevance = fit(&table, "anova", &[], 0).scores;
    assert!(by_relevance[1] > by_relevance[2], "{by_relevance:?}");
}

#[test]
fn planted_features_come_first_and_depth_ends_the_search() {
    // With many columns of noise some are uncorrelated with all others by chance, which a quotient rewards: use the
    // difference.
    for (rows, columns, scheme) in [(120, 20, "quotient"), (60, 150, "difference")] {
        let table = planted(rows, columns, 1);
        assert_eq!(top(&fit(&table, "mrmr", &[("scheme", scheme)], 0).scores, 3), [0, 1, 2]);
        let shallow = fit(&table, "mrmr", &[("depth", "3")], 0);
        assert_eq!(shallow.iteration.unwrap().count, 3);
        assert_eq!(order(&table, &[("depth", "3")])[..3], order(&table, &[])[..3]);
        let mut distinct = shallow.scores.clone();
        distinct.sort_by(f64::total_cmp);
        distinct.dedup();
        assert_eq!(distinct.len(), columns, "every feature has its own rank");
    }
    let mut stop = |progress: &Progress| match progress.iteration {
        4 => ControlFlow::Break(Halt::Interrupted),
        _ => ControlFlow::Continue(()),
    };
    let ended = fit_watched(&planted(60, 20, 1), "mrmr", &[], 0, &mut stop).unwrap().iteration.unwrap();
    assert_eq!((ended.count, ended.halted, ended.converged), (4, Some(Halt::Interrupted), false));
}

/// Three columns that are constant within every class: the second is almost the first, the third is not.
#[test]
fn perfect_separators_are_ranked_by_redundancy() {
    let column = |name: &str, of_class: [f64; 3]| Column::numeric(name, (0..30).map(|row| of_class[row % 3]).collect());
    let table = data(vec![
        column("s1", [0.0, 1.0, 2.0]),
        column("s2", [0.0, 1.05, 2.0]),
        column("s3", [0.0, 2.0, 1.0]),
        Column::text("t", (0..30).map(|row| ["a", "b", "c"][row % 3])),
    ]);
    for scheme in ["quotient", "difference"] {
        let found = fit(&table, "mrmr", &[("scheme", scheme)], 0);
        assert!(
            found.iteration.unwrap().trace.iter().flatten().all(|value| value.is_finite()),
            "it can be saved as JSON"
        );
        assert_eq!(order(&table, &[("scheme", scheme)]), [0, 2, 1], "{scheme}");
    }
}

#[test]
fn categories_and_degenerate_columns_give_finite_scores() {
    let rows = 24;
    let table = data(vec![
        Column::text("copy", (0..rows).map(|row| ["u", "v", "w"][row % 3])),
        Column::numeric("k", vec![1.0; rows]),
        Column::text("levels", (0..rows).map(|row| ["p", "q", "r", "s"][row * 7 % 4])),
        Column::text("t", (0..rows).map(|row| ["a", "b", "c"][row % 3])),
    ]);
    for scheme in ["quotient", "difference"] {
        let found = fit(&table, "mrmr", &[("scheme", scheme)], 0);
        assert_eq!(order(&table, &[("scheme", scheme)])[0], 0, "a copy of the classes");
        assert!(found.scores.iter().all(|score| score.is_finite()));
    }
    let design = design(&table);
    let columns = standardised(&design.x, &design.blocks);
    let own =
        product(ColumnsTransposed(&columns, design.blocks[0].clone()), Columns(&columns, design.blocks[0].clone()));
    assert!((own.norm_squared() - 1.0).abs() < 1e-12, "the correlation of a feature with itself is 1");
}

/// Copies, also with another scale and direction, add nothing: they follow after noise.
#[test]
fn copies_come_last() {
    let mut columns = Vec::new();
    let base = planted(80, 8, 4);
    for feature in &base.features {
        let crate::data::FeatureValues::Numeric(values) = &feature.values else { panic!("numbers") };
        columns.push(Column::numeric(feature.name.clone(), values.clone()));
    }
    for (at, scale) in [(0, 1.0), (1, -3.0), (5, 0.1)] {
        let crate::data::FeatureValues::Numeric(values) = &base.features[at].values else { panic!("numbers") };
        columns.push(Column::numeric(format!("y{at}"), values.iter().map(|value| scale * value + 2.0).collect()));
    }
    columns.push(Column::text("t", (0..80).map(|row| ["a", "b", "c"][row % 3])));
    let table = data(columns);
    for set in [&[][..], &[("scheme", "difference")]] {
        let found = order(&table, set);
        for (a, b) in [(0, 8), (1, 9), (5, 10)] {
            assert!(
                found[..8].contains(&a) != found[..8].contains(&b),
                "one of each pair is among the first: {found:?}"
            );
        }
    }
}

#[test]
fn numeric_targets_use_the_f_statistic_of_the_correlation() {
    let rows = 100;
    let noise = |row: usize, by: usize| (row * by % 101) as f64 / 101.0 - 0.5;
    let number = |name: &str, of: &dyn Fn(usize) -> f64| Column::numeric(name, (0..rows).map(of).collect());
    let table = data(vec![
        number("a", &|row| noise(row, 37)),
        number("almost", &|row| noise(row, 37) + 0.02 * noise(row, 11)),
        number("b", &|row| noise(row, 59)),
        number("noise", &|row| noise(row, 83)),
        number("t", &|row| noise(row, 37) + 0.6 * noise(row, 59) + 0.1 * noise(row, 13)),
    ]);
    let found = order(&table, &[]);
    assert!(found[..2].contains(&2) && (found[..2].contains(&0) || found[..2].contains(&1)), "{found:?}");
}
