//! Conversion of the cells of a row to centred and scaled columns of the model, with statistics of all rows.

use super::StreamError;
use super::column::Role;
use super::feature::FeaturePlan;
use super::survey::Survey;
use super::target_coding::{self, TargetCoding};
use crate::data::names::short;
use crate::data::{
    ColumnData, DataError, Dataset, DatasetOptions, DateColumn, Encoder, Feature, FeatureValues, MISSING, Missing,
    Suspicions, Table, Target, inspect,
};
use crate::rule_network::samples::Scaling;
use crate::warning::Warning;
use std::collections::HashMap;
use std::ops::Range;

/// Maximum number of entries of a matrix, which is the coded sample.
const MAX_CELLS: usize = 1 << 30;

/// Conversion of rows to columns of the model.
pub(super) struct Plan {
    features: Vec<FeaturePlan>,
    target: (String, usize),
    pub(super) target_coding: TargetCoding,
    pub(super) texts: Vec<String>,
    pub(super) missing: Missing,
}

/// The cells of a piece: for every feature numbers or category indices, NaN if missing; and those of the target.
pub(super) struct Cells {
    features: Vec<Vec<f64>>,
    pub(super) target: Vec<f64>,
}

impl Plan {
    pub(super) fn new(survey: &Survey) -> Result<Self, StreamError> {
        let mut first = 0;
        let mut features = Vec::with_capacity(survey.features.len());
        for (feature, column) in survey.features.iter().enumerate() {
            let sample = survey.reservoir.cells.iter().map(|row| row[feature]).filter(|cell| !cell.is_nan());
            let plan = FeaturePlan::new(column, first, survey.rows, survey.coding, survey.missing, sample.collect())?;
            first = plan.columns.end;
            features.push(plan);
        }
        let rows = survey.reservoir.cells.len();
        if rows.saturating_mul(first) > MAX_CELLS {
            return Err(DataError::TooLarge { rows, columns: first, limit: MAX_CELLS }.into());
        }
        Ok(Self {
            features,
            target: (survey.target.name.clone(), survey.target.at),
            target_coding: TargetCoding::new(&survey.target)?,
            texts: survey.texts.clone(),
            missing: survey.missing,
        })
    }

    /// Number of columns of the model.
    pub(super) fn width(&self) -> usize {
        self.features.last().map_or(0, |feature| feature.columns.end)
    }

    /// The columns of every feature.
    pub(super) fn groups(&self) -> Vec<Range<usize>> {
        self.features.iter().map(|feature| feature.columns.clone()).collect()
    }

    /// Coding and scaling of some features, as saved with a model.
    pub(super) fn coding(&self, features: &[usize]) -> (Encoder, Scaling) {
        let chosen = || features.iter().map(|&at| &self.features[at]);
        let columns = chosen().map(|feature| feature.encoder.clone()).collect();
        let means = chosen().flat_map(|feature| feature.means.iter().copied()).collect();
        let factors = chosen().flat_map(|feature| feature.means.iter().map(|_| feature.factor)).collect();
        (Encoder { columns }, Scaling { means, factors })
    }

    /// The sample as a data set, with all features.
    fn whole_sample(survey: &Survey) -> Dataset {
        let sampled = &survey.reservoir.cells;
        let mut features = Vec::with_capacity(survey.features.len());
        for (at, column) in survey.features.iter().enumerate() {
            let cells = sampled.iter().map(|row| row[at]);
            let values = if column.role == Role::Number {
                FeatureValues::Numeric(cells.collect())
            } else {
                let order = column.levels.ordered();
                let indices = column.levels.indices(&order);
                let code = |cell: f64| if cell.is_nan() { MISSING } else { indices[cell as usize] as u32 };
                let levels = order.iter().map(|&level| column.levels.names[level].clone()).collect();
                FeatureValues::Categorical { levels, codes: cells.map(code).collect() }
            };
            features.push(Feature { name: column.name.clone(), values });
        }
        let target =
            target_coding::sampled(&survey.target, sampled.iter().filter_map(|row| row.last().copied()).collect());
        let suspicions = suspicions(survey, &features, &target).with_index(&features, survey.index_hint.as_deref());
        let mut warnings = survey.warnings.clone();
        if survey.rows > sampled.len() {
            warnings.push(Warning::SampledScores { sample: sampled.len(), rows: survey.rows });
        }
        Dataset {
            features,
            target,
            inferred: survey.inferred.clone(),
            used_rows: None,
            missing: survey.missing,
            coding: survey.coding,
            suspicions,
            excluded: survey.excluded.clone(),
            include: Vec::new(),
            dates: Vec::new(),
            reading: survey.reading.clone(),
            warnings,
        }
    }

