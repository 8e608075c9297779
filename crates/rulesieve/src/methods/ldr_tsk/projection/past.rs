//! What the last iterations say about the step of a pass.
//!
//! X_hat moves little from iteration to iteration, and smoothly. So does the step e that leads from one pass to the next:
//! the parabola through its last three values foretells it to about three digits, and only what that leaves is solved for.
//! With G for `alpha X^T X`, `(G + D_j) e_j = b_j` then asks for G times the guess, a product as dear as a solve; but of every
//! step that was solved for, `G e_j = b_j - D_j e_j - rest_j` is known, the rest included, so nothing but rounding is handed
//! on. That grows with the square of the number of guesses in a row, which is why they are limited.

use crate::linalg::{Matrix, sum_of_squares, widest};
use std::collections::VecDeque;

/// Values that a guess follows.
const FOLLOWED: usize = 3;
/// Guesses in a row, before a step is solved for from nothing.
const IN_A_ROW: usize = 32;
/// Steps with more entries are not kept: eight matrices of this size are 128 MB.
const MOST_ENTRIES: usize = 1 << 21;

/// Writes a column of b: its number, that column of q, and where to.
pub(super) type Right<'r> = dyn Fn(usize, &[f64], &mut [f64]) + 'r;

/// The steps of one pass in the iterations before, the latest first.
#[derive(Default)]
pub(super) struct Past {
    steps: VecDeque<Step>,
    guesses: usize,
    spare: Step,
}

/// A step of a pass.
#[derive(Default)]
struct Step {
    e: Matrix,
    /// `G e`. In the making `b - D e`, which differs from it by what is left to solve for.
    image: Matrix,
}

impl Past {
    /// The next step, to be solved for. It is added to `q`; D_j is `diagonal + lambda_j I`.
    pub(super) fn next<'a>(
        &'a mut self,
        q: &'a mut Matrix,
        right: &'a Right<'a>,
        diagonal: &'a [f64],
        lambda: &'a [f64],
    ) -> Unknown<'a> {
        let shape = (q.rows(), q.cols());
        let of_this_shape = |step: &Step| (step.e.rows(), step.e.cols()) == shape;
        if self.guesses == IN_A_ROW || !self.steps.iter().all(of_this_shape) {
            self.steps.clear();
            self.guesses = 0;
        }
        let mut step = std::mem::take(&mut self.spare);
        step.e.resize(shape.0, shape.1);
        step.image.resize(shape.0, shape.1);
        Unknown { past: self, q, right, diagonal, lambda, step }
    }

    /// Whether the next step will be guessed.
    #[cfg(test)]
    pub(super) fn is_followed(&self) -> bool {
        !self.steps.is_empty()
    }

    fn keep(&mut self, step: Step) {
        if step.e.as_slice().len() > MOST_ENTRIES {
            self.spare = step;
            return;
        }
        self.guesses += usize::from(!self.steps.is_empty());
        self.steps.push_front(step);
        if self.steps.len() > FOLLOWED {
            self.spare = self.steps.pop_back().unwrap_or_default();
        }
    }

    /// How much each of the steps before counts in the guess.
    fn coefficients(&self) -> [f64; FOLLOWED] {
        match self.steps.len() {
            0 => [0.0; FOLLOWED],
            1 => [1.0, 0.0, 0.0],
            2 => [2.0, -1.0, 0.0],
            _ => [3.0, -3.0, 1.0],
        }
    }
}

/// A vector of which `solution` times as much belongs to the step; of what was left to solve for, `rest` times as much stays.
pub(super) struct Term<'v> {
    pub(super) vector: &'v [f64],
    pub(super) solution: f64,
    pub(super) rest: f64,
}

/// A step that is being solved for: a guess, and what has been found of the rest.
pub(super) struct Unknown<'a> {
    past: &'a mut Past,
    q: &'a mut Matrix,
    right: &'a Right<'a>,
    diagonal: &'a [f64],
    lambda: &'a [f64],
    step: Step,
}

impl Unknown<'_> {
    pub(super) fn rows(&self) -> usize {
        self.q.rows()
    }

    pub(super) fn lambda(&self) -> &[f64] {
        self.lambda
    }

    /// Whether there is a guess; otherwise the whole step is left.
    pub(super) fn is_guessed(&self) -> bool {
        !self.past.steps.is_empty()
    }

    /// Starts a column from its guess; what is left to solve for goes to `out`.
    pub(super) fn start(&mut self, column: usize, out: &mut [f64]) {
        (self.right)(column, self.q.col(column), out);
        let (e, image) = (self.step.e.col_mut(column), self.step.image.col_mut(column));
        let Some(latest) = self.past.steps.front() else {
            e.fill(0.0);
            image.copy_from_slice(out);
            return;
        };
        let before = |at: usize| self.past.steps.get(at).unwrap_or(latest);
        let (one, two, three) = (before(0), before(1), before(2));
        let (c, lambda) = (self.past.coefficients(), self.lambda[column]);
        let followed = |of: fn(&Step) -> &Matrix| {
            let (one, two, three) = (of(one).col(column), of(two).col(column), of(three).col(column));
            one.iter().zip(two).zip(three).map(move |((one, two), three)| c[0] * one + c[1] * two + c[2] * three)
        };
        let whole = sum_of_squares(out);
        widest!(|| {
            e.iter_mut().zip(followed(|step| &step.e)).for_each(|(e, guess)| *e = guess);
            let known = image.iter_mut().zip(&*e).zip(self.diagonal).zip(followed(|step| &step.image));
            for (out, (((image, e), diagonal), followed)) in out.iter_mut().zip(known) {
                *image = *out - (diagonal + lambda) * e;
                *out = *image - followed;
            }
        });
        // A guess that leaves more than it takes away is none.
        if sum_of_squares(out) >= whole {
            (self.right)(column, self.q.col(column), out);
            e.fill(0.0);
            image.copy_from_slice(out);
        }
    }

    /// Adds the squares of a column of the result to the sums of its rows, as far as it is known, `more` included.
    #[inline(always)]
    pub(super) fn add_squares(&self, column: usize, more: &[f64], sums: &mut [f64]) {
        let result = self.q.col(column).iter().zip(self.step.e.col(column)).zip(more);
        sums.iter_mut().zip(result).for_each(|(sum, ((q, e), more))| *sum += (q + e + more) * (q + e + more));
    }

    /// Adds vectors to a column.
    #[inline(always)]
    pub(super) fn add<const N: usize>(&mut self, column: usize, terms: [Term; N]) {
        let (shift, rows) = (self.lambda[column], self.rows());
        let (e, image) = (self.step.e.col_mut(column), self.step.image.col_mut(column));
        let diagonal = &self.diagonal[..rows];
        let vectors = terms.each_ref().map(|term| &term.vector[..rows]);
        for row in 0..rows {
            let (mut more, mut rest) = (0.0, 0.0);
            for (term, vector) in terms.iter().zip(&vectors) {
                more += term.solution * vector[row];
                rest += term.rest * vector[row];
            }
            e[row] += more;
            image[row] -= (diagonal[row] + shift) * more + rest;
        }
    }

    /// Adds the step to q, and remembers it.
    pub(super) fn finish(self) {
        let entries = self.q.as_mut_slice().iter_mut().zip(self.step.e.as_slice());
        entries.for_each(|(q, e)| *q += e);
        self.past.keep(self.step);
    }
}
