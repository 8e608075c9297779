//! Weka's ARFF: declared attributes, then dense rows `1,a,?` or sparse rows `{0 1, 2 b}`.

use rulesieve::Warning;
use rulesieve::data::table::{Column, ColumnData, Table, TextColumn};

use crate::{
    encoding::decode,
    error::ReadError,
    options::{Limits, ReadOptions},
    source::Input,
    text::{lines, shown},
};

mod attribute;
mod token;

use attribute::{Attribute, Kind};
use token::Tokens;

const MISSING: &str = "?";

/// Reads a table.
pub(crate) fn read(input: &Input, options: &ReadOptions) -> Result<Table, ReadError> {
    let (text, warning) = decode(input, options)?;
    let mut lines = lines(&text).filter(|(_, line)| !is_comment(line));
    let attributes = read_header(input, &mut lines, &options.limits)?;
    let mut rows = Rows::new(input, &attributes, options.limits);
    for (line, content) in lines {
        rows.read(line, content)?;
    }
    let mut table = rows.finish()?;
    table.warnings.extend(warning);
    Ok(table)
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('%')
}

/// Reads the declarations up to and including `@data`.
fn read_header<'a>(
    input: &Input,
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
    limits: &Limits,
) -> Result<Vec<Attribute>, ReadError> {
    let mut attributes = Vec::new();
    for (line, content) in lines {
        let content = content.trim();
        let (keyword, rest) = content.split_once(char::is_whitespace).unwrap_or((content, ""));
        match keyword.to_ascii_lowercase().as_str() {
            "@relation" => {}
            "@attribute" => {
                attributes.push(Attribute::parse(input, line, rest)?);
                limits.check_columns(input, attributes.len())?;
            }
            "@data" if attributes.is_empty() => {
                return Err(input.line_error(line, "@data comes before any @attribute"));
            }
            "@data" => return Ok(attributes),
            _ => {
                let problem = format!("found '{}' where @attribute or @data is expected", shown(keyword));
                return Err(input.line_error(line, problem));
            }
        }
    }
    Err(input.content("there is no @data line; the ARFF file is incomplete"))
}

/// Builds the columns row by row.
struct Rows<'a> {
    input: &'a Input,
    attributes: &'a [Attribute],
    limits: Limits,
    columns: Vec<ColumnData>,
    rows: usize,
    absent_texts: bool,
}

impl<'a> Rows<'a> {
    fn new(input: &'a Input, attributes: &'a [Attribute], limits: Limits) -> Self {
        let empty = |attribute: &Attribute| match attribute.kind {
            Kind::Numeric => ColumnData::Numeric(Vec::new()),
            _ => ColumnData::Text(TextColumn::default()),
        };
        let columns = attributes.iter().map(empty).collect();
        Self { input, attributes, limits, columns, rows: 0, absent_texts: false }
    }

    fn read(&mut self, line: usize, content: &str) -> Result<(), ReadError> {
        self.rows += 1;
        self.limits.check_shape(self.input, self.rows, self.columns.len())?;
        let content = content.trim();
        match content.strip_prefix('{') {
            Some(sparse) => self.read_sparse(line, sparse),
            None => self.read_dense(line, content),
        }
    }

    fn read_dense(&mut self, line: usize, content: &str) -> Result<(), ReadError> {
        let mut tokens = Tokens::new(self.input, line, content);
        let mut found = 0;
        loop {
            let token = tokens.value(&[','])?;
            if let Some(attribute) = self.attributes.get(found) {
                self.push(line, found, attribute, &token.text, token.quoted)?;
            }
            found += 1;
            if !tokens.skip(',') {
                break;
            }
        }
        tokens.end()?;
        let expected = self.attributes.len();
        if found != expected {
            return Err(ReadError::Ragged {
                file: self.input.name.clone(),
                line,
                found,
                expected,
                like_comment: false,
            });
        }
        Ok(())
    }

    fn read_sparse(&mut self, line: usize, content: &str) -> Result<(), ReadError> {
        let mut tokens = Tokens::new(self.input, line, content);
        let mut next = 0;
        while !tokens.skip('}') {
            let index = tokens.value(&[',', '}', ' ', '\t'])?.text;
            let at = self.sparse_index(line, &index, next)?;
            let value = tokens.value(&[',', '}'])?;
            self.push_absent(next..at);
            self.push(line, at, &self.attributes[at], &value.text, value.quoted)?;
            next = at + 1;
            if !tokens.skip(',') && !tokens.next_is('}') {
                return Err(self.input.line_error(line, "the sparse row is not closed with '}'"));
            }
        }
        tokens.end()?;
        self.push_absent(next..self.attributes.len());
        Ok(())
    }

    fn sparse_index(&self, line: usize, text: &str, next: usize) -> Result<usize, ReadError> {
        let problem = |what: String| Err(self.input.line_error(line, what));
        let count = self.attributes.len();
        match text.parse::<usize>() {
            Ok(at) if at >= count => {
                problem(format!("index {at} is beyond the {count} attributes (0 to {})", count - 1))
            }
            Ok(at) if at < next => problem(format!("index {at} is repeated or not ascending")),
            Ok(at) => Ok(at),
            Err(_) => problem(format!("found '{}' where an attribute's index is expected", shown(text))),
        }
    }

    fn push(
        &mut self,
        line: usize,
        at: usize,
        attribute: &Attribute,
        cell: &str,
        quoted: bool,
    ) -> Result<(), ReadError> {
        let is_missing = !quoted && cell == MISSING;
        match &mut self.columns[at] {
            ColumnData::Numeric(values) | ColumnData::Dates(values) if is_missing => values.push(f64::NAN),
            ColumnData::Numeric(values) | ColumnData::Dates(values) => match cell.parse() {
                Ok(value) => values.push(value),
                Err(_) => return Err(self.input.cell_error(line, &attribute.name, cell, "a number or ?")),
            },
            ColumnData::Text(text) => {
                if !is_missing && !attribute.allows(cell) {
                    return Err(self.input.cell_error(line, &attribute.name, cell, attribute.describe_set()));
                }
                text.push(cell);
            }
        }
        Ok(())
    }

    /// Adds the cells omitted by a sparse row: zero, or the first value of a nominal set.
    fn push_absent(&mut self, range: std::ops::Range<usize>) {
        for at in range {
            match (&mut self.columns[at], &self.attributes[at].kind) {
                (ColumnData::Numeric(values) | ColumnData::Dates(values), _) => values.push(0.0),
                (ColumnData::Text(text), Kind::Nominal(set)) => text.push(set.first()),
                (ColumnData::Text(text), _) => {
                    self.absent_texts = true;
                    text.push(MISSING);
                }
            }
        }
    }

    fn finish(self) -> Result<Table, ReadError> {
        if self.rows == 0 {
            return Err(self.input.empty("has attributes but no rows"));
        }
        let named = self.attributes.iter().zip(self.columns);
        let columns = named.map(|(attribute, data)| Column { name: attribute.name.clone(), data }).collect();
        let mut table = Table::new(columns).map_err(|error| self.input.table_error(error))?;
        for attribute in self.attributes.iter().filter(|attribute| matches!(attribute.kind, Kind::Date)) {
            Warning::DatesAsTexts { columns: vec![shown(&attribute.name)] }.add(&mut table.warnings);
        }
        if self.absent_texts {
            table.warnings.push(Warning::SparseTextsMissing);
        }
        Ok(table)
    }
}
