//! A classifier trained by Adam on mini-batches, with early stopping on validation rows.

use super::network::{Batch, Network, Pass};
use crate::linalg::Matrix;
use crate::methods::fuzzy::consequents::Consequents;
use crate::methods::fuzzy::rules::clusters;
use crate::methods::shared::Course;
use crate::methods::{FitError, Iteration};
use crate::optim::{Adam, Observer};
use crate::rule_network::loss::Goal;
use crate::rule_network::pass::softmax;
use crate::rule_network::samples::{Scaling, shuffled_split, spread, windows};
use rand::RngExt;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use std::ops::Range;

/// Training parameters of a classifier.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Params {
    /// Maximum number of rules, at most the number of training rows.
    pub rules: usize,
    /// Whether consequents are linear functions of the sample; if not, they are constants.
    pub first_order: bool,
    /// Whether squared distances are averaged over the columns (HTSK) or summed (TSK).
    pub mean: bool,
    /// Learning rate of Adam.
    pub rate: f64,
    /// Maximum number of epochs.
    pub epochs: usize,
    /// Number of epochs without improvement of the validation loss after which training ends.
    pub patience: usize,
    /// Rows of a mini-batch; by default 512, or 60 for fewer than 1024 rows.
    pub batch: Option<usize>,
}

impl Default for Params {
    fn default() -> Self {
        Self { rules: 30, first_order: true, mean: true, rate: 0.01, epochs: 200, patience: 20, batch: None }
    }
}

/// Share of validation rows.
const VALIDATION_SHARE: f64 = 0.1;
/// Standard deviation of the initial spreads around 1.
const DEVIATION: f64 = 0.2;
/// Weight of the squared consequents in the loss, halved.
const DECAY: f64 = 1e-8;
/// Number of rows predicted together.
const WINDOW: usize = 512;
/// Maximum number of multiplications for the sensitivity after a training that was ended early: about two seconds.
const MAX_WORK_ENDED_EARLY: usize = 1 << 32;

/// A trained classifier.
#[derive(Debug, Clone)]
pub struct Classifier {
    scaling: Scaling,
    network: Network,
    /// Summary of the training: training loss and validation loss after every epoch.
    pub iteration: Iteration,
    /// Mean cross-entropy on the validation rows.
    pub validation_loss: f64,
    /// Mean cross-entropy of predicting the class frequencies.
    pub chance_loss: f64,
}

