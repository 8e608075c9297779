//! What all fits of a run have in common: data, splits and wishes. With the outcomes it is all that a table needs, so it is kept in
//! the records; two runs with the same frame give the same outcomes.

use super::options::{Judge, Protocol};
use super::outcome::Task;
use super::{EvaluateError, EvaluateOptions};
use crate::splits::{Plan, Split, splits};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rulesieve::data::{Dataset, FeatureValues};
use rulesieve::methods::settings::Settings;
use rulesieve::select::{Size, Value};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The judge on all features, beside the methods.
pub const ALL: &str = "all features";
/// The judge on features in random order.
pub const RANDOM: &str = "random features";

/// The truth about every row.
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

/// Everything but the outcomes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Version of the program.
    pub version: String,
    /// SHA-256 of the data as it was read: names, values, target.
    pub data: String,
    /// The target.
    pub target: String,
    /// Names of the features.
    pub features: Vec<String>,
    /// The truth, shuffled where that was asked for.
    pub truth: Truth,
    /// The protocol.
    pub protocol: Protocol,
    /// How rows were split, in words.
    pub splits_in_words: String,
    /// Test rows of every split; the others were learned from.
    pub tests: Vec<Vec<usize>>,
    /// SHA-256 of the groups of all rows, where rows are grouped.
    pub groups: Option<String>,
    /// Whether the answers of all splits are judged together: every split has but one.
    pub together: bool,
    /// Folds inside every training part, at most.
    pub inner: Option<usize>,
    /// The size of a selection, in words.
    pub size: String,
    /// How categories became numbers.
    pub coding: String,
    /// Who judges.
    pub judge: Judge,
    /// The methods and the settings that were tried.
    pub methods: Vec<(String, Vec<Params>)>,
    /// Whether curves were measured.
    pub curve: bool,
    /// Halves of the rows on which stability was measured.
    pub halves: usize,
    /// Whether labels were shuffled.
    pub permuted: bool,
    /// Whether all features and random features were judged too.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub baselines: bool,
    /// The seed.
    pub seed: u64,
    /// What the user should know about the data.
    pub notices: Vec<String>,
}

impl Frame {
    /// The frame and the data to learn from, whose labels may be shuffled.
    pub(super) fn new(data: &Dataset, options: &EvaluateOptions) -> Result<(Self, Option<Dataset>), EvaluateError> {
        options.check(data)?;
        let digest = digest(data);
        let shuffled = options.permute.then(|| shuffled(data, options.seed));
        let data = shuffled.as_ref().unwrap_or(data);
        let outer = splits(&options.plan, &strata(data), options.seed)?;
        let target = &data.target;
        let frame = Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            data: digest,
            target: target.name.clone(),
            features: data.features.iter().map(|feature| feature.name.clone()).collect(),
            truth: match &target.numbers {
                Some(numbers) => Truth::Numbers(numbers.clone()),
                None => Truth::Classes { names: target.classes.clone(), codes: target.codes.clone() },
            },
            protocol: options.protocol,
            splits_in_words: in_words(&options.plan),
            notices: data.notices.iter().cloned().chain(lone_groups(&outer, options)).collect(),
            groups: groups(options),
            tests: outer.iter().map(|split| split.test.clone()).collect(),
            together: outer.iter().all(|split| split.test.len() == 1),
            inner: options.inner_folds(),
            size: size_in_words(options),
            coding: format!("{:?}", options.coding),
            judge: options.judge.clone(),
            methods: options
                .contenders
                .iter()
                .map(|one| (one.method.info().name.to_owned(), one.points.iter().map(params).collect()))
                .collect(),
            curve: options.curve,
            halves: options.halves,
            permuted: options.permute,
            baselines: options.baselines,
            seed: options.seed,
        };
        Ok((frame, shuffled))
    }

    /// What tells runs apart: the same for the same data and wishes, in whatever words the user was told about them.
    pub fn key(&self) -> String {
        let asked = Self { notices: Vec::new(), ..self.clone() };
        // A frame is made of plain maps, lists, texts and numbers, which always become JSON.
        hex(&Sha256::digest(serde_json::to_vec(&asked).unwrap_or_default()))
    }

    /// The key of the same run with other settings of a method: what the parts of a grid have in common.
    pub fn key_with(&self, method: &str, settings: &[Settings]) -> String {
        let methods = vec![(method.to_owned(), settings.iter().map(params).collect())];
        Self { methods, ..self.clone() }.key()
    }

    /// A split, its training rows found again.
    pub(super) fn split(&self, number: usize) -> Split {
        let test = self.tests[number].clone();
        let mut left_out = vec![false; self.truth.rows()];
        test.iter().for_each(|&row| left_out[row] = true);
        Split { train: (0..left_out.len()).filter(|&row| !left_out[row]).collect(), test }
    }

    /// All pieces of work.
    pub(crate) fn tasks(&self) -> Vec<Task> {
        super::work::tasks(self)
    }

    /// Names of everything that ranks, methods first.
    pub fn rankers(&self) -> Vec<&str> {
        let beside: &[&str] = if self.baselines { &[ALL, RANDOM] } else { &[] };
        self.methods.iter().map(|(name, _)| name.as_str()).chain(beside.iter().copied()).collect()
    }
}

