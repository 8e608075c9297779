//! Several restarts in several stages: scores are averaged over the restarts, weighted by their improvement over the
//! constant prediction, and added up over the stages. Every stage continues with the better half of the features, among
//! which structure is easier to find.

use super::params::{Params, Score, default_dimensions, remaining};
use super::{importance, screen, start};
use crate::linalg::Matrix;
use crate::methods::FitError;
use crate::optim::{Halt, Observer, Progress};
use crate::rule_network::feed::{Feed, InMemory, advance_watched};
use crate::rule_network::network::Network;
use crate::rule_network::restart::Restart;
use crate::rule_network::samples::Samples;
use rayon::prelude::*;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

/// Number of validation checks per stage.
const CHECKS: usize = 100;

/// Results of the search.
pub(crate) struct Outcome {
    /// The score of every feature.
    pub(crate) scores: Vec<f64>,
    /// For every feature, whether a network of the last stage that included it uses it.
    pub(crate) used: Vec<bool>,
    /// Mean training and validation loss at every validation check.
    pub(crate) trace: Vec<(f64, f64)>,
    /// Validation loss of the best networks of the last stage, mean over the restarts.
    pub(crate) validation_loss: f64,
    /// Validation loss of the best constant prediction.
    pub(crate) chance_loss: f64,
    /// Whether the validation loss has converged in the last stage.
    pub(crate) converged: bool,
    /// Set if the observer ended it.
    pub(crate) halted: Option<Halt>,
    /// Steps of one restart, over all stages.
    pub(crate) steps: usize,
}

