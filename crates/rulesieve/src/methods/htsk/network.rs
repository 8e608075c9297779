//! The rules, their outputs for a batch, and derivatives.

use super::Params;
use crate::linalg::{Columns, Matrix, Plain, Transposed, add_product, product};
use crate::methods::fuzzy::consequents::{Consequents, Outputs};
use crate::methods::fuzzy::firing::{Forms, through_softmax};
use std::ops::Range;

/// Added to squared spreads.
const LEAST_SQUARE: f64 = 1e-8;

/// Parameters, or the derivatives with respect to them.
#[derive(Debug, Clone)]
pub(super) struct Network {
    /// m x k.
    pub(super) centres: Matrix,
    /// m x k.
    pub(super) spreads: Matrix,
    pub(super) consequents: Consequents,
    /// Factor of a squared distance in the sum over the columns: 1, or one over their number.
    pub(super) share: f64,
}

/// Samples with their squares, m x n.
#[derive(Debug, Clone)]
pub(super) struct Batch {
    pub(super) xt: Matrix,
    squares: Matrix,
}

impl Batch {
    pub(super) fn new(xt: Matrix) -> Self {
        let mut squares = xt.clone();
        squares.as_mut_slice().iter_mut().for_each(|value| *value *= *value);
        Self { xt, squares }
    }

    /// Some columns of a matrix.
    pub(super) fn of(xt: &Matrix, samples: &[usize]) -> Self {
        let mut part = Matrix::zeros(xt.rows(), samples.len());
        samples.iter().enumerate().for_each(|(to, &from)| part.col_mut(to).copy_from_slice(xt.col(from)));
        Self::new(part)
    }
}

/// Intermediate values of a batch.
#[derive(Debug, Clone, Default)]
pub(super) struct Pass {
    forms: Forms,
    shares: Matrix,
    pub(super) outputs: Outputs,
}

impl Network {
    pub(super) fn new(params: &Params, centres: Matrix, spreads: Matrix, consequents: Consequents) -> Self {
        let share = if params.mean { 1.0 / centres.rows().max(1) as f64 } else { 1.0 };
        Self { centres, spreads, consequents, share }
    }

    fn forms(&self) -> Forms {
        let (m, k) = (self.centres.rows(), self.centres.cols());
        let (mut quadratic, mut linear, mut constant) = (Matrix::zeros(m, k), Matrix::zeros(m, k), vec![0.0; k]);
        for (rule, constant) in constant.iter_mut().enumerate() {
            for col in 0..m {
                let (centre, spread) = (self.centres[(col, rule)], self.spreads[(col, rule)]);
                let precision = self.share / (spread * spread + LEAST_SQUARE);
                quadratic[(col, rule)] = -0.5 * precision;
                linear[(col, rule)] = centre * precision;
                *constant -= 0.5 * centre * centre * precision;
            }
        }
        Forms { quadratic: Some(quadratic), linear, constant }
    }

    /// The outputs for some samples of a batch.
    pub(super) fn forward(&self, batch: &Batch, samples: Range<usize>, pass: &mut Pass) {
        pass.forms = self.forms();
        pass.forms.shares(&batch.xt, &batch.squares, samples.clone(), &mut pass.shares);
        self.consequents.forward(&batch.xt, samples, &pass.shares, &mut pass.outputs);
    }

    /// All derivatives of a loss, given those with respect to the outputs.
    pub(super) fn back(&self, batch: &Batch, samples: Range<usize>, pass: &Pass, error: &Matrix) -> Self {
        let mut consequents = self.consequents.zeros_like();
        let xt = &batch.xt;
        let mut d = self.consequents.back(xt, samples.clone(), &pass.shares, &pass.outputs, error, &mut consequents);
        through_softmax(&pass.shares, &mut d);
        let mut centres = product(Columns(xt, samples.clone()), Plain(&d));
        let mut spreads = product(Columns(&batch.squares, samples), Plain(&d));
        for rule in 0..d.cols() {
            let mass: f64 = d.col(rule).iter().sum();
            for col in 0..xt.rows() {
                let at = (col, rule);
                let (centre, spread, linear) = (self.centres[at], self.spreads[at], centres[at]);
                let square = spread * spread + LEAST_SQUARE;
                centres[at] = self.share * (linear - mass * centre) / square;
                let around = spreads[at] - 2.0 * centre * linear + mass * centre * centre;
                spreads[at] = self.share * spread * around / (square * square);
            }
        }
        Self { centres, spreads, consequents, share: self.share }
    }

    /// The derivative of a loss with respect to the samples, m x b.
    pub(super) fn back_to_samples(&self, batch: &Batch, samples: Range<usize>, pass: &Pass, error: &Matrix) -> Matrix {
        let mut d = self.consequents.weight_errors(&batch.xt, samples.clone(), &pass.outputs, error);
        through_softmax(&pass.shares, &mut d);
        let mut out = match &pass.forms.quadratic {
            Some(quadratic) => product(Plain(quadratic), Transposed(&d)),
            None => Matrix::zeros(batch.xt.rows(), samples.len()),
        };
        for (at, sample) in samples.enumerate() {
            out.col_mut(at).iter_mut().zip(batch.xt.col(sample)).for_each(|(out, x)| *out *= 2.0 * x);
        }
        add_product(&mut out, 1.0, 1.0, Plain(&pass.forms.linear), Transposed(&d));
        if let Some(slopes) = &self.consequents.slopes {
            let d_rules = self.consequents.rule_errors(&pass.shares, error);
            add_product(&mut out, 1.0, 1.0, Plain(slopes), Transposed(&d_rules));
        }
        out
    }

    /// All parameters, part by part.
    pub(super) fn parts(&mut self) -> [&mut [f64]; 4] {
        let slopes = self.consequents.slopes.as_mut().map_or(&mut [][..], Matrix::as_mut_slice);
        let constants = self.consequents.constants.as_mut_slice();
        [self.centres.as_mut_slice(), self.spreads.as_mut_slice(), constants, slopes]
    }
}
