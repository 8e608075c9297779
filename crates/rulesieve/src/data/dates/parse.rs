//! Dates and times in texts.

use super::{DAY, day_of};
use serde::{Deserialize, Serialize};

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// Longest text that may be a date.
const LONGEST: usize = 40;

/// Order of day and month in dates such as 3/4/2024.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DateOrder {
    /// Day, month, year.
    DayFirst,
    /// Month, day, year.
    MonthFirst,
}

impl DateOrder {
    /// The seconds since 1970-01-01 of a date, a date with time, or a time of day.
    pub fn parse(self, cell: &str) -> Option<f64> {
        let read = read(cell)?;
        let day = match read.date {
            None => 0,
            Some(Date::Full(day)) => day,
            Some(Date::Open(year, first, second)) => match self {
                Self::DayFirst => day_in(year, second, first)?,
                Self::MonthFirst => day_in(year, first, second)?,
            },
        };
        Some(day as f64 * DAY + read.seconds)
    }
}

/// What the cells of a column so far say about it as a column of dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateGuess {
    /// Every cell is a date, or every cell is a time of day.
    possible: bool,
    /// Whether the first cell has a date, once there is one.
    with_date: Option<bool>,
    day_first: bool,
    month_first: bool,
    /// Some date differs between the orders.
    differs: bool,
}

impl Default for DateGuess {
    fn default() -> Self {
        Self { possible: true, with_date: None, day_first: true, month_first: true, differs: false }
    }
}

impl DateGuess {
    /// The guess from a single cell.
    pub fn of(cell: &str) -> Self {
        let mut guess = Self::default();
        guess.add(cell);
        guess
    }

    /// Takes a cell that is not missing into account.
    pub fn add(&mut self, cell: &str) {
        if !self.possible {
            return;
        }
        let Some(read) = read(cell) else {
            self.possible = false;
            return;
        };
        let with_date = read.date.is_some();
        self.possible = *self.with_date.get_or_insert(with_date) == with_date;
        if let Some(Date::Open(year, first, second)) = read.date {
            self.day_first &= day_in(year, second, first).is_some();
            self.month_first &= day_in(year, first, second).is_some();
            self.possible &= self.day_first || self.month_first;
            self.differs |= first != second;
        }
    }

    /// Combines the guesses from two parts of a column.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let alike = match (self.with_date, other.with_date) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        };
        let (day_first, month_first) = (self.day_first && other.day_first, self.month_first && other.month_first);
        Self {
            possible: self.possible && other.possible && alike && (day_first || month_first),
            with_date: self.with_date.or(other.with_date),
            day_first,
            month_first,
            differs: self.differs || other.differs,
        }
    }

    /// Whether all cells are dates or times, and there is one.
    pub fn is_dates(&self) -> bool {
        self.possible && self.with_date.is_some()
    }

    /// Whether some date differs between the orders of day and month.
    pub fn depends_on_order(&self) -> bool {
        self.differs
    }

    /// The order of day and month; `given` if the cells allow both.
    pub fn order_or(&self, given: Option<DateOrder>) -> Option<DateOrder> {
        self.order().or(given.filter(|_| self.is_dates()))
    }

    /// The order of day and month; none if the cells are no dates, or allow both orders.
    pub fn order(&self) -> Option<DateOrder> {
        match (self.is_dates(), self.day_first, self.month_first) {
            (true, true, true) if self.differs => None,
            (true, true, _) => Some(DateOrder::DayFirst),
            (true, false, _) => Some(DateOrder::MonthFirst),
            (false, ..) => None,
        }
    }
}

enum Date {
    /// Days since 1970-01-01.
    Full(i64),
    /// The year, and day and month in unknown order.
    Open(i64, u32, u32),
}

struct DateTime {
    date: Option<Date>,
    /// Seconds since midnight (UTC if there is a time zone).
    seconds: f64,
}

