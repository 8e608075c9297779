//! The first pass: statistics of all rows, and a sample of them.

use super::column::{ColumnSurvey, Role};
use super::order::RowOrder;
use super::reservoir::Reservoir;
use super::{RowSource, StreamError};
use crate::data::names::short;
use crate::data::table::format_number;
use crate::data::{
    CategoricalCoding, ColumnData, DataError, DatasetOptions, MANY_CLASSES, MAX_LEVELS, Missing, Table, Task,
};
use crate::warning::Warning;

/// Rows of the sample for tables of moderate width.
const SAMPLE_ROWS: usize = 4096;
const FEWEST_SAMPLE_ROWS: usize = 1024;
/// Maximum number of cells of the sample, unless it would have too few rows.
const SAMPLE_CELLS: usize = 1 << 22;
/// Maximum number of categories in ordinal coding; with one-hot coding fewer are allowed.
const MAX_ORDINAL_LEVELS: usize = 100_000;

/// Results of the first pass.
pub(super) struct Survey {
    /// The features, sorted by name.
    pub(super) features: Vec<ColumnSurvey>,
    pub(super) target: ColumnSurvey,
    /// Number of rows that are used.
    pub(super) rows: usize,
    /// Number of rows of the table.
    pub(super) all_rows: usize,
    pub(super) reservoir: Reservoir,
    pub(super) warnings: Vec<Warning>,
    pub(super) index_hint: Option<String>,
    /// Columns that must be read as texts.
    pub(super) texts: Vec<String>,
    order: RowOrder,
    limit: usize,
    pub(super) missing: Missing,
    pub(super) coding: CategoricalCoding,
}

/// Reads all rows.
pub(super) fn survey(source: &dyn RowSource, options: &DatasetOptions, seed: u64) -> Result<Survey, StreamError> {
    let mut texts = Vec::new();
    loop {
        let survey = pass(source, options, seed, &texts)?;
        let turned: Vec<String> = survey.turned().map(|column| column.name.clone()).collect();
        if turned.is_empty() {
            return survey.checked(texts, &options.target.classes);
        }
        if turned.iter().any(|name| texts.contains(name)) {
            return Err(StreamError::Changed { what: format!("column '{}' has other cells", short(&turned[0])) });
        }
        texts.extend(turned);
    }
}

fn pass(source: &dyn RowSource, options: &DatasetOptions, seed: u64, texts: &[String]) -> Result<Survey, StreamError> {
    let mut survey: Option<Survey> = None;
    for piece in source.pieces(texts).map_err(StreamError::Source)? {
        let piece = piece.map_err(StreamError::Source)?;
        match &mut survey {
            Some(survey) => survey.add(piece)?,
            None => survey.insert(Survey::begin(&piece, options, seed)?).add(piece)?,
        }
    }
    survey.ok_or(StreamError::Data(DataError::NoRows))
}

impl Survey {
    fn begin(first: &Table, options: &DatasetOptions, seed: u64) -> Result<Self, StreamError> {
        let target_at = first.target_position(options.target.column.as_deref())?;
        let target = &first.columns()[target_at];
        let role = match (options.target.task, &target.data) {
            (Task::Classification, _) => Role::Target,
            (Task::Regression, ColumnData::Numeric(_) | ColumnData::Dates(_)) => Role::Number,
            (Task::Regression, ColumnData::Text(_)) => {
                return Err(DataError::NumbersOfText { target: target.name.clone() }.into());
            }
        };
        let others = first.columns().iter().enumerate();
        let mut features: Vec<ColumnSurvey> = others
            .filter(|(at, _)| *at != target_at)
            .map(|(at, column)| {
                let categorical = options.categorical.contains(&column.name);
                ColumnSurvey::new(column, at, if categorical { Role::Category } else { Role::Number })
            })
            .collect();
        if features.is_empty() {
            return Err(DataError::NoFeatures { target: target.name.clone() }.into());
        }
        features.sort_by(|a, b| a.name.cmp(&b.name));
        let rows = (SAMPLE_CELLS / (features.len() + 1)).clamp(FEWEST_SAMPLE_ROWS, SAMPLE_ROWS);
        Ok(Self {
            target: ColumnSurvey::new(target, target_at, role),
            reservoir: Reservoir::new(rows, seed),
            features,
            rows: 0,
            all_rows: 0,
            warnings: first.warnings.clone(),
            index_hint: first.index_hint.clone(),
            texts: Vec::new(),
            order: RowOrder::default(),
            limit: if options.coding == CategoricalCoding::OneHot { MAX_LEVELS } else { MAX_ORDINAL_LEVELS },
            missing: options.missing,
            coding: options.coding,
        })
    }

