//! Specification of a run: data, splits and options. It is saved with the results, and both together give the record; runs with
//! equal specifications have equal results. JSON names never change, because the key of a run is a hash of the specification.

use super::options::Protocol;
use super::result::Task;
use super::{Estimator, EvaluateError, EvaluateOptions, Spread};
use crate::splits::{Plan, Split, splits};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rulesieve::Warning;
use rulesieve::data::{CategoricalCoding, Dataset, FeatureValues, Target};
use rulesieve::methods::settings::Settings;
use rulesieve::select::{Size, Value};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Format of results, increased when equal data and options give different results. Runs of another format are not resumed.
pub const FORMAT: u32 = 2;

/// The baseline that selects all features.
pub const ALL: &str = "all features";
/// The baseline that ranks features in random order.
pub const RANDOM: &str = "random features";

/// The target value of every row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Truth {
    /// Classes.
    Classes {
        /// Their names.
        names: Vec<String>,
        /// The class of every row.
        codes: Vec<u32>,
    },
    /// Numbers.
    Numbers(Vec<f64>),
}

impl Truth {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::Classes { codes, .. } => codes.len(),
            Self::Numbers(numbers) => numbers.len(),
        }
    }
}

/// Parameters of a method by name.
pub type Params = BTreeMap<String, Value>;

/// Specification of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunSpec {
    /// [`FORMAT`] of the program that started the run; files of version 0.1 may not contain it.
    #[serde(default = "first_format")]
    pub format: u32,
    /// Version of that program, which is not part of the key.
    pub version: String,
    /// SHA-256 of the names, values and target as read.
    pub data: String,
    /// The target.
    pub target: String,
    /// Names of the features.
    pub features: Vec<String>,
    /// The target values, shuffled if requested.
    pub truth: Truth,
    /// The protocol.
    pub protocol: Protocol,
    /// Description of the splits.
    #[serde(rename = "splits_in_words")]
    pub splits_label: String,
    /// Test rows of every split.
    pub tests: Vec<Vec<usize>>,
    /// Training rows of every split, unless they are all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trains: Option<Vec<Vec<usize>>>,
    /// SHA-256 of the groups of all rows, or of their times and the window, if rows are grouped or in the order of time.
    pub groups: Option<String>,
    /// Whether the predictions of all splits are scored together, because each split has a single test row.
    #[serde(rename = "together")]
    pub pooled: bool,
    /// Maximum number of inner folds.
    pub inner: Option<usize>,
    /// Description of the size; part of the key.
    pub size: String,
    /// Coding of categorical features.
    pub coding: CategoricalCoding,
    /// The estimator that scores the held-out rows.
    #[serde(rename = "judge")]
    pub estimator: Estimator,
    /// Maximum number of training rows of the estimator and the inner folds; all if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimator_rows: Option<usize>,
    /// The methods and the settings to choose from.
    pub methods: Vec<(String, Vec<Params>)>,
    /// Whether curves are computed.
    pub curve: bool,
    /// Number of subsamples on which stability is measured.
    #[serde(rename = "halves")]
    pub subsamples: usize,
    /// Whether labels are shuffled.
    pub permuted: bool,
    /// Whether all features and random features are evaluated too.
    #[serde(default = "default_true", skip_serializing_if = "is_true")]
    pub baselines: bool,
    /// The random seed.
    pub seed: u64,
    /// Warnings about the data, which are not part of the key.
    #[serde(alias = "notices")]
    pub warnings: Vec<Warning>,
}

impl RunSpec {
    /// Creates the specification, and the data with shuffled labels if requested.
    pub(super) fn new(data: &Dataset, options: &EvaluateOptions) -> Result<(Self, Option<Dataset>), EvaluateError> {
        options.check(data)?;
        let digest = digest(data);
        let shuffled = options.permute.then(|| shuffled(data, options.seed));
        let data = shuffled.as_ref().unwrap_or(data);
        let outer = splits(&options.plan, &strata(data), options.seed)?;
        let target = &data.target;
        let spec = Self {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            data: digest,
            target: target.name().to_owned(),
            features: data.features.iter().map(|feature| feature.name.clone()).collect(),
            truth: match target {
                Target::Numbers { values, .. } => Truth::Numbers(values.clone()),
                Target::Classes { classes, codes, .. } => {
                    Truth::Classes { names: classes.clone(), codes: codes.clone() }
                }
            },
            protocol: options.protocol,
            splits_label: splits_label(&options.plan),
            warnings: data.warnings.iter().cloned().chain(single_groups(&outer, options)).collect(),
            groups: groups(options),
            trains: matches!(options.plan, Plan::Time { .. })
                .then(|| outer.iter().map(|split| split.train.clone()).collect()),
            tests: outer.iter().map(|split| split.test.clone()).collect(),
            pooled: outer.iter().all(|split| split.test.len() == 1),
            inner: options.inner_folds(),
            size: size_label(options),
            coding: data.coding,
            estimator: options.estimator.clone(),
            estimator_rows: effective_rows(options, &outer),
            methods: options
                .candidates
                .iter()
                .map(|one| (one.method.info().name.to_owned(), one.points.iter().map(params).collect()))
                .collect(),
            curve: options.curve,
            subsamples: options.subsamples,
            permuted: options.permute,
            baselines: options.baselines,
            seed: options.seed,
        };
        Ok((spec, shuffled))
    }

