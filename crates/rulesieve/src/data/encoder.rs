//! How one column becomes numbers: what was learned from the training rows, and how it is applied to others.

use super::DataError;
use super::dataset::{Feature, FeatureValues, MISSING, categories_of_numbers};
use super::design::CategoricalCoding;
use super::levels::Levels;
use super::names::short;
use super::table::{Column, ColumnData, format_number, is_missing};
use crate::linalg::Matrix;
use serde::{Deserialize, Serialize};

/// Categories that can be coded one by one.
pub(crate) const MAX_LEVELS: usize = 1000;

/// A column by name, and how it is coded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnEncoder {
    /// The name of the column.
    pub name: String,
    /// How its values become numbers.
    #[serde(flatten)]
    pub code: Code,
}

/// How values become numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Code {
    /// Fill with the median, then map minimum and maximum to 0 and 1.
    Numeric {
        /// The median of the training rows.
        median: f64,
        /// Their minimum.
        low: f64,
        /// Their maximum.
        high: f64,
    },
    /// The place of a category among those of the training rows; the most frequent one for any other.
    Categorical {
        /// The categories of the training rows, in alphabetical (numbers: ascending) order.
        levels: Vec<String>,
        /// The place of the most frequent one.
        frequent: usize,
        /// How places become numbers.
        coding: CategoricalCoding,
    },
}

impl ColumnEncoder {
    /// Learns from some rows.
    pub(super) fn fit(feature: &Feature, rows: &[usize], coding: CategoricalCoding) -> Result<Self, DataError> {
        let code = match &feature.values {
            FeatureValues::Numeric(values) => fit_number(rows.iter().map(|&row| values[row])),
            FeatureValues::Categorical { levels, codes } => {
                let mut counts = vec![0_usize; levels.len()];
                rows.iter().filter(|&&row| codes[row] != MISSING).for_each(|&row| counts[codes[row] as usize] += 1);
                let seen: Vec<usize> = (0..levels.len()).filter(|&level| counts[level] > 0).collect();
                if coding == CategoricalCoding::OneHot && seen.len() > MAX_LEVELS {
                    return Err(DataError::TooManyLevels {
                        column: feature.name.clone(),
                        levels: seen.len(),
                        rows: rows.len(),
                        limit: MAX_LEVELS,
                    });
                }
                // The first of the most frequent ones.
                let most = seen.iter().enumerate().max_by_key(|&(place, &at)| (counts[at], std::cmp::Reverse(place)));
                let frequent = most.map_or(0, |(place, _)| place);
                let levels = seen.into_iter().map(|at| levels[at].clone()).collect();
                Code::Categorical { levels, frequent, coding }
            }
        };
        Ok(Self { name: feature.name.clone(), code })
    }

    /// Number of columns in the design.
    pub fn width(&self) -> usize {
        match &self.code {
            Code::Numeric { .. } | Code::Categorical { coding: CategoricalCoding::Ordinal, .. } => 1,
            // Two indicators would say the same thing twice.
            Code::Categorical { levels, .. } => {
                if levels.len() <= 2 {
                    1
                } else {
                    levels.len()
                }
            }
        }
    }

    /// Takes a column of another table for this feature: texts that are numbers where numbers are needed, and the
    /// other way round. Missing cells stay missing; `first_row` is the number of the first row in messages.
    pub(super) fn adopt(&self, column: &Column, first_row: usize) -> Result<Feature, DataError> {
        let not_finite = |row: usize, value: String| DataError::NotFinite {
            column: self.name.clone(),
            row: first_row + row,
            value: short(&value),
        };
        let values = match (&self.code, &column.data) {
            (Code::Numeric { .. }, ColumnData::Numeric(values)) => {
                if let Some(row) = values.iter().position(|value| value.is_infinite()) {
                    return Err(not_finite(row, values[row].to_string()));
                }
                FeatureValues::Numeric(values.clone())
            }
            (Code::Numeric { .. }, ColumnData::Text(text)) => {
                let read = |level: &String| match level.trim() {
                    cell if is_missing(cell) => Some(f64::NAN),
                    cell => cell.parse::<f64>().ok().filter(|value| value.is_finite()),
                };
                let numbers: Vec<Option<f64>> = text.levels().iter().map(read).collect();
                let cell = |(row, &code): (usize, &u32)| {
                    numbers[code as usize].ok_or_else(|| DataError::NotANumber {
                        column: self.name.clone(),
                        row: first_row + row,
                        value: short(text.get(row)),
                    })
                };
                FeatureValues::Numeric(text.codes().iter().enumerate().map(cell).collect::<Result<_, _>>()?)
            }
            (Code::Categorical { .. }, ColumnData::Numeric(values)) => {
                if let Some(row) = values.iter().position(|value| value.is_infinite()) {
                    return Err(not_finite(row, values[row].to_string()));
                }
                categories_of_numbers(values)
            }
            (Code::Categorical { .. }, ColumnData::Text(text)) => {
                let missing: Vec<bool> = text.levels().iter().map(|level| is_missing(level)).collect();
                let code = |&code: &u32| if missing[code as usize] { MISSING } else { code };
                let codes = text.codes().iter().map(code).collect();
                FeatureValues::Categorical { levels: text.levels().to_vec(), codes }
            }
        };
        Ok(Feature { name: self.name.clone(), values })
    }

