//! The parameters of a refit, and what they say to its parts.

use crate::methods::FitError;
use crate::methods::inductive::anchor::Anchor;
use crate::methods::inductive::params::Params;
use crate::methods::settings::{AUTO, ParamRange, ParamSpec, ParamValue, Settings, param};

use ParamRange::{Number, OneOf, Whole, WholeOrAuto};
use ParamValue::{Number as N, Whole as W, Word};

param!(
    RULES,
    "rules",
    Word(AUTO),
    WholeOrAuto(1, 512),
    "fuzzy rules; auto: the fewest of 4, 8, 16, 32 and 64 that do about as well as the best on rows kept aside"
);
param!(
    ORDER,
    "order",
    Word("first"),
    OneOf(&["first", "zero"]),
    "consequents: linear in the columns (first) or constants, which are easier to read (zero)"
);
param!(STEPS, "steps", W(1000), Whole(1, 1_000_000), "mini-batch steps of every start");
param!(BATCH, "batch", W(512), Whole(1, 1 << 24), "samples of a mini-batch at most");
param!(
    RATE,
    "rate",
    N(0.02),
    Number(1e-9, 1.0),
    "Adam's rate at its height; it rises over the first tenth of the steps, then falls to zero along half a cosine"
);
param!(GAMMA, "gamma", N(1e-3), Number(0.0, 1e3), "weight of the squared slopes of the consequents");
param!(SPREAD, "spread", N(0.5), Number(0.01, 10.0), "spreads at the start, in standard deviations of the columns");
param!(
    HOLD_CENTRES,
    "hold_centres",
    N(0.01),
    Number(0.0, 1e3),
    "weight of the squared distances of centres from the clusters at which they start"
);
param!(
    HOLD_SPREADS,
    "hold_spreads",
    N(1.0),
    Number(0.0, 1e3),
    "the same for the logarithms of the spreads: alike in all rules, noise shared by columns cancels out"
);
param!(
    HOLDOUT,
    "holdout",
    N(0.2),
    Number(0.0, 0.5),
    "share of the rows kept aside to stop early and to choose; 0: none, the last parameters are taken"
);
param!(STARTS, "starts", W(3), Whole(1, 100), "starts, of which the best is taken");

/// All parameters of a refit.
pub static SPECS: [&ParamSpec; 11] =
    [&RULES, &ORDER, &STEPS, &BATCH, &RATE, &GAMMA, &SPREAD, &HOLD_CENTRES, &HOLD_SPREADS, &HOLDOUT, &STARTS];

/// What `auto` tries.
const LADDER: [usize; 5] = [4, 8, 16, 32, 64];

/// What a refit shares with the search.
pub(crate) fn params(settings: &Settings) -> Params {
    Params {
        beta: 0.0,
        gamma: settings.number(&GAMMA),
        first_order: settings.word(&ORDER) != "zero",
        steps: settings.whole(&STEPS),
        batch: settings.whole(&BATCH),
        rate: settings.number(&RATE),
        holdout: settings.number(&HOLDOUT),
        starts: settings.whole(&STARTS),
        ..Params::default()
    }
}

/// The numbers of rules to try; a rule needs some samples to learn from.
pub(super) fn sizes(settings: &Settings, learn: usize) -> Result<Vec<usize>, FitError> {
    match settings.whole(&RULES) {
        0 => {
            let most = (learn / 8).max(LADDER[0]).min(learn);
            let sizes: Vec<usize> = LADDER.into_iter().filter(|&rules| rules <= most).collect();
            Ok(if sizes.is_empty() { vec![most] } else { sizes })
        }
        rules if rules > learn => {
            Err(RULES.out_of_range(rules, format!("at most the number of rows to learn from, {learn}")).into())
        }
        rules => Ok(vec![rules]),
    }
}

/// How wide the rules start, as the logarithm of their spread.
pub(super) fn log_spread(settings: &Settings) -> f64 {
    settings.number(&SPREAD).ln()
}

/// How strongly the rules are held where they start.
pub(super) fn anchor(settings: &Settings) -> Anchor {
    Anchor { centres: settings.number(&HOLD_CENTRES), log_spreads: settings.number(&HOLD_SPREADS) }
}
