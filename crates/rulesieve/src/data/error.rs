//! Validation errors of tables.

use super::{DateGuess, TableError};
use crate::memory::Bytes;
use crate::remedy::Remedy;
use std::fmt;

/// The number of a row in a message: `data row 3` counts from 1 without the header, `row 2` from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowNumber {
    /// Counted from 1, as in files.
    FromOne(usize),
    /// Counted from 0, as in arrays.
    FromZero(usize),
}

impl From<usize> for RowNumber {
    fn from(number: usize) -> Self {
        Self::FromOne(number)
    }
}

impl fmt::Display for RowNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FromOne(number) => write!(f, "data row {number}"),
            Self::FromZero(number) => write!(f, "row {number}"),
        }
    }
}

/// A table, or an option for it, that fails validation. Rows count from 1; see [`DataError::rows_from_zero`].
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum DataError {
    #[error("there is no target among the columns {columns}")]
    NoTarget { columns: String },
    #[error("there is no column '{name}'{hint} among the columns {columns}")]
    NoColumn { name: String, hint: String, columns: String },
    #[error("column number {number} does not exist: the table has {columns} columns, counted from 1")]
    NoColumnNumber { number: usize, columns: usize },
    #[error("the range '{range}' is empty: its first column comes after its last")]
    EmptyRange { range: String },
    #[error("column '{column}' is both included and excluded")]
    IncludedAndExcluded { column: String },
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("column '{column}' is '{value}' in {row}, where a date is needed: it held dates in training")]
    NotADate { column: String, row: RowNumber, value: String },
    #[error("the table has no rows")]
    NoRows,
    #[error("the table has no feature columns besides the target '{target}'")]
    NoFeatures { target: String },
    #[error("target '{target}' has a single class, '{class}'; classification needs at least 2")]
    SingleClass { target: String, class: String },
    #[error("{row} is incomplete, and the model makes no prediction for such rows")]
    Incomplete { row: RowNumber },
    #[error("the labels of target '{target}' are not the indices of {classes} classes, each of which occurs")]
    ClassesChanged { target: String, classes: usize },
    #[error("target '{target}' is {index} in {row}, which is not the index of one of {classes} classes, from 0")]
    NoSuchClass { target: String, row: RowNumber, index: f64, classes: usize },
    #[error("target '{target}' is missing in {row} (empty, NaN or ?, or NA among numbers)")]
    MissingLabel { target: String, row: RowNumber },
    #[error("target '{target}' looks like a regression target: {distinct} different values in {rows} rows")]
    Continuous { target: String, distinct: usize, rows: usize },
    #[error("target '{target}' has {classes} classes with a single row each, and none with several to learn from")]
    NoClassRepeats { target: String, classes: usize },
    #[error("target '{target}' has {classes} classes in {rows} rows, more than the {limit} that can be learned")]
    TooManyClasses { target: String, classes: usize, rows: usize, limit: usize },
    #[error("target '{target}' has no value at all")]
    EmptyTarget { target: String },
    #[error("{bins} bins are not allowed: the number must be from 2 to 100")]
    Bins { bins: usize },
    #[error("bins create classes, but the task is regression")]
    BinsOfRegression,
    #[error("target '{target}' holds texts, and regression needs numbers")]
    NumbersOfText { target: String },
    #[error("target '{target}' is {value} in every row and cannot be learned")]
    ConstantTarget { target: String, value: String },
    #[error("target '{target}' holds texts and cannot be binned")]
    BinsOfText { target: String },
    #[error("column '{column}' is {value} in {row}, and every value must be finite")]
    NotFinite { column: String, row: RowNumber, value: String },
    #[error("column '{column}' is missing in {row} ({missing} missing values in {columns} columns)")]
    Missing { column: String, row: RowNumber, missing: usize, columns: usize },
    #[error("column '{column}' is '{value}' in {row}, where a number is needed: it held numbers in training")]
    NotANumber { column: String, row: RowNumber, value: String },
    #[error("column '{column}' does not hold {expected}, as it did in training")]
    OtherKind { column: String, expected: &'static str },
    #[error("column '{column}' is missing in {row}, and the model was trained to reject that")]
    MissingToModel { column: String, row: RowNumber },
    #[error(
        "column '{column}' is '{category}' in {row}, a category that the training rows did not have, and the model was trained to reject that"
    )]
    UnseenCategory { column: String, row: RowNumber, category: String },
    #[error("the table lacks the columns {lost}{hint} and has: {columns}")]
    MissingColumns { lost: String, hint: String, columns: String },
    #[error("column '{column}' has no value at all")]
    Empty { column: String },
    #[error("no row is complete, so dropping incomplete rows leaves no data")]
    NoCompleteRows,
    #[error(
        "column '{column}' is text with {levels} different values in {rows} rows, more than the {limit} that can be coded: it looks like an identifier or free text"
    )]
    TooManyLevels { column: String, levels: usize, rows: usize, limit: usize },
    #[error("nothing varies: all feature columns are constant")]
    NothingVaries,
    #[error("column '{column}' is the target and cannot be {role} as well")]
    TargetAsFeature { column: String, role: &'static str },
    #[error("the coded table would have {rows} rows and {columns} columns, over {limit} cells")]
    TooLarge { rows: usize, columns: usize, limit: usize },
    #[error("{rows} rows and {columns} coded columns need about {bytes} of memory, which is not available")]
    OutOfMemory { rows: usize, columns: usize, bytes: Bytes },
}

