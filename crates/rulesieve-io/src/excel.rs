//! Workbooks of Excel and OpenDocument: one sheet, with the names of the columns in its first row.

use std::io::Cursor;

use calamine::{Data, DataRef, DataType, ExcelDateTime, Ods, Reader, Xls, Xlsx};
use rulesieve::Warning;
use rulesieve::data::{Column, DateOrder, Table, table::format_number};

use crate::{
    cells::Cells, csv::Layout, error::ReadError, guard::catch_panics, options::ReadOptions, source::Input, text::shown,
};

mod ods;
mod sizes;
mod xls;

/// The start of an old workbook.
pub(crate) const OLD: &[u8] = b"\xd0\xcf\x11\xe0";
const SECONDS_OF_DAY: f64 = 86_400.0;
/// Memory of a cell until it is in its column, in bytes.
const CELL_BYTES: u64 = 64;

/// Reads a table.
pub(crate) fn read(input: &Input, options: &ReadOptions) -> Result<Table, ReadError> {
    let sheet =
        catch_panics(|| read_sheet(input, options)).unwrap_or_else(|| Err(input.damaged("the workbook is damaged")))?;
    let mut table = sheet.to_table(input, options)?;
    if options.sheet.is_none() && !sheet.others.is_empty() {
        table.warnings.push(Warning::SheetsSkipped { read: shown(&sheet.name), skipped: sheet.others });
    }
    Ok(table)
}

/// A cell that is not empty.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Number(f64),
    Integer(i64),
    Text(String),
    /// Seconds since 1970.
    Date(f64),
}

/// The cells of one sheet, in any order.
struct Sheet {
    name: String,
    /// Names of the other sheets.
    others: Vec<String>,
    cells: Vec<(u32, u32, Value)>,
}

fn read_sheet(input: &Input, options: &ReadOptions) -> Result<Sheet, ReadError> {
    let limits = &options.limits;
    let bytes = || Cursor::new(input.bytes.as_slice());
    if input.bytes.starts_with(OLD) {
        xls::check(input, limits)?;
        let mut book = Xls::new(bytes()).map_err(|error| damaged(input, &error))?;
        let (name, others) = choose(input, options, book.sheet_names())?;
        let range = book.worksheet_range(&name).map_err(|error| damaged(input, &error))?;
        return Ok(Sheet { name, others, cells: range_cells(&range) });
    }
    let parts = sizes::check(input, limits)?;
    if parts.is_binary {
        return Err(input.unsupported("a binary Excel workbook (.xlsb)", "save it as .xlsx"));
    }
    if parts.is_open_document {
        ods::check(input, limits)?;
        let mut book = Ods::new(bytes()).map_err(|error| damaged(input, &error))?;
        let (name, others) = choose(input, options, book.sheet_names())?;
        let range = book.worksheet_range(&name).map_err(|error| damaged(input, &error))?;
        return Ok(Sheet { name, others, cells: range_cells(&range) });
    }
    let mut book = Xlsx::new(bytes()).map_err(|error| damaged(input, &error))?;
    let (name, others) = choose(input, options, book.sheet_names())?;
    // Not as a range, which has the size of the outermost cells.
    let mut reader = book.worksheet_cells_reader(&name).map_err(|error| damaged(input, &error))?;
    let mut cells = Vec::new();
    while let Some(cell) = reader.next_cell().map_err(|error| damaged(input, &error))? {
        let (row, column) = cell.get_position();
        if let Some(value) = shared_value(cell.get_value()) {
            cells.push((row, column, value));
            limits.check_bytes(input, cells.len() as u64 * CELL_BYTES)?;
        }
    }
    Ok(Sheet { name, others, cells })
}

fn damaged(input: &Input, error: &dyn std::fmt::Display) -> ReadError {
    input.damaged(format!("the workbook cannot be read ({})", shown(&error.to_string())))
}

/// The wanted sheet, else the first one, and the names of the others.
fn choose(input: &Input, options: &ReadOptions, names: Vec<String>) -> Result<(String, Vec<String>), ReadError> {
    let wanted = options.sheet.as_deref();
    let number = wanted.map_or(Some(1), |wanted| wanted.parse::<usize>().ok());
    let at = wanted.and_then(|wanted| names.iter().position(|name| name == wanted));
    let at = at.or_else(|| number?.checked_sub(1)).filter(|&at| at < names.len());
    let Some(at) = at else {
        let listed: Vec<String> = names.iter().take(20).map(|name| format!("'{}'", shown(name))).collect();
        let (file, wanted) = (input.name.clone(), shown(wanted.unwrap_or("1")));
        return Err(ReadError::Sheet { file, wanted, found: listed.join(", ") });
    };
    let mut others = names;
    let name = others.remove(at);
    Ok((name, others.iter().map(|name| shown(name)).collect()))
}

fn range_cells(range: &calamine::Range<Data>) -> Vec<(u32, u32, Value)> {
    let cells = range.used_cells();
    cells.filter_map(|(row, column, cell)| Some((row as u32, column as u32, own_value(cell)?))).collect()
}

