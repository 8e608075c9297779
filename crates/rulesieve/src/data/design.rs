//! From features to the matrix that methods fit: imputation, coding and scaling, each learned on training rows alone
//! and applied by column name, so that other tables are coded the same way.

use super::dataset::{Dataset, Feature, FeatureValues, MISSING, Missing};
use super::encoder::ColumnEncoder;
use super::{DataError, Table, names};
use crate::linalg::Matrix;
use crate::memory::{Bytes, is_available};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ops::Range;

/// Maximum number of entries of a matrix.
const MAX_CELLS: usize = 1 << 30;

/// Coding of categories as numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CategoricalCoding {
    /// One indicator per category, which together form one feature; a single indicator for two categories.
    #[default]
    #[serde(alias = "OneHot")]
    OneHot,
    /// Index of the category in alphabetical order.
    #[serde(alias = "Ordinal")]
    Ordinal,
}

/// Imputation, coding and scaling of all features, learned from the training rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Encoder {
    /// The features by name.
    pub columns: Vec<ColumnEncoder>,
}

/// Scaled numbers, with the columns of every feature.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// Samples in rows, coded features in columns.
    pub x: Matrix,
    /// For every feature the columns that code it.
    pub blocks: Vec<Range<usize>>,
    /// For every column of the table the columns that code it: several for the indicators of a category. The same as
    /// the blocks unless features are grouped.
    pub parts: Vec<Range<usize>>,
    /// Features whose missing values were imputed, with the rows of the matrix.
    pub filled: Vec<(usize, Vec<usize>)>,
}

/// A category that does not occur in the training rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unseen {
    /// The column.
    pub column: String,
    /// The category.
    pub category: String,
    /// Indices of its rows.
    pub rows: Vec<usize>,
}

impl Design {
    /// Checks that there is memory for so many further copies of the matrix.
    pub(crate) fn check_copies(&self, copies: usize) -> Result<(), DataError> {
        let (rows, columns) = (self.x.rows(), self.x.cols());
        let bytes = copies.saturating_mul(rows * columns).saturating_mul(size_of::<f64>());
        match is_available(bytes) {
            true => Ok(()),
            false => Err(DataError::OutOfMemory { rows, columns, bytes: Bytes(bytes) }),
        }
    }

    /// The columns of the table in a block, each as the columns that code it.
    pub fn parts_of(&self, block: &Range<usize>) -> &[Range<usize>] {
        let before = |bound: usize| self.parts.partition_point(|part| part.start < bound);
        &self.parts[before(block.start)..before(block.end)]
    }
}

impl Encoder {
    /// Learns medians, ranges and categories of all features from the training rows.
    pub fn fit(data: &Dataset, rows: &[usize], coding: CategoricalCoding) -> Result<Self, DataError> {
        Self::fit_features(data.features.iter(), rows, coding, data.missing)
    }