fn read(cell: &str) -> Option<DateTime> {
    if cell.len() > LONGEST || !cell.is_ascii() || !cell.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if let Some(seconds) = time(cell) {
        return Some(DateTime { date: None, seconds });
    }
    // The time is what follows the last blank or T before the first colon.
    let Some(colon) = cell.find(':') else { return Some(DateTime { date: Some(date(cell)?), seconds: 0.0 }) };
    let at = cell[..colon].rfind(['T', ' '])?;
    Some(DateTime { date: Some(date(cell[..at].trim_end())?), seconds: time(&cell[at + 1..])? })
}

/// The seconds of `hh:mm`, `hh:mm:ss` or `hh:mm:ss.fff`, with AM or PM or a time zone (`Z`, `UTC`, `+hh:mm`).
fn time(cell: &str) -> Option<f64> {
    let (hour, rest) = cell.split_once(':')?;
    let (minute, rest) = rest.split_at_checked(2)?;
    let (second, rest) = match rest.strip_prefix(':') {
        Some(rest) => rest.split_at(rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len())),
        None => ("00", rest),
    };
    let (hour, minute) = (number(hour, 1..=2, 24)?, number(minute, 2..=2, 59)?);
    let whole = second.split('.').next().filter(|whole| whole.len() == 2)?;
    let second: f64 = number(whole, 2..=2, 60).and_then(|_| second.parse().ok())?;
    let zone = rest.trim();
    let (hour, ahead) = match zone.to_ascii_uppercase().as_str() {
        "" | "Z" | "UTC" | "GMT" => (hour, 0.0),
        "AM" if (1..=12).contains(&hour) => (hour % 12, 0.0),
        "PM" if (1..=12).contains(&hour) => (hour % 12 + 12, 0.0),
        _ => (hour, offset(zone)?),
    };
    let valid = hour < 24 || (minute == 0 && second == 0.0);
    valid.then(|| f64::from(hour * 3600 + minute * 60) + second - ahead)
}

/// The seconds of a time zone `+hh:mm`, `-hhmm` or `+hh`.
fn offset(zone: &str) -> Option<f64> {
    let sign = if zone.starts_with('-') { -1.0 } else { 1.0 };
    let digits = zone.strip_prefix(['+', '-'])?.replacen(':', "", 1);
    let (hours, minutes) = digits.split_at_checked(2)?;
    let minutes = if minutes.is_empty() { 0 } else { number(minutes, 2..=2, 59)? };
    Some(sign * f64::from(number(hours, 2..=2, 14)? * 3600 + minutes * 60))
}

fn date(cell: &str) -> Option<Date> {
    let separator = cell.find(|c: char| !c.is_ascii_alphanumeric())?;
    let named = cell.starts_with(|c: char| c.is_ascii_alphabetic());
    let separator = if named { ' ' } else { char::from(cell.as_bytes()[separator]) };
    let parts: Vec<&str> = match separator {
        '-' | '/' | '.' => cell.split(separator).collect(),
        ' ' | ',' => cell.split([' ', ',', '.']).filter(|part| !part.is_empty()).collect(),
        _ => return None,
    };
    let &[a, b, c] = parts.as_slice() else { return None };
    if let Some(month) = month(b) {
        return Some(Date::Full(day_in(year(c, true)?, month, number(a, 1..=2, 31)?)?));
    }
    if let Some(month) = month(a).filter(|_| named) {
        return Some(Date::Full(day_in(year(c, false)?, month, number(b, 1..=2, 31)?)?));
    }
    if matches!(separator, ' ' | ',') {
        return None;
    }
    if a.len() == 4 {
        return Some(Date::Full(day_in(year(a, false)?, number(b, 1..=2, 12)?, number(c, 1..=2, 31)?)?));
    }
    let (year, a, b) = (year(c, separator == '/')?, number(a, 1..=2, 31)?, number(b, 1..=2, 31)?);
    if separator == '.' { day_in(year, b, a).map(Date::Full) } else { Some(Date::Open(year, a, b)) }
}

/// A year of four digits; of two if `short` (69 to 99 are 1969 to 1999).
fn year(text: &str, short: bool) -> Option<i64> {
    match text.len() {
        4 => number(text, 4..=4, 9999).map(i64::from).filter(|year| *year > 0),
        2 if short => number(text, 2..=2, 99).map(|year| i64::from(year) + if year < 69 { 2000 } else { 1900 }),
        _ => None,
    }
}

