//! What can be asked for, as Python says it: JSON objects whose fields have the names of the parameters in Python.

use super::refused;
use pyo3::PyResult;
use rulesieve::data::table::format_number;
use rulesieve::data::{CategoricalCoding, DatasetOptions, KeepSuspicious, MissingPolicy, Task};
use rulesieve::methods::inductive::refit;
use rulesieve::methods::settings::Settings;
use rulesieve::methods::{self, Method};
use rulesieve::model::TrainOptions;
use rulesieve::select::{SelectOptions, Size};
use rulesieve_eval::evaluate::{Contender, EvaluateOptions, Judge, KernelKind, Protocol, grid, usual};
use rulesieve_eval::splits::Plan;
use rulesieve_eval::svm::Gamma;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Parameters by name, their values in words.
pub(super) type Set = BTreeMap<String, String>;

pub(super) fn read<'a, T: Deserialize<'a>>(text: &'a str) -> PyResult<T> {
    serde_json::from_str(text).map_err(refused)
}

/// How a table is read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DataWishes {
    pub(super) target: String,
    pub(super) task: Task,
    pub(super) missing: MissingPolicy,
    keep_suspicious: KeepWish,
    classes: Vec<ClassName>,
}

/// Whether all suspicious columns are kept, or those that are named.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum KeepWish {
    All(bool),
    Named(Vec<String>),
}

/// A class by its name, or by its number, which is written as in a table that was read.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum ClassName {
    Name(String),
    Number(f64),
}

impl DataWishes {
    pub(super) fn options(&self) -> DatasetOptions {
        let (target, task, missing) = (Some(self.target.clone()), self.task, self.missing);
        let name = |class: &ClassName| match class {
            ClassName::Name(name) => name.clone(),
            ClassName::Number(number) => format_number(*number),
        };
        let classes = self.classes.iter().map(name).collect();
        let keep_suspicious = match &self.keep_suspicious {
            KeepWish::All(true) => KeepSuspicious::All,
            KeepWish::All(false) => KeepSuspicious::None,
            KeepWish::Named(names) => KeepSuspicious::Named(names.clone()),
        };
        DatasetOptions { target, task, missing, classes, keep_suspicious, ..DatasetOptions::default() }
    }
}

/// How features are selected.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SelectWishes {
    method: String,
    settings: Set,
    size: SizeWish,
    coding: CategoricalCoding,
    groups: Vec<Vec<String>>,
    seed: u64,
}

/// How many features are kept.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SizeWish {
    Auto,
    Top(usize),
    Fraction(f64),
    Rule(String),
}

impl SizeWish {
    fn size(&self) -> PyResult<Size> {
        let size = match self {
            Self::Auto => Size::Auto,
            Self::Top(count) => Size::Top(*count),
            Self::Fraction(share) => Size::Fraction(*share),
            Self::Rule(rule) if rule == "native" => Size::Native,
            Self::Rule(rule) => Size::Rule(rule.parse().map_err(refused)?),
        };
        size.check().map_err(refused)
    }
}

pub(super) fn method(name: &str) -> PyResult<&'static dyn Method> {
    let known = || methods::all().iter().map(|method| method.info().name).collect::<Vec<_>>().join(", ");
    methods::find(name).ok_or_else(|| refused(format!("there is no method '{name}'; there are: {}", known())))
}

fn pairs(set: &Set) -> Vec<(String, String)> {
    set.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
}

impl SelectWishes {
    pub(super) fn options(&self, weights: Option<Vec<f64>>) -> PyResult<SelectOptions> {
        let method = method(&self.method)?;
        Ok(SelectOptions {
            method,
            settings: method.settings(&pairs(&self.settings)).map_err(refused)?,
            size: self.size.size()?,
            coding: self.coding,
            weights,
            groups: self.groups.clone(),
            tune: false,
            seed: self.seed,
        })
    }
}

/// How a model is trained.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TrainWishes {
    settings: Set,
    balanced: bool,
    coding: CategoricalCoding,
    missing: MissingPolicy,
    seed: u64,
}

