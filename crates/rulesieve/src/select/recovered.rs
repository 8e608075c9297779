//! Rules learned without an IF part, described by the columns of the rows that fire them.
//!
//! The curves are in the projected space (`methods::ldr_tsk::antecedents`), which is not interpretable. A mean over the
//! rows weighted by firing strength is the same in both spaces up to the projection, so each rule is described by the
//! weighted means and deviations of the selected columns.

use crate::data::{Dataset, Feature, FeatureValues, Term};
use crate::linalg::Matrix;
use crate::methods::Firing;
use crate::methods::ldr_tsk::antecedents::{Antecedents, moments, shares_of};
use serde::{Deserialize, Serialize};

/// Maximum number of selected features described per rule, best first.
const CONDITIONS: usize = 10;
/// Minimum shift of the mean to be described, in standard deviations of all rows.
const NO_SHIFT: f64 = 0.1;
/// Minimum difference in the share of a category to be described.
const NO_LIFT: f64 = 0.05;

/// The rules of a method with free firing strengths, with an IF part estimated afterwards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecoveredRules {
    /// Always true: the IF part approximates the firing strengths, it did not generate them.
    pub approximate: bool,
    /// Coefficient of determination of the curves for the firing strengths, mean over the rules; zero or negative if
    /// the rules are not localised.
    pub r_squared: f64,
    /// Accuracy of the recovered rules on the training rows, with refitted consequents; absent if that would take too
    /// long.
    pub training_accuracy: Option<f64>,
    /// The rules, strongest first.
    pub rules: Vec<RecoveredRule>,
}

/// A recovered rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecoveredRule {
    /// Share of the total firing strength over all rows.
    pub weight: f64,
    /// Coefficient of determination of its curve.
    pub r_squared: f64,
    /// Height of its curve.
    pub amplitude: f64,
    /// Centre of its curve in every dimension of the projected space.
    pub centres: Vec<f64>,
    /// Spread of its curve in every dimension.
    pub spreads: Vec<f64>,
    /// Conditions on the best of the selected features.
    pub conditions: Vec<RecoveredCondition>,
    /// Class shares of the rows, weighted by firing strength.
    pub class_shares: Vec<f64>,
}

/// Values of a feature in the rows that fire a rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecoveredCondition {
    /// The feature.
    pub feature: String,
    /// Whether they are lower or higher than all rows on average; `any` if there is no difference.
    pub term: Term,
    /// The mean of all rows, in the units of the column; for numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overall: Option<f64>,
    /// The weighted mean; for numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<f64>,
    /// The weighted standard deviation; for numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deviation: Option<f64>,
    /// The category whose share exceeds that of all rows by most; for categories.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
}

/// Describes rules by the rows that fire them.
pub(super) fn recovered(data: &Dataset, firing: &Firing, selected: &[usize]) -> RecoveredRules {
    let Firing { latent, strengths, ridge } = firing;
    let found = Antecedents::recover(latent, strengths);
    let (codes, classes) = (data.target.codes(), data.target.classes().len());
    let totals: Vec<f64> = (0..strengths.cols()).map(|rule| strengths.col(rule).iter().sum()).collect();
    let total: f64 = totals.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let features: Vec<&Feature> = selected.iter().take(CONDITIONS).map(|&at| &data.features[at]).collect();
    let rule = |rule: usize| {
        let shares = shares_of(strengths.col(rule));
        let mut class_shares = vec![0.0; classes];
        codes.iter().zip(&shares).for_each(|(&code, share)| class_shares[code as usize] += share);
        RecoveredRule {
            weight: totals[rule] / total,
            r_squared: found.r_squared[rule],
            amplitude: found.amplitudes[rule],
            centres: row(&found.centres, rule),
            spreads: row(&found.spreads, rule),
            conditions: features.iter().map(|feature| condition(feature, &shares)).collect(),
            class_shares,
        }
    };
    let mut rules: Vec<RecoveredRule> = (0..strengths.cols()).map(rule).collect();
    rules.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    RecoveredRules {
        approximate: true,
        r_squared: found.r_squared.iter().sum::<f64>() / rules.len().max(1) as f64,
        training_accuracy: found.accuracy(latent, codes, classes, *ridge),
        rules,
    }
}

