//! Forward and backward passes for a batch of samples: matrix products, and loops along samples.
//!
//! With H = X Q (b x d), precisions `R = exp(-2 log_spread)` and centres C (rules x d):
//!
//! `z_r = -(1 / 2d) sum_j (h_j - c_rj)^2 R_rj = h^2 A^T + h B^T + a`, `f = softmax(z)`,
//! `logit_o = sum_r f_r (h P_ro + p0_ro)`,
//! with `A = -R / 2d`, `B = C R / d`, `a_r = -sum_j C_rj^2 R_rj / 2d`.

use super::network::Network;
use crate::linalg::{Columns, ColumnsTransposed, Matrix, Plain, Transposed, add_product, exp, widest};
use std::ops::Range;

/// Intermediate values of a batch. All matrices have one row per sample.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pass {
    /// H, b x d.
    pub(crate) hidden: Matrix,
    squares: Matrix,
    /// Normalised firing strengths, b x rules.
    pub(crate) firing: Matrix,
    /// Output of every rule, b x (rules * outputs).
    pub(crate) rule_outputs: Matrix,
    /// Outputs of the network, b x outputs.
    pub(crate) logits: Matrix,
    antecedents: Antecedents,
    d_rule_outputs: Matrix,
    d_firing: Matrix,
    /// Derivative with respect to H.
    pub(crate) d_hidden: Matrix,
    scratch: Matrix,
}

/// Centres and spreads as coefficients of the quadratic forms z.
#[derive(Debug, Clone, Default)]
struct Antecedents {
    quadratic: Matrix,
    linear: Matrix,
    constant: Vec<f64>,
}

/// Derivatives of the loss, in the shapes of [`Network`].
#[derive(Debug, Clone, Default)]
pub(crate) struct Gradient {
    /// With respect to Q; empty without one.
    pub(crate) projection: Matrix,
    /// With respect to the centres.
    pub(crate) centres: Matrix,
    /// With respect to the log-spreads.
    pub(crate) log_spreads: Matrix,
    /// With respect to the slopes.
    pub(crate) slopes: Matrix,
    /// With respect to the constants.
    pub(crate) constants: Vec<f64>,
}

impl Antecedents {
    fn update(&mut self, network: &Network) {
        let (rules, d) = (network.rules(), network.dimensions());
        let scale = 1.0 / d as f64;
        self.quadratic.resize(rules, d);
        self.linear.resize(rules, d);
        self.constant.clear();
        self.constant.resize(rules, 0.0);
        for dim in 0..d {
            let inputs = network.centres.col(dim).iter().zip(network.log_spreads.col(dim));
            let outputs = self.quadratic.col_mut(dim).iter_mut().zip(self.linear.col_mut(dim)).zip(&mut self.constant);
            for ((&centre, &log_spread), ((quadratic, linear), constant)) in inputs.zip(outputs) {
                let precision = exp(-2.0 * log_spread) * scale;
                *quadratic = -0.5 * precision;
                *linear = centre * precision;
                *constant -= 0.5 * centre * centre * precision;
            }
        }
    }
}

impl Pass {
    /// Computes the outputs for some columns of `x` (m x n, one sample a column).
    pub(crate) fn forward(&mut self, network: &Network, x: &Matrix, samples: Range<usize>) {
        self.project(network, x, samples);
        self.fire(network);
        self.conclude(network);
    }

    fn project(&mut self, network: &Network, x: &Matrix, samples: Range<usize>) {
        let (batch, d) = (samples.len(), network.dimensions());
        self.hidden.resize(batch, d);
        match &network.projection {
            Some(q) => add_product(&mut self.hidden, 0.0, 1.0, ColumnsTransposed(x, samples), Plain(q)),
            None => {
                for (row, sample) in samples.enumerate() {
                    x.col(sample).iter().enumerate().for_each(|(dim, &value)| self.hidden[(row, dim)] = value);
                }
            }
        }
    }

