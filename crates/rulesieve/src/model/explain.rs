//! Rules as sentences, strongest first, and explanations of predictions.

use super::predict::{Prediction, Predictor};
use super::rule_base::{Inference, centred};
use super::terms::Condition;
use crate::data::{Code, DataError, Table, Task, with_parts};
use serde::Serialize;

/// Maximum number of slopes listed per rule.
const SLOPES: usize = 3;
/// Slopes below this share of the rule's largest one are not listed.
const SMALL: f64 = 0.1;

/// All rules of a model; as text with [`Display`](std::fmt::Display).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The target.
    pub target: String,
    /// The classes; empty for regression.
    pub classes: Vec<String>,
    /// The rules, strongest first.
    pub rules: Vec<RuleSentence>,
    /// The task.
    #[serde(skip)]
    pub task: Task,
    /// Number of features.
    #[serde(skip)]
    pub features: usize,
    /// The method that selected the features; empty if there was no selection.
    #[serde(skip)]
    pub method: String,
    /// The mean of a regression target, to which effects are relative; 0 for classes.
    #[serde(skip)]
    pub mean: f64,
}

/// A rule in readable form.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RuleSentence {
    /// Its number, from 1, strongest first.
    pub rule: usize,
    /// Its mean firing strength over the training rows.
    pub weight: f64,
    /// The share of training rows in which it fires most.
    pub coverage: f64,
    /// The condition on every feature, including `any`.
    pub conditions: Vec<Condition>,
    /// Mean output of the rule: log-odds relative to the mean of the classes, or units of the target.
    pub effects: Vec<f64>,
    /// Slopes of its strongest output.
    pub slopes: Vec<Slope>,
}

/// Change of the output of a rule with a feature.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Slope {
    /// The feature.
    pub feature: String,
    /// The category; `None` for numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Index of the output.
    pub output: usize,
    /// Change per unit of the column, or for being in the category.
    pub per_unit: f64,
}

/// Explanation of the prediction for a row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RowExplanation {
    /// The number of the row, from 1.
    pub row: usize,
    /// The prediction: a class or a number.
    pub predicted: String,
    /// The probability of every class; empty for regression.
    pub probabilities: Vec<f64>,
    /// The rules, by descending firing strength.
    pub fired: Vec<FiredRule>,
    /// Contributions of the features, the largest first.
    pub contributions: Vec<Contribution>,
}

/// A rule with its firing strength for a row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FiredRule {
    /// Its number in [`Explanation::rules`], from 1.
    pub rule: usize,
    /// Normalised firing strength.
    pub firing: f64,
    /// Output of the rule for the prediction.
    pub output: f64,
}

/// Contribution of a feature to a prediction.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Contribution {
    /// The feature.
    pub feature: String,
    /// Its value in the row, as read.
    pub value: String,
    /// The reference: median or most frequent category of the training rows.
    pub typical: String,
    /// Decrease of the predicted output when the value is replaced by the reference: log-odds relative to the mean of
    /// the classes, or units of the target.
    pub contribution: f64,
}

impl Predictor {
    /// Describes all rules, strongest first.
    pub fn explain(&self) -> Explanation {
        let model = self.model();
        let sentence = |(rank, rule): (usize, usize)| {
            let info = &model.rules[rule];
            let scale = model.output.scale;
            RuleSentence {
                rule: rank + 1,
                weight: info.weight,
                coverage: info.coverage,
                conditions: (0..model.features.len()).map(|feature| self.condition(rule, feature)).collect(),
                effects: info.effects.iter().map(|effect| effect * scale).collect(),
                slopes: self.slopes(rule),
            }
        };
        let rules = self.by_weight().into_iter().enumerate().map(sentence).collect();
        Explanation {
            target: model.target.clone(),
            classes: model.classes.clone(),
            rules,
            task: model.task,
            features: model.features.len(),
            method: model.method.clone(),
            mean: model.output.mean,
        }
    }

    /// Indices of the rules, strongest first.
    fn by_weight(&self) -> Vec<usize> {
        let rules = &self.model().rules;
        let mut order: Vec<usize> = (0..rules.len()).collect();
        order.sort_by(|&a, &b| rules[b].weight.total_cmp(&rules[a].weight).then(a.cmp(&b)));
        order
    }

