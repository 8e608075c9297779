//! Coding and scaling of one feature, as in memory.

use super::StreamError;
use super::column::{ColumnSurvey, Levels, Moments, Role};
use crate::data::{CategoricalCoding, Code, ColumnData, ColumnEncoder, MergedLevels, Missing, median};
use std::collections::HashMap;
use std::ops::Range;

/// Conversion of the cells of a feature to columns of the model.
pub(super) struct FeaturePlan {
    pub(super) encoder: ColumnEncoder,
    /// Index in the table.
    pub(super) at: usize,
    /// For categories, the indices of their levels.
    pub(super) lookup: Option<Lookup>,
    /// The columns that code it, their means, and their common scale factor.
    pub(super) columns: Range<usize>,
    pub(super) means: Vec<f64>,
    pub(super) factor: f64,
}

/// Indices of levels by name or value.
#[derive(Default)]
pub(super) struct Lookup {
    by_name: HashMap<String, u32>,
    by_bits: HashMap<u64, u32>,
}

impl Lookup {
    pub(super) fn new(levels: &Levels, order: &[usize], indices: impl Iterator<Item = u32>) -> Self {
        let mut lookup = Self::default();
        for (&level, index) in order.iter().zip(indices) {
            lookup.by_name.insert(levels.names[level].clone(), index);
            if let Some(value) = levels.values.get(level) {
                lookup.by_bits.insert(value.to_bits(), index);
            }
        }
        lookup
    }

    /// The indices of cells; NaN for missing or unknown values.
    pub(super) fn indices(&self, data: ColumnData) -> Vec<f64> {
        let index = |found: Option<&u32>| found.map_or(f64::NAN, |&index| f64::from(index));
        match data {
            ColumnData::Numeric(values) | ColumnData::Dates(values) => {
                values.iter().map(|value| index(self.by_bits.get(&(value + 0.0).to_bits()))).collect()
            }
            ColumnData::Text(text) => {
                let indices: Vec<f64> = text.levels().iter().map(|level| index(self.by_name.get(level))).collect();
                text.codes().iter().map(|&code| indices[code as usize]).collect()
            }
        }
    }
}

impl FeaturePlan {
    pub(super) fn new(
        column: &ColumnSurvey,
        first: usize,
        rows: usize,
        coding: CategoricalCoding,
        missing: Missing,
        sample: Vec<f64>,
    ) -> Result<Self, StreamError> {
        let mut counts = Vec::new();
        let (code, lookup) = match column.role {
            Role::Number => (code_of_numbers(&column.moments, sample), None),
            Role::Category | Role::Target => {
                let order = column.levels.ordered();
                let gaps = if missing == Missing::Fill { rows.saturating_sub(column.present()) } else { 0 };
                let (merged, missing) = merged(&column.levels, &order, gaps, coding);
                let lookup = Lookup::new(&column.levels, &order, merged.indices.iter().copied());
                counts.clone_from(&merged.counts);
                (Code::of_levels(&merged, coding, missing), Some(lookup))
            }
        };
        let encoder = ColumnEncoder { name: column.name.clone(), code };
        let (means, variance) = match &encoder.code {
            Code::Numeric { median, .. } => number_moments(column, *median, rows, &encoder)?,
            Code::Categorical { frequent, .. } => {
                category_moments(&with_missing(counts, *frequent, rows), encoder.width())
            }
        };
        let factor = if variance > 0.0 { 1.0 / variance.sqrt() } else { 1.0 };
        let columns = first..first + encoder.width();
        Ok(Self { encoder, at: column.at, lookup, columns, means, factor })
    }

    /// Codes, centres and scales a cell.
    pub(super) fn write(&self, cell: f64, out: &mut [f64]) {
        self.encoder.write_cell(cell, out);
        out.iter_mut().zip(&self.means).for_each(|(value, mean)| *value = (*value - mean) * self.factor);
    }
}

/// The range of all rows and the median of the sample, which is exact if the sample contains all rows.
fn code_of_numbers(all: &Moments, mut sample: Vec<f64>) -> Code {
    let (low, high) = (all.low, all.high);
    // If the sample has no values, use the mean, which rounding may have moved out of the range.
    let median = median(&mut sample).unwrap_or(all.mean).max(low).min(high);
    Code::Numeric { median, low, high }
}

fn merged(levels: &Levels, order: &[usize], gaps: usize, coding: CategoricalCoding) -> (MergedLevels, Option<usize>) {
    let names = order.iter().map(|&level| levels.names[level].clone()).collect();
    Code::merge(names, order.iter().map(|&level| levels.counts[level]).collect(), gaps, coding)
}

/// Mean and variance of the codes of numbers, with missing values imputed.
fn number_moments(
    column: &ColumnSurvey,
    median: f64,
    rows: usize,
    encoder: &ColumnEncoder,
) -> Result<(Vec<f64>, f64), StreamError> {
    let moments = &column.moments;
    // A constant is coded as 0, however large it is.
    if moments.low == moments.high {
        return Ok((vec![0.0], 0.0));
    }
    let all = moments.merged(rows - moments.count.min(rows), median, 0.0);
    let deviation = (all.squares / rows as f64).sqrt();
    if !deviation.is_finite() {
        return Err(StreamError::TooWide { column: column.name.clone(), low: moments.low, high: moments.high });
    }
    let mut mean = vec![0.0];
    encoder.write_cell(all.mean, &mut mean);
    let range = moments.high - moments.low;
    Ok((mean, if range > 0.0 { (deviation / range).powi(2) } else { 0.0 }))
}

/// The shares of categories with these counts, missing cells imputed by the most frequent one.
fn with_missing(mut counts: Vec<usize>, frequent: usize, rows: usize) -> Vec<f64> {
    let missing = rows - counts.iter().sum::<usize>().min(rows);
    if let Some(count) = counts.get_mut(frequent) {
        *count += missing;
    }
    counts.iter().map(|&count| count as f64 / rows as f64).collect()
}

/// Means of the columns that code categories with these shares, and their mean variance.
fn category_moments(shares: &[f64], width: usize) -> (Vec<f64>, f64) {
    if width > 1 {
        let variance = shares.iter().map(|share| share * (1.0 - share)).sum::<f64>() / shares.len() as f64;
        return (shares.to_vec(), variance);
    }
    let last = shares.len().saturating_sub(1).max(1) as f64;
    let codes = || shares.iter().enumerate().map(|(index, share)| (index as f64 / last, share));
    let mean = codes().map(|(code, share)| code * share).sum::<f64>();
    let variance = codes().map(|(code, share)| (code - mean).powi(2) * share).sum();
    (vec![mean], variance)
}
