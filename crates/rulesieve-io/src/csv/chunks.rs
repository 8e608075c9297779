//! CSV in chunks of rows. The types of columns are those of the whole file if it can be read twice.

use std::collections::VecDeque;

use rulesieve::data::{Column, Reading, Table};
use rulesieve::{Limit, Warning};

use crate::{
    chunks::Kind,
    error::ReadError,
    na_values::NaValues,
    options::ReadOptions,
    source::{Opened, Source, open},
    text::{line_at, shown},
};

use super::{
    blocks::{Block, Blocks},
    part::{FirstPart, Values},
    plan::{CellType, Plan},
    rows::{Dialect, Rows},
};

/// The types of columns, and the encoding of the text.
#[derive(Debug, Clone)]
pub(crate) struct FilePlan {
    plan: Plan,
    encoding: Option<String>,
}

/// Reads the whole source to decide the types of its columns.
pub(crate) fn file_plan(source: &Source, options: &ReadOptions) -> Result<FilePlan, ReadError> {
    let (result, ascii) = survey(source, options);
    match result {
        // As when the whole text is in memory: it may be in another encoding.
        Err(ReadError::Encoding { .. }) if options.encoding.is_none() && (ascii || options.like.encoding.is_some()) => {
            let saved = options.like.encoding.clone();
            let warning = Warning::DecodedAs { encoding: "windows-1252".to_owned() };
            let warnings = if saved.is_none() { vec![warning] } else { Vec::new() };
            let encoding = saved.or_else(|| Some("windows-1252".to_owned()));
            let named = ReadOptions { encoding: encoding.clone(), ..options.clone() };
            let plan = survey(source, &named).0.or(result)?;
            Ok(FilePlan { plan: Plan { warnings: [warnings, plan.warnings].concat(), ..plan }, encoding })
        }
        result => Ok(FilePlan { plan: result?, encoding: None }),
    }
}

/// The plan, and whether the text before an error is ASCII.
fn survey(source: &Source, options: &ReadOptions) -> (Result<Plan, ReadError>, bool) {
    let mut blocks = match open(source, options).and_then(|opened| Blocks::open(opened, options)) {
        Ok(blocks) => blocks,
        Err(error) => return (Err(error), false),
    };
    let na_values = NaValues::new(&options.na_values);
    let columns = blocks.layout.names.len();
    let mut part = FirstPart::new(vec![Values::Unread; columns], Vec::new());
    let mut is_first = true;
    let mut add_all = || -> Result<(), ReadError> {
        while let Some(block) = blocks.next()? {
            let start = std::mem::take(&mut is_first);
            each_row(&blocks, &block, start, |cells, _, _| part.add(cells, &na_values))?;
            if part.rows > options.limits.rows {
                let limit = options.limits.rows as u64;
                return Err(blocks.input().over(Limit::Rows, limit + 1, limit));
            }
        }
        match part.rows {
            0 => Err(blocks.input().empty("has a header but no rows")),
            _ => Ok(()),
        }
    };
    let result = add_all();
    (result.map(|()| Plan::new(&blocks.layout, &part.surveys, options)), blocks.is_ascii())
}

/// Passes the cells, the text and the line of each data row of a block.
fn each_row(
    blocks: &Blocks<'_>,
    block: &Block,
    is_first: bool,
    mut visit: impl FnMut(&[&str], &str, usize),
) -> Result<(), ReadError> {
    let (layout, columns) = (&blocks.layout, blocks.layout.names.len());
    let (mut rows, mut cells) = (Rows::new(&block.text, layout.dialect()), Vec::new());
    if is_first && !(rows.next(0, &mut cells) && layout.has_header) {
        rows = Rows::new(&block.text, layout.dialect());
    }
    let (mut line, mut counted) = (block.line, 0);
    while rows.next(columns, &mut cells) {
        if cells.len() != columns {
            let line = block.line - 1 + line_at(block.text.as_bytes(), rows.start);
            let (file, found) = (blocks.input().name.clone(), cells.len());
            let like_comment = rows.row().starts_with('#');
            return Err(ReadError::Ragged { file, line, found, expected: columns, like_comment });
        }
        line += line_at(&block.text.as_bytes()[counted..], rows.start - counted) - 1;
        counted = rows.start;
        visit(&cells, rows.row(), line);
    }
    Ok(())
}

/// Reads CSV text in chunks of rows.
pub(crate) struct CsvChunks<'a> {
    blocks: Blocks<'a>,
    plan: Plan,
    /// Names of the columns that are read.
    pub(crate) names: Vec<String>,
    warnings: Vec<Warning>,
    reading: Reading,
    na_values: NaValues,
    max_rows: usize,
    /// Rows read so far.
    rows: usize,
    /// Rows that are read but not yet returned, with their lines.
    pending: VecDeque<(usize, String)>,
    is_first: bool,
}