    /// As [`Encoder::fit`], for some features.
    pub fn fit_features<'a>(
        features: impl Iterator<Item = &'a Feature>,
        rows: &[usize],
        coding: CategoricalCoding,
        missing: Missing,
    ) -> Result<Self, DataError> {
        Ok(Self { columns: features.map(|feature| ColumnEncoder::fit(feature, rows, coding, missing)).collect() })
    }

    /// For every feature, the columns of the design that code it.
    pub fn blocks(&self) -> Vec<Range<usize>> {
        let mut width = 0;
        let block = |column: &ColumnEncoder| {
            width += column.width();
            width - column.width()..width
        };
        self.columns.iter().map(block).collect()
    }

    /// Codes some rows of a data set; features are found by name.
    pub fn transform(&self, data: &Dataset, rows: &[usize]) -> Result<Design, DataError> {
        let index = |name: &str| data.features.binary_search_by(|feature| feature.name.as_str().cmp(name)).ok();
        let found: Vec<Option<&Feature>> =
            self.columns.iter().map(|column| index(&column.name).map(|at| &data.features[at])).collect();
        let present = || data.features.iter().map(|feature| feature.name.as_str());
        self.check_found(found.iter().map(Option::is_some), present)?;
        self.code(&found.into_iter().flatten().collect::<Vec<_>>(), rows)
    }

    /// Reads the features from another table, in the order of the encoder. Columns are found by name, in any order;
    /// other columns are ignored. `first_row` is the number of the first row in messages.
    pub fn adopt(&self, table: &Table, first_row: usize) -> Result<Vec<Feature>, DataError> {
        let indices: HashMap<&str, usize> =
            table.columns().iter().enumerate().map(|(at, column)| (column.name.as_str(), at)).collect();
        let found: Vec<Option<usize>> =
            self.columns.iter().map(|column| indices.get(column.name.as_str()).copied()).collect();
        let present = || table.columns().iter().map(|column| column.name.as_str());
        self.check_found(found.iter().map(Option::is_some), present)?;
        let pairs = self.columns.iter().zip(found.into_iter().flatten());
        pairs.map(|(column, at)| column.adopt(&table.columns()[at], first_row)).collect()
    }

    /// Codes some rows of features returned by [`Encoder::adopt`].
    pub fn code(&self, features: &[&Feature], rows: &[usize]) -> Result<Design, DataError> {
        let blocks = self.blocks();
        let width = blocks.last().map_or(0, |block| block.end);
        if rows.len().saturating_mul(width) > MAX_CELLS {
            return Err(DataError::TooLarge { rows: rows.len(), columns: width, limit: MAX_CELLS });
        }
        let out_of_memory = || DataError::OutOfMemory {
            rows: rows.len(),
            columns: width,
            bytes: Bytes(rows.len() * width * size_of::<f64>()),
        };
        let mut cells = Vec::new();
        // Running out of memory is an error, not an abort.
        cells.try_reserve_exact(rows.len() * width).map_err(|_| out_of_memory())?;
        cells.resize(rows.len() * width, 0.0);
        let mut x = Matrix::from_column_major(rows.len(), width, cells).ok_or_else(out_of_memory)?;
        for ((column, feature), block) in self.columns.iter().zip(features).zip(&blocks) {
            column.write(feature, rows, &mut x, block.start)?;
        }
        let rows_missing = |feature: &Feature| -> Vec<usize> {
            rows.iter().enumerate().filter(|(_, row)| feature.values.is_missing(**row)).map(|(at, _)| at).collect()
        };
        // A missing category with a code of its own is not imputed.
        let imputed = features.iter().enumerate().filter(|(at, _)| !self.columns[*at].code.has_missing());
        let every = imputed.map(|(at, feature)| (at, rows_missing(feature)));
        let filled = every.filter(|(_, rows)| !rows.is_empty()).collect();
        Ok(Design { x, parts: blocks.clone(), blocks, filled })
    }

    /// Categories that do not occur in the training rows, in columns without merged rare categories; they are coded as
    /// missing values. If rare categories were merged, a new one counts as rare and is not reported.
    pub fn unseen(&self, features: &[Feature]) -> Vec<Unseen> {
        let mut all = Vec::new();
        for (column, feature) in self.columns.iter().zip(features) {
            let FeatureValues::Categorical { levels, codes } = &feature.values else { continue };
            let unknown = column.indices(feature).into_iter().enumerate().filter(|(_, index)| index.is_none());
            let mut rows: HashMap<u32, Vec<usize>> = unknown.map(|(level, _)| (level as u32, Vec::new())).collect();
            if rows.is_empty() {
                continue;
            }
            for (row, code) in codes.iter().enumerate().filter(|(_, code)| **code != MISSING) {
                if let Some(rows) = rows.get_mut(code) {
                    rows.push(row);
                }
            }
            let mut found: Vec<(u32, Vec<usize>)> = rows.into_iter().filter(|(_, rows)| !rows.is_empty()).collect();
            found.sort_by_key(|(_, rows)| rows[0]);
            all.extend(found.into_iter().map(|(level, rows)| Unseen {
                column: feature.name.clone(),
                category: levels[level as usize].clone(),
                rows,
            }));
        }
        all
    }

    fn check_found<'a, I: Iterator<Item = &'a str>>(
        &self,
        found: impl Iterator<Item = bool>,
        present: impl Fn() -> I,
    ) -> Result<(), DataError> {
        let lost = self.columns.iter().zip(found).filter(|(_, found)| !found).map(|(column, _)| column.name.as_str());
        let lost: Vec<&str> = lost.collect();
        let Some(first) = lost.first() else { return Ok(()) };
        let hint = names::nearest(first, present()).map(|near| format!(" ('{first}': did you mean '{near}'?)"));
        let columns = names::shortened(&present().collect::<Vec<_>>());
        // All of them, because the user must fix all of them.
        let lost = lost.iter().map(|name| format!("'{}'", names::short(name))).collect::<Vec<_>>().join(", ");
        Err(DataError::MissingColumns { lost, hint: hint.unwrap_or_default(), columns })
    }
}