/// Runs all stages. `groups` are the columns of every feature.
pub(crate) fn search(
    all: &Samples,
    groups: &[Range<usize>],
    params: &Params,
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<Outcome, FitError> {
    search_fed(all, groups, params, seed, observer, &mut InMemory)
}

/// As [`search`], with mini-batches from a feed; `all` is then used for centres, validation and scores alone.
pub(crate) fn search_fed(
    all: &Samples,
    groups: &[Range<usize>],
    params: &Params,
    seed: u64,
    observer: &mut dyn Observer,
    feed: &mut dyn Feed,
) -> Result<Outcome, FitError> {
    let mut outcome = Outcome {
        scores: vec![0.0; groups.len()],
        used: vec![false; groups.len()],
        trace: Vec::new(),
        validation_loss: f64::NAN,
        chance_loss: f64::NAN,
        converged: false,
        halted: None,
        steps: 0,
    };
    let mut alive: Vec<usize> = (0..groups.len()).collect();
    for stage in 0..params.stages {
        let (samples, stage_groups) = restricted(all, groups, &alive);
        let samples = Arc::new(samples);
        feed.begin(&alive)?;
        let learn = feed.learn();
        let mut stage_params = params.clone();
        if stage > 0 {
            stage_params.d = params.d.min(default_dimensions(samples.x.rows()));
        }
        let factors =
            if params.screen { screen::row_factors(&samples, &stage_groups) } else { vec![1.0; samples.x.rows()] };
        let mut restarts: Vec<Restart> = (0..params.starts)
            .into_par_iter()
            .map(|number| {
                let stream = (stage * 1000 + number) as u64;
                start::start(&samples, learn, &stage_groups, &stage_params, &factors, (seed, stream))
            })
            .collect();
        outcome.run(&mut restarts, params, observer, feed)?;
        let ended_early = outcome.halted.is_some();
        let scores = average_scores(&restarts, &samples, &stage_groups, params.score, ended_early);
        for (&feature, (score, used)) in alive.iter().zip(&scores) {
            outcome.scores[feature] += score;
            outcome.used[feature] = *used;
        }
        if outcome.halted.is_some() {
            break;
        }
        let left = remaining(groups.len(), stage + 1);
        let mut order: Vec<usize> = (0..alive.len()).collect();
        order.sort_by(|&a, &b| scores[b].0.total_cmp(&scores[a].0).then(a.cmp(&b)));
        order.truncate(left);
        order.sort_unstable();
        alive = order.into_iter().map(|at| alive[at]).collect();
    }
    Ok(outcome)
}

impl Outcome {
    /// Trains all restarts of a stage in parallel.
    fn run(
        &mut self,
        restarts: &mut [Restart],
        params: &Params,
        observer: &mut dyn Observer,
        feed: &mut dyn Feed,
    ) -> Result<(), FitError> {
        let every = params.steps.div_ceil(CHECKS);
        let mut done = 0;
        while done < params.steps && self.halted.is_none() && !restarts.iter().all(Restart::finished) {
            let steps = every.min(params.steps - done);
            let mut learning: Vec<&mut Restart> = restarts.iter_mut().filter(|start| !start.finished()).collect();
            let limit = params.steps * params.stages;
            let before = Progress { iteration: self.steps, limit, objective: self.trace.last().map(|last| last.0) };
            let (steps, halted) = advance_watched(feed, &mut learning, steps, &before, observer)?;
            self.halted = halted;
            learning.par_iter_mut().filter(|start| !start.finished()).for_each(|restart| restart.validate());
            done += steps;
            self.steps += steps;
            let mean = |value: fn(&Restart) -> f64| restarts.iter().map(value).sum::<f64>() / restarts.len() as f64;
            let (training, validation) = (mean(|restart| restart.last().0), mean(|restart| restart.last().1));
            if !training.is_finite() {
                return Err(FitError::Diverged { iteration: self.steps, objective: training });
            }
            self.trace.push((training, validation));
            let progress = Progress { iteration: self.steps, limit, objective: Some(training) };
            if let (None, ControlFlow::Break(halt)) = (self.halted, observer.observe(&progress)) {
                self.halted = Some(halt);
            }
        }
        let mean = |value: fn(&Restart) -> f64| restarts.iter().map(value).sum::<f64>() / restarts.len() as f64;
        self.validation_loss = mean(|restart| restart.best_loss());
        self.chance_loss = mean(|restart| restart.chance_loss());
        self.converged =
            self.halted.is_none() && restarts.iter().filter(|restart| restart.settled()).count() * 2 > restarts.len();
        Ok(())
    }
}

/// The columns of some features.
fn restricted(all: &Samples, groups: &[Range<usize>], features: &[usize]) -> (Samples, Vec<Range<usize>>) {
    let columns: Vec<usize> = features.iter().flat_map(|&feature| groups[feature].clone()).collect();
    let mut first = 0;
    let groups = features
        .iter()
        .map(|&feature| {
            first += groups[feature].len();
            first - groups[feature].len()..first
        })
        .collect();
    let mut x = Matrix::zeros(columns.len(), all.count());
    for sample in 0..all.count() {
        let from = all.x.col(sample);
        x.col_mut(sample).iter_mut().zip(&columns).for_each(|(to, &column)| *to = from[column]);
    }
    (Samples { x, goal: all.goal.clone(), weights: all.weights.clone() }, groups)
}

/// Minimum weight of a restart.
const MIN_SHARE: f64 = 0.01;

/// Weights of the restarts: their improvement over the constant prediction on validation rows. If structure is hard to
/// find, only a few restarts find it, and the others add noise.
fn shares(restarts: &[Restart]) -> Vec<f64> {
    let won = |restart: &Restart| (1.0 - restart.best_loss() / restart.chance_loss().max(f64::MIN_POSITIVE)).max(0.0);
    let counts: Vec<f64> = restarts.iter().map(|restart| won(restart) + MIN_SHARE).collect();
    let total: f64 = counts.iter().sum();
    counts.iter().map(|count| count / total).collect()
}

/// Weighted mean over the restarts of scores scaled to length one, and whether any restart uses the feature.
fn average_scores(
    restarts: &[Restart],
    samples: &Samples,
    groups: &[Range<usize>],
    score: Score,
    ended_early: bool,
) -> Vec<(f64, bool)> {
    let one = |network: &Network| {
        let lengths = importance::row_lengths(network, groups);
        let scores = match score {
            Score::Jacobian => importance::jacobian(network, &samples.x, groups, ended_early),
            Score::Rows => lengths.clone(),
        };
        let length = scores.iter().map(|score| score * score).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
        let scaled: Vec<f64> = scores.iter().map(|score| score / length).collect();
        (scaled, lengths)
    };
    let each: Vec<(Vec<f64>, Vec<f64>)> = restarts.par_iter().map(|start| one(start.best())).collect();
    let shares = shares(restarts);
    (0..groups.len())
        .map(|at| {
            let mean = each.iter().zip(&shares).map(|((scores, _), share)| scores[at] * share).sum::<f64>();
            (mean, each.iter().any(|(_, lengths)| lengths[at] > 0.0))
        })
        .collect()
}