    /// Returns the SHA-256 of the format, the data and the options, which identifies a run in all versions of the program.
    pub fn key(&self) -> String {
        let key = Key {
            format: self.format,
            data: &self.data,
            target: &self.target,
            features: &self.features,
            truth: &self.truth,
            protocol: self.protocol,
            tests: &self.tests,
            trains: self.trains.as_deref(),
            groups: self.groups.as_deref(),
            inner: self.inner,
            size: &self.size,
            coding: self.coding,
            judge: &self.estimator,
            estimator_rows: self.estimator_rows,
            methods: &self.methods,
            curve: self.curve,
            halves: self.subsamples,
            permuted: self.permuted,
            baselines: self.baselines,
            seed: self.seed,
        };
        // Maps, lists, texts and numbers can always be serialized.
        hex(&Sha256::digest(serde_json::to_vec(&key).unwrap_or_default()))
    }

    /// Returns the key of the same run with other settings of a method; all parts of a grid have the same.
    pub fn key_with(&self, method: &str, settings: &[Settings]) -> String {
        let methods = vec![(method.to_owned(), settings.iter().map(params).collect())];
        Self { methods, ..self.clone() }.key()
    }

    /// Returns the mean over the splits and the deviation of the protocol.
    pub(super) fn spread(&self, values: impl Iterator<Item = f64> + Clone) -> Spread {
        if self.protocol.is_as_run() { Spread::of_population(values) } else { Spread::of(values) }
    }

    /// Returns a split with its training rows.
    pub(super) fn split(&self, number: usize) -> Split {
        let test = self.tests[number].clone();
        if let Some(trains) = &self.trains {
            return Split { train: trains[number].clone(), test };
        }
        let mut left_out = vec![false; self.truth.rows()];
        test.iter().for_each(|&row| left_out[row] = true);
        Split { train: (0..left_out.len()).filter(|&row| !left_out[row]).collect(), test }
    }

    /// Returns the number of training rows of a split.
    pub(super) fn train_rows(&self, number: usize) -> usize {
        let others = self.truth.rows() - self.tests[number].len();
        self.trains.as_ref().map_or(others, |trains| trains[number].len())
    }

    /// Returns all tasks.
    pub(crate) fn tasks(&self) -> Vec<Task> {
        super::work::tasks(self)
    }

    /// Returns the names of methods and baselines, methods first.
    pub fn rankers(&self) -> Vec<&str> {
        let baselines: &[&str] = if self.baselines { &[ALL, RANDOM] } else { &[] };
        self.methods.iter().map(|(name, _)| name.as_str()).chain(baselines.iter().copied()).collect()
    }
}

/// Fields that identify a run. Their names and order, and the serde names of their types, must not change, because saved runs could
/// not be resumed.
#[derive(Serialize)]
struct Key<'a> {
    format: u32,
    data: &'a str,
    target: &'a str,
    features: &'a [String],
    truth: &'a Truth,
    protocol: Protocol,
    tests: &'a [Vec<usize>],
    #[serde(skip_serializing_if = "Option::is_none")]
    trains: Option<&'a [Vec<usize>]>,
    groups: Option<&'a str>,
    inner: Option<usize>,
    size: &'a str,
    coding: CategoricalCoding,
    judge: &'a Estimator,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimator_rows: Option<usize>,
    methods: &'a [(String, Vec<Params>)],
    curve: bool,
    halves: usize,
    permuted: bool,
    baselines: bool,
    seed: u64,
}

