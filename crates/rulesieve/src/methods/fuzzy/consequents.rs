//! Consequents of order zero (constants) or one (linear functions of the sample), and their squared error.

use super::mixed;
use crate::linalg::{Columns, ColumnsTransposed, Matrix, Plain, Transposed, add_product, product, widest};
use std::ops::Range;

/// Consequents, or derivatives with respect to them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Consequents {
    /// k x c.
    pub(crate) constants: Matrix,
    /// m x (k c), the classes of a rule side by side; `None` at order zero.
    pub(crate) slopes: Option<Matrix>,
}

/// Outputs for some samples.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outputs {
    /// Of every rule for every class, b x (k c); unused by the other forms.
    rules: Matrix,
    /// Of all rules together, b x c.
    pub(crate) classes: Matrix,
}

/// The cheapest form of evaluation.
enum Form<'a> {
    /// Zero order: constants only.
    Constants,
    /// The weighted outputs of all rules.
    ByRule(&'a Matrix),
    /// The slopes of all rules mixed for every sample, times the sample: less memory if rules outnumber columns.
    Mixed(&'a Matrix),
}

impl Consequents {
    /// Zeros of the same shape.
    pub(crate) fn zeros_like(&self) -> Self {
        let zeros = |matrix: &Matrix| Matrix::zeros(matrix.rows(), matrix.cols());
        Self { constants: zeros(&self.constants), slopes: self.slopes.as_ref().map(zeros) }
    }

    /// Takes a gradient step.
    pub(crate) fn descend(&mut self, gradient: &Self, rate: f64) {
        descend(self.constants.as_mut_slice(), gradient.constants.as_slice(), rate);
        if let (Some(slopes), Some(gradient)) = (&mut self.slopes, &gradient.slopes) {
            descend(slopes.as_mut_slice(), gradient.as_slice(), rate);
        }
    }

    fn form(&self) -> Form<'_> {
        match &self.slopes {
            None => Form::Constants,
            Some(slopes) if (1..self.constants.rows()).contains(&slopes.rows()) => Form::Mixed(slopes),
            Some(slopes) => Form::ByRule(slopes),
        }
    }

    /// Number of values stored per sample during the evaluation.
    pub(crate) fn values_per_sample(&self) -> usize {
        match self.form() {
            Form::Constants => 0,
            Form::ByRule(slopes) => slopes.cols(),
            Form::Mixed(slopes) => slopes.rows() * self.constants.cols(),
        }
    }

    /// The outputs for some columns of `xt` (m x n): the sum of the rules' outputs with their weights (b x k).
    pub(crate) fn forward(&self, xt: &Matrix, samples: Range<usize>, weights: &Matrix, out: &mut Outputs) {
        out.classes.resize(samples.len(), self.constants.cols());
        if let Form::ByRule(slopes) = self.form() {
            return self.forward_by_rule(slopes, xt, samples, weights, out);
        }
        add_product(&mut out.classes, 0.0, 1.0, Plain(weights), Plain(&self.constants));
        if let Form::Mixed(slopes) = self.form() {
            mixed::add_outputs(slopes, xt, samples, weights, &mut out.classes);
        }
    }

    fn forward_by_rule(
        &self,
        slopes: &Matrix,
        xt: &Matrix,
        samples: Range<usize>,
        weights: &Matrix,
        out: &mut Outputs,
    ) {
        let classes = self.constants.cols();
        out.rules.resize(samples.len(), slopes.cols());
        for rule in 0..self.constants.rows() {
            for class in 0..classes {
                out.rules.col_mut(rule * classes + class).fill(self.constants[(rule, class)]);
            }
        }
        add_product(&mut out.rules, 1.0, 1.0, ColumnsTransposed(xt, samples), Plain(slopes));
        out.classes.as_mut_slice().fill(0.0);
        widest!(|| {
            for rule in 0..self.constants.rows() {
                for class in 0..classes {
                    let terms = weights.col(rule).iter().zip(out.rules.col(rule * classes + class));
                    let sums = out.classes.col_mut(class).iter_mut();
                    sums.zip(terms).for_each(|(sum, (weight, output))| *sum += weight * output);
                }
            }
        });
    }

    /// Propagates the derivative of a loss from the outputs to the weights, returned, and to the consequents, added to
    /// `gradient`.
    pub(crate) fn back(
        &self,
        xt: &Matrix,
        samples: Range<usize>,
        weights: &Matrix,
        outputs: &Outputs,
        error: &Matrix,
        gradient: &mut Self,
    ) -> Matrix {
        add_product(&mut gradient.constants, 1.0, 1.0, Transposed(weights), Plain(error));
        if let (Some(d_slopes), Form::ByRule(_)) = (&mut gradient.slopes, self.form()) {
            let d_rules = self.rule_errors(weights, error);
            add_product(d_slopes, 1.0, 1.0, Columns(xt, samples.clone()), Plain(&d_rules));
        } else if let Some(d_slopes) = &mut gradient.slopes {
            mixed::add_slopes(d_slopes, xt, samples.clone(), weights, error);
        }
        self.weight_errors(xt, samples, outputs, error)
    }

    /// The derivative with respect to the outputs of every rule, b x (k c).
    pub(crate) fn rule_errors(&self, weights: &Matrix, error: &Matrix) -> Matrix {
        let (rules, classes) = (self.constants.rows(), self.constants.cols());
        let mut out = Matrix::zeros(error.rows(), rules * classes);
        widest!(|| {
            for rule in 0..rules {
                for class in 0..classes {
                    let terms = weights.col(rule).iter().zip(error.col(class));
                    let targets = out.col_mut(rule * classes + class).iter_mut();
                    targets.zip(terms).for_each(|(out, (weight, error))| *out = weight * error);
                }
            }
        });
        out
    }

    /// The derivative with respect to the weights of the rules, b x k.
    pub(crate) fn weight_errors(
        &self,
        xt: &Matrix,
        samples: Range<usize>,
        outputs: &Outputs,
        error: &Matrix,
    ) -> Matrix {
        if let Form::ByRule(_) = self.form() {
            return self.weight_errors_by_rule(outputs, error);
        }
        let mut out = product(Plain(error), Transposed(&self.constants));
        if let Form::Mixed(slopes) = self.form() {
            mixed::add_weight_errors(slopes, xt, samples, error, &mut out);
        }
        out
    }

    fn weight_errors_by_rule(&self, outputs: &Outputs, error: &Matrix) -> Matrix {
        let (rules, classes) = (self.constants.rows(), self.constants.cols());
        let mut out = Matrix::zeros(error.rows(), rules);
        widest!(|| {
            for rule in 0..rules {
                for class in 0..classes {
                    let terms = outputs.rules.col(rule * classes + class).iter().zip(error.col(class));
                    out.col_mut(rule).iter_mut().zip(terms).for_each(|(out, (output, error))| *out += output * error);
                }
            }
        });
        out
    }
}

/// Takes a gradient step.
pub(crate) fn descend(values: &mut [f64], gradient: &[f64], rate: f64) {
    values.iter_mut().zip(gradient).for_each(|(value, gradient)| *value -= rate * gradient);
}

/// Half the squared distance of the outputs from the indicators of the classes, divided by `count`; the outputs become
/// its derivative.
pub(crate) fn squared_error(outputs: &mut Matrix, codes: &[u32], count: usize) -> f64 {
    for (row, &code) in codes.iter().enumerate() {
        outputs[(row, code as usize)] -= 1.0;
    }
    let count = count.max(1) as f64;
    let loss = 0.5 * outputs.norm_squared() / count;
    outputs.as_mut_slice().iter_mut().for_each(|value| *value /= count);
    loss
}
