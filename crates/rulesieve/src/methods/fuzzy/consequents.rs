//! What the rules say, of order zero (constants) or one (linear functions of the sample), and what it costs to be wrong.

use super::mixed;
use crate::linalg::{Columns, ColumnsTransposed, Matrix, Plain, Transposed, add_product, product, widest};
use std::ops::Range;

/// Consequents, or derivatives with respect to them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Consequents {
    /// k x c.
    pub(crate) constants: Matrix,
    /// m x (k c), the classes of a rule beside one another; none at order zero.
    pub(crate) slopes: Option<Matrix>,
}

/// What is said of some samples.
#[derive(Debug, Clone, Default)]
pub(crate) struct Answers {
    /// By every rule for every class, b x (k c); unused on the other ways.
    rules: Matrix,
    /// By all rules together, b x c.
    pub(crate) classes: Matrix,
}

/// The cheapest way to an answer.
enum Way<'a> {
    /// Nothing but constants.
    Constants,
    /// What every rule says, times its weight.
    ByRule(&'a Matrix),
    /// The slopes of all rules mixed for every sample, times the sample: less memory where rules outnumber columns.
    Mixed(&'a Matrix),
}

impl Consequents {
    /// Zeros of the same shape.
    pub(crate) fn zeros_like(&self) -> Self {
        let zeros = |matrix: &Matrix| Matrix::zeros(matrix.rows(), matrix.cols());
        Self { constants: zeros(&self.constants), slopes: self.slopes.as_ref().map(zeros) }
    }

    /// Moves against a gradient.
    pub(crate) fn descend(&mut self, gradient: &Self, rate: f64) {
        descend(self.constants.as_mut_slice(), gradient.constants.as_slice(), rate);
        if let (Some(slopes), Some(gradient)) = (&mut self.slopes, &gradient.slopes) {
            descend(slopes.as_mut_slice(), gradient.as_slice(), rate);
        }
    }

    fn way(&self) -> Way<'_> {
        match &self.slopes {
            None => Way::Constants,
            Some(slopes) if (1..self.constants.rows()).contains(&slopes.rows()) => Way::Mixed(slopes),
            Some(slopes) => Way::ByRule(slopes),
        }
    }

    /// Numbers that are kept of every sample on the way to an answer.
    pub(crate) fn said(&self) -> usize {
        match self.way() {
            Way::Constants => 0,
            Way::ByRule(slopes) => slopes.cols(),
            Way::Mixed(slopes) => slopes.rows() * self.constants.cols(),
        }
    }

    /// The answers for some columns of `xt` (m x n), to whose sum every rule adds what it says times its weight (b x k).
    pub(crate) fn answer(&self, xt: &Matrix, samples: Range<usize>, weights: &Matrix, out: &mut Answers) {
        out.classes.resize(samples.len(), self.constants.cols());
        if let Way::ByRule(slopes) = self.way() {
            return self.answer_by_rule(slopes, xt, samples, weights, out);
        }
        add_product(&mut out.classes, 0.0, 1.0, Plain(weights), Plain(&self.constants));
        if let Way::Mixed(slopes) = self.way() {
            mixed::add_answers(slopes, xt, samples, weights, &mut out.classes);
        }
    }

    fn answer_by_rule(&self, slopes: &Matrix, xt: &Matrix, samples: Range<usize>, weights: &Matrix, out: &mut Answers) {
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
                    sums.zip(terms).for_each(|(sum, (weight, said))| *sum += weight * said);
                }
            }
        });
    }

    /// From the derivative of a loss with respect to the answers to that with respect to the weights, which is returned, and to
    /// the consequents, which is added to `gradient`.
    pub(crate) fn back(
        &self,
        xt: &Matrix,
        samples: Range<usize>,
        weights: &Matrix,
        answers: &Answers,
        error: &Matrix,
        gradient: &mut Self,
    ) -> Matrix {
        add_product(&mut gradient.constants, 1.0, 1.0, Transposed(weights), Plain(error));
        if let (Some(d_slopes), Way::ByRule(_)) = (&mut gradient.slopes, self.way()) {
            let d_rules = self.rule_errors(weights, error);
            add_product(d_slopes, 1.0, 1.0, Columns(xt, samples.clone()), Plain(&d_rules));
        } else if let Some(d_slopes) = &mut gradient.slopes {
            mixed::add_slopes(d_slopes, xt, samples.clone(), weights, error);
        }
        self.weight_errors(xt, samples, answers, error)
    }

    /// The derivative with respect to what every rule says, b x (k c).
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
        answers: &Answers,
        error: &Matrix,
    ) -> Matrix {
        if let Way::ByRule(_) = self.way() {
            return self.weight_errors_by_rule(answers, error);
        }
        let mut out = product(Plain(error), Transposed(&self.constants));
        if let Way::Mixed(slopes) = self.way() {
            mixed::add_weight_errors(slopes, xt, samples, error, &mut out);
        }
        out
    }

    fn weight_errors_by_rule(&self, answers: &Answers, error: &Matrix) -> Matrix {
        let (rules, classes) = (self.constants.rows(), self.constants.cols());
        let mut out = Matrix::zeros(error.rows(), rules);
        widest!(|| {
            for rule in 0..rules {
                for class in 0..classes {
                    let terms = answers.rules.col(rule * classes + class).iter().zip(error.col(class));
                    out.col_mut(rule).iter_mut().zip(terms).for_each(|(out, (said, error))| *out += said * error);
                }
            }
        });
        out
    }
}

/// Moves numbers against their gradient.
pub(crate) fn descend(values: &mut [f64], gradient: &[f64], rate: f64) {
    values.iter_mut().zip(gradient).for_each(|(value, gradient)| *value -= rate * gradient);
}

/// Half the squared distance of the answers from the indicators of the classes, divided by `count`; the answers become the
/// derivative of that.
pub(crate) fn squared_error(answers: &mut Matrix, codes: &[u32], count: usize) -> f64 {
    for (row, &code) in codes.iter().enumerate() {
        answers[(row, code as usize)] -= 1.0;
    }
    let count = count.max(1) as f64;
    let loss = 0.5 * answers.norm_squared() / count;
    answers.as_mut_slice().iter_mut().for_each(|value| *value /= count);
    loss
}
