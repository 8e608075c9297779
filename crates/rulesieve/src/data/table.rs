//! A table as read: named columns of numbers or texts, not yet interpreted.

use super::{DataError, Dataset, DatasetOptions, Missing, Reading, TargetColumn, dates, names};
use crate::remedy::Remedy;
use crate::warning::Warning;
use std::collections::HashMap;

/// Named columns of equal length: what readers produce and a [`Dataset`] validates.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    columns: Vec<Column>,
    /// The column that the file format itself marks as the label (LIBSVM's first field, `y` of an NPZ), if any.
    pub target_hint: Option<String>,
    /// The first column if the file gives it no name: an index of the rows, unless its values repeat.
    pub index_hint: Option<String>,
    /// How the cells of a file were read.
    pub reading: Reading,
    /// Warnings of the reader (detected delimiter, skipped variables).
    pub warnings: Vec<Warning>,
}

/// One named column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The name, unique in the table.
    pub name: String,
    /// The cells.
    pub data: ColumnData,
}

/// The cells of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnData {
    /// Numbers; NaN for a missing cell. Infinite values are kept: validation rejects them by row.
    Numeric(Vec<f64>),
    /// Texts, each distinct one stored once.
    Text(TextColumn),
    /// Dates and times in seconds since 1970-01-01 (times of day: since midnight); NaN for a missing cell. As features
    /// they become year, month, day of week, hour, and days since the first date.
    Dates(Vec<f64>),
}

/// Texts as codes into a list of distinct levels.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextColumn {
    levels: Vec<String>,
    codes: Vec<u32>,
    index: HashMap<String, u32>,
}

/// Columns that do not form a table.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum TableError {
    /// Two columns share a name. Columns are counted from 1.
    #[error("column name '{name}' appears twice (columns {first} and {second})")]
    DuplicateName { name: String, first: usize, second: usize },
    /// A column without a name.
    #[error("column {position} has no name")]
    EmptyName { position: usize },
    /// Columns of different lengths.
    #[error("column '{name}' has {found} cells, the columns before it have {expected}")]
    UnequalLength { name: String, found: usize, expected: usize },
}

impl TableError {
    /// Suggested fix.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::DuplicateName { .. } => Some(Remedy::RenameColumn { repeated: true }),
            Self::EmptyName { .. } => Some(Remedy::RenameColumn { repeated: false }),
            Self::UnequalLength { .. } => None,
        }
    }
}

impl Table {
    /// Builds a table; names must be present and distinct and all columns of the same length.
    pub fn new(columns: Vec<Column>) -> Result<Self, TableError> {
        let mut seen: HashMap<&str, usize> = HashMap::with_capacity(columns.len());
        for (at, column) in columns.iter().enumerate() {
            if column.name.is_empty() {
                return Err(TableError::EmptyName { position: at + 1 });
            }
            if let Some(first) = seen.insert(&column.name, at + 1) {
                return Err(TableError::DuplicateName { name: column.name.clone(), first, second: at + 1 });
            }
            if column.len() != columns[0].len() {
                return Err(TableError::UnequalLength {
                    name: column.name.clone(),
                    found: column.len(),
                    expected: columns[0].len(),
                });
            }
        }
        Ok(Self { columns, ..Self::default() })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Column::len)
    }

    /// The columns in file order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Takes the columns in file order.
    pub fn into_columns(self) -> Vec<Column> {
        self.columns
    }

    /// The index of the target column: a name, a number counted from 1, or `last`; by default the column that the file
    /// format marks.
    pub fn target_position(&self, wanted: Option<&str>) -> Result<usize, DataError> {
        let Some(wanted) = wanted.or(self.target_hint.as_deref()) else {
            return Err(DataError::NoTarget { columns: names::list(self) });
        };
        if let Some(at) = self.position(wanted) {
            return Ok(at);
        }
        let columns = self.columns().len();
        match (wanted, wanted.parse::<usize>()) {
            ("last", _) => Ok(columns - 1),
            (_, Ok(number)) if (1..=columns).contains(&number) => Ok(number - 1),
            (_, Ok(number)) => Err(DataError::NoColumnNumber { number, columns }),
            (_, Err(_)) => Err(names::no_column(self, wanted)),
        }
    }

    /// Validates the table: all columns except the target become features.
    ///
    /// # Errors
    /// See [`Dataset::new`].
    pub fn into_dataset(self, target: TargetColumn, missing: Missing) -> Result<Dataset, DataError> {
        Dataset::new(self, &DatasetOptions::new(target).missing(missing))
    }

    /// The table restricted to these rows.
    pub fn slice(&self, rows: std::ops::Range<usize>) -> Self {
        let rows: Vec<usize> = rows.collect();
        let columns = self.columns.iter().map(|column| column.rows(&rows)).collect();
        Self { columns, ..Self::default() }.described_by(self)
    }

    /// The table with the hints, the reading and the warnings of another one.
    #[must_use]
    pub fn described_by(self, other: &Self) -> Self {
        let Self { target_hint, index_hint, reading, warnings, .. } = other;
        Self {
            columns: self.columns,
            target_hint: target_hint.clone(),
            index_hint: index_hint.clone(),
            reading: reading.clone(),
            warnings: warnings.clone(),
        }
    }

    /// Position of the column called `name`.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }
}

