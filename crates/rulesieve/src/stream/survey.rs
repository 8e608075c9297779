//! The first pass: statistics of all rows, and a sample of them.

use super::column::{ColumnSurvey, Role};
use super::order::RowOrder;
use super::prepared::PreparedRows;
use super::reservoir::Reservoir;
use super::{RowSource, StreamError};
use crate::data::names::short;
use crate::data::table::format_number;
use crate::data::{
    CategoricalCoding, ColumnData, DataError, DatasetOptions, DateColumn, ExcludedColumn, ExclusionReason,
    InferredTask, MANY_CLASSES, MAX_LEVELS, Missing, Reading, Table, Task, TaskReason, at_end, early, is_first_part,
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
    /// Number of rows without a target.
    unlabelled: usize,
    pub(super) reservoir: Reservoir,
    pub(super) warnings: Vec<Warning>,
    pub(super) index_hint: Option<String>,
    pub(super) reading: Reading,
    /// Columns that must be read as texts.
    pub(super) texts: Vec<String>,
    order: RowOrder,
    limit: usize,
    pub(super) missing: Missing,
    pub(super) coding: CategoricalCoding,
    /// Whether the task is to be inferred.
    infers: bool,
    /// The task that the target suggests instead of classification: the pass must be repeated.
    regression: Option<InferredTask>,
    /// The task that was inferred.
    pub(super) inferred: Option<InferredTask>,
    /// Columns without values.
    pub(super) excluded: Vec<ExcludedColumn>,
}

/// Reads all rows.
pub(super) fn survey(source: &PreparedRows<'_>, options: &DatasetOptions, seed: u64) -> Result<Survey, StreamError> {
    let (mut texts, mut inferred) = (Vec::new(), None);
    loop {
        let survey = pass(source, options, &texts, inferred.clone(), seed)?;
        if let Some(task) = survey.regression() {
            inferred = Some(task);
            continue;
        }
        let turned: Vec<String> = survey.turned().map(|column| column.name.clone()).collect();
        if turned.is_empty() {
            return survey.checked(texts, options, &source.date_columns());
        }
        if turned.iter().any(|name| texts.contains(name)) {
            return Err(StreamError::Changed { what: format!("column '{}' has other cells", short(&turned[0])) });
        }
        if survey.target.turned {
            inferred = None;
        }
        texts.extend(turned);
    }
}

/// Reads all rows, unless the target turns out to be a regression target. `texts` are columns to be read as texts.
fn pass(
    source: &dyn RowSource,
    options: &DatasetOptions,
    texts: &[String],
    inferred: Option<InferredTask>,
    seed: u64,
) -> Result<Survey, StreamError> {
    let mut survey: Option<Survey> = None;
    for piece in source.pieces(texts).map_err(StreamError::Source)? {
        let piece = piece.map_err(StreamError::Source)?;
        match &mut survey {
            Some(survey) => survey.add(piece)?,
            None => survey.insert(Survey::begin(&piece, options, inferred.clone(), seed)?).add(piece)?,
        }
        if survey.as_ref().is_some_and(|survey| survey.regression.is_some()) {
            break;
        }
    }
    survey.ok_or(StreamError::Data(DataError::NoRows))
}

