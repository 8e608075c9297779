//! Options as keyword arguments of Python. Words are parsed as on the command line.

use super::refused;
use super::remedy::{Fault, refused_in};
use pyo3::prelude::*;
use rulesieve::data::table::format_number;
use rulesieve::data::{CategoricalCoding, DatasetOptions, KeepSuspicious, MissingPolicy};
use rulesieve::methods::{self, Method};
use rulesieve::model::RuleParams;
use rulesieve::select::Size;
use rulesieve_eval::evaluate::{Candidate, EstimatorOptions, EvaluateOptions, Protocol, defaults, grid};
use rulesieve_eval::splits::Plan;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};
use std::collections::BTreeMap;
use std::str::FromStr;

/// Parameters by name, their values as text.
type Set = BTreeMap<String, String>;

/// A record that was saved as JSON.
pub(super) fn read<'a, T: Deserialize<'a>>(text: &'a str) -> PyResult<T> {
    serde_json::from_str(text).map_err(refused)
}

/// The value of an option that is named by one word.
fn word<'a, T: Deserialize<'a>>(option: &str, text: &'a str) -> PyResult<T> {
    let text: StrDeserializer<'a, Error> = text.into_deserializer();
    T::deserialize(text).map_err(|error| refused_in(option, error))
}

/// The value of an option that is given as text.
fn parsed<T: FromStr<Err: Fault>>(option: &str, text: &str) -> PyResult<T> {
    text.parse().map_err(|error| refused_in(option, error))
}

/// How a table is read.
#[pyclass(frozen, module = "rulesieve._engine")]
pub(super) struct DataOptions(pub(super) DatasetOptions);

/// Whether all suspicious columns are kept, or those that are named.
#[derive(FromPyObject)]
enum Keep {
    All(bool),
    Named(Vec<String>),
}

/// A class by its name, or by its number, which is written as in a table that was read.
#[derive(FromPyObject)]
enum ClassName {
    Name(String),
    Number(f64),
}

#[pymethods]
impl DataOptions {
    #[new]
    #[pyo3(signature = (*, target, task, missing, classes, keep_suspicious))]
    fn new(
        target: String,
        task: &str,
        missing: &str,
        classes: Vec<ClassName>,
        keep_suspicious: Keep,
    ) -> PyResult<Self> {
        let name = |class| match class {
            ClassName::Name(name) => name,
            ClassName::Number(number) => format_number(number),
        };
        let keep_suspicious = match keep_suspicious {
            Keep::All(true) => KeepSuspicious::All,
            Keep::All(false) => KeepSuspicious::None,
            Keep::Named(names) => KeepSuspicious::Named(names),
        };
        Ok(Self(DatasetOptions {
            target: Some(target),
            task: word("task", task)?,
            missing: word("missing", missing)?,
            classes: classes.into_iter().map(name).collect(),
            keep_suspicious,
            ..DatasetOptions::default()
        }))
    }
}

pub(super) fn method(name: &str) -> PyResult<&'static dyn Method> {
    let known = || methods::all().iter().map(|method| method.info().name).collect::<Vec<_>>().join(", ");
    methods::find(name).ok_or_else(|| refused(format!("there is no method '{name}'; there are: {}", known())))
}

fn pairs(set: Set) -> Vec<(String, String)> {
    set.into_iter().collect()
}

/// How features are selected.
#[pyclass(frozen, module = "rulesieve._engine")]
pub(super) struct SelectOptions(rulesieve::select::SelectOptions);

#[pymethods]
impl SelectOptions {
    #[new]
    #[pyo3(signature = (*, method, settings, size, coding, groups, seed))]
    fn new(
        method: &str,
        settings: Set,
        size: &str,
        coding: &str,
        groups: Vec<Vec<String>>,
        seed: u64,
    ) -> PyResult<Self> {
        let method = self::method(method)?;
        Ok(Self(rulesieve::select::SelectOptions {
            method,
            settings: method.settings(&pairs(settings)).map_err(refused)?,
            size: parsed("n_features_to_select", size)?,
            coding: word("categorical_coding", coding)?,
            weights: None,
            groups,
            tune: false,
            seed,
        }))
    }
}

impl SelectOptions {
    pub(super) fn with(&self, weights: Option<Vec<f64>>) -> rulesieve::select::SelectOptions {
        rulesieve::select::SelectOptions { weights, ..self.0.clone() }
    }
}

