//! The cells of a column of a format with types, collected one by one.

use rulesieve::data::{Column, ColumnData, Table, TextColumn, table::format_number};

use crate::{error::ReadError, source::Input};

/// The name that pandas gives an index without a name.
const INDEX: &str = "__index_level_0__";

/// A table of these columns, of which one may be an index that pandas saved.
pub(crate) fn table(input: &Input, columns: impl Iterator<Item = (String, Cells)>) -> Result<Table, ReadError> {
    let columns = columns.map(|(name, cells)| Column { name, data: cells.into_data() }).collect();
    let mut table = Table::new(columns).map_err(|error| input.table_error(error))?;
    table.index_hint = table.position(INDEX).map(|_| INDEX.to_owned());
    Ok(table)
}

/// The largest integer up to which doubles tell all integers apart.
const EXACT: u128 = 1 << 53;

/// Cells of one type; `None` is a missing cell. Numbers become texts when a text or an integer of more than 53 bits
/// (an identifier, whose digits a double would lose) joins them.
#[derive(Debug)]
pub(crate) enum Cells {
    Numbers(Vec<f64>),
    Texts(TextColumn),
    /// Seconds since 1970.
    Dates(Vec<f64>),
}

impl Cells {
    pub(crate) fn push_number(&mut self, value: Option<f64>) {
        match self {
            Self::Numbers(values) | Self::Dates(values) => values.push(value.unwrap_or(f64::NAN)),
            Self::Texts(texts) => texts.push(&value.map(format_number).unwrap_or_default()),
        }
    }

    pub(crate) fn push_integer(&mut self, value: Option<i128>) {
        match value {
            Some(value) if value.unsigned_abs() > EXACT => self.push_text(&value.to_string()),
            _ => self.push_number(value.map(|value| value as f64)),
        }
    }

    /// Appends a text without surrounding white space; the empty text is a missing cell.
    pub(crate) fn push_text(&mut self, text: &str) {
        let earlier: Option<Vec<String>> = match self {
            Self::Numbers(values) => {
                Some(values.iter().map(|&value| shown_unless_missing(value, format_number)).collect())
            }
            Self::Dates(values) => Some(values.iter().map(|&value| shown_unless_missing(value, iso)).collect()),
            Self::Texts(_) => None,
        };
        if let Some(earlier) = earlier {
            let mut texts = TextColumn::default();
            earlier.iter().for_each(|text| texts.push(text));
            *self = Self::Texts(texts);
        }
        if let Self::Texts(texts) = self {
            texts.push(text.trim());
        }
    }

    /// Appends a time in seconds since 1970.
    #[cfg(feature = "excel")]
    pub(crate) fn push_date(&mut self, seconds: f64) {
        match self {
            Self::Dates(values) => values.push(seconds),
            Self::Numbers(values) if values.iter().all(|value| value.is_nan()) => {
                values.push(seconds);
                *self = Self::Dates(std::mem::take(values));
            }
            _ => self.push_text(&iso(seconds)),
        }
    }

    pub(crate) fn push_missing(&mut self) {
        self.push_number(None);
    }

    /// Appends a cell of other cells; `None` if there is no such cell.
    pub(crate) fn push_from(&mut self, other: &Self, at: usize) -> Option<()> {
        match other {
            Self::Texts(texts) => self.push_text(texts.levels().get(*texts.codes().get(at)? as usize)?),
            Self::Numbers(values) | Self::Dates(values) => {
                let value = *values.get(at)?;
                self.push_number((!value.is_nan()).then_some(value));
            }
        }
        Some(())
    }

    /// Appends missing cells up to this number of cells.
    pub(crate) fn fill(&mut self, count: usize) {
        (self.len()..count).for_each(|_| self.push_missing());
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Numbers(values) | Self::Dates(values) => values.len(),
            Self::Texts(texts) => texts.codes().len(),
        }
    }

    pub(crate) fn into_data(self) -> ColumnData {
        match self {
            Self::Numbers(values) => ColumnData::Numeric(values),
            Self::Texts(texts) => ColumnData::Text(texts),
            Self::Dates(values) => ColumnData::Dates(values),
        }
    }
}

/// A time in seconds since 1970 as text in ISO 8601.
pub(crate) fn iso(seconds: f64) -> String {
    Column::dates("", vec![seconds]).cell(0)
}

/// Seconds from units of which a second has this many, without losing the fraction of large values.
pub(crate) fn seconds(value: i64, per_second: i64) -> f64 {
    value.div_euclid(per_second) as f64 + value.rem_euclid(per_second) as f64 / per_second as f64
}

fn shown_unless_missing(value: f64, show: impl Fn(f64) -> String) -> String {
    if value.is_nan() { String::new() } else { show(value) }
}

/// The value of `unscaled / 10^scale`, correctly rounded.
pub(crate) fn decimal(unscaled: i128, scale: i32) -> f64 {
    if unscaled.unsigned_abs() <= EXACT && (0..=22).contains(&scale) {
        // Both numbers are exact.
        return unscaled as f64 / 10f64.powi(scale);
    }
    format!("{unscaled}e{}", -i64::from(scale)).parse().unwrap_or(f64::NAN)
}

/// The value of a big-endian number of at most 16 bytes in two's complement.
pub(crate) fn big_endian(bytes: &[u8]) -> Option<i128> {
    let negative = bytes.first().is_some_and(|&first| first >= 0x80);
    let start = if negative { -1 } else { 0 };
    (bytes.len() <= 16).then(|| bytes.iter().fold(start, |value, &byte| value << 8 | i128::from(byte)))
}

/// The value of an IEEE half-precision number.
pub(crate) fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from(bits >> 10 & 0x1f);
    let fraction = f64::from(bits & 0x3ff) / 1024.0;
    match exponent {
        0 => sign * fraction * 2f64.powi(-14),
        31 if fraction == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        _ => sign * (1.0 + fraction) * 2f64.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_integers_keep_their_digits() {
        let mut cells = Cells::Numbers(Vec::new());
        for value in [Some(7), None, Some(1 << 53), Some(u64::MAX.into()), Some(-i128::from(u64::MAX) + 1), Some(3)] {
            cells.push_integer(value);
        }
        let ColumnData::Text(text) = cells.into_data() else { panic!("digits") };
        let digits: Vec<&str> = (0..6).map(|row| text.get(row)).collect();
        assert_eq!(digits, ["7", "", "9007199254740992", "18446744073709551615", "-18446744073709551614", "3"]);
    }

    #[test]
    fn decimals_are_rounded_once() {
        assert_eq!(decimal(12345, 2), 123.45);
        assert_eq!(decimal(-1, 25), -1e-25);
        assert_eq!(decimal(i128::MAX, 38), 1.701_411_834_604_692_3);
        assert_eq!(decimal(5, -3), 5000.0);
        assert_eq!((big_endian(&[0xff, 0x00]), big_endian(&[0x00, 0x80])), (Some(-256), Some(128)));
        assert_eq!(big_endian(&[0; 17]), None);
    }

    #[test]
    fn half_precision_follows_the_standard() {
        for (bits, value) in [(0x3c00, 1.0), (0xc000, -2.0), (0x7bff, 65504.0), (0x0001, 5.960_464_477_539_063e-8)] {
            assert_eq!(half(bits), value);
        }
        assert!(half(0x7c00).is_infinite() && half(0x7e00).is_nan());
    }
}
