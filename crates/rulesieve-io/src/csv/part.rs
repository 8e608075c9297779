//! Columns of a block of rows, and their combination.

use rulesieve::data::{Column, TextColumn};

use crate::na_values::NaValues;

use super::{
    plan::CellType,
    rows::{Dialect, Rows},
    survey::ColumnSurvey,
};

/// The cells of a column in a block.
#[derive(Debug, Clone, Default)]
pub(crate) enum Values {
    Numbers(Vec<f64>),
    Texts(TextColumn),
    /// The column is only surveyed.
    #[default]
    Unread,
}

impl Values {
    /// Without cells, for a type.
    pub(crate) fn of(cell_type: CellType) -> Self {
        match cell_type {
            CellType::Text => Self::Texts(TextColumn::default()),
            CellType::Number | CellType::Written(_) | CellType::Dates(_) => Self::Numbers(Vec::new()),
            CellType::Skip => Self::Unread,
        }
    }

    /// Adds a cell; false if it does not have the type.
    pub(crate) fn push(&mut self, cell_type: CellType, cell: &str) -> bool {
        match self {
            Self::Texts(texts) => texts.push(cell),
            Self::Numbers(values) => match cell_type.value(cell) {
                Some(value) => values.push(value),
                None => return false,
            },
            Self::Unread => {}
        }
        true
    }

    /// The column of consecutive blocks; none if one of them did not read it.
    pub(crate) fn join(parts: impl Iterator<Item = Self>, name: &str, cell_type: CellType) -> Option<Column> {
        let mut joined: Option<Self> = None;
        for part in parts {
            joined = Some(match (joined, part) {
                (None, part) => part,
                (Some(Self::Numbers(mut all)), Self::Numbers(mut part)) => {
                    all.append(&mut part);
                    Self::Numbers(all)
                }
                (Some(Self::Texts(mut all)), Self::Texts(part)) => {
                    all.append(&part);
                    Self::Texts(all)
                }
                _ => return None,
            });
        }
        match (joined?, cell_type) {
            (Self::Numbers(values), CellType::Dates(_)) => Some(Column::dates(name, values)),
            (Self::Numbers(values), _) => Some(Column::numeric(name, values)),
            (Self::Texts(text), _) => Some(Column::of_texts(name, text)),
            (Self::Unread, _) => None,
        }
    }
}

/// The number of rows of a text, estimated from the first ones.
pub(crate) fn expected_rows(text: &str, dialect: Dialect<'_>, columns: usize) -> usize {
    let (mut rows, mut cells, mut count) = (Rows::new(text, dialect), Vec::new(), 0);
    while count < 100 && rows.next(columns, &mut cells) {
        count += 1;
    }
    let bytes = rows.start + rows.row().len();
    (text.len() as f64 / bytes.max(1) as f64 * count as f64 * 1.05) as usize + 16
}

/// The columns of a block in the first pass.
pub(crate) struct FirstPart {
    pub(crate) rows: usize,
    pub(crate) columns: Vec<Values>,
    pub(crate) surveys: Vec<ColumnSurvey>,
}

impl FirstPart {
    /// A block without rows. The surveys of columns that are texts for certain are not continued.
    pub(crate) fn new(columns: Vec<Values>, sample: Vec<ColumnSurvey>) -> Self {
        let surveys = columns.iter().enumerate().map(|(at, values)| match values {
            Values::Texts(_) => sample.get(at).cloned().unwrap_or_default(),
            Values::Numbers(_) | Values::Unread => ColumnSurvey::default(),
        });
        Self { rows: 0, surveys: surveys.collect(), columns }
    }

    /// Reserves memory for the numbers of a block.
    pub(crate) fn reserve(&mut self, block: &str, dialect: Dialect<'_>) {
        let expected = expected_rows(block, dialect, self.columns.len());
        for values in &mut self.columns {
            if let Values::Numbers(values) = values {
                values.reserve(expected);
            }
        }
    }

    /// Adds the raw cells of a row.
    pub(crate) fn add(&mut self, cells: &[&str], na_values: &NaValues) {
        for ((raw, values), survey) in cells.iter().zip(&mut self.columns).zip(&mut self.surveys) {
            let cell = na_values.cell(raw);
            match values {
                Values::Texts(texts) => texts.push(&cell),
                Values::Numbers(numbers) => match survey.add(&cell, self.rows) {
                    Some(value) => numbers.push(value),
                    None => *values = Values::Unread,
                },
                Values::Unread => {
                    survey.add(&cell, self.rows);
                }
            }
        }
        self.rows += 1;
    }

    /// Empty columns of the types that these rows show.
    pub(crate) fn guessed_columns(&self) -> Vec<Values> {
        let guess = |survey: &ColumnSurvey| match survey {
            _ if survey.is_long() => Values::Unread,
            _ if survey.plain => Values::Numbers(Vec::new()),
            _ if survey.is_text() => Values::Texts(TextColumn::default()),
            _ => Values::Unread,
        };
        self.surveys.iter().map(guess).collect()
    }

    /// The surveys of consecutive blocks, combined.
    pub(crate) fn surveys(parts: &mut [Self]) -> Vec<ColumnSurvey> {
        let mut rows = 0;
        let mut all: Vec<ColumnSurvey> = Vec::new();
        for part in parts {
            let surveys = std::mem::take(&mut part.surveys);
            all = match all.is_empty() {
                true => surveys,
                false => all.into_iter().zip(surveys).map(|(all, next)| all.and(next, rows)).collect(),
            };
            rows += part.rows;
        }
        all
    }
}

/// A column as the first pass read it; none if it has another type.
pub(crate) fn joined(name: &str, cell_type: CellType, parts: &mut [FirstPart], at: usize) -> Option<Column> {
    let fits = |part: &FirstPart| {
        let column = (&part.columns[at], cell_type);
        matches!(column, (Values::Numbers(_), CellType::Number) | (Values::Texts(_), CellType::Text))
    };
    let whole = parts.iter().all(fits);
    let values: Vec<Values> = parts.iter_mut().map(|part| std::mem::take(&mut part.columns[at])).collect();
    if whole { Values::join(values.into_iter(), name, cell_type) } else { None }
}
