//! The adaptive system of both phases: Ada-softmin of memberships without spreads, consequents of order one, and gates either of
//! the features in the consequents or of the rules.

use crate::linalg::{Matrix, largest, widest};
use crate::methods::fuzzy::consequents::{Consequents, Outputs, descend, squared_error};
use crate::methods::fuzzy::firing::{gated, softmax, through_gates, through_softmax};
use crate::methods::fuzzy::gate::{Gate, to_columns, to_features};
use crate::methods::fuzzy::softmin::{ada, ada_index};
use crate::rule_network::samples::windows;
use rayon::prelude::*;
use std::ops::Range;

/// Maximum number of values of a window of samples.
const WINDOW: usize = 1 << 20;

/// Target of the gates.
#[derive(Debug, Clone, Copy)]
pub(super) enum Gated<'a> {
    /// The slopes of features, each with these columns.
    Features(&'a [Range<usize>]),
    /// Outputs of rules.
    Rules,
    /// No gates.
    Nothing,
}

/// The samples and the fixed parts of the system.
pub(super) struct System<'a> {
    /// m x n.
    pub(super) xt: &'a Matrix,
    pub(super) codes: &'a [u32],
    pub(super) gated: Gated<'a>,
    /// Normalised firing strengths, n x k, if the centres are fixed.
    fixed: Option<Matrix>,
}

/// Parameters, or the derivatives with respect to them.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) gates: Vec<f64>,
    pub(super) consequents: Consequents,
    /// m x k; empty in derivatives if the centres are fixed.
    pub(super) centres: Matrix,
}

impl State {
    /// Gates nearly closed, consequents zero.
    pub(super) fn start(gates: usize, classes: usize, centres: Matrix) -> Self {
        let (m, k) = (centres.rows(), centres.cols());
        let consequents =
            Consequents { constants: Matrix::zeros(k, classes), slopes: Some(Matrix::zeros(m, k * classes)) };
        Self { gates: vec![0.01; gates], consequents, centres }
    }

    /// Some of the rules, with gates multiplied into their outputs; no gates remain.
    pub(super) fn rules(&self, kept: &[usize]) -> Self {
        let classes = self.consequents.constants.cols();
        let gate = |rule: usize| Gate::Odd.value(self.gates[rule]);
        let constants = Matrix::from_fn(kept.len(), classes, |at, class| {
            gate(kept[at]) * self.consequents.constants[(kept[at], class)]
        });
        let slopes = self.consequents.slopes.as_ref().map(|slopes| {
            Matrix::from_fn(slopes.rows(), kept.len() * classes, |row, at| {
                gate(kept[at / classes]) * slopes[(row, kept[at / classes] * classes + at % classes)]
            })
        });
        let centres = Matrix::from_fn(self.centres.rows(), kept.len(), |row, at| self.centres[(row, kept[at])]);
        Self { gates: Vec::new(), consequents: Consequents { constants, slopes }, centres }
    }

    pub(super) fn descend(&mut self, gradient: &Self, rate: f64) {
        descend(&mut self.gates, &gradient.gates, rate);
        self.consequents.descend(&gradient.consequents, rate);
        descend(self.centres.as_mut_slice(), gradient.centres.as_slice(), rate);
    }
}

impl<'a> System<'a> {
    /// `fixed` are constant centres: then the firing strengths are the same at every step.
    pub(super) fn new(xt: &'a Matrix, codes: &'a [u32], gated: Gated<'a>, fixed: Option<&Matrix>) -> Self {
        let shares = fixed.map(|centres| {
            let mut shares = Matrix::zeros(xt.cols(), centres.cols());
            for window in windows(xt.cols(), WINDOW / xt.rows().max(1)) {
                let part = fire(xt, window.clone(), centres, &mut []);
                for rule in 0..centres.cols() {
                    shares.col_mut(rule)[window.clone()].copy_from_slice(part.col(rule));
                }
            }
            shares
        });
        Self { xt, codes, gated, fixed: shares }
    }

    /// The loss and its derivatives.
    pub(super) fn loss(&self, state: &State) -> (f64, State) {
        let (m, n, k) = (self.xt.rows(), self.xt.cols(), state.centres.cols());
        let openings = Gate::Odd.values(&state.gates);
        let (effective, rule_gates) = match self.gated {
            Gated::Features(blocks) => (scaled(&state.consequents, &to_columns(&openings, blocks)), vec![1.0; k]),
            Gated::Rules => (state.consequents.clone(), openings),
            Gated::Nothing => (state.consequents.clone(), vec![1.0; k]),
        };
        let mut d_consequents = effective.zeros_like();
        let mut d_rules = vec![0.0; k];
        let learns_centres = self.fixed.is_none();
        let mut d_centres = if learns_centres { Matrix::zeros(m, k) } else { Matrix::default() };
        let width = if learns_centres { m * k } else { m.max(effective.constants.as_slice().len()) };
        let (mut pulls, mut outputs, mut loss) = (Vec::new(), Outputs::default(), 0.0);
        for window in windows(n, WINDOW / width.max(1)) {
            let shares = match &self.fixed {
                Some(all) => Matrix::from_fn(window.len(), k, |row, rule| all[(window.start + row, rule)]),
                None => {
                    pulls.resize(window.len() * m * k, 0.0);
                    fire(self.xt, window.clone(), &state.centres, &mut pulls)
                }
            };
            let weighted = gated(&shares, &rule_gates);
            effective.forward(self.xt, window.clone(), &weighted, &mut outputs);
            let mut error = outputs.classes.clone();
            loss += squared_error(&mut error, &self.codes[window.clone()], n);
            let mut d = effective.back(self.xt, window, &weighted, &outputs, &error, &mut d_consequents);
            through_gates(&shares, &rule_gates, &mut d, &mut d_rules);
            if learns_centres {
                through_softmax(&shares, &mut d);
                pull_centres(&mut d_centres, &pulls, &d);
            }
        }
        (loss, self.finish(state, d_consequents, &d_rules, d_centres))
    }

