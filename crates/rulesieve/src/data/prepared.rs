//! From a table as read to a target and candidate features: chosen columns, with the parts of dates.

use super::choice::choose;
use super::dataset::DatasetOptions;
use super::dates::{DateColumn, DateParts, DateRanges, part_names};
use super::table::{Column, ColumnData, Table};
use super::{DataError, KeepSuspicious};
use std::collections::HashSet;

/// Which columns of a table are used, and how.
#[derive(Debug, Clone)]
pub(crate) struct Roles {
    target: String,
    /// Whether the target holds dates.
    pub(crate) dated: bool,
    /// Columns that are read.
    used: HashSet<String>,
    /// Parts of dates that are dropped.
    dropped_parts: HashSet<String>,
    /// The options with the names of columns after [`Roles::apply`], and nothing left to drop.
    pub(crate) options: DatasetOptions,
}

/// The date columns of a table.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dates(Vec<DateParts>);

impl Roles {
    /// Finds the columns that the options name.
    pub(crate) fn new(table: &Table, options: &DatasetOptions) -> Result<Self, DataError> {
        let target = table.columns()[table.target_position(options.target.column.as_deref())?].name.clone();
        let chosen = |wanted: &[String], role| choose(table, &target, wanted, role);
        let drop: HashSet<String> = chosen(&options.drop, "dropped")?.into_iter().collect();
        let id = chosen(&options.id, "an identifier")?;
        let include = chosen(&options.include, "a feature")?;
        let categorical = chosen(&options.categorical, "categorical")?;
        let keep_suspicious = chosen(options.keep_suspicious.names(), "kept")?;
        let only: HashSet<String> =
            chosen(&options.keep, "a feature")?.into_iter().chain(include.iter().cloned()).collect();
        if let Some(name) = include.iter().find(|name| drop.contains(*name) || id.contains(name)) {
            return Err(DataError::IncludedAndExcluded { column: name.clone() });
        }
        let is_date = |name: &String| {
            table.position(name).is_some_and(|at| matches!(table.columns()[at].data, ColumnData::Dates(_)))
        };
        let with_parts = |names: Vec<String>| -> Vec<String> {
            names
                .into_iter()
                .flat_map(|name| if is_date(&name) { part_names(&name).collect() } else { vec![name] })
                .collect()
        };
        let is_kept = |name: &String| {
            options.keep.is_empty()
                || only.contains(name)
                || (is_date(name) && part_names(name).any(|part| only.contains(&part)))
        };
        let names = table.columns().iter().map(|column| &column.name);
        let used =
            names.filter(|name| **name == target || (!drop.contains(*name) && !id.contains(name) && is_kept(name)));
        let used: HashSet<String> = used.cloned().collect();
        // A date column of which only some parts are kept.
        let parts =
            used.iter().filter(|name| is_date(name)).flat_map(|name| part_names(name).map(move |part| (name, part)));
        let dropped_parts = parts
            .filter(|(name, part)| {
                drop.contains(part) || !(options.keep.is_empty() || only.contains(*name) || only.contains(part))
            })
            .map(|(_, part)| part)
            .collect();
        let mut resolved = options.clone();
        resolved.target.column = Some(target.clone());
        (resolved.drop, resolved.keep, resolved.id) = (Vec::new(), Vec::new(), id);
        resolved.categorical = with_parts(categorical);
        resolved.include = with_parts(include);
        if let KeepSuspicious::Named(names) = &mut resolved.keep_suspicious {
            *names = with_parts(keep_suspicious);
        }
        let dated = is_date(&target);
        Ok(Self { target, dated, used, dropped_parts, options: resolved })
    }

    /// The date columns among the features of a table.
    pub(crate) fn date_columns<'a>(&self, table: &'a Table) -> Vec<(&'a str, &'a [f64])> {
        let features = table.columns().iter().filter(|column| self.is_feature(&column.name));
        let date = |column: &'a Column| match &column.data {
            ColumnData::Dates(seconds) => Some((column.name.as_str(), seconds.as_slice())),
            ColumnData::Numeric(_) | ColumnData::Text(_) => None,
        };
        features.filter_map(date).collect()
    }

    fn is_feature(&self, name: &str) -> bool {
        name != self.target && self.used.contains(name)
    }

    /// The target and the features, with dates as their parts.
    pub(crate) fn apply(&self, table: Table, dates: &Dates) -> Result<Table, DataError> {
        let info = Table::default().described_by(&table);
        let mut columns = Vec::with_capacity(table.columns().len());
        for column in table.into_columns().into_iter().filter(|column| self.used.contains(&column.name)) {
            match column.data {
                // As a target, days.
                ColumnData::Dates(seconds) if column.name == self.target => {
                    let days = seconds.iter().map(|time| time / 86_400.0).collect();
                    columns.push(Column::numeric(column.name, days));
                }
                ColumnData::Dates(seconds) => {
                    let parts = dates.0.iter().find(|parts| parts.date.column == column.name);
                    let parts = parts.map(|parts| parts.columns(&seconds)).unwrap_or_default();
                    columns.extend(parts.into_iter().filter(|part| !self.dropped_parts.contains(&part.name)));
                }
                _ => columns.push(column),
            }
        }
        let mut table = Table::new(columns)?.described_by(&info);
        table.reading.dates.retain(|name, _| self.used.contains(name));
        table.warnings.retain_mut(|warning| warning.keep_columns(|name| self.used.contains(name)));
        Ok(table)
    }
}

impl Dates {
    /// The date columns of a whole table.
    pub(crate) fn of(roles: &Roles, table: &Table) -> Self {
        let mut ranges = Vec::new();
        Self::add(&mut ranges, roles, table);
        Self::finish(&ranges)
    }

    /// Extends the ranges by a piece of a table.
    pub(crate) fn add(ranges: &mut Vec<DateRanges>, roles: &Roles, piece: &Table) {
        let columns = roles.date_columns(piece);
        if ranges.is_empty() {
            ranges.extend(columns.iter().map(|(name, _)| DateRanges::new(name)));
        }
        ranges.iter_mut().zip(columns).for_each(|(ranges, (_, seconds))| ranges.add(seconds));
    }

    pub(crate) fn finish(ranges: &[DateRanges]) -> Self {
        Self(ranges.iter().map(DateRanges::finish).collect())
    }

    /// The first days, as saved with a selection or a model.
    pub(crate) fn columns(&self) -> Vec<DateColumn> {
        self.0.iter().map(|parts| parts.date.clone()).collect()
    }
}
