//! Options from keyword arguments of Python. Texts are parsed as on the command line.

use super::remedy::{UserError, parameter_error};
use super::value_error;
use pyo3::prelude::*;
use rulesieve::data::table::format_number;
use rulesieve::data::{CategoricalCoding, Dataset, DatasetOptions, KeepSuspicious, Missing, Target, Task};
use rulesieve::methods::Method;
use rulesieve::select::Size;
use rulesieve_eval::evaluate::{Candidate, EstimatorOptions, EvaluateOptions, PlanOptions, Protocol, defaults, grid};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};
use std::collections::BTreeMap;
use std::str::FromStr;

/// Parameters by name, their values as text.
type Set = BTreeMap<String, String>;

/// Reads a record from JSON.
pub(super) fn read<'a, T: Deserialize<'a>>(text: &'a str) -> PyResult<T> {
    serde_json::from_str(text).map_err(value_error)
}

/// Parses an enumerated option.
fn variant<'a, T: Deserialize<'a>>(option: &str, text: &'a str) -> PyResult<T> {
    let text: StrDeserializer<'a, Error> = text.into_deserializer();
    T::deserialize(text).map_err(|error| parameter_error(option, error))
}

/// Parses an option from text.
fn parsed<T: FromStr<Err: UserError>>(option: &str, text: &str) -> PyResult<T> {
    text.parse().map_err(|error| parameter_error(option, error))
}

/// Data options.
#[pyclass(frozen, module = "rulesieve._engine")]
pub(super) struct DataOptions(pub(super) DatasetOptions);

/// The suspicious columns to include: all or none, or some by name.
#[derive(FromPyObject)]
enum Keep {
    All(bool),
    Named(Vec<String>),
}

/// A class by its name, or by a number, which is formatted as in a table.
#[derive(FromPyObject)]
enum ClassName {
    Name(String),
    Number(f64),
}

#[pymethods]
impl DataOptions {
    #[new]
    #[pyo3(signature = (*, target, task, missing, coding, classes, keep_suspicious, include))]
    fn new(
        target: &str,
        task: &str,
        missing: &str,
        coding: &str,
        classes: Vec<ClassName>,
        keep_suspicious: Keep,
        include: Vec<String>,
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
        let target = Target::named(target).known_classes(classes.into_iter().map(name).collect());
        let target = match variant("task", task)? {
            Task::Classification => target.classification(),
            Task::Regression => target.regression(),
        };
        let missing: Missing = variant("missing", missing)?;
        let coding: CategoricalCoding = variant("categorical_coding", coding)?;
        let options = DatasetOptions::new(target).missing(missing).coding(coding);
        Ok(Self(options.keep_suspicious(keep_suspicious).include(include)))
    }
}

pub(super) fn method(name: &str) -> PyResult<Method> {
    name.parse().map_err(value_error)
}

fn pairs(set: Set) -> Vec<(String, String)> {
    set.into_iter().collect()
}

/// Selection options.
#[pyclass(frozen, module = "rulesieve._engine")]
pub(super) struct SelectOptions(rulesieve::select::SelectOptions);

#[pymethods]
impl SelectOptions {
    #[new]
    #[pyo3(signature = (*, method, settings, balance, size, groups, seed))]
    fn new(
        method: &str,
        settings: Set,
        balance: bool,
        size: &str,
        groups: Vec<Vec<String>>,
        seed: u64,
    ) -> PyResult<Self> {
        let method = self::method(method)?;
        let settings = method.settings(&pairs(settings)).map_err(value_error)?;
        let size = parsed("n_features_to_select", size)?;
        let options = rulesieve::select::SelectOptions::new(method).settings(settings).balance(balance).size(size);
        Ok(Self(options.groups(groups).seed(seed)))
    }
}

impl SelectOptions {
    pub(super) fn with(&self, weights: Option<Vec<f64>>) -> rulesieve::select::SelectOptions {
        self.0.clone().weights(weights)
    }
}

/// Training options.
#[pyclass(frozen, module = "rulesieve._engine")]
pub(super) struct TrainOptions(rulesieve::model::TrainOptions);

