//! The ways in which a source fails to be a table: what, where, and what to do.

use std::borrow::Cow;
use std::io;

use rulesieve::data::TableError;
use rulesieve::{Bytes, Limit, Remedy, is_available};

use crate::{options::Format, source::Input, text::shown};

/// Why a table could not be read.
///
/// Messages are safe to print: control characters in the data are escaped and long values truncated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named in the messages; lines are 1-based")]
pub enum ReadError {
    /// The file cannot be opened or read.
    #[error("cannot read {file}: {source}")]
    Open { file: String, source: io::Error },
    /// A directory where a file is needed.
    #[error("{file} is a directory")]
    Directory { file: String },
    /// A file that lost bytes between being measured and being read.
    #[error("{file} shrank from {expected} to {found} bytes while it was read")]
    Shrank { file: String, expected: u64, found: u64 },
    /// Compressed data that is damaged or cut off.
    #[error("{file}: the {codec} data is damaged or cut off ({source})")]
    Compressed { file: String, codec: &'static str, source: io::Error },
    /// More than the limits allow.
    #[error("{file} has {found} {}, more than the limit of {limit}", of.name())]
    Limit { file: String, found: u64, limit: u64, of: Limit },
    /// A table that does not fit into memory.
    #[error("the table in {file} needs about {bytes} of memory, which is not available")]
    Memory { file: String, bytes: Bytes },
    /// More bytes than the limits allow, in a stream whose length is not known.
    #[error("{file} has more than {limit} bytes")]
    Endless { file: String, limit: u64 },
    /// An index beyond the limit of columns.
    #[error("{file}, line {line}: index {index} is more than the limit of {limit} columns")]
    Index { file: String, line: usize, index: i128, limit: usize },
    /// Text in another encoding than UTF-8.
    #[error("{file}, line {line}, byte {offset}: {found}")]
    Encoding { file: String, line: usize, offset: usize, found: String },
    /// Bytes that are no text where text is needed.
    #[error("{file}, line {line}, byte {offset}: {found}, so this is not {format} text")]
    Binary { file: String, line: usize, offset: usize, found: String, format: Format, remedy: Remedy },
    /// A source whose format shows neither in its name nor in its bytes.
    #[error("{file}: the format is unknown")]
    UnknownFormat { file: String },
    /// Nothing, or names without rows.
    #[error("{file} {what}: a table needs at least one row of data")]
    Empty { file: String, what: &'static str },
    /// A row with another number of cells than the first; `like_comment` if it begins with #.
    #[error("{file}, line {line}: {found} cells where the rows before have {expected}")]
    Ragged { file: String, line: usize, found: usize, expected: usize, like_comment: bool },
    /// An unclosed or misplaced quote.
    #[error("{file}, line {line}: {problem}")]
    Quote { file: String, line: usize, problem: &'static str },
    /// A column name that cannot serve.
    #[error("{file}: the name of column {position} ('{name}') has {bytes} bytes, more than 1000")]
    LongName { file: String, position: usize, name: String, bytes: usize },
    /// A cell that does not fit its column.
    #[error("{file}, line {line}, column '{column}': found '{found}', expected {expected}")]
    Cell { file: String, line: usize, column: String, found: String, expected: String },
    /// A line that violates its text format.
    #[error("{file}, line {line}: {problem}")]
    Line { file: String, line: usize, problem: String },
    /// Inconsistent or damaged content.
    #[error("{file}: {problem}")]
    Content { file: String, problem: String },
    /// Binary content that is damaged, cut off, or of another format.
    #[error("{file}: {problem}")]
    Damaged { file: String, problem: String, remedy: Remedy },
    /// A variable that the file does not hold.
    #[error("{file} has no variable {wanted} among {found}")]
    Variable { file: String, wanted: String, found: String, target: bool },
    /// A sheet that the workbook does not hold.
    #[error("{file} has no sheet '{wanted}' among {found}")]
    Sheet { file: String, wanted: String, found: String },
    /// Features and labels of different lengths.
    #[error("{file}: '{features}' has {rows} rows, '{target}' has {labels} labels: they must be equally many")]
    Lengths { file: String, features: String, rows: usize, target: String, labels: usize },
    /// Something the format allows but this reader does not take.
    #[error("{file}: found {what}")]
    Unsupported { file: String, what: String, remedy: Remedy },
    /// Names that the table does not have.
    #[error("{file} has no column {missing}")]
    MissingColumns { file: String, missing: String },
    /// Columns that do not form a valid table.
    #[error("{file}: {source}")]
    Table { file: String, source: TableError },
    /// The destination cannot be written.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
}

impl ReadError {
    /// What to do about it.
    pub fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            Self::Directory { .. } => Remedy::plain("name a file in it"),
            Self::Shrank { .. } => Remedy::plain("read it again when its writer is done"),
            Self::Compressed { .. } => Remedy::plain("fetch or compress the file again"),
            Self::Limit { of, .. } => Remedy::RaiseLimit(*of),
            Self::Index { .. } => Remedy::RaiseLimit(Limit::Columns),
            Self::Memory { .. } => Remedy::LessData,
            Self::Endless { .. } => Remedy::RaiseLimit(Limit::Bytes),
            Self::Encoding { .. } => Remedy::plain("save the file as UTF-8"),
            Self::Binary { remedy, .. } | Self::Unsupported { remedy, .. } | Self::Damaged { remedy, .. } => {
                remedy.clone()
            }
            Self::UnknownFormat { .. } => Remedy::NameFormat { known: Format::list() },
            Self::Ragged { like_comment: true, .. } => Remedy::NameComment { mark: '#' },
            Self::Ragged { .. } => Remedy::plain("check delimiters and quotes there"),
            Self::LongName { .. } => Remedy::plain("shorten it"),
            Self::Variable { target, .. } => Remedy::NameVariable { target: *target },
            Self::Sheet { .. } => Remedy::NameSheet,
            Self::Table { source, .. } => return source.remedy(),
            _ => return None,
        })
    }
}

