//! Suggested fixes for errors and warnings, as data that each interface renders in its own terms.

use crate::data::Task;
use std::borrow::Cow;
use std::fmt;

/// A suggested fix for an error or a warning. `Display` is neutral: it names neither command-line options nor Python
/// parameters.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are what the texts name")]
pub enum Remedy {
    /// Advice with the same text in every interface.
    Plain(Cow<'static, str>),
    /// Name the target column.
    NameTarget,
    /// Name another target column.
    OtherTarget,
    /// Fill a missing label in, or drop rows without a label.
    FillTarget,
    /// Set the task.
    UseTask(Task),
    /// Impute missing values or drop incomplete rows.
    FillMissing,
    /// Reject missing values.
    RefuseMissing,
    /// Correct or clear a cell, or declare its value as missing.
    ClearCell { value: String },
    /// Correct the row (`fill it in` or `correct it`), or train a model that imputes missing values.
    Retrain { row: &'static str },
    /// Drop columns.
    DropColumns { columns: Vec<String> },
    /// Keep columns that are excluded because they are suspicious.
    KeepSuspicious,
    /// Impute missing values, or drop the columns with the most missing values.
    FillOrDropEmptiest,
    /// Clear cells that hold texts and impute them, or declare the columns categorical.
    ClearTexts { columns: Box<[String]>, example: Box<str> },
    /// Give a column a name (another one if it is `repeated`); if the first row is data, do not read it as names.
    RenameColumn { repeated: bool },
    /// Declare values as missing.
    NameMissing { values: Vec<String> },
    /// Name the decimal mark of the file.
    NameDecimalMark,
    /// Name the order of day and month.
    NameDateOrder,
    /// Name the encoding of the file.
    NameEncoding,
    /// Read the file in this encoding.
    UseEncoding { encoding: &'static str },
    /// If a line that begins with this is a comment, skip such lines; else check the delimiters and quotes there.
    NameComment { mark: char },
    /// If the first row is data, do not read it as names.
    FirstRowIsData,
    /// Use regression, cut the target into classes, or name another target.
    RegressionOrClasses,
    /// Cut the target into classes or use regression, not both.
    BinsOrRegression,
    /// Use classification instead of regression.
    Classification,
    /// Do not cut the target into classes.
    NoBins,
    /// Code categories as ordinal numbers, or drop columns.
    OrdinalOrDrop,
    /// Set a parameter of the method, or of rule training, to another value.
    SetParameter { name: String, value: u64, training: bool },
    /// Use one of these methods.
    UseMethod { methods: Vec<&'static str> },
    /// Use one of these methods, read the target as classes, or cut it into classes.
    MethodOrClasses { methods: Vec<&'static str> },
    /// Use this method, or do not tune.
    MethodOrNoTuning { method: &'static str },
    /// Use one of these methods, or load all rows into memory.
    MethodOrMemory { methods: Vec<&'static str> },
    /// Load all rows into memory, or save them in a format that can be read in batches.
    FormatOrMemory,
    /// Set the number of features, or choose it by cross-validation.
    SizeOrRule,
    /// Set the number of features or their share.
    SizeOrShare,
    /// Raise a limit if the size is intended.
    RaiseLimit(Limit),
    /// Use a sample of the rows, or fewer columns.
    LessData,
    /// Name the format of the file.
    NameFormat { known: String },
    /// Name the variable of the file with the features, or with the labels if `target` is set.
    NameVariable { target: bool },
    /// Name the sheet of the workbook.
    NameSheet,
    /// Use one of these estimators, or cut the target into classes.
    EstimatorOrBins { estimators: Vec<&'static str> },
    /// Evaluate with nested cross-validation.
    Nested,
    /// Set a single value of the estimator's parameter, or evaluate with nested cross-validation.
    OneParameterOrNested,
    /// List the saved runs of a file.
    ListRuns { path: String },
}

/// A limit of the readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Data rows.
    Rows,
    /// Columns.
    Columns,
    /// Bytes.
    Bytes,
}

impl Remedy {
    /// Advice with the same text in every interface.
    pub fn plain(text: impl Into<Cow<'static, str>>) -> Self {
        Self::Plain(text.into())
    }

    /// Drop one column.
    pub fn drop_column(column: &str) -> Self {
        Self::DropColumns { columns: vec![column.to_owned()] }
    }
}

impl Limit {
    /// The limited quantity, in the plural.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Columns => "columns",
            Self::Bytes => "bytes",
        }
    }
}

/// `it` for one, `them` for several.
pub fn pronoun(columns: &[String]) -> &'static str {
    if columns.len() == 1 { "it" } else { "them" }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(text) => f.write_str(text),
            Self::NameTarget => f.write_str("name the label column"),
            Self::OtherTarget => f.write_str("name another target"),
            Self::FillTarget => f.write_str("fill it in, or have such rows dropped"),
            Self::UseTask(Task::Classification) => f.write_str("choose classification to read them as classes"),
            Self::UseTask(Task::Regression) => f.write_str("choose regression to read them as numbers"),
            Self::RefuseMissing => f.write_str("choose to reject missing values if that is not intended"),
            Self::FillMissing => f.write_str("fill them in with the median, or leave those rows out"),
            Self::ClearCell { value } => write!(f, "correct or clear the cell, or declare {value} as missing"),
            Self::Retrain { row } => write!(f, "{row}, or train with missing values filled in"),
            Self::DropColumns { columns } => write!(f, "consider leaving {} out", pronoun(columns)),
            Self::KeepSuspicious => f.write_str("include them if they are features"),
            Self::FillOrDropEmptiest => {
                f.write_str("fill missing values in, or leave out the columns with most of them")
            }
            Self::ClearTexts { columns, example } => {
                write!(f, "clear those cells, declare '{example}' as missing, or {} categorical", pronoun(columns))
            }
            Self::RenameColumn { repeated: true } => f.write_str("rename one of them, or mark the first row as data"),
            Self::RenameColumn { repeated: false } => f.write_str("name it, or mark the first row as data"),
            Self::NameMissing { values } => write!(f, "if so, declare {} as missing", values.join(" and ")),
            Self::NameDecimalMark => f.write_str("if that is wrong, name the decimal mark"),
            Self::NameDateOrder => f.write_str("name their order, or write them as YYYY-MM-DD"),
            Self::NameEncoding => f.write_str("if that is wrong, name the encoding, or save the file as UTF-8"),
            Self::UseEncoding { encoding } => write!(f, "read it as {encoding}, or save it as UTF-8"),
            Self::NameComment { mark } => {
                write!(
                    f,
                    "skip lines that begin with {mark} if they are comments, else check delimiters and quotes there"
                )
            }
            Self::FirstRowIsData => f.write_str("if it is data, mark the first row as data"),
            Self::RegressionOrClasses => {
                f.write_str("learn it as a number (regression), cut it into classes, or name another target")
            }
            Self::BinsOrRegression => f.write_str("choose one of them"),
            Self::Classification => f.write_str("learn classes instead"),
            Self::NoBins => f.write_str("leave the bins out"),
            Self::OrdinalOrDrop => f.write_str("code categories as ordinal numbers, or leave columns out"),
            Self::SetParameter { name, value, training: false } => write!(f, "try {name} = {value}"),
            Self::SetParameter { name, value, training: true } => write!(f, "try {name} = {value} for the rules"),
            Self::UseMethod { methods } => write!(f, "use {}", methods.join(" or ")),
            Self::MethodOrClasses { methods } => {
                write!(f, "use {}, or read the target as classes", methods.join(", "))
            }
            Self::MethodOrNoTuning { method } => write!(f, "use {method}, or do not tune"),
            Self::MethodOrMemory { methods } => write!(f, "use {}, or hold all rows in memory", methods.join(" or ")),
            Self::FormatOrMemory => f.write_str("hold all rows in memory, or save them as CSV, TSV or Parquet"),
            Self::SizeOrRule => f.write_str("give the number of features, or have it found by cross-validation"),
            Self::SizeOrShare => f.write_str("give the number of features or their share"),
            Self::LessData => f.write_str("use a sample of the rows, or fewer columns"),
            Self::RaiseLimit(limit) => write!(f, "if that is intended, raise the limit of {}", limit.name()),
            Self::NameFormat { known } => write!(f, "name its format: {known}"),
            Self::NameVariable { target } => {
                write!(f, "name the variable that holds the {}", if *target { "labels" } else { "features" })
            }
            Self::NameSheet => f.write_str("name the sheet, or give its number from 1"),
            Self::EstimatorOrBins { estimators } => {
                write!(f, "use {} to score the rows, or cut the target into classes", estimators.join(" or "))
            }
            Self::Nested => f.write_str("evaluate methods with the nested protocol"),
            Self::OneParameterOrNested => f.write_str("give one, or evaluate with the nested protocol"),
            Self::ListRuns { .. } => f.write_str("list the saved runs"),
        }
    }
}
