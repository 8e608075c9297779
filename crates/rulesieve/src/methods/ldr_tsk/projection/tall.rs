//! The Q step when samples are at least as many as features: m x m systems on the Gram matrix.
//!
//! `(alpha X^T X + D_j) q_j = alpha X^T x_hat_j`, `D_j = beta Z + lambda_j I`. Between two passes only D changes, so
//! with q the solution for D and q + e the one for D', `(alpha X^T X + D'_j) e_j = (D_j - D'_j) q_j`: once the first
//! pass is solved, the right-hand side of every other is a scaling of what is there. Rounding of one pass stays in the
//! next: rows a million times shorter than others lose some of their last digits.

use super::chebyshev::{self, Floor};
use super::past::Past;
use super::{Multipliers, Weights};
use crate::linalg::{
    Centred, Cholesky, LinalgError, Matrix, Plain, Small, Strips, Transposed, add_product, product, smallest,
};
use std::sync::Arc;

/// Up to this many samples a feature the first pass takes one product instead of two, for one more matrix of the
/// size of X. Counted in multiplications, the second product would be a tenth of the work at
/// 2.5 samples a feature (isolet), a fifteenth at 5.2 (madelon).
const FUSED: usize = 6;
/// What guesses of Q may leave, relative to Q and added up over the guesses in a row: single precision then keeps nine digits
/// of `X Q`.
const SMALL_RESTS: f64 = 4e-3;
/// Guesses in a row at most: X is rounded to single precision once, so that a part of the errors is no chance and adds up faster.
const MOST_GUESSES: usize = 32;
/// What the guess itself loses by rounding, as a rest in single precision that loses as much.
const ROUNDING: f64 = 1e-9;

/// Whether products with X are most of the work.
pub(super) fn products_dominate(x: &Matrix) -> bool {
    x.rows() <= FUSED * x.cols()
}

/// Q, and what it hands on to the next iteration.
#[derive(Default)]
pub(super) struct TallQ {
    pub(super) q: Matrix,
    /// What the step to the second pass is guessed from.
    pub(super) past: Past,
    /// Q less the guess `2 Q_1 - Q_2` from the two iterations before, where that is small.
    pub(super) rest: Option<Small>,
    /// Q of the last iterations, the latest first.
    before: [Matrix; 2],
    /// How often `X Q` was computed in full, until it was guessed.
    full: usize,
    /// What the guesses since then have left, relative to Q.
    rests: Vec<f64>,
}

impl TallQ {
    /// Q alone.
    pub(super) fn without_memory(self) -> Self {
        Self { q: self.q, ..Self::default() }
    }

    /// Becomes what was before.
    pub(super) fn for_next(mut self) -> Self {
        self.before.swap(0, 1);
        std::mem::swap(&mut self.q, &mut self.before[0]);
        self
    }

    /// Compares Q with its guess.
    pub(super) fn compare(&mut self, centred: &Centred) {
        let Self { q, before: [one, two], .. } = &*self;
        let like_q = |other: &Matrix| (other.rows(), other.cols()) == (q.rows(), q.cols());
        let known = like_q(one) && like_q(two) && self.full >= 2;
        let rest = known.then(|| {
            let guesses = one.as_slice().iter().zip(two.as_slice()).map(|(one, two)| 2.0 * one - two);
            let entries = q.as_slice().iter().zip(guesses).map(|(q, guess)| q - guess);
            centred.right(q.cols(), entries)
        });
        let share = rest.as_ref().map_or(0.0, |rest| (rest.norm_squared() / q.norm_squared()).sqrt());
        self.rests.push(share + ROUNDING);
        let few = self.rests.len() <= MOST_GUESSES;
        self.rest = rest.filter(|_| few && handed_on(&self.rests) <= SMALL_RESTS);
        if self.rest.is_none() {
            self.full = if self.rests.len() > 1 { 1 } else { self.full + 1 };
            self.rests.clear();
        }
    }
}

