//! Why a table cannot be learned from.

/// A table, or a wish about it, that validation refuses. Rows count from 1, without the header.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum DataError {
    #[error(
        "there is no target: name the label column with --target (a name, a number counted from 1, or 'last'); the columns are: {columns}"
    )]
    NoTarget { columns: String },
    #[error("there is no column '{name}'{hint}; the columns are: {columns}")]
    NoColumn { name: String, hint: String, columns: String },
    #[error("column number {number} does not exist; the table has {columns} columns, counted from 1")]
    NoColumnNumber { number: usize, columns: usize },
    #[error("the table has no rows")]
    NoRows,
    #[error("the table has no feature columns besides the target '{target}'")]
    NoFeatures { target: String },
    #[error("target '{target}' has a single class, '{class}': there is nothing to tell apart")]
    SingleClass { target: String, class: String },
    #[error(
        "each class of target '{target}' needs at least 2 rows, class '{class}' has 1; remove that row or merge the class with another"
    )]
    LonelyClass { target: String, class: String },
    #[error("data row {row} is incomplete, and the model leaves such rows unanswered; leave it out")]
    Incomplete { row: usize },
    #[error("the labels of target '{target}' are not the places of {classes} classes, each of which occurs")]
    ClassesChanged { target: String, classes: usize },
    #[error(
        "target '{target}' is {place} in data row {row}, which is not the place of one of {classes} classes, from 0"
    )]
    NoSuchClass { target: String, row: usize, place: f64, classes: usize },
    #[error(
        "target '{target}' is missing in data row {row} (empty, NaN or ?, or NA among numbers); fill it in or remove the row"
    )]
    MissingLabel { target: String, row: usize },
    #[error(
        "target '{target}' looks like a regression target: {distinct} different values in {rows} rows; learn its numbers with --task regression, cut it into classes with --bins 2, or name another target"
    )]
    Continuous { target: String, distinct: usize, rows: usize },
    #[error("--bins {bins} is not allowed; it must be a whole number from 2 to 100")]
    Bins { bins: usize },
    #[error("--bins makes classes, --task regression learns numbers: give one of them")]
    BinsOfRegression,
    #[error("target '{target}' holds texts; --task regression needs numbers")]
    NumbersOfText { target: String },
    #[error("target '{target}' is {value} in every row: there is nothing to learn")]
    ConstantTarget { target: String, value: String },
    #[error("target '{target}' holds texts and cannot be cut into bins")]
    BinsOfText { target: String },
    #[error(
        "column '{column}' is {value} in data row {row}; every value must be finite: correct the cell, or clear it and use --missing"
    )]
    NotFinite { column: String, row: usize, value: String },
    #[error(
        "column '{column}' is missing in data row {row} ({missing} missing values in {columns} columns); fill them in with --missing median, or leave those rows out with --missing drop-rows"
    )]
    Missing { column: String, row: usize, missing: usize, columns: usize },
    #[error("column '{column}' is '{value}' in data row {row}, where a number is needed: it held numbers in training")]
    NotANumber { column: String, row: usize, value: String },
    #[error("column '{column}' does not hold {expected}, as it did in training")]
    OtherKind { column: String, expected: &'static str },
    #[error(
        "column '{column}' is missing in data row {row}, and the model was trained to refuse that; fill it in, or train with --missing median"
    )]
    MissingToModel { column: String, row: usize },
    #[error(
        "column '{column}' is '{category}' in data row {row}, a category that the training rows did not have, and the model was trained to refuse that; correct it, or train with --missing median"
    )]
    UnseenCategory { column: String, row: usize, category: String },
    #[error("the table lacks the columns {lost}{hint}; it has: {columns}")]
    MissingColumns { lost: String, hint: String, columns: String },
    #[error("column '{column}' has no value at all; leave it out with --drop '{column}'")]
    Empty { column: String },
    #[error(
        "no row is complete: --missing drop-rows would leave nothing; use --missing median, or leave the emptiest columns out with --drop"
    )]
    NoCompleteRows,
    #[error(
        "column '{column}' is text with {levels} different values in {rows} rows, more than the {limit} that can be coded; it looks like an identifier or free text: leave it out with --drop '{column}'"
    )]
    TooManyLevels { column: String, levels: usize, rows: usize, limit: usize },
    #[error("nothing varies: every feature column is constant")]
    NothingVaries,
    #[error("column '{column}' is the target and cannot be {role} as well")]
    TargetAsFeature { column: String, role: &'static str },
    #[error(
        "the coded table would have {rows} rows and {columns} columns, over {limit} cells; use --categorical-coding ordinal or leave columns out with --drop"
    )]
    TooLarge { rows: usize, columns: usize, limit: usize },
}