    fn fire(&mut self, network: &Network) {
        let (batch, d, rules) = (self.hidden.rows(), network.dimensions(), network.rules());
        self.antecedents.update(network);
        self.squares.resize(batch, d);
        self.firing.resize(batch, rules);
        widest!(|| {
            let entries = self.squares.as_mut_slice().iter_mut().zip(self.hidden.as_slice());
            entries.for_each(|(square, hidden)| *square = hidden * hidden);
        });
        for (rule, &constant) in self.antecedents.constant.iter().enumerate() {
            self.firing.col_mut(rule).fill(constant);
        }
        add_product(&mut self.firing, 1.0, 1.0, Plain(&self.squares), Transposed(&self.antecedents.quadratic));
        add_product(&mut self.firing, 1.0, 1.0, Plain(&self.hidden), Transposed(&self.antecedents.linear));
        softmax(&mut self.firing, &mut self.scratch);
    }

    fn conclude(&mut self, network: &Network) {
        let (batch, outputs) = (self.hidden.rows(), network.outputs());
        self.rule_outputs.resize(batch, network.constants.len());
        for (column, &constant) in network.constants.iter().enumerate() {
            self.rule_outputs.col_mut(column).fill(constant);
        }
        add_product(&mut self.rule_outputs, 1.0, 1.0, Plain(&self.hidden), Plain(&network.slopes));
        self.logits.resize(batch, outputs);
        self.logits.as_mut_slice().fill(0.0);
        widest!(|| {
            for rule in 0..network.rules() {
                for output in 0..outputs {
                    let rule_output = self.rule_outputs.col(rule * outputs + output);
                    let terms = self.firing.col(rule).iter().zip(rule_output);
                    let logits = self.logits.col_mut(output).iter_mut();
                    logits.zip(terms).for_each(|(logit, (firing, output))| *logit += firing * output);
                }
            }
        });
    }

    /// Propagates the derivative of the loss from the logits to H.
    pub(crate) fn backward_to_hidden(&mut self, network: &Network, error: &Matrix) {
        let (batch, d, rules, outputs) = (error.rows(), network.dimensions(), network.rules(), network.outputs());
        self.d_rule_outputs.resize(batch, rules * outputs);
        self.d_firing.resize(batch, rules);
        self.d_firing.as_mut_slice().fill(0.0);
        self.scratch.resize(batch, d.max(1));
        widest!(|| {
            for rule in 0..rules {
                for output in 0..outputs {
                    let column = rule * outputs + output;
                    let inputs = error.col(output).iter().zip(self.rule_outputs.col(column)).zip(self.firing.col(rule));
                    let targets = self.d_rule_outputs.col_mut(column).iter_mut().zip(self.d_firing.col_mut(rule));
                    for ((d_output, d_firing), ((error, rule_output), firing)) in targets.zip(inputs) {
                        *d_output = firing * error;
                        *d_firing += rule_output * error;
                    }
                }
            }
            // Through the softmax: dz = f (df - sum f df).
            let mean = &mut self.scratch.as_mut_slice()[..batch];
            mean.fill(0.0);
            for rule in 0..rules {
                let terms = self.firing.col(rule).iter().zip(self.d_firing.col(rule));
                mean.iter_mut().zip(terms).for_each(|(mean, (firing, d_firing))| *mean += firing * d_firing);
            }
            for rule in 0..rules {
                let terms = self.firing.col(rule).iter().zip(&*mean);
                let targets = self.d_firing.col_mut(rule).iter_mut();
                targets.zip(terms).for_each(|(d_firing, (firing, mean))| *d_firing = firing * (*d_firing - mean));
            }
        });
        self.d_hidden.resize(batch, d);
        add_product(&mut self.scratch, 0.0, 2.0, Plain(&self.d_firing), Plain(&self.antecedents.quadratic));
        widest!(|| {
            let terms = self.scratch.as_slice().iter().zip(self.hidden.as_slice());
            let targets = self.d_hidden.as_mut_slice().iter_mut();
            targets.zip(terms).for_each(|(d_hidden, (quadratic, hidden))| *d_hidden = quadratic * hidden);
        });
        add_product(&mut self.d_hidden, 1.0, 1.0, Plain(&self.d_firing), Plain(&self.antecedents.linear));
        add_product(&mut self.d_hidden, 1.0, 1.0, Plain(&self.d_rule_outputs), Transposed(&network.slopes));
    }

