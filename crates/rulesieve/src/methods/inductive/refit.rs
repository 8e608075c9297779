//! A rule base directly on chosen columns: Q is the identity, so every rule speaks of real columns and can be read.
//!
//! The same model and the same steps as in `train`, with rules that start at centres of clusters and with narrow
//! spreads. Of several starts the one with the smallest loss on the rows kept aside is taken whole: averages cannot be
//! read. Numbers of rules are tried from few to many, and the fewest that do about as well as the best are taken. The
//! winner is then trained once more on all rows, for as many steps as did best; not so when mini-batches come from
//! elsewhere, where the rows kept aside are a small share of all.

mod params;

pub use params::SPECS;
pub(crate) use params::params;

use super::anchor::Anchor;
use super::centres::centres;
use super::loss::Goal;
use super::network::Network;
use super::params::Params;
use super::pass::{Pass, softmax};
use super::samples::{Samples, shuffled_split, windows};
use super::search::{Feed, InMemory, advance_watched};
use super::train::Start;
use crate::linalg::Matrix;
use crate::methods::FitError;
use crate::methods::settings::Settings;
use crate::optim::{Halt, Observer, Progress};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

/// Numbers (of deviation one) whose mean squared deviation is below this are the same.
const SAME: f64 = 1e-9;
/// Looks at the samples kept aside.
const LOOKS: usize = 30;
/// So much of what the best number of rules wins over chance may be given up for fewer rules.
const GIVEN_UP: f64 = 0.02;

/// A rule base and how it came about.
#[derive(Debug, Clone)]
pub struct Refitted {
    /// The rules.
    pub network: Network,
    /// Training loss over the last steps, and the loss on the rows kept aside.
    pub losses: (f64, f64),
    /// The latter for the best constant answer.
    pub chance_loss: f64,
    /// Share of rows learned from that are answered rightly, and of those kept aside; for numbers, R squared.
    pub accuracies: (f64, f64),
    /// Rows learned from, and kept aside; of the samples, also where mini-batches come from elsewhere.
    pub rows: (usize, usize),
    /// Rows of all mini-batches of the start, however often one came.
    pub seen: usize,
    /// Numbers of rules that were tried, with the best loss on the rows kept aside.
    pub tried: Vec<(usize, f64)>,
    /// Steps of every start.
    pub steps: usize,
    /// Place in the list of numbers of rules, number of the start, and steps that did best.
    origin: (usize, usize, usize),
    /// Whether the rules come from the last pass, on all rows; losses and accuracies are from before it.
    pub on_all_rows: bool,
    /// Whether the loss on the rows kept aside had stopped falling.
    pub converged: bool,
    /// Set when the observer ended it.
    pub halted: Option<Halt>,
    /// The number of rules that were being tried when it ended, where the rules are those of an earlier number.
    pub cut_off: Option<usize>,
}

/// Fits rules to samples whose columns are centred and scaled.
pub fn refit(all: &Samples, settings: &Settings, seed: u64, observer: &mut dyn Observer) -> Result<Refitted, FitError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // One split for all, so that their losses can be compared.
    let (order, learn) = shuffled_split(&all.goal, all.count(), params(settings).holdout, &mut rng);
    let mut race = Race::new(all.reordered(&order), learn, settings, seed);
    let mut run = race.climb(&params::sizes(settings, learn)?, &mut InMemory, observer)?;
    if run.halted.is_none() && learn < all.count() {
        race.on_all_rows(&mut run);
    }
    Ok(run)
}

/// The same with batches from elsewhere, on which the caller has begun a stage. The samples, those to learn from first,
/// then only give centres, early stopping and the choice of a start.
pub(crate) fn refit_fed(
    samples: Samples,
    learn: usize,
    settings: &Settings,
    seed: u64,
    observer: &mut dyn Observer,
    feed: &mut dyn Feed,
) -> Result<Refitted, FitError> {
    Race::new(samples, learn, settings, seed).climb(&params::sizes(settings, learn)?, feed, observer)
}

