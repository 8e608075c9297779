//! Results on held-out rows, which take no part in any choice or fit, compared with the constant prediction (class
//! shares, or the mean, of the training rows) on the same rows.

use crate::warning::Warning;
use serde::{Deserialize, Serialize};

/// Minimum predicted probability: zero would make the log-loss infinite.
const LEAST_SHARE: f64 = 1e-6;
/// One-sided standard normal quantile of 2.5 %: accuracy and loss are each tested at half of 5 %.
const QUANTILE: f64 = 1.959_964;

/// Loss function of a prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Negative logarithm of the probability of the true class.
    LogLoss,
    /// Squared error of the probabilities, summed over the classes.
    Brier,
    /// Squared error of a regression, in units of the variance of the target.
    SquaredError,
}

/// Results on held-out rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeldOut {
    /// Number of held-out rows.
    pub rows: usize,
    /// Number of selected features, if it was given and not chosen on held-out rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<usize>,
    /// Share of correct predictions; absent for regression.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// Accuracy of the most frequent class of the training rows, on the same rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance_accuracy: Option<f64>,
    /// Coefficient of determination; absent for classification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r2: Option<f64>,
    /// Root mean squared error in units of the target; absent for classification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rmse: Option<f64>,
    /// Root mean squared error of the mean of the training rows, on the same rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance_rmse: Option<f64>,
    /// Loss function of `loss` and `chance_loss`.
    pub loss_name: Loss,
    /// Mean loss.
    pub loss: f64,
    /// Mean loss of the constant prediction on the same rows.
    pub chance_loss: f64,
    /// Whether accuracy or loss improve significantly on the constant prediction, at a level of 5 %.
    pub better_than_chance: bool,
}

impl HeldOut {
    /// Whether all results are finite numbers.
    pub(crate) fn is_finite(&self) -> bool {
        let optional = [self.accuracy, self.chance_accuracy, self.r2, self.rmse, self.chance_rmse];
        let values = optional.into_iter().flatten().chain([self.loss, self.chance_loss]);
        values.into_iter().all(f64::is_finite)
    }

    /// One line with the score and that of the constant prediction.
    pub fn summary(&self) -> String {
        let rows = self.rows;
        match (self.accuracy, self.chance_accuracy, self.r2, self.rmse, self.chance_rmse) {
            (Some(accuracy), Some(chance), ..) => format!(
                "held-out accuracy {:.1} % on {rows} rows (constant prediction {:.1} %)",
                100.0 * accuracy,
                100.0 * chance
            ),
            (_, _, Some(r2), Some(rmse), Some(chance)) => {
                format!("held-out R2 {r2:.3} on {rows} rows (RMSE {rmse:.4}, constant prediction {chance:.4})")
            }
            _ => format!("held-out loss {:.3} on {rows} rows (constant prediction {:.3})", self.loss, self.chance_loss),
        }
    }

    /// A warning if the improvement over the constant prediction is not significant.
    pub fn warning(&self) -> Option<Warning> {
        (!self.better_than_chance).then(|| Warning::NoBetterThanChance { held_out: self.clone() })
    }

    /// The score and that of the constant prediction, for a warning.
    pub(crate) fn figures(&self) -> String {
        match (self.accuracy, self.chance_accuracy, self.r2) {
            (Some(accuracy), Some(chance), _) => {
                format!("accuracy {:.1} %, constant prediction {:.1} %", 100.0 * accuracy, 100.0 * chance)
            }
            (_, _, Some(r2)) => format!("R2 {r2:.3}"),
            _ => format!("loss {:.3}, constant prediction {:.3}", self.loss, self.chance_loss),
        }
    }
}

/// Collects predictions of held-out rows, fold by fold.
#[derive(Debug, Clone)]
pub(crate) struct HeldOutRows {
    loss: Loss,
    /// Improvement in loss over the constant prediction, row by row, and the two losses.
    losses: Vec<(f64, f64)>,
    /// Whether the prediction and the constant prediction are correct.
    hits: Vec<(bool, bool)>,
    /// True values, for regression.
    numbers: Vec<f64>,
    /// Variance that scales squared errors.
    variance: f64,
    /// Class weights for the test against chance, if classes are balanced.
    balance: Option<Vec<f64>>,
    /// Weighted improvements in loss and in correct predictions over equal class shares; only if `balance` is set.
    balanced: Vec<(f64, f64)>,
}

