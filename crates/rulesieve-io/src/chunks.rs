//! Reading tables in chunks of rows, for tables larger than memory.

use std::{fs, ops::Range};

use rulesieve::Warning;
use rulesieve::data::{Column, ColumnData, Table, TextColumn};

use crate::{
    csv::chunks::{CsvChunks, FilePlan, file_plan},
    error::ReadError,
    na_values::NaValues,
    options::{Format, ReadOptions},
    source::{Input, Source, open},
    text::{number, shown},
};

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Numbers.
    Number,
    /// Texts.
    Text,
}

/// Reads a table in chunks of `rows` rows; only the last one may be shorter.
///
/// CSV, TSV and Parquet need memory for one chunk (and the pages of a row group) only; other formats are loaded
/// completely. The limits apply to the whole table. Warnings come with the first chunk.
///
/// The type of a CSV column is that of all its cells, as in [`read`](crate::read), for which a file is read twice. Data
/// that can be read only once (standard input, a pipe) are taken as the first rows suggest; a later cell that does not
/// fit turns the column to text. Use [`Chunks::expecting`] to fix the types in all chunks, for example to those of a
/// saved model.
///
/// ```
/// use rulesieve_io::{Kind, ReadOptions, Source, chunks};
///
/// let source = Source::Bytes { name: "t.csv".into(), bytes: b"a,b\n1,1\n2,2\n3,x\n".to_vec() };
/// let chunks = chunks(&source, &ReadOptions::default(), 2)?.expecting(|name| (name == "b").then_some(Kind::Text));
/// let rows: Vec<usize> = chunks.map(|chunk| Ok(chunk?.rows())).collect::<Result<_, rulesieve_io::ReadError>>()?;
/// assert_eq!(rows, [2, 1]);
/// # Ok::<(), rulesieve_io::ReadError>(())
/// ```
///
/// # Errors
///
/// Errors of [`read`](crate::read); those of rows that are not read yet are items and end the iteration.
pub fn chunks<'a>(source: &'a Source, options: &ReadOptions, rows: usize) -> Result<Chunks<'a>, ReadError> {
    let (options, differences) = options.resolved();
    let mut chunks = planned(source, &options, rows, plan(source, &options)?.as_ref())?;
    chunks.warnings = differences;
    Ok(chunks)
}

/// The types of the columns of a CSV source, if it can be read twice.
pub(crate) fn plan(source: &Source, options: &ReadOptions) -> Result<Option<FilePlan>, ReadError> {
    let is_repeatable = match source {
        Source::Path(path) => fs::metadata(path).is_ok_and(|found| found.is_file()),
        Source::Stdin => false,
        Source::Bytes { .. } => true,
    };
    if !is_repeatable || !matches!(open(source, options)?.input.format, Format::Csv | Format::Tsv) {
        return Ok(None);
    }
    file_plan(source, options).map(Some)
}

/// As [`chunks`], with a plan of the source.
pub(crate) fn planned<'a>(
    source: &'a Source,
    options: &ReadOptions,
    rows: usize,
    plan: Option<&FilePlan>,
) -> Result<Chunks<'a>, ReadError> {
    let opened = open(source, options)?;
    let inner = match (opened.input.format, source) {
        (Format::Csv | Format::Tsv, _) => Inner::Csv(Box::new(CsvChunks::open(opened, options, plan)?)),
        #[cfg(feature = "parquet")]
        (Format::Parquet, Source::Path(path)) if opened.packed.is_none() => {
            let file = std::fs::File::open(path)
                .map_err(|source| ReadError::Open { file: opened.input.name.clone(), source })?;
            Inner::Parquet(crate::parquet::ParquetChunks::open(opened.input, file, &options.limits)?)
        }
        _ => Inner::Whole(Whole::new(opened.load()?, options)?),
    };
    let names = inner.names();
    let na_values = NaValues::new(&options.na_values);
    let (wanted, rows, warnings) = (vec![None; names.len()], rows.max(1), Vec::new());
    let given = options.na_values.clone();
    Ok(Chunks { inner, na_values, given, wanted, names, rows, read: 0, warnings, ended: false })
}

/// Iterator over the chunks of a table; see [`chunks`].
pub struct Chunks<'a> {
    inner: Inner<'a>,
    na_values: NaValues,
    /// The same as they were given.
    given: Vec<String>,
    names: Vec<String>,
    wanted: Vec<Option<Kind>>,
    rows: usize,
    /// Rows returned so far.
    read: usize,
    /// Warnings that come with the first chunk.
    warnings: Vec<Warning>,
    ended: bool,
}

enum Inner<'a> {
    Csv(Box<CsvChunks<'a>>),
    #[cfg(feature = "parquet")]
    Parquet(crate::parquet::ParquetChunks),
    Whole(Whole),
}

