//! Estimates the quality of selected features by rules trained on some rows and tested on others.

use super::SelectError;
use crate::data::{Dataset, Encoder, Feature};
use crate::linalg::Matrix;
use crate::model::RuleParams;
use crate::model::fit::fit;
use crate::optim::Observer;
use crate::rule_network::loss::{Goal, moments};
use crate::rule_network::network::Network;
use crate::rule_network::predictions::predictions;
use crate::rule_network::samples::{Samples, Scaling};

/// Number of rules, if there are enough rows.
const RULES: usize = 16;
const STEPS: usize = 400;

/// Features and rows for a [`RuleEstimator`], as indices.
#[derive(Debug, Clone, Copy)]
pub struct RuleEstimate<'a> {
    /// The selected features.
    pub features: &'a [usize],
    /// Training rows, from which coding and scaling are learned too.
    pub training_rows: &'a [usize],
    /// Rows to predict.
    pub test_rows: &'a [usize],
    /// Random seed.
    pub seed: u64,
}

/// Rules on selected features, with test rows.
pub struct RuleEstimator {
    network: Network,
    test: Samples,
    /// Mean and standard deviation of a regression target over the training rows.
    scale: (f64, f64),
}

impl RuleEstimator {
    /// Trains on the training rows.
    ///
    /// # Errors
    /// See [`SelectError::Data`] and [`SelectError::Fit`].
    pub fn fit(data: &Dataset, request: RuleEstimate<'_>, observer: &mut dyn Observer) -> Result<Self, SelectError> {
        let RuleEstimate { features, training_rows: train, test_rows: test, seed } = request;
        let chosen: Vec<&Feature> = features.iter().map(|&at| &data.features[at]).collect();
        let encoder = Encoder::fit_features(chosen.iter().copied(), train, data.coding, data.missing)?;
        let design = encoder.code(&chosen, train)?;
        let scaling = Scaling::fit(&design.x, &design.blocks);
        let scale = data
            .target
            .numbers()
            .map_or((0.0, 1.0), |numbers| moments(&train.iter().map(|&row| numbers[row]).collect::<Vec<_>>()));
        let goal = |rows: &[usize]| match data.target.numbers() {
            Some(numbers) => Goal::Numbers(rows.iter().map(|&row| (numbers[row] - scale.0) / scale.1).collect()),
            None => Goal::of(&data.target.rows_of(rows)),
        };
        let samples = |x, rows: &[usize]| Samples { x, goal: goal(rows), weights: vec![1.0; rows.len()] };
        let known = samples(scaling.apply(&design.x), train);
        let rules = RULES.min(known.count() / 2).max(1);
        let params = RuleParams { rules: Some(rules), steps: STEPS, starts: 1, ..RuleParams::default() };
        let network = fit(&known, &params, seed, observer)?.network;
        let test = samples(scaling.apply(&encoder.code(&chosen, test)?.x), test);
        Ok(Self { network, test, scale })
    }

    /// Number of rules.
    pub fn rules(&self) -> usize {
        self.network.rules()
    }

    /// Predictions for the test rows: a probability for every class, or a number.
    pub fn predictions(&self) -> Matrix {
        let mut found = predictions(&self.network, &self.test);
        if let Goal::Numbers(_) = self.test.goal {
            found.col_mut(0).iter_mut().for_each(|value| *value = *value * self.scale.1 + self.scale.0);
        }
        found
    }
}
