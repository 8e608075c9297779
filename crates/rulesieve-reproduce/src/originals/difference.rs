//! Differences between data and the manifest. The manifest contains only a hash of the values, so messages cannot name different
//! values.

use super::recipe::Recipe;
use crate::manifest::DataSet;
use rulesieve::data::Dataset;
use rulesieve_eval::evaluate::digest;
use rulesieve_io::shown;
use std::collections::BTreeSet;

/// Maximum number of names in a message.
const MAX_NAMES: usize = 4;

/// Describes all differences; empty if the data agree with the manifest.
pub(super) fn differences(set: &DataSet, recipe: &Recipe, data: &Dataset) -> Vec<String> {
    if digest(data) == set.sha256 {
        return Vec::new();
    }
    let mut all = Vec::new();
    let mut count = |found: usize, expected: usize, what: &str| {
        if found != expected {
            all.push(format!("{found} {what} instead of {expected}"));
        }
    };
    count(data.samples(), set.samples, "rows");
    count(data.features.len(), set.features, "columns of features");
    count(data.features.iter().map(|feature| feature.values.missing()).sum(), set.missing, "missing cells");
    all.extend(names(set, recipe, data));
    all.extend(classes(set, recipe, data));
    if all.is_empty() {
        all.push(
            "other values: shape, names and classes agree, cells or the order of rows or columns do not".to_owned(),
        );
    }
    all
}

fn names(set: &DataSet, recipe: &Recipe, data: &Dataset) -> Vec<String> {
    let expected: BTreeSet<String> = recipe.names(set.features).into_iter().collect();
    let found: BTreeSet<String> = data.features.iter().map(|feature| feature.name.clone()).collect();
    let mut all = Vec::new();
    all.extend(listed("no column", expected.difference(&found)));
    all.extend(listed("unknown column", found.difference(&expected)));
    all
}

fn classes(set: &DataSet, recipe: &Recipe, data: &Dataset) -> Vec<String> {
    let (found, counts) = (data.target.classes(), data.target.counts());
    let mut all = Vec::new();
    all.extend(listed("no class", recipe.classes.keys().filter(|class| !found.contains(class))));
    all.extend(listed("unknown class", found.iter().filter(|class| !recipe.classes.contains_key(*class))));
    // A different number of rows is reported already.
    if all.is_empty() && data.samples() == set.samples {
        let differs = |(class, count): &(&String, &usize)| recipe.classes.get(*class) != Some(*count);
        let describe = |(class, count): (&String, &usize)| {
            format!("{count} rows of class '{}' instead of {}", shown(class), recipe.classes.get(class).unwrap_or(&0))
        };
        all.extend(found.iter().zip(&counts).filter(differs).take(MAX_NAMES).map(describe));
    }
    all
}

fn listed<'a>(what: &str, names: impl Iterator<Item = &'a String>) -> Option<String> {
    let names: Vec<String> = names.map(|name| format!("'{}'", shown(name))).collect();
    let more = names.len().saturating_sub(MAX_NAMES);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    let listed = names.get(..MAX_NAMES).unwrap_or(&names).join(", ");
    (!names.is_empty()).then(|| format!("{what} {listed}{rest}"))
}
