//! CSV and TSV. A first pass surveys all cells and keeps plain numbers and texts; a second one reads the other columns,
//! whose types it decides. Both divide the text among threads.

use std::borrow::Cow;
use std::thread;

use rulesieve::data::{Column, Table};
use rulesieve::{Limit, Warning};

use crate::{
    encoding::decode, error::ReadError, na_values::NaValues, options::ReadOptions, quotes, source::Input, text::line_at,
};

mod blocks;
pub(crate) mod chunks;
mod layout;
mod number;
mod part;
mod plan;
mod rows;
mod survey;

pub(crate) use layout::Layout;
pub(crate) use number::Mark;
use part::{FirstPart, Values};
use plan::{CellType, Plan};
use rows::Rows;
pub(crate) use rows::{Dialect, content, is_comment};
pub(crate) use survey::Place;

/// Bytes from which on another thread is worthwhile.
const THREAD_BYTES: usize = 1 << 19;
/// Maximum number of threads.
const THREADS: usize = 16;
/// Rows from which the likely types of columns are guessed.
const SAMPLE_ROWS: usize = 100;

/// A CSV text with valid quotes and known delimiter and column names.
pub(crate) struct Sheet<'a> {
    input: &'a Input,
    /// The text from the first row on.
    text: Cow<'a, str>,
    layout: Layout,
    max_rows: usize,
    warnings: Vec<Warning>,
}

/// A row with a wrong number of cells.
struct Ragged {
    /// Offset in the text.
    offset: usize,
    found: usize,
}

/// Reads a table.
pub(crate) fn read(input: &Input, options: &ReadOptions) -> Result<Table, ReadError> {
    let sheet = Sheet::open(input, options)?;
    let na_values = NaValues::new(&options.na_values);
    let blocks = sheet.blocks();
    let mut parts = sheet.first_pass(&blocks, &na_values)?;
    let rows: usize = parts.iter().map(|part| part.rows).sum();
    sheet.check_rows(rows)?;
    let surveys = FirstPart::surveys(&mut parts);
    let plan = Plan::new(&sheet.layout, &surveys, options);
    let mut columns: Vec<Option<Column>> =
        plan.used().map(|at| part::joined(&sheet.layout.names[at], plan.types[at], &mut parts, at)).collect();
    let left: Vec<(usize, CellType)> =
        plan.used().zip(&columns).filter(|(_, column)| column.is_none()).map(|(at, _)| (at, plan.types[at])).collect();
    if !left.is_empty() {
        let mut read = sheet.second_pass(&blocks, &left, &na_values).into_iter();
        columns.iter_mut().filter(|column| column.is_none()).for_each(|column| *column = read.next());
    }
    let mut table = Table::new(columns.into_iter().flatten().collect()).map_err(|error| input.table_error(error))?;
    table.reading = plan.reading(&sheet.layout, options);
    table.index_hint = sheet.layout.index_hint;
    table.warnings = [sheet.warnings, sheet.layout.warnings, plan.warnings].concat();
    Ok(table)
}

impl<'a> Sheet<'a> {
    /// Checks the quotes and finds the delimiter and the names.
    pub(crate) fn open(input: &'a Input, options: &ReadOptions) -> Result<Self, ReadError> {
        let (text, warning) = decode(input, options)?;
        let layout = Layout::new(input, &text, options)?;
        let text = match text {
            Cow::Borrowed(text) => Cow::Borrowed(&text[layout.skipped.1..]),
            Cow::Owned(text) => Cow::Owned(text[layout.skipped.1..].to_owned()),
        };
        let text = if layout.delimiter == b' ' { Cow::Owned(quotes::single_blanks(&text)) } else { text };
        quotes::check(&text, layout.dialect()).map_err(|fault| ReadError::Quote {
            file: input.name.clone(),
            line: layout.skipped.0 + line_at(text.as_bytes(), fault.offset),
            problem: fault.problem,
        })?;
        Ok(Self { input, text, layout, max_rows: options.limits.rows, warnings: warning.into_iter().collect() })
    }

    /// The names of all columns.
    pub(crate) fn names(&self) -> &[String] {
        &self.layout.names
    }

