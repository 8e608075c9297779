//! Several starts in several stages: scores are averaged over the starts, those that have learned more counting more,
//! and added up over the stages. Every stage goes on with the better half of the features, where what is left stands out
//! more clearly.

use super::importance;
use super::network::Network;
use super::params::{Params, Score, default_dimensions, kept};
use super::samples::Samples;
use super::screen;
use super::train::Start;
use crate::linalg::Matrix;
use crate::methods::FitError;
use crate::optim::{Halt, Observer, Progress};
use rayon::prelude::*;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

/// Looks at the samples kept aside in every stage.
const LOOKS: usize = 100;

/// Steps after which an observer is asked at the latest.
const PATIENCE: usize = 50;

/// What the search has found.
pub struct Outcome {
    /// A score for every feature.
    pub scores: Vec<f64>,
    /// For every feature, whether the model of the last start that saw it uses it.
    pub used: Vec<bool>,
    /// Mean training and validation loss at every look.
    pub trace: Vec<(f64, f64)>,
    /// Validation loss of the best networks of the last stage, mean over the starts.
    pub validation_loss: f64,
    /// The same for the best constant answer.
    pub chance_loss: f64,
    /// Whether the validation loss had stopped falling in the last stage.
    pub converged: bool,
    /// Set when the observer ended it.
    pub halted: Option<Halt>,
    /// Steps of one start, over all stages.
    pub steps: usize,
}

/// Where the mini-batches of a search or a refit come from.
pub trait Feed {
    /// A stage begins on the columns of these features.
    fn begin(&mut self, features: &[usize]) -> Result<(), FitError>;

    /// How many of the samples, the first ones, are for learning; `None` lets every start split them by itself.
    fn learn(&self) -> Option<usize>;

    /// Takes some steps in these starts of the stage.
    fn advance(&mut self, starts: &mut [&mut Start], steps: usize) -> Result<(), FitError>;
}

/// Every start has its own order of the samples and batches of its own.
pub(super) struct InMemory;

impl Feed for InMemory {
    fn begin(&mut self, _: &[usize]) -> Result<(), FitError> {
        Ok(())
    }

    fn learn(&self) -> Option<usize> {
        None
    }

    fn advance(&mut self, starts: &mut [&mut Start], steps: usize) -> Result<(), FitError> {
        starts.par_iter_mut().for_each(|start| start.advance(steps));
        Ok(())
    }
}

/// Runs all stages. `groups` are the columns of every feature; `params` must have passed [`Params::for_data`].
pub fn search(
    all: &Samples,
    groups: &[Range<usize>],
    params: &Params,
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<Outcome, FitError> {
    search_fed(all, groups, params, seed, observer, &mut InMemory)
}

/// The same with batches from elsewhere; `all` then only gives centres, validation and scores.
pub fn search_fed(
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
        let mut starts: Vec<Start> = (0..params.starts)
            .into_par_iter()
            .map(|number| {
                let stream = (stage * 1000 + number) as u64;
                Start::new(&samples, learn, &stage_groups, &stage_params, &factors, (seed, stream))
            })
            .collect();
        outcome.run(&mut starts, params, observer, feed)?;
        let scores = average_scores(&starts, &samples, &stage_groups, params.score);
        for (&feature, (score, used)) in alive.iter().zip(&scores) {
            outcome.scores[feature] += score;
            outcome.used[feature] = *used;
        }
        if outcome.halted.is_some() {
            break;
        }
        let left = kept(groups.len(), stage + 1);
        let mut order: Vec<usize> = (0..alive.len()).collect();
        order.sort_by(|&a, &b| scores[b].0.total_cmp(&scores[a].0).then(a.cmp(&b)));
        order.truncate(left);
        order.sort_unstable();
        alive = order.into_iter().map(|at| alive[at]).collect();
    }
    Ok(outcome)
}

