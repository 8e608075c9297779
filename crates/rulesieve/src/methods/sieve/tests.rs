//! The method on data whose answer is known, and against numbers of the NumPy reference (`sieve_numpy.py`).

use super::coding::code;
use super::columns::Columns;
use super::eliminate::{Elimination, Sample};
use super::leave_one_out::{Ridge, distances, error_without, gradient};
use super::params::{Params, Scale};
use super::rows::Training;
use crate::data::{Column, ColumnData, Dataset, DatasetOptions, Table, Target, TargetColumn};
use crate::generate;
use crate::methods::Method;
use crate::methods::tests::{data, design, settings};
use crate::optim::{Halt, Progress, Silent};
use crate::select::{SelectOptions, Selection, Size, select};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::ops::ControlFlow;

fn options(set: &[(&str, &str)], seed: u64) -> SelectOptions {
    SelectOptions { settings: settings("sieve", set), size: Size::Auto, seed, ..SelectOptions::new(Method::Sieve) }
}

fn run(data: &Dataset, set: &[(&str, &str)], seed: u64) -> Selection {
    select(data, &options(set, seed), &mut Silent).unwrap()
}

fn first(selection: &Selection, count: usize) -> Vec<&str> {
    let mut names: Vec<&str> = selection.ranking[..count].iter().map(|ranked| ranked.feature.as_str()).collect();
    names.sort_unstable();
    names
}

fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    move || rng.random::<f64>()
}

fn noise(rows: usize, columns: usize, seed: u64) -> Vec<Column> {
    let mut draw = random(seed);
    (0..columns).map(|at| Column::numeric(format!("n{at:03}"), (0..rows).map(|_| draw()).collect())).collect()
}

/// The table of the reference: fractions of a sine that grows fast.
fn reference_table(rows: usize, columns: usize) -> Vec<Vec<f64>> {
    let value = |row: usize, col: usize| {
        let value = (row as f64 * 12.9898 + col as f64 * 78.233).sin() * 43758.5453;
        value - value.floor()
    };
    (0..columns).map(|col| (0..rows).map(|row| value(row, col)).collect()).collect()
}

#[test]
fn errors_gradient_and_order_are_those_of_the_reference() {
    let table = reference_table(60, 6);
    let class = |row: usize| if (table[0][row] - 0.5) * (table[1][row] - 0.5) > 0.0 { "q" } else { "p" };
    let mut cells: Vec<Column> =
        table.iter().enumerate().map(|(at, values)| Column::numeric(format!("x{at}"), values.clone())).collect();
    cells.push(Column::text("t", (0..60).map(class)));
    let data = data(cells);
    let columns = Columns::as_they_are(&design(&data), &data.target);
    let rows: Vec<usize> = (0..60).collect();
    let (coded, _) = code(&columns, &rows[..6], (&rows, &[]), Scale::Standard);
    let training = Training::new(&columns, &rows, false);
    let kernel = Ridge { ridge: 0.1, width: 1.0 };
    let known: [(&[usize], f64); 3] = [
        (&[0, 1], 0.171_828_056_348_072_4),
        (&[0, 1, 2, 3, 4, 5], 0.310_169_045_974_287_24),
        (&[2, 3], 0.575_964_559_159_402_5),
    ];
    for (set, expected) in known {
        let found = error_without(&distances(&coded, set), &[], set.len(), &training.responses, kernel).unwrap();
        assert!((found - expected).abs() < 1e-5, "{set:?}: {found}");
    }
    let slopes = [
        -0.046_884_701_091_105,
        -0.060_547_211_823_312,
        0.043_484_068_447_728,
        0.018_549_813_383_286,
        -0.005_984_630_600_549,
        0.015_724_771_031_759,
    ];
    let all: Vec<usize> = (0..6).collect();
    let found = gradient(&coded, &all, &distances(&coded, &all), &training.responses, kernel).unwrap();
    found.iter().zip(slopes).for_each(|(found, slope)| assert!((found - slope).abs() < 1e-4, "{found} {slope}"));
    let params = Params::from_settings(&settings("sieve", &[]));
    let samples = [Sample { coded, responses: training.responses }];
    let elimination = Elimination { samples: &samples, params: &params, share: params.share };
    assert_eq!(elimination.by_error(&all, &mut || None).unwrap(), [1, 0, 5, 3, 4, 2]);
}

