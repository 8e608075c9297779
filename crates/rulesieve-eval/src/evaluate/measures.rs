//! How right answers are.

use super::frame::Truth;
use super::outcome::Answers;
use crate::metrics::{Confusion, of_numbers};
use std::collections::BTreeMap;

/// Share of right answers, and R squared: the score of classes, and that of numbers, by which methods are compared.
pub const ACCURACY: &str = "accuracy";
/// See [`ACCURACY`].
pub const R2: &str = "r2";

/// Probabilities below this count as this: one sure mistake must not make the mean infinite.
const LEAST: f64 = 1e-15;

/// The logarithm of a probability.
pub(super) fn log(probability: f64) -> f64 {
    probability.max(LEAST).ln()
}

/// Scores by name.
pub type Scores = BTreeMap<&'static str, f64>;

/// The score by which methods are compared.
pub fn main_score(truth: &Truth) -> &'static str {
    match truth {
        Truth::Classes { .. } => ACCURACY,
        Truth::Numbers(_) => R2,
    }
}

/// The scores of the answers for some rows; R squared is absent where the rows are all the same.
pub fn scores(truth: &Truth, rows: &[usize], answers: &Answers, log_loss: Option<f64>) -> Scores {
    let mut scores = match (truth, answers) {
        (Truth::Classes { names, codes }, Answers::Classes(answers)) => {
            let own: Vec<u32> = rows.iter().map(|&row| codes[row]).collect();
            of_classes(&Confusion::new(&own, answers, names.len()))
        }
        (Truth::Numbers(numbers), Answers::Numbers(answers)) => {
            let own: Vec<f64> = rows.iter().map(|&row| numbers[row]).collect();
            let (rmse, r2) = of_numbers(&own, answers);
            [("rmse", Some(rmse)), (R2, r2)].into_iter().filter_map(|(name, score)| Some((name, score?))).collect()
        }
        // Answers are of the kind of the truth.
        _ => Scores::new(),
    };
    scores.extend(log_loss.map(|loss| ("log_loss", loss)));
    scores.retain(|_, score| score.is_finite());
    scores
}

/// The scores of a table of answers.
pub fn of_classes(table: &Confusion) -> Scores {
    let all = [
        (ACCURACY, table.accuracy()),
        ("balanced_accuracy", table.balanced_accuracy()),
        ("macro_f1", table.macro_f1()),
        ("mcc", table.mcc()),
    ];
    all.into_iter().collect()
}

/// What choices are compared by, larger is better: right answers, or minus the sum of squared errors.
pub(super) fn gain(truth: &Truth, rows: &[usize], answers: &Answers) -> f64 {
    match (truth, answers) {
        (Truth::Classes { codes, .. }, Answers::Classes(answers)) => {
            rows.iter().zip(answers).filter(|(row, answer)| codes[**row] == **answer).count() as f64
        }
        (Truth::Numbers(numbers), Answers::Numbers(answers)) => {
            // In units of the largest number, so that no square overflows.
            let unit = numbers.iter().fold(f64::MIN_POSITIVE, |most, number| most.max(number.abs()));
            -rows.iter().zip(answers).map(|(&row, answer)| ((numbers[row] - answer) / unit).powi(2)).sum::<f64>()
        }
        _ => f64::NEG_INFINITY,
    }
}
