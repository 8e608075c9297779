use super::plane::Tree;
use super::*;
use crate::data::{Column, Task};
use crate::methods::tests::{data, fit, generated, planted, top};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

fn golden() -> Value {
    serde_json::from_str(include_str!("../../../tests/golden/filters.json")).unwrap()
}

fn floats(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// Scikit-learn adds noise of 1e-10 against ties, which has no effect here.
#[test]
fn numbers_agree_with_scikit_learn() {
    let case = golden();
    let codes: Vec<u32> = floats(&case["codes"]).iter().map(|&code| code as u32).collect();
    let digamma = digammas(codes.len());
    let classes = Classes::new(&codes, 4, &digamma);
    assert_eq!(classes.samples, 75, "the class of one sample is left out");
    for (k, expected) in case["mutual_info"].as_object().unwrap() {
        for (column, expected) in case["x"].as_array().unwrap().iter().zip(floats(expected)) {
            let found = classes.with_numbers(&floats(column), k.parse().unwrap());
            assert!((found - expected).abs() < 1e-10, "k {k}: {found} {expected}");
        }
    }
}

#[test]
fn categories_agree_with_scikit_learn_coded_either_way() {
    let case = golden();
    let codes: Vec<u32> = floats(&case["codes"]).iter().map(|&code| code as u32).collect();
    let digamma = digammas(codes.len());
    let classes = Classes::new(&codes, 4, &digamma);
    let levels: Vec<u32> = floats(&case["levels"]).iter().map(|&level| level as u32).collect();
    let (found, expected) = (classes.with_categories(&levels), case["mutual_info_of_levels"].as_f64().unwrap());
    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
}

/// The features and the target of the cases of regression.
fn regression() -> (Value, Vec<f64>) {
    let case = golden()["regression"].clone();
    let target = floats(&case["y"]);
    (case, target)
}

#[test]
fn numeric_targets_agree_with_scikit_learn() {
    let (case, target) = regression();
    let (digamma, noise) = (digammas(target.len()), Noise::new(target.len()));
    let numbers = Numbers::new(noise.on_target(&target), &digamma);
    for (k, expected) in case["mutual_info"].as_object().unwrap() {
        for (column, expected) in case["x"].as_array().unwrap().iter().zip(floats(expected)) {
            let found = numbers.with_numbers(noise.on_feature(&floats(column)), k.parse().unwrap());
            assert!((found - expected).abs() < 1e-10, "k {k}: {found} {expected}");
        }
    }
    let levels: Vec<u32> = floats(&case["levels"]).iter().map(|&level| level as u32).collect();
    let found = Classes::new(&levels, 3, &digamma).with_numbers(&noise.on_target(&target), 3);
    assert!((found - case["mutual_info_of_levels"].as_f64().unwrap()).abs() < 1e-10, "{found}");
}

/// Scores of numeric columns.
fn scores(columns: &Value, target: Column) -> Vec<f64> {
    let column = |(at, values): (usize, &Value)| Column::numeric(format!("x{at}"), floats(values));
    let mut columns: Vec<Column> = columns.as_array().unwrap().iter().enumerate().map(column).collect();
    columns.push(target);
    fit(&data(columns), "mutual-info", &[], 0).scores
}

/// Within the deviations of scikit-learn's estimates, which draw new noise with every seed.
fn close(found: &[f64], expected: &Value, tolerance: f64) {
    let (means, deviations) = (floats(&expected["mean"]), floats(&expected["deviation"]));
    assert_eq!(found.len(), means.len());
    for ((found, mean), deviation) in found.iter().zip(means).zip(deviations) {
        assert!((found - mean).abs() <= 3.0 * deviation + tolerance, "{found} is not {mean} +- {deviation}");
    }
}

#[test]
fn rounded_numbers_agree_with_scikit_learn() {
    let case = golden()["rounded"].clone();
    let classes = Column::numeric("t", floats(&case["classes"]));
    let numbers = Column::numeric("t", floats(&case["y"]));
    let found = scores(&case["x"], classes.clone());
    close(&found, &case["with_classes"], 1e-10);
    assert!(found[0] < 0.02 && found[1] > 0.01 && found[2] > 0.2, "noise and effects with two decimals: {found:?}");
    let found = scores(&case["x"], numbers.clone());
    close(&[found[0], found[1], found[4]], &case["with_numbers"], 1e-10);
    // Few distinct values are categories.
    for (found, expected) in scores(&case["few"], classes).iter().zip(floats(&case["few_with_classes"])) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
    close(&scores(&case["few"], numbers), &case["few_with_numbers"], 1e-10);
}

/// The nearest neighbours in the plane are those of a comparison with every point, also among ties.
#[test]
fn the_tree_finds_the_nearest() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for rounding in [f64::INFINITY, 4.0] {
        let mut number = || {
            let value: f64 = rng.random();
            if rounding.is_finite() { (value * rounding).round() } else { value }
        };
        let points: Vec<[f64; 2]> = (0..300).map(|_| [number(), number() + 0.2]).collect();
        let tree = Tree::new(&points);
        for (k, point) in points.iter().enumerate().map(|(at, point)| (1 + at % 40, point)) {
            let mut all: Vec<f64> = points.iter().map(|other| plane::distance(point, other)).collect();
            all.sort_by(f64::total_cmp);
            assert_eq!(tree.radius(point, k, &mut Vec::new()), all[k]);
        }
    }
}