/// Structure that no column shows alone, of order two to four. The full count of seeds is an experiment.
#[test]
fn finds_rings_and_parity_among_noise() {
    let problems = [("double-circle", 400, 30), ("xor", 500, 200), ("parity3", 1000, 60), ("parity4", 2000, 20)];
    for (name, samples, features) in problems {
        let made = generate::find(name).unwrap().generate(Some(samples), Some(features), 5).unwrap();
        let data = Dataset::new(made.table, &DatasetOptions::default()).unwrap();
        let found = run(&data, &[], 5);
        let mut truth = made.informative.clone();
        truth.sort_unstable();
        assert_eq!(first(&found, truth.len()), truth, "{name}");
        assert!(found.held_out.as_ref().unwrap().better_than_chance, "{name}: {:?}", found.held_out);
        let count = truth.len();
        let p_value = |at: usize| found.ranking[at].p_value.unwrap();
        assert!(p_value(count - 1) < 0.01 && p_value(count) > 0.01, "{name}");
    }
}

/// The exclusive or of one pair decides most rows; that of a second pair shows in the rest.
#[test]
fn a_second_scan_finds_a_pair_that_another_one_hides() {
    let table = reference_table(250, 60);
    let side = |col: usize, row: usize| table[col][row] > 0.5;
    let class = |row: usize| {
        let (first, second) = (side(0, row) == side(1, row), side(2, row) == side(3, row));
        let frequent = table[4][row] < 0.65;
        if first || (second && frequent) { "q" } else { "p" }
    };
    let mut cells: Vec<Column> =
        table.iter().enumerate().map(|(at, values)| Column::numeric(format!("x{at}"), values.clone())).collect();
    cells.push(Column::text("t", (0..250).map(class)));
    let data = data(cells);
    let significant = |scans: &str| {
        let found = run(&data, &[("scans", scans)], 1);
        let p_value = |name: &str| found.ranking.iter().find(|entry| entry.feature == name).unwrap().p_value.unwrap();
        ["x2", "x3"].map(|name| p_value(name) <= 0.01)
    };
    assert_eq!((significant("1"), significant("2")), ([false; 2], [true; 2]));
}

#[test]
fn a_given_path_decides_order_and_size() {
    let made = generate::find("double-circle").unwrap().generate(Some(300), Some(60), 3).unwrap();
    let data = Dataset::new(made.table, &DatasetOptions::default()).unwrap();
    let (wide, significant) = (run(&data, &[("path", "wide")], 3), run(&data, &[("path", "significant")], 3));
    let names = |found: &Selection| found.ranking.iter().map(|entry| entry.feature.clone()).collect::<Vec<_>>();
    assert_ne!(names(&wide), names(&significant));
    let gains =
        |found: &Selection| found.size.as_ref().unwrap().points.iter().map(|point| point.score).collect::<Vec<_>>();
    assert_ne!(gains(&wide), gains(&significant), "the size is chosen by the results of the given path");
}

#[test]
fn pairs_that_act_together_are_named() {
    let made = generate::find("xor").unwrap().generate(Some(400), Some(40), 1).unwrap();
    let data = Dataset::new(made.table, &DatasetOptions::default()).unwrap();
    let found = run(&data, &[], 1);
    assert_eq!(found.pairs.len(), 1, "{:?}", found.pairs);
    assert_eq!(found.pairs[0].features, ("x1".to_owned(), "x2".to_owned()));
    assert!(found.pairs[0].p_value < 1e-20);
    assert!(found.tested.unwrap().contains("pairs tested: all 780"));
    let none = run(&data, &[("pairs", "0"), ("parity", "0")], 1);
    assert!(none.pairs.is_empty());
}

