//! Coding of a single column: learned from the training rows, applied to others.

use super::DataError;
use super::dataset::{Feature, FeatureValues, MISSING, Missing, categories_of_numbers};
use super::design::CategoricalCoding;
use super::levels::Levels;
use super::merged::{MergedLevels, free_name};
use super::names::short;
use super::table::{Column, ColumnData, format_number, is_missing};
use crate::linalg::Matrix;
use serde::{Deserialize, Serialize};

/// Maximum number of categories of a column.
pub(crate) const MAX_LEVELS: usize = 1000;

/// The name of the category of missing values.
const MISSING_NAME: &str = "missing";

/// A column by name, with its coding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnEncoder {
    /// The name of the column.
    pub name: String,
    /// The coding of its values.
    #[serde(flatten)]
    pub code: Code,
}

/// Coding of values as numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Code {
    /// Impute the median, then map minimum and maximum to 0 and 1.
    Numeric {
        /// The median of the training rows.
        median: f64,
        /// Their minimum.
        low: f64,
        /// Their maximum.
        high: f64,
    },
    /// Index of a category among those of the training rows. Any other category is coded as the merged rare ones, if
    /// there are any, and otherwise as a missing value.
    Categorical {
        /// The categories of the training rows, in alphabetical (numbers: ascending) order.
        levels: Vec<String>,
        /// Index of the most frequent category.
        frequent: usize,
        /// Coding of the indices as numbers.
        coding: CategoricalCoding,
        /// Whether the last category stands for all that are not listed: those that are rare in the training rows or do
        /// not occur there.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        other: bool,
        /// Index of the category of missing values; if absent, the most frequent category is imputed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        missing: Option<usize>,
    },
}

impl ColumnEncoder {
    /// Learns the coding of a feature from some rows.
    pub(super) fn fit(feature: &Feature, rows: &[usize], coding: CategoricalCoding, missing: Missing) -> Self {
        let code = match &feature.values {
            FeatureValues::Numeric(values) => fit_number(rows.iter().map(|&row| values[row])),
            FeatureValues::Categorical { levels, codes } => {
                let mut counts = vec![0_usize; levels.len()];
                rows.iter().filter(|&&row| codes[row] != MISSING).for_each(|&row| counts[codes[row] as usize] += 1);
                let seen: Vec<usize> = (0..levels.len()).filter(|&level| counts[level] > 0).collect();
                let names = seen.iter().map(|&at| levels[at].clone()).collect();
                let counts: Vec<usize> = seen.iter().map(|&at| counts[at]).collect();
                let gaps = if missing == Missing::Fill { rows.len() - counts.iter().sum::<usize>() } else { 0 };
                let (merged, missing) = Code::merge(names, counts, gaps, coding);
                Code::of_levels(&merged, coding, missing)
            }
        };
        Self { name: feature.name.clone(), code }
    }

    /// Number of columns in the design.
    pub fn width(&self) -> usize {
        match &self.code {
            Code::Numeric { .. } | Code::Categorical { coding: CategoricalCoding::Ordinal, .. } => 1,
            // A second indicator would be redundant.
            Code::Categorical { levels, .. } => {
                if levels.len() <= 2 {
                    1
                } else {
                    levels.len()
                }
            }
        }
    }