/// How much of a rounding error of every rest is in `X Q` after the last one, errors by chance: `2 X Q_1 - X Q_2` hands an
/// error on twice, three times and so on.
fn handed_on(rests: &[f64]) -> f64 {
    let times = rests.iter().rev().enumerate().map(|(at, rest)| (at + 1) as f64 * rest);
    times.map(|rest| rest * rest).sum::<f64>().sqrt()
}

/// Algorithm 1 for one (alpha, beta) on one training set with n >= m.
pub(super) struct Tall<'a> {
    x: &'a Matrix,
    beta: f64,
    ready: Arc<Ready>,
}

/// What every fit with the same alpha and beta needs.
#[derive(Debug)]
pub(super) struct Ready {
    /// `alpha X^T X`.
    gram: Matrix,
    first: First,
}

/// What solves the first pass, where Z = I and Lambda = I: `S = alpha (alpha X^T X + (beta + 1) I)^-1`.
#[derive(Debug)]
enum First {
    /// `S X^T`.
    Fused(Strips),
    /// `S`.
    Apart(Matrix),
}

/// The diagonals of a pass: Z and Lambda.
pub(super) struct Diagonals {
    pub(super) weights: Weights,
    pub(super) lambda: Multipliers,
}

impl Ready {
    /// `gram` is `X^T X`.
    pub(super) fn new(x: &Matrix, gram: &Matrix, alpha: f64, beta: f64) -> Result<Self, LinalgError> {
        let scale = |matrix: &mut Matrix| matrix.as_mut_slice().iter_mut().for_each(|value| *value *= alpha);
        let mut gram = gram.clone();
        scale(&mut gram);
        let mut system = gram.clone();
        system.shift_diagonal(beta + 1.0);
        let mut solve = Cholesky::new(system)?.inverse();
        scale(&mut solve);
        let first = if products_dominate(x) {
            First::Fused(Strips::new(Plain(&product(Plain(&solve), Transposed(x)))))
        } else {
            First::Apart(solve)
        };
        Ok(Self { gram, first })
    }
}

impl<'a> Tall<'a> {
    pub(super) fn new(x: &'a Matrix, beta: f64, ready: Arc<Ready>) -> Self {
        Self { x, beta, ready }
    }

    /// Makes `q` Q after the first pass.
    pub(super) fn first_pass(&self, q: &mut Matrix, x_hat: &Matrix) {
        q.resize(self.x.cols(), x_hat.cols());
        match &self.ready.first {
            First::Fused(map) => map.multiply(q, x_hat),
            First::Apart(solve) => {
                let right = product(Transposed(self.x), Plain(x_hat));
                add_product(q, 0.0, 1.0, Plain(solve), Plain(&right));
            }
        }
    }

    /// Takes Q from the diagonals that it was solved for to others; `past` is what this pass did in the iterations before.
    pub(super) fn pass(
        &self,
        q: &mut Matrix,
        from: &Diagonals,
        to: &Diagonals,
        past: &mut Past,
    ) -> Result<(), LinalgError> {
        let change: Vec<f64> = from.weights.iter().zip(&to.weights).map(|(from, to)| self.beta * (from - to)).collect();
        let right = |column: usize, q: &[f64], out: &mut [f64]| {
            let shift = from.lambda[column] - to.lambda[column];
            out.iter_mut().zip(q).zip(&change).for_each(|((out, q), change)| *out = (change + shift) * q);
        };
        let least = |values: &[f64]| smallest(values, f64::INFINITY);
        let floor = Floor {
            pole: self.beta * least(&to.weights),
            before: self.beta * least(&from.weights) + least(&from.lambda),
        };
        let diagonal: Vec<f64> = to.weights.iter().map(|z| self.beta * z).collect();
        chebyshev::solve(past.next(q, &right, &diagonal, &to.lambda), floor, |centre| {
            let mut system = self.ready.gram.clone();
            for (feature, entry) in diagonal.iter().enumerate() {
                system[(feature, feature)] += entry + centre;
            }
            Cholesky::new(system)
        })
    }
}