impl Outcome {
    /// Trains all starts of a stage side by side.
    fn run(
        &mut self,
        starts: &mut [Start],
        params: &Params,
        observer: &mut dyn Observer,
        feed: &mut dyn Feed,
    ) -> Result<(), FitError> {
        let every = params.steps.div_ceil(LOOKS);
        let mut done = 0;
        while done < params.steps && self.halted.is_none() && !starts.iter().all(Start::finished) {
            let steps = every.min(params.steps - done);
            let mut learning: Vec<&mut Start> = starts.iter_mut().filter(|start| !start.finished()).collect();
            let limit = params.steps * params.stages;
            let before = Progress { iteration: self.steps, limit, objective: self.trace.last().map(|last| last.0) };
            let (steps, halted) = advance_watched(feed, &mut learning, steps, &before, observer)?;
            self.halted = halted;
            learning.par_iter_mut().filter(|start| !start.finished()).for_each(|start| start.look());
            done += steps;
            self.steps += steps;
            let mean = |value: fn(&Start) -> f64| starts.iter().map(value).sum::<f64>() / starts.len() as f64;
            let (training, validation) = (mean(|start| start.last().0), mean(|start| start.last().1));
            if !training.is_finite() {
                return Err(FitError::Diverged { iteration: self.steps, objective: training });
            }
            self.trace.push((training, validation));
            let progress = Progress { iteration: self.steps, limit, objective: Some(training) };
            if let (None, ControlFlow::Break(halt)) = (self.halted, observer.observe(&progress)) {
                self.halted = Some(halt);
            }
        }
        let mean = |value: fn(&Start) -> f64| starts.iter().map(value).sum::<f64>() / starts.len() as f64;
        self.validation_loss = mean(|start| start.best_loss());
        self.chance_loss = mean(|start| start.chance_loss());
        self.converged =
            self.halted.is_none() && starts.iter().filter(|start| start.settled()).count() * 2 > starts.len();
        Ok(())
    }
}

/// Takes some steps, and asks the observer in between whether to go on; says how many were taken, and why not all.
pub(super) fn advance_watched(
    feed: &mut dyn Feed,
    starts: &mut [&mut Start],
    steps: usize,
    before: &Progress,
    observer: &mut dyn Observer,
) -> Result<(usize, Option<Halt>), FitError> {
    let mut taken = 0;
    loop {
        let now = PATIENCE.min(steps - taken);
        feed.advance(starts, now)?;
        taken += now;
        if taken == steps {
            return Ok((taken, None));
        }
        let progress = Progress { iteration: before.iteration + taken, ..*before };
        if let ControlFlow::Break(halt) = observer.observe(&progress) {
            return Ok((taken, Some(halt)));
        }
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

/// What a start that has found nothing still counts.
const LEAST_SHARE: f64 = 0.01;

/// How much every start counts: by what it wins over chance on the rows it kept aside. Where structure is hard to find,
/// few starts find it, and the others only add noise.
fn shares(starts: &[Start]) -> Vec<f64> {
    let won = |start: &Start| (1.0 - start.best_loss() / start.chance_loss().max(f64::MIN_POSITIVE)).max(0.0);
    let counts: Vec<f64> = starts.iter().map(|start| won(start) + LEAST_SHARE).collect();
    let total: f64 = counts.iter().sum();
    counts.iter().map(|count| count / total).collect()
}

/// Weighted mean over the starts of scores scaled to length one, and whether any start uses the feature.
fn average_scores(starts: &[Start], samples: &Samples, groups: &[Range<usize>], score: Score) -> Vec<(f64, bool)> {
    let one = |network: &Network| {
        let lengths = importance::row_lengths(network, groups);
        let scores = match score {
            Score::Jacobian => importance::jacobian(network, &samples.x, groups),
            Score::Rows => lengths.clone(),
        };
        let length = scores.iter().map(|score| score * score).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
        let scaled: Vec<f64> = scores.iter().map(|score| score / length).collect();
        (scaled, lengths)
    };
    let each: Vec<(Vec<f64>, Vec<f64>)> = starts.par_iter().map(|start| one(start.best())).collect();
    let shares = shares(starts);
    (0..groups.len())
        .map(|at| {
            let mean = each.iter().zip(&shares).map(|((scores, _), share)| scores[at] * share).sum::<f64>();
            (mean, each.iter().any(|(_, lengths)| lengths[at] > 0.0))
        })
        .collect()
}