    /// For every category of a feature its place among the known ones; nothing for numbers.
    pub(super) fn places(&self, feature: &Feature) -> Vec<Option<u32>> {
        match (&self.code, &feature.values) {
            (Code::Categorical { levels: known, .. }, FeatureValues::Categorical { levels, .. }) => {
                let known = Levels::new(known);
                levels.iter().map(|level| known.find(level)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The typical value of the training rows, in words and in codes: the median, or the most frequent category.
    pub(crate) fn typical(&self) -> (String, Vec<f64>) {
        match &self.code {
            Code::Numeric { median, low, high } => (format_number(*median), vec![scaled(*median, *low, *high)]),
            Code::Categorical { levels, frequent, .. } => {
                let name = levels.get(*frequent).cloned().unwrap_or_default();
                let codes = match self.width() {
                    1 => vec![scaled(*frequent as f64, 0.0, levels.len().saturating_sub(1) as f64)],
                    width => (0..width).map(|place| f64::from(u8::from(place == *frequent))).collect(),
                };
                (name, codes)
            }
        }
    }

    /// Writes the coded rows into the columns of `x` from `first` on.
    pub(super) fn write(
        &self,
        feature: &Feature,
        rows: &[usize],
        x: &mut Matrix,
        first: usize,
    ) -> Result<(), DataError> {
        match (&self.code, &feature.values) {
            (Code::Numeric { median, low, high }, FeatureValues::Numeric(values)) => {
                for (to, &row) in x.col_mut(first).iter_mut().zip(rows) {
                    let value = if values[row].is_nan() { *median } else { values[row] };
                    *to = scaled(value, *low, *high);
                }
            }
            (Code::Categorical { levels, frequent, .. }, FeatureValues::Categorical { codes, .. }) => {
                let places = self.places(feature);
                let place =
                    |row: usize| places.get(codes[row] as usize).copied().flatten().map_or(*frequent, |at| at as usize);
                if self.width() == 1 {
                    for (to, &row) in x.col_mut(first).iter_mut().zip(rows) {
                        *to = scaled(place(row) as f64, 0.0, levels.len().saturating_sub(1) as f64);
                    }
                } else {
                    for (at, &row) in rows.iter().enumerate() {
                        x[(at, first + place(row))] = 1.0;
                    }
                }
            }
            (code, _) => {
                let expected = if matches!(code, Code::Numeric { .. }) { "numbers" } else { "categories" };
                return Err(DataError::OtherKind { column: self.name.clone(), expected });
            }
        }
        Ok(())
    }
}

fn fit_number(values: impl Iterator<Item = f64>) -> Code {
    let mut present: Vec<f64> = values.filter(|value| !value.is_nan()).collect();
    if present.is_empty() {
        return Code::Numeric { median: 0.0, low: 0.0, high: 0.0 };
    }
    let (low, high) = present.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |r, &v| (r.0.min(v), r.1.max(v)));
    let (count, middle) = (present.len(), present.len() / 2);
    let (below, &mut upper, _) = present.select_nth_unstable_by(middle, f64::total_cmp);
    let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Halves, because the sum of two large numbers may overflow.
    // Between its neighbours, because half of the smallest number is none.
    let median = if count % 2 == 0 { (lower / 2.0 + upper / 2.0).max(lower).min(upper) } else { upper };
    Code::Numeric { median, low, high }
}

/// Maps `low..high` to 0..1, a constant to 0. Values outside the training range go outside of 0..1.
fn scaled(value: f64, low: f64, high: f64) -> f64 {
    let (range, above) = (high - low, value - low);
    if range == 0.0 {
        return 0.0;
    }
    let scaled = if range.is_finite() && above.is_finite() {
        above / range
    } else {
        (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)
    };
    // A value far outside of a tiny training range: still a number.
    scaled.clamp(-f64::MAX, f64::MAX)
}