impl Survey {
    fn begin(
        first: &Table,
        options: &DatasetOptions,
        inferred: Option<InferredTask>,
        seed: u64,
    ) -> Result<Self, StreamError> {
        let target_at = first.target_position(options.target.column.as_deref())?;
        let target = &first.columns()[target_at];
        let task = options.target.task.or(inferred.as_ref().map(InferredTask::task));
        let role = match (task, &target.data) {
            (None | Some(Task::Classification), _) => Role::Target,
            (Some(Task::Regression), ColumnData::Numeric(_) | ColumnData::Dates(_)) => Role::Number,
            (Some(Task::Regression), ColumnData::Text(_)) => {
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
            unlabelled: 0,
            warnings: first.warnings.clone(),
            index_hint: first.index_hint.clone(),
            reading: first.reading.clone(),
            texts: Vec::new(),
            order: RowOrder::default(),
            limit: if options.coding == CategoricalCoding::OneHot { MAX_LEVELS } else { MAX_ORDINAL_LEVELS },
            missing: options.missing,
            coding: options.coding,
            infers: task.is_none() && options.target.classes.is_empty(),
            regression: None,
            inferred,
            excluded: Vec::new(),
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
        let labelled = |row: &usize| !target[*row].is_nan();
        let kept: Vec<usize> = match self.missing {
            Missing::Error => (0..rows).collect(),
            Missing::Fill | Missing::Median => (0..rows).filter(labelled).collect(),
            Missing::DropRows => (0..rows).filter(|row| labelled(row) && complete(row)).collect(),
        };
        self.unlabelled += (0..rows).filter(|row| !labelled(row)).count();
        if let Some(&row) = kept.iter().find(|&&row| target[row].is_nan()) {
            let row = self.all_rows + row + 1;
            return Err(DataError::MissingLabel { target: self.target.name.clone(), row: row.into() }.into());
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
        if self.infers && !self.target.text {
            let levels = &self.target.levels;
            let fraction = levels.values.iter().any(|value| value.fract() != 0.0);
            let reason = early(levels.names.len(), fraction);
            self.regression = reason.map(|reason| InferredTask::new(&self.target.name, reason));
            if self.regression.is_some() {
                return Ok(());
            }
        }
        self.check_levels()
    }

    /// The task of a target that is read as classes, if it is regression.
    fn regression(&self) -> Option<InferredTask> {
        let at_end = || {
            let reason = self.reason_at_end()?;
            let task = InferredTask::new(&self.target.name, reason);
            (task.task() == Task::Regression).then_some(task)
        };
        self.regression.clone().or_else(at_end)
    }

    /// The reason for the task of a numeric target after the last row.
    fn reason_at_end(&self) -> Option<TaskReason> {
        let levels = &self.target.levels;
        let counts = levels.values.iter().copied().zip(levels.counts.iter().copied()).filter(|&(_, count)| count > 0);
        (self.infers && !self.target.text && !self.target.turned).then(|| at_end(&counts.collect::<Vec<_>>()))
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
    fn checked(
        mut self,
        texts: Vec<String>,
        options: &DatasetOptions,
        dates: &[DateColumn],
    ) -> Result<Self, StreamError> {
        self.texts = texts;
        if let Some(reason) = self.reason_at_end() {
            self.inferred = Some(InferredTask::new(&self.target.name, reason));
        }
        self.set_empty_aside()?;
        if self.unlabelled == self.all_rows {
            return Err(DataError::EmptyTarget { target: self.target.name }.into());
        }
        if self.rows == 0 {
            return Err(DataError::NoCompleteRows.into());
        }
        let (rows, labelled) = (self.all_rows, self.all_rows - self.unlabelled);
        if self.unlabelled > 0 {
            let (dropped, target) = (self.unlabelled, self.target.name.clone());
            self.warnings.push(Warning::RowsWithoutTarget { dropped, rows, target });
        }
        if self.rows < labelled {
            self.warnings.push(Warning::IncompleteRows { dropped: labelled - self.rows, rows });
        }
        if self.missing == Missing::Fill {
            let mut counts = is_first_part(dates);
            let features = self.features.iter().filter(|column| counts(&column.name));
            let missing = features.map(|column| self.rows - column.present()).filter(|&missing| missing > 0);
            let (values, columns) = missing.fold((0, 0), |(values, columns), missing| (values + missing, columns + 1));
            self.warnings.extend((values > 0).then_some(Warning::MissingFilled { values, columns }));
        }
        if options.target.classes.is_empty() {
            self.drop_single_rows()?;
        }
        self.check_target(&options.target.classes)?;
        let gaps: Vec<&ColumnSurvey> = self.features.iter().filter(|column| column.missing > 0).collect();
        let first = gaps.iter().min_by_key(|column| column.first_missing);
        if let (Missing::Error, Some(first)) = (self.missing, first) {
            return Err(StreamError::Data(DataError::Missing {
                column: first.name.clone(),
                row: (first.first_missing.unwrap_or(0) + 1).into(),
                missing: gaps.iter().map(|column| column.missing).sum(),
                columns: gaps.len(),
            }));
        }
        if !self.features.iter().any(|column| self.varies(column)) {
            return Err(DataError::NothingVaries.into());
        }
        if self.order.is_sorted(&self.target) {
            self.warnings.push(Warning::SortedRows { regression: self.target.role == Role::Number });
        }
        Ok(self)
    }

    /// Sets columns without values aside, or rejects them.
    fn set_empty_aside(&mut self) -> Result<(), DataError> {
        let empty: Vec<usize> =
            (0..self.features.len()).filter(|&at| self.features[at].missing == self.all_rows).collect();
        let names = empty.iter().map(|&at| self.features[at].name.clone());
        match self.missing {
            Missing::Error => names.take(1).try_for_each(|column| Err(DataError::Empty { column })),
            _ if empty.len() == self.features.len() => Err(DataError::NoFeatures { target: self.target.name.clone() }),
            _ => {
                self.excluded =
                    names.map(|feature| ExcludedColumn { feature, reason: ExclusionReason::Empty }).collect();
                self.remove(&empty);
                Ok(())
            }
        }
    }

    /// Drops classes with a single row.
    fn drop_single_rows(&mut self) -> Result<(), DataError> {
        let levels = &mut self.target.levels;
        let single: Vec<usize> = levels.ordered().into_iter().filter(|&class| levels.counts[class] == 1).collect();
        if self.target.role == Role::Number || single.is_empty() {
            return Ok(());
        }
        if single.len() == self.rows {
            return Err(DataError::NoClassRepeats { target: self.target.name.clone(), classes: single.len() });
        }
        // Later passes leave out rows of unknown classes.
        single.iter().for_each(|&class| levels.counts[class] = 0);
        let classes = single.iter().map(|&class| levels.names[class].clone()).collect();
        self.rows -= single.len();
        self.reservoir.retain(|row| row.last().is_none_or(|&class| levels.counts[class as usize] > 0));
        self.warnings.push(Warning::SingleRowClasses { classes });
        Ok(())
    }

    /// Whether the values of a feature differ; missing values that become a category are values.
    pub(super) fn varies(&self, column: &ColumnSurvey) -> bool {
        let own_category = self.missing == Missing::Fill && column.role == Role::Category && column.missing > 0;
        own_category || column.varies()
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
        if !self.target.text && classes.len() > MANY_CLASSES && classes.len() * 3 > self.rows {
            return Err(DataError::Continuous { target, distinct: classes.len(), rows: self.rows });
        }
        if let [class] = classes[..] {
            return Err(DataError::SingleClass { target, class: short(&levels.names[class]) });
        }
        Ok(())
    }
}

fn check_finite(column: &ColumnSurvey, data: &ColumnData, before: usize) -> Result<(), DataError> {
    let (ColumnData::Numeric(values) | ColumnData::Dates(values)) = data else { return Ok(()) };
    match values.iter().position(|value| value.is_infinite()) {
        Some(row) => {
            let (column, value) = (column.name.clone(), values[row].to_string());
            Err(DataError::NotFinite { column, row: (before + row + 1).into(), value })
        }
        None => Ok(()),
    }
}
