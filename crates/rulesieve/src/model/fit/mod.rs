//! Rule training: fits rules directly to chosen columns, so that every rule can be read.
//!
//! Rules start at cluster centres, with narrow spreads. The restart with the least validation loss is selected, because
//! averages of rules cannot be read. Numbers of rules are tried in ascending order. The chosen restart is then repeated
//! on all rows, for its best number of steps; not for mini-batches from a stream, of which the validation rows are a
//! small share.
//!
//! | file | content |
//! |---|---|
//! | `params` | [`RuleParams`]: every parameter with default, range and purpose |
//! | `restarts` | the number of rules, the best restart, the last pass on all rows |

mod params;
mod restarts;

pub use params::RuleParams;

use crate::methods::FitError;
use crate::methods::settings::Settings;
use crate::optim::{Halt, Observer, Progress};
use crate::rule_network::feed::{Feed, InMemory, advance_watched};
use crate::rule_network::network::Network;
use crate::rule_network::restart::Restart;
use crate::rule_network::samples::{Samples, shuffled_split};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use restarts::Restarts;
use std::sync::Arc;

/// Trained rules and a summary of their training.
#[derive(Debug, Clone)]
pub(crate) struct FittedRules {
    /// The rules.
    pub(crate) network: Network,
    /// Training loss over the last steps, and validation loss.
    pub(crate) losses: (f64, f64),
    /// Validation loss of the best constant prediction.
    pub(crate) chance_loss: f64,
    /// Accuracy (R squared for regression) on training rows and on validation rows.
    pub(crate) accuracies: (f64, f64),
    /// Numbers of training rows and validation rows among the samples.
    pub(crate) rows: (usize, usize),
    /// Rows in all mini-batches of the restart.
    pub(crate) seen: usize,
    /// Checked parameters by name.
    pub(crate) settings: Settings,
    /// Numbers of rules that were tried, with their validation losses.
    pub(crate) tried: Vec<(usize, f64)>,
    /// Steps of every restart.
    pub(crate) steps: usize,
    /// Index of the number of rules, index of the restart, and its best number of steps.
    origin: (usize, usize, usize),
    /// Whether the rules come from the last pass, on all rows; losses and accuracies are from before it.
    pub(crate) on_all_rows: bool,
    /// Whether the validation loss has converged.
    pub(crate) converged: bool,
    /// Set if the observer ended the training.
    pub(crate) halted: Option<Halt>,
    /// The number of rules during which the training ended, if the rules are those of an earlier number.
    pub(crate) cut_off: Option<usize>,
}

/// Fits rules to samples whose columns are centred and scaled.
pub(crate) fn fit(
    all: &Samples,
    params: &RuleParams,
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<FittedRules, FitError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // One split for all restarts, so that their losses can be compared.
    let (order, learn) = shuffled_split(&all.goal, all.count(), params.holdout, &mut rng);
    let restarts = Restarts::new(all.reordered(&order), learn, params, seed)?;
    let mut fit = restarts.choose(&mut InMemory, observer)?;
    if fit.halted.is_none() && learn < all.count() {
        restarts.repeat_on_all_rows(&mut fit, observer)?;
    }
    Ok(fit)
}

/// Fits rules to mini-batches of a feed on which the caller has begun a stage. The samples, training rows first, are
/// used for centres and validation alone.
pub(crate) fn fit_fed(
    samples: Samples,
    learn: usize,
    params: &RuleParams,
    seed: u64,
    observer: &mut dyn Observer,
    feed: &mut dyn Feed,
) -> Result<FittedRules, FitError> {
    Restarts::new(samples, learn, params, seed)?.choose(feed, observer)
}

/// Continues the training of rules on further samples, without validation rows. If the observer ends it, the rules are
/// those of the last step.
pub(crate) fn fit_further(
    samples: &Samples,
    network: Network,
    params: &RuleParams,
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<Network, FitError> {
    params.settings()?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (order, learn) = shuffled_split(&samples.goal, samples.count(), 0.0, &mut rng);
    let samples = Arc::new(samples.reordered(&order));
    let restart = Restart::new(samples, learn, &[], &params.training(), network, rng);
    let mut restart = restart.anchored(params.anchor());
    let before = Progress { iteration: 0, limit: params.steps, objective: None };
    advance_watched(&mut InMemory, &mut [&mut restart], params.steps, &before, observer)?;
    Ok(restart.network)
}