fn row(matrix: &Matrix, row: usize) -> Vec<f64> {
    (0..matrix.cols()).map(|col| matrix[(row, col)]).collect()
}

fn condition(feature: &Feature, shares: &[f64]) -> RecoveredCondition {
    let blank = RecoveredCondition {
        feature: feature.name.clone(),
        term: Term::Any,
        overall: None,
        about: None,
        deviation: None,
        category: None,
    };
    match &feature.values {
        FeatureValues::Numeric(values) => {
            let present: Vec<usize> = (0..values.len()).filter(|&row| !values[row].is_nan()).collect();
            let weight = present.iter().map(|&row| shares[row]).sum::<f64>().max(f64::MIN_POSITIVE);
            let known: Vec<f64> = present.iter().map(|&row| values[row]).collect();
            let own: Vec<f64> = present.iter().map(|&row| shares[row] / weight).collect();
            let (mean, deviation) = moments(&known, &vec![1.0 / known.len().max(1) as f64; known.len()]);
            let (about, around) = moments(&known, &own);
            let term = match about - mean {
                shift if shift.abs() <= NO_SHIFT * deviation => Term::Any,
                shift if shift < 0.0 => Term::Low,
                _ => Term::High,
            };
            let finite = |value: f64| value.is_finite().then_some(value);
            let (overall, about, deviation) = (finite(mean), finite(about), finite(around));
            RecoveredCondition { term, overall, about, deviation, ..blank }
        }
        FeatureValues::Categorical { levels, codes } => {
            let mut lifts = vec![0.0; levels.len()];
            let even = 1.0 / codes.len().max(1) as f64;
            for (&code, share) in codes.iter().zip(shares) {
                if let Some(lift) = lifts.get_mut(code as usize) {
                    *lift += share - even;
                }
            }
            let most = lifts.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
            match most {
                Some((level, &lift)) if lift > NO_LIFT => {
                    RecoveredCondition { term: Term::Categories, category: Some(levels[level].clone()), ..blank }
                }
                _ => blank,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, DatasetOptions, KeepSuspicious, Table, Target};
    #[test]
    fn rules_are_described_by_the_rows_that_fire_them() {
        let n = 60;
        let own = |row: usize| row % 2;
        let numbers =
            (0..n).map(|row| if own(row) == 0 { 10.0 + (row % 5) as f64 } else { 90.0 + (row % 5) as f64 }).collect();
        let flat = (0..n).map(|row| (row / 2 % 7) as f64).collect();
        let words: Vec<&str> = (0..n).map(|row| ["red", "blue"][own(row)]).collect();
        let classes: Vec<&str> = (0..n).map(|row| ["no", "yes"][own(row)]).collect();
        let columns = vec![
            Column::numeric("size", numbers),
            Column::numeric("flat", flat),
            Column::text("colour", &words),
            Column::text("class", &classes),
        ];
        let keep_suspicious = KeepSuspicious::All;
        let options = DatasetOptions { target: Target::named("class"), keep_suspicious, ..DatasetOptions::default() };
        let data = Dataset::new(Table::new(columns).unwrap(), &options).unwrap();
        let latent = Matrix::from_fn(n, 1, |row, _| own(row) as f64);
        let strengths =
            Matrix::from_fn(n, 2, |row, rule| if own(row) == rule { 0.9 + 0.1 * rule as f64 } else { 1e-6 });
        let firing = Firing { latent, strengths, ridge: 1e-3 };
        let selected = ["size", "colour", "flat"].map(|name| data.index_of(name).unwrap());
        let found = recovered(&data, &firing, &selected);
        assert!(found.approximate && found.training_accuracy == Some(1.0));
        // The second rule is slightly stronger, so it comes first.
        let [second, first] = &found.rules[..] else { panic!("two rules") };
        assert!(first.class_shares[0] > 0.999 && second.class_shares[1] > 0.999, "{first:?} {second:?}");
        let [size, colour, flat] = &first.conditions[..] else { panic!("three conditions") };
        assert_eq!((size.term, colour.term, flat.term), (Term::Low, Term::Categories, Term::Any));
        assert!((size.about.unwrap() - 12.0).abs() < 0.01, "{size:?}");
        assert_eq!(colour.category.as_deref(), Some("red"));
        assert_eq!(second.conditions[0].term, Term::High);
    }
}
