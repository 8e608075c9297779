//! The rules as sentences, strongest first, and why a row got its answer.

use super::predict::{Prediction, Predictor};
use super::rule_base::{Answer, centred};
use super::terms::Condition;
use crate::data::{Code, DataError, Table, Task};
use serde::Serialize;

/// Slopes that are told for every rule.
const SLOPES: usize = 3;
/// Slopes below this share of the rule's largest one are not worth a word.
const SMALL: f64 = 0.1;

/// All rules of a model in words; as text with [`Display`](std::fmt::Display).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The target.
    pub target: String,
    /// Its classes; none for a number.
    pub classes: Vec<String>,
    /// The rules, strongest first.
    pub rules: Vec<RuleSentence>,
    /// What the model predicts.
    #[serde(skip)]
    pub task: Task,
    /// Number of features.
    #[serde(skip)]
    pub features: usize,
    /// The method that selected the features; empty where none did.
    #[serde(skip)]
    pub method: String,
    /// The mean of a regression target, to which effects are relative; 0 for classes.
    #[serde(skip)]
    pub mean: f64,
}

/// A rule in words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RuleSentence {
    /// Its number, from 1, strongest first.
    pub rule: usize,
    /// Its mean firing strength over the training rows.
    pub weight: f64,
    /// The share of training rows in which it fires most.
    pub coverage: f64,
    /// What it asks of every feature, `any` included.
    pub conditions: Vec<Condition>,
    /// What it says, by output: log-odds against the mean of the classes, or units of the target.
    pub effects: Vec<f64>,
    /// How what it says for its strongest output changes with a feature.
    pub slopes: Vec<Slope>,
}

/// How what a rule says changes with a feature.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Slope {
    /// The feature.
    pub feature: String,
    /// The category whose presence is meant; none for numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// The output it speaks of.
    pub output: usize,
    /// The change for one unit of the column, or for being in that category.
    pub per_unit: f64,
}

/// Why a row got its answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RowExplanation {
    /// The number of the row, from 1.
    pub row: usize,
    /// The answer: a class, or a number.
    pub predicted: String,
    /// The probability of every class; empty for a number.
    pub probabilities: Vec<f64>,
    /// The rules, those that fired most first.
    pub fired: Vec<FiredRule>,
    /// What every feature contributed, the largest first.
    pub contributions: Vec<Contribution>,
}

/// A rule and how it fired for a row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FiredRule {
    /// Its number in [`Explanation::rules`], from 1.
    pub rule: usize,
    /// Its share of the firing.
    pub firing: f64,
    /// What it says about the answer that was given.
    pub says: f64,
}

/// What a feature contributed to an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Contribution {
    /// The feature.
    pub feature: String,
    /// Its value in the row, as read.
    pub value: String,
    /// What it is compared with: the median, or the most frequent category, of the training rows.
    pub typical: String,
    /// By how much the output of the given answer falls when the value is replaced by the typical one: log-odds against
    /// the mean of the classes, or units of the target.
    pub contribution: f64,
}

impl Predictor {
    /// All rules, strongest first.
    pub fn explain(&self) -> Explanation {
        let model = self.model();
        let sentence = |(place, rule): (usize, usize)| {
            let info = &model.rules[rule];
            let scale = model.output.scale;
            RuleSentence {
                rule: place + 1,
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

    /// Rules, strongest first.
    fn by_weight(&self) -> Vec<usize> {
        let rules = &self.model().rules;
        let mut order: Vec<usize> = (0..rules.len()).collect();
        order.sort_by(|&a, &b| rules[b].weight.total_cmp(&rules[a].weight).then(a.cmp(&b)));
        order
    }

    /// The strongest slopes of a rule for the output it speaks for most.
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
        let told = slopes.into_iter().filter(|slope| slope.0 != 0.0 && slope.0.abs() >= SMALL * most);
        told.take(SLOPES).map(|(slope, feature, column)| self.slope(slope, feature, column, output)).collect()
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

    /// Why a row (from 0) of a table got its answer. `first_row` is the number of the table's first row.
    ///
    /// A feature's contribution is found by occlusion: the value is replaced by the typical one of the training rows,
    /// everything else stays, and the change of the output is told. Contributions need not add up to the output, because
    /// features act together.
    pub fn explain_row(&self, table: &Table, row: usize, first_row: usize) -> Result<RowExplanation, DataError> {
        let model = self.model();
        let one = table.slice(row..row + 1);
        let predictions = self.predict(&one, first_row + row)?;
        let features = model.preprocessing.columns.adopt(&one, first_row + row)?;
        let Some(Some(prediction)) = predictions.rows.into_iter().next() else {
            return Err(DataError::NoCompleteRows);
        };
        let sample = self.samples(&features, 1)?;
        let answer = model.network.answer(&sample);
        let (output, predicted, probabilities) = match prediction {
            Prediction::Class { class, probabilities } => (class, model.classes[class].clone(), probabilities),
            Prediction::Number(value) => (0, crate::data::table::format_number(value), Vec::new()),
        };
        let says = |outputs: &[f64]| self.said(outputs, output);
        let order = self.by_weight();
        let mut fired: Vec<FiredRule> = order
            .iter()
            .enumerate()
            .map(|(place, &rule)| FiredRule {
                rule: place + 1,
                firing: answer.firing[rule],
                says: says(&answer.rule_outputs[rule]),
            })
            .collect();
        fired.sort_by(|a, b| b.firing.total_cmp(&a.firing).then(a.rule.cmp(&b.rule)));
        let contributions = self.contributions(&one, &sample, &answer, output);
        Ok(RowExplanation { row: first_row + row, predicted, probabilities, fired, contributions })
    }

    fn said(&self, outputs: &[f64], output: usize) -> f64 {
        let scale = if self.model().task == Task::Regression { self.model().output.scale } else { 1.0 };
        centred(outputs).get(output).copied().unwrap_or(0.0) * scale
    }

    fn contributions(&self, one: &Table, sample: &[f64], answer: &Answer, output: usize) -> Vec<Contribution> {
        let model = self.model();
        let with = self.said(&answer.outputs, output);
        let preprocessing = &model.preprocessing;
        let mut contributions: Vec<Contribution> = Vec::with_capacity(model.features.len());
        for (feature, (name, block)) in model.features.iter().zip(self.blocks()).enumerate() {
            let column = &preprocessing.columns.columns[feature];
            let (typical, codes) = column.typical();
            let mut changed = sample.to_vec();
            for (at, code) in block.clone().zip(codes) {
                changed[at] = (code - preprocessing.means[at]) * preprocessing.factors[at];
            }
            let without = self.said(&model.network.answer(&changed).outputs, output);
            let place = one.position(name);
            let value = place.map(|at| one.columns()[at].cell(0)).unwrap_or_default();
            contributions.push(Contribution { feature: name.clone(), value, typical, contribution: with - without });
        }
        contributions.sort_by(|a, b| {
            b.contribution.abs().total_cmp(&a.contribution.abs()).then_with(|| a.feature.cmp(&b.feature))
        });
        contributions
    }
}
