//! Dates in texts of formats without a type for them.

use rulesieve::data::{Column, ColumnData, DateGuess, table::is_missing};

/// The column with times if all its texts are dates in one order of day and month.
pub(crate) fn as_dates(column: Column) -> Column {
    let ColumnData::Text(text) = &column.data else { return column };
    let mut guess = DateGuess::default();
    text.levels()
        .iter()
        .map(|level| level.trim())
        .filter(|level| !is_missing(level))
        .for_each(|level| guess.add(level));
    let Some(order) = guess.order() else { return column };
    let times: Vec<f64> = text.levels().iter().map(|level| order.parse(level.trim()).unwrap_or(f64::NAN)).collect();
    let seconds = text.codes().iter().map(|&code| times[code as usize]).collect();
    Column::dates(column.name, seconds)
}