impl Input {
    /// Checks that so many bytes can be allocated.
    pub(crate) fn check_memory(&self, bytes: usize) -> Result<(), ReadError> {
        match is_available(bytes) {
            true => Ok(()),
            false => Err(self.out_of_memory(bytes)),
        }
    }

    pub(crate) fn out_of_memory(&self, bytes: usize) -> ReadError {
        ReadError::Memory { file: self.name.clone(), bytes: Bytes(bytes) }
    }

    pub(crate) fn over(&self, of: Limit, found: u64, limit: u64) -> ReadError {
        ReadError::Limit { file: self.name.clone(), found, limit, of }
    }

    pub(crate) fn line_error(&self, line: usize, problem: impl Into<String>) -> ReadError {
        ReadError::Line { file: self.name.clone(), line, problem: problem.into() }
    }

    pub(crate) fn cell_error(&self, line: usize, column: &str, found: &str, expected: impl Into<String>) -> ReadError {
        let (column, found) = (shown(column), shown(found));
        ReadError::Cell { file: self.name.clone(), line, column, found, expected: expected.into() }
    }

    pub(crate) fn content(&self, problem: impl Into<String>) -> ReadError {
        ReadError::Content { file: self.name.clone(), problem: problem.into() }
    }

    /// Damaged binary data; a text has another format.
    #[cfg(any(feature = "excel", feature = "parquet"))]
    pub(crate) fn damaged(&self, problem: impl Into<String>) -> ReadError {
        let head = &self.bytes[..self.bytes.len().min(1000)];
        let is_text = !head.is_empty() && !head.iter().any(|byte| *byte < b'\t');
        let signed = Format::from_signature(head).is_some();
        let remedy = match is_text && !signed && !head.starts_with(b"PK") {
            true => Remedy::NameFormat { known: Format::list() },
            false => Remedy::plain("write or download the file again"),
        };
        ReadError::Damaged { file: self.name.clone(), problem: problem.into(), remedy }
    }

    pub(crate) fn unsupported(&self, what: impl Into<String>, remedy: impl Into<Cow<'static, str>>) -> ReadError {
        ReadError::Unsupported { file: self.name.clone(), what: what.into(), remedy: Remedy::plain(remedy) }
    }

    pub(crate) fn empty(&self, what: &'static str) -> ReadError {
        ReadError::Empty { file: self.name.clone(), what }
    }

    /// An error of a table in this file, with names made safe to print.
    pub(crate) fn table_error(&self, mut source: TableError) -> ReadError {
        if let TableError::DuplicateName { name, .. } | TableError::UnequalLength { name, .. } = &mut source {
            *name = shown(name);
        }
        ReadError::Table { file: self.name.clone(), source }
    }
}