impl<'a> CsvChunks<'a> {
    /// Takes the types of a plan; without one, types are those of the first block.
    pub(crate) fn open(opened: Opened<'a>, options: &ReadOptions, plan: Option<&FilePlan>) -> Result<Self, ReadError> {
        let encoding = plan.and_then(|plan| plan.encoding.clone()).or_else(|| options.encoding.clone());
        let mut blocks = Blocks::open(opened, &ReadOptions { encoding, ..options.clone() })?;
        let mut chunks = Self {
            names: Vec::new(),
            plan: Plan::default(),
            warnings: [std::mem::take(&mut blocks.warnings), std::mem::take(&mut blocks.layout.warnings)].concat(),
            reading: Reading::default(),
            na_values: NaValues::new(&options.na_values),
            max_rows: options.limits.rows,
            rows: 0,
            pending: VecDeque::new(),
            is_first: true,
            blocks,
        };
        chunks.plan = match plan {
            Some(plan) => plan.plan.clone(),
            None => {
                chunks.read_block()?;
                let columns = chunks.blocks.layout.names.len();
                let mut part = FirstPart::new(vec![Values::Unread; columns], Vec::new());
                let cells = chunks.cells(chunks.pending.iter());
                cells.chunks_exact(columns.max(1)).for_each(|row| part.add(row, &chunks.na_values));
                Plan::new(&chunks.blocks.layout, &part.surveys, options)
            }
        };
        chunks.reading = chunks.plan.reading(&chunks.blocks.layout, options);
        chunks.warnings.append(&mut chunks.plan.warnings);
        chunks.names = chunks.plan.used().map(|at| chunks.blocks.layout.names[at].clone()).collect();
        Ok(chunks)
    }

    /// Reads the rows of the next block; false at the end.
    fn read_block(&mut self) -> Result<bool, ReadError> {
        let Some(block) = self.blocks.next()? else { return Ok(false) };
        let pending = &mut self.pending;
        let is_first = std::mem::take(&mut self.is_first);
        each_row(&self.blocks, &block, is_first, |_, row, line| pending.push_back((line, row.to_owned())))?;
        Ok(true)
    }

    /// The cells of rows, one row after another.
    fn cells<'b>(&self, rows: impl Iterator<Item = &'b (usize, String)>) -> Vec<&'b str> {
        let (columns, mut cells, mut all) = (self.blocks.layout.names.len(), Vec::new(), Vec::new());
        let dialect = Dialect { delimiter: self.blocks.layout.delimiter, comment: "" };
        for (_, row) in rows {
            Rows::new(row, dialect).next(columns, &mut cells);
            all.append(&mut cells);
        }
        all
    }

    /// Reads at most `rows` rows. Types are those of `wanted`, else those of the plan.
    pub(crate) fn next(&mut self, rows: usize, wanted: &[Option<Kind>]) -> Result<Option<Table>, ReadError> {
        while self.pending.len() < rows && self.read_block()? {}
        let count = rows.min(self.pending.len());
        self.rows += count;
        if self.rows > self.max_rows {
            let limit = self.max_rows as u64;
            return Err(self.blocks.input().over(Limit::Rows, limit + 1, limit));
        }
        if self.rows == 0 {
            return Err(self.blocks.input().empty("has a header but no rows"));
        }
        if count == 0 {
            return Ok(None);
        }
        let chunk: Vec<(usize, String)> = self.pending.drain(..count).collect();
        let lines: Vec<usize> = chunk.iter().map(|(line, _)| *line).collect();
        let cells = self.cells(chunk.iter());
        let used: Vec<usize> = self.plan.used().collect();
        let mut columns = Vec::with_capacity(used.len());
        for (number, at) in used.into_iter().enumerate() {
            columns.push(self.column(&cells, &lines, at, wanted.get(number).copied().flatten())?);
        }
        let mut table = Table::new(columns).map_err(|error| self.blocks.input().table_error(error))?;
        table.index_hint.clone_from(&self.blocks.layout.index_hint);
        table.reading.clone_from(&self.reading);
        table.warnings = std::mem::take(&mut self.warnings);
        Ok(Some(table))
    }

    /// A column of a chunk. Without a plan of the whole file, it becomes text if a cell does not have its type.
    fn column(
        &mut self,
        cells: &[&str],
        lines: &[usize],
        at: usize,
        wanted: Option<Kind>,
    ) -> Result<Column, ReadError> {
        let (name, columns) = (&self.blocks.layout.names[at], self.blocks.layout.names.len());
        let cell_type = match (wanted, self.plan.types[at]) {
            (Some(Kind::Text), _) => CellType::Text,
            (Some(Kind::Number), CellType::Text | CellType::Dates(_)) => CellType::Number,
            (_, planned) => planned,
        };
        let mut values = Values::of(cell_type);
        for (line, row) in lines.iter().zip(cells.chunks_exact(columns)) {
            let cell = self.na_values.cell(row[at]);
            if values.push(cell_type, &cell) {
                continue;
            }
            if wanted == Some(Kind::Number) {
                return Err(self.blocks.input().cell_error(*line, name, &cell, "a number"));
            }
            self.plan.types[at] = CellType::Text;
            return self.column(cells, lines, at, wanted);
        }
        let column = Values::join(std::iter::once(values), name, cell_type);
        column.ok_or_else(|| self.blocks.input().content(format!("column '{}' is not read", shown(name))))
    }
}