    /// The warnings about the text and its layout.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = &Warning> {
        self.warnings.iter().chain(&self.layout.warnings)
    }

    /// Calls `visit` with the cells of each data row and returns the number of rows. Rejects ragged rows, too many rows,
    /// and no rows.
    pub(crate) fn for_each_row(
        &self,
        mut visit: impl FnMut(&[Cow<'_, str>]) -> Result<(), ReadError>,
    ) -> Result<usize, ReadError> {
        let (mut count, mut outcome) = (0, Ok(()));
        let max = self.max_rows;
        let ragged = self.each_row(&self.text, 0, |cells| {
            count += 1;
            if count <= max && outcome.is_ok() {
                outcome = visit(&cells.iter().map(|cell| content(cell)).collect::<Vec<_>>());
            }
        });
        outcome?;
        ragged.map_or(Ok(()), |ragged| Err(self.ragged(&ragged)))?;
        self.check_rows(count)?;
        Ok(count)
    }

    /// Passes the raw cells of the data rows in a block, which begins at `start`; ends at the first ragged row.
    fn each_row(&self, block: &str, start: usize, mut visit: impl FnMut(&[&str])) -> Option<Ragged> {
        let (mut rows, mut cells) = (Rows::new(block, self.layout.dialect()), Vec::new());
        let columns = self.layout.names.len();
        if start == 0 && !(rows.next(0, &mut cells) && self.layout.has_header) {
            // The first row is data.
            rows = Rows::new(block, self.layout.dialect());
        }
        while rows.next(columns, &mut cells) {
            if cells.len() != columns {
                return Some(Ragged { offset: start + rows.start, found: cells.len() });
            }
            visit(&cells);
        }
        None
    }

    fn check_rows(&self, rows: usize) -> Result<(), ReadError> {
        if rows > self.max_rows {
            return Err(self.input.over(Limit::Rows, self.max_rows as u64 + 1, self.max_rows as u64));
        }
        if rows == 0 {
            return Err(self.input.empty("has a header but no rows"));
        }
        Ok(())
    }

    fn ragged(&self, ragged: &Ragged) -> ReadError {
        ReadError::Ragged {
            file: self.input.name.clone(),
            line: self.layout.skipped.0 + line_at(self.text.as_bytes(), ragged.offset),
            found: ragged.found,
            expected: self.layout.names.len(),
            like_comment: self.text[ragged.offset..].starts_with('#'),
        }
    }

    /// The text in one block of complete rows for each thread, with their offsets.
    fn blocks(&self) -> Vec<(usize, &str)> {
        let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS);
        let count = threads.min(self.text.len() / THREAD_BYTES).max(1);
        let ends = quotes::row_ends(&self.text, self.layout.dialect(), count);
        let mut start = 0;
        let mut blocks = Vec::with_capacity(ends.len());
        for end in ends {
            blocks.push((start, &self.text[start..end]));
            start = end;
        }
        blocks
    }

    /// Surveys all cells, and reads the columns whose type the first rows show.
    fn first_pass(&self, blocks: &[(usize, &str)], na_values: &NaValues) -> Result<Vec<FirstPart>, ReadError> {
        let mut sample = FirstPart::new(vec![Values::Unread; self.layout.names.len()], Vec::new());
        self.each_row(sample_of(&self.text), 0, |cells| {
            if sample.rows < SAMPLE_ROWS {
                sample.add(cells, na_values);
            }
        });
        let start = sample.guessed_columns();
        self.input.check_memory(numbers_bytes(&start, &self.text, self.layout.dialect()))?;
        let read = |&(offset, block): &(usize, &str)| {
            let mut part = FirstPart::new(start.clone(), sample.surveys.clone());
            part.reserve(block, self.layout.dialect());
            let ragged = self.each_row(block, offset, |cells| part.add(cells, na_values));
            ragged.map_or(Ok(part), Err)
        };
        let parts: Result<Vec<FirstPart>, Ragged> = on_threads(blocks, &read).into_iter().collect();
        parts.map_err(|ragged| self.ragged(&ragged))
    }

    /// Reads some columns with known types.
    fn second_pass(
        &self,
        blocks: &[(usize, &str)],
        columns: &[(usize, CellType)],
        na_values: &NaValues,
    ) -> Vec<Column> {
        let read = |&(offset, block): &(usize, &str)| {
            let mut values: Vec<Values> = columns.iter().map(|(_, cell_type)| Values::of(*cell_type)).collect();
            self.each_row(block, offset, |cells| {
                for ((at, cell_type), values) in columns.iter().zip(&mut values) {
                    values.push(*cell_type, &na_values.cell(cells[*at]));
                }
            });
            values
        };
        let mut parts = on_threads(blocks, &read);
        let column = |(number, (at, cell_type)): (usize, &(usize, CellType))| {
            let values = parts.iter_mut().map(|part| std::mem::take(&mut part[number]));
            Values::join(values, &self.layout.names[*at], *cell_type)
        };
        columns.iter().enumerate().filter_map(column).collect()
    }
}

/// The memory of the columns that are numbers, estimated from the first rows.
fn numbers_bytes(columns: &[Values], text: &str, dialect: Dialect<'_>) -> usize {
    let numeric = columns.iter().filter(|values| matches!(values, Values::Numbers(_))).count();
    // The blocks of several threads are joined one column after another.
    part::expected_rows(text, dialect, columns.len()).saturating_mul(numeric).saturating_mul(size_of::<f64>())
}

/// The first rows of a text.
fn sample_of(text: &str) -> &str {
    let end = text.len().min(1 << 16);
    let end = (0..=end).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    if end == text.len() { text } else { &text[..text[..end].rfind('\n').unwrap_or(end)] }
}

/// Runs `work` on each item in its own thread. Threads of this call only: a pool would not survive a fork of the process.
fn on_threads<T: Sync, R: Send>(items: &[T], work: &(impl Fn(&T) -> R + Sync)) -> Vec<R> {
    if let [item] = items {
        return vec![work(item)];
    }
    thread::scope(|scope| {
        let threads: Vec<_> = items.iter().map(|item| scope.spawn(move || work(item))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}
