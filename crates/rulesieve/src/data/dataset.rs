//! A validated table: features in canonical order, the target, and data problems.

use super::dates::is_first_part;
use super::excluded::{self, ExcludedColumn, KeepSuspicious};
use super::names::shortened;
use super::suspicion::{self, Suspicions};
use super::table::{Column, ColumnData, Table, format_number, missing_levels};
use super::target::Target;
use super::used_rows;
use super::{
    CategoricalCoding, DataError, DateColumn, Dates, ExclusionReason, InferredTask, Reading, Roles, TargetColumn,
};
use crate::warning::Warning;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Code of a missing category.
pub const MISSING: u32 = u32::MAX;

/// Policy for missing feature values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// Impute numbers with the median of the training rows, and make missing categories a category of their own. Drop
    /// columns without values and rows without a target.
    #[default]
    Fill,
    /// Reject the table.
    Error,
    /// As [`Missing::Fill`], but impute categories with the most frequent one of the training rows.
    Median,
    /// Drop incomplete rows.
    DropRows,
}

/// Options for reading a table as features and target.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct DatasetOptions {
    /// The target.
    pub target: TargetColumn,
    /// Policy for missing values.
    pub missing: Missing,
    /// Coding of categories.
    pub coding: CategoricalCoding,
    /// Columns that are categorical although they look numeric. This and the following name columns by name, by number
    /// (from 1), by a range of numbers (`3-7`) or names (`a:f`), or by a pattern with `*` and `?`.
    pub categorical: Vec<String>,
    /// Columns that are neither features nor target.
    pub drop: Vec<String>,
    /// The only columns that are features, if not empty.
    pub keep: Vec<String>,
    /// Columns that are set aside as identifiers.
    pub id: Vec<String>,
    /// Features that every selection contains.
    pub include: Vec<String>,
    /// Columns that remain features although they look like identifiers, row numbers or copies of the target.
    pub keep_suspicious: KeepSuspicious,
}

impl DatasetOptions {
    /// Default options for a target.
    pub fn new(target: TargetColumn) -> Self {
        Self { target, ..Self::default() }
    }

    /// Sets the policy for missing values.
    pub fn missing(self, missing: Missing) -> Self {
        Self { missing, ..self }
    }

    /// Sets the coding of categories.
    pub fn coding(self, coding: CategoricalCoding) -> Self {
        Self { coding, ..self }
    }

    /// Declares columns as categorical although they look numeric.
    pub fn categorical<S: Into<String>>(self, columns: impl IntoIterator<Item = S>) -> Self {
        Self { categorical: columns.into_iter().map(Into::into).collect(), ..self }
    }

    /// Drops columns: they are neither features nor target.
    pub fn drop<S: Into<String>>(self, columns: impl IntoIterator<Item = S>) -> Self {
        Self { drop: columns.into_iter().map(Into::into).collect(), ..self }
    }

    /// Makes these columns the only features.
    pub fn keep<S: Into<String>>(self, columns: impl IntoIterator<Item = S>) -> Self {
        Self { keep: columns.into_iter().map(Into::into).collect(), ..self }
    }

    /// Sets columns aside as identifiers.
    pub fn id<S: Into<String>>(self, columns: impl IntoIterator<Item = S>) -> Self {
        Self { id: columns.into_iter().map(Into::into).collect(), ..self }
    }

    /// Includes features in every selection.
    pub fn include<S: Into<String>>(self, columns: impl IntoIterator<Item = S>) -> Self {
        Self { include: columns.into_iter().map(Into::into).collect(), ..self }
    }

    /// Keeps suspicious columns as features.
    pub fn keep_suspicious(self, keep_suspicious: KeepSuspicious) -> Self {
        Self { keep_suspicious, ..self }
    }
}

/// A feature column.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    /// The name.
    pub name: String,
    /// The values.
    pub values: FeatureValues,
}

/// The values of a feature.
#[derive(Debug, Clone, PartialEq)]
pub enum FeatureValues {
    /// Finite numbers; NaN where missing.
    Numeric(Vec<f64>),
    /// Codes into levels that are in alphabetical order; [`MISSING`] where missing.
    Categorical {
        /// The distinct categories.
        levels: Vec<String>,
        /// The category of each row.
        codes: Vec<u32>,
    },
}

/// A validated table.
///
/// Features are sorted by name: results do not depend on the order of columns in the file.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Dataset {
    /// The features, sorted by name.
    pub features: Vec<Feature>,
    /// The target.
    pub target: Target,
    /// The task, if it was inferred from a numeric target.
    pub inferred: Option<InferredTask>,
    /// Indices of the rows of the table that are used, if some were dropped.
    pub used_rows: Option<Vec<usize>>,
    /// Policy for missing values of models that are trained on this data.
    pub missing: Missing,
    /// Coding of categories.
    pub coding: CategoricalCoding,
    /// Data problems of the features.
    pub suspicions: Suspicions,
    /// Columns that are excluded because they identify rows or repeat the target, sorted by name.
    pub excluded: Vec<ExcludedColumn>,
    /// Indices of the features that every selection contains, ascending.
    pub include: Vec<usize>,
    /// Date columns, whose parts are features.
    pub dates: Vec<DateColumn>,
    /// How the cells of the file were read.
    pub reading: Reading,
    /// Warnings.
    pub warnings: Vec<Warning>,
}

