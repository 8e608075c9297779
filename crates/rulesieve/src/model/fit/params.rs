//! Parameters of rule training.

use crate::methods::FitError;
use crate::methods::settings::{AUTO, ParamError, ParamSpec, Settings, params};
use crate::rule_network::anchor::Anchor;
use crate::rule_network::restart::TrainingParams;

params! { SPECS:
    RULES = "rules", Word(AUTO), WholeOrAuto(1, 512),
        "fuzzy rules; auto: the fewest of 4, 8, 16, 32 and 64 with about the best validation loss";
    ORDER = "order", Word("first"), OneOf(&["first", "zero"]),
        "consequents: linear in the columns (first) or constants, which are easier to read (zero)";
    STEPS = "steps", W(1000), Whole(1, 1_000_000), "mini-batch steps of every restart";
    BATCH = "batch", W(512), Whole(1, 1 << 24), "most rows of a mini-batch";
    RATE = "rate", N(0.02), Number(1e-9, 1.0),
        "largest learning rate of Adam; it rises over the first tenth of the steps, then falls to zero along half a cosine";
    GAMMA = "gamma", N(1e-3), Number(0.0, 1e3), "weight of the squared slopes of the consequents";
    SPREAD = "spread", N(0.5), Number(0.01, 10.0), "initial spreads of the first restart, in standard deviations of the columns; the next two use 0.6 and 1.6 times as much";
    HOLD_CENTRES = "hold_centres", N(0.01), Number(0.0, 1e3),
        "weight of the squared distances of centres from the cluster centres at which they start";
    HOLD_SPREADS = "hold_spreads", N(1.0), Number(0.0, 1e3),
        "the same for the logarithms of the spreads; where these are equal in all rules, noise shared by columns cancels out";
    HOLDOUT = "holdout", N(0.2), Number(0.0, 0.5),
        "share of validation rows, which stop the training early and choose among restarts; 0: none, the last parameters are taken";
    STARTS = "starts", W(3), Whole(1, 100), "restarts, of which the best is taken";
}

/// Owner of the parameters in error messages.
const OWNER: &str = "rule training";

/// Candidate numbers of rules for `auto`.
const SIZES: [usize; 5] = [4, 8, 16, 32, 64];

/// Parameters of rule training; [`RuleParams::specs`] declares defaults, ranges and purposes.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleParams {
    /// Number of rules; `None` selects the fewest of several numbers with about the best validation loss.
    pub rules: Option<usize>,
    /// Whether consequents are linear in the columns; constants are easier to read.
    pub first_order: bool,
    /// Mini-batch steps of every restart.
    pub steps: usize,
    /// Maximum number of rows of a mini-batch.
    pub batch: usize,
    /// Largest learning rate.
    pub rate: f64,
    /// Weight of the squared slopes of the consequents.
    pub gamma: f64,
    /// Initial spreads, in standard deviations of the columns.
    pub spread: f64,
    /// Weight of the squared distances of centres from their initial values.
    pub hold_centres: f64,
    /// Weight of the squared distances of log-spreads from their initial values.
    pub hold_spreads: f64,
    /// Share of validation rows.
    pub holdout: f64,
    /// Number of restarts, of which the best is selected.
    pub starts: usize,
}

impl Default for RuleParams {
    fn default() -> Self {
        Self::read(&Settings::default())
    }
}

impl RuleParams {
    /// Name, default, range and purpose of every parameter.
    pub fn specs() -> &'static [&'static ParamSpec] {
        &SPECS
    }

    /// The defaults with some parameters set by name; `-` may replace `_`.
    ///
    /// # Errors
    /// Unknown names, names that are set twice, and values out of range.
    pub fn new<N: AsRef<str>, V: AsRef<str>>(set: impl IntoIterator<Item = (N, V)>) -> Result<Self, ParamError> {
        Ok(Self::read(&Settings::new(OWNER, &SPECS, set)?))
    }

    /// All values by name.
    ///
    /// # Errors
    /// Values out of range.
    pub fn settings(&self) -> Result<Settings, ParamError> {
        let order = if self.first_order { "first" } else { "zero" };
        let values = [
            (&RULES.spec, self.rules.map_or(AUTO.to_owned(), |rules| rules.to_string())),
            (&ORDER.spec, order.to_owned()),
            (&STEPS.spec, self.steps.to_string()),
            (&BATCH.spec, self.batch.to_string()),
            (&RATE.spec, self.rate.to_string()),
            (&GAMMA.spec, self.gamma.to_string()),
            (&SPREAD.spec, self.spread.to_string()),
            (&HOLD_CENTRES.spec, self.hold_centres.to_string()),
            (&HOLD_SPREADS.spec, self.hold_spreads.to_string()),
            (&HOLDOUT.spec, self.holdout.to_string()),
            (&STARTS.spec, self.starts.to_string()),
        ];
        Settings::new(OWNER, &SPECS, values.map(|(spec, value)| (spec.name, value)))
    }

    fn read(settings: &Settings) -> Self {
        Self {
            rules: settings.auto_whole(&RULES),
            first_order: settings.word(&ORDER) == "first",
            steps: settings.whole(&STEPS),
            batch: settings.whole(&BATCH),
            rate: settings.number(&RATE),
            gamma: settings.number(&GAMMA),
            spread: settings.number(&SPREAD),
            hold_centres: settings.number(&HOLD_CENTRES),
            hold_spreads: settings.number(&HOLD_SPREADS),
            holdout: settings.number(&HOLDOUT),
            starts: settings.whole(&STARTS),
        }
    }

    /// The numbers of rules to try; each must not exceed the number of training rows.
    pub(super) fn sizes(&self, learn: usize) -> Result<Vec<usize>, FitError> {
        match self.rules {
            None => {
                let most = (learn / 8).max(SIZES[0]).min(learn);
                let sizes: Vec<usize> = SIZES.into_iter().filter(|&rules| rules <= most).collect();
                Ok(if sizes.is_empty() { vec![most] } else { sizes })
            }
            Some(rules) if rules > learn => {
                Err(RULES.out_of_range(rules, format!("at most the number of training rows, {learn}")).into())
            }
            Some(rules) => Ok(vec![rules]),
        }
    }

    pub(super) fn training(&self) -> TrainingParams {
        let Self { steps, batch, rate, gamma, first_order, .. } = *self;
        TrainingParams { steps, batch, rate, beta: 0.0, gamma, first_order }
    }

    pub(super) fn anchor(&self) -> Anchor {
        Anchor { centres: self.hold_centres, log_spreads: self.hold_spreads }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked_and_kept_exactly() {
        let set = [("rules", "7"), ("order", "zero"), ("rate", "0.1234567890123"), ("hold-spreads", "0")];
        let params = RuleParams::new(set).unwrap();
        assert_eq!((params.rules, params.first_order, params.rate), (Some(7), false, 0.123_456_789_012_3));
        let texts =
            params.settings().unwrap().iter().map(|(name, value)| (name, value.to_string())).collect::<Vec<_>>();
        assert_eq!(RuleParams::new(texts).unwrap(), params);
        assert_eq!(RuleParams::default().settings().unwrap(), Settings::defaults(RuleParams::specs()));
        for wrong in [RuleParams { rules: Some(0), ..params.clone() }, RuleParams { rate: f64::NAN, ..params }] {
            assert!(matches!(wrong.settings(), Err(ParamError::OutOfRange { .. })), "{wrong:?}");
        }
    }
}