    /// All derivatives of the loss, for the batch of the last [`Pass::forward`].
    pub(crate) fn backward(
        &mut self,
        network: &Network,
        x: &Matrix,
        samples: Range<usize>,
        error: &Matrix,
        gradient: &mut Gradient,
    ) {
        self.backward_to_hidden(network, error);
        if let Some(q) = &network.projection {
            gradient.projection.resize(q.rows(), q.cols());
            add_product(&mut gradient.projection, 0.0, 1.0, Columns(x, samples), Plain(&self.d_hidden));
        }
        gradient.slopes.resize(network.slopes.rows(), network.slopes.cols());
        add_product(&mut gradient.slopes, 0.0, 1.0, Transposed(&self.hidden), Plain(&self.d_rule_outputs));
        gradient.constants.clear();
        let columns = 0..network.constants.len();
        gradient.constants.extend(columns.map(|column| self.d_rule_outputs.col(column).iter().sum::<f64>()));
        self.backward_to_antecedents(network, gradient);
    }

    fn backward_to_antecedents(&mut self, network: &Network, gradient: &mut Gradient) {
        let (rules, d) = (network.rules(), network.dimensions());
        let Gradient { centres, log_spreads, .. } = gradient;
        centres.resize(rules, d);
        log_spreads.resize(rules, d);
        add_product(centres, 0.0, 1.0, Transposed(&self.d_firing), Plain(&self.hidden));
        add_product(log_spreads, 0.0, 1.0, Transposed(&self.d_firing), Plain(&self.squares));
        let mass: Vec<f64> = (0..rules).map(|rule| self.d_firing.col(rule).iter().sum()).collect();
        for dim in 0..d {
            for (rule, &mass) in mass.iter().enumerate() {
                let at = (rule, dim);
                let (centre, precision) = (network.centres[at], -2.0 * self.antecedents.quadratic[at]);
                let (linear, square) = (centres[at], log_spreads[at]);
                centres[at] = (linear - mass * centre) * precision;
                log_spreads[at] = (square - 2.0 * centre * linear + mass * centre * centre) * precision;
            }
        }
    }
}

/// Lower bound on the logarithm of firing strengths: smaller ones are lost in rounding anyway, and arithmetic with
/// their subnormal squares and products is a hundred times slower.
const LEAST_LOG_STRENGTH: f64 = -60.0;

/// Replaces every row by its softmax.
pub(crate) fn softmax(scores: &mut Matrix, scratch: &mut Matrix) {
    let (rows, cols) = (scores.rows(), scores.cols());
    scratch.resize(rows, 2);
    widest!(|| {
        let (most, sum) = scratch.as_mut_slice().split_at_mut(rows);
        most.fill(f64::NEG_INFINITY);
        sum.fill(0.0);
        for col in 0..cols {
            most.iter_mut().zip(scores.col(col)).for_each(|(most, &score)| *most = most.max(score));
        }
        for col in 0..cols {
            for ((score, most), sum) in scores.col_mut(col).iter_mut().zip(&*most).zip(&mut *sum) {
                *score = exp((*score - most).max(LEAST_LOG_STRENGTH));
                *sum += *score;
            }
        }
        for col in 0..cols {
            scores.col_mut(col).iter_mut().zip(&*sum).for_each(|(score, sum)| *score /= sum);
        }
    });
}