#[test]
fn noise_is_reported_as_no_better_than_chance() {
    let mut warned = 0;
    for seed in 0..10 {
        let mut columns = noise(100, 120, seed);
        let mut draw = random(1000 + seed);
        columns.push(Column::text("t", (0..100).map(|_| if draw() < 0.5 { "p" } else { "q" })));
        let found = run(&data(columns), &[], seed);
        let held_out = found.held_out.as_ref().unwrap();
        assert_eq!(held_out.rows, 100);
        assert!((held_out.accuracy.unwrap() - 0.5).abs() < 0.2, "{held_out:?}");
        warned +=
            usize::from(found.warnings.iter().any(|warning| warning.to_string().contains("no better than chance")));
        assert!(found.pairs.is_empty() && found.ranking[0].p_value.unwrap() > 0.001, "seed {seed}");
    }
    assert!(warned >= 9, "{warned} of 10");
}

/// Columns x (a shift), y (a slope), levels (a category of four that carries signal), and noise of several kinds.
fn mixed(levels: usize, seed: u64) -> Vec<Column> {
    let mut draw = random(seed);
    let classes: Vec<bool> = (0..300).map(|_| draw() < 0.5).collect();
    let shift = |by: f64, draw: &mut dyn FnMut() -> f64| -> Vec<f64> {
        classes.iter().map(|&class| draw() + draw() + if class { by } else { 0.0 }).collect()
    };
    let (x, y) = (shift(0.7, &mut draw), shift(0.4, &mut draw));
    let level = |&class: &bool| ["a", "b", "c", "d"][(draw() * if class { 4.0 } else { 2.5 }) as usize];
    let category: Vec<&str> = classes.iter().map(level).collect();
    let random_level: Vec<String> = (0..300).map(|_| format!("l{}", (draw() * levels as f64) as usize)).collect();
    let mut columns = noise(300, 6, seed + 50);
    columns.push(Column::numeric("x", x));
    columns.push(Column::numeric("y", y));
    columns.push(Column::text("category", category));
    columns.push(Column::text("random", random_level));
    columns.push(Column::text("t", classes.iter().map(|&class| if class { "p" } else { "q" })));
    columns
}

#[test]
fn many_levels_are_no_advantage() {
    for levels in [2, 5, 40, 150] {
        for seed in 0..3 {
            let found = run(&data(mixed(levels, seed)), &[], seed);
            let rank = |name: &str| found.ranking.iter().find(|ranked| ranked.feature == name).unwrap().rank;
            let worst = ["x", "y", "category"].map(rank).into_iter().max().unwrap();
            assert!(rank("random") > worst, "{levels} levels, seed {seed}: {:?}", found.ranking);
            assert!(!found.selected.contains(&"random".to_owned()), "{levels} levels, seed {seed}");
        }
    }
}

/// New names change the names alone, and neither rows nor columns need an order.
#[test]
fn names_and_orders_change_nothing() {
    let columns = mixed(12, 3);
    let expected = run(&data(columns.clone()), &[], 1);
    let renamed = |name: &str| match name {
        "t" => "t".to_owned(),
        name => name.chars().rev().collect(),
    };
    let mut other: Vec<Column> =
        columns.iter().map(|column| Column { name: renamed(&column.name), ..column.clone() }).collect();
    other.reverse();
    let rows: Vec<usize> = (0..300).map(|row| (row * 7) % 300).collect();
    let other = other.into_iter().map(|column| column.rows(&rows)).collect();
    let found = run(&data(other), &[], 1);
    let entries = |found: &Selection, name: &dyn Fn(&str) -> String| -> Vec<(String, u64, Option<u64>)> {
        let entry = |ranked: &crate::select::Ranked| {
            (name(&ranked.feature), ranked.score.to_bits(), ranked.p_value.map(f64::to_bits))
        };
        found.ranking.iter().map(entry).collect()
    };
    assert_eq!(entries(&expected, &renamed), entries(&found, &|name| name.to_owned()));
    assert_eq!(expected.held_out, found.held_out);
}

