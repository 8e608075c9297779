//! A protocol: everything that is the same for all data sets (`experiments/protocols`).

use crate::ReproduceError;
use rulesieve::data::CategoricalCoding;
use rulesieve::methods::{self, settings::Settings};
use rulesieve::select::Size;
use rulesieve_eval::evaluate::{Contender, EvaluateOptions, Judge, KernelKind, Protocol, grid};
use rulesieve_eval::splits::Plan;
use rulesieve_eval::svm::Gamma;
use serde::Deserialize;

/// A protocol, as it stands in its file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProtocolFile {
    /// The version of the format.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// What it does, in a sentence.
    pub about: String,
    /// How settings are chosen.
    pub protocol: Protocol,
    /// The seed of everything random.
    pub seed: u64,
    /// Folds.
    pub folds: usize,
    /// Folds inside every training part.
    pub inner: usize,
    /// Costs of the SVM.
    pub costs: Vec<f64>,
    /// Settings of a method, at most; the defaults are among them, others are drawn.
    pub points: usize,
    /// Methods whose whole grid is tried.
    pub whole_grid: Vec<String>,
    /// Where a method has fewer settings, because all of them would take too long.
    #[serde(default)]
    pub thinned: Vec<Thinned>,
    /// Settings that are judged and kept together.
    pub part: usize,
    /// Whether each of the methods keeps as many features as its own rule does, instead of a third.
    #[serde(default)]
    pub native: bool,
    /// The methods.
    pub methods: Vec<String>,
}

/// Fewer settings of a method on some data sets.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thinned {
    /// The method.
    pub method: String,
    /// The data sets.
    pub data: Vec<String>,
    /// Settings at most.
    pub points: usize,
}

/// Files that are part of the program.
const FILES: [(&str, &str); 3] = [
    ("protocols/paper.json", include_str!("../../../experiments/protocols/paper.json")),
    ("protocols/paper-native.json", include_str!("../../../experiments/protocols/paper-native.json")),
    ("protocols/nested.json", include_str!("../../../experiments/protocols/nested.json")),
];

/// The protocols that are part of the program.
///
/// # Errors
/// A file that cannot be read.
pub fn protocols() -> Result<Vec<ProtocolFile>, ReproduceError> {
    let read = |(file, text): &(&'static str, &str)| {
        serde_json::from_str(text).map_err(|error| ReproduceError::Embedded { file, error })
    };
    FILES.iter().map(read).collect()
}

/// The method whose contest also judges the baselines, which stand beside all others.
pub const BESIDE: &str = "variance";

/// A contest: some settings of one method, judged together.
#[derive(Clone)]
pub struct Contest {
    /// The method.
    pub method: String,
    /// Which part of its settings, and of how many.
    pub part: (usize, usize),
    /// The settings of all parts together.
    pub grid: Vec<Settings>,
    /// How it is judged.
    pub options: EvaluateOptions,
}

impl ProtocolFile {
    /// Those of its methods, or any that were asked for; only its own where they need a rule of their own.
    pub fn methods(&self, asked: &[String]) -> Vec<String> {
        match asked {
            [] => self.methods.clone(),
            asked => asked.iter().filter(|name| !self.native || self.methods.contains(name)).cloned().collect(),
        }
    }

    /// Methods in the order of their contests: first the one whose contest also judges the baselines.
    pub fn order(&self, asked: &[String]) -> Vec<String> {
        // What stands beside has no rule of its own.
        let first = (!self.native).then(|| BESIDE.to_owned());
        first.into_iter().chain(self.methods(asked).into_iter().filter(|name| name != BESIDE)).collect()
    }

    /// The contests of a method on a data set, its grid in parts. A limit takes the place of what the protocol says of its
    /// settings.
    ///
    /// # Errors
    /// A method that does not exist.
    pub fn contests(&self, name: &str, set: &str, points: Option<usize>) -> Result<Vec<Contest>, ReproduceError> {
        let method = methods::find(name).ok_or_else(|| ReproduceError::NoMethod { name: name.to_owned() })?;
        let whole = self.whole_grid.iter().any(|one| one == name);
        let thinned = self.thinned.iter().find(|one| one.method == name && one.data.iter().any(|data| data == set));
        let own = thinned.map(|one| one.points).or((!whole).then_some(self.points));
        let limit = points.or(own);
        let fault = |error: methods::settings::ParamError| ReproduceError::Grid { name: name.to_owned(), error };
        let settings = grid::points(method, &[], &[], limit, self.seed).map_err(fault)?;
        let together = if self.protocol == Protocol::Nested { settings.len() } else { self.part.max(1) };
        let parts: Vec<_> = settings.chunks(together).map(<[_]>::to_vec).collect();
        let contest = |(at, part): (usize, &Vec<_>)| Contest {
            method: name.to_owned(),
            part: (at, parts.len()),
            grid: settings.clone(),
            options: self.options(Contender { method, points: part.clone() }, name == BESIDE),
        };
        Ok(parts.iter().enumerate().map(contest).collect())
    }

    fn options(&self, contender: Contender, baselines: bool) -> EvaluateOptions {
        EvaluateOptions {
            protocol: self.protocol,
            contenders: vec![contender],
            size: Some(if self.native { Size::Native } else { Size::THIRD }),
            // The paper counts 20 features of German and 36 of kr-vs-kp: it numbered categories.
            coding: CategoricalCoding::Ordinal,
            plan: Plan::Folds { folds: self.folds, repeats: 1 },
            inner: self.inner,
            judge: Judge::Svm { kernel: KernelKind::Rbf, gamma: Gamma::Scale, costs: self.costs.clone() },
            curve: false,
            halves: 0,
            permute: false,
            baselines,
            seed: self.seed,
        }
    }
}