    /// The sample as a data set without suspicious columns except those that the options keep; they are removed
    /// from the survey too.
    pub(super) fn sample(survey: &mut Survey, options: &DatasetOptions, dates: Vec<DateColumn>) -> Dataset {
        let mut sample = Self::whole_sample(survey);
        sample.dates = dates;
        let gone = sample.leave_out(options);
        survey.remove(&gone);
        sample
    }

    /// Number of columns that code some features.
    pub(super) fn width_of(&self, features: &[usize]) -> usize {
        features.iter().map(|&feature| self.features[feature].columns.len()).sum()
    }

    /// The cells of a piece.
    pub(super) fn cells(&self, piece: Table) -> Result<Cells, StreamError> {
        let mut columns: Vec<_> = piece.into_columns().into_iter().map(Some).collect();
        let mut take = |at: usize, name: &str| {
            let column = columns.get_mut(at).and_then(Option::take).filter(|column| column.name == name);
            column.map(|column| column.data).ok_or_else(|| changed(name))
        };
        let target = self.target_coding.cells(take(self.target.1, &self.target.0)?);
        let mut features = Vec::with_capacity(self.features.len());
        for feature in &self.features {
            let name = &feature.encoder.name;
            features.push(match (&feature.lookup, take(feature.at, name)?) {
                (Some(lookup), data) => lookup.indices(data),
                (None, ColumnData::Numeric(values) | ColumnData::Dates(values)) => values,
                (None, ColumnData::Text(_)) => return Err(changed(name)),
            });
        }
        Ok(Cells { features, target })
    }

    /// Whether a row is used.
    pub(super) fn counts(&self, cells: &Cells, row: usize) -> bool {
        let complete = || cells.features.iter().all(|column| !column[row].is_nan());
        !cells.target[row].is_nan() && (self.missing != Missing::DropRows || complete())
    }

    /// Writes the columns of some features for a row and returns the cell of the target.
    pub(super) fn write(
        &self,
        features: &[usize],
        cells: &Cells,
        row: usize,
        mut out: &mut [f64],
    ) -> Result<f64, StreamError> {
        for &at in features {
            let feature = &self.features[at];
            let (own, rest) = out.split_at_mut(feature.columns.len());
            feature.write(cells.features[at][row], own);
            out = rest;
        }
        Some(cells.target[row]).filter(|cell| cell.is_finite()).ok_or_else(|| changed(&self.target.0))
    }
}

fn changed(name: &str) -> StreamError {
    StreamError::Changed { what: format!("column '{}' is not what it was", short(name)) }
}

/// Data problems of the sample, with constant and equal columns determined from all rows.
fn suspicions(survey: &Survey, features: &[Feature], target: &Target) -> Suspicions {
    // The sample may be constant although some feature varies among all rows.
    let indices = &survey.reservoir.indices;
    let sampled = (survey.rows > indices.len()).then_some(indices.as_slice());
    let mut found = inspect(features, target, survey.missing, sampled).unwrap_or_default();
    // Later passes read the used columns alone, but must drop the same incomplete rows as the first pass.
    let needed = |at: &usize| !survey.drops_incomplete() || survey.features[*at].missing == 0;
    [&mut found.identifiers, &mut found.row_numbers, &mut found.copies_of_target]
        .into_iter()
        .for_each(|found| found.retain(needed));
    let constant = |at: &usize| !survey.varies(&survey.features[*at]);
    found.constant = (0..features.len()).filter(constant).collect();
    let mut equal = Vec::new();
    for set in std::mem::take(&mut found.duplicates) {
        let mut by_hash: HashMap<u64, Vec<usize>> = HashMap::new();
        set.into_iter().for_each(|at| by_hash.entry(survey.features[at].hash).or_default().push(at));
        equal.extend(by_hash.into_values().filter(|set| set.len() > 1));
    }
    equal.sort();
    found.duplicates = equal;
    found.mostly_numbers.retain(|&at| !survey.features[at].declared);
    found
}
