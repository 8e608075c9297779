//! From features to the matrix that methods learn from: impute, code, scale, each learned on training rows alone.

use super::DataError;
use super::dataset::{Dataset, Feature, FeatureValues, MISSING};
use crate::linalg::Matrix;
use std::ops::Range;

/// Categories that can be coded one by one.
pub(crate) const MAX_LEVELS: usize = 1000;
/// Entries of the largest matrix.
const MAX_CELLS: usize = 1 << 30;

/// How categories become numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CategoricalCoding {
    /// An indicator for each category, all of them one feature; a single indicator where there are two categories.
    #[default]
    OneHot,
    /// The place of the category in alphabetical order.
    Ordinal,
}

/// What was learned from the training rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoder {
    columns: Vec<ColumnEncoder>,
}

#[derive(Debug, Clone, PartialEq)]
enum ColumnEncoder {
    /// Fill with the median, then map minimum and maximum to 0 and 1.
    Number { median: f64, low: f64, high: f64 },
    /// The place of every category among those of the training rows (`None`: not among them), how many those are, and
    /// the place of the most frequent one.
    Category { places: Vec<Option<u32>>, count: usize, frequent: u32, coding: CategoricalCoding },
}

/// Scaled numbers, and which of their columns belong to which feature.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// Samples in rows, coded features in columns.
    pub x: Matrix,
    /// For every feature the columns that code it.
    pub blocks: Vec<Range<usize>>,
}

impl Encoder {
    /// Learns medians, ranges and categories from the training rows.
    pub fn fit(data: &Dataset, rows: &[usize], coding: CategoricalCoding) -> Result<Self, DataError> {
        let columns: Vec<ColumnEncoder> =
            data.features.iter().map(|feature| fit_column(feature, rows, coding)).collect::<Result<_, _>>()?;
        Ok(Self { columns })
    }

    /// Codes some rows.
    pub fn transform(&self, data: &Dataset, rows: &[usize]) -> Result<Design, DataError> {
        let mut blocks = Vec::with_capacity(self.columns.len());
        let mut width = 0;
        for column in &self.columns {
            blocks.push(width..width + column.width());
            width += column.width();
        }
        if rows.len().saturating_mul(width) > MAX_CELLS {
            return Err(DataError::TooLarge { rows: rows.len(), columns: width, limit: MAX_CELLS });
        }
        let mut x = Matrix::zeros(rows.len(), width);
        for ((column, feature), block) in self.columns.iter().zip(&data.features).zip(&blocks) {
            column.write(feature, rows, &mut x, block.start);
        }
        Ok(Design { x, blocks })
    }
}

fn fit_column(feature: &Feature, rows: &[usize], coding: CategoricalCoding) -> Result<ColumnEncoder, DataError> {
    match &feature.values {
        FeatureValues::Numeric(values) => Ok(fit_number(rows.iter().map(|&row| values[row]))),
        FeatureValues::Categorical { levels, codes } => {
            let mut counts = vec![0_usize; levels.len()];
            rows.iter().filter(|&&row| codes[row] != MISSING).for_each(|&row| counts[codes[row] as usize] += 1);
            let mut count = 0;
            let places: Vec<Option<u32>> = counts
                .iter()
                .map(|&occurs| {
                    (occurs > 0).then(|| {
                        count += 1;
                        count as u32 - 1
                    })
                })
                .collect();
            if coding == CategoricalCoding::OneHot && count > MAX_LEVELS {
                return Err(DataError::TooManyLevels {
                    column: feature.name.clone(),
                    levels: count,
                    rows: rows.len(),
                    limit: MAX_LEVELS,
                });
            }
            // The first of the most frequent ones.
            let most = counts.iter().enumerate().max_by_key(|&(at, &occurs)| (occurs, std::cmp::Reverse(at)));
            let frequent = most.and_then(|(at, _)| places[at]).unwrap_or(0);
            Ok(ColumnEncoder::Category { places, count, frequent, coding })
        }
    }
}

fn fit_number(values: impl Iterator<Item = f64>) -> ColumnEncoder {
    let mut present: Vec<f64> = values.filter(|value| !value.is_nan()).collect();
    if present.is_empty() {
        return ColumnEncoder::Number { median: 0.0, low: 0.0, high: 0.0 };
    }
    let (low, high) = present.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |r, &v| (r.0.min(v), r.1.max(v)));
    let (count, middle) = (present.len(), present.len() / 2);
    let (below, &mut upper, _) = present.select_nth_unstable_by(middle, f64::total_cmp);
    let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Halves, because the sum of two large numbers may overflow.
    // Between its neighbours, because half of the smallest number is none.
    let median = if count % 2 == 0 { (lower / 2.0 + upper / 2.0).max(lower).min(upper) } else { upper };
    ColumnEncoder::Number { median, low, high }
}

impl ColumnEncoder {
    fn width(&self) -> usize {
        match self {
            Self::Number { .. } => 1,
            Self::Category { coding: CategoricalCoding::Ordinal, .. } => 1,
            // Two indicators would say the same thing twice.
            Self::Category { count, .. } => {
                if *count <= 2 {
                    1
                } else {
                    *count
                }
            }
        }
    }

    fn write(&self, feature: &Feature, rows: &[usize], x: &mut Matrix, first: usize) {
        match (self, &feature.values) {
            (Self::Number { median, low, high }, FeatureValues::Numeric(values)) => {
                for (to, &row) in x.col_mut(first).iter_mut().zip(rows) {
                    let value = if values[row].is_nan() { *median } else { values[row] };
                    *to = scaled(value, *low, *high);
                }
            }
            (Self::Category { places, count, frequent, .. }, FeatureValues::Categorical { codes, .. }) => {
                let place = |row: usize| places.get(codes[row] as usize).copied().flatten().unwrap_or(*frequent);
                if self.width() == 1 {
                    for (to, &row) in x.col_mut(first).iter_mut().zip(rows) {
                        *to = scaled(f64::from(place(row)), 0.0, count.saturating_sub(1) as f64);
                    }
                } else {
                    for (at, &row) in rows.iter().enumerate() {
                        x[(at, first + place(row) as usize)] = 1.0;
                    }
                }
            }
            // Encoder and data set disagree about the kind of a column: only possible across data sets.
            _ => x.col_mut(first).fill(0.0),
        }
    }
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
