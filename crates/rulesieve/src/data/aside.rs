//! Columns that are left out of the features because they identify rows or repeat the target.

use super::dataset::Feature;
use super::suspicion::Suspicions;
use super::target::Target;
use crate::warning::Warning;
use serde::{Deserialize, Serialize};

/// A column that was left out of the features, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetAside {
    /// The name of the column.
    pub feature: String,
    /// Why it was left out.
    pub reason: SetAsideReason,
}

/// Why a column was left out of the features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SetAsideReason {
    /// Its values name single rows.
    Identifier,
    /// Its values count the rows.
    RowNumber,
    /// It is the target in other words.
    CopyOfTarget,
}

/// Columns that stay features although they look like identifiers, row numbers or copies of the target.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum KeepSuspicious {
    /// None.
    #[default]
    None,
    /// Those with these names.
    Named(Vec<String>),
    /// All.
    All,
}

impl KeepSuspicious {
    /// The names of single columns that are kept.
    pub(crate) fn names(&self) -> &[String] {
        match self {
            Self::Named(names) => names,
            Self::None | Self::All => &[],
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

impl SetAsideReason {
    /// The reason in words, of one column.
    pub fn text(self) -> &'static str {
        match self {
            Self::Identifier => "row identifier",
            Self::RowNumber => "row number",
            Self::CopyOfTarget => "copy of the target",
        }
    }
}

/// Which features to set aside, by index, with the reason; none of those to be kept. Where no feature that varies would be
/// left, all stay, and the second value says so.
pub(crate) fn choose(
    features: &[Feature],
    suspicions: &Suspicions,
    keep: &KeepSuspicious,
) -> (Vec<(usize, SetAsideReason)>, Option<Warning>) {
    let reasons = [
        // A copy of the target that also numbers the rows is more dangerous as a copy.
        (&suspicions.copies_of_target, SetAsideReason::CopyOfTarget),
        (&suspicions.row_numbers, SetAsideReason::RowNumber),
        (&suspicions.identifiers, SetAsideReason::Identifier),
    ];
    let mut chosen: Vec<(usize, SetAsideReason)> = Vec::new();
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
pub(crate) fn warnings(set_aside: &[SetAside], target: &Target) -> Vec<Warning> {
    let of = |reason: SetAsideReason| {
        let columns: Vec<String> =
            set_aside.iter().filter(|one| one.reason == reason).map(|one| one.feature.clone()).collect();
        let target = (reason == SetAsideReason::CopyOfTarget).then(|| target.name().to_owned());
        (!columns.is_empty()).then_some(Warning::SetAside { reason, columns, target })
    };
    [SetAsideReason::CopyOfTarget, SetAsideReason::RowNumber, SetAsideReason::Identifier]
        .into_iter()
        .filter_map(of)
        .collect()
}