/// Goes on from given rules with further samples, none of them kept aside. An observer may end it; the rules are then those it
/// has come to.
pub(crate) fn further(
    samples: &Samples,
    network: Network,
    settings: &Settings,
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<Network, FitError> {
    let params = params(settings);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (order, learn) = shuffled_split(&samples.goal, samples.count(), 0.0, &mut rng);
    let samples = Arc::new(samples.reordered(&order));
    let start = Start::from_network(samples, learn, &[], &params, network, rng);
    let mut start = start.anchored(params::anchor(settings));
    let before = Progress { iteration: 0, limit: params.steps, objective: None };
    advance_watched(&mut InMemory, &mut [&mut start], params.steps, &before, observer)?;
    Ok(start.network)
}

fn best(runs: &[Refitted]) -> usize {
    let losses = runs.iter().map(|run| run.losses.1).enumerate();
    losses.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(at, _)| at)
}

/// What all starts share.
struct Race {
    samples: Arc<Samples>,
    learn: usize,
    params: Params,
    log_spread: f64,
    anchor: Anchor,
    seed: u64,
}

impl Race {
    fn new(samples: Samples, learn: usize, settings: &Settings, seed: u64) -> Self {
        Self {
            samples: Arc::new(samples),
            learn,
            params: params(settings),
            log_spread: params::log_spread(settings),
            anchor: params::anchor(settings),
            seed,
        }
    }

    /// Tries some numbers of rules, few to many, and takes the fewest that do about as well as the best.
    fn climb(
        &mut self,
        sizes: &[usize],
        feed: &mut dyn Feed,
        observer: &mut dyn Observer,
    ) -> Result<Refitted, FitError> {
        let mut runs: Vec<Refitted> = Vec::new();
        let (mut halted, mut cut_off) = (None, None);
        for (rung, &rules) in sizes.iter().enumerate() {
            self.params.rules = rules;
            let run = self.run((rung, sizes.len()), feed, observer)?;
            halted = run.halted;
            if halted.is_none() || runs.is_empty() {
                runs.push(run);
            } else {
                cut_off = Some(rules);
            }
            // Neither of two doublings helped: a third will not.
            if halted.is_some() || (runs.len() > 2 && best(&runs) + 2 < runs.len()) {
                break;
            }
        }
        let tried = runs.iter().map(|run| (run.network.rules(), run.losses.1)).collect();
        let least = runs[best(&runs)].losses.1;
        let enough = |run: &Refitted| run.losses.1 <= least + GIVEN_UP * (run.chance_loss - least).max(0.0);
        let at = runs.iter().position(enough).unwrap_or(0);
        Ok(Refitted { tried, halted, cut_off, ..runs.swap_remove(at) })
    }