/// Returns the limit of the training rows of the estimator if any split has more.
fn effective_rows(options: &EvaluateOptions, outer: &[Split]) -> Option<usize> {
    options.estimator_rows.filter(|&most| outer.iter().any(|split| split.train.len() > most))
}

fn first_format() -> u32 {
    1
}

/// The default of [`RunSpec::baselines`].
fn default_true() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "signature required by serde")]
fn is_true(value: &bool) -> bool {
    *value
}

fn groups(options: &EvaluateOptions) -> Option<String> {
    let (Plan::Groups { groups, .. } | Plan::Time { times: groups, .. }) = &options.plan else { return None };
    let mut hash = Sha256::new();
    groups.iter().for_each(|group| hash.update(group.to_le_bytes()));
    // The training rows of inner folds depend on the window even if those of the splits do not.
    if let Plan::Time { window: Some(window), .. } = &options.plan {
        hash.update((*window as u64).to_le_bytes());
    }
    Some(hex(&hash.finalize()))
}

/// Returns a warning if inner folds have to divide training rows of a single group.
fn single_groups(outer: &[Split], options: &EvaluateOptions) -> Option<Warning> {
    let Plan::Groups { groups, .. } = &options.plan else { return None };
    let is_single = |split: &&Split| split.train.iter().all(|&row| groups[row] == groups[split.train[0]]);
    let parts = outer.iter().filter(is_single).count();
    let divided = options.inner_folds().is_some() && parts > 0;
    divided.then_some(Warning::SingleGroups { parts })
}

fn params(settings: &Settings) -> Params {
    settings.iter().map(|(name, value)| (name.to_owned(), value.into())).collect()
}

/// Returns the classes for the stratification of folds; a single one for regression.
pub(super) fn strata(data: &Dataset) -> Vec<u32> {
    match &data.target {
        Target::Numbers { values, .. } => vec![0; values.len()],
        Target::Classes { codes, .. } => codes.clone(),
    }
}

fn shuffled(data: &Dataset, seed: u64) -> Dataset {
    let mut copy = data.clone();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Not a stream of the folds.
    rng.set_stream(u64::MAX);
    match &mut copy.target {
        Target::Numbers { values, .. } => values.shuffle(&mut rng),
        Target::Classes { codes, .. } => codes.shuffle(&mut rng),
    }
    copy
}

fn splits_label(plan: &Plan) -> String {
    match plan {
        Plan::Folds { folds, repeats: 0 | 1 } => format!("{folds} folds"),
        Plan::Folds { folds, repeats } => format!("{folds} folds, {repeats} times"),
        Plan::ScikitFolds { folds, seed } => format!("{folds} folds of scikit-learn (random_state={seed})"),
        Plan::Groups { folds, .. } => format!("{folds} folds of groups"),
        Plan::LeaveOneOut => "leave one out".to_owned(),
        Plan::Time { folds, window: None, .. } => format!("{folds} folds in the order of time"),
        Plan::Time { folds, window: Some(window), .. } => {
            format!("{folds} folds in the order of time, trained on the {window} blocks before")
        }
    }
}

fn size_label(options: &EvaluateOptions) -> String {
    match options.given_size() {
        None | Some(Size::Auto) => "chosen inside".to_owned(),
        Some(Size::Top(count)) => format!("top {count}"),
        Some(Size::Fraction(share)) => format!("{share} of all"),
        Some(Size::Native) => "as the method's own rule keeps".to_owned(),
        Some(Size::Rule(rule)) => rule.to_string(),
    }
}

/// Returns the SHA-256 of names, values and target, independent of the file format; see [`RunSpec::data`].
pub fn digest(data: &Dataset) -> String {
    let mut hash = Sha256::new();
    let mut text = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    text(data.target.name());
    data.target.classes().iter().for_each(|class| text(class));
    for feature in &data.features {
        text(&feature.name);
        if let FeatureValues::Categorical { levels, .. } = &feature.values {
            levels.iter().for_each(|level| text(level));
        }
    }
    let mut numbers = |numbers: &[f64]| numbers.iter().for_each(|number| hash.update(number.to_le_bytes()));
    numbers(data.target.numbers().unwrap_or_default());
    for feature in &data.features {
        if let FeatureValues::Numeric(values) = &feature.values {
            numbers(values);
        }
    }
    let mut codes = |codes: &[u32]| codes.iter().for_each(|code| hash.update(code.to_le_bytes()));
    codes(data.target.codes());
    for feature in &data.features {
        if let FeatureValues::Categorical { codes: own, .. } = &feature.values {
            codes(own);
        }
    }
    hex(&hash.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
