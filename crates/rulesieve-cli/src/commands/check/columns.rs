//! The columns of a table with their problems.

use super::{Raw, range};
use crate::output::{self, Cell, Head, Table, exact};
use rulesieve::data::{Dataset, Feature, FeatureValues};
use std::collections::{BTreeMap, HashMap};

/// Maximum number of categories listed for a column.
const LISTED: usize = 6;

/// Returns the columns in the order of the file, those with problems first.
pub(super) fn table(raw: &Raw, data: Option<&Dataset>) -> Table {
    let problems = data.map(problems).unwrap_or_default();
    let mut table = Table::new([
        Head::left("column"),
        Head::left("kind"),
        Head::right("missing"),
        Head::left("values").fields(&["min", "max", "categories"]),
        Head::left(if problems.is_empty() { "" } else { "problem" }).fields(&["problem"]),
    ]);
    let features: HashMap<&str, &Feature> =
        data.iter().flat_map(|data| &data.features).map(|feature| (feature.name.as_str(), feature)).collect();
    let of = |name: &str| problems.get(name).map(|problems| problems.join(", ")).unwrap_or_default();
    let (suspicious, others): (Vec<_>, Vec<_>) = raw.columns.iter().partition(|column| !of(&column.name).is_empty());
    for column in suspicious.into_iter().chain(others) {
        let feature = features.get(column.name.as_str());
        let kind = match (feature, data) {
            _ if data.is_some_and(|data| data.target.name() == column.name) => "target",
            (Some(feature), _) if matches!(feature.values, FeatureValues::Categorical { .. }) => "categorical",
            _ => column.kind,
        };
        table.push([
            Cell::name(&column.name),
            kind.into(),
            column.missing.into(),
            feature.map(|feature| values(feature)).unwrap_or_default(),
            of(&column.name).into(),
        ]);
    }
    table
}

/// The range of a numeric feature, or the categories of another.
fn values(feature: &Feature) -> Cell {
    match &feature.values {
        FeatureValues::Numeric(values) => {
            let [low, high] = range(values);
            Cell::new(format!("{} to {}", output::number(low), output::number(high)), [exact(low), exact(high)])
        }
        FeatureValues::Categorical { levels, .. } => {
            let mut shown: Vec<String> = levels.iter().take(LISTED).map(|level| output::shown(level)).collect();
            if levels.len() > LISTED {
                shown.push(format!("... ({})", levels.len()));
            }
            Cell::new(shown.join(", "), [String::new(), String::new(), levels.len().to_string()])
        }
    }
}

/// The problems of each column that has any.
fn problems(data: &Dataset) -> BTreeMap<&str, Vec<&'static str>> {
    let mut problems: BTreeMap<&str, Vec<&'static str>> = BTreeMap::new();
    for excluded in &data.excluded {
        problems.entry(&excluded.feature).or_default().push(excluded.reason.text());
    }
    let found = &data.suspicions;
    let equal: Vec<usize> = found.duplicates.iter().flatten().copied().collect();
    let kinds: [(&[usize], &'static str); 9] = [
        (&found.copies_of_target, "copy of the target"),
        (&found.perfect_separators, "possible leak"),
        (&found.identifiers, "row identifier"),
        (&found.row_numbers, "row number"),
        (&found.named_like_identifiers, "named like an identifier"),
        (&found.constant, "constant"),
        (&equal, "equal to another column"),
        (&found.outliers, "extreme values"),
        (&found.mostly_numbers, "texts among numbers"),
    ];
    for (features, problem) in kinds {
        for &at in features {
            problems.entry(&data.features[at].name).or_default().push(problem);
        }
    }
    problems
}
