//! What the cells of a column say about its type and the decimal mark of the file.

use rulesieve::Warning;
use rulesieve::data::{DateGuess, table::is_missing};

use super::number::{Evidence, Mark, plain, written};
use crate::{dates::DateCells, text::shown};

/// A cell that shows something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// Data row, from 0.
    pub(crate) row: usize,
    pub(crate) text: String,
}

/// The cells of a column so far.
#[derive(Debug, Clone)]
pub(crate) struct ColumnSurvey {
    /// Some cell is not missing.
    pub(crate) present: bool,
    /// Every cell is a plain number or missing.
    pub(crate) plain: bool,
    /// Every cell is a number, plain or as people write it, or missing.
    pub(crate) written: bool,
    /// Some cell is a plain number.
    numbers: bool,
    /// Some cell is an integer with more digits than a double holds.
    long: bool,
    /// Some cell has an exponent.
    exponent: bool,
    dates: DateCells,
    /// The first cells with a decimal point and a decimal comma.
    pub(crate) decimal: [Option<Place>; 2],
    /// The first cells in which a point or a comma may separate thousands.
    pub(crate) either: [Option<Place>; 2],
    /// A cell with separated thousands.
    pub(crate) grouped: Option<Place>,
    percent: bool,
    /// Some cell is a number without percent.
    no_percent: bool,
    pub(crate) parentheses: bool,
    pub(crate) currency: Option<&'static str>,
    /// Cells have different currencies.
    currencies: bool,
}

impl Default for ColumnSurvey {
    fn default() -> Self {
        Self {
            present: false,
            plain: true,
            written: true,
            numbers: false,
            long: false,
            exponent: false,
            dates: DateCells::default(),
            decimal: [None, None],
            either: [None, None],
            grouped: None,
            percent: false,
            no_percent: false,
            parentheses: false,
            currency: None,
            currencies: false,
        }
    }
}

impl ColumnSurvey {
    /// Takes a cell into account and returns its value if it is a plain number or missing.
    pub(crate) fn add(&mut self, cell: &str, row: usize) -> Option<f64> {
        if let Some((value, evidence)) = plain(cell) {
            if value.is_nan() {
                return Some(f64::NAN);
            }
            (self.present, self.numbers) = (true, true);
            self.note(evidence, cell, row);
            return Some(value);
        }
        if is_missing(cell) {
            return Some(f64::NAN);
        }
        (self.present, self.plain) = (true, false);
        if self.written {
            self.add_written(cell, row);
        }
        if !self.numbers {
            self.dates.add(cell, row);
        }
        None
    }

    fn add_written(&mut self, cell: &str, row: usize) {
        let Some(found) = written(cell) else {
            self.written = false;
            return;
        };
        self.note(found.evidence, cell, row);
        if found.grouped {
            self.grouped.get_or_insert_with(|| Place::new(cell, row));
        }
        (self.percent, self.no_percent) = (self.percent || found.percent, self.no_percent || !found.percent);
        self.parentheses |= found.parentheses;
        self.currencies |= found.currency.is_some() && self.currency.is_some_and(|known| Some(known) != found.currency);
        self.currency = self.currency.or(found.currency);
    }

    fn note(&mut self, evidence: Evidence, cell: &str, row: usize) {
        let first = match evidence {
            Evidence::None => return,
            Evidence::Long => return self.long = true,
            Evidence::Exponent => return self.exponent = true,
            Evidence::Decimal(mark) => &mut self.decimal[mark as usize],
            Evidence::Either(mark) => &mut self.either[mark as usize],
        };
        first.get_or_insert_with(|| Place::new(cell, row));
    }

    /// Combines this part of a column with the next one, which begins `rows` later.
    pub(crate) fn and(self, next: Self, rows: usize) -> Self {
        let first = |a: Option<Place>, b: Option<Place>| a.or(b.map(|place| Place { row: place.row + rows, ..place }));
        let both = |[a0, a1]: [Option<Place>; 2], [b0, b1]: [Option<Place>; 2]| [first(a0, b0), first(a1, b1)];
        let differ = matches!((self.currency, next.currency), (Some(a), Some(b)) if a != b);
        Self {
            present: self.present || next.present,
            plain: self.plain && next.plain,
            written: self.written && next.written,
            numbers: self.numbers || next.numbers,
            long: self.long || next.long,
            exponent: self.exponent || next.exponent,
            dates: self.dates.and(next.dates, rows),
            decimal: both(self.decimal, next.decimal),
            either: both(self.either, next.either),
            grouped: first(self.grouped, next.grouped),
            percent: self.percent || next.percent,
            no_percent: self.no_percent || next.no_percent,
            parentheses: self.parentheses || next.parentheses,
            currency: self.currency.or(next.currency),
            currencies: self.currencies || differ || next.currencies,
        }
    }

    /// Whether all numbers have percent.
    pub(crate) fn is_percent(&self) -> bool {
        self.percent
    }

    /// Whether the numbers have one unit: percent in all cells or none, and one currency.
    pub(crate) fn has_one_unit(&self) -> bool {
        !(self.percent && (self.no_percent || self.numbers)) && !self.currencies
    }

    /// The dates of the column, if all cells are.
    pub(crate) fn dates(&self) -> Option<DateGuess> {
        self.dates.dates().filter(|_| !self.numbers)
    }

    /// The warning about a column whose cells are dates, but for a few.
    pub(crate) fn mixed_dates(&self, name: &str) -> Option<Warning> {
        self.dates.mixed(name).filter(|_| !self.numbers)
    }

    /// Whether the cells are integers that doubles would round: identifiers.
    pub(crate) fn is_long(&self) -> bool {
        self.long && self.plain && !self.exponent && !self.has(Mark::Point) && !self.has(Mark::Comma)
    }

    /// Whether the cells can only be texts.
    pub(crate) fn is_text(&self) -> bool {
        self.present && !self.plain && !self.written && self.dates().is_none()
    }

    /// Whether a mark occurs in a way that depends on the decimal mark of the file.
    pub(crate) fn has(&self, mark: Mark) -> bool {
        self.decimal[mark as usize].is_some() || self.either[mark as usize].is_some()
    }
}

impl Place {
    pub(crate) fn new(text: &str, row: usize) -> Self {
        Self { row, text: shown(text) }
    }
}
