//! Arrow IPC files and streams (Feather version 2): flat columns, read without the Arrow library.

use rulesieve::data::Table;

use crate::{
    cells::{self, Cells},
    error::ReadError,
    options::{Limits, ReadOptions},
    source::Input,
    text::shown,
};

mod batch;
mod flat;
mod message;
mod schema;

use batch::{Batch, Dictionaries};
use message::{Content, Header, Message};
use schema::Field;

/// The start of a file.
pub(crate) const MAGIC: &[u8] = b"ARROW1";
/// The start of a stream.
pub(crate) const CONTINUATION: &[u8] = b"\xff\xff\xff\xff";
/// The start of a Feather file of version 1.
pub(crate) const FEATHER_1: &[u8] = b"FEA1";

/// Reads a table.
pub(crate) fn read(input: &Input, options: &ReadOptions) -> Result<Table, ReadError> {
    if input.bytes.starts_with(FEATHER_1) {
        return Err(input.unsupported("a Feather file of version 1", "save it again as Feather version 2 or Parquet"));
    }
    let is_file = input.bytes.starts_with(MAGIC);
    let content = if is_file { message::of_file(&input.bytes) } else { message::of_stream(&input.bytes) };
    let Content { schema, messages } = content.map_err(|problem| input.content(problem))?;
    let fields = schema::fields(input, schema)?;
    options.limits.check_columns(input, fields.len())?;
    let mut reader = Reader {
        input,
        limits: &options.limits,
        cells: fields.iter().map(Field::cells).collect(),
        fields,
        rows: 0,
        budget: options.limits.bytes,
        dictionaries: Dictionaries::default(),
    };
    for message in &messages {
        reader.message(message)?;
    }
    if reader.rows == 0 {
        return Err(input.empty("has columns but no rows"));
    }
    cells::table(input, reader.fields.into_iter().map(|field| field.name).zip(reader.cells))
}

struct Reader<'a> {
    input: &'a Input,
    limits: &'a Limits,
    fields: Vec<Field>,
    cells: Vec<Cells>,
    rows: usize,
    /// Bytes that buffers may still decompress to.
    budget: u64,
    dictionaries: Dictionaries,
}

impl Reader<'_> {
    fn message(&mut self, message: &Message<'_>) -> Result<(), ReadError> {
        let (input, limit) = (self.input, self.limits.bytes);
        let fault = |name: &str, fault: batch::Fault| match fault {
            batch::Fault::Limit => ReadError::Endless { file: input.name.clone(), limit },
            batch::Fault::Content(problem) => input.content(format!("column '{}': {problem}", shown(name))),
        };
        match &message.header {
            Header::Dictionary { id, rows, is_delta } => {
                let Some(field) = self.fields.iter().find(|field| field.dictionary == Some(*id)) else { return Ok(()) };
                let mut batch = Batch::new(*rows, message.body, &mut self.budget).map_err(|e| fault(&field.name, e))?;
                self.limits.check_rows(input, batch.rows)?;
                let mut values = self.dictionaries.take(*id, *is_delta).unwrap_or_else(|| field.values());
                batch.read(field.value, &mut values).map_err(|e| fault(&field.name, e))?;
                self.dictionaries.put(*id, values);
            }
            Header::Rows(rows) => {
                let mut batch = Batch::new(*rows, message.body, &mut self.budget).map_err(|e| fault("", e))?;
                self.rows = self.rows.saturating_add(batch.rows);
                self.limits.check_shape(input, self.rows, self.fields.len())?;
                for (field, cells) in self.fields.iter().zip(&mut self.cells) {
                    let result = match field.dictionary {
                        Some(id) => batch.read_coded(field.index, self.dictionaries.get(id), cells),
                        None => batch.read(field.value, cells),
                    };
                    result.map_err(|e| fault(&field.name, e))?;
                }
            }
        }
        Ok(())
    }
}