impl Classifier {
    /// Trains on the rows of `x` (n x m) and their classes, `codes` below `classes`.
    ///
    /// # Errors
    /// A loss that is not finite.
    pub fn fit(
        x: &Matrix,
        codes: &[u32],
        classes: usize,
        params: &Params,
        seed: u64,
        observer: &mut dyn Observer,
    ) -> Result<Self, FitError> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let columns: Vec<Range<usize>> = (0..x.cols()).map(|col| col..col + 1).collect();
        let scaling = Scaling::fit(x, &columns);
        let xt = scaling.apply(x);
        let goal = Goal::Classes { codes: codes.to_vec(), count: classes };
        let (mut train, count) = shuffled_split(&goal, codes.len(), VALIDATION_SHARE, &mut rng);
        let validation = train.split_off(count);
        let mut training = Training::new(&xt, codes, classes, params, train, &mut rng);
        let chance_loss = chance_loss(codes, classes, &training.train, &validation);
        let (network, validation_loss, mut iteration) = training.run(&validation, params, &mut rng, observer)?;
        iteration.diagnostics.extend([("validation_loss", validation_loss), ("chance_loss", chance_loss)]);
        Ok(Self { scaling, network, iteration, validation_loss, chance_loss })
    }

    /// Logits for the rows of `x` (n x m), n x c: the largest is the predicted class.
    pub fn logits(&self, x: &Matrix) -> Matrix {
        let batch = Batch::new(self.scaling.apply(x));
        outputs(&self.network, &batch)
    }

    /// Predicted probabilities, n x c.
    pub fn probabilities(&self, x: &Matrix) -> Matrix {
        let mut found = self.logits(x);
        softmax(&mut found, &mut Matrix::default());
        found
    }

    /// Sensitivity of the outputs for the rows of `x` to every group of columns: for one column its standard deviation
    /// times the root mean square of the derivatives of the centred logits; for several,
    /// `sqrt(mean_n sum_c g_nc^T Cov g_nc)` with the derivatives g with respect to them.
    pub fn importance(&self, x: &Matrix, groups: &[Range<usize>]) -> Vec<f64> {
        let batch = Batch::new(self.scaling.apply(x));
        let covariances: Vec<Matrix> = groups.iter().map(|group| covariance(&batch.xt, group)).collect();
        let classes = self.network.consequents.constants.cols();
        let per_row = classes * (classes + 2) * self.network.centres.cols() * x.cols();
        // Rows that are left out if the time is up.
        let most = if self.iteration.halted.is_some() { MAX_WORK_ENDED_EARLY / per_row.max(1) } else { x.rows() };
        let batch = if most < x.rows() { Batch::of(&batch.xt, &spread(x.rows(), most)) } else { batch };
        let n = batch.xt.cols();
        let mut sums = vec![0.0; groups.len()];
        let mut pass = Pass::default();
        for window in windows(n, WINDOW) {
            self.network.forward(&batch, window.clone(), &mut pass);
            for class in 0..classes {
                // Adding a constant to all logits changes nothing, so derivatives of centred logits are used.
                let own = |col: usize| f64::from(u8::from(col == class)) - 1.0 / classes as f64;
                let error = Matrix::from_fn(window.len(), classes, |_, col| own(col));
                let d = self.network.back_to_samples(&batch, window.clone(), &pass, &error);
                for ((sum, group), covariance) in sums.iter_mut().zip(groups).zip(&covariances) {
                    *sum += (0..d.cols()).map(|row| form(covariance, &d.col(row)[group.clone()])).sum::<f64>();
                }
            }
        }
        sums.iter().map(|sum| (sum.max(0.0) / n.max(1) as f64).sqrt()).collect()
    }
}

fn covariance(xt: &Matrix, group: &Range<usize>) -> Matrix {
    let n = xt.cols().max(1) as f64;
    // Columns of x are centred.
    let product = |a: usize, b: usize| (0..xt.cols()).map(|at| xt[(a, at)] * xt[(b, at)]).sum::<f64>() / n;
    Matrix::from_fn(group.len(), group.len(), |a, b| product(group.start + a, group.start + b))
}

/// `g^T A g`.
fn form(a: &Matrix, g: &[f64]) -> f64 {
    let row = |(col, g_col): (usize, &f64)| g_col * a.col(col).iter().zip(g).map(|(a, g)| a * g).sum::<f64>();
    g.iter().enumerate().map(row).sum()
}

fn outputs(network: &Network, batch: &Batch) -> Matrix {
    let mut out = Matrix::zeros(batch.xt.cols(), network.consequents.constants.cols());
    let mut pass = Pass::default();
    for window in windows(batch.xt.cols(), WINDOW) {
        network.forward(batch, window.clone(), &mut pass);
        for class in 0..out.cols() {
            out.col_mut(class)[window.clone()].copy_from_slice(pass.outputs.classes.col(class));
        }
    }
    out
}

/// Mean cross-entropy of logits; they become its derivative.
pub(super) fn cross_entropy(outputs: &mut Matrix, codes: Vec<u32>) -> f64 {
    let (count, rows) = (outputs.cols(), codes.len());
    Goal::Classes { codes, count }.loss_gradient(outputs, 0..rows, &vec![1.0; rows], &mut Matrix::default())
}

/// The mean cross-entropy of the class frequencies of the training rows on the validation rows; on themselves if there
/// are none.
fn chance_loss(codes: &[u32], classes: usize, train: &[usize], validation: &[usize]) -> f64 {
    let mut counts = vec![0.0; classes];
    train.iter().for_each(|&at| counts[codes[at] as usize] += 1.0);
    let evaluated = if validation.is_empty() { train } else { validation };
    let price = |&at: &usize| -(counts[codes[at] as usize] / train.len().max(1) as f64).max(f64::MIN_POSITIVE).ln();
    evaluated.iter().map(price).sum::<f64>() / evaluated.len().max(1) as f64
}