impl HeldOutRows {
    /// For classification; the loss is [`Loss::LogLoss`] or [`Loss::Brier`].
    pub(crate) fn of_classes(loss: Loss) -> Self {
        Self {
            loss,
            losses: Vec::new(),
            hits: Vec::new(),
            numbers: Vec::new(),
            variance: 1.0,
            balance: None,
            balanced: Vec::new(),
        }
    }

    /// For regression with a target of this variance.
    pub(crate) fn of_numbers(variance: f64) -> Self {
        let variance = if variance > 0.0 { variance } else { 1.0 };
        Self { variance, ..Self::of_classes(Loss::SquaredError) }
    }

    /// For models with balanced classes of these counts: chance is then an equal share for every class, because such a
    /// model trades accuracy for the rare classes.
    pub(crate) fn balanced(self, counts: &[usize]) -> Self {
        let (rows, classes) = (counts.iter().sum::<usize>() as f64, counts.len() as f64);
        let weight = |&count: &usize| rows / (classes * count.max(1) as f64);
        Self { balance: Some(counts.iter().map(weight).collect()), ..self }
    }

    /// Adds a row of a classification: predicted scores of all classes, and the class shares of the training rows.
    pub(crate) fn push_class(&mut self, truth: usize, scores: &[f64], shares: &[f64]) {
        let loss = |scores: &[f64]| match self.loss {
            Loss::LogLoss => -scores[truth].clamp(LEAST_SHARE, 1.0).ln(),
            _ => {
                let own = |class: usize| f64::from(u8::from(class == truth));
                scores.iter().enumerate().map(|(class, score)| (own(class) - score).powi(2)).sum()
            }
        };
        let hit = first_largest(scores) == truth;
        if let Some(weight) = self.balance.as_ref().and_then(|weights| weights.get(truth)) {
            let equal = 1.0 / scores.len() as f64;
            let lower = loss(&vec![equal; scores.len()]) - loss(scores);
            self.balanced.push((weight * lower, weight * (f64::from(u8::from(hit)) - equal)));
        }
        self.losses.push((loss(scores), loss(shares)));
        self.hits.push((hit, first_largest(shares) == truth));
    }

    /// Adds a row of a classification by the losses and correctness of the prediction and of the constant prediction.
    /// With balanced classes the constant prediction is an equal share for every class.
    pub(crate) fn push_result(&mut self, truth: usize, losses: (f64, f64), hits: (bool, bool)) {
        if let Some(weights) = &self.balance {
            let (weight, equal) = (weights.get(truth).copied().unwrap_or(1.0), 1.0 / weights.len() as f64);
            self.balanced.push((weight * (losses.1 - losses.0), weight * (f64::from(u8::from(hits.0)) - equal)));
        }
        self.losses.push(losses);
        self.hits.push(hits);
    }

    /// Adds a row of a regression: true value, prediction, and the mean of the training rows.
    pub(crate) fn push_number(&mut self, truth: f64, predicted: f64, mean: f64) {
        let loss = |value: f64| (truth - value).powi(2) / self.variance;
        self.losses.push((loss(predicted), loss(mean)));
        self.numbers.push(truth);
    }

    /// The results; `None` without rows.
    pub(crate) fn finish(&self) -> Option<HeldOut> {
        let rows = self.losses.len();
        if rows == 0 {
            return None;
        }
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / rows as f64;
        let loss = mean(&mut self.losses.iter().map(|pair| pair.0));
        let chance_loss = mean(&mut self.losses.iter().map(|pair| pair.1));
        let classes = self.numbers.is_empty();
        let share = |right: &dyn Fn(&(bool, bool)) -> bool| {
            classes.then(|| self.hits.iter().filter(|hit| right(hit)).count() as f64 / rows as f64)
        };
        Some(HeldOut {
            rows,
            features: None,
            accuracy: share(&|hit| hit.0),
            chance_accuracy: share(&|hit| hit.1),
            r2: (!classes).then(|| self.r2(loss)),
            rmse: (!classes).then(|| (loss * self.variance).sqrt()),
            chance_rmse: (!classes).then(|| (chance_loss * self.variance).sqrt()),
            loss_name: self.loss,
            loss,
            chance_loss,
            better_than_chance: self.better_than_chance(),
        })
    }

