//! Predictions for tables other than the training table.

use super::*;
use crate::Remedy;
use crate::data::Task;

fn rows() -> Table {
    let size = Column::numeric("size", vec![1.0, 9.0, 5.0, f64::NAN]);
    table(vec![size, Column::text("kind", ["a", "b", "c", "a"])])
}

#[test]
fn known_rules_give_the_expected_probabilities() {
    let predictions = with_policy(Missing::Median).predict(&rows(), 1).unwrap();
    assert_eq!(classes(&predictions)[..2], [Some(0), Some(1)]);
    assert_eq!(predictions.filled, 1);
    for row in &predictions.rows {
        let Some(Prediction::Class { probabilities, .. }) = row else { panic!("a class") };
        assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn order_and_further_columns_do_not_matter() {
    let predictor = with_policy(Missing::Median);
    let whole = predictor.predict(&rows(), 1).unwrap();
    let mut columns = rows().into_columns();
    columns.reverse();
    columns.insert(1, Column::text("note", ["x", "y", "z", ""]));
    let other = table(columns);
    assert_eq!(predictor.predict(&other, 1).unwrap(), whole);
    assert_eq!(predictor.extra(&other), ["note"]);
}

#[test]
fn all_missing_columns_are_named() {
    let error = with_policy(Missing::Median).predict(&table(vec![Column::numeric("sise", vec![1.0])]), 1);
    assert_contains(error.unwrap_err(), &["'size', 'kind'", "did you mean 'sise'", "has: sise"]);
}

#[test]
fn predictions_do_not_depend_on_the_chunk_size() {
    let predictor = with_policy(Missing::Median);
    let size = Column::numeric("size", (0..100).map(|row| f64::from(row % 23) / 2.0).collect());
    let kind = Column::text("kind", (0..100).map(|row| ["a", "b", "c"][row % 3]));
    let all = table(vec![size, kind]);
    let whole = predictor.predict(&all, 1).unwrap().rows;
    for length in [1, 7, 64] {
        let parts = (0..100)
            .step_by(length)
            .flat_map(|first| predictor.predict(&all.slice(first..(first + length).min(100)), first + 1).unwrap().rows);
        assert_eq!(parts.collect::<Vec<_>>(), whole, "parts of {length}");
    }
}

#[test]
fn missing_values_follow_the_policy() {
    let error = with_policy(Missing::Error).predict(&rows(), 11).unwrap_err();
    assert_eq!(error.remedy(), Some(Remedy::Retrain { row: "fill it in" }));
    assert_contains(error, &["'size'", "data row 14"]);
    let dropped = with_policy(Missing::DropRows).predict(&rows(), 1).unwrap();
    assert_eq!(classes(&dropped)[3], None);
    assert!(classes(&dropped)[..3].iter().all(Option::is_some));
}

#[test]
fn unseen_categories_follow_the_policy() {
    let new = table(vec![Column::numeric("size", vec![1.0; 3]), Column::text("kind", ["a", "z", "b"])]);
    let predictions = with_policy(Missing::Median).predict(&new, 1).unwrap();
    assert_eq!(predictions.rows[1], predictions.rows[2], "b is the most frequent");
    assert_eq!(predictions.unseen.len(), 1);
    assert_eq!((predictions.unseen[0].category.as_str(), &predictions.unseen[0].rows[..]), ("z", &[1][..]));
    let error = with_policy(Missing::Error).predict(&new, 1).unwrap_err();
    assert_contains(error, &["'kind'", "'z'", "data row 2"]);
    assert_eq!(classes(&with_policy(Missing::DropRows).predict(&new, 1).unwrap())[1], None);
}

#[test]
fn numbers_as_texts_and_texts_as_numbers() {
    let predictor = with_policy(Missing::Median);
    let texts = table(vec![Column::text("size", ["1.0", "9", "5", "NA"]), Column::text("kind", ["a", "b", "c", "a"])]);
    assert_eq!(predictor.predict(&texts, 1).unwrap().rows, predictor.predict(&rows(), 1).unwrap().rows);
    let wrong = table(vec![Column::text("size", ["1", "tall"]), Column::text("kind", ["a", "a"])]);
    assert_contains(predictor.predict(&wrong, 1).unwrap_err(), &["'size'", "'tall'", "data row 2"]);
    let codes = table(vec![Column::numeric("size", vec![1.0]), Column::numeric("kind", vec![7.0])]);
    assert_eq!(predictor.predict(&codes, 1).unwrap().unseen[0].category, "7");
}

#[test]
fn extreme_values_give_finite_predictions() {
    let predictor = with_policy(Missing::Median);
    let far =
        table(vec![Column::numeric("size", vec![f64::MAX, f64::MIN, 5e-324]), Column::text("kind", ["a", "b", "c"])]);
    for row in predictor.predict(&far, 1).unwrap().rows {
        let Some(Prediction::Class { probabilities, .. }) = row else { panic!("a class") };
        assert!(probabilities.iter().all(|share| share.is_finite()), "{probabilities:?}");
    }
    let infinite = table(vec![Column::numeric("size", vec![f64::INFINITY]), Column::text("kind", ["a"])]);
    assert_contains(predictor.predict(&infinite, 5).unwrap_err(), &["'size'", "inf", "data row 5"]);
}

#[test]
fn regression_predicts_in_units_of_the_target() {
    let mut model = by_hand();
    model.task = Task::Regression;
    model.classes.clear();
    model.output = OutputScale { mean: 100.0, scale: 10.0 };
    model.network.constants = vec![vec![-1.0], vec![1.0]];
    model.network.slopes = vec![vec![vec![0.0; 4]]; 2];
    model.rules.iter_mut().for_each(|rule| rule.effects.truncate(1));
    let predictor = Predictor::new(model).unwrap();
    let rows = predictor.predict(&rows(), 1).unwrap().rows;
    let Some(Prediction::Number(low)) = rows[0] else { panic!("a number") };
    let Some(Prediction::Number(high)) = rows[1] else { panic!("a number") };
    assert!((low - 90.0).abs() < 0.1 && (high - 110.0).abs() < 0.1, "{low} {high}");
}
