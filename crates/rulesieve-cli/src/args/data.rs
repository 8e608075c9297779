//! What is read, and what its columns are.

use clap::{Args, ValueEnum};

/// Where a table comes from and how it is read.
#[derive(Debug, Clone, Args)]
pub(crate) struct InputArgs {
    /// A file, `-` for standard input, or builtin:NAME (`rulesieve generate` lists the names)
    pub(crate) input: String,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// How a file is read.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReadArgs {
    /// Format of the file; by its ending if not given
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    pub(crate) format: Option<String>,
    /// Delimiter of a text table: one character, `tab` or `space`; detected if not given
    #[arg(long, value_name = "CHAR", help_heading = "Reading")]
    pub(crate) delimiter: Option<String>,
    /// Whether the first row holds names; detected if not given
    #[arg(long, value_name = "WHETHER", help_heading = "Reading")]
    pub(crate) header: Option<YesNo>,
    /// Variable that holds the features in a .mat or .npz file
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    pub(crate) features_variable: Option<String>,
    /// Variable that holds the labels in a .mat or .npz file
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    pub(crate) target_variable: Option<String>,
    /// Refuse tables with more rows
    #[arg(long, value_name = "N", help_heading = "Reading")]
    pub(crate) max_rows: Option<usize>,
    /// Refuse tables with more columns
    #[arg(long, value_name = "N", help_heading = "Reading")]
    pub(crate) max_columns: Option<usize>,
    /// Refuse files with more bytes, after decompression
    #[arg(long, value_name = "N", help_heading = "Reading")]
    pub(crate) max_bytes: Option<u64>,
}

/// How the table is read as features and target.
#[derive(Debug, Clone, Args)]
pub(crate) struct DataArgs {
    /// The label column: its name, its number counted from 1, or `last`
    #[arg(long, short, value_name = "COLUMN")]
    pub(crate) target: Option<String>,
    /// Columns that hold categories although they look like numbers
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', help_heading = "Data")]
    pub(crate) categorical: Vec<String>,
    /// Columns to leave out
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', help_heading = "Data")]
    pub(crate) drop: Vec<String>,
    /// Keep identifiers, row numbers and copies of the target as features: all of them, or those named
    ///
    /// They are set aside by default, because they say nothing about new rows. Write the names after an equals sign:
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
    /// What to learn about the target: its class or its number
    #[arg(long, value_name = "TASK", default_value = "classification", help_heading = "Data")]
    pub(crate) task: TaskArg,
    /// Cut a numeric target into this many classes of about equal size
    #[arg(long, value_name = "N", help_heading = "Data")]
    pub(crate) bins: Option<usize>,
    /// What to do about missing values
    #[arg(long, value_name = "POLICY", default_value = "error", help_heading = "Data")]
    pub(crate) missing: MissingArg,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum YesNo {
    Yes,
    No,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TaskArg {
    /// The target holds classes
    Classification,
    /// The target holds numbers to be predicted
    Regression,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MissingArg {
    /// Refuse the table and name the first one
    Error,
    /// Fill in the median, or the most frequent category
    Median,
    /// Leave incomplete rows out
    DropRows,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Coding {
    /// An indicator for each category; together they stay one feature
    OneHot,
    /// The place of the category in alphabetical order
    Ordinal,
}