    /// Trains all starts of one number of rules side by side, and takes the best.
    fn run(
        &self,
        (rung, rungs): (usize, usize),
        feed: &mut dyn Feed,
        observer: &mut dyn Observer,
    ) -> Result<Refitted, FitError> {
        let mut starts: Vec<Start> =
            (0..self.params.starts).into_par_iter().map(|at| self.start(rung, at, self.learn)).collect();
        let steps = self.params.steps;
        let every = steps.div_ceil(LOOKS);
        let (mut done, mut halted) = (0, None);
        while done < steps && halted.is_none() {
            let now = every.min(steps - done);
            let before = Progress { iteration: rung * steps + done, limit: rungs * steps, objective: None };
            let (now, ended) =
                advance_watched(feed, &mut starts.iter_mut().collect::<Vec<_>>(), now, &before, observer)?;
            halted = ended;
            starts.par_iter_mut().for_each(Start::look);
            done += now;
            let least = starts.iter().map(Start::best_loss).fold(f64::INFINITY, f64::min);
            if !least.is_finite() {
                return Err(FitError::Diverged { iteration: done, objective: least });
            }
            let progress = Progress { iteration: rung * steps + done, limit: rungs * steps, objective: Some(least) };
            if let (None, ControlFlow::Break(halt)) = (halted, observer.observe(&progress)) {
                halted = Some(halt);
            }
        }
        let losses = starts.iter().map(Start::best_loss).enumerate();
        let at = losses.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(at, _)| at);
        let mut outcome = self.outcome(&starts[at], done, halted);
        outcome.origin = (rung, at, starts[at].best_step());
        Ok(outcome)
    }

    /// Takes the same start again, now on all rows, for as many steps as did best.
    fn on_all_rows(&mut self, run: &mut Refitted) {
        let (rung, number, steps) = run.origin;
        self.params.rules = run.network.rules();
        let mut start = self.start(rung, number, self.samples.count());
        start.advance(steps);
        run.network = start.network;
        run.on_all_rows = true;
    }

    fn start(&self, rung: usize, number: usize, learn: usize) -> Start {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream((1 + rung * 1000 + number) as u64);
        let (rules, outputs) = (self.params.rules, self.samples.goal.outputs());
        let centres = centres(&self.samples.x, self.learn, rules, &mut rng);
        let d = self.samples.x.rows();
        // Firing takes the mean over the columns, so that narrow spreads must make up for their number.
        let mut normal = |length: f64| length * Distribution::<f64>::sample(&StandardNormal, &mut rng);
        let length = if self.params.first_order { 0.01 } else { 0.0 };
        let slopes = Matrix::from_fn(d, rules * outputs, |_, _| normal(length));
        let constants = (0..rules * outputs).map(|_| normal(0.01)).collect();
        let log_spreads = Matrix::from_fn(rules, d, |_, _| self.log_spread);
        let network = Network { projection: None, centres, log_spreads, slopes, constants };
        Start::from_network(Arc::clone(&self.samples), learn, &[], &self.params, network, rng).anchored(self.anchor)
    }

    fn outcome(&self, start: &Start, steps: usize, halted: Option<Halt>) -> Refitted {
        let network = start.best().clone();
        let all = self.samples.count();
        let seen = accuracy(&network, &self.samples, 0..self.learn);
        let aside = if self.learn < all { accuracy(&network, &self.samples, self.learn..all) } else { seen };
        Refitted {
            network,
            losses: (start.last().0, start.best_loss()),
            chance_loss: start.chance_loss(),
            accuracies: (seen, aside),
            rows: (self.learn, all - self.learn),
            seen: start.seen(),
            tried: Vec::new(),
            origin: (0, 0, 0),
            on_all_rows: false,
            steps,
            converged: halted.is_none() && start.settled(),
            halted,
            cut_off: None,
        }
    }
}

/// For all samples, a probability for every class, or a number.
pub(crate) fn answers(network: &Network, samples: &Samples) -> Matrix {
    let mut pass = Pass::default();
    pass.forward(network, &samples.x, 0..samples.count());
    let mut answers = pass.logits.clone();
    if let Goal::Classes { .. } = samples.goal {
        softmax(&mut answers, &mut Matrix::default());
    }
    answers
}

/// Share of right answers, or R squared, on some samples; 0 for numbers that are all the same.
pub(crate) fn accuracy(network: &Network, samples: &Samples, range: Range<usize>) -> f64 {
    let mut pass = Pass::default();
    let (count, mut right, mut squares, mut sum, mut residual) = (range.len() as f64, 0.0, 0.0, 0.0, 0.0);
    for window in windows(range.len(), 1024) {
        let window = range.start + window.start..range.start + window.end;
        pass.forward(network, &samples.x, window.clone());
        for (row, sample) in window.enumerate() {
            match &samples.goal {
                Goal::Classes { codes, count } => {
                    let own = pass.logits[(row, codes[sample] as usize)];
                    let beaten =
                        (0..*count).all(|other| other == codes[sample] as usize || pass.logits[(row, other)] < own);
                    right += f64::from(u8::from(beaten));
                }
                Goal::Numbers(values) => {
                    sum += values[sample];
                    squares += values[sample].powi(2);
                    residual += (values[sample] - pass.logits[(row, 0)]).powi(2);
                }
            }
        }
    }
    match samples.goal {
        Goal::Classes { .. } => right / count,
        Goal::Numbers(_) => {
            let spread = squares - sum * sum / count;
            if spread > SAME * count { 1.0 - residual / spread } else { 0.0 }
        }
    }
}
