//! Values that stand for missing cells in a file.

use std::borrow::Cow;

use rulesieve::data::{Column, ColumnData, Table};

use crate::csv::content;
use crate::text::trimmed;

/// Values to be read as missing.
#[derive(Debug, Clone, Default)]
pub(crate) struct NaValues {
    texts: Vec<String>,
    numbers: Vec<f64>,
}

impl NaValues {
    pub(crate) fn new(values: &[String]) -> Self {
        let texts: Vec<String> = values.iter().map(|value| value.trim().to_owned()).collect();
        Self { numbers: texts.iter().filter_map(|text| text.parse().ok()).collect(), texts }
    }

    /// The content of a raw cell without quotes and surrounding white space; empty if it is one of the values.
    pub(crate) fn cell<'a>(&self, raw: &'a str) -> Cow<'a, str> {
        let cell = match content(raw) {
            Cow::Borrowed(cell) => Cow::Borrowed(trimmed(cell)),
            Cow::Owned(cell) => Cow::Owned(trimmed(&cell).to_owned()),
        };
        if !self.texts.is_empty() && self.contains(&cell) { Cow::Borrowed("") } else { cell }
    }

    fn contains(&self, cell: &str) -> bool {
        self.texts.iter().any(|text| text == cell) || cell.parse().is_ok_and(|value| self.numbers.contains(&value))
    }

    /// Clears the cells of a table that have one of the values.
    pub(crate) fn clear(&self, table: Table) -> Table {
        if self.texts.is_empty() {
            return table;
        }
        let info = Table::default().described_by(&table);
        let columns = table.into_columns().into_iter().map(|mut column| {
            match &mut column.data {
                ColumnData::Numeric(values) => {
                    values.iter_mut().filter(|value| self.numbers.contains(value)).for_each(|value| *value = f64::NAN);
                }
                ColumnData::Text(text) if text.levels().iter().any(|level| self.contains(level.trim())) => {
                    let cell = |row| if self.contains(text.get(row).trim()) { "" } else { text.get(row) };
                    column = Column::text(&column.name, (0..text.codes().len()).map(cell));
                }
                ColumnData::Text(_) | ColumnData::Dates(_) => {}
            }
            column
        });
        Table::new(columns.collect()).unwrap_or_default().described_by(&info)
    }
}
