//! Metrics computed by hand.

use super::*;
use crate::data::Task;

fn class(class: usize, share: f64) -> Option<Prediction> {
    Some(Prediction::Class { class, probabilities: vec![share, 1.0 - share] })
}

#[test]
fn metrics_of_classification() {
    let mut metrics = Metrics::new(&by_hand());
    let rows = [class(0, 0.9), class(0, 0.6), class(1, 0.2), class(1, 0.5), None, class(0, 0.9), class(0, 0.9)];
    let truth = Column::text("t", ["no", "yes", "yes", "no", "no", "", "maybe"]);
    metrics.add(&rows[..3], &table(vec![truth.clone()]).slice(0..3).columns()[0], 1).unwrap();
    metrics.add(&rows[3..], &table(vec![truth]).slice(3..7).columns()[0], 4).unwrap();
    let evaluation = metrics.finish().unwrap();
    assert_eq!((evaluation.rows, evaluation.unlabelled, evaluation.unanswered), (5, 1, 1));
    assert_eq!(evaluation.unknown_labels, 1);
    let scores = evaluation.classes.unwrap();
    assert_eq!(scores.confusion, [[1, 1], [1, 1]]);
    assert_eq!((scores.accuracy, scores.balanced_accuracy), (0.4, 0.5));
    // no: 1 correct, 2 true, 3 predicted; yes: 1 correct, 2 true, 2 predicted.
    assert!((scores.macro_f1 - (2.0 / 5.0 + 2.0 / 4.0) / 2.0).abs() < 1e-12);
    let expected = -(0.9_f64.ln() + 0.4_f64.ln() + 0.8_f64.ln() + 0.5_f64.ln()) / 4.0;
    assert!((scores.log_loss.unwrap() - expected).abs() < 1e-12);
}

#[test]
fn metrics_of_regression() {
    let mut model = by_hand();
    model.task = Task::Regression;
    model.classes.clear();
    let mut metrics = Metrics::new(&model);
    let rows: Vec<Option<Prediction>> = [1.0, 2.0, 4.0].map(|value| Some(Prediction::Number(value))).to_vec();
    metrics.add(&rows, &Column::numeric("t", vec![1.0, 2.0, 3.0]), 1).unwrap();
    let evaluation = metrics.finish().unwrap();
    assert!((evaluation.rmse.unwrap() - (1.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    assert!((evaluation.r2.unwrap() - 0.5).abs() < 1e-12);
    let error = metrics.add(&rows[..1], &Column::text("t", ["x"]), 9).unwrap_err();
    assert_contains(error, &["'t'", "'x'", "data row 9"]);
}

#[test]
fn no_labelled_rows_give_no_metrics() {
    let mut metrics = Metrics::new(&by_hand());
    metrics.add(&[class(0, 0.5)], &Column::text("t", ["?"]), 1).unwrap();
    assert_eq!(metrics.finish(), None);
}
