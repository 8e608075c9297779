//! Restarts of several numbers of rules on the same training and validation rows.

use super::{FittedRules, RuleParams};
use crate::linalg::Matrix;
use crate::methods::FitError;
use crate::methods::settings::{ParamError, Settings};
use crate::optim::{Halt, Observer, Progress};
use crate::rule_network::centres::centres;
use crate::rule_network::feed::{Feed, InMemory, advance_watched};
use crate::rule_network::network::Network;
use crate::rule_network::predictions::accuracy;
use crate::rule_network::restart::Restart;
use crate::rule_network::samples::Samples;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Number of validation checks per restart.
const CHECKS: usize = 30;
/// Share of the best improvement over the constant prediction that is traded for fewer rules.
const ACCEPTED_LOSS: f64 = 0.02;

/// Initial spreads of successive restarts, in units of the parameter, so that validation rows choose the spread as well.
const SPREADS: [f64; 3] = [1.0, 0.6, 1.6];

/// Samples and parameters shared by all restarts.
pub(super) struct Restarts<'a> {
    samples: Arc<Samples>,
    learn: usize,
    params: &'a RuleParams,
    settings: Settings,
    seed: u64,
}

impl<'a> Restarts<'a> {
    /// Checks the parameters. The first `learn` samples are training rows, the others validation rows.
    pub(super) fn new(samples: Samples, learn: usize, params: &'a RuleParams, seed: u64) -> Result<Self, ParamError> {
        Ok(Self { samples: Arc::new(samples), learn, params, settings: params.settings()?, seed })
    }

    /// Tries several numbers of rules in ascending order and selects the fewest with about the best validation loss.
    pub(super) fn choose(&self, feed: &mut dyn Feed, observer: &mut dyn Observer) -> Result<FittedRules, FitError> {
        let sizes = self.params.sizes(self.learn)?;
        let mut fits: Vec<FittedRules> = Vec::new();
        let (mut halted, mut cut_off) = (None, None);
        for (size, &rules) in sizes.iter().enumerate() {
            let fit = self.train(rules, (size, sizes.len()), feed, observer)?;
            halted = fit.halted;
            if halted.is_none() || fits.is_empty() {
                fits.push(fit);
            } else {
                cut_off = Some(rules);
            }
            // Stop after two doublings without improvement.
            if halted.is_some() || (fits.len() > 2 && best(&fits) + 2 < fits.len()) {
                break;
            }
        }
        let tried = fits.iter().map(|fit| (fit.network.rules(), fit.losses.1)).collect();
        let least = fits[best(&fits)].losses.1;
        let enough = |fit: &FittedRules| fit.losses.1 <= least + ACCEPTED_LOSS * (fit.chance_loss - least).max(0.0);
        let at = fits.iter().position(enough).unwrap_or(0);
        Ok(FittedRules { tried, halted, cut_off, ..fits.swap_remove(at) })
    }

    /// Trains all restarts of one number of rules in parallel and selects the best.
    fn train(
        &self,
        rules: usize,
        (size, sizes): (usize, usize),
        feed: &mut dyn Feed,
        observer: &mut dyn Observer,
    ) -> Result<FittedRules, FitError> {
        let mut restarts: Vec<Restart> = (0..self.params.starts)
            .into_par_iter()
            .map(|number| self.restart(rules, (size, number), self.learn))
            .collect();
        let steps = self.params.steps;
        let every = steps.div_ceil(CHECKS);
        let (mut done, mut halted) = (0, None);
        while done < steps && halted.is_none() {
            let now = every.min(steps - done);
            let before = Progress { iteration: size * steps + done, limit: sizes * steps, objective: None };
            let (now, ended) =
                advance_watched(feed, &mut restarts.iter_mut().collect::<Vec<_>>(), now, &before, observer)?;
            halted = ended;
            restarts.par_iter_mut().for_each(Restart::validate);
            done += now;
            let least = restarts.iter().map(Restart::best_loss).fold(f64::INFINITY, f64::min);
            if !least.is_finite() {
                return Err(FitError::Diverged { iteration: done, objective: least });
            }
            let progress = Progress { iteration: size * steps + done, limit: sizes * steps, objective: Some(least) };
            if let (None, ControlFlow::Break(halt)) = (halted, observer.observe(&progress)) {
                halted = Some(halt);
            }
        }
        let at = least_of(restarts.iter().map(Restart::best_loss));
        let origin = (size, at, restarts[at].best_step());
        Ok(FittedRules { origin, ..self.fitted(&restarts[at], done, halted) })
    }

    /// Repeats the selected restart on all rows, for its best number of steps. If the observer ends it, the rules stay.
    pub(super) fn repeat_on_all_rows(
        &self,
        fit: &mut FittedRules,
        observer: &mut dyn Observer,
    ) -> Result<(), FitError> {
        let (size, number, steps) = fit.origin;
        let mut restart = self.restart(fit.network.rules(), (size, number), self.samples.count());
        let done = self.params.sizes(self.learn)?.len() * self.params.steps;
        let before = Progress { iteration: done, limit: done + self.params.steps, objective: None };
        fit.halted = advance_watched(&mut InMemory, &mut [&mut restart], steps, &before, observer)?.1;
        if fit.halted.is_none() {
            fit.network = restart.network;
            fit.on_all_rows = true;
        }
        Ok(())
    }

    fn restart(&self, rules: usize, (size, number): (usize, usize), learn: usize) -> Restart {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream((1 + size * 1000 + number) as u64);
        let (d, outputs) = (self.samples.x.rows(), self.samples.goal.outputs());
        let centres = centres(&self.samples.x, self.learn, rules, &mut rng);
        // The firing strength averages over the columns: spreads are scaled to compensate for their number.
        let log_spread = (self.params.spread * SPREADS[number % SPREADS.len()]).ln();
        let mut normal = |length: f64| length * Distribution::<f64>::sample(&StandardNormal, &mut rng);
        let length = if self.params.first_order { 0.01 } else { 0.0 };
        let slopes = Matrix::from_fn(d, rules * outputs, |_, _| normal(length));
        let constants = (0..rules * outputs).map(|_| normal(0.01)).collect();
        let log_spreads = Matrix::from_fn(rules, d, |_, _| log_spread);
        let network = Network { projection: None, centres, log_spreads, slopes, constants };
        let samples = Arc::clone(&self.samples);
        Restart::new(samples, learn, &[], &self.params.training(), network, rng).anchored(self.params.anchor())
    }

    fn fitted(&self, restart: &Restart, steps: usize, halted: Option<Halt>) -> FittedRules {
        let network = restart.best().clone();
        let all = self.samples.count();
        let training = accuracy(&network, &self.samples, 0..self.learn);
        let validation = if self.learn < all { accuracy(&network, &self.samples, self.learn..all) } else { training };
        FittedRules {
            network,
            losses: (restart.last().0, restart.best_loss()),
            chance_loss: restart.chance_loss(),
            accuracies: (training, validation),
            rows: (self.learn, all - self.learn),
            seen: restart.seen(),
            settings: self.settings.clone(),
            tried: Vec::new(),
            origin: (0, 0, 0),
            on_all_rows: false,
            steps,
            converged: halted.is_none() && restart.settled(),
            halted,
            cut_off: None,
        }
    }
}

fn best(fits: &[FittedRules]) -> usize {
    least_of(fits.iter().map(|fit| fit.losses.1))
}

/// Index of the least loss.
fn least_of(losses: impl Iterator<Item = f64>) -> usize {
    losses.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(at, _)| at)
}