/// How a model is trained.
#[pyclass(frozen, module = "rulesieve._engine")]
pub(super) struct TrainOptions(rulesieve::model::TrainOptions);

#[pymethods]
impl TrainOptions {
    #[new]
    #[pyo3(signature = (*, rule_params, balanced, coding, missing, seed))]
    fn new(rule_params: Set, balanced: bool, coding: &str, missing: &str, seed: u64) -> PyResult<Self> {
        let rules = RuleParams::new(pairs(rule_params)).map_err(refused)?;
        let coding: CategoricalCoding = word("categorical_coding", coding)?;
        let missing: MissingPolicy = word("missing", missing)?;
        Ok(Self(rulesieve::model::TrainOptions { rules, balanced, weights: None, coding, missing, seed }))
    }
}

impl TrainOptions {
    pub(super) fn with(&self, weights: Option<Vec<f64>>) -> rulesieve::model::TrainOptions {
        rulesieve::model::TrainOptions { weights, ..self.0.clone() }
    }
}

/// A method to evaluate, its settings, and the values of parameters to choose from.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct MethodOptions {
    name: String,
    settings: Set,
    grid: BTreeMap<String, Vec<String>>,
}

impl MethodOptions {
    fn candidate(self, points: Option<usize>, seed: u64) -> PyResult<Candidate> {
        let method = method(&self.name)?;
        let axes: Vec<grid::Axis> = self.grid.into_iter().collect();
        let points = grid::points(method, &pairs(self.settings), &axes, points, seed).map_err(refused)?;
        Ok(Candidate { method, points })
    }
}

/// Options of an evaluation as Python passes them. Those that are `None` have the defaults of the command line.
pub(super) struct EvaluateArguments<'a> {
    pub(super) protocol: &'a str,
    pub(super) methods: Vec<MethodOptions>,
    pub(super) points: Option<usize>,
    pub(super) size: Option<&'a str>,
    pub(super) coding: &'a str,
    pub(super) folds: Option<usize>,
    pub(super) repeats: usize,
    pub(super) leave_one_out: bool,
    pub(super) groups: Option<Vec<u32>>,
    pub(super) inner: Option<usize>,
    pub(super) estimator: Option<&'a str>,
    pub(super) kernel: Option<&'a str>,
    pub(super) gamma: Option<&'a str>,
    pub(super) costs: Option<Vec<f64>>,
    pub(super) neighbours: Option<Vec<usize>>,
    pub(super) curve: bool,
    pub(super) subsamples: usize,
    pub(super) permute_labels: bool,
    pub(super) seed: u64,
}

impl EvaluateArguments<'_> {
    pub(super) fn options(self, regression: bool) -> PyResult<EvaluateOptions> {
        let protocol: Protocol = parsed("protocol", self.protocol)?;
        let estimator = EstimatorOptions {
            kind: self.estimator.map(|text| parsed("estimator", text)).transpose()?,
            kernel: self.kernel.map(|text| parsed("kernel", text)).transpose()?,
            gamma: self.gamma.map(|text| parsed("gamma", text)).transpose()?,
            costs: self.costs,
            neighbours: self.neighbours,
        };
        let (folds, points) = (self.folds.unwrap_or(defaults::FOLDS), self.points.or(defaults::points(protocol)));
        let candidates = self.methods.into_iter().map(|one| one.candidate(points, self.seed));
        let options = EvaluateOptions {
            protocol,
            candidates: candidates.collect::<PyResult<_>>()?,
            size: self.size.map(|text| parsed::<Size>("n_features_to_select", text)).transpose()?,
            coding: word("categorical_coding", self.coding)?,
            plan: match self.groups {
                Some(groups) => Plan::Groups { folds, groups },
                None if self.leave_one_out => Plan::LeaveOneOut,
                None => Plan::Folds { folds, repeats: self.repeats },
            },
            inner: self.inner.unwrap_or(defaults::INNER),
            estimator: estimator.estimator(protocol, regression).map_err(refused)?,
            curve: self.curve,
            subsamples: self.subsamples,
            permute: self.permute_labels,
            baselines: true,
            seed: self.seed,
        };
        if self.inner.is_some() {
            options.check_inner().map_err(|error| refused_in("inner", error))?;
        }
        Ok(options)
    }
}