impl Column {
    /// A column of numbers.
    pub fn numeric(name: impl Into<String>, values: Vec<f64>) -> Self {
        Self { name: name.into(), data: ColumnData::Numeric(values) }
    }

    /// A column of texts.
    pub fn text<S: AsRef<str>>(name: impl Into<String>, cells: impl IntoIterator<Item = S>) -> Self {
        let mut text = TextColumn::default();
        for cell in cells {
            text.push(cell.as_ref());
        }
        Self { name: name.into(), data: ColumnData::Text(text) }
    }

    /// A column of texts.
    pub fn of_texts(name: impl Into<String>, text: TextColumn) -> Self {
        Self { name: name.into(), data: ColumnData::Text(text) }
    }

    /// A column of dates and times, in seconds since 1970-01-01.
    pub fn dates(name: impl Into<String>, seconds: Vec<f64>) -> Self {
        Self { name: name.into(), data: ColumnData::Dates(seconds) }
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        match &self.data {
            ColumnData::Numeric(values) | ColumnData::Dates(values) => values.len(),
            ColumnData::Text(text) => text.codes.len(),
        }
    }

    /// Whether the column has no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The column restricted to these rows.
    pub(crate) fn rows(&self, rows: &[usize]) -> Self {
        match &self.data {
            ColumnData::Numeric(values) => {
                Self::numeric(self.name.clone(), rows.iter().map(|&row| values[row]).collect())
            }
            ColumnData::Text(text) => Self::text(self.name.clone(), rows.iter().map(|&row| text.get(row))),
            ColumnData::Dates(values) => Self::dates(self.name.clone(), rows.iter().map(|&row| values[row]).collect()),
        }
    }

    /// The text of a cell: numbers in their shortest exact form, dates as ISO 8601, a missing one as the empty text.
    pub fn cell(&self, row: usize) -> String {
        match &self.data {
            ColumnData::Numeric(values) | ColumnData::Dates(values) if values[row].is_nan() => String::new(),
            ColumnData::Dates(values) => dates::iso(values[row]),
            ColumnData::Numeric(values) => format_number(values[row]),
            ColumnData::Text(text) => text.get(row).to_owned(),
        }
    }
}

impl TextColumn {
    /// Appends a cell.
    pub fn push(&mut self, cell: &str) {
        let code = match self.index.get(cell) {
            Some(&code) => code,
            None => {
                // Codes are 32 bits: readers cap rows far below 2^32, so the number of levels fits.
                let code = self.levels.len() as u32;
                self.levels.push(cell.to_owned());
                self.index.insert(cell.to_owned(), code);
                code
            }
        };
        self.codes.push(code);
    }

    /// Appends all cells of another column.
    pub fn append(&mut self, other: &Self) {
        let before = self.codes.len();
        // Adds the levels in order of their appearance, then only the codes.
        let codes: Vec<u32> = other
            .levels
            .iter()
            .map(|level| {
                self.push(level);
                self.codes[self.codes.len() - 1]
            })
            .collect();
        self.codes.truncate(before);
        self.codes.extend(other.codes.iter().map(|&code| codes[code as usize]));
    }

    /// The text of a cell.
    pub fn get(&self, row: usize) -> &str {
        &self.levels[self.codes[row] as usize]
    }