impl Dataset {
    /// Validates a table.
    pub fn new(table: Table, options: &DatasetOptions) -> Result<Self, DataError> {
        if table.rows() == 0 {
            return Err(DataError::NoRows);
        }
        let roles = Roles::new(&table, options)?;
        let dates = Dates::of(&roles, &table);
        let table = roles.apply(table, &dates)?;
        let options = &roles.options;
        let target_at = table.target_position(options.target.column.as_deref())?;
        let target_name = table.columns()[target_at].name.clone();

        let (mut warnings, index_hint) = (table.warnings.clone(), table.index_hint.clone());
        let reading = table.reading.clone();
        let (mut features, mut excluded) = (Vec::with_capacity(table.columns().len()), Vec::new());
        let mut target_column = None;
        for (at, column) in table.into_columns().into_iter().enumerate() {
            if at == target_at {
                target_column = Some(column);
            } else {
                let categorical = options.categorical.contains(&column.name);
                match Feature::new(column, categorical) {
                    Err(DataError::Empty { column: feature }) if options.missing != Missing::Error => {
                        excluded.push(ExcludedColumn { feature, reason: ExclusionReason::Empty });
                    }
                    feature => features.push(feature?),
                }
            }
        }
        if features.is_empty() {
            return Err(DataError::NoFeatures { target: target_name });
        }
        features.sort_by(|a, b| a.name.cmp(&b.name));
        let Some(mut target_column) = target_column else { return Err(DataError::NoRows) };
        let mut used = used_rows::complete(&features, &target_column, options.missing, &mut warnings)?;
        if let Some(rows) = &used {
            features.iter_mut().for_each(|feature| feature.values.keep(rows));
            target_column = target_column.rows(rows);
        }
        let (mut target, inferred) = Target::read(&target_column, &options.target)?;
        match options.missing {
            Missing::Error => reject_missing(&features)?,
            Missing::Fill => warnings.extend(filled(&features, &dates.columns())),
            Missing::Median | Missing::DropRows => {}
        }
        if options.target.classes.is_empty() {
            let (classes, rows) = target.drop_single_rows()?;
            if !classes.is_empty() {
                features.iter_mut().for_each(|feature| feature.values.keep(&rows));
                used = Some(used.map_or(rows.clone(), |used| rows.iter().map(|&row| used[row]).collect()));
                warnings.push(Warning::SingleRowClasses { classes });
            }
        }
        target.check_class_limit()?;
        let mut suspicions =
            suspicion::inspect(&features, &target, options.missing, None)?.with_index(&features, index_hint.as_deref());
        suspicions.mostly_numbers.retain(|&at| !options.categorical.contains(&features[at].name));
        let mut data = Self {
            features,
            target,
            inferred: inferred.map(|task| task.of_dates(roles.dated)),
            used_rows: used,
            missing: options.missing,
            coding: options.coding,
            suspicions,
            excluded,
            include: Vec::new(),
            dates: dates.columns(),
            reading,
            warnings,
        };
        data.leave_out(options);
        Ok(data)
    }

    /// Excludes suspicious features except those in `keep_suspicious` and `include`, and records the data problems.
    /// Returns the former indices of the excluded features.
    pub(crate) fn leave_out(&mut self, options: &DatasetOptions) -> Vec<usize> {
        // Dates name rows no more than other measurements do.
        let is_date = |at: usize| DateColumn::of(&self.dates, &self.features[at].name).is_some();
        self.suspicions.identifiers.retain(|&at| !is_date(at));
        self.suspicions.row_numbers.retain(|&at| !is_date(at));
        let keep = options.keep_suspicious.with(&options.include);
        let (chosen, kept) = excluded::choose(&self.features, &self.suspicions, &keep);
        let removed: Vec<usize> = chosen.iter().map(|&(at, _)| at).collect();
        let name = |at: usize| self.features[at].name.clone();
        let suspicious = chosen.iter().map(|&(at, reason)| ExcludedColumn { feature: name(at), reason });
        let declared =
            options.id.iter().map(|id| ExcludedColumn { feature: id.clone(), reason: ExclusionReason::Identifier });
        self.excluded.extend(suspicious.chain(declared));
        self.excluded.sort_by(|a, b| a.feature.cmp(&b.feature));
        self.suspicions = self.suspicions.without(&removed);
        let mut at = 0..;
        self.features.retain(|_| at.next().is_none_or(|at| removed.binary_search(&at).is_err()));
        self.include = options.include.iter().filter_map(|name| self.index_of(name)).collect();
        self.include.sort_unstable();
        self.warnings.extend(excluded::warnings(&self.excluded, &self.target));
        self.warnings.extend(kept);
        self.warnings.extend(self.suspicions.warnings(&self.features, &self.target));
        removed
    }

