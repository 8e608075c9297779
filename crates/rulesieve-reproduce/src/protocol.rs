//! Protocols: the evaluation options for all data sets (`data/protocols`).

use crate::ReproduceError;
use rulesieve::methods::{self, Method, settings::Settings};
use rulesieve::select::Size;
use rulesieve_eval::evaluate::{
    Candidate, ClassOrder, Estimator, EvaluateOptions, KernelKind, PlanOptions, Protocol, defaults, grid,
};
use rulesieve_eval::svm::Gamma;
use serde::Deserialize;

/// The file of a protocol.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProtocolFile {
    /// The version of the format.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// Its description.
    pub about: String,
    /// How settings are chosen.
    pub protocol: Protocol,
    /// The random seed.
    pub seed: u64,
    /// Number of folds.
    pub folds: usize,
    /// Number of inner folds.
    pub inner: usize,
    /// Costs of the SVM.
    pub costs: Vec<f64>,
    /// Maximum number of settings per method: the defaults, and random ones.
    pub points: usize,
    /// Methods whose complete grid is used.
    pub whole_grid: Vec<String>,
    /// Methods with fewer settings on some data sets, to limit the time.
    #[serde(default)]
    pub thinned: Vec<Thinned>,
    /// Number of settings that are evaluated and saved together.
    pub part: usize,
    /// Whether the methods choose the number of features by their own rule, instead of a third.
    #[serde(default)]
    pub native: bool,
    /// Data sets whose classes the SVM numbers by their first rows, as the original files do, instead of by their names.
    #[serde(default)]
    pub by_appearance: Vec<String>,
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
    /// Maximum number of settings.
    pub points: usize,
}

/// The built-in files.
const FILES: [(&str, &str); 4] = [
    ("protocols/paper.json", include_str!("../data/protocols/paper.json")),
    ("protocols/paper-native.json", include_str!("../data/protocols/paper-native.json")),
    ("protocols/nested.json", include_str!("../data/protocols/nested.json")),
    ("protocols/paper-as-run.json", include_str!("../data/protocols/paper-as-run.json")),
];

/// Returns the built-in protocols.
///
/// # Errors
/// Fails if a built-in file cannot be read.
pub fn protocols() -> Result<Vec<ProtocolFile>, ReproduceError> {
    let read = |(file, text): &(&'static str, &str)| {
        serde_json::from_str(text).map_err(|error| ReproduceError::Embedded { file, error })
    };
    FILES.iter().map(read).collect()
}

/// The method whose batch also evaluates the baselines.
pub const WITH_BASELINES: &str = "variance";

/// Some settings of one method, evaluated together.
#[derive(Clone)]
pub struct Batch {
    /// The method.
    pub method: String,
    /// The part of its settings, and the number of parts.
    pub part: (usize, usize),
    /// The settings of all parts.
    pub grid: Vec<Settings>,
    /// The options of the evaluation.
    pub options: EvaluateOptions,
}

impl ProtocolFile {
    /// Returns the methods, or the requested ones; with `native`, only those with their own rule.
    pub fn methods(&self, requested: &[String]) -> Vec<String> {
        match requested {
            [] => self.methods.clone(),
            requested => requested.iter().filter(|name| !self.native || self.methods.contains(name)).cloned().collect(),
        }
    }

    /// Returns the methods in the order of evaluation; the first one also evaluates the baselines.
    pub fn order(&self, requested: &[String]) -> Vec<String> {
        // The baselines have no rule of their own.
        let first = (!self.native).then(|| WITH_BASELINES.to_owned());
        first.into_iter().chain(self.methods(requested).into_iter().filter(|name| name != WITH_BASELINES)).collect()
    }

    /// Returns the batches of a method on a data set. `points` replaces the protocol's limit of settings.
    ///
    /// # Errors
    /// Fails for an unknown method or invalid parameters.
    pub fn batches(&self, name: &str, set: &str, points: Option<usize>) -> Result<Vec<Batch>, ReproduceError> {
        let method = name.parse::<Method>()?;
        let whole = self.whole_grid.iter().any(|one| one == name);
        let thinned = self.thinned.iter().find(|one| one.method == name && one.data.iter().any(|data| data == set));
        let own = thinned.map(|one| one.points).or((!whole).then_some(self.points));
        let limit = points.or(own);
        let fault = |error: methods::settings::ParamError| ReproduceError::Grid { name: name.to_owned(), error };
        let settings = grid::points(method, &[], &[], limit, self.seed).map_err(fault)?;
        let together = if self.protocol == Protocol::Nested { settings.len() } else { self.part.max(1) };
        let parts: Vec<_> = settings.chunks(together).map(<[_]>::to_vec).collect();
        let batch = |(at, part): (usize, &Vec<_>)| Batch {
            method: name.to_owned(),
            part: (at, parts.len()),
            grid: settings.clone(),
            options: self.options(Candidate { method, points: part.clone() }, set, name == WITH_BASELINES),
        };
        Ok(parts.iter().enumerate().map(batch).collect())
    }

    fn options(&self, candidate: Candidate, set: &str, baselines: bool) -> EvaluateOptions {
        EvaluateOptions {
            protocol: self.protocol,
            candidates: vec![candidate],
            size: Some(if self.native { Size::Native } else { Size::THIRD }),
            plan: PlanOptions { folds: Some(self.folds), ..PlanOptions::default() }.plan(self.protocol, false, 0),
            inner: self.inner,
            estimator: Estimator::Svm {
                kernel: KernelKind::Rbf,
                gamma: Gamma::Scale,
                costs: self.costs.clone(),
                max_iter: defaults::max_iter(self.protocol),
                class_order: match self.by_appearance.iter().any(|one| one == set) {
                    true => ClassOrder::Appearance,
                    false => ClassOrder::Alphabetical,
                },
            },
            estimator_rows: None,
            curve: false,
            subsamples: 0,
            permute: false,
            baselines,
            seed: self.seed,
        }
    }
}