fn shared_value(cell: &DataRef<'_>) -> Option<Value> {
    match cell {
        DataRef::SharedString(text) => text_value(text),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text_value(text),
        DataRef::DateTime(date) => Some(date_value(date)),
        DataRef::Bool(value) => Some(Value::Number(f64::from(u8::from(*value)))),
        DataRef::Int(value) => Some(Value::Integer(*value)),
        DataRef::Float(value) => Some(Value::Number(*value)),
        DataRef::Error(_) | DataRef::Empty => None,
    }
}

fn own_value(cell: &Data) -> Option<Value> {
    match cell {
        Data::String(text) | Data::DurationIso(text) => text_value(text),
        // ISO 8601 has one order of day and month.
        Data::DateTimeIso(text) => DateOrder::DayFirst.parse(text).map(Value::Date).or_else(|| text_value(text)),
        Data::DateTime(date) => Some(date_value(date)),
        _ if cell.is_bool() => cell.get_bool().map(|value| Value::Number(f64::from(u8::from(value)))),
        Data::Int(value) => Some(Value::Integer(*value)),
        _ => cell.get_float().map(Value::Number),
    }
}

fn text_value(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| Value::Text(text.trim().to_owned()))
}

fn date_value(date: &ExcelDateTime) -> Value {
    if date.is_duration() {
        return Value::Number(date.as_f64() * SECONDS_OF_DAY);
    }
    let (year, month, day, hour, minute, second, milli) = date.to_ymd_hms_milli();
    let time = f64::from(hour) * 3600.0 + f64::from(minute) * 60.0 + f64::from(second) + f64::from(milli) / 1000.0;
    Value::Date(midnight(year.into(), month.into(), day.into()) + time)
}

/// The begin of a day in seconds since 1970.
fn midnight(year: i64, month: i64, day: i64) -> f64 {
    // Years begin in March, so that the leap day is the last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 719_469;
    days as f64 * SECONDS_OF_DAY
}

impl Sheet {
    /// Takes the first row with cells for the names; rows without cells are left out.
    fn to_table(&self, input: &Input, options: &ReadOptions) -> Result<Table, ReadError> {
        let mut cells: Vec<&(u32, u32, Value)> = self.cells.iter().collect();
        cells.sort_by_key(|(row, column, _)| (*row, *column));
        let (Some((top, ..)), Some(left), Some(right)) = (
            cells.first().copied(),
            cells.iter().map(|(_, column, _)| *column).min(),
            cells.iter().map(|(_, column, _)| *column).max(),
        ) else {
            return Err(input.empty("has a sheet without cells"));
        };
        let width = (right - left) as usize + 1;
        options.limits.check_columns(input, width)?;
        let mut first = vec![String::new(); width];
        for (_, column, value) in cells.iter().take_while(|(row, ..)| row == top) {
            first[(column - left) as usize] = value.text();
        }
        let first = first.iter().map(|name| name.trim().to_owned()).collect();
        let Layout { has_header, names, index_hint, warnings, .. } = Layout::of_names(input, first, options)?;
        let mut columns: Vec<Cells> = (0..width).map(|_| Cells::Numbers(Vec::new())).collect();
        let (mut rows, mut last) = (0, None);
        for (row, column, value) in cells {
            if has_header && row == top {
                continue;
            }
            if last != Some(*row) {
                last = Some(*row);
                rows += 1;
                options.limits.check_shape(input, rows, width)?;
            }
            let column = &mut columns[(column - left) as usize];
            // A cell that appears twice keeps its first value.
            if column.len() < rows {
                column.fill(rows - 1);
                value.push(column);
            }
        }
        if rows == 0 {
            return Err(input.empty("has a header but no rows"));
        }
        let named = names.into_iter().zip(columns).map(|(name, mut cells)| {
            cells.fill(rows);
            Column { name, data: cells.into_data() }
        });
        let mut table = Table::new(named.collect()).map_err(|error| input.table_error(error))?;
        (table.index_hint, table.reading.header, table.warnings) = (index_hint, options.header, warnings);
        Ok(table)
    }
}

impl Value {
    fn text(&self) -> String {
        match self {
            Self::Number(value) => format_number(*value),
            Self::Integer(value) => value.to_string(),
            Self::Text(text) => text.clone(),
            Self::Date(seconds) => crate::cells::iso(*seconds),
        }
    }

    fn push(&self, cells: &mut Cells) {
        match self {
            Self::Number(_) | Self::Integer(_) if matches!(cells, Cells::Dates(_)) => cells.push_text(&self.text()),
            Self::Number(value) => cells.push_number(Some(*value)),
            Self::Integer(value) => cells.push_integer(Some(i128::from(*value))),
            Self::Text(text) => cells.push_text(text),
            Self::Date(seconds) => cells.push_date(*seconds),
        }
    }
}
