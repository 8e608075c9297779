//! One start: mini-batch Adam on all parameters, and the proximal step of `beta |Q|_2,1`.

use super::anchor::Anchor;
use super::network::{Network, WIDEST, random_projection};
use super::params::Params;
use super::pass::{Gradient, Pass};
use super::samples::{Samples, shuffled_split, windows};
use crate::linalg::{Matrix, widest};
use crate::optim::Adam;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::f64::consts::PI;
use std::ops::Range;
use std::sync::Arc;

/// A model in training.
pub struct Start {
    samples: Arc<Samples>,
    learn: usize,
    windows: Vec<Range<usize>>,
    next_window: usize,
    groups: Vec<Range<usize>>,
    params: Params,
    rng: ChaCha8Rng,
    /// The parameters now.
    pub network: Network,
    adams: Adams,
    pass: Pass,
    gradient: Gradient,
    error: Matrix,
    scratch: Matrix,
    /// For every row of Q how much of Adam's step it takes, where features of several columns take less than all.
    paces: Option<Vec<f64>>,
    /// Q before the step, where there are paces.
    before: Matrix,
    step: usize,
    seen: usize,
    running: f64,
    since: usize,
    /// Mean training loss since the look before, and validation loss, at every look.
    trace: Vec<(f64, f64)>,
    best: Option<(f64, Network)>,
    /// Steps done when the best parameters were seen.
    best_step: usize,
    /// Whether it is judged by the loss it would have if its certainty were put right.
    calibrated: bool,
    /// Where the rules stood at the start, and how strongly they are held there.
    anchor: Option<(Anchor, Network)>,
}

struct Adams {
    projection: Option<Adam>,
    centres: Adam,
    log_spreads: Adam,
    slopes: Adam,
    constants: Adam,
}