impl TrainWishes {
    pub(super) fn options(&self, weights: Option<Vec<f64>>) -> PyResult<TrainOptions> {
        let settings = Settings::new("refit", &refit::SPECS, pairs(&self.settings)).map_err(refused)?;
        let (balanced, coding, missing, seed) = (self.balanced, self.coding, self.missing, self.seed);
        Ok(TrainOptions { settings, balanced, weights, coding, missing, seed })
    }
}

/// How methods are judged. What is absent is what the command line takes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EvaluateWishes {
    protocol: Protocol,
    methods: Vec<MethodWishes>,
    points: Option<usize>,
    size: Option<SizeWish>,
    coding: CategoricalCoding,
    folds: Option<usize>,
    repeats: usize,
    leave_one_out: bool,
    inner: Option<usize>,
    judge: Option<String>,
    kernel: KernelKind,
    gamma: GammaWish,
    costs: Option<Vec<f64>>,
    neighbours: Option<Vec<usize>>,
    curve: bool,
    halves: usize,
    permute: bool,
    seed: u64,
}

/// Gamma of the RBF kernel: a rule or a number.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum GammaWish {
    Rule(String),
    Number(f64),
}

/// A method and its settings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MethodWishes {
    name: String,
    settings: Set,
    grid: BTreeMap<String, Vec<String>>,
}

impl EvaluateWishes {
    pub(super) fn options(&self, groups: Option<Vec<u32>>, numbers: bool) -> PyResult<EvaluateOptions> {
        let folds = self.folds.unwrap_or(usual::FOLDS);
        let options = EvaluateOptions {
            protocol: self.protocol,
            contenders: self.methods.iter().map(|one| self.contender(one)).collect::<PyResult<_>>()?,
            size: self.size.as_ref().map(SizeWish::size).transpose()?,
            coding: self.coding,
            plan: match groups {
                Some(groups) => Plan::Groups { folds, groups },
                None if self.leave_one_out => Plan::LeaveOneOut,
                None => Plan::Folds { folds, repeats: self.repeats },
            },
            inner: self.inner.unwrap_or(usual::INNER),
            judge: self.judge(numbers)?,
            curve: self.curve,
            halves: self.halves,
            permute: self.permute,
            baselines: true,
            seed: self.seed,
        };
        if self.inner.is_some() && options.inner_folds().is_none() {
            let why = "inner means nothing here: size, settings and the judge's parameter are given, nothing is left to choose inside";
            return Err(refused(why));
        }
        Ok(options)
    }

    fn contender(&self, one: &MethodWishes) -> PyResult<Contender> {
        let method = method(&one.name)?;
        let axes: Vec<grid::Axis> = one.grid.iter().map(|(name, values)| (name.clone(), values.clone())).collect();
        let most = self.points.or(usual::points(self.protocol));
        let points = grid::points(method, &pairs(&one.settings), &axes, most, self.seed).map_err(refused)?;
        Ok(Contender { method, points })
    }

    fn judge(&self, numbers: bool) -> PyResult<Judge> {
        Ok(match self.judge.as_deref().unwrap_or(if numbers { "knn" } else { "svm" }) {
            "svm" => Judge::Svm {
                kernel: self.kernel,
                gamma: match &self.gamma {
                    GammaWish::Rule(rule) if rule == "scale" => Gamma::Scale,
                    GammaWish::Rule(rule) if rule == "auto" => Gamma::Auto,
                    GammaWish::Number(number) if (1e-12..=1e12).contains(number) => Gamma::Number(*number),
                    other => {
                        let wrong =
                            format!("gamma={other:?} is not allowed; it must be 'scale', 'auto' or from 1e-12 to 1e12");
                        return Err(refused(wrong));
                    }
                },
                costs: self.costs.clone().unwrap_or_else(|| usual::costs(self.protocol)),
            },
            "knn" => {
                Judge::Knn { neighbours: self.neighbours.clone().unwrap_or_else(|| usual::neighbours(self.protocol)) }
            }
            "tsk" => Judge::Tsk,
            "htsk" => Judge::Htsk,
            other => return Err(refused(format!("there is no judge '{other}'; there are: svm, knn, tsk, htsk"))),
        })
    }
}
