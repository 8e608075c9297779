//! Data problems of columns: constant, repeated, identifiers, row numbers, copies of the target, extreme outliers, and
//! numbers read as categories because of a few texts.

use super::DataError;
use super::dataset::{Feature, FeatureValues, Missing};
use super::identifier::{ENOUGH_ROWS, Identity, identity, is_unique};
use super::sentinel::sentinel;
use super::table::format_number;
use super::target::{Target, Task};
use crate::warning::Warning;
use rayon::prelude::*;
use std::collections::HashMap;

/// A column has extreme outliers if its range is this many times its interquartile range: min-max scaling then flattens
/// it.
const OUTLIER_FACTOR: f64 = 1e4;
/// Classes below this share are reported as rare.
pub(crate) const RARE_CLASS: f64 = 0.01;
/// More permutations of whole numbers than this are ranks: a table rarely has several row numbers.
const MOST_PERMUTATIONS: usize = 2;

/// Data problems of the features, by feature index.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Suspicions {
    /// Features with a single value.
    pub constant: Vec<usize>,
    /// Sets of features that are equal in every row.
    pub duplicates: Vec<Vec<usize>>,
    /// Features that look like row identifiers.
    pub identifiers: Vec<usize>,
    /// The first column of the file if it has no name there and a different value in every row.
    pub index: Vec<usize>,
    /// Features that are row numbers.
    pub row_numbers: Vec<usize>,
    /// Features with the name of an identifier but repeated values: they may identify groups of rows.
    pub named_like_identifiers: Vec<usize>,
    /// Features that are one-to-one with the classes or, for regression, a linear function of the target, in tables of
    /// at least 20 rows.
    pub copies_of_target: Vec<usize>,
    /// Numeric features in which the ranges of the classes do not overlap.
    pub perfect_separators: Vec<usize>,
    /// Numeric features with extreme outliers.
    pub outliers: Vec<usize>,
    /// Categorical features most of whose cells are numbers.
    pub mostly_numbers: Vec<usize>,
    /// Numeric features with a number, such as -999, that may stand for missing values.
    pub sentinels: Vec<(usize, f64)>,
}

struct Findings {
    constant: bool,
    identity: Option<Identity>,
    copy: bool,
    separator: bool,
    outlier: bool,
    stray: bool,
    sentinel: Option<f64>,
    hash: u64,
}

/// Examines every feature. `indices` are the row numbers in the whole table if the rows are a sample of it.
pub(crate) fn inspect(
    features: &[Feature],
    target: &Target,
    missing: Missing,
    indices: Option<&[u64]>,
) -> Result<Suspicions, DataError> {
    let one = |feature: &Feature| examine(feature, target, missing, indices);
    // Outside of a pool of the caller, rayon would start threads that do not survive a fork of the process.
    let mut findings: Vec<Findings> = match rayon::current_thread_index() {
        Some(_) => features.par_iter().map(one).collect(),
        None => features.iter().map(one).collect(),
    };
    let is_permutation = |finding: &Findings| finding.identity == Some(Identity::Permutation);
    let ranks = findings.iter().filter(|finding| is_permutation(finding)).count() > MOST_PERMUTATIONS;
    for finding in findings.iter_mut().filter(|finding| is_permutation(finding)) {
        finding.identity = (!ranks).then_some(Identity::Identifier);
    }
    let at = |test: fn(&Findings) -> bool| -> Vec<usize> {
        findings.iter().enumerate().filter(|(_, finding)| test(finding)).map(|(at, _)| at).collect()
    };
    let constant = at(|finding| finding.constant);
    if constant.len() == features.len() {
        return Err(DataError::NothingVaries);
    }
    Ok(Suspicions {
        duplicates: duplicates(features, &findings),
        constant,
        identifiers: at(|finding| finding.identity == Some(Identity::Identifier)),
        index: Vec::new(),
        row_numbers: at(|finding| finding.identity == Some(Identity::RowNumber)),
        named_like_identifiers: at(|finding| finding.identity == Some(Identity::NameOnly)),
        copies_of_target: at(|finding| finding.copy),
        perfect_separators: at(|finding| finding.separator && !finding.copy),
        outliers: at(|finding| finding.outlier),
        mostly_numbers: at(|finding| finding.stray),
        sentinels: findings.iter().enumerate().filter_map(|(at, finding)| Some((at, finding.sentinel?))).collect(),
    })
}