#[pymethods]
impl TrainOptions {
    #[new]
    #[pyo3(signature = (*, rule_params, balanced, seed))]
    fn new(rule_params: Set, balanced: bool, seed: u64) -> PyResult<Self> {
        let options = rulesieve::model::TrainOptions::new().set(pairs(rule_params)).map_err(value_error)?;
        Ok(Self(options.balanced(balanced).seed(seed)))
    }
}

impl TrainOptions {
    pub(super) fn with(&self, weights: Option<Vec<f64>>) -> rulesieve::model::TrainOptions {
        self.0.clone().weights(weights)
    }
}

/// A method to evaluate, its fixed settings, and its grid.
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
        let points = grid::points(method, &pairs(self.settings), &axes, points, seed).map_err(value_error)?;
        Ok(Candidate { method, points })
    }
}

/// Options of an evaluation, a dict in Python. `None` means the default of the command line.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct EvaluateArguments {
    protocol: String,
    methods: Vec<MethodOptions>,
    points: Option<usize>,
    size: Option<String>,
    folds: Option<usize>,
    repeats: Option<usize>,
    leave_one_out: bool,
    groups: Option<Vec<u32>>,
    times: Option<Vec<u32>>,
    window: Option<usize>,
    thorough: bool,
    /// 0 for all.
    estimator_rows: Option<usize>,
    inner: Option<usize>,
    estimator: Option<String>,
    kernel: Option<String>,
    gamma: Option<String>,
    costs: Option<Vec<f64>>,
    class_order: Option<String>,
    neighbours: Option<Vec<usize>>,
    curve: bool,
    subsamples: usize,
    permute_labels: bool,
    seed: u64,
}

impl EvaluateArguments {
    pub(super) fn options(self, data: &Dataset) -> PyResult<EvaluateOptions> {
        let (task, rows) = (data.target.task(), data.samples());
        let protocol: Protocol = parsed("protocol", &self.protocol)?;
        let size = self.size.as_deref().map(|text| parsed::<Size>("n_features_to_select", text)).transpose()?;
        let estimator = EstimatorOptions {
            kind: self.estimator.as_deref().map(|text| parsed("estimator", text)).transpose()?,
            kernel: self.kernel.as_deref().map(|text| parsed("kernel", text)).transpose()?,
            gamma: self.gamma.as_deref().map(|text| parsed("gamma", text)).transpose()?,
            costs: self.costs,
            class_order: self.class_order.as_deref().map(|text| parsed("class_order", text)).transpose()?,
            neighbours: self.neighbours,
        };
        let points = self.points.or(defaults::points(protocol));
        let methods = if self.methods.is_empty() {
            let plain = |method: Method| MethodOptions {
                name: method.name().to_owned(),
                settings: Set::new(),
                grid: BTreeMap::new(),
            };
            defaults::methods(task, self.thorough).into_iter().map(plain).collect()
        } else {
            self.methods
        };
        let candidates = methods.into_iter().map(|one| one.candidate(points, self.seed));
        let split = PlanOptions {
            folds: self.folds,
            repeats: self.repeats,
            leave_one_out: self.leave_one_out,
            groups: self.groups,
            times: self.times,
            window: self.window,
        };
        let options = EvaluateOptions {
            protocol,
            candidates: candidates.collect::<PyResult<_>>()?,
            size,
            plan: split.plan(protocol, self.thorough, rows),
            inner: self.inner.unwrap_or(defaults::INNER),
            estimator: estimator.estimator(protocol, task == Task::Regression).map_err(value_error)?,
            estimator_rows: match self.estimator_rows {
                None => defaults::estimator_rows(protocol, self.thorough, rows),
                given => given.filter(|rows| *rows > 0),
            },
            curve: self.curve || (self.thorough && defaults::allows_curve(protocol, size)),
            subsamples: self.subsamples,
            permute: self.permute_labels,
            baselines: true,
            seed: self.seed,
        };
        if self.inner.is_some() {
            options.check_inner().map_err(|error| parameter_error("inner", error))?;
        }
        Ok(options)
    }
}