    /// Converts a column of another table to this feature: numeric texts to numbers where numbers are needed, and
    /// numbers to categories. Missing cells stay missing; `first_row` is the number of the first row in messages.
    pub(super) fn adopt(&self, column: &Column, first_row: usize) -> Result<Feature, DataError> {
        let not_finite = |row: usize, value: String| DataError::NotFinite {
            column: self.name.clone(),
            row: (first_row + row).into(),
            value: short(&value),
        };
        let values = match (&self.code, &column.data) {
            (Code::Numeric { .. }, ColumnData::Dates(values)) if values.iter().any(|value| !value.is_nan()) => {
                let row = values.iter().position(|value| !value.is_nan()).unwrap_or(0);
                let (column, value) = (self.name.clone(), short(&column.cell(row)));
                return Err(DataError::NotANumber { column, row: (first_row + row).into(), value });
            }
            (Code::Numeric { .. }, ColumnData::Numeric(values) | ColumnData::Dates(values)) => {
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
                        row: (first_row + row).into(),
                        value: short(text.get(row)),
                    })
                };
                FeatureValues::Numeric(text.codes().iter().enumerate().map(cell).collect::<Result<_, _>>()?)
            }
            (Code::Categorical { .. }, ColumnData::Numeric(values) | ColumnData::Dates(values)) => {
                if let Some(row) = values.iter().position(|value| value.is_infinite()) {
                    return Err(not_finite(row, values[row].to_string()));
                }
                categories_of_numbers(values)
            }
            (Code::Categorical { levels: known, .. }, ColumnData::Text(text)) => {
                let is_known_sign = |level: &String| level == "-" && known.contains(level);
                let missing: Vec<bool> =
                    text.levels().iter().map(|level| is_missing(level) && !is_known_sign(level)).collect();
                let code = |&code: &u32| if missing[code as usize] { MISSING } else { code };
                let codes = text.codes().iter().map(code).collect();
                FeatureValues::Categorical { levels: text.levels().to_vec(), codes }
            }
        };
        Ok(Feature { name: self.name.clone(), values })
    }

    /// For every category of a feature its index among the known ones; empty for numbers.
    pub(crate) fn indices(&self, feature: &Feature) -> Vec<Option<u32>> {
        match (&self.code, &feature.values) {
            (Code::Categorical { levels: known, other, .. }, FeatureValues::Categorical { levels, .. }) => {
                let merged = other.then(|| known.len().saturating_sub(1) as u32);
                let known = Levels::new(known);
                levels.iter().map(|level| known.find(level).or(merged)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The typical value of the training rows, as text and coded: the median, or the most frequent category.
    pub(crate) fn typical(&self) -> (String, Vec<f64>) {
        let (name, cell) = match &self.code {
            Code::Numeric { median, .. } => (format_number(*median), f64::NAN),
            Code::Categorical { levels, frequent, .. } => {
                (levels.get(*frequent).cloned().unwrap_or_default(), *frequent as f64)
            }
        };
        let mut codes = vec![0.0; self.width()];
        self.write_cell(cell, &mut codes);
        (name, codes)
    }

    /// The cell after imputation; a cell is a number or the index of a category, NaN if missing.
    fn filled(&self, cell: f64) -> f64 {
        match &self.code {
            _ if !cell.is_nan() => cell,
            Code::Numeric { median, .. } => *median,
            Code::Categorical { frequent, missing, .. } => missing.unwrap_or(*frequent) as f64,
        }
    }

    /// The code of a cell for codings with a single column.
    fn single(&self, cell: f64) -> f64 {
        match &self.code {
            Code::Numeric { low, high, .. } => scaled(self.filled(cell), *low, *high),
            Code::Categorical { levels, .. } => scaled(self.filled(cell), 0.0, levels.len().saturating_sub(1) as f64),
        }
    }

    /// Writes the code of one cell into its columns.
    pub(crate) fn write_cell(&self, cell: f64, out: &mut [f64]) {
        if let [single] = out {
            *single = self.single(cell);
            return;
        }
        out.fill(0.0);
        if let Some(own) = out.get_mut(self.filled(cell) as usize) {
            *own = 1.0;
        }
    }

    /// Writes the coded rows into the columns of `x` starting at `first`.
    pub(super) fn write(
        &self,
        feature: &Feature,
        rows: &[usize],
        x: &mut Matrix,
        first: usize,
    ) -> Result<(), DataError> {
        match (&self.code, &feature.values) {
            (Code::Numeric { .. }, FeatureValues::Numeric(values)) => {
                let cells = x.col_mut(first).iter_mut().zip(rows);
                cells.for_each(|(to, &row)| *to = self.single(values[row]));
            }
            (Code::Categorical { .. }, FeatureValues::Categorical { codes, .. }) => {
                let indices = self.indices(feature);
                let index =
                    |row: usize| indices.get(codes[row] as usize).copied().flatten().map_or(f64::NAN, f64::from);
                if self.width() == 1 {
                    let cells = x.col_mut(first).iter_mut().zip(rows);
                    cells.for_each(|(to, &row)| *to = self.single(index(row)));
                } else {
                    for (at, &row) in rows.iter().enumerate() {
                        x[(at, first + self.filled(index(row)) as usize)] = 1.0;
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

impl Code {
    /// Merges rare categories if each would have its own indicator. `gaps` missing values become the last category
    /// before merging, whose index is returned.
    pub(crate) fn merge(
        mut names: Vec<String>,
        mut counts: Vec<usize>,
        gaps: usize,
        coding: CategoricalCoding,
    ) -> (MergedLevels, Option<usize>) {
        if gaps > 0 {
            names.push(free_name(MISSING_NAME, &names));
            counts.push(gaps);
        }
        let merged = match coding {
            CategoricalCoding::OneHot => MergedLevels::new(names, counts, MAX_LEVELS),
            CategoricalCoding::Ordinal => MergedLevels::all(names, counts),
        };
        let missing = merged.indices.last().filter(|_| gaps > 0).map(|&index| index as usize);
        (merged, missing)
    }

    /// The coding of categories, with the index of that of missing values.
    pub(crate) fn of_levels(merged: &MergedLevels, coding: CategoricalCoding, missing: Option<usize>) -> Self {
        let frequent = most_frequent(merged.counts.iter().copied());
        Self::Categorical { levels: merged.names.clone(), frequent, coding, other: merged.other, missing }
    }

    /// Whether missing values have a code of their own.
    pub(super) fn has_missing(&self) -> bool {
        matches!(self, Self::Categorical { missing: Some(_), .. })
    }
}

fn fit_number(values: impl Iterator<Item = f64>) -> Code {
    let mut present: Vec<f64> = values.filter(|value| !value.is_nan()).collect();
    let (low, high) = present.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |r, &v| (r.0.min(v), r.1.max(v)));
    match median(&mut present) {
        Some(median) => Code::Numeric { median, low, high },
        None => Code::Numeric { median: 0.0, low: 0.0, high: 0.0 },
    }
}

/// The median, computed in place by reordering the values; none for an empty slice.
pub(crate) fn median(values: &mut [f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let (count, middle) = (values.len(), values.len() / 2);
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Halve before adding, because the sum of two large numbers may overflow; clamp, because half of the smallest
    // number underflows.
    Some(if count.is_multiple_of(2) { (lower / 2.0 + upper / 2.0).max(lower).min(upper) } else { upper })
}

/// Index of the most frequent category; ties go to the first.
fn most_frequent(counts: impl Iterator<Item = usize>) -> usize {
    let most = counts.enumerate().max_by_key(|&(index, count)| (count, std::cmp::Reverse(index)));
    most.map_or(0, |(index, _)| index)
}

/// Maps `low..high` to 0..1, a constant to 0. Values outside the training range map outside of 0..1.
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
    // Finite also for values far outside of a tiny training range.
    scaled.clamp(-f64::MAX, f64::MAX)
}
