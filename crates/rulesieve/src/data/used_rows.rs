//! The rows of a table that the policy for missing values uses.

use super::DataError;
use super::dataset::{Feature, Missing};
use super::inferred_task::MANY_CLASSES;
use super::table::{Column, ColumnData, is_missing_label};
use crate::warning::Warning;
use std::collections::BTreeSet;

/// The rows with a target, and complete ones if the policy drops others; none if all rows are used.
pub(super) fn complete(
    features: &[Feature],
    target: &Column,
    missing: Missing,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Vec<usize>>, DataError> {
    if missing == Missing::Error {
        return Ok(None);
    }
    let rows = target.len();
    let labelled: Vec<usize> = (0..rows).filter(|&row| !lacks_label(target, row)).collect();
    if labelled.is_empty() {
        return Err(DataError::EmptyTarget { target: target.name.clone() });
    }
    if labelled.len() < rows {
        warnings.push(Warning::RowsWithoutTarget { dropped: rows - labelled.len(), rows, target: target.name.clone() });
    }
    let is_complete = |row: &usize| !features.iter().any(|feature| feature.values.is_missing(*row));
    let kept: Vec<usize> = match missing {
        Missing::DropRows => labelled.iter().copied().filter(is_complete).collect(),
        Missing::Fill | Missing::Median | Missing::Error => labelled.clone(),
    };
    if kept.is_empty() {
        return Err(DataError::NoCompleteRows);
    }
    if kept.len() < labelled.len() {
        warnings.push(Warning::IncompleteRows { dropped: labelled.len() - kept.len(), rows });
        warnings.extend(lost_classes(target, &labelled, &kept));
    }
    Ok((kept.len() < rows).then_some(kept))
}

fn lacks_label(target: &Column, row: usize) -> bool {
    match &target.data {
        ColumnData::Numeric(values) | ColumnData::Dates(values) => values[row].is_nan(),
        ColumnData::Text(text) => is_missing_label(text.get(row)),
    }
}

/// The warning about classes without complete rows.
fn lost_classes(target: &Column, before: &[usize], after: &[usize]) -> Option<Warning> {
    let labels = |rows: &[usize]| rows.iter().map(|&row| target.cell(row)).collect::<BTreeSet<String>>();
    let (before, after) = (labels(before), labels(after));
    let classes: Vec<String> = before.difference(&after).cloned().collect();
    // Nearly every row of a regression target has a value of its own: only classes are reported.
    (!classes.is_empty() && before.len() <= MANY_CLASSES).then_some(Warning::ClassesLost { classes })
}
