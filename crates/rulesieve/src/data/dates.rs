//! Dates and times as features: year, month, day of week, hour, and days since the first date.

mod parse;

pub use parse::{DateGuess, DateOrder};

use super::names::short;
use super::table::{Column, ColumnData, Table, is_missing};
use super::{DataError, Reading};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

const DAY: f64 = 86_400.0;
/// The parts of a date; the features are called `COLUMN.PART`.
const PARTS: [&str; 5] = ["year", "month", "weekday", "hour", "days"];
/// Index of the days since the first date.
const DAYS: usize = 4;

/// A date column whose parts are features.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DateColumn {
    /// The name of the column.
    pub column: String,
    /// The day from which `days` counts: the first in the training rows, as days since 1970-01-01.
    pub first_day: i64,
}

impl DateColumn {
    /// The first day, as ISO 8601.
    pub fn first(&self) -> String {
        iso(self.first_day as f64 * DAY)
    }

    /// The column among `dates` of which a feature is a part.
    pub fn of<'a>(dates: &'a [Self], feature: &str) -> Option<&'a Self> {
        dates.iter().find(|date| {
            let part = feature.strip_prefix(date.column.as_str()).and_then(|rest| rest.strip_prefix('.'));
            part.is_some_and(|part| PARTS.contains(&part))
        })
    }
}

/// Returns whether a feature is no part of a date column, or the first one that is asked for.
pub(crate) fn is_first_part(dates: &[DateColumn]) -> impl FnMut(&str) -> bool + '_ {
    let mut seen = Vec::new();
    move |feature| match DateColumn::of(dates, feature) {
        Some(date) if seen.contains(&date) => false,
        date => {
            seen.extend(date);
            true
        }
    }
}

/// The names of the features of a date column.
pub(super) fn part_names(column: &str) -> impl Iterator<Item = String> {
    PARTS.iter().map(move |part| format!("{column}.{part}"))
}

/// The parts of a time in seconds since 1970-01-01: year, month (1 to 12), day of week (1, Monday, to 7), hour with
/// fraction, and days since 1970-01-01.
fn parts(seconds: f64) -> [f64; 5] {
    if !seconds.is_finite() {
        return [f64::NAN; 5];
    }
    let day = (seconds / DAY).floor();
    let (year, month, _) = civil(day as i64);
    let weekday = (day as i64 + 3).rem_euclid(7) + 1;
    [year as f64, f64::from(month), weekday as f64, (seconds - day * DAY) / 3600.0, day]
}

/// Year, month and day of a day counted from 1970-01-01, in the Gregorian calendar.
fn civil(day: i64) -> (i64, u32, u32) {
    // Years begin in March, so that the leap day is the last; 146,097 days are 400 years.
    let shifted = day.saturating_add(719_468);
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let month_day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    (era * 400 + year_of_era + i64::from(month <= 2), month as u32, month_day as u32)
}

/// Days from 1970-01-01 to a date.
fn day_of(year: i64, month: u32, day: u32) -> i64 {
    let year = year - i64::from(month <= 2);
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((i64::from(month) + 9) % 12) + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// A time as ISO 8601: the date, and the time of day unless it is midnight.
pub(super) fn iso(seconds: f64) -> String {
    let day = (seconds / DAY).floor();
    let (year, month, month_day) = civil(day as i64);
    let mut text = format!("{year:04}-{month:02}-{month_day:02}");
    let of_day = seconds - day * DAY;
    if of_day != 0.0 {
        let (hour, minute, second) = (of_day / 3600.0, of_day / 60.0 % 60.0, of_day % 60.0);
        text += &format!("T{:02}:{:02}:{:02}", hour.floor(), minute.floor(), second.floor());
    }
    text
}

/// The ranges of the parts of a date column.
#[derive(Debug, Clone)]
pub(crate) struct DateRanges {
    name: String,
    ranges: [(f64, f64); 5],
}

impl DateRanges {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ranges: [(f64::INFINITY, f64::NEG_INFINITY); 5] }
    }

    pub(crate) fn add(&mut self, seconds: &[f64]) {
        for &time in seconds.iter().filter(|time| time.is_finite()) {
            for (range, part) in self.ranges.iter_mut().zip(parts(time)) {
                *range = (range.0.min(part), range.1.max(part));
            }
        }
    }

    /// The first day, and the parts that vary; `days` if none does.
    pub(crate) fn finish(&self) -> DateParts {
        let mut used = self.ranges.map(|(low, high)| low < high);
        used[DAYS] |= !used.contains(&true);
        let first = self.ranges[DAYS].0;
        let first_day = if first.is_finite() { first as i64 } else { 0 };
        DateParts { date: DateColumn { column: self.name.clone(), first_day }, used }
    }
}

