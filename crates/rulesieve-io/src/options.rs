//! Options of readers: format, limits, and properties that are otherwise detected.

use std::{fmt, path::Path, str::FromStr};

use rulesieve::Limit;
use rulesieve::data::Reading;

use crate::{compression::Codec, source::Input, text::shown};

/// A supported file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Delimited text; the delimiter is detected unless given.
    Csv,
    /// Tab-separated text.
    Tsv,
    /// Attribute-relation file of Weka, dense or sparse.
    Arff,
    /// `label index:value ...` per line.
    Libsvm,
    /// A NumPy array.
    Npy,
    /// A ZIP archive of NumPy arrays.
    Npz,
    /// MATLAB file, version 5 (saved with `-v6` or `-v7`).
    Mat,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow IPC file or stream, also called Feather version 2.
    Arrow,
    /// JSON: an object per line, or an array of objects.
    Json,
    /// A workbook of Excel (`.xlsx`, `.xls`) or OpenDocument (`.ods`).
    Excel,
}

/// An unknown format name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown format '{found}'; the known formats are {}", Format::list())]
pub struct ParseFormatError {
    /// The given name, escaped.
    pub found: String,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 11] = [
        Self::Csv,
        Self::Tsv,
        Self::Json,
        Self::Parquet,
        Self::Arrow,
        Self::Excel,
        Self::Arff,
        Self::Libsvm,
        Self::Npy,
        Self::Npz,
        Self::Mat,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Arff => "arff",
            Self::Libsvm => "libsvm",
            Self::Npy => "npy",
            Self::Npz => "npz",
            Self::Mat => "mat",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Json => "json",
            Self::Excel => "excel",
        }
    }

    /// The format of a file extension, ignoring that of a compression (`.gz`, `.zst`, `.bz2`, `.xz`, `.zip`).
    pub fn from_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let (_, extension) = Codec::strip_ending(&name).rsplit_once('.')?;
        match extension {
            "csv" | "txt" | "data" => Some(Self::Csv),
            "tsv" | "tab" => Some(Self::Tsv),
            "arff" => Some(Self::Arff),
            "libsvm" | "svm" | "svmlight" => Some(Self::Libsvm),
            "npy" => Some(Self::Npy),
            "npz" => Some(Self::Npz),
            "mat" => Some(Self::Mat),
            "parquet" | "pq" => Some(Self::Parquet),
            "arrow" | "arrows" | "feather" | "ftr" | "ipc" => Some(Self::Arrow),
            "json" | "jsonl" | "ndjson" => Some(Self::Json),
            "xlsx" | "xlsm" | "xlsb" | "xls" | "ods" => Some(Self::Excel),
            _ => None,
        }
    }

    /// The binary format whose signature is at the start of `head`.
    pub(crate) fn from_signature(head: &[u8]) -> Option<Self> {
        match head {
            _ if head.starts_with(b"\x93NUMPY") => Some(Self::Npy),
            _ if head.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") => Some(Self::Excel),
            _ if head.starts_with(b"PAR1") => Some(Self::Parquet),
            // A message of a stream follows the marker and its length.
            [0xff, 0xff, 0xff, 0xff, _, _, 0, 0, ..] => Some(Self::Arrow),
            _ if head.starts_with(b"ARROW1") || head.starts_with(b"FEA1") => Some(Self::Arrow),
            _ if head.starts_with(b"MATLAB ") => Some(Self::Mat),
            _ => None,
        }
    }

    pub(crate) fn is_text(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv | Self::Arff | Self::Libsvm | Self::Json)
    }

    /// The names of all formats, separated by commas.
    pub(crate) fn list() -> String {
        Self::ALL.map(Self::name).join(", ")
    }
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let wanted = name.to_ascii_lowercase();
        // Other names are file endings.
        let by_ending = || Self::from_path(Path::new(&format!("table.{wanted}")));
        Self::ALL
            .into_iter()
            .find(|format| format.name() == wanted)
            .or_else(by_ending)
            .ok_or_else(|| ParseFormatError { found: shown(name) })
    }
}

/// Maximum size of a table, checked before memory is allocated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Data rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Bytes of the file after decompression, and bytes of the numbers it unfolds to.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rows: 10_000_000, columns: 1_000_000, bytes: 4 << 30 }
    }
}

impl Limits {
    /// Checks the number of rows.
    pub(crate) fn check_rows(&self, input: &Input, rows: usize) -> Result<(), crate::ReadError> {
        if rows > self.rows {
            return Err(input.over(Limit::Rows, rows as u64, self.rows as u64));
        }
        Ok(())
    }

    /// Checks the number of columns.
    pub(crate) fn check_columns(&self, input: &Input, columns: usize) -> Result<(), crate::ReadError> {
        if columns > self.columns {
            return Err(input.over(Limit::Columns, columns as u64, self.columns as u64));
        }
        Ok(())
    }

    /// Checks the number of decompressed bytes.
    pub(crate) fn check_bytes(&self, input: &Input, bytes: u64) -> Result<(), crate::ReadError> {
        if bytes > self.bytes {
            return Err(input.over(Limit::Bytes, bytes, self.bytes));
        }
        Ok(())
    }

    /// Checks the shape of a whole table, and that there is memory for its numbers.
    pub(crate) fn check_table(&self, input: &Input, rows: usize, columns: usize) -> Result<(), crate::ReadError> {
        self.check_shape(input, rows, columns)?;
        input.check_memory(rows.saturating_mul(columns).saturating_mul(8))
    }

    /// Checks the rows, the columns and the size of the numbers in memory (8 bytes each).
    pub(crate) fn check_shape(&self, input: &Input, rows: usize, columns: usize) -> Result<(), crate::ReadError> {
        self.check_rows(input, rows)?;
        self.check_columns(input, columns)?;
        self.check_bytes(input, (rows as u64).saturating_mul(columns as u64).saturating_mul(8))
    }
}

/// Options of readers; what is not given is detected.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// The format.
    pub format: Option<Format>,
    /// The delimiter of CSV.
    pub delimiter: Option<u8>,
    /// Whether the first row of CSV holds names.
    pub header: Option<bool>,
    /// Rows of CSV that begin with this are skipped.
    pub comment: Option<String>,
    /// The encoding of text, by its name on the web.
    pub encoding: Option<String>,
    /// The decimal mark of CSV: a point or a comma.
    pub decimal: Option<u8>,
    /// Whether dates such as 3/4/2024 in CSV begin with the day.
    pub day_first: Option<bool>,
    /// Values that stand for missing cells, besides the customary ones.
    pub na_values: Vec<String>,
    /// How an earlier table was read: decides what neither these options nor the cells decide.
    pub like: Reading,
    /// Maximum size.
    pub limits: Limits,
    /// The variable of an NPZ or MATLAB file with the features.
    pub features_variable: Option<String>,
    /// The variable of an NPZ or MATLAB file with the labels.
    pub target_variable: Option<String>,
    /// The sheet of a workbook: its name, or its number from 1; by default the first.
    pub sheet: Option<String>,
}
