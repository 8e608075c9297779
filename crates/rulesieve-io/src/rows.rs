//! A file as rows that can be read again and again, for fits that do not hold the table.

use std::fs;

use rulesieve::Remedy;
use rulesieve::stream::{Pieces, RowSource, SourceError};

use crate::{
    Kind, ReadError, chunks,
    options::{Format, ReadOptions},
    source::{Source, open},
    text::escaped,
};

/// Cells of a piece, and its fewest and most rows.
const PIECE_CELLS: usize = 1 << 20;
const PIECE_ROWS: (usize, usize) = (64, 8192);

/// A CSV, TSV or Parquet file that is read in pieces.
#[derive(Debug)]
pub struct RowFile {
    source: Source,
    options: ReadOptions,
    rows: usize,
}

impl RowFile {
    /// Looks at the first rows.
    ///
    /// # Errors
    ///
    /// What cannot be read twice (standard input, a pipe), or only whole (other formats), and whatever
    /// [`chunks`] refuses.
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
            Format::Parquet if !opened.gzip && matches!(source, Source::Path(_)) => None,
            Format::Parquet => Some("Parquet data that are not a plain file".to_owned()),
            other => Some(format!("the format {other}")),
        };
        if let Some(what) = whole {
            let (file, what) = (opened.input.name, format!("{what}, which is only read whole"));
            return Err(ReadError::Unsupported { file, what, remedy: Remedy::FormatOrMemory });
        }
        drop(opened);
        let columns = chunks(&source, &options, 1)?.names().len();
        let rows = (PIECE_CELLS / columns.max(1)).clamp(PIECE_ROWS.0, PIECE_ROWS.1);
        Ok(Self { source, options, rows })
    }
}

impl RowSource for RowFile {
    fn pieces(&self, texts: &[String]) -> Result<Pieces<'_>, SourceError> {
        let text = |name: &str| texts.iter().any(|text| text == name).then_some(Kind::Text);
        let pieces = chunks(&self.source, &self.options, self.rows)?.expecting(text);
        Ok(Box::new(pieces.map(|piece| Ok(piece?))))
    }
}
