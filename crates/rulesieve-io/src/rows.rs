//! Files that can be read repeatedly in chunks, for streaming fits.

use std::fs;

use rulesieve::Remedy;
use rulesieve::stream::{Pieces, RowSource, SourceError};

use crate::{
    Kind, ReadError,
    chunks::{plan, planned},
    csv::chunks::FilePlan,
    options::{Format, ReadOptions},
    source::{Source, open},
    text::escaped,
};

/// Cells per chunk, and the minimum and maximum rows.
const CHUNK_CELLS: usize = 1 << 20;
const CHUNK_ROWS: (usize, usize) = (64, 8192);

/// A CSV, TSV or Parquet file read in chunks.
#[derive(Debug)]
pub struct RowFile {
    source: Source,
    options: ReadOptions,
    rows: usize,
    /// The types of the columns of a CSV file.
    plan: Option<FilePlan>,
}

impl RowFile {
    /// Opens the source and reads the first rows.
    ///
    /// # Errors
    ///
    /// A source that can be read only once (standard input, a pipe), a format without streaming, and the errors of
    /// [`chunks`](crate::chunks()).
    pub fn new(source: Source, options: ReadOptions) -> Result<Self, ReadError> {
        let once = match &source {
            Source::Stdin => Some("standard input".to_owned()),
            Source::Path(path) => {
                let special = fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
                special.then(|| escaped(&path.display().to_string()))
            }
            Source::Bytes { .. } => None,
        };
        if let Some(file) = once {
            let what = "data that can be read only once".to_owned();
            let remedy = Remedy::plain("streaming reads all rows several times: save them to a file first");
            return Err(ReadError::Unsupported { file, what, remedy });
        }
        let opened = open(&source, &options)?;
        let format = opened.input.format;
        let whole = match format {
            Format::Csv | Format::Tsv => None,
            Format::Parquet if opened.packed.is_none() && matches!(source, Source::Path(_)) => None,
            Format::Parquet => Some("Parquet data that are not a plain file".to_owned()),
            other => Some(format!("the format {other}")),
        };
        if let Some(what) = whole {
            let (file, what) = (opened.input.name, format!("{what}, which is only read whole"));
            return Err(ReadError::Unsupported { file, what, remedy: Remedy::FormatOrMemory });
        }
        drop(opened);
        let plan = plan(&source, &options)?;
        let columns = planned(&source, &options, 1, plan.as_ref())?.names().len();
        let rows = (CHUNK_CELLS / columns.max(1)).clamp(CHUNK_ROWS.0, CHUNK_ROWS.1);
        Ok(Self { source, options, rows, plan })
    }
}

impl RowSource for RowFile {
    fn pieces(&self, texts: &[String]) -> Result<Pieces<'_>, SourceError> {
        let text = |name: &str| texts.iter().any(|text| text == name).then_some(Kind::Text);
        let pieces = planned(&self.source, &self.options, self.rows, self.plan.as_ref())?.expecting(text);
        Ok(Box::new(pieces.map(|piece| Ok(piece?))))
    }
}
