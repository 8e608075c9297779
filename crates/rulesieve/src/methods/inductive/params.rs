//! The parameters of `ldr-tsk-inductive`. The defaults were tuned on the problems of `experiments/synthetic`, Madelon
//! and a few real tables.

use crate::methods::settings::{AUTO, ParamError, ParamSpec, ParamValue, Settings, params};
use crate::rule_network::loss::Goal;
use crate::rule_network::restart::TrainingParams;

use ParamValue::Whole as W;

params! { pub(super) SPECS:
    BETA = "beta", N(0.25), Number(0.0, 100.0),
        "weight of the row sparsity |Q|_2,1, in units of the root of d: Adam moves a row by at most that many rates a step";
    GAMMA = "gamma", N(0.03), Number(0.0, 1e3), "weight of |P|^2, the slopes of the consequents";
    D = "d", Word(AUTO), WholeOrAuto(1, 4096), "latent dimensions; auto: a third of the columns, from 3 to 16";
    RULES = "rules", Word(AUTO), WholeOrAuto(1, 1024), "fuzzy rules, at most the number of samples; auto: 16";
    ORDER = "order", Word("first"), OneOf(&["first", "zero"]),
        "consequents: linear in the projection (first) or constant (zero)";
    STEPS = "steps", Word(AUTO), WholeOrAuto(1, 10_000_000),
        "mini-batch steps of every restart in every stage; auto: 1000, or 1500 for more than two mini-batches";
    BATCH = "batch", W(1024), Whole(1, 1 << 24), "maximum number of samples of a mini-batch";
    RATE = "rate", N(0.02), Number(1e-9, 1.0),
        "largest learning rate of Adam; it rises over the first tenth of the steps, then falls to zero along half a cosine";
    START = "start", N(0.1), Number(1e-6, 10.0), "initial length of the columns of Q";
    SCREEN = "screen", Word("on"), OneOf(&["on", "off"]),
        "whether initial rows of Q are longer for columns, or pairs of them, that differ between the classes";
    HOLDOUT = "holdout", N(0.15), Number(0.0, 0.5),
        "share of validation rows in every restart, on which the best parameters are chosen; 0: the last ones";
    STARTS = "starts", Word(AUTO), WholeOrAuto(1, 1000),
        "restarts whose scores are averaged; auto: fewer for larger tables";
    STAGES = "stages", Word(AUTO), WholeOrAuto(1, 20),
        "consecutive fits, each on the better half of the features of the previous one; scores add up; auto: up to 3";
    SCORE = "score", Word("jacobian"), OneOf(&["jacobian", "rows"]),
        "score of a feature: sensitivity of the outputs (jacobian), or length of its row of Q (rows)";
    WEIGHTS = "weights", Word("equal"), OneOf(&["equal", "balanced"]),
        "whether rows (equal) or classes (balanced) have equal weight";
}

/// Score of a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Score {
    /// Sensitivity of the outputs.
    Jacobian,
    /// Length of its row of Q.
    Rows,
}

/// Parameters of one fit, within their ranges.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Params {
    pub(crate) beta: f64,
    pub(crate) gamma: f64,
    pub(crate) d: usize,
    pub(crate) rules: usize,
    pub(crate) first_order: bool,
    pub(crate) steps: usize,
    pub(crate) batch: usize,
    pub(crate) rate: f64,
    pub(crate) start: f64,
    pub(crate) screen: bool,
    pub(crate) holdout: f64,
    pub(crate) starts: usize,
    pub(crate) stages: usize,
    pub(crate) score: Score,
    pub(crate) balanced: bool,
}

/// Minimum number of features for halving.
const SMALLEST_STAGE: usize = 24;
const MOST_STAGES: usize = 3;

impl Params {
    /// Takes the values from checked settings, and sets those that are `auto` for n samples and m columns that code
    /// `features` features.
    ///
    /// # Errors
    /// More rules than samples.
    pub(crate) fn new(settings: &Settings, n: usize, m: usize, features: usize) -> Result<Self, ParamError> {
        let rules = settings.auto_whole(&RULES).unwrap_or(16.min(n));
        if rules > n {
            return Err(RULES.out_of_range(rules, format!("at most the number of samples, {n}")));
        }
        let (batch, holdout) = (settings.whole(&BATCH), settings.number(&HOLDOUT));
        let steps = || {
            let learn = (n as f64 * (1.0 - holdout)) as usize;
            if learn > batch.saturating_mul(2) { 1500 } else { 1000 }
        };
        let starts = || match n.saturating_mul(m) {
            0..200_000 => 5,
            200_000..2_000_000 => 3,
            _ => 1,
        };
        let reduces =
            |&stages: &usize| stages == 1 || remaining(features, stages - 1) < remaining(features, stages - 2);
        Ok(Self {
            beta: settings.number(&BETA),
            gamma: settings.number(&GAMMA),
            d: settings.auto_whole(&D).unwrap_or_else(|| default_dimensions(m)),
            rules,
            first_order: settings.word(&ORDER) != "zero",
            steps: settings.auto_whole(&STEPS).unwrap_or_else(steps),
            batch,
            rate: settings.number(&RATE),
            start: settings.number(&START),
            screen: settings.word(&SCREEN) != "off",
            holdout,
            starts: settings.auto_whole(&STARTS).unwrap_or_else(starts),
            stages: settings.auto_whole(&STAGES).or_else(|| (1..=MOST_STAGES).rev().find(reduces)).unwrap_or(1),
            score: if settings.word(&SCORE) == "rows" { Score::Rows } else { Score::Jacobian },
            balanced: settings.word(&WEIGHTS) == "balanced",
        })
    }

    /// Training parameters of the network.
    pub(super) fn training(&self) -> TrainingParams {
        let Self { steps, batch, rate, beta, gamma, first_order, .. } = *self;
        TrainingParams { steps, batch, rate, beta, gamma, first_order }
    }

    /// Rejects class weights for regression.
    pub(crate) fn check_goal(&self, goal: &Goal) -> Result<(), ParamError> {
        match goal {
            Goal::Numbers(_) if self.balanced => {
                Err(WEIGHTS.out_of_range("balanced", "equal, because a regression target has no classes".to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// The parameters that depend on the data, with their values.
    pub(super) fn resolved(&self) -> Vec<(&'static str, ParamValue)> {
        let whole = |spec: &'static ParamSpec, value: usize| (spec.name, W(value as u64));
        vec![
            whole(&STEPS, self.steps),
            whole(&D, self.d),
            whole(&RULES, self.rules),
            whole(&STARTS, self.starts),
            whole(&STAGES, self.stages),
        ]
    }
}

/// Default number of latent dimensions for m columns.
pub(crate) fn default_dimensions(m: usize) -> usize {
    (m / 3).clamp(3, 16)
}

/// Number of features after some stages: half after every stage, but never fewer than 24.
pub(crate) fn remaining(features: usize, stages: usize) -> usize {
    (0..stages).fold(features, |left, _| left.min((left / 2).max(SMALLEST_STAGE)))
}
