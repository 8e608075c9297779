//! The gate phase: Adam on the gates of features and rules and on the constants.

use crate::linalg::{Matrix, exp, widest};
use crate::methods::fuzzy::consequents::{Consequents, Outputs, squared_error};
use crate::methods::fuzzy::firing::{gated, normalise, through_gates, through_normalise};
use crate::methods::fuzzy::gate::{Gate, to_columns, to_features};
use crate::methods::fuzzy::softmin::{ale, ale_index};
use crate::methods::shared::Course;
use crate::methods::{FitError, Iteration};
use crate::optim::{Adam, Observer};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::ops::Range;

/// Minimum firing strength; smaller ones have no gradient.
pub(super) const LEAST_STRENGTH: f64 = 1e-12;
/// Initial value of all gates.
const ALMOST_CLOSED: f64 = 0.01;
/// Samples of one task: the split does not depend on the number of threads.
const CHUNK: usize = 8;

/// Fixed parts of the gate phase.
pub(super) struct System<'a> {
    pub(super) xt: &'a Matrix,
    pub(super) codes: &'a [u32],
    pub(super) blocks: &'a [Range<usize>],
    /// m x k.
    pub(super) centres: Matrix,
}

/// Parameters, or the derivatives with respect to them.
#[derive(Debug, Clone)]
pub(super) struct State {
    /// lambda, one for each feature.
    pub(super) features: Vec<f64>,
    /// theta, one for each rule.
    pub(super) rules: Vec<f64>,
    /// Zero-order consequents.
    pub(super) consequents: Consequents,
}

/// Contribution of some samples to the loss and its derivatives.
struct Part {
    loss: f64,
    columns: Vec<f64>,
    rules: Vec<f64>,
    consequents: Consequents,
}

impl<'a> System<'a> {
    pub(super) fn new(xt: &'a Matrix, codes: &'a [u32], blocks: &'a [Range<usize>], rules: &[usize]) -> Self {
        let centres = Matrix::from_fn(xt.rows(), rules.len(), |col, rule| xt[(col, rules[rule])]);
        Self { xt, codes, blocks, centres }
    }

    pub(super) fn start(&self, rules: &[usize], classes: usize) -> State {
        let own = |rule: usize, class: usize| f64::from(u8::from(self.codes[rules[rule]] as usize == class));
        State {
            features: vec![ALMOST_CLOSED; self.blocks.len()],
            rules: vec![ALMOST_CLOSED; rules.len()],
            consequents: Consequents { constants: Matrix::from_fn(rules.len(), classes, own), slopes: None },
        }
    }

    /// The loss on some samples and its derivatives.
    pub(super) fn loss(&self, state: &State, samples: &[usize]) -> (f64, State) {
        let gates = to_columns(&Gate::Well.values(&state.features), self.blocks);
        let rule_gates = Gate::Well.values(&state.rules);
        let parts: Vec<Part> = samples
            .par_chunks(CHUNK)
            .map(|chunk| self.part(state, &gates, &rule_gates, chunk, samples.len()))
            .collect();
        let mut sum = Part {
            loss: 0.0,
            columns: vec![0.0; gates.len()],
            rules: vec![0.0; rule_gates.len()],
            consequents: state.consequents.zeros_like(),
        };
        for part in &parts {
            sum.loss += part.loss;
            add(&mut sum.columns, &part.columns);
            add(&mut sum.rules, &part.rules);
            add(sum.consequents.constants.as_mut_slice(), part.consequents.constants.as_slice());
        }
        let slopes =
            |sums: Vec<f64>, at: &[f64]| sums.iter().zip(at).map(|(sum, &u)| sum * Gate::Well.slope(u)).collect();
        let gradient = State {
            features: slopes(to_features(&sum.columns, self.blocks), &state.features),
            rules: slopes(sum.rules, &state.rules),
            consequents: sum.consequents,
        };
        (sum.loss, gradient)
    }