fn examine(feature: &Feature, target: &Target, missing: Missing, indices: Option<&[u64]>) -> Findings {
    let keys: Vec<u64> = match &feature.values {
        FeatureValues::Numeric(values) => values.iter().map(|&value| key(value)).collect(),
        FeatureValues::Categorical { codes, .. } => codes.iter().map(|&code| u64::from(code)).collect(),
    };
    // Missing values that become a category are values.
    let counts = missing == Missing::Fill && matches!(feature.values, FeatureValues::Categorical { .. });
    let mut present = (0..keys.len()).filter(|&row| counts || !feature.values.is_missing(row)).map(|row| keys[row]);
    let first = present.next();
    let constant = present.all(|key| Some(key) == first);
    let (separator, outlier) = match &feature.values {
        FeatureValues::Numeric(values) => (
            !constant
                && target.task() == Task::Classification
                && values.len() >= ENOUGH_ROWS
                && separates(values, target),
            !constant && flattened(values),
        ),
        FeatureValues::Categorical { .. } => (false, false),
    };
    let stray = feature.values.stray_text().is_some();
    Findings {
        constant,
        identity: if constant { None } else { identity(feature, indices, stray) },
        copy: !constant
            && match (target.numbers(), &feature.values) {
                (None, _) => keys.len() >= ENOUGH_ROWS && is_copy(&keys, target),
                (Some(numbers), FeatureValues::Numeric(values)) => is_linear(values, numbers),
                (Some(_), FeatureValues::Categorical { .. }) => false,
            },
        separator,
        outlier,
        stray,
        sentinel: match &feature.values {
            FeatureValues::Numeric(values) if !constant => sentinel(values),
            FeatureValues::Numeric(_) | FeatureValues::Categorical { .. } => None,
        },
        hash: hash(&keys),
    }
}

/// Equal for equal numbers: zero and minus zero are equal, and so are all missing values.
fn key(value: f64) -> u64 {
    let value = if value.is_nan() { f64::NAN } else { value + 0.0 };
    value.to_bits()
}

/// Whether two columns are linear functions of each other, to ten digits.
fn is_linear(values: &[f64], numbers: &[f64]) -> bool {
    let centred = |values: &[f64]| -> Vec<f64> {
        // Scaled by the largest size, so that no square overflows.
        let most = values.iter().fold(0.0, |most: f64, value| most.max(value.abs())).max(f64::MIN_POSITIVE);
        let mean = values.iter().map(|value| value / most).sum::<f64>() / values.len() as f64;
        values.iter().map(|value| value / most - mean).collect()
    };
    let (a, b) = (centred(values), centred(numbers));
    let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    // False for missing values.
    values.len() >= ENOUGH_ROWS && sum(&a, &b).powi(2) >= (1.0 - 1e-10) * sum(&a, &a) * sum(&b, &b)
}

/// One value for each class and one class for each value.
fn is_copy(keys: &[u64], target: &Target) -> bool {
    let mut class_of: HashMap<u64, u32> = HashMap::new();
    for (&key, &class) in keys.iter().zip(target.codes()) {
        if *class_of.entry(key).or_insert(class) != class || class_of.len() > target.classes().len() {
            return false;
        }
    }
    class_of.len() == target.classes().len()
}

/// Whether the ranges of the classes do not overlap.
fn separates(values: &[f64], target: &Target) -> bool {
    let mut ranges = vec![(f64::INFINITY, f64::NEG_INFINITY); target.classes().len()];
    for (&value, &class) in values.iter().zip(target.codes()) {
        let range = &mut ranges[class as usize];
        *range = (range.0.min(value), range.1.max(value));
    }
    ranges.sort_by(|a, b| a.0.total_cmp(&b.0));
    ranges.iter().all(|range| range.0 <= range.1) && ranges.windows(2).all(|pair| pair[0].1 < pair[1].0)
}

fn flattened(values: &[f64]) -> bool {
    let mut present: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let quarter = present.len() / 4;
    if present.len() < ENOUGH_ROWS {
        return false;
    }
    let low = *present.select_nth_unstable_by(quarter, f64::total_cmp).1;
    let last = present.len() - 1 - quarter;
    let high = *present.select_nth_unstable_by(last, f64::total_cmp).1;
    let (min, max) = present.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |r, &v| (r.0.min(v), r.1.max(v)));
    // Halved, because the difference of two large numbers may overflow.
    let (middle, full) = (high / 2.0 - low / 2.0, max / 2.0 - min / 2.0);
    middle > 0.0 && full > OUTLIER_FACTOR * middle
}

/// FNV-1a over the words; equal columns are compared in full afterwards.
fn hash(keys: &[u64]) -> u64 {
    keys.iter().fold(0xcbf2_9ce4_8422_2325, |hash, key| (hash ^ key).wrapping_mul(0x0100_0000_01b3).rotate_left(29))
}

fn duplicates(features: &[Feature], findings: &[Findings]) -> Vec<Vec<usize>> {
    let mut by_hash: HashMap<u64, Vec<Vec<usize>>> = HashMap::new();
    for (at, finding) in findings.iter().enumerate().filter(|(_, finding)| !finding.constant) {
        let sets = by_hash.entry(finding.hash).or_default();
        match sets.iter_mut().find(|set| equal(&features[set[0]].values, &features[at].values)) {
            Some(set) => set.push(at),
            None => sets.push(vec![at]),
        }
    }
    let mut sets: Vec<Vec<usize>> = by_hash.into_values().flatten().filter(|set| set.len() > 1).collect();
    sets.sort();
    sets
}