/// Columns of zeros and ones with equally many ones differ only in their rows.
#[test]
fn order_of_rows_changes_nothing_where_columns_have_the_same_values() {
    let mut draw = random(21);
    let mut ones = || {
        let mut order: Vec<(f64, usize)> = (0..200).map(|row| (draw(), row)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut values = vec![0.0; 200];
        order[..80].iter().for_each(|&(_, row)| values[row] = 1.0);
        values
    };
    let mut columns: Vec<Column> = (0..6).map(|at| Column::numeric(format!("b{at}"), ones())).collect();
    let class = ones();
    columns.push(Column::text("t", class.iter().map(|&value| if value > 0.5 { "p" } else { "q" })));
    let rows: Vec<usize> = (0..200).map(|row| (row * 7) % 200).collect();
    let moved = columns.iter().map(|column| column.rows(&rows)).collect();
    let (expected, found) = (run(&data(columns), &[], 1), run(&data(moved), &[], 1));
    assert_eq!((&expected.ranking, &expected.held_out), (&found.ranking, &found.held_out));
}

#[test]
fn changing_the_signs_of_columns_changes_no_p_value() {
    let mut draw = random(22);
    let values: Vec<Vec<f64>> =
        [0.2, 0.4, 0.7, 0.9].map(|share| (0..500).map(|_| f64::from(u8::from(draw() < share))).collect()).to_vec();
    let class = |row: usize| if (values[0][row] > 0.5) ^ (values[2][row] > 0.5) { "p" } else { "q" };
    let p_values = |sign: f64| {
        let numeric = |(at, values): (usize, &Vec<f64>)| {
            Column::numeric(format!("b{at}"), values.iter().map(|value| sign * value).collect())
        };
        let mut columns: Vec<Column> = values.iter().enumerate().map(numeric).collect();
        columns.push(Column::text("t", (0..500).map(class)));
        let mut found: Vec<(String, f64)> = run(&data(columns), &[], 0)
            .ranking
            .into_iter()
            .map(|entry| (entry.feature, entry.p_value.unwrap()))
            .collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    };
    let (plain, negative) = (p_values(1.0), p_values(-1.0));
    assert!(plain[0].1 < 1e-9 && plain[2].1 < 1e-9, "{plain:?}");
    for (one, other) in plain.iter().zip(&negative) {
        assert!((one.1.ln() - other.1.ln()).abs() < 1e-6, "{plain:?} {negative:?}");
    }
}

#[test]
fn noise_is_no_better_than_chance_where_classes_are_balanced() {
    let mut better = 0;
    for seed in 0..8 {
        let mut columns = noise(300, 8, seed + 40);
        columns.push(Column::text("t", (0..300).map(|row| if row % 10 == 0 { "p" } else { "q" })));
        let held_out = run(&data(columns), &[("weights", "balanced")], seed).held_out.unwrap();
        assert_eq!(held_out.chance_accuracy, Some(0.9));
        better += usize::from(held_out.better_than_chance);
    }
    assert!(better <= 1, "{better} of 8");
}

/// Effects that add up on the scale of logits are no interaction, also in the rows of the second scan.
#[test]
fn a_second_scan_names_no_pair_whose_effects_add_up() {
    let mut named = 0;
    for seed in 0..12 {
        let mut draw = random(seed + 60);
        let levels: Vec<(usize, usize)> =
            (0..600).map(|_| ((4.0 * draw()) as usize, (4.0 * draw()) as usize)).collect();
        let class = |&(a, b): &(usize, usize)| {
            let logit = [-1.5, -0.5, 0.5, 1.5][a] + [1.2, -0.4, 0.4, -1.2][b];
            if draw() < 1.0 / (1.0 + f64::exp(-logit)) { "p" } else { "q" }
        };
        let classes: Vec<&str> = levels.iter().map(class).collect();
        let mut columns = noise(600, 3, seed);
        columns.push(Column::text("a", levels.iter().map(|level| ["k", "l", "m", "n"][level.0])));
        columns.push(Column::text("b", levels.iter().map(|level| ["k", "l", "m", "n"][level.1])));
        columns.push(Column::text("t", classes));
        named += usize::from(!run(&data(columns), &[], seed).pairs.is_empty());
    }
    assert!(named <= 1, "{named} of 12");
}

#[test]
fn threads_change_no_bit() {
    let data = data(mixed(12, 4));
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut found = pool.install(|| run(&data, &[], 1));
        found.seconds = 0.0;
        found
    };
    assert_eq!(with(1), with(4));
}