    /// Whether loss or accuracy improve significantly on the constant prediction.
    fn better_than_chance(&self) -> bool {
        let number = |hit: bool| f64::from(u8::from(hit));
        let (lower, more): (Vec<f64>, Vec<f64>) = if self.balance.is_some() {
            self.balanced.iter().copied().unzip()
        } else {
            let lower = self.losses.iter().map(|(own, chance)| chance - own).collect();
            (lower, self.hits.iter().map(|&(own, chance)| number(own) - number(chance)).collect())
        };
        exceeds_zero(&lower) || exceeds_zero(&more)
    }

    fn r2(&self, loss: f64) -> f64 {
        let rows = self.numbers.len() as f64;
        let mean = self.numbers.iter().sum::<f64>() / rows;
        let spread = self.numbers.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / rows;
        if spread > 0.0 { 1.0 - loss * self.variance / spread } else { 0.0 }
    }
}

/// Index of the largest score; ties go to the first class.
pub(crate) fn first_largest(scores: &[f64]) -> usize {
    let mut best = 0;
    for (class, score) in scores.iter().enumerate() {
        if *score > scores[best] {
            best = class;
        }
    }
    best
}

/// Whether the mean of the differences is significantly above zero.
fn exceeds_zero(differences: &[f64]) -> bool {
    let count = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / count.max(1.0);
    let variance = differences.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    // Student's quantile for few rows, by its expansion in the degrees of freedom.
    let freedom = (count - 1.0).max(1.0);
    let quantile = QUANTILE + (QUANTILE.powi(3) + QUANTILE) / (4.0 * freedom) + 3.0 / (freedom * freedom);
    count > 1.0 && mean > quantile * (variance / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_compared_with_the_shares_of_the_training_rows() {
        let mut rows = HeldOutRows::of_classes(Loss::LogLoss);
        for row in 0..40 {
            let truth = row % 2;
            let sure = if row % 10 == 0 { 0.3 } else { 0.9 };
            let scores = if truth == 0 { [sure, 1.0 - sure] } else { [1.0 - sure, sure] };
            rows.push_class(truth, &scores, &[0.6, 0.4]);
        }
        let found = rows.finish().unwrap();
        assert_eq!((found.rows, found.accuracy, found.chance_accuracy), (40, Some(0.9), Some(0.5)));
        assert!(found.better_than_chance && found.warning().is_none());
        let chance = -(0.6_f64.ln() + 0.4_f64.ln()) / 2.0;
        assert!((found.chance_loss - chance).abs() < 1e-12);
    }

    #[test]
    fn random_predictions_are_reported_as_no_better_than_chance() {
        let mut rows = HeldOutRows::of_classes(Loss::Brier);
        for row in 0..40_usize {
            rows.push_class(row % 2, if row % 4 < 2 { &[0.8, 0.2] } else { &[0.2, 0.8] }, &[0.5, 0.5]);
        }
        let found = rows.finish().unwrap();
        assert!(!found.better_than_chance);
        let warning = found.warning().unwrap().to_string();
        assert!(warning.contains("no better than chance on 40 held-out rows (accuracy 50.0 %"), "{warning}");
    }

    #[test]
    fn regression_has_r2_and_rmse_in_units_of_the_target() {
        let mut rows = HeldOutRows::of_numbers(4.0);
        for row in 0..30 {
            let truth = f64::from(row % 5);
            rows.push_number(truth, truth + if row % 2 == 0 { 0.5 } else { -0.5 }, 2.0);
        }
        let found = rows.finish().unwrap();
        assert!((found.rmse.unwrap() - 0.5).abs() < 1e-12 && (found.r2.unwrap() - 0.875).abs() < 1e-12);
        assert!((found.chance_rmse.unwrap() - 2.0_f64.sqrt()).abs() < 1e-12);
        assert!((found.loss - 0.0625).abs() < 1e-12 && found.better_than_chance && found.accuracy.is_none());
        assert!(HeldOutRows::of_numbers(1.0).finish().is_none());
    }
}