    /// Index of the feature with this name.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.features.iter().position(|feature| feature.name == name)
    }

    /// Indices of the features with these names.
    ///
    /// # Errors
    /// [`DataError::NoColumn`] for the first name without a feature.
    pub(crate) fn indices_of(&self, names: &[String]) -> Result<Vec<usize>, DataError> {
        let index = |name: &String| {
            self.index_of(name).ok_or_else(|| DataError::NoColumn {
                name: name.clone(),
                hint: String::new(),
                columns: shortened(&self.features.iter().map(|feature| feature.name.as_str()).collect::<Vec<_>>()),
            })
        };
        names.iter().map(index).collect()
    }

    /// Number of rows.
    pub fn samples(&self) -> usize {
        self.target.rows()
    }
}

impl Feature {
    fn new(column: Column, categorical: bool) -> Result<Self, DataError> {
        let Column { name, data } = column;
        let values = match data {
            ColumnData::Numeric(values) | ColumnData::Dates(values) => {
                if let Some(row) = values.iter().position(|value| value.is_infinite()) {
                    return Err(DataError::NotFinite {
                        column: name,
                        row: (row + 1).into(),
                        value: values[row].to_string(),
                    });
                }
                if values.iter().all(|value| value.is_nan()) {
                    return Err(DataError::Empty { column: name });
                }
                if categorical { categories_of_numbers(&values) } else { FeatureValues::Numeric(values) }
            }
            ColumnData::Text(text) => {
                let missing = missing_levels(text.levels());
                let index = ranks(text.levels().iter().enumerate().filter(|(at, _)| !missing[*at]));
                if index.is_empty() {
                    return Err(DataError::Empty { column: name });
                }
                let mut code_of_level = vec![MISSING; text.levels().len()];
                let mut levels = Vec::with_capacity(index.len());
                for (code, (level, at)) in index.into_iter().enumerate() {
                    code_of_level[at] = code as u32;
                    levels.push(level.clone());
                }
                let codes = text.codes().iter().map(|&code| code_of_level[code as usize]).collect();
                FeatureValues::Categorical { levels, codes }
            }
        };
        Ok(Self { name, values })
    }

    /// Row index of the first missing value.
    pub fn first_missing(&self) -> Option<usize> {
        (0..self.values.len()).find(|&row| self.values.is_missing(row))
    }
}

/// Levels in alphabetical order, with their index among the given ones.
fn ranks<'a>(levels: impl Iterator<Item = (usize, &'a String)>) -> BTreeMap<&'a String, usize> {
    levels.map(|(at, level)| (level, at)).collect()
}

pub(super) fn categories_of_numbers(values: &[f64]) -> FeatureValues {
    let mut distinct: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup_by(|a, b| a == b);
    let code = |value: &f64| {
        if value.is_nan() { MISSING } else { distinct.partition_point(|other| other < value) as u32 }
    };
    let codes = values.iter().map(code).collect();
    FeatureValues::Categorical { levels: distinct.into_iter().map(format_number).collect(), codes }
}

impl FeatureValues {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Numeric(values) => values.len(),
            Self::Categorical { codes, .. } => codes.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the value of a row is missing.
    pub fn is_missing(&self, row: usize) -> bool {
        match self {
            Self::Numeric(values) => values[row].is_nan(),
            Self::Categorical { codes, .. } => codes[row] == MISSING,
        }
    }

    /// Number of missing values.
    pub fn missing(&self) -> usize {
        match self {
            Self::Numeric(values) => values.iter().filter(|value| value.is_nan()).count(),
            Self::Categorical { codes, .. } => codes.iter().filter(|&&code| code == MISSING).count(),
        }
    }

    fn keep(&mut self, rows: &[usize]) {
        match self {
            Self::Numeric(values) => *values = rows.iter().map(|&row| values[row]).collect(),
            Self::Categorical { codes, .. } => *codes = rows.iter().map(|&row| codes[row]).collect(),
        }
    }
}

fn reject_missing(features: &[Feature]) -> Result<(), DataError> {
    let missing: Vec<(usize, &Feature)> =
        features.iter().filter_map(|feature| Some((feature.first_missing()?, feature))).collect();
    // The first missing value in reading order.
    let Some((row, feature)) = missing.iter().min_by_key(|(row, _)| *row) else { return Ok(()) };
    Err(DataError::Missing {
        column: feature.name.clone(),
        row: (row + 1).into(),
        missing: missing.iter().map(|(_, feature)| feature.values.missing()).sum(),
        columns: missing.len(),
    })
}

/// The warning about missing values that are filled in.
fn filled(features: &[Feature], dates: &[DateColumn]) -> Option<Warning> {
    // The parts of a date are one cell.
    let mut counts = is_first_part(dates);
    let features = features.iter().filter(|feature| counts(&feature.name));
    let missing = features.map(|feature| feature.values.missing()).filter(|&missing| missing > 0);
    let (values, columns) = missing.fold((0, 0), |(values, columns), missing| (values + missing, columns + 1));
    (values > 0).then_some(Warning::MissingFilled { values, columns })
}
