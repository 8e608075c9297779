//! Scores of predictions.

use super::result::{CertaintyScores, PredictedValues};
use super::run_spec::Truth;
use crate::metrics::{Confusion, of_numbers};
use std::collections::BTreeMap;

/// The score by which classifiers are compared; regressors are compared by [`R2`].
pub const ACCURACY: &str = "accuracy";
/// See [`ACCURACY`].
pub const R2: &str = "r2";
/// Scores of the order of the rows, which a single test row does not have.
pub(super) const RANKING: [&str; 2] = ["roc_auc", "average_precision"];

/// Lower bound of probabilities in the log-loss, so that a single error does not make the mean infinite.
const MIN_PROBABILITY: f64 = 1e-15;

/// Returns the logarithm of a probability, bounded below.
pub(super) fn log(probability: f64) -> f64 {
    probability.max(MIN_PROBABILITY).ln()
}

/// Scores by name.
pub type Scores = BTreeMap<&'static str, f64>;

/// Returns the score by which methods are compared.
pub fn main_score(truth: &Truth) -> &'static str {
    match truth {
        Truth::Classes { .. } => ACCURACY,
        Truth::Numbers(_) => R2,
    }
}

/// Scores the predictions for some rows; R squared is absent if all targets are equal.
pub fn scores(truth: &Truth, rows: &[usize], predicted: &PredictedValues, certainty: &CertaintyScores) -> Scores {
    let mut scores = match (truth, predicted) {
        (Truth::Classes { names, codes }, PredictedValues::Classes(predicted)) => {
            let own: Vec<u32> = rows.iter().map(|&row| codes[row]).collect();
            of_classes(&Confusion::new(&own, predicted, names.len()))
        }
        (Truth::Numbers(numbers), PredictedValues::Numbers(predicted)) => {
            let own: Vec<f64> = rows.iter().map(|&row| numbers[row]).collect();
            let (rmse, r2) = of_numbers(&own, predicted);
            [("rmse", Some(rmse)), (R2, r2)].into_iter().filter_map(|(name, score)| Some((name, score?))).collect()
        }
        // Not reached: predictions have the type of the target.
        _ => Scores::new(),
    };
    let certainty =
        [("log_loss", certainty.log_loss), (RANKING[0], certainty.roc_auc), (RANKING[1], certainty.average_precision)];
    scores.extend(certainty.into_iter().filter_map(|(name, score)| Some((name, score?))));
    scores.retain(|_, score| score.is_finite());
    scores
}

/// Scores a confusion matrix.
pub fn of_classes(table: &Confusion) -> Scores {
    let all = [
        (ACCURACY, table.accuracy()),
        ("balanced_accuracy", table.balanced_accuracy()),
        ("macro_f1", table.macro_f1()),
        ("mcc", table.mcc()),
    ];
    all.into_iter().collect()
}

/// Returns the score by which choices are compared: correct predictions, or minus the sum of squared errors.
pub(super) fn gain(truth: &Truth, rows: &[usize], predicted: &PredictedValues) -> f64 {
    match (truth, predicted) {
        (Truth::Classes { codes, .. }, PredictedValues::Classes(predicted)) => {
            rows.iter().zip(predicted).filter(|(row, value)| codes[**row] == **value).count() as f64
        }
        (Truth::Numbers(numbers), PredictedValues::Numbers(predicted)) => {
            // Relative to the largest number, so that no square overflows.
            let unit = numbers.iter().fold(f64::MIN_POSITIVE, |max, number| max.max(number.abs()));
            -rows.iter().zip(predicted).map(|(&row, value)| ((numbers[row] - value) / unit).powi(2)).sum::<f64>()
        }
        _ => f64::NEG_INFINITY,
    }
}