impl Start {
    /// A seeded start, kept apart from others by its number. The first `learn` samples are learned from, the others kept
    /// aside; without that number it makes an order and a split of its own. It is judged by its calibrated loss.
    pub fn new(
        samples: &Arc<Samples>,
        learn: Option<usize>,
        groups: &[Range<usize>],
        params: &Params,
        factors: &[f64],
        (seed, number): (u64, u64),
    ) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number);
        let (samples, learn) = match learn {
            Some(learn) => (Arc::clone(samples), learn),
            None => {
                let (order, learn) = shuffled_split(&samples.goal, samples.count(), params.holdout, &mut rng);
                (Arc::new(samples.reordered(&order)), learn)
            }
        };
        let factors = match paces(groups) {
            Some(paces) => factors.iter().zip(paces).map(|(factor, pace)| factor * pace).collect(),
            None => factors.to_vec(),
        };
        let q = random_projection(&factors, params.d, params.start, &mut rng);
        let mut network = Network::around_samples(&samples.x, q, params.rules, samples.goal.outputs(), &mut rng);
        if !params.first_order {
            network.slopes.as_mut_slice().fill(0.0);
        }
        Self { calibrated: true, ..Self::from_network(samples, learn, groups, params, network, rng) }
    }

    /// A start from a given network, judged by its loss as it is: what it says of its certainty is meant.
    pub(super) fn from_network(
        samples: Arc<Samples>,
        learn: usize,
        groups: &[Range<usize>],
        params: &Params,
        network: Network,
        rng: ChaCha8Rng,
    ) -> Self {
        let adam = |len: usize| Adam::new(len, params.rate);
        let adams = Adams {
            projection: network.projection.as_ref().map(|q| adam(q.as_slice().len())),
            centres: adam(network.centres.as_slice().len()),
            log_spreads: adam(network.log_spreads.as_slice().len()),
            slopes: adam(network.slopes.as_slice().len()),
            constants: adam(network.constants.len()),
        };
        Self {
            windows: windows(learn, params.batch),
            next_window: 0,
            samples,
            learn,
            groups: groups.to_vec(),
            params: params.clone(),
            rng,
            network,
            adams,
            pass: Pass::default(),
            gradient: Gradient::default(),
            error: Matrix::default(),
            scratch: Matrix::default(),
            paces: paces(groups),
            before: Matrix::default(),
            step: 0,
            seen: 0,
            running: 0.0,
            since: 0,
            trace: Vec::new(),
            best: None,
            best_step: 0,
            calibrated: false,
            anchor: None,
        }
    }

    /// Holds the rules near their start.
    pub(super) fn anchored(mut self, anchor: Anchor) -> Self {
        self.anchor = Some((anchor, self.network.clone()));
        self
    }

    /// Takes some steps.
    pub fn advance(&mut self, steps: usize) {
        for _ in 0..steps {
            let loss = self.improve();
            self.running += loss;
            self.since += 1;
        }
    }

    /// Rises over the first tenth of the steps, so that models that are best early are seen; then falls to zero along
    /// half a cosine.
    fn rate(&self) -> f64 {
        let share = (self.step as f64 / self.params.steps as f64).min(1.0);
        let warm = ((self.step + 1) as f64 / (0.1 * self.params.steps as f64)).min(1.0);
        self.params.rate * warm * 0.5 * (1.0 + (PI * share).cos())
    }

    /// Takes a step on samples from elsewhere.
    pub fn advance_on(&mut self, batch: &Samples) {
        self.running += self.improve_on(batch, 0..batch.count());
        self.since += 1;
    }

    fn improve(&mut self) -> f64 {
        if self.next_window == 0 {
            self.windows.shuffle(&mut self.rng);
        }
        let window = self.windows[self.next_window].clone();
        self.next_window = (self.next_window + 1) % self.windows.len();
        let samples = Arc::clone(&self.samples);
        self.improve_on(&samples, window)
    }

    fn improve_on(&mut self, Samples { x, goal, weights }: &Samples, window: Range<usize>) -> f64 {
        let count = window.len();
        self.pass.forward(&self.network, x, window.clone());
        std::mem::swap(&mut self.error, &mut self.pass.logits);
        let loss = goal.price(&mut self.error, window.clone(), weights, &mut self.scratch);
        self.pass.backward(&self.network, x, window, &self.error, &mut self.gradient);
        if self.params.first_order {
            let slopes = self.gradient.slopes.as_mut_slice().iter_mut().zip(self.network.slopes.as_slice());
            slopes.for_each(|(gradient, slope)| *gradient += 2.0 * self.params.gamma * slope);
        } else {
            self.gradient.slopes.as_mut_slice().fill(0.0);
        }
        if let Some((anchor, start)) = &self.anchor {
            anchor.add(&self.network, start, &mut self.gradient);
        }
        let rate = self.rate();
        if let (Some(_), Some(q)) = (&self.paces, &self.network.projection) {
            self.before.clone_from(q);
        }
        self.adams.step(&mut self.network, &self.gradient, rate);
        if let (Some(paces), Some(q)) = (&self.paces, &mut self.network.projection) {
            slow_down(q, &self.before, paces);
        }
        if let Some(q) = &mut self.network.projection {
            shrink_rows(q, &self.groups, rate * self.params.beta * (self.params.d as f64).sqrt(), &mut self.scratch);
        }
        self.step += 1;
        self.seen += count;
        loss
    }

    /// Takes note of the loss on the samples kept aside, and of the parameters if they are the best so far.
    pub fn look(&mut self) {
        let aside = self.learn..self.samples.count();
        let training = self.running / self.since.max(1) as f64;
        (self.running, self.since) = (0.0, 0);
        let validation = if aside.is_empty() {
            training
        } else {
            let Samples { x, goal, weights } = &*self.samples;
            self.pass.forward(&self.network, x, aside.clone());
            if self.calibrated {
                goal.calibrated_loss(&self.pass.logits, aside, weights)
            } else {
                goal.price(&mut self.pass.logits, aside, weights, &mut self.scratch)
            }
        };
        self.trace.push((training, validation));
        if self.learn == self.samples.count() || self.best.as_ref().is_none_or(|(best, _)| validation < *best) {
            self.best = Some((validation, self.network.clone()));
            self.best_step = self.step;
        }
    }

    /// Whether half of all steps went by without anything better: what is learned now is the noise of these rows. Never
    /// before the first look, which one or two steps alone would leave out.
    pub fn finished(&self) -> bool {
        let patience = self.params.steps.div_ceil(2);
        self.learn < self.samples.count() && self.best.is_some() && self.step - self.best_step >= patience
    }

    /// Training and validation loss at the last look.
    pub fn last(&self) -> (f64, f64) {
        self.trace.last().copied().unwrap_or((f64::NAN, f64::NAN))
    }

    /// The parameters that did best on the samples kept aside.
    pub fn best(&self) -> &Network {
        self.best.as_ref().map_or(&self.network, |(_, network)| network)
    }

    /// Their loss.
    pub fn best_loss(&self) -> f64 {
        self.best.as_ref().map_or(f64::NAN, |(loss, _)| *loss)
    }

    /// After how many steps they were reached.
    pub(super) fn best_step(&self) -> usize {
        self.best_step
    }

    /// Samples of all mini-batches so far.
    pub(super) fn seen(&self) -> usize {
        self.seen
    }

    /// The validation loss of the best constant answer.
    pub fn chance_loss(&self) -> f64 {
        self.samples.goal.chance_loss(self.learn, &self.samples.weights)
    }

    /// Whether the validation loss had stopped falling: what the last quarter won is below 2 percent.
    pub fn settled(&self) -> bool {
        let cut = self.trace.len() - self.trace.len().div_ceil(4);
        let least = |looks: &[(f64, f64)]| looks.iter().fold(f64::INFINITY, |least, look| least.min(look.1));
        cut > 0 && least(&self.trace[cut..]) > 0.98 * least(&self.trace[..cut])
    }
}