    /// The largest slopes of a rule for its strongest output.
    fn slopes(&self, rule: usize) -> Vec<Slope> {
        let model = self.model();
        let effects = model.rules[rule].effects.iter().enumerate();
        let Some((output, _)) = effects.max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0))) else {
            return Vec::new();
        };
        let mut slopes = Vec::new();
        for (feature, block) in self.blocks().iter().enumerate() {
            for column in block.clone() {
                let all: Vec<f64> = model.network.slopes[rule].iter().map(|slopes| slopes[column]).collect();
                slopes.push((centred(&all)[output], feature, column));
            }
        }
        slopes.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()).then(a.2.cmp(&b.2)));
        let most = slopes.first().map_or(0.0, |slope| slope.0.abs());
        let listed = slopes.into_iter().filter(|slope| slope.0 != 0.0 && slope.0.abs() >= SMALL * most);
        listed.take(SLOPES).map(|(slope, feature, column)| self.slope(slope, feature, column, output)).collect()
    }

    fn slope(&self, slope: f64, feature: usize, column: usize, output: usize) -> Slope {
        let model = self.model();
        let per_code = slope * model.preprocessing.factors[column] * model.output.scale;
        let name = model.features[feature].clone();
        let block = &self.blocks()[feature];
        match &model.preprocessing.columns.columns[feature].code {
            Code::Numeric { low, high, .. } => {
                let width = high - low;
                let per_unit = if width > 0.0 { per_code / width } else { 0.0 };
                Slope { feature: name, category: None, output, per_unit }
            }
            // A single column of several ordered categories: from the first to the last.
            Code::Categorical { levels, .. } => {
                let at = if block.len() == 1 { levels.len().saturating_sub(1) } else { column - block.start };
                Slope { feature: name, category: levels.get(at).cloned(), output, per_unit: per_code }
            }
        }
    }

    /// Explains the prediction for a row (from 0) of a table. `first_row` is the number of the table's first row.
    ///
    /// A feature's contribution is found by occlusion: its value is replaced by the typical one of the training rows,
    /// and the change of the output is reported. Contributions need not add up to the output, because features
    /// interact.
    pub fn explain_row(&self, table: &Table, row: usize, first_row: usize) -> Result<RowExplanation, DataError> {
        let model = self.model();
        let one = table.slice(row..row + 1);
        // Parts of dates are features with values of their own.
        let one = with_parts(&one, &model.preprocessing.dates, &model.preprocessing.reading, first_row + row)?;
        let predictions = self.predict(&one, first_row + row)?;
        let features = self.adopt(&one, first_row + row)?;
        let Some(Some(prediction)) = predictions.rows.into_iter().next() else {
            return Err(DataError::NoCompleteRows);
        };
        let sample = self.samples(&features, 1)?;
        let inference = model.network.infer(&sample);
        let (output, predicted, probabilities) = match prediction {
            Prediction::Class { class, probabilities } => (class, model.classes[class].clone(), probabilities),
            Prediction::Number(value) => (0, crate::data::table::format_number(value), Vec::new()),
        };
        let effect = |outputs: &[f64]| self.effect(outputs, output);
        let order = self.by_weight();
        let mut fired: Vec<FiredRule> = order
            .iter()
            .enumerate()
            .map(|(rank, &rule)| FiredRule {
                rule: rank + 1,
                firing: inference.firing[rule],
                output: effect(&inference.rule_outputs[rule]),
            })
            .collect();
        fired.sort_by(|a, b| b.firing.total_cmp(&a.firing).then(a.rule.cmp(&b.rule)));
        let contributions = self.contributions(&one, &sample, &inference, output);
        Ok(RowExplanation { row: first_row + row, predicted, probabilities, fired, contributions })
    }

    fn effect(&self, outputs: &[f64], output: usize) -> f64 {
        let scale = if self.model().task == Task::Regression { self.model().output.scale } else { 1.0 };
        centred(outputs).get(output).copied().unwrap_or(0.0) * scale
    }

    fn contributions(&self, one: &Table, sample: &[f64], inference: &Inference, output: usize) -> Vec<Contribution> {
        let model = self.model();
        let with = self.effect(&inference.outputs, output);
        let preprocessing = &model.preprocessing;
        let mut contributions: Vec<Contribution> = Vec::with_capacity(model.features.len());
        for (feature, (name, block)) in model.features.iter().zip(self.blocks()).enumerate() {
            let column = &preprocessing.columns.columns[feature];
            let (typical, codes) = column.typical();
            let mut changed = sample.to_vec();
            for (at, code) in block.clone().zip(codes) {
                changed[at] = (code - preprocessing.means[at]) * preprocessing.factors[at];
            }
            let without = self.effect(&model.network.infer(&changed).outputs, output);
            let index = one.position(name);
            let value = index.map(|at| one.columns()[at].cell(0)).unwrap_or_default();
            contributions.push(Contribution { feature: name.clone(), value, typical, contribution: with - without });
        }
        contributions.sort_by(|a, b| {
            b.contribution.abs().total_cmp(&a.contribution.abs()).then_with(|| a.feature.cmp(&b.feature))
        });
        contributions
    }
}