#[test]
fn numbers_are_predicted_and_their_columns_found() {
    let made = generate::find("friedman").unwrap().generate(Some(400), Some(20), 2).unwrap();
    let wishes = DatasetOptions::new(TargetColumn::default().regression());
    let data = Dataset::new(made.table, &wishes).unwrap();
    let found = run(&data, &[], 0);
    let mut truth = made.informative.clone();
    truth.sort_unstable();
    assert_eq!(first(&found, truth.len()), truth);
    let held_out = found.held_out.unwrap();
    assert!(held_out.r2.unwrap() > 0.7 && held_out.accuracy.is_none(), "{held_out:?}");
}

/// The unit of the target changes that of the error alone, also where squares would overflow.
#[test]
fn the_size_of_a_numeric_target_changes_nothing() {
    let made = generate::find("friedman").unwrap().generate(Some(200), Some(8), 2).unwrap();
    let results = [1.0, 2.0_f64.powi(700), 2.0_f64.powi(-700)].map(|unit| {
        let mut data =
            Dataset::new(made.table.clone(), &DatasetOptions::new(TargetColumn::default().regression())).unwrap();
        if let Target::Numbers { values, .. } = &mut data.target {
            values.iter_mut().for_each(|value| *value *= unit);
        }
        let found = run(&data, &[], 0);
        let held_out = found.held_out.unwrap();
        (found.ranking, held_out.r2, held_out.rmse.unwrap() / unit, held_out.chance_rmse.unwrap() / unit)
    });
    assert!(results[0].1.unwrap() > 0.5 && results[0] == results[1] && results[0] == results[2], "{results:?}");
}

/// With a given size, held-out results are those of the first columns of every fold.
#[test]
fn held_out_results_are_those_of_a_given_size() {
    let made = generate::find("xor").unwrap().generate(Some(300), Some(30), 3).unwrap();
    let data = Dataset::new(made.table, &DatasetOptions::default()).unwrap();
    let of = |size: Size| select(&data, &SelectOptions { size, ..options(&[], 3) }, &mut Silent).unwrap();
    let accuracy = |found: &Selection| found.held_out.as_ref().unwrap().accuracy.unwrap();
    let chosen = of(Size::Auto);
    assert_eq!((chosen.selected.len(), chosen.held_out.as_ref().unwrap().features), (2, None));
    let [one, two, all] = [Size::Top(1), Size::Top(2), Size::Fraction(1.0)].map(of);
    assert_eq!([&one, &two, &all].map(|found| found.held_out.as_ref().unwrap().features), [Some(1), Some(2), Some(30)]);
    assert_eq!(accuracy(&two), accuracy(&chosen), "the same columns in every fold");
    assert!(accuracy(&one) < 0.65 && accuracy(&two) > 0.9 && accuracy(&all) < accuracy(&two) - 0.1);
    assert!(!one.held_out.as_ref().unwrap().better_than_chance);
    assert!(!one.held_out_summary().unwrap().contains("for the size"), "{:?}", one.held_out_summary());
}

#[test]
fn copies_come_after_all_distinct_columns_and_constants_last() {
    let mut columns = mixed(3, 6);
    let copy = columns.iter().find(|column| column.name == "x").unwrap().clone();
    columns.push(Column { name: "again".to_owned(), ..copy });
    columns.push(Column::numeric("constant", vec![1.0; 300]));
    let found = run(&data(columns), &[], 0);
    let names: Vec<&str> = found.ranking.iter().map(|ranked| ranked.feature.as_str()).collect();
    assert_eq!(&names[names.len() - 2..], ["x", "constant"]);
    assert!(names[..3].contains(&"again"), "{names:?}");
}

