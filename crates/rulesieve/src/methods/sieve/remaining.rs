//! Rows for a second scan: those of the predicted class with the largest total leave-one-out error of the significant
//! columns. An effect that stronger ones hide shows there.

use super::coding::code;
use super::columns::{Columns, Goal};
use super::leave_one_out::{Ridge, leave_one_out_residuals};
use super::params::Params;
use super::rows::{Training, capped};
use crate::linalg::LinalgError;

/// Rows that are predicted at most.
const MOST_ROWS: usize = 4000;

/// Of the classes that some features predict, all rows of the one with the largest sum of leave-one-out errors. None for a
/// numeric target.
///
/// A row takes no part in its own prediction. Of features that are independent of these, tests on these rows are valid; not of
/// the features themselves, because in cells with nearly equal shares of the classes a row is predicted the opposite of its class.
pub(super) fn hardest_rows(
    columns: &Columns,
    rows: &[usize],
    features: &[usize],
    params: &Params,
    seed: u64,
) -> Result<Option<Vec<usize>>, LinalgError> {
    let Goal::Classes(_, classes) = &columns.goal else { return Ok(None) };
    let rows = capped(&columns.goal, rows, MOST_ROWS, seed);
    let parts = rows.len().div_ceil(params.rows);
    let all: Vec<usize> = (0..features.len()).collect();
    let (mut errors, mut members) = (vec![0.0; *classes], vec![Vec::new(); *classes]);
    for part in 0..parts {
        let own: Vec<usize> = rows.iter().skip(part).step_by(parts).copied().collect();
        let (coded, _) = code(columns, features, (&own, &[]), params.scale);
        let Training { responses, centre } = Training::new(columns, &own, params.balanced);
        let kernel = Ridge { ridge: params.ridge, width: params.width };
        let residuals = leave_one_out_residuals(&coded, &all, &responses, kernel)?;
        for (at, &row) in own.iter().enumerate() {
            let predicted = |class: usize| f64::from(responses.y.col(class)[at] - residuals.col(class)[at]);
            let prediction = centre.read(&columns.goal, row, predicted);
            errors[prediction.value as usize] += prediction.loss;
            members[prediction.value as usize].push(row);
        }
    }
    let hardest = (0..*classes).max_by(|&a, &b| errors[a].total_cmp(&errors[b]));
    Ok(hardest.map(|class| {
        let mut rows = std::mem::take(&mut members[class]);
        rows.sort_unstable();
        rows
    }))
}