    /// The distinct texts in order of first appearance.
    pub fn levels(&self) -> &[String] {
        &self.levels
    }

    /// For every row the index of its text in [`levels`](Self::levels).
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }
}

/// Shortest text that reads back as the same number; whole numbers without a decimal point.
pub fn format_number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = value.abs();
    if (1e-5..1e16).contains(&magnitude) { format!("{value}") } else { format!("{value:e}") }
}

/// Whether a text stands for a missing feature value.
///
/// Labels are stricter: `NA` may be a class of its own, see [`is_missing_label`].
pub fn is_missing(cell: &str) -> bool {
    matches!(
        cell,
        "" | "?"
            | "-"
            | "."
            | "NA"
            | "N/A"
            | "n/a"
            | "#N/A"
            | "#NA"
            | "#N/A N/A"
            | "<NA>"
            | "NaN"
            | "nan"
            | "NAN"
            | "-NaN"
            | "-nan"
            | "NaT"
            | "None"
            | "null"
            | "NULL"
            | "Null"
    )
}

/// Which of the distinct texts of a column stand for missing values. `-` is a sign, not a missing value, beside texts that are
/// punctuation alone, such as `+`.
pub fn missing_levels(levels: &[String]) -> Vec<bool> {
    let is_sign = |level: &String| !level.is_empty() && level.bytes().all(|byte| byte.is_ascii_punctuation());
    let mut others = levels.iter().filter(|level| !is_missing(level)).peekable();
    let has_signs = others.peek().is_some() && others.all(is_sign);
    levels.iter().map(|level| is_missing(level) && !(has_signs && level == "-")).collect()
}

/// Whether a text stands for a missing label.
pub fn is_missing_label(cell: &str) -> bool {
    matches!(cell, "" | "?" | "#N/A" | "<NA>" | "NaN" | "nan" | "NAN" | "NaT")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_invalid_columns() {
        let a = Column::numeric("a", vec![1.0, 2.0]);
        let twice = Table::new(vec![a.clone(), Column::numeric("b", vec![0.0; 2]), a.clone()]);
        assert_eq!(twice, Err(TableError::DuplicateName { name: "a".into(), first: 1, second: 3 }));
        let short = Table::new(vec![a.clone(), Column::numeric("b", vec![0.0])]);
        assert_eq!(short, Err(TableError::UnequalLength { name: "b".into(), found: 1, expected: 2 }));
        let nameless = Table::new(vec![a, Column::numeric("", vec![0.0; 2])]);
        assert_eq!(nameless, Err(TableError::EmptyName { position: 2 }));
    }

    #[test]
    fn numbers_keep_their_exact_value_as_text() {
        for value in [0.1, -2.5e-300, 1e300, 12345678.0, 1.0 / 3.0, -7.0, 5e-324] {
            assert_eq!(format_number(value).parse::<f64>().unwrap(), value);
        }
        assert_eq!(format_number(3.0), "3");
        assert_eq!(format_number(-0.0), "0");
    }

    #[test]
    fn a_minus_beside_signs_is_no_missing_value() {
        let missing =
            |levels: &[&str]| missing_levels(&levels.iter().map(|level| (*level).to_owned()).collect::<Vec<_>>());
        assert_eq!(missing(&["+", "-", "?", ""]), [false, false, true, true]);
        assert_eq!(missing(&["-", "++", "+"]), [false; 3]);
        assert_eq!(missing(&["-", "a", "+"]), [true, false, false]);
        assert_eq!(missing(&["-", "?"]), [true, true]);
    }

    #[test]
    fn texts_are_coded_in_order_of_appearance() {
        let column = Column::text("t", ["b", "a", "b"]);
        let ColumnData::Text(text) = &column.data else { panic!("a text column") };
        assert_eq!(text.levels(), ["b", "a"]);
        assert_eq!(text.codes(), [0, 1, 0]);
        assert_eq!(column.cell(2), "b");
        let mut joined = text.clone();
        joined.append(&TextColumn::default());
        let Column { data: ColumnData::Text(more), .. } = Column::text("t", ["c", "a", "c"]) else { panic!("texts") };
        joined.append(&more);
        assert_eq!((joined.levels().join(""), joined.codes()), ("bac".to_owned(), &[0, 1, 0, 2, 1, 2][..]));
    }
}
