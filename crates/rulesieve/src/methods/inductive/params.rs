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

/// Parameters of one fit, within their ranges; 0 stands for a value that depends on the data.
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

impl Default for Params {
    fn default() -> Self {
        Self::from_settings(&Settings::default())
    }
}

/// Minimum number of features for halving.
const SMALLEST_STAGE: usize = 24;
const MOST_STAGES: usize = 3;

impl Params {
    /// Takes the values from checked settings.
    pub(crate) fn from_settings(settings: &Settings) -> Self {
        Self {
            beta: settings.number(&BETA),
            gamma: settings.number(&GAMMA),
            d: settings.auto_whole(&D).unwrap_or(0),
            rules: settings.auto_whole(&RULES).unwrap_or(0),
            first_order: settings.word(&ORDER) != "zero",
            steps: settings.auto_whole(&STEPS).unwrap_or(0),
            batch: settings.whole(&BATCH),
            rate: settings.number(&RATE),
            start: settings.number(&START),
            screen: settings.word(&SCREEN) != "off",
            holdout: settings.number(&HOLDOUT),
            starts: settings.auto_whole(&STARTS).unwrap_or(0),
            stages: settings.auto_whole(&STAGES).unwrap_or(0),
            score: if settings.word(&SCORE) == "rows" { Score::Rows } else { Score::Jacobian },
            balanced: settings.word(&WEIGHTS) == "balanced",
        }
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

    /// Checks every range, also those that depend on the data (n samples, m columns in `features` groups), and sets
    /// the values that depend on the data.
    pub(crate) fn for_data(&self, n: usize, m: usize, features: usize) -> Result<Self, ParamError> {
        self.check_ranges()?;
        if self.rules > n {
            return Err(RULES.out_of_range(self.rules, format!("at most the number of samples, {n}")));
        }
        let mut params = self.clone();
        if params.rules == 0 {
            params.rules = 16.min(n);
        }
        if params.d == 0 {
            params.d = default_dimensions(m);
        }
        if params.steps == 0 {
            let learn = (n as f64 * (1.0 - params.holdout)) as usize;
            params.steps = if learn > params.batch.saturating_mul(2) { 1500 } else { 1000 };
        }
        if params.starts == 0 {
            params.starts = match n.saturating_mul(m) {
                0..200_000 => 5,
                200_000..2_000_000 => 3,
                _ => 1,
            };
        }
        if params.stages == 0 {
            params.stages = (1..=MOST_STAGES)
                .rev()
                .find(|&s| s == 1 || remaining(features, s - 1) < remaining(features, s - 2))
                .unwrap_or(1);
        }
        Ok(params)
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

    fn check_ranges(&self) -> Result<(), ParamError> {
        let numbers = [
            (&BETA, self.beta),
            (&GAMMA, self.gamma),
            (&RATE, self.rate),
            (&START, self.start),
            (&HOLDOUT, self.holdout),
        ];
        let wholes = [(&BATCH, self.batch)];
        let chosen =
            [(&STEPS, self.steps), (&D, self.d), (&RULES, self.rules), (&STARTS, self.starts), (&STAGES, self.stages)];
        for (spec, value) in numbers {
            spec.parse(&value.to_string())?;
        }
        for (spec, value) in wholes {
            spec.parse(&value.to_string())?;
        }
        for (spec, value) in chosen.into_iter().filter(|&(_, value)| value != 0) {
            spec.parse(&value.to_string())?;
        }
        Ok(())
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
