//! What the last iterations say about the step of a pass.
//!
//! X_hat moves little from iteration to iteration, and smoothly. So does the step e that leads from one pass to the next:
//! the parabola through its last three values foretells it to about three digits, and only what that leaves is solved for.
//! With G for `alpha X^T X`, `(G + D_j) e_j = b_j` then asks for G times the guess, a product as dear as a solve; but of every
//! step that was solved for, `G e_j = b_j - D_j e_j - rest_j` is known, the rest included, so nothing but rounding is handed
//! on. That grows with the square of the number of guesses in a row, which is why they are limited, and end sooner where steps
//! were solved for in single precision.

use crate::linalg::{Matrix, sum_of_squares, widest};
use std::collections::VecDeque;

/// Values that a guess follows.
const FOLLOWED: usize = 3;
/// Guesses in a row, before a step is solved for from nothing. So many hand a rounding error in double precision on thousands of
/// times, which leaves eleven digits or more.
const IN_A_ROW: usize = 48;
/// What guesses may bring back of what was lost by rounding, relative to every row.
const MOST_HANDED_ON: f64 = 2e-10;
/// Steps with more entries are not kept: eight matrices of this size are 128 MB.
const MOST_ENTRIES: usize = 1 << 21;

/// Writes a column of b: its number, that column of q, and where to.
pub(super) type Right<'r> = dyn Fn(usize, &[f64], &mut [f64]) + 'r;

