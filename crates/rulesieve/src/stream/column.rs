//! Statistics of one column over all rows, in constant memory.

use crate::data::table::{format_number, is_missing, is_missing_label};
use crate::data::{Column, ColumnData};
use std::collections::HashMap;

/// Role of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Number,
    Category,
    Target,
}

/// Statistics of a column over the rows so far.
pub(super) struct ColumnSurvey {
    pub(super) name: String,
    /// Index in the table.
    pub(super) at: usize,
    pub(super) role: Role,
    /// Whether its cells are texts.
    pub(super) text: bool,
    /// Whether the user declared it categorical.
    pub(super) declared: bool,
    /// Numbers were followed by texts: the pass must be repeated.
    pub(super) turned: bool,
    pub(super) levels: Levels,
    pub(super) moments: Moments,
    pub(super) missing: usize,
    /// Index of the first row with a missing value.
    pub(super) first_missing: Option<usize>,
    /// Hash of all cells in order, to find equal columns.
    pub(super) hash: u64,
}

impl ColumnSurvey {
    pub(super) fn new(column: &Column, at: usize, role: Role) -> Self {
        let text = matches!(column.data, ColumnData::Text(_));
        Self {
            name: column.name.clone(),
            at,
            role: if text && role == Role::Number { Role::Category } else { role },
            text,
            declared: role == Role::Category,
            turned: false,
            levels: Levels::default(),
            moments: Moments::default(),
            missing: 0,
            first_missing: None,
            hash: 0xcbf2_9ce4_8422_2325,
        }
    }

    /// The cells as numbers: values, or indices of levels in order of appearance; NaN if missing.
    pub(super) fn cells(&mut self, column: Column) -> Vec<f64> {
        match column.data {
            ColumnData::Numeric(values) | ColumnData::Dates(values) if self.role == Role::Number => values,
            ColumnData::Numeric(values) | ColumnData::Dates(values) => {
                values.iter().map(|&value| self.levels.of_number(value)).collect()
            }
            ColumnData::Text(text) => {
                let is_target = self.role == Role::Target;
                let missing = |level: &str| if is_target { is_missing_label(level) } else { is_missing(level) };
                let levels = text.levels().iter();
                let codes: Vec<f64> = levels
                    .map(|level| if missing(level) { f64::NAN } else { f64::from(self.levels.of_text(level)) })
                    .collect();
                text.codes().iter().map(|&code| codes[code as usize]).collect()
            }
        }
    }

    /// Adds the cells of some rows that are used.
    pub(super) fn add(&mut self, cells: &[f64], rows: &[usize]) {
        for &row in rows {
            let cell = if cells[row].is_nan() { f64::NAN } else { cells[row] + 0.0 };
            self.hash = (self.hash ^ cell.to_bits()).wrapping_mul(0x0100_0000_01b3).rotate_left(29);
        }
        match self.role {
            Role::Number => self.moments.add(rows.iter().map(|&row| cells[row])),
            Role::Category | Role::Target => {
                let present = rows.iter().map(|&row| cells[row]).filter(|cell| !cell.is_nan());
                present.for_each(|code| self.levels.counts[code as usize] += 1);
            }
        }
    }

    /// Number of used rows with a value.
    pub(super) fn present(&self) -> usize {
        match self.role {
            Role::Number => self.moments.count,
            Role::Category | Role::Target => self.levels.counts.iter().sum(),
        }
    }

    /// Whether the values of the used rows differ.
    pub(super) fn varies(&self) -> bool {
        match self.role {
            Role::Number => self.moments.low < self.moments.high,
            Role::Category | Role::Target => self.levels.counts.iter().filter(|&&count| count > 0).count() > 1,
        }
    }
}

/// Distinct values in order of appearance.
#[derive(Default)]
pub(super) struct Levels {
    pub(super) names: Vec<String>,
    /// Their values, for numeric columns.
    pub(super) values: Vec<f64>,
    pub(super) counts: Vec<usize>,
    by_name: HashMap<String, u32>,
    by_bits: HashMap<u64, u32>,
}

impl Levels {
    fn of_number(&mut self, value: f64) -> f64 {
        if value.is_nan() {
            return value;
        }
        // Zero and minus zero are equal.
        let bits = (value + 0.0).to_bits();
        if let Some(&code) = self.by_bits.get(&bits) {
            return f64::from(code);
        }
        let code = self.of_text(&format_number(value));
        self.values.push(value + 0.0);
        self.by_bits.insert(bits, code);
        f64::from(code)
    }

    fn of_text(&mut self, name: &str) -> u32 {
        if let Some(&code) = self.by_name.get(name) {
            return code;
        }
        // Too many levels are reported at the end of the piece.
        let code = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.counts.push(0);
        self.by_name.insert(name.to_owned(), code);
        code
    }

    /// For every level its index in an order.
    pub(super) fn indices(&self, order: &[usize]) -> Vec<f64> {
        let mut indices = vec![f64::NAN; self.names.len()];
        order.iter().enumerate().for_each(|(index, &level)| indices[level] = index as f64);
        indices
    }

    /// The occurring levels in order: numbers ascending, texts alphabetically.
    pub(super) fn ordered(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).filter(|&level| self.counts[level] > 0).collect();
        if self.values.len() == self.names.len() {
            order.sort_by(|&a, &b| self.values[a].total_cmp(&self.values[b]));
        } else {
            order.sort_by(|&a, &b| self.names[a].cmp(&self.names[b]));
        }
        order
    }
}

/// Count, mean, sum of squared deviations, and range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moments {
    pub(super) count: usize,
    pub(super) mean: f64,
    pub(super) squares: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Default for Moments {
    fn default() -> Self {
        Self { count: 0, mean: 0.0, squares: 0.0, low: f64::INFINITY, high: f64::NEG_INFINITY }
    }
}

impl Moments {
    /// Adds numbers: two passes over the piece, then the update of Chan, Golub and LeVeque (1979).
    pub(super) fn add(&mut self, values: impl Iterator<Item = f64> + Clone) {
        let present = || values.clone().filter(|value| !value.is_nan());
        let (count, sum) = present().fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
        if count == 0 {
            return;
        }
        let mean = sum / count as f64;
        let squares = present().map(|value| (value - mean).powi(2)).sum();
        let (low, high) = present().fold((self.low, self.high), |range, v| (range.0.min(v), range.1.max(v)));
        *self = self.merged(count, mean, squares);
        (self.low, self.high) = (low, high);
    }

    /// Merges the moments of `count` further numbers.
    pub(super) fn merged(&self, count: usize, mean: f64, squares: f64) -> Self {
        let total = self.count + count;
        if total == 0 {
            return *self;
        }
        let (share, apart) = (count as f64 / total as f64, mean - self.mean);
        Self {
            count: total,
            mean: self.mean + share * apart,
            squares: self.squares + squares + apart * apart * share * self.count as f64,
            ..*self
        }
    }
}