impl Inner<'_> {
    fn names(&self) -> Vec<String> {
        match self {
            Self::Csv(csv) => csv.names.clone(),
            #[cfg(feature = "parquet")]
            Self::Parquet(parquet) => parquet.names(),
            Self::Whole(whole) => whole.table.columns().iter().map(|column| column.name.clone()).collect(),
        }
    }
}

impl Chunks<'_> {
    /// Column names in file order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Fixes the types of columns in all chunks. A numeric column rejects other cells; a text column has the unchanged
    /// cells of a CSV file, and numbers of other formats in their shortest form.
    #[must_use]
    pub fn expecting(mut self, kind: impl Fn(&str) -> Option<Kind>) -> Self {
        self.wanted = self.names.iter().map(|name| kind(name)).collect();
        self
    }

    fn next_chunk(&mut self) -> Result<Option<Table>, ReadError> {
        let (table, input) = match &mut self.inner {
            Inner::Csv(csv) => return csv.next(self.rows, &self.wanted),
            #[cfg(feature = "parquet")]
            Inner::Parquet(parquet) => (parquet.next(self.rows)?, parquet.input()),
            Inner::Whole(whole) => (whole.next(self.rows), &whole.input),
        };
        match table {
            Some(mut table) => {
                table.reading.na_values.clone_from(&self.given);
                Ok(Some(conform(input, self.na_values.clear(table), &self.wanted, self.read)?))
            }
            None => Ok(None),
        }
    }
}

impl Iterator for Chunks<'_> {
    type Item = Result<Table, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let mut chunk = self.next_chunk().transpose();
        if let Some(Ok(table)) = &mut chunk {
            table.warnings.append(&mut self.warnings);
        }
        self.ended = !matches!(chunk, Some(Ok(_)));
        self.read += chunk.iter().flatten().map(Table::rows).sum::<usize>();
        chunk
    }
}

/// Converts columns to the requested types; `before` is the number of rows before this chunk.
fn conform(input: &Input, table: Table, wanted: &[Option<Kind>], before: usize) -> Result<Table, ReadError> {
    if wanted.iter().all(Option::is_none) {
        return Ok(table);
    }
    let info = Table::default().described_by(&table);
    let columns = table.into_columns().into_iter().zip(wanted).map(|(mut column, kind)| {
        match (&column.data, kind) {
            (ColumnData::Numeric(_) | ColumnData::Dates(_), Some(Kind::Text)) => {
                let cells: Vec<String> = (0..column.len()).map(|row| column.cell(row)).collect();
                column = Column::text(column.name, cells);
            }
            (ColumnData::Text(text), Some(Kind::Number)) => {
                column.data = ColumnData::Numeric(numbers(input, &column.name, text, before)?);
            }
            _ => {}
        }
        Ok(column)
    });
    let columns = columns.collect::<Result<_, ReadError>>()?;
    Ok(Table::new(columns).map_err(|error| input.table_error(error))?.described_by(&info))
}

fn numbers(input: &Input, name: &str, text: &TextColumn, before: usize) -> Result<Vec<f64>, ReadError> {
    let cells = text.codes().iter().enumerate().map(|(row, _)| {
        number(text.get(row)).ok_or_else(|| {
            let (name, found, row) = (shown(name), shown(text.get(row)), before + row + 1);
            input.content(format!("column '{name}' is '{found}' in data row {row}, expected a number"))
        })
    });
    cells.collect()
}

/// A table of a format that can only be loaded completely.
struct Whole {
    input: Input,
    table: Table,
    next: usize,
}

impl Whole {
    fn new(mut input: Input, options: &ReadOptions) -> Result<Self, ReadError> {
        let table = crate::read_input(&input, options)?;
        // Free the bytes; only the name is still needed.
        input.bytes = Vec::new();
        Ok(Self { input, table, next: 0 })
    }

    fn next(&mut self, rows: usize) -> Option<Table> {
        let range = self.next..self.table.rows().min(self.next.saturating_add(rows));
        if range.is_empty() {
            return None;
        }
        let columns = self.table.columns().iter().map(|column| slice(column, range.clone())).collect();
        self.next = range.end;
        let piece = Table::new(columns).ok()?.described_by(&self.table);
        self.table.warnings.clear();
        Some(piece)
    }
}

fn slice(column: &Column, rows: Range<usize>) -> Column {
    match &column.data {
        ColumnData::Numeric(values) => Column::numeric(column.name.clone(), values[rows].to_vec()),
        ColumnData::Text(text) => Column::text(column.name.clone(), rows.map(|row| text.get(row))),
        ColumnData::Dates(seconds) => Column::dates(column.name.clone(), seconds[rows].to_vec()),
    }
}