    /// Accuracy on the samples.
    pub(super) fn accuracy(&self, state: &State) -> f64 {
        let (n, mut right, mut outputs) = (self.xt.cols(), 0, Outputs::default());
        for window in windows(n, WINDOW / state.consequents.constants.as_slice().len().max(self.xt.rows()).max(1)) {
            let shares = fire(self.xt, window.clone(), &state.centres, &mut []);
            state.consequents.forward(self.xt, window.clone(), &shares, &mut outputs);
            for (row, sample) in window.enumerate() {
                let score = |class: usize| outputs.classes[(row, class)];
                let better = |best: usize, class: usize| if score(class) > score(best) { class } else { best };
                right += usize::from((0..outputs.classes.cols()).fold(0, better) == self.codes[sample] as usize);
            }
        }
        right as f64 / n.max(1) as f64
    }

    /// From the derivatives with respect to effective slopes and openings to those with respect to the parameters.
    fn finish(&self, state: &State, consequents: Consequents, d_rules: &[f64], centres: Matrix) -> State {
        let slope = |(sum, &u): (f64, &f64)| sum * Gate::Odd.slope(u);
        match self.gated {
            Gated::Nothing => State { gates: Vec::new(), consequents, centres },
            Gated::Rules => {
                State { gates: d_rules.iter().copied().zip(&state.gates).map(slope).collect(), consequents, centres }
            }
            Gated::Features(blocks) => {
                let mut columns = vec![0.0; self.xt.rows()];
                if let (Some(d), Some(slopes)) = (&consequents.slopes, &state.consequents.slopes) {
                    for col in 0..d.cols() {
                        let terms = d.col(col).iter().zip(slopes.col(col));
                        columns.iter_mut().zip(terms).for_each(|(sum, (d, slope))| *sum += d * slope);
                    }
                }
                let gates = to_features(&columns, blocks).into_iter().zip(&state.gates).map(slope).collect();
                let openings = to_columns(&Gate::Odd.values(&state.gates), blocks);
                State { gates, consequents: scaled(&consequents, &openings), centres }
            }
        }
    }
}

/// Consequents with the slopes of every column multiplied by a factor.
fn scaled(consequents: &Consequents, factors: &[f64]) -> Consequents {
    let mut out = consequents.clone();
    if let Some(slopes) = &mut out.slopes {
        for col in 0..slopes.cols() {
            slopes.col_mut(col).iter_mut().zip(factors).for_each(|(slope, factor)| *slope *= factor);
        }
    }
    out
}

/// Normalised firing strengths for some samples, b x k. Unless `pulls` is empty, also computes `d ln f_r / d m_rd`, m
/// x k for every sample.
fn fire(xt: &Matrix, window: Range<usize>, centres: &Matrix, pulls: &mut [f64]) -> Matrix {
    let (m, k) = (xt.rows(), centres.cols());
    let strengths: Vec<Vec<f64>> = if pulls.is_empty() {
        let one = |(distances, pull): &mut (Vec<f64>, Vec<f64>), sample: usize| {
            (0..k).map(|rule| log_strength(xt.col(sample), centres.col(rule), distances, pull)).collect()
        };
        window.clone().into_par_iter().map_init(|| (vec![0.0; m], vec![0.0; m]), one).collect()
    } else {
        let one = |distances: &mut Vec<f64>, (row, pulls): (usize, &mut [f64])| {
            let (x, pulls) = (xt.col(window.start + row), pulls.chunks_mut(m).enumerate());
            pulls.map(|(rule, pull)| log_strength(x, centres.col(rule), distances, pull)).collect()
        };
        pulls.par_chunks_mut(m * k).enumerate().map_init(|| vec![0.0; m], one).collect()
    };
    let mut shares = Matrix::from_fn(window.len(), k, |row, rule| strengths[row][rule]);
    softmax(&mut shares, &mut Matrix::default());
    shares
}

/// `ln f` of one rule, and its derivatives with respect to the centre.
fn log_strength(x: &[f64], centre: &[f64], distances: &mut [f64], pull: &mut [f64]) -> f64 {
    widest!(|| {
        let terms = x.iter().zip(centre);
        distances.iter_mut().zip(terms).for_each(|(out, (x, centre))| *out = (x - centre) * (x - centre));
        let strength = ada(distances, ada_index(largest(distances, 0.0)), pull);
        let terms = x.iter().zip(centre);
        pull.iter_mut().zip(terms).for_each(|(pull, (x, centre))| *pull *= 2.0 * (x - centre));
        strength
    })
}

/// Adds `sum_n delta_nr pull_nrd`.
fn pull_centres(sums: &mut Matrix, pulls: &[f64], delta: &Matrix) {
    let (m, k) = (sums.rows(), sums.cols());
    sums.as_mut_slice().par_chunks_mut(m.max(1)).enumerate().for_each(|(rule, sums)| {
        widest!(|| {
            for (row, pulls) in pulls.chunks_exact(m * k).take(delta.rows()).enumerate() {
                let delta = delta[(row, rule)];
                let pulls = &pulls[rule * m..(rule + 1) * m];
                sums.iter_mut().zip(pulls).for_each(|(sum, pull)| *sum += delta * pull);
            }
        });
    });
}