#[test]
fn weights_say_which_rows_count() {
    // The first half of the rows follows x, the second half y.
    let mut draw = random(9);
    let mut columns = noise(400, 5, 9);
    let (x, y): (Vec<f64>, Vec<f64>) = (0..400).map(|_| (draw(), draw())).unzip();
    let class = |row: usize| if (if row < 200 { x[row] } else { y[row] }) > 0.5 { "p" } else { "q" };
    columns.push(Column::text("t", (0..400).map(class)));
    columns.push(Column::numeric("x", x.clone()));
    columns.push(Column::numeric("y", y.clone()));
    let data = data(columns);
    for (favoured, expected) in [(0..200, "x"), (200..400, "y")] {
        let weights = (0..400).map(|row| if favoured.contains(&row) { 1.0 } else { 0.02 }).collect();
        let found = select(&data, &SelectOptions { weights: Some(weights), ..options(&[], 0) }, &mut Silent).unwrap();
        assert_eq!(found.ranking[0].feature, expected);
    }
}

#[test]
fn missing_values_that_tell_the_class_are_seen() {
    let mut draw = random(12);
    let mut columns = noise(200, 8, 12);
    let gaps = (0..200).map(|row| if row % 2 == 0 && draw() < 0.6 { f64::NAN } else { draw() }).collect();
    columns.push(Column::numeric("gaps", gaps));
    columns.push(Column::text("t", (0..200).map(|row| if row % 2 == 0 { "p" } else { "q" })));
    let wishes = DatasetOptions {
        target: Target::named("t"),
        missing: crate::data::Missing::Median,
        ..DatasetOptions::default()
    };
    let found = run(&Dataset::new(Table::new(columns).unwrap(), &wishes).unwrap(), &[], 0);
    assert_eq!(found.selected, ["gaps"]);
    assert!(found.ranking[0].p_value.unwrap() < 1e-6);
}

#[test]
fn an_end_at_any_step_gives_a_marked_ranking() {
    let data = data(mixed(5, 2));
    let mut steps = 0;
    let mut count = |_: &Progress| {
        steps += 1;
        ControlFlow::Continue(())
    };
    select(&data, &options(&[], 0), &mut count).unwrap();
    for last in [1, 2, 5, steps / 2, steps - 1] {
        let mut seen = 0;
        let mut watch = |_: &Progress| {
            seen += 1;
            if seen >= last { ControlFlow::Break(Halt::OutOfTime) } else { ControlFlow::Continue(()) }
        };
        let found = select(&data, &options(&[], 0), &mut watch).unwrap();
        assert_eq!((found.ranking.len(), found.converged), (10, Some(false)), "{last}");
        assert!(
            found.warnings.iter().any(|warning| warning.to_string().contains("out of time")),
            "{last}: {:?}",
            found.warnings
        );
    }
}

#[test]
fn tiny_tables_have_an_answer() {
    for rows in [4, 6, 9, 12] {
        let mut columns = noise(rows, 3, 1);
        columns.push(Column::text("t", (0..rows).map(|row| ["p", "q"][row % 2])));
        let found = run(&data(columns), &[], 0);
        assert_eq!(found.ranking.len(), 3, "{rows} rows");
        assert_eq!(found.held_out.is_some(), rows >= 10, "{rows} rows");
    }
    let mut one = noise(40, 1, 1);
    one.push(Column::text("t", (0..40).map(|row| ["p", "q"][row % 2])));
    assert_eq!(run(&data(one), &[], 0).selected.len(), 1);
}

/// With its share of 300 or 400 rows the class would have one row at most.
#[test]
fn columns_of_a_rare_class_are_found_and_scored() {
    let mut columns = noise(60_000, 6, 17);
    let [ColumnData::Numeric(a), ColumnData::Numeric(b)] = [2, 5].map(|at| columns[at].data.clone()) else { panic!() };
    let rare = |row: usize| a[row] > 0.975 && b[row] > 0.975;
    let count = (0..60_000).filter(|&row| rare(row)).count();
    assert!((20..80).contains(&count), "{count}");
    columns.push(Column::text("t", (0..60_000).map(|row| if rare(row) { "q" } else { "p" })));
    let data = data(columns);
    let found = run(&data, &[], 1);
    assert_eq!(first(&found, 2), ["n002", "n005"]);
    assert!(found.ranking[..2].iter().all(|ranked| ranked.score > 0.0), "{:?}", found.ranking);
    let without = run(&data, &[("class_rows", "0")], 1);
    assert!(without.ranking.iter().all(|ranked| ranked.score <= 1e-6), "{:?}", without.ranking);
}