/// The number of an English month name, in full or its first three letters.
fn month(text: &str) -> Option<u32> {
    let lower = text.trim_end_matches('.').to_ascii_lowercase();
    let is = |name: &&str| {
        lower == **name
            || (lower.len() == 3 && name.starts_with(&lower))
            || (lower == "sept" && name.starts_with("sept"))
    };
    MONTHS.iter().zip(1..).find(|(name, _)| is(name)).map(|(_, month)| month)
}

fn number(text: &str, digits: std::ops::RangeInclusive<usize>, most: u32) -> Option<u32> {
    let valid = digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|value| valid && *value <= most)
}

/// Days since 1970-01-01 of a date that exists.
fn day_in(year: i64, month: u32, day: u32) -> Option<i64> {
    let found = day_of(year, month, day);
    ((1..=12).contains(&month) && day >= 1 && super::civil(found) == (year, month, day)).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::super::iso;
    use super::*;

    fn guess(cells: &[&str]) -> DateGuess {
        let mut guess = DateGuess::default();
        cells.iter().for_each(|cell| guess.add(cell));
        guess
    }

    #[test]
    fn forms_of_dates_and_times() {
        for (cell, expected) in [
            ("2024-02-29", "2024-02-29"),
            ("2024/2/9", "2024-02-09"),
            ("2024-02-29T13:05", "2024-02-29T13:05:00"),
            ("2024-02-29 13:05:07.25", "2024-02-29T13:05:07"),
            ("2024-02-29T01:00:00Z", "2024-02-29T01:00:00"),
            ("2024-02-29T01:00:00+02:00", "2024-02-28T23:00:00"),
            ("2024-02-29 01:00:00-0130", "2024-02-29T02:30:00"),
            ("29.02.2024", "2024-02-29"),
            ("29.2.2024 7:30", "2024-02-29T07:30:00"),
            ("29/2/2024", "2024-02-29"),
            ("2/29/2024 7:30 PM", "2024-02-29T19:30:00"),
            ("12/31/99", "1999-12-31"),
            ("29 Feb 2024", "2024-02-29"),
            ("29-feb-24", "2024-02-29"),
            ("February 29, 2024", "2024-02-29"),
            ("Sept. 3, 2024", "2024-09-03"),
            ("13:05", "1970-01-01T13:05:00"),
            ("7:05:09", "1970-01-01T07:05:09"),
        ] {
            let order = guess(&[cell]).order().unwrap_or_else(|| panic!("{cell} is no date"));
            assert_eq!(order.parse(cell).map(iso).as_deref(), Some(expected), "{cell}");
        }
        for cell in [
            "2024-13-01",
            "2023-02-29",
            "1.2.3",
            "3:5",
            "24:01",
            "12",
            "a-b-c",
            "1-2-3",
            "2024-01",
            "31/31/2024",
            "",
            "May",
        ] {
            assert!(!guess(&[cell]).is_dates(), "{cell}");
        }
    }

    #[test]
    fn the_order_is_decided_by_all_cells() {
        assert_eq!(guess(&["3/4/2024", "13/4/2024"]).order(), Some(DateOrder::DayFirst));
        assert_eq!(guess(&["3/4/2024", "4/13/2024"]).order(), Some(DateOrder::MonthFirst));
        assert!(guess(&["3/4/2024", "5/6/2024"]).is_dates() && guess(&["3/4/2024", "5/6/2024"]).order().is_none());
        assert_eq!(guess(&["4/4/2024"]).order(), Some(DateOrder::DayFirst), "the same in both orders");
        assert!(!guess(&["13/4/2024", "4/13/2024"]).is_dates());
        assert!(!guess(&["2024-01-01", "12:30"]).is_dates());
        assert_eq!(guess(&["3/4/2024"]).and(guess(&["13/4/2024"])), guess(&["3/4/2024", "13/4/2024"]));
        assert!(!guess(&["13/4/2024"]).and(guess(&["4/13/2024"])).is_dates());
    }
}