    fn add(&mut self, piece: Table) -> Result<(), StreamError> {
        let rows = piece.rows();
        let mut columns: Vec<_> = piece.into_columns().into_iter().map(Some).collect();
        let mut cells = Vec::with_capacity(self.features.len() + 1);
        for column in self.features.iter_mut().chain([&mut self.target]) {
            let found = columns.get_mut(column.at).and_then(Option::take).filter(|found| found.name == column.name);
            let Some(found) = found else {
                return Err(StreamError::Changed { what: format!("column '{}' is gone", short(&column.name)) });
            };
            if matches!(found.data, ColumnData::Text(_)) != column.text || column.turned {
                // The pass continues, to find all such columns.
                column.turned = true;
                cells.push(vec![0.0; rows]);
                continue;
            }
            check_finite(column, &found.data, self.all_rows)?;
            cells.push(column.cells(found));
        }
        self.count(&cells, rows)?;
        self.all_rows += rows;
        Ok(())
    }

    /// Adds the rows of a piece.
    fn count(&mut self, cells: &[Vec<f64>], rows: usize) -> Result<(), StreamError> {
        let (features, target) = (&cells[..self.features.len()], &cells[self.features.len()]);
        for (column, cells) in self.features.iter_mut().zip(features) {
            let mut missing = (0..rows).filter(|&row| cells[row].is_nan());
            let first = missing.next();
            column.missing += usize::from(first.is_some()) + missing.count();
            column.first_missing = column.first_missing.or(first.map(|row| row + self.all_rows));
        }
        let complete = |row: &usize| features.iter().all(|cells| !cells[*row].is_nan());
        let kept: Vec<usize> = match self.missing {
            Missing::DropRows => (0..rows).filter(complete).collect(),
            Missing::Error | Missing::Median => (0..rows).collect(),
        };
        if let Some(&row) = kept.iter().find(|&&row| target[row].is_nan()) {
            let row = self.all_rows + row + 1;
            return Err(DataError::MissingLabel { target: self.target.name.clone(), row }.into());
        }
        for (column, cells) in self.features.iter_mut().chain([&mut self.target]).zip(cells) {
            if !column.turned {
                column.add(cells, &kept);
            }
        }
        if !self.target.turned {
            self.order.add(self.target.role, target, &kept);
        }
        self.rows += kept.len();
        for &row in &kept {
            self.reservoir.offer((self.all_rows + row) as u64, cells, row);
        }
        self.check_levels()
    }

    /// Rejects columns with too many levels early, because they could fill the memory.
    fn check_levels(&self) -> Result<(), StreamError> {
        let rows = self.all_rows.max(self.rows);
        let target = &self.target;
        if target.levels.names.len() > MAX_LEVELS {
            let (name, distinct) = (target.name.clone(), target.levels.names.len());
            return Err(match target.text {
                false => DataError::Continuous { target: name, distinct, rows }.into(),
                true => DataError::TooManyLevels { column: name, levels: distinct, rows, limit: MAX_LEVELS }.into(),
            });
        }
        match self.features.iter().find(|column| column.levels.names.len() > self.limit) {
            Some(column) => {
                let (column, levels) = (column.name.clone(), column.levels.names.len());
                Err(DataError::TooManyLevels { column, levels, rows, limit: self.limit }.into())
            }
            None => Ok(()),
        }
    }