/// What frames mean that say nothing.
fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_yes(value: &bool) -> bool {
    *value
}

fn groups(options: &EvaluateOptions) -> Option<String> {
    let Plan::Groups { groups, .. } = &options.plan else { return None };
    let mut hash = Sha256::new();
    groups.iter().for_each(|group| hash.update(group.to_le_bytes()));
    Some(hex(&hash.finalize()))
}

/// Training parts of one group, in words: groups cannot be kept apart inside them.
fn lone_groups(outer: &[Split], options: &EvaluateOptions) -> Option<String> {
    let Plan::Groups { groups, .. } = &options.plan else { return None };
    let lone = |split: &&Split| split.train.iter().all(|&row| groups[row] == groups[split.train[0]]);
    let count = outer.iter().filter(lone).count();
    let inside = options.inner_folds().is_some() && count > 0;
    inside.then(|| format!("{count} training parts hold a single group: folds inside them divide it"))
}

fn params(settings: &Settings) -> Params {
    settings.iter().map(|(name, value)| (name.to_owned(), value.into())).collect()
}

/// The classes of rows whose shares folds keep; one for numbers.
pub(super) fn strata(data: &Dataset) -> Vec<u32> {
    if data.target.numbers.is_some() { vec![0; data.samples()] } else { data.target.codes.clone() }
}

fn shuffled(data: &Dataset, seed: u64) -> Dataset {
    let mut copy = data.clone();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Apart from the streams of the folds.
    rng.set_stream(u64::MAX);
    match &mut copy.target.numbers {
        Some(numbers) => numbers.shuffle(&mut rng),
        None => copy.target.codes.shuffle(&mut rng),
    }
    copy
}

fn in_words(plan: &Plan) -> String {
    match plan {
        Plan::Folds { folds, repeats: 0 | 1 } => format!("{folds} folds"),
        Plan::Folds { folds, repeats } => format!("{folds} folds, {repeats} times"),
        Plan::Groups { folds, .. } => format!("{folds} folds of groups"),
        Plan::LeaveOneOut => "leave one out".to_owned(),
    }
}

fn size_in_words(options: &EvaluateOptions) -> String {
    match options.size.or((options.protocol != Protocol::Nested).then_some(Size::THIRD)) {
        None | Some(Size::Auto) => "chosen inside".to_owned(),
        Some(Size::Top(count)) => format!("top {count}"),
        Some(Size::Fraction(share)) => format!("{share} of all"),
        Some(Size::Native) => "as the method's own rule keeps".to_owned(),
        Some(Size::Rule(rule)) => rule.to_string(),
    }
}

/// A hash (SHA-256) of names, values and target as they were read, whatever file they came from: what [`Frame::data`] holds.
pub fn digest(data: &Dataset) -> String {
    let mut hash = Sha256::new();
    let mut text = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    text(&data.target.name);
    data.target.classes.iter().for_each(|class| text(class));
    for feature in &data.features {
        text(&feature.name);
        if let FeatureValues::Categorical { levels, .. } = &feature.values {
            levels.iter().for_each(|level| text(level));
        }
    }
    let mut numbers = |numbers: &[f64]| numbers.iter().for_each(|number| hash.update(number.to_le_bytes()));
    numbers(data.target.numbers.as_deref().unwrap_or_default());
    for feature in &data.features {
        if let FeatureValues::Numeric(values) = &feature.values {
            numbers(values);
        }
    }
    let mut codes = |codes: &[u32]| codes.iter().for_each(|code| hash.update(code.to_le_bytes()));
    codes(&data.target.codes);
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
