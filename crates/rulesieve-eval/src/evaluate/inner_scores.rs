//! Scores of settings, sizes and parameters of the estimator over the inner folds of a split.

use super::measures::gain;
use super::result::Prediction;
use super::run_spec::Truth;

/// The number of features to select.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SizeChoice {
    /// The choice of the method's own rule, or of the given size rule.
    Own,
    /// This number.
    Count(usize),
}

/// A setting, a size and a parameter of the estimator.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub(super) setting: usize,
    pub(super) size: SizeChoice,
    pub(super) choice: f64,
}

/// Scores of all choices.
pub(super) struct InnerScores {
    pub(super) sizes: Vec<SizeChoice>,
    pub(super) choices: Vec<f64>,
    /// For every setting: sizes, each with all parameters. Minus infinity where a fit failed.
    gains: Vec<Vec<f64>>,
}

impl InnerScores {
    pub(super) fn new(sizes: Vec<SizeChoice>, choices: Vec<f64>, settings: usize) -> Self {
        let gains = vec![vec![0.0; sizes.len() * choices.len()]; settings];
        Self { sizes, choices, gains }
    }

    pub(super) fn is_decided(&self) -> bool {
        self.gains.len() * self.sizes.len() * self.choices.len() == 1
    }

    pub(super) fn add(&mut self, setting: usize, predictions: &[Vec<Prediction>], truth: &Truth, test: &[usize]) {
        let gains = predictions.iter().flatten().map(|prediction| gain(truth, test, &prediction.values));
        self.gains[setting].iter_mut().zip(gains).for_each(|(sum, gain)| *sum += gain);
    }

    /// Excludes a setting; returns whether any is left.
    pub(super) fn exclude(&mut self, setting: usize) -> bool {
        self.gains[setting].fill(f64::NEG_INFINITY);
        self.gains.iter().any(|gains| gains[0] > f64::NEG_INFINITY)
    }

    /// Settings that were excluded.
    pub(super) fn failed_settings(&self) -> Vec<usize> {
        (0..self.gains.len()).filter(|&setting| self.gains[setting][0] == f64::NEG_INFINITY).collect()
    }

    /// Returns the choice with the highest score, optionally for a given size. Ties go to the smallest size, then to the first setting
    /// and the smallest parameter.
    pub(super) fn best(&self, given: Option<SizeChoice>) -> Choice {
        let mut best: Option<(f64, Choice)> = None;
        for (at, &size) in self.sizes.iter().enumerate().filter(|(_, size)| given.is_none_or(|given| given == **size)) {
            for (setting, gains) in self.gains.iter().enumerate() {
                for (which, &choice) in self.choices.iter().enumerate() {
                    let gain = gains[at * self.choices.len() + which];
                    if best.is_none_or(|(most, _)| gain > most) {
                        best = Some((gain, Choice { setting, size, choice }));
                    }
                }
            }
        }
        best.map_or(Choice { setting: 0, size: self.sizes[0], choice: self.choices[0] }, |(_, best)| best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::{CertaintyScores, FittedEstimator, PredictedValues};

    #[test]
    fn ties_go_to_the_smallest_size_and_the_first_setting() {
        let truth = Truth::Classes { names: vec!["a".into(), "b".into()], codes: vec![0, 0, 1, 1] };
        let prediction = |right: usize| {
            let values =
                [0, 0, 1, 1].into_iter().enumerate().map(|(row, code)| if row < right { code } else { 1 - code });
            Prediction {
                estimator: FittedEstimator::Tsk { rules: 1 },
                values: PredictedValues::Classes(values.collect()),
                certainty: CertaintyScores::default(),
            }
        };
        let mut scores = InnerScores::new([1, 5].map(SizeChoice::Count).to_vec(), vec![1.0, 10.0], 3);
        assert!(!scores.is_decided());
        for (setting, right) in [[1, 2, 3, 3], [1, 3, 3, 3], [4, 4, 4, 4]].into_iter().enumerate() {
            let predictions =
                [vec![prediction(right[0]), prediction(right[1])], vec![prediction(right[2]), prediction(right[3])]];
            scores.add(setting, &predictions, &truth, &[0, 1, 2, 3]);
        }
        assert!(scores.exclude(2) && scores.failed_settings() == [2], "a setting that failed in one fold is excluded");
        let best = scores.best(None);
        assert_eq!((best.setting, best.size, best.choice), (1, SizeChoice::Count(1), 10.0));
        let best = scores.best(Some(SizeChoice::Count(5)));
        assert_eq!((best.setting, best.size, best.choice), (0, SizeChoice::Count(5), 1.0));
        assert!(scores.exclude(0) && !scores.exclude(1), "none is left");
    }
}