    fn turned(&self) -> impl Iterator<Item = &ColumnSurvey> {
        self.features.iter().chain([&self.target]).filter(|column| column.turned)
    }

    /// Rejects invalid data after the pass.
    fn checked(mut self, texts: Vec<String>, declared: &[String]) -> Result<Self, StreamError> {
        self.texts = texts;
        if let Some(column) = self.features.iter().find(|column| column.missing == self.all_rows) {
            return Err(DataError::Empty { column: column.name.clone() }.into());
        }
        if self.rows == 0 {
            return Err(DataError::NoCompleteRows.into());
        }
        let dropped = self.all_rows - self.rows;
        if dropped > 0 {
            self.warnings.push(Warning::IncompleteRows { dropped, rows: self.all_rows });
        }
        self.check_target(declared)?;
        let gaps: Vec<&ColumnSurvey> = self.features.iter().filter(|column| column.missing > 0).collect();
        let first = gaps.iter().min_by_key(|column| column.first_missing);
        if let (Missing::Error, Some(first)) = (self.missing, first) {
            return Err(StreamError::Data(DataError::Missing {
                column: first.name.clone(),
                row: first.first_missing.unwrap_or(0) + 1,
                missing: gaps.iter().map(|column| column.missing).sum(),
                columns: gaps.len(),
            }));
        }
        if !self.features.iter().any(ColumnSurvey::varies) {
            return Err(DataError::NothingVaries.into());
        }
        if self.order.is_sorted(&self.target) {
            self.warnings.push(Warning::SortedRows { regression: self.target.role == Role::Number });
        }
        Ok(self)
    }

    /// Whether incomplete rows are dropped.
    pub(super) fn drops_incomplete(&self) -> bool {
        self.missing == Missing::DropRows
    }

    /// Removes features (indices ascending), which later passes then do not read.
    pub(super) fn remove(&mut self, gone: &[usize]) {
        fn keep<T>(items: &mut Vec<T>, gone: &[usize]) {
            let mut at = 0..;
            items.retain(|_| at.next().is_none_or(|at: usize| gone.binary_search(&at).is_err()));
        }
        keep(&mut self.features, gone);
        self.reservoir.cells.iter_mut().for_each(|row| keep(row, gone));
    }

    fn check_target(&self, declared: &[String]) -> Result<(), DataError> {
        let (target, levels) = (self.target.name.clone(), &self.target.levels);
        if self.target.role == Role::Number {
            let value = format_number(self.target.moments.low);
            return if self.target.varies() { Ok(()) } else { Err(DataError::ConstantTarget { target, value }) };
        }
        let classes = levels.ordered();
        if !declared.is_empty() {
            let indices = classes.iter().map(|&class| levels.values[class]);
            let whole = self.target.text || !indices.eq((0..declared.len()).map(|index| index as f64));
            return if whole { Err(DataError::ClassesChanged { target, classes: declared.len() }) } else { Ok(()) };
        }
        let fractions = levels.values.iter().any(|value| value.fract() != 0.0);
        if !self.target.text && classes.len() > MANY_CLASSES && (fractions || classes.len() * 3 > self.rows) {
            return Err(DataError::Continuous { target, distinct: classes.len(), rows: self.rows });
        }
        if let [class] = classes[..] {
            return Err(DataError::SingleClass { target, class: short(&levels.names[class]) });
        }
        match classes.iter().find(|&&class| levels.counts[class] < 2) {
            Some(&singleton) => Err(DataError::SingletonClass { target, class: short(&levels.names[singleton]) }),
            None => Ok(()),
        }
    }
}

fn check_finite(column: &ColumnSurvey, data: &ColumnData, before: usize) -> Result<(), DataError> {
    let (ColumnData::Numeric(values) | ColumnData::Dates(values)) = data else { return Ok(()) };
    match values.iter().position(|value| value.is_infinite()) {
        Some(row) => {
            let (column, value) = (column.name.clone(), values[row].to_string());
            Err(DataError::NotFinite { column, row: before + row + 1, value })
        }
        None => Ok(()),
    }
}
