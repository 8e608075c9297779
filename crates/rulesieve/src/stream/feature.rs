//! One feature of the plan: its categories, what stands in for missing cells, and the numbers that scale it.

use super::StreamError;
use super::column::{ColumnSurvey, Levels, Role};
use crate::data::{CategoricalCoding, ColumnData};
use std::collections::HashMap;
use std::ops::Range;

/// How the cells of a feature become columns of the model.
pub(super) struct FeaturePlan {
    pub(super) name: String,
    pub(super) at: usize,
    /// For categories, their places.
    pub(super) places: Option<Lookup>,
    /// What stands in for a missing cell: the median, or the place of the most frequent category.
    fill: f64,
    /// The columns that code it, their means, and the factor that all of them share.
    pub(super) columns: Range<usize>,
    centres: Vec<f64>,
    scale: f64,
}

/// Levels in order.
#[derive(Default)]
pub(super) struct Lookup {
    by_name: HashMap<String, u32>,
    by_bits: HashMap<u64, u32>,
}

impl Lookup {
    pub(super) fn new(levels: &Levels, order: &[usize]) -> Self {
        let mut lookup = Self::default();
        for (place, &level) in order.iter().enumerate() {
            lookup.by_name.insert(levels.names[level].clone(), place as u32);
            if let Some(value) = levels.values.get(level) {
                lookup.by_bits.insert(value.to_bits(), place as u32);
            }
        }
        lookup
    }

    /// The places of cells; NaN for those that are missing or not among the levels.
    pub(super) fn places(&self, data: ColumnData) -> Vec<f64> {
        let place = |found: Option<&u32>| found.map_or(f64::NAN, |&place| f64::from(place));
        match data {
            ColumnData::Numeric(values) => {
                values.iter().map(|value| place(self.by_bits.get(&(value + 0.0).to_bits()))).collect()
            }
            ColumnData::Text(text) => {
                let places: Vec<f64> = text.levels().iter().map(|level| place(self.by_name.get(level))).collect();
                text.codes().iter().map(|&code| places[code as usize]).collect()
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
        sample: Vec<f64>,
    ) -> Result<Self, StreamError> {
        let (places, fill, centres, variance) = if column.role == Role::Number {
            let fill = median(sample).unwrap_or(column.moments.mean);
            let all = column.moments.merged(rows - column.moments.count.min(rows), fill, 0.0);
            (None, fill, vec![all.mean], all.squares / rows as f64)
        } else {
            let order = column.levels.ordered();
            let mut counts: Vec<f64> = order.iter().map(|&level| column.levels.counts[level] as f64).collect();
            let most = counts.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
            let frequent = most.map_or(0, |(place, _)| place);
            let present: f64 = counts.iter().sum();
            if let Some(count) = counts.get_mut(frequent) {
                *count += rows as f64 - present;
            }
            let shares: Vec<f64> = counts.iter().map(|count| count / rows as f64).collect();
            let (centres, variance) = category_moments(shares, coding);
            (Some(Lookup::new(&column.levels, &order)), frequent as f64, centres, variance)
        };
        if !variance.is_finite() {
            let (low, high) = (column.moments.low, column.moments.high);
            return Err(StreamError::TooWide { column: column.name.clone(), low, high });
        }
        let scale = if variance > 0.0 && column.varies() { 1.0 / variance.sqrt() } else { 0.0 };
        let columns = first..first + centres.len();
        Ok(Self { name: column.name.clone(), at: column.at, places, fill, columns, centres, scale })
    }

    pub(super) fn write(&self, cell: f64, out: &mut [f64]) {
        let cell = if cell.is_nan() { self.fill } else { cell };
        if let [centre] = self.centres[..] {
            out.fill((cell - centre) * self.scale);
            return;
        }
        for (place, (out, centre)) in out.iter_mut().zip(&self.centres).enumerate() {
            *out = (f64::from(u8::from(place as f64 == cell)) - centre) * self.scale;
        }
    }
}

/// Means of the columns that code categories of these shares, and their mean variance.
fn category_moments(shares: Vec<f64>, coding: CategoricalCoding) -> (Vec<f64>, f64) {
    if coding == CategoricalCoding::OneHot && shares.len() > 2 {
        let variance = shares.iter().map(|share| share * (1.0 - share)).sum::<f64>() / shares.len() as f64;
        return (shares, variance);
    }
    let places = || shares.iter().enumerate().map(|(place, share)| (place as f64, share));
    let mean = places().map(|(place, share)| place * share).sum::<f64>();
    let variance = places().map(|(place, share)| (place - mean).powi(2) * share).sum();
    (vec![mean], variance)
}

/// The median of the sample; exact when the sample is all there is.
fn median(mut values: Vec<f64>) -> Option<f64> {
    let middle = values.len() / 2;
    values.sort_by(f64::total_cmp);
    let upper = *values.get(middle)?;
    // Halves, because the sum of two large numbers may overflow.
    Some(if values.len().is_multiple_of(2) { values[middle - 1] / 2.0 + upper / 2.0 } else { upper })
}
