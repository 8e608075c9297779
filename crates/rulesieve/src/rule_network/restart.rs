//! One restart: mini-batch Adam on all parameters, the proximal step on Q, and the best parameters by validation loss.

use super::anchor::Anchor;
use super::network::{Network, WIDEST};
use super::pass::{Gradient, Pass};
use super::samples::{Samples, windows};
use super::sparsity::{shorten_steps, shrink_rows, step_shares};
use crate::linalg::Matrix;
use crate::optim::Adam;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::f64::consts::PI;
use std::ops::Range;
use std::sync::Arc;

/// Training parameters of a network.
#[derive(Debug, Clone)]
pub(crate) struct TrainingParams {
    /// Mini-batch steps.
    pub(crate) steps: usize,
    /// Maximum number of samples of a mini-batch.
    pub(crate) batch: usize,
    /// Largest learning rate.
    pub(crate) rate: f64,
    /// Weight of the row sparsity of Q.
    pub(crate) beta: f64,
    /// Weight of the squared slopes.
    pub(crate) gamma: f64,
    /// Whether consequents have slopes.
    pub(crate) first_order: bool,
}

/// A network in training.
pub(crate) struct Restart {
    samples: Arc<Samples>,
    learn: usize,
    windows: Vec<Range<usize>>,
    next_window: usize,
    groups: Vec<Range<usize>>,
    params: TrainingParams,
    rng: ChaCha8Rng,
    /// The current parameters.
    pub(crate) network: Network,
    adams: Adams,
    pass: Pass,
    gradient: Gradient,
    error: Matrix,
    scratch: Matrix,
    /// Share of Adam's step for each row of Q, if features of several columns take shorter steps.
    step_shares: Option<Vec<f64>>,
    /// Q before the step, if there are step shares.
    before: Matrix,
    step: usize,
    seen: usize,
    running: f64,
    since: usize,
    /// Mean training loss since the last validation check, and validation loss, at every check.
    trace: Vec<(f64, f64)>,
    best: Option<(f64, Network)>,
    /// Number of steps after which the best parameters were reached.
    best_step: usize,
    /// Whether the validation loss is that of calibrated outputs.
    calibrated: bool,
    /// Penalty on the distance of the rules from their initial values, and these values.
    anchor: Option<(Anchor, Network)>,
}

struct Adams {
    projection: Option<Adam>,
    centres: Adam,
    log_spreads: Adam,
    slopes: Adam,
    constants: Adam,
}

impl Restart {
    /// Starts from a network. The first `learn` samples are training rows, the others validation rows.
    pub(crate) fn new(
        samples: Arc<Samples>,
        learn: usize,
        groups: &[Range<usize>],
        params: &TrainingParams,
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
            step_shares: step_shares(groups),
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

    /// Uses the calibrated loss for the choice of the best parameters: the caller needs a ranking, not probabilities.
    pub(crate) fn calibrated(self) -> Self {
        Self { calibrated: true, ..self }
    }

    /// Penalises the distance of the rules from their initial values.
    pub(crate) fn anchored(mut self, anchor: Anchor) -> Self {
        self.anchor = Some((anchor, self.network.clone()));
        self
    }

    /// About the number of multiplications of a step.
    pub(crate) fn work(&self) -> usize {
        let (network, columns) = (&self.network, self.samples.x.rows());
        let projection = if network.projection.is_some() { columns } else { 0 };
        let per_dimension = projection + network.rules() * (1 + network.outputs());
        3 * self.params.batch.min(self.learn) * network.dimensions() * per_dimension
    }

    /// Takes some steps.
    pub(crate) fn advance(&mut self, steps: usize) {
        for _ in 0..steps {
            let loss = self.improve();
            self.running += loss;
            self.since += 1;
        }
    }

    /// The learning rate: rises over the first tenth of the steps, so that early validation checks are informative,
    /// then falls to zero along half a cosine.
    fn rate(&self) -> f64 {
        let share = (self.step as f64 / self.params.steps as f64).min(1.0);
        let warm = ((self.step + 1) as f64 / (0.1 * self.params.steps as f64)).min(1.0);
        self.params.rate * warm * 0.5 * (1.0 + (PI * share).cos())
    }

    /// Takes a step on other samples.
    pub(crate) fn advance_on(&mut self, batch: &Samples) {
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
        let loss = goal.loss_gradient(&mut self.error, window.clone(), weights, &mut self.scratch);
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
        if let (Some(_), Some(q)) = (&self.step_shares, &self.network.projection) {
            self.before.clone_from(q);
        }
        self.adams.step(&mut self.network, &self.gradient, rate);
        if let (Some(step_shares), Some(q)) = (&self.step_shares, &mut self.network.projection) {
            shorten_steps(q, &self.before, step_shares);
        }
        if let Some(q) = &mut self.network.projection {
            shrink_rows(q, &self.groups, rate * self.params.beta * (q.cols() as f64).sqrt(), &mut self.scratch);
        }
        self.step += 1;
        self.seen += count;
        loss
    }

    /// Records the validation loss, and the parameters if they are the best so far.
    pub(crate) fn validate(&mut self) {
        let validation_rows = self.learn..self.samples.count();
        let training = self.running / self.since.max(1) as f64;
        (self.running, self.since) = (0.0, 0);
        let validation = if validation_rows.is_empty() {
            training
        } else {
            let Samples { x, goal, weights } = &*self.samples;
            self.pass.forward(&self.network, x, validation_rows.clone());
            if self.calibrated {
                goal.calibrated_loss(&self.pass.logits, validation_rows, weights)
            } else {
                goal.loss_gradient(&mut self.pass.logits, validation_rows, weights, &mut self.scratch)
            }
        };
        self.trace.push((training, validation));
        if self.learn == self.samples.count() || self.best.as_ref().is_none_or(|(best, _)| validation < *best) {
            self.best = Some((validation, self.network.clone()));
            self.best_step = self.step;
        }
    }

    /// Whether half of all steps brought no improvement, which indicates overfitting. Never before the first validation
    /// check, which a training of one or two steps would miss.
    pub(crate) fn finished(&self) -> bool {
        let patience = self.params.steps.div_ceil(2);
        self.learn < self.samples.count() && self.best.is_some() && self.step - self.best_step >= patience
    }

    /// Training and validation loss at the last validation check.
    pub(crate) fn last(&self) -> (f64, f64) {
        self.trace.last().copied().unwrap_or((f64::NAN, f64::NAN))
    }

    /// The parameters with the least validation loss.
    pub(crate) fn best(&self) -> &Network {
        self.best.as_ref().map_or(&self.network, |(_, network)| network)
    }

    /// Their validation loss.
    pub(crate) fn best_loss(&self) -> f64 {
        self.best.as_ref().map_or(f64::NAN, |(loss, _)| *loss)
    }

    /// Number of steps after which they were reached.
    pub(crate) fn best_step(&self) -> usize {
        self.best_step
    }

    /// Number of samples in all mini-batches so far.
    pub(crate) fn seen(&self) -> usize {
        self.seen
    }

    /// Validation loss of the best constant prediction.
    pub(crate) fn chance_loss(&self) -> f64 {
        self.samples.goal.chance_loss(self.learn, &self.samples.weights)
    }

    /// Whether the validation loss has converged: the last quarter of the checks improved it by less than 2 percent.
    pub(crate) fn settled(&self) -> bool {
        let cut = self.trace.len() - self.trace.len().div_ceil(4);
        let least = |checks: &[(f64, f64)]| checks.iter().fold(f64::INFINITY, |least, check| least.min(check.1));
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
