//! Dates in texts: columns of them, and columns in which most cells are.

use rulesieve::Warning;
use rulesieve::data::{Column, ColumnData, DateGuess, Table, table::is_missing};

use crate::{csv::Place, options::ReadOptions};

/// Minimum number of dates in a column of which most cells are dates.
const DATES: usize = 2;
/// Cells that are no dates after which a column without more dates is no longer searched for them.
const OTHERS: usize = 20;

/// What the texts of a column so far say about it as a column of dates.
#[derive(Debug, Clone, Default)]
pub(crate) struct DateCells {
    guess: DateGuess,
    /// Cells that are dates by themselves, and others.
    dates: usize,
    others: usize,
    /// The first cell.
    first: Option<Place>,
    /// The first cell that is no date, or does not fit to the dates before it.
    misfit: Option<Place>,
}

impl DateCells {
    /// Takes a cell that is not missing into account.
    pub(crate) fn add(&mut self, cell: &str, row: usize) {
        if self.others > self.dates + OTHERS {
            return;
        }
        self.guess.add(cell);
        if self.first.is_none() {
            self.first = Some(Place::new(cell, row));
        }
        let fits = self.guess.is_dates();
        match fits || DateGuess::of(cell).is_dates() {
            true => self.dates += 1,
            false => self.others += 1,
        }
        if !fits && self.misfit.is_none() {
            self.misfit = Some(Place::new(cell, row));
        }
    }

    /// Combines this part of a column with the next one, which begins `rows` later.
    pub(crate) fn and(self, next: Self, rows: usize) -> Self {
        let later = |place: Option<Place>| place.map(|place| Place { row: place.row + rows, ..place });
        let guess = self.guess.and(next.guess);
        let next_first = later(next.first);
        let contradicts = self.guess.is_dates() && next.guess.is_dates() && !guess.is_dates();
        let misfit = self.misfit.or_else(|| if contradicts { next_first.clone() } else { later(next.misfit) });
        Self {
            guess,
            dates: self.dates + next.dates,
            others: self.others + next.others,
            first: self.first.or(next_first),
            misfit,
        }
    }

    /// The guess, if all cells are dates.
    pub(crate) fn dates(&self) -> Option<DateGuess> {
        self.guess.is_dates().then_some(self.guess)
    }

    /// The warning about a column whose cells are dates, but for a few.
    pub(crate) fn mixed(&self, column: &str) -> Option<Warning> {
        let misfit = self.misfit.as_ref().filter(|_| self.dates >= DATES && self.dates > 2 * self.others)?;
        let is_date = DateGuess::of(&misfit.text).is_dates();
        Some(Warning::DatesMixed {
            column: crate::shown(column),
            row: misfit.row + 1,
            text: misfit.text.clone(),
            is_date,
        })
    }
}

/// Gives columns times if all their texts are dates in one order of day and month.
pub(crate) fn read_dates(table: Table, options: &ReadOptions) -> Table {
    let mut info = Table::default().described_by(&table);
    let columns = table.into_columns().into_iter().map(|column| as_dates(column, options, &mut info)).collect();
    Table::new(columns).unwrap_or_default().described_by(&info)
}

fn as_dates(column: Column, options: &ReadOptions, info: &mut Table) -> Column {
    let ColumnData::Text(text) = &column.data else { return column };
    let mut cells = DateCells::default();
    let texts = text.levels().iter().map(|level| level.trim()).enumerate();
    // Levels are in the order of their first rows.
    texts.filter(|(_, level)| !is_missing(level)).for_each(|(at, level)| cells.add(level, at));
    let Some(guess) = cells.dates() else {
        let row = |at: usize| text.codes().iter().position(|&code| code as usize == at).unwrap_or(0);
        if let Some(misfit) = &mut cells.misfit {
            misfit.row = row(misfit.row);
        }
        info.warnings.extend(cells.mixed(&column.name));
        return column;
    };
    let Some(order) = guess.order_or(options.date_order(&column.name)) else {
        Warning::DatesAmbiguous { columns: vec![crate::shown(&column.name)] }.add(&mut info.warnings);
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

/// Warns about columns whose texts are dates, in a format that has a type for dates.
pub(crate) fn with_texts_named(mut table: Table) -> Table {
    let is_dates = |column: &&Column| {
        let ColumnData::Text(text) = &column.data else { return false };
        let mut cells = DateCells::default();
        let texts = text.levels().iter().map(|level| level.trim()).filter(|level| !is_missing(level));
        texts.for_each(|level| cells.add(level, 0));
        cells.dates().is_some()
    };
    let columns: Vec<String> =
        table.columns().iter().filter(is_dates).map(|column| crate::shown(&column.name)).collect();
    if !columns.is_empty() {
        Warning::DatesAsTexts { columns }.add(&mut table.warnings);
    }
    table
}
