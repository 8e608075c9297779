//! A protocol: everything that is the same for all data sets (`experiments/protocols`).

use crate::ReproduceError;
use rulesieve::data::CategoricalCoding;
use rulesieve::methods;
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
    /// Settings that are judged and kept together.
    pub part: usize,
    /// Whether each of the methods keeps as many features as its own rule does, instead of a third.
    #[serde(default)]
    pub native: bool,
    /// The methods.
    pub methods: Vec<String>,
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

/// Whose scores stand beside those of all methods.
const BESIDE: &str = "variance";

/// A contest: some settings of one method, judged together.
#[derive(Clone)]
pub struct Contest {
    /// The method.
    pub method: String,
    /// Which part of its settings, and of how many.
    pub part: (usize, usize),
    /// Settings of all parts together.
    pub settings: usize,
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

    /// The contests of some methods: the baselines first, then method by method, grids in parts. With a limit, no method has more
    /// settings than that, not even one whose whole grid is tried.
    ///
    /// # Errors
    /// A method that does not exist.
    pub fn contests(&self, names: &[String], points: Option<usize>) -> Result<Vec<Contest>, ReproduceError> {
        // What stands beside has no rule of its own.
        let mut contests = if self.native { Vec::new() } else { self.of_method(BESIDE, points)? };
        for name in names.iter().filter(|name| *name != BESIDE) {
            contests.extend(self.of_method(name, points)?);
        }
        Ok(contests)
    }

    fn of_method(&self, name: &str, points: Option<usize>) -> Result<Vec<Contest>, ReproduceError> {
        let method = methods::find(name).ok_or_else(|| ReproduceError::NoMethod { name: name.to_owned() })?;
        let whole = self.whole_grid.iter().any(|one| one == name);
        let limit = points.or((!whole).then_some(self.points));
        let fault = |error: methods::settings::ParamError| ReproduceError::Grid { name: name.to_owned(), error };
        let settings = grid::points(method, &[], &[], limit, self.seed).map_err(fault)?;
        let part = if self.protocol == Protocol::Nested { settings.len() } else { self.part.max(1) };
        let parts: Vec<_> = settings.chunks(part).map(<[_]>::to_vec).collect();
        let contest = |(at, settings): (usize, &Vec<_>)| Contest {
            method: name.to_owned(),
            part: (at, parts.len()),
            settings: parts.iter().map(Vec::len).sum(),
            options: self.options(Contender { method, points: settings.clone() }, name == BESIDE),
        };
        Ok(parts.iter().enumerate().map(contest).collect())
    }

    fn options(&self, contender: Contender, baselines: bool) -> EvaluateOptions {
        EvaluateOptions {
            protocol: self.protocol,
            contenders: vec![contender],
            size: Some(if self.native { Size::Native } else { Size::default() }),
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
