//! Columns that are excluded from the features because they identify rows or repeat the target.

use super::dataset::Feature;
use super::suspicion::Suspicions;
use super::target::Target;
use crate::warning::Warning;
use serde::{Deserialize, Serialize};

/// A column that is excluded from the features, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExcludedColumn {
    /// The name of the column.
    pub feature: String,
    /// The reason.
    pub reason: ExclusionReason,
}

/// Reason for excluding a column from the features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExclusionReason {
    /// Values identify single rows.
    Identifier,
    /// The first column, without a name, holds a different value in every row.
    Index,
    /// Values are row numbers.
    RowNumber,
    /// One-to-one with the target.
    CopyOfTarget,
    /// No value.
    Empty,
}

/// Columns that remain features although they look like identifiers, row numbers or copies of the target.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum KeepSuspicious {
    /// No column.
    #[default]
    None,
    /// The columns with these names.
    Named(Vec<String>),
    /// All columns.
    All,
}

impl KeepSuspicious {
    /// Names listed by [`KeepSuspicious::Named`].
    pub(crate) fn names(&self) -> &[String] {
        match self {
            Self::Named(names) => names,
            Self::None | Self::All => &[],
        }
    }

    /// Keeps these columns too.
    pub(crate) fn with(&self, names: &[String]) -> Self {
        match self {
            Self::All => Self::All,
            Self::None | Self::Named(_) => Self::Named([self.names(), names].concat()),
        }
    }

    fn keeps(&self, name: &str) -> bool {
        match self {
            Self::None => false,
            Self::Named(names) => names.iter().any(|kept| kept == name),
            Self::All => true,
        }
    }
}

impl ExclusionReason {
    /// The reason as text, in the plural.
    pub(crate) fn plural(self) -> &'static str {
        match self {
            Self::Identifier => "row identifiers",
            Self::Index => "index of the rows",
            Self::RowNumber => "row numbers",
            Self::CopyOfTarget => "copies of the target",
            Self::Empty => "columns without values",
        }
    }

    /// The reason as text, in the singular.
    pub fn text(self) -> &'static str {
        match self {
            Self::Identifier => "row identifier",
            Self::Index => "index of the rows",
            Self::RowNumber => "row number",
            Self::CopyOfTarget => "copy of the target",
            Self::Empty => "column without values",
        }
    }
}

/// Indices of the features to exclude, with reasons, except those in `keep`. If no varying feature would remain, none
/// is excluded and a warning is returned.
pub(crate) fn choose(
    features: &[Feature],
    suspicions: &Suspicions,
    keep: &KeepSuspicious,
) -> (Vec<(usize, ExclusionReason)>, Option<Warning>) {
    let reasons = [
        // A column is reported once, for its most serious problem.
        (&suspicions.copies_of_target, ExclusionReason::CopyOfTarget),
        (&suspicions.index, ExclusionReason::Index),
        (&suspicions.row_numbers, ExclusionReason::RowNumber),
        (&suspicions.identifiers, ExclusionReason::Identifier),
    ];
    let mut chosen: Vec<(usize, ExclusionReason)> = Vec::new();
    for (found, reason) in reasons {
        for &at in found.iter().filter(|&&at| !keep.keeps(&features[at].name)) {
            if !chosen.iter().any(|&(other, _)| other == at) {
                chosen.push((at, reason));
            }
        }
    }
    chosen.sort_unstable();
    let mut left = vec![true; features.len()];
    chosen.iter().map(|&(at, _)| at).chain(suspicions.constant.iter().copied()).for_each(|at| left[at] = false);
    if chosen.is_empty() || left.contains(&true) {
        return (chosen, None);
    }
    let columns = chosen.iter().map(|&(at, _)| features[at].name.clone()).collect();
    (Vec::new(), Some(Warning::SuspiciousKept { columns }))
}

/// One warning for each reason.
pub(crate) fn warnings(excluded: &[ExcludedColumn], target: &Target) -> Vec<Warning> {
    let of = |reason: ExclusionReason| {
        let columns: Vec<String> =
            excluded.iter().filter(|one| one.reason == reason).map(|one| one.feature.clone()).collect();
        let target = (reason == ExclusionReason::CopyOfTarget).then(|| target.name().to_owned());
        (!columns.is_empty()).then_some(Warning::ExcludedColumns { reason, columns, target })
    };
    use ExclusionReason::{CopyOfTarget, Empty, Identifier, Index, RowNumber};
    [CopyOfTarget, Index, RowNumber, Identifier, Empty].into_iter().filter_map(of).collect()
}