    fn part(&self, state: &State, gates: &[f64], rule_gates: &[f64], samples: &[usize], count: usize) -> Part {
        let (m, k) = (self.xt.rows(), self.centres.cols());
        let mut shares = Matrix::zeros(samples.len(), k);
        // For every sample and rule -df/dM of every column; the whole 3-D array is never stored.
        let mut pulls = vec![Matrix::zeros(m, k); samples.len()];
        let mut memberships = vec![0.0; m];
        for (row, (&sample, pulls)) in samples.iter().zip(&mut pulls).enumerate() {
            for rule in 0..k {
                let pull = pulls.col_mut(rule);
                shares[(row, rule)] = fire(self.xt.col(sample), self.centres.col(rule), gates, &mut memberships, pull);
            }
        }
        let sums = normalise(&mut shares);
        let weighted = gated(&shares, rule_gates);
        let mut outputs = Outputs::default();
        state.consequents.forward(self.xt, 0..samples.len(), &weighted, &mut outputs);
        let codes: Vec<u32> = samples.iter().map(|&sample| self.codes[sample]).collect();
        let loss = squared_error(&mut outputs.classes, &codes, count);
        let mut consequents = state.consequents.zeros_like();
        let error = std::mem::take(&mut outputs.classes);
        let mut d = state.consequents.back(self.xt, 0..samples.len(), &weighted, &outputs, &error, &mut consequents);
        let mut rules = vec![0.0; k];
        through_gates(&shares, rule_gates, &mut d, &mut rules);
        through_normalise(&shares, &sums, &mut d);
        let mut columns = vec![0.0; m];
        widest!(|| {
            for (row, pulls) in pulls.iter().enumerate() {
                for rule in 0..k {
                    let d = d[(row, rule)];
                    columns.iter_mut().zip(pulls.col(rule)).for_each(|(sum, pull)| *sum -= d * pull);
                }
            }
        });
        Part { loss, columns, rules, consequents }
    }
}

/// Firing strength of a rule, and `-df / dM(lambda_d)` for every column.
fn fire(x: &[f64], centre: &[f64], gates: &[f64], memberships: &mut [f64], pull: &mut [f64]) -> f64 {
    widest!(|| {
        for (((membership, x), centre), gate) in memberships.iter_mut().zip(x).zip(centre).zip(gates) {
            *membership = exp(-0.5 * gate * (x - centre) * (x - centre));
        }
        let strength = ale(memberships, ale_index(memberships), pull);
        if strength < LEAST_STRENGTH {
            pull.fill(0.0);
            return LEAST_STRENGTH;
        }
        for (((pull, x), centre), membership) in pull.iter_mut().zip(x).zip(centre).zip(&*memberships) {
            *pull *= 0.5 * membership * (x - centre) * (x - centre);
        }
        strength
    })
}

fn add(sum: &mut [f64], part: &[f64]) {
    sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
}

/// Passes over all samples, in batches of about a tenth of them.
pub(super) fn train(
    system: &System,
    mut state: State,
    rate: f64,
    epochs: usize,
    rng: &mut ChaCha8Rng,
    observer: &mut dyn Observer,
) -> Result<(State, Iteration), FitError> {
    let adam = |values: &[f64]| Adam::new(values.len(), rate);
    let (mut features, mut rules) = (adam(&state.features), adam(&state.rules));
    let mut constants = adam(state.consequents.constants.as_slice());
    let mut order: Vec<usize> = (0..system.xt.cols()).collect();
    let batch = order.len().div_ceil(10).max(1);
    let mut course = Course::new(observer, epochs, 0.0);
    loop {
        order.shuffle(rng);
        let mut sum = 0.0;
        for samples in order.chunks(batch) {
            let (loss, gradient) = system.loss(&state, samples);
            sum += loss * samples.len() as f64;
            features.step(&mut state.features, &gradient.features);
            rules.step(&mut state.rules, &gradient.rules);
            constants.step(state.consequents.constants.as_mut_slice(), gradient.consequents.constants.as_slice());
        }
        if !course.goes_on(vec![sum / order.len().max(1) as f64])? {
            let mut course = course.finish(&["loss"]);
            // The number of passes is part of the method: completing them counts as convergence.
            course.converged = course.halted.is_none();
            return Ok((state, course));
        }
    }
}