fn equal(a: &FeatureValues, b: &FeatureValues) -> bool {
    match (a, b) {
        (FeatureValues::Numeric(a), FeatureValues::Numeric(b)) => {
            a.iter().zip(b).all(|(a, b)| a == b || (a.is_nan() && b.is_nan()))
        }
        (FeatureValues::Categorical { codes: a, .. }, FeatureValues::Categorical { codes: b, .. }) => a == b,
        _ => false,
    }
}

impl FeatureValues {
    /// The first text among categories of which most cells are numbers.
    fn stray_text(&self) -> Option<&str> {
        let Self::Categorical { levels, codes } = self else { return None };
        let is_text: Vec<bool> = levels.iter().map(|level| level.parse::<f64>().is_err()).collect();
        let example = levels.iter().zip(&is_text).find(|(_, is_text)| **is_text)?.0;
        let present = || codes.iter().filter_map(|&code| is_text.get(code as usize));
        let (cells, present) = (present().filter(|is_text| **is_text).count(), present().count());
        (2 * cells < present).then_some(example)
    }
}

impl Suspicions {
    /// The same data problems after removing the features at `removed` (ascending).
    pub(crate) fn without(&self, removed: &[usize]) -> Self {
        let left = |at: &[usize]| -> Vec<usize> {
            let stays = at.iter().filter(|at| removed.binary_search(at).is_err());
            stays.map(|&at| at - removed.partition_point(|&removed| removed < at)).collect()
        };
        let sets = self.duplicates.iter().map(|set| left(set)).filter(|set| set.len() > 1);
        Self {
            constant: left(&self.constant),
            duplicates: sets.collect(),
            identifiers: left(&self.identifiers),
            index: left(&self.index),
            row_numbers: left(&self.row_numbers),
            named_like_identifiers: left(&self.named_like_identifiers),
            copies_of_target: left(&self.copies_of_target),
            perfect_separators: left(&self.perfect_separators),
            outliers: left(&self.outliers),
            mostly_numbers: left(&self.mostly_numbers),
            sentinels: self
                .sentinels
                .iter()
                .flat_map(|&(at, value)| left(&[at]).into_iter().map(move |at| (at, value)))
                .collect(),
        }
    }

    /// Records the feature of this name as an index if each row has a value of its own.
    pub(crate) fn with_index(mut self, features: &[Feature], hint: Option<&str>) -> Self {
        let is_index = |feature: &Feature| Some(feature.name.as_str()) == hint && is_unique(feature);
        self.index = features.iter().position(is_index).into_iter().collect();
        self
    }

    /// One warning per kind of problem.
    pub fn warnings(&self, features: &[Feature], target: &Target) -> Vec<Warning> {
        let names = |at: &[usize]| at.iter().map(|&at| features[at].name.clone()).collect::<Vec<_>>();
        let mut warnings = Vec::new();
        let mut add = |at: &[usize], warning: &dyn Fn(Vec<String>) -> Warning| {
            warnings.extend((!at.is_empty()).then(|| warning(names(at))));
        };
        add(&self.copies_of_target, &|columns| {
            let (target, regression) = (target.name().to_owned(), target.task() == Task::Regression);
            Warning::CopyOfTarget { columns, target, regression }
        });
        add(&self.perfect_separators, &|columns| Warning::SeparateRanges { columns });
        add(&self.identifiers, &|columns| Warning::Identifiers { columns });
        add(&self.row_numbers, &|columns| Warning::RowNumbers { columns });
        add(&self.named_like_identifiers, &|columns| Warning::NamedLikeIdentifiers { columns });
        add(&self.constant, &|columns| Warning::Constant { columns });
        let equal: Vec<usize> = self.duplicates.concat();
        add(&equal, &|_| Warning::Equal { sets: self.duplicates.iter().map(|set| names(set)).collect() });
        add(&self.outliers, &|columns| Warning::ExtremeValues { columns });
        let sentinels: Vec<usize> = self.sentinels.iter().map(|&(at, _)| at).collect();
        add(&sentinels, &|columns| {
            let values = self.sentinels.iter().map(|&(_, value)| format_number(value));
            Warning::Sentinels { columns: columns.into_iter().zip(values).collect() }
        });
        add(&self.mostly_numbers, &|columns| {
            let first = &features[self.mostly_numbers[0]];
            Warning::TextsAmongNumbers { columns, example: first.values.stray_text().unwrap_or_default().to_owned() }
        });
        let (counts, rows) = (target.counts(), target.codes().len());
        let rare =
            target.classes().iter().zip(&counts).filter(|(_, count)| (**count as f64) < RARE_CLASS * rows as f64);
        let classes: Vec<(String, usize)> = rare.map(|(class, &count)| (class.clone(), count)).collect();
        if !classes.is_empty() {
            warnings.push(Warning::RareClasses { classes, rows });
        }
        warnings
    }
}
