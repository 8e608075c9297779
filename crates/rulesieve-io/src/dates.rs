//! Dates in texts of formats without a type for them.

use rulesieve::Warning;
use rulesieve::data::{Column, ColumnData, DateGuess, Table, table::is_missing};

use crate::options::ReadOptions;

/// Gives columns times if all their texts are dates in one order of day and month.
pub(crate) fn read_dates(table: Table, options: &ReadOptions) -> Table {
    let mut info = Table::default().described_by(&table);
    let columns = table.into_columns().into_iter().map(|column| as_dates(column, options, &mut info)).collect();
    Table::new(columns).unwrap_or_default().described_by(&info)
}

fn as_dates(column: Column, options: &ReadOptions, info: &mut Table) -> Column {
    let ColumnData::Text(text) = &column.data else { return column };
    let mut guess = DateGuess::default();
    text.levels()
        .iter()
        .map(|level| level.trim())
        .filter(|level| !is_missing(level))
        .for_each(|level| guess.add(level));
    let Some(order) = guess.order_or(options.date_order(&column.name)) else {
        if guess.is_dates() {
            info.warnings.push(Warning::DatesAmbiguous { columns: vec![crate::shown(&column.name)] });
        }
        return column;
    };
    if guess.depends_on_order() {
        info.reading.dates.insert(column.name.clone(), order);
        info.warnings.extend(options.other_order(&column.name, order));
    }
    let times: Vec<f64> = text.levels().iter().map(|level| order.parse(level.trim()).unwrap_or(f64::NAN)).collect();
    let seconds = text.codes().iter().map(|&code| times[code as usize]).collect();
    Column::dates(column.name, seconds)
}
