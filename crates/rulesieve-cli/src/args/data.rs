//! Arguments for reading a table and its columns.

use super::{at_least_one, whole};
use clap::{Args, ValueEnum};
use rulesieve_io::Limits;

/// Input table and reading options.
#[derive(Debug, Clone, Args)]
pub(crate) struct InputArgs {
    /// A file, `-` for standard input, or builtin:NAME (`rulesieve generate` lists the names)
    pub(crate) input: String,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Reading options.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReadArgs {
    /// File format [default: by file extension]
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    pub(crate) input_format: Option<String>,
    /// Delimiter of a text table: one character, `tab` or `space` [default: detected]
    #[arg(long, value_name = "CHAR", help_heading = "Reading")]
    pub(crate) delimiter: Option<String>,
    /// Whether the first row contains column names [default: detected]
    #[arg(long, value_name = "YES|NO", help_heading = "Reading")]
    pub(crate) header: Option<YesNo>,
    /// Skip the rows of a text table that begin with this
    #[arg(long, value_name = "TEXT", help_heading = "Reading")]
    pub(crate) comment: Option<String>,
    /// Encoding of a text table, such as windows-1252 [default: UTF-8, or detected]
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    pub(crate) encoding: Option<String>,
    /// Decimal mark of a text table [default: decided from all numbers of the file]
    #[arg(long, value_name = "MARK", help_heading = "Reading")]
    pub(crate) decimal: Option<DecimalArg>,
    /// Whether dates such as 3/4/2024 begin with the day [default: decided from all dates of the column]
    #[arg(long, value_name = "YES|NO", help_heading = "Reading")]
    pub(crate) day_first: Option<YesNo>,
    /// Further values that stand for missing cells, such as -999
    ///
    /// Empty cells and ?, -, ., NA, N/A, n/a, #N/A, #NA, <NA>, NaN, nan, NaT, None, NULL and null are missing anyway.
    #[allow(rustdoc::invalid_html_tags, reason = "the help prints it as it is")]
    #[arg(long, value_name = "VALUE,...", value_delimiter = ',', allow_hyphen_values = true, help_heading = "Reading")]
    pub(crate) na_values: Vec<String>,
    /// Variable that holds the features in a .mat or .npz file
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    pub(crate) features_variable: Option<String>,
    /// Variable that holds the labels in a .mat or .npz file
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    pub(crate) target_variable: Option<String>,
    /// Sheet of a workbook: its name, or its number from 1 [default: the first]
    #[arg(long, value_name = "NAME|N", help_heading = "Reading")]
    pub(crate) sheet: Option<String>,
    #[arg(long, allow_negative_numbers = true, value_parser = whole, value_name = "N", help_heading = "Reading", help = format!("Reject tables with more rows [default: {}]", Limits::default().rows))]
    pub(crate) max_rows: Option<usize>,
    #[arg(long, allow_negative_numbers = true, value_parser = whole, value_name = "N", help_heading = "Reading", help = format!("Reject tables with more columns [default: {}]", Limits::default().columns))]
    pub(crate) max_columns: Option<usize>,
    #[arg(long, value_name = "N", help_heading = "Reading", help = format!("Reject files with more bytes, after decompression [default: {}]", Limits::default().bytes))]
    pub(crate) max_bytes: Option<u64>,
}

/// Target, features and missing values.
#[derive(Debug, Clone, Args)]
pub(crate) struct DataArgs {
    /// Target column: its name, its number (from 1), or `last`
    #[arg(long, short, value_name = "COLUMN")]
    pub(crate) target: Option<String>,
    /// Columns to exclude
    ///
    /// A column is given by its name, its number (from 1), a range of numbers (3-7) or of names (a:f), or a pattern
    /// ('gene_*'). A column with exactly this name comes first. The same holds for --keep, --id, --include and
    /// --categorical.
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', help_heading = "Data")]
    pub(crate) drop: Vec<String>,
    /// Use only these columns as features
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', help_heading = "Data")]
    pub(crate) keep: Vec<String>,
    /// Columns to set aside as identifiers
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', help_heading = "Data")]
    pub(crate) id: Vec<String>,
    /// Columns that are always selected; they count in the size
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', help_heading = "Data")]
    pub(crate) include: Vec<String>,
    /// Numeric columns to treat as categorical
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', help_heading = "Data")]
    pub(crate) categorical: Vec<String>,
    /// Include identifiers, row numbers and copies of the target as features: all, or the named columns
    ///
    /// They are excluded by default, because they do not generalize to new rows. Write names after an equals sign:
    /// --keep-suspicious=a,b.
    #[arg(
        long,
        value_name = "COLUMN,...",
        value_delimiter = ',',
        num_args = 0..,
        require_equals = true,
        help_heading = "Data"
    )]
    pub(crate) keep_suspicious: Option<Vec<String>>,
    /// Learning task
    #[arg(long, value_name = "TASK", default_value = "auto", help_heading = "Data")]
    pub(crate) task: TaskArg,
    /// Use a random sample of N rows, stratified by the classes of the target
    ///
    /// CSV, TSV and Parquet files are read in chunks, and only the sample is kept in memory. --seed chooses the sample.
    #[arg(long, value_name = "N", value_parser = at_least_one, help_heading = "Data")]
    pub(crate) sample: Option<usize>,
    /// Bin a numeric target into this many classes of about equal size
    #[arg(long, allow_negative_numbers = true, value_parser = whole, value_name = "N", help_heading = "Data")]
    pub(crate) bins: Option<usize>,
    /// Handling of missing values
    #[arg(long, value_name = "POLICY", default_value = "fill", help_heading = "Data")]
    pub(crate) missing: MissingArg,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum YesNo {
    Yes,
    No,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DecimalArg {
    /// 1.5
    Point,
    /// 1,5
    Comma,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TaskArg {
    /// Regression if the target is numeric and has fractions, values that occur once, or more than 20 distinct values that do
    /// not look like codes of classes (from 0 or 1 without a gap, about equally frequent)
    Auto,
    /// Predict classes
    Classification,
    /// Predict numbers
    Regression,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MissingArg {
    /// Impute the median; missing categories are a category of their own
    Fill,
    /// Impute the median, or the most frequent category
    Median,
    /// Reject the table and report the first missing value
    Error,
    /// Drop incomplete rows
    DropRows,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Coding {
    /// One indicator per category; the indicators of a column count as one feature
    OneHot,
    /// The index of the category in alphabetical order
    Ordinal,
}