impl Adams {
    fn step(&mut self, network: &mut Network, gradient: &Gradient, rate: f64) {
        if let (Some(adam), Some(q)) = (&mut self.projection, &mut network.projection) {
            adam.step_at(rate, q.as_mut_slice(), gradient.projection.as_slice());
        }
        self.centres.step_at(rate, network.centres.as_mut_slice(), gradient.centres.as_slice());
        self.log_spreads.step_at(rate, network.log_spreads.as_mut_slice(), gradient.log_spreads.as_slice());
        network.log_spreads.as_mut_slice().iter_mut().for_each(|value| *value = value.clamp(-WIDEST, WIDEST));
        self.slopes.step_at(rate, network.slopes.as_mut_slice(), gradient.slopes.as_slice());
        self.constants.step_at(rate, &mut network.constants, &gradient.constants);
    }
}

/// How much of a step the rows of Q take: all of it for a single column, `1 / sqrt(k)` for the k columns of one feature.
///
/// Adam moves every row by about its rate, so a feature of k columns would move `sqrt(k)` times as far as a single column,
/// against the same shrinkage, and would fit noise the faster the more categories it has. With these paces all features
/// move alike; it is the same as a group penalty that grows with `sqrt(k)` on columns whose variances sum up to one.
fn paces(groups: &[Range<usize>]) -> Option<Vec<f64>> {
    let pace = |group: &Range<usize>| 1.0 / (group.len() as f64).sqrt();
    let several = groups.iter().any(|group| group.len() > 1);
    several.then(|| groups.iter().flat_map(|group| group.clone().map(move |_| pace(group))).collect())
}

/// Takes back what the rows of Q moved beyond their paces.
fn slow_down(q: &mut Matrix, before: &Matrix, paces: &[f64]) {
    for col in 0..q.cols() {
        let rows = q.col_mut(col).iter_mut().zip(before.col(col)).zip(paces).filter(|(_, pace)| **pace < 1.0);
        rows.for_each(|((now, before), pace)| *now = before + (*now - before) * pace);
    }
}

/// The proximal step: every row, or group of rows, becomes shorter by `amount`, down to exactly zero.
pub fn shrink_rows(q: &mut Matrix, groups: &[Range<usize>], amount: f64, scratch: &mut Matrix) {
    let rows = q.rows();
    scratch.resize(rows, 1);
    let lengths = scratch.as_mut_slice();
    widest!(|| {
        lengths.fill(0.0);
        for col in 0..q.cols() {
            lengths.iter_mut().zip(q.col(col)).for_each(|(sum, value)| *sum += value * value);
        }
        for group in groups.iter().filter(|group| group.len() > 1) {
            let sum: f64 = lengths[group.clone()].iter().sum();
            lengths[group.clone()].fill(sum);
        }
        lengths.iter_mut().for_each(|length| *length = (1.0 - amount / length.sqrt().max(1e-12)).max(0.0));
        for col in 0..q.cols() {
            q.col_mut(col).iter_mut().zip(&*lengths).for_each(|(value, factor)| *value *= factor);
        }
    });
}
