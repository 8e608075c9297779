//! Output of tables in the format of a file ending, and atomic file writes.

use std::{
    fmt, fs,
    io::{self, Write},
    path::Path,
};

use rulesieve::Remedy;
use rulesieve::data::Table;

use crate::{
    compression::{Codec, Encoder},
    text::shown,
};

mod atomic;
mod csv;
mod json;
#[cfg(feature = "parquet")]
mod parquet;

pub use atomic::{AtomicFile, write_atomically};
pub use csv::write_csv;
pub(crate) use csv::{csv_writer, io_error};

/// The format of a written table.
///
/// ```
/// use rulesieve_io::TableFormat;
///
/// assert_eq!(TableFormat::from_path("reduced.tsv.gz".as_ref())?.to_string(), "tsv.gz");
/// assert!(TableFormat::from_path("reduced.docx".as_ref()).is_err());
/// # Ok::<(), rulesieve_io::TableFormatError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableFormat {
    layout: Layout,
    codec: Option<Codec>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Text with this delimiter.
    Delimited(u8),
    /// One array of objects.
    Json,
    /// An object per line.
    JsonLines,
    Parquet,
}

/// A file ending in which no table can be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum TableFormatError {
    /// An ending of no format.
    #[error("{file}: the ending names no format for tables")]
    Unknown { file: String },
    /// A format or compression that this build does not write.
    #[error("{file}: this build does not write {what} files")]
    NotBuilt { file: String, what: &'static str, feature: &'static str },
}

impl TableFormatError {
    /// Suggested fix.
    pub fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            Self::Unknown { .. } => Remedy::plain(format!("use {}", TableFormat::ENDINGS)),
            Self::NotBuilt { feature, .. } => Remedy::plain(format!("build with the cargo feature `{feature}`")),
        })
    }
}

impl TableFormat {
    /// CSV.
    pub const CSV: Self = Self { layout: Layout::Delimited(b','), codec: None };
    /// A JSON array of objects.
    pub const JSON: Self = Self { layout: Layout::Json, codec: None };
    /// A JSON object per line.
    pub const JSON_LINES: Self = Self { layout: Layout::JsonLines, codec: None };
    /// The known endings, for messages and help.
    pub const ENDINGS: &str = ".csv, .tsv, .json or .jsonl (each also with .gz or .zst), or .parquet";

    /// The format of a file ending. A pipe or device without a known ending gets CSV.
    ///
    /// # Errors
    ///
    /// An ending without a format, or one that this build does not write.
    pub fn from_path(path: &Path) -> Result<Self, TableFormatError> {
        let file = || shown(&path.display().to_string());
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_ascii_lowercase();
        let (stem, codec) = match name.rsplit_once('.') {
            Some((stem, "gz")) => (stem, Some(Codec::Gzip)),
            Some((stem, "zst")) => (stem, Some(Codec::Zstd)),
            _ => (name.as_str(), None),
        };
        let layout = match stem.rsplit_once('.').map(|(_, ending)| ending) {
            Some("csv" | "txt" | "data") => Layout::Delimited(b','),
            Some("tsv" | "tab") => Layout::Delimited(b'\t'),
            Some("json") => Layout::Json,
            Some("jsonl" | "ndjson") => Layout::JsonLines,
            // Parquet compresses its pages itself.
            Some("parquet" | "pq") if codec.is_none() => Layout::Parquet,
            _ if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) => Layout::Delimited(b','),
            _ => return Err(TableFormatError::Unknown { file: file() }),
        };
        let missing = match (layout, codec) {
            (Layout::Parquet, _) if !cfg!(feature = "parquet") => Some(("Parquet", "parquet")),
            (_, Some(codec)) if !codec.is_built() => Some((codec.name(), Codec::FEATURE)),
            _ => None,
        };
        match missing {
            Some((what, feature)) => Err(TableFormatError::NotBuilt { file: file(), what, feature }),
            None => Ok(Self { layout, codec }),
        }
    }

    /// The delimiter of CSV and TSV.
    pub(crate) fn delimiter(self) -> Option<u8> {
        if let Layout::Delimited(delimiter) = self.layout { Some(delimiter) } else { None }
    }
}

impl fmt::Display for TableFormat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self.layout {
            Layout::Delimited(b'\t') => "tsv",
            Layout::Delimited(_) => "csv",
            Layout::Json => "json",
            Layout::JsonLines => "jsonl",
            Layout::Parquet => "parquet",
        })?;
        self.codec.map_or(Ok(()), |codec| write!(out, ".{}", codec.ending()))
    }
}

/// Writes a table in parts; the columns of all parts have the same names and types.
pub struct TableWriter<'a> {
    format: TableFormat,
    /// The compressed destination.
    pub(crate) out: Encoder<'a>,
    rows: usize,
    started: bool,
    #[cfg(feature = "parquet")]
    parquet: Option<parquet::ParquetWriter>,
}

impl<'a> TableWriter<'a> {
    /// Begins a table.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn new(format: TableFormat, to: &'a mut dyn Write) -> io::Result<Self> {
        Ok(Self {
            format,
            out: Encoder::new(format.codec, to)?,
            rows: 0,
            started: false,
            #[cfg(feature = "parquet")]
            parquet: None,
        })
    }

    /// The format.
    pub fn format(&self) -> TableFormat {
        self.format
    }

    /// Appends the rows of a table. The first part may be empty: the names of its columns are written.
    ///
    /// # Errors
    ///
    /// Those of the writer; an infinite number in JSON.
    pub fn write(&mut self, table: &Table) -> io::Result<()> {
        match self.format.layout {
            Layout::Delimited(delimiter) => csv::write_rows(table, delimiter, !self.started, &mut self.out)?,
            Layout::Json => {
                let before = |row| if self.rows + row == 0 { "[\n" } else { ",\n" };
                json::write_objects(table, before, "", &mut self.out)?;
            }
            Layout::JsonLines => json::write_objects(table, |_| "", "\n", &mut self.out)?,
            #[cfg(feature = "parquet")]
            Layout::Parquet => {
                let parquet = match &mut self.parquet {
                    Some(parquet) => parquet,
                    none => none.insert(parquet::ParquetWriter::new(table)?),
                };
                parquet.write(table, &mut self.out)?;
            }
            #[cfg(not(feature = "parquet"))]
            Layout::Parquet => return Err(io::Error::from(io::ErrorKind::Unsupported)),
        }
        self.started = true;
        self.rows += table.rows();
        Ok(())
    }

    /// Completes the table and flushes the destination.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn finish(mut self) -> io::Result<()> {
        if self.format.layout == Layout::Json {
            self.out.write_all(if self.rows == 0 { b"[]\n" } else { b"\n]\n" })?;
        }
        #[cfg(feature = "parquet")]
        if let Some(parquet) = self.parquet {
            parquet.finish(&mut self.out)?;
        }
        self.out.finish()
    }
}

/// Writes a whole table.
///
/// # Errors
///
/// Those of [`TableWriter`].
pub fn write_table(table: &Table, format: TableFormat, to: &mut dyn Write) -> io::Result<()> {
    let mut writer = TableWriter::new(format, to)?;
    writer.write(table)?;
    writer.finish()
}