#[test]
fn curves_and_interactions_with_ties_are_found() {
    let rows = 400;
    let at = |row: usize, by: usize| ((row * by % rows) as f64 / 20.0).round() / 20.0;
    let columns = vec![
        Column::numeric("curve", (0..rows).map(|row| at(row, 7)).collect()),
        Column::text("kind", (0..rows).map(|row| ["u", "v", "w"][row * 11 % 3])),
        Column::numeric("noise", (0..rows).map(|row| at(row, 163)).collect()),
        Column::numeric(
            "t",
            (0..rows)
                .map(|row| (at(row, 7) - 0.5).powi(2) + 0.2 * (row * 11 % 3) as f64 + 0.01 * at(row, 31))
                .collect(),
        ),
    ];
    let table = data(columns);
    assert_eq!(table.target.task(), Task::Regression);
    let found = fit(&table, "mutual-info", &[], 0).scores;
    assert!(found[0] > 0.3 && found[1] > 0.3 && found[2] < 0.15, "{found:?}");
}

/// The definition with every pair of samples.
#[test]
fn sorted_neighbours_are_the_nearest() {
    let data = generated("waveform", 90, 21);
    let codes = data.target.codes();
    let digamma = digammas(codes.len());
    let classes = Classes::new(codes, 3, &digamma);
    for feature in [0, 5, 11] {
        let crate::data::FeatureValues::Numeric(values) = &data.features[feature].values else { panic!() };
        for k in [1, 4, 50] {
            let mut sum = 0.0;
            for row in 0..90 {
                let same = |other: &usize| codes[*other] == codes[row] && *other != row;
                let mut near: Vec<f64> =
                    (0..90).filter(same).map(|other| (values[other] - values[row]).abs()).collect();
                near.sort_by(f64::total_cmp);
                let k = k.min(near.len());
                let nearer = (0..90).filter(|&other| (values[other] - values[row]).abs() < near[k - 1]).count();
                sum += digamma[90] - digamma[near.len() + 1] + digamma[k] - digamma[nearer];
            }
            let (found, expected) = (classes.with_numbers(values, k), (sum / 90.0).max(0.0));
            assert!((found - expected).abs() < 1e-12, "k {k}: {found} {expected}");
        }
    }
}

#[test]
fn detects_differences_in_spread_and_planted_features() {
    let rows = 120;
    let inner = |row: usize| ((row * 37 % 60) as f64 / 60.0 - 0.5) * if row.is_multiple_of(2) { 1.0 } else { 3.0 };
    let spread = Column::numeric("spread", (0..rows).map(inner).collect());
    let noise = Column::numeric("noise", (0..rows).map(|row| (row * 53 % 120) as f64).collect());
    let classes = Column::text("t", (0..rows).map(|row| ["a", "b"][row % 2]));
    let scores = fit(&data(vec![noise, spread, classes]), "mutual-info", &[], 0).scores;
    assert!(scores[1] > 0.15 && scores[1] > 3.0 * scores[0], "{scores:?}");
    for (rows, columns) in [(150, 20), (60, 150)] {
        assert_eq!(top(&fit(&planted(rows, columns, 1), "mutual-info", &[], 0).scores, 3), [0, 1, 2]);
    }
}

#[test]
fn degenerate_columns_give_finite_scores() {
    let classes = || Column::text("t", (0..12).map(|row| ["a", "b", "c"][row % 3]));
    let copy: Vec<&str> = (0..12).map(|row| ["u", "v", "w"][row % 3]).collect();
    let table = data(vec![
        Column::text("copy", copy),
        Column::numeric("k", vec![2.0; 12]),
        Column::numeric("steps", (0..12).map(|row| f64::from(row % 3)).collect()),
        classes(),
    ]);
    let scores = fit(&table, "mutual-info", &[("neighbours", "1000")], 0).scores;
    assert!((scores[0] - 3.0_f64.ln()).abs() < 1e-12 && scores[1] < 1e-12 && scores[2] > 0.5, "{scores:?}");
}