/// A date column and the parts of it that are features.
#[derive(Debug, Clone)]
pub(crate) struct DateParts {
    pub(crate) date: DateColumn,
    used: [bool; 5],
}

impl DateParts {
    /// All parts, for the columns of a model.
    fn all(date: &DateColumn) -> Self {
        Self { date: date.clone(), used: [true; 5] }
    }

    /// The features of the column.
    pub(crate) fn columns(&self, seconds: &[f64]) -> Vec<Column> {
        let first = self.date.first_day as f64;
        let mut columns: Vec<(usize, Column)> = (0..PARTS.len())
            .filter(|&part| self.used[part])
            .map(|part| (part, Column::numeric(format!("{}.{}", self.date.column, PARTS[part]), Vec::new())))
            .collect();
        for &time in seconds {
            let parts = parts(time);
            for (part, column) in &mut columns {
                if let ColumnData::Numeric(values) = &mut column.data {
                    values.push(if *part == DAYS { parts[DAYS] - first } else { parts[*part] });
                }
            }
        }
        columns.into_iter().map(|(_, column)| column).collect()
    }
}

/// Adds the parts of the date columns of a model to a table. `reading` is how the training table was read.
pub(crate) fn with_parts<'a>(
    table: &'a Table,
    dates: &[DateColumn],
    reading: &Reading,
    first_row: usize,
) -> Result<Cow<'a, Table>, DataError> {
    let mut added = Vec::new();
    for date in dates {
        let Some(at) = table.position(&date.column) else { continue };
        let order = reading.dates.get(&date.column).copied();
        let seconds = seconds(&table.columns()[at], order, first_row)?;
        let new = DateParts::all(date).columns(&seconds);
        added.extend(new.into_iter().filter(|column| table.position(&column.name).is_none()));
    }
    if added.is_empty() {
        return Ok(Cow::Borrowed(table));
    }
    let columns = table.columns().iter().cloned().chain(added).collect();
    Ok(Table::new(columns).map_or(Cow::Borrowed(table), Cow::Owned))
}

/// The times of a column that held dates in training, in seconds since 1970-01-01. `before` is the order of day and month there.
fn seconds(column: &Column, before: Option<DateOrder>, first_row: usize) -> Result<Cow<'_, [f64]>, DataError> {
    let wrong = |row: usize| DataError::NotADate {
        column: column.name.clone(),
        row: (first_row + row).into(),
        value: short(&column.cell(row)),
    };
    match &column.data {
        ColumnData::Dates(seconds) => Ok(Cow::Borrowed(seconds)),
        ColumnData::Numeric(values) => match values.iter().position(|value| !value.is_nan()) {
            Some(row) => Err(wrong(row)),
            None => Ok(Cow::Borrowed(values)),
        },
        ColumnData::Text(text) => {
            let mut guess = DateGuess::default();
            text.levels().iter().filter(|level| !is_missing(level.trim())).for_each(|level| guess.add(level.trim()));
            let order = guess.order_or(before);
            let read = |level: &String| match level.trim() {
                cell if is_missing(cell) => Some(f64::NAN),
                cell => order.and_then(|order| order.parse(cell)),
            };
            let times: Vec<Option<f64>> = text.levels().iter().map(read).collect();
            let cell = |(row, &code): (usize, &u32)| times[code as usize].ok_or_else(|| wrong(row));
            Ok(Cow::Owned(text.codes().iter().enumerate().map(cell).collect::<Result<_, _>>()?))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_agree() {
        for (day, date) in [(0, (1970, 1, 1)), (19_782, (2024, 2, 29)), (-1, (1969, 12, 31)), (-719_468, (0, 3, 1))] {
            assert_eq!((civil(day), day_of(date.0, date.1, date.2)), (date, day));
        }
        assert!((-800_000..800_000).step_by(17).all(|day| {
            let (year, month, month_day) = civil(day);
            day_of(year, month, month_day) == day
        }));
        assert_eq!(parts(19_782.0 * DAY + 5400.0), [2024.0, 2.0, 4.0, 1.5, 19_782.0], "a Thursday, half past one");
        assert_eq!((iso(0.0).as_str(), iso(-1.0).as_str()), ("1970-01-01", "1969-12-31T23:59:59"));
    }

    #[test]
    fn constant_parts_are_left_out() {
        let mut ranges = DateRanges::new("when");
        let seconds = [DAY, 3.0 * DAY, f64::NAN];
        ranges.add(&seconds);
        let found = ranges.finish();
        let names: Vec<String> = found.columns(&seconds).into_iter().map(|column| column.name).collect();
        assert_eq!((names, found.date.first_day), (vec!["when.weekday".to_owned(), "when.days".to_owned()], 1));
        assert_eq!(DateRanges::new("never").finish().columns(&[f64::NAN]).len(), 1);
    }
}