/// The steps of one pass in the iterations before, the latest first.
#[derive(Default)]
pub(super) struct Past {
    steps: VecDeque<Step>,
    guesses: usize,
    /// What every step since the last one from nothing has lost in single precision: the largest share of a row of q after it.
    losses: Vec<f64>,
    /// The squared rows of q after the last step, where one centre served all columns.
    rows: Vec<f64>,
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
        if self.guesses == IN_A_ROW || self.handed_on() > MOST_HANDED_ON || !self.steps.iter().all(of_this_shape) {
            self.forget();
        }
        let mut step = std::mem::take(&mut self.spare);
        step.e.resize(shape.0, shape.1);
        step.image.resize(shape.0, shape.1);
        Unknown { past: self, q, right, diagonal, lambda, step, dropped: false, lost: 0.0, rows: Vec::new() }
    }

    fn forget(&mut self) {
        self.steps.clear();
        self.losses.clear();
        self.rows.clear();
        self.guesses = 0;
    }

    fn is_lossy(&self) -> bool {
        self.losses.iter().any(|&loss| loss > 0.0)
    }

    /// Whether the next step will be guessed.
    #[cfg(test)]
    pub(super) fn is_followed(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Guesses since a step was solved for from nothing.
    #[cfg(test)]
    pub(super) fn guesses(&self) -> usize {
        self.guesses
    }

    /// Whether the last step was solved for in single precision but for its beginning.
    #[cfg(test)]
    pub(super) fn was_lossy(&self) -> bool {
        self.losses.last().is_some_and(|&loss| loss > 0.0)
    }

    fn keep(&mut self, step: Step, lost: f64) {
        if step.e.as_slice().len() > MOST_ENTRIES {
            self.spare = step;
            return;
        }
        self.guesses += usize::from(!self.steps.is_empty());
        self.steps.push_front(step);
        self.losses.push(lost);
        if self.steps.len() > FOLLOWED {
            self.spare = self.steps.pop_back().unwrap_or_default();
        }
    }

    /// How much of what was lost the next guess brings back, errors by chance: parabolas hand an error on 3, 6, 10 times and so on.
    fn handed_on(&self) -> f64 {
        let times = self.losses.iter().rev().enumerate().map(|(at, loss)| ((at + 2) * (at + 3) / 2) as f64 * loss);
        times.map(|loss| loss * loss).sum::<f64>().sqrt()
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
    /// Whether a column does without the guess that the others have.
    dropped: bool,
    lost: f64,
    rows: Vec<f64>,
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

    /// Whether the guesses of all columns follow as many steps as they may.
    pub(super) fn is_guessed_in_full(&self) -> bool {
        self.past.steps.len() == FOLLOWED && !self.dropped
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
            self.dropped = true;
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

    /// Tells that this share of a row is lost in single precision.
    pub(super) fn loses(&mut self, share: f64) {
        self.lost = share;
    }

    /// Forgets the steps before if anything was lost with them.
    pub(super) fn forget_if_lossy(&mut self) {
        if self.past.is_lossy() {
            self.past.forget();
        }
    }

    /// Whether the guess is exact enough for a result with these rows (their squares); if not, there is none from now on. Rows
    /// that have become shorter miss more of themselves; and how errors are handed on is known for steps that are all guessed.
    pub(super) fn trusts(&mut self, rows: &[f64]) -> bool {
        let shorter = self.past.rows.iter().zip(rows).map(|(before, now)| before / now).fold(1.0, f64::max).sqrt();
        self.rows = rows.to_vec();
        self.past.losses.iter_mut().for_each(|loss| *loss *= shorter);
        let trusts = self.past.handed_on() <= MOST_HANDED_ON && !(self.dropped && self.past.is_lossy());
        if !trusts {
            self.past.forget();
            self.dropped = false;
        }
        trusts
    }

    /// Adds the step to q, and remembers it.
    pub(super) fn finish(self) {
        let entries = self.q.as_mut_slice().iter_mut().zip(self.step.e.as_slice());
        entries.for_each(|(q, e)| *q += e);
        self.past.rows = self.rows;
        self.past.keep(self.step, self.lost);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes steps of one column and two rows that lose that share: G is 0, and e a half.
    fn steps(past: &mut Past, count: usize, loss: f64) {
        for _ in 0..count {
            let mut q = Matrix::zeros(2, 1);
            let mut unknown = past.next(&mut q, &|_, _, out| out.fill(1.0), &[1.0, 1.0], &[1.0]);
            let mut left = [0.0, 0.0];
            unknown.start(0, &mut left);
            assert!(unknown.trusts(&[1.0, 1.0]));
            unknown.add(0, [Term { vector: &left, solution: 0.5, rest: 0.0 }]);
            unknown.loses(loss);
            unknown.finish();
        }
    }

    #[test]
    fn guesses_end_when_what_was_lost_adds_up() {
        let guesses = |loss: f64| {
            let mut past = Past::default();
            let rows = (0..2 * IN_A_ROW).map(|_| {
                steps(&mut past, 1, loss);
                past.guesses
            });
            rows.max().unwrap()
        };
        assert_eq!((guesses(0.0), guesses(MOST_HANDED_ON)), (IN_A_ROW, 0));
        // Handed on 3 and 6 times: sqrt(9 + 36) < 7, with 10 more than that.
        assert_eq!(guesses(MOST_HANDED_ON / 7.0), 2);
    }

    #[test]
    fn rows_that_have_become_short_miss_more_of_themselves() {
        let cases = [([1.0, 1.0], true), ([1e9, 0.5], true), ([1e9, 1e-8], false), ([1.0, 0.0], false)];
        for (rows, trusted) in cases {
            let (mut past, mut q) = (Past::default(), Matrix::zeros(2, 1));
            steps(&mut past, 2, MOST_HANDED_ON / 100.0);
            let mut unknown = past.next(&mut q, &|_, _, out| out.fill(1.0), &[1.0, 1.0], &[1.0]);
            assert!(unknown.is_guessed());
            assert_eq!((unknown.trusts(&rows), unknown.is_guessed()), (trusted, trusted), "{rows:?}");
        }
    }

    #[test]
    fn steps_that_lost_nothing_are_kept_for_several_centres() {
        for (loss, kept) in [(0.0, true), (1e-13, false)] {
            let (mut past, mut q) = (Past::default(), Matrix::zeros(2, 1));
            steps(&mut past, 3, loss);
            let mut unknown = past.next(&mut q, &|_, _, out| out.fill(1.0), &[1.0, 1.0], &[1.0]);
            assert!(unknown.is_guessed_in_full());
            unknown.forget_if_lossy();
            assert_eq!(unknown.is_guessed(), kept);
        }
    }

    /// A column without a guess breaks the row in which losses are known to be handed on.
    #[test]
    fn a_guess_that_is_no_good_ends_those_of_lossy_steps() {
        for (loss, kept) in [(0.0, true), (1e-13, false)] {
            let (mut past, mut q) = (Past::default(), Matrix::zeros(2, 1));
            steps(&mut past, 3, loss);
            let mut unknown = past.next(&mut q, &|_, _, out| out.fill(1e-9), &[1.0, 1.0], &[1.0]);
            unknown.start(0, &mut [0.0, 0.0]);
            assert!(unknown.is_guessed() && !unknown.is_guessed_in_full());
            assert_eq!((unknown.trusts(&[1.0, 1.0]), unknown.is_guessed()), (kept, kept));
        }
    }
}