struct Training<'a> {
    xt: &'a Matrix,
    codes: &'a [u32],
    /// Indices of the training rows, in the order of the next epoch.
    train: Vec<usize>,
    batch: usize,
    network: Network,
}

impl<'a> Training<'a> {
    fn new(
        xt: &'a Matrix,
        codes: &'a [u32],
        classes: usize,
        params: &Params,
        train: Vec<usize>,
        rng: &mut ChaCha8Rng,
    ) -> Self {
        let rules = params.rules.min(train.len()).max(1);
        let centres = clusters(&Batch::of(xt, &train).xt, rules, rng);
        let mut around_one = |_, _| 1.0 + DEVIATION * Distribution::<f64>::sample(&StandardNormal, rng);
        let spreads = Matrix::from_fn(xt.rows(), rules, &mut around_one);
        let fan_in = rules * if params.first_order { xt.rows() + 1 } else { 1 };
        let bound = 1.0 / (fan_in as f64).sqrt();
        let mut uniform = |_, _| bound * (2.0 * rng.random::<f64>() - 1.0);
        let constants = Matrix::from_fn(rules, classes, &mut uniform);
        let slopes = params.first_order.then(|| Matrix::from_fn(xt.rows(), rules * classes, &mut uniform));
        let network = Network::new(params, centres, spreads, Consequents { constants, slopes });
        let usual = if train.len() < 2 * 512 { 60 } else { 512 };
        let batch = params.batch.unwrap_or(usual).clamp(1, train.len().max(1));
        Self { xt, codes, train, batch, network }
    }

    /// One epoch over the samples in a new order; returns the mean loss of its batches. An incomplete last batch is
    /// skipped.
    fn pass_over(&mut self, adam: &mut [Adam; 4], rng: &mut ChaCha8Rng) -> f64 {
        self.train.shuffle(rng);
        let (mut sum, mut count, mut pass) = (0.0, 0, Pass::default());
        for samples in self.train.chunks_exact(self.batch) {
            let batch = Batch::of(self.xt, samples);
            self.network.forward(&batch, 0..samples.len(), &mut pass);
            let mut error = pass.outputs.classes.clone();
            sum += cross_entropy(&mut error, samples.iter().map(|&sample| self.codes[sample]).collect());
            count += 1;
            let mut gradient = self.network.back(&batch, 0..samples.len(), &pass, &error);
            let parts = self.network.parts().into_iter().zip(gradient.parts()).zip(adam.iter_mut());
            for (part, ((values, gradient), adam)) in parts.enumerate() {
                if part >= 2 {
                    gradient.iter_mut().zip(&*values).for_each(|(gradient, value)| *gradient += DECAY * value);
                }
                adam.step(values, gradient);
            }
        }
        sum / f64::from(count.max(1))
    }

    fn run(
        &mut self,
        validation: &[usize],
        params: &Params,
        rng: &mut ChaCha8Rng,
        observer: &mut dyn Observer,
    ) -> Result<(Network, f64, Iteration), FitError> {
        // If no rows can be spared, the training rows validate.
        let evaluated = if validation.is_empty() { self.train.clone() } else { validation.to_vec() };
        let (evaluated_batch, codes) = (Batch::of(self.xt, &evaluated), evaluated.iter().map(|&at| self.codes[at]));
        let codes: Vec<u32> = codes.collect();
        let mut adam = self.network.parts().map(|part| Adam::new(part.len(), params.rate));
        let mut course = Course::new(observer, params.epochs, 0.0).tolerant();
        let (mut best, mut smallest, mut since) = (self.network.clone(), f64::INFINITY, 0);
        loop {
            let training = self.pass_over(&mut adam, rng);
            let loss = cross_entropy(&mut outputs(&self.network, &evaluated_batch), codes.clone());
            since += 1;
            if loss < smallest {
                (best, smallest, since) = (self.network.clone(), loss, 0);
            }
            let patient = since < params.patience;
            if !course.goes_on(vec![training, loss])? || !patient {
                let mut iteration = course.finish(&["training_loss", "validation_loss"]);
                iteration.converged = !patient;
                return Ok((best, smallest, iteration));
            }
        }
    }
}
