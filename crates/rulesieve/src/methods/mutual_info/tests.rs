use super::*;
use crate::data::Column;
use crate::methods::tests::{data, fit, generated, planted, top};
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
    let levels: Vec<usize> = floats(&case["levels"]).iter().map(|&level| level as usize).collect();
    let (found, expected) = (classes.with_categories(&levels, 3), case["mutual_info_of_levels"].as_f64().unwrap());
    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    // As numbers with more ties than neighbours the estimate equals that of a table.
    let codes: Vec<u32> = (0..60).map(|row| row % 3).collect();
    let levels: Vec<usize> = (0..60).map(|row| if row % 5 == 0 { 0 } else { (row % 3) / 2 + row / 30 }).collect();
    let classes = Classes::new(&codes, 3, &digamma);
    let numbers: Vec<f64> = levels.iter().map(|&level| level as f64).collect();
    let (table, ties) = (classes.with_categories(&levels, 3), classes.with_numbers(&numbers, 3));
    assert!(table > 0.1 && (table - ties).abs() < 1e-12, "{table} {ties}");
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
    assert!(scores[1] > 0.2 && scores[1] > 3.0 * scores[0], "{scores:?}");
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
    for k in ["1", "1000"] {
        let scores = fit(&table, "mutual-info", &[("neighbours", k)], 0).scores;
        let entropy = 3.0_f64.ln();
        assert!(
            (scores[0] - entropy).abs() < 1e-12 && scores[1] < 1e-12 && (scores[2] - entropy).abs() < 1e-12,
            "{scores:?}"
        );
    }
}
