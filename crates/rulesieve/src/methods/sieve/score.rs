//! How well a few features predict rows that were not learned from, by kernel ridge regression: what size rules compare.

use super::coding::code;
use super::columns::{Columns, Goal};
use super::leave_one_out::{Ridge, predict};
use super::params::Scale;
use super::rows::{Training, capped};
use crate::data::{Design, Target};
use crate::methods::FitError;

/// Most training rows of a regression.
const ROWS: usize = 400;
const KERNEL: Ridge = Ridge { ridge: 0.1, width: 1.0 };

/// Least share of the usual chance loss that R squared divides by.
const LEAST_CHANCE: f64 = 0.01;

/// R squared of some rows from their loss, that of the constant prediction, and what that is for so many rows of the table: rows with
/// nearly equal targets would else be divided by nearly nothing.
pub(super) fn r_squared(loss: f64, chance: f64, usual: f64) -> f64 {
    1.0 - loss / chance.max(LEAST_CHANCE * usual).max(f64::MIN_POSITIVE)
}

/// Accuracy, or R squared, on the rows from `learn` on of a regression that learns from the rows before.
pub(crate) fn held_out_score(design: &Design, target: &Target, learn: usize, seed: u64) -> Result<f64, FitError> {
    let columns = Columns::as_they_are(design, target);
    let (train, test): (Vec<usize>, Vec<usize>) = (0..columns.rows()).partition(|&row| row < learn);
    let train = capped(&columns.goal, &train, ROWS, seed);
    let training = Training::new(&columns, &train, false);
    let features: Vec<usize> = (0..columns.features.len()).collect();
    let (known, other) = code(&columns, &features, (&train, &test), Scale::Auto);
    let predicted = predict(&known, &other, &features, &training.responses, KERNEL)?;
    let read = |(at, &row): (usize, &usize)| {
        let response = |response: usize| f64::from(predicted.data[response * predicted.rows + at]);
        (row, training.centre.read(&columns.goal, row, response))
    };
    let answers = test.iter().enumerate().map(read);
    Ok(match &columns.goal {
        Goal::Classes(codes, _) => {
            answers.filter(|(row, answer)| answer.value as u32 == codes[*row]).count() as f64 / test.len().max(1) as f64
        }
        Goal::Numbers(_) => {
            let chance = |row: usize| training.centre.read(&columns.goal, row, |_| 0.0).loss;
            let all = (0..columns.rows()).map(chance).sum::<f64>() / columns.rows() as f64;
            let own = test.iter().map(|&row| chance(row)).sum();
            r_squared(answers.map(|(_, answer)| answer.loss).sum(), own, all * test.len() as f64)
        }
    })
}