impl DataError {
    /// Suggested fix.
    pub fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            Self::NoTarget { .. } => Remedy::NameTarget,
            Self::Table(error) => return error.remedy(),
            Self::NotADate { value, .. } if DateGuess::of(value).is_dates() => Remedy::NameDateOrder,
            Self::NotADate { .. } => Remedy::plain("write dates as YYYY-MM-DD"),
            Self::Incomplete { .. } => Remedy::plain("leave it out"),
            Self::MissingLabel { .. } => Remedy::FillTarget,
            Self::SingleClass { .. }
            | Self::ConstantTarget { .. }
            | Self::NoClassRepeats { .. }
            | Self::TooManyClasses { .. }
            | Self::EmptyTarget { .. } => Remedy::OtherTarget,
            Self::Continuous { .. } => Remedy::RegressionOrClasses,
            Self::BinsOfRegression => Remedy::BinsOrRegression,
            Self::NumbersOfText { .. } => Remedy::Classification,
            Self::BinsOfText { .. } => Remedy::NoBins,
            Self::NotFinite { value, .. } => Remedy::ClearCell { value: value.clone() },
            Self::Missing { .. } => Remedy::FillMissing,
            Self::MissingToModel { .. } => Remedy::Retrain { row: "fill it in" },
            Self::UnseenCategory { .. } => Remedy::Retrain { row: "correct it" },
            Self::Empty { column } | Self::TooManyLevels { column, .. } => Remedy::drop_column(column),
            Self::NoCompleteRows => Remedy::FillOrDropEmptiest,
            Self::TooLarge { .. } => Remedy::OrdinalOrDrop,
            Self::OutOfMemory { .. } => Remedy::LessData,
            _ => return None,
        })
    }

    /// The same error with rows counted from 0.
    pub fn rows_from_zero(mut self) -> Self {
        if let Self::Incomplete { row }
        | Self::NoSuchClass { row, .. }
        | Self::MissingLabel { row, .. }
        | Self::NotFinite { row, .. }
        | Self::Missing { row, .. }
        | Self::NotANumber { row, .. }
        | Self::NotADate { row, .. }
        | Self::MissingToModel { row, .. }
        | Self::UnseenCategory { row, .. } = &mut self
            && let RowNumber::FromOne(number) = *row
        {
            *row = RowNumber::FromZero(number.saturating_sub(1));
        }
        self
    }
}
