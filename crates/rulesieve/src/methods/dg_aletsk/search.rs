//! Choice of the numbers of features and rules by the accuracy on validation rows.

use super::gates::{LEAST_STRENGTH, System};
use crate::data::Target;
use crate::linalg::{Matrix, exp};
use crate::methods::FitError;
use crate::methods::fuzzy::firing::normalise;
use crate::methods::fuzzy::gate::{open, order};
use crate::methods::fuzzy::least_squares::{Rows, ridge_predictions};
use crate::methods::fuzzy::softmin::{ale, ale_index};
use crate::optim::{Halt, Observer, Progress};
use crate::rule_network::loss::Goal;
use crate::rule_network::samples::shuffled_split;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Candidate shares of the range of the gates, for features and for rules.
const SHARES: [f64; 6] = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3];
const RIDGE: f64 = 1e-6;
const VALIDATION_SHARE: f64 = 0.1;
/// Maximum number of training rows and of validation rows: systems are as large as there are rows.
const MOST_ROWS: usize = 2000;

/// The system chosen on the validation rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Chosen {
    pub(super) features: usize,
    pub(super) rules: usize,
    pub(super) accuracy: f64,
}

impl Chosen {
    /// Higher accuracy, or equal accuracy with fewer features, or equal features with fewer rules.
    pub(super) fn is_better_than(&self, old: &Self) -> bool {
        let size = |chosen: &Self| (Reverse(chosen.features), Reverse(chosen.rules));
        self.accuracy.total_cmp(&old.accuracy).then(size(self).cmp(&size(old))).is_gt()
    }
}

/// Tries all pairs of thresholds on the openings of the gates; returns the reason if the observer ended the search.
pub(super) fn search(
    system: &System,
    features: &[f64],
    rules: &[f64],
    target: &Target,
    rng: &mut ChaCha8Rng,
    observer: &mut dyn Observer,
) -> Result<(Chosen, Option<Halt>), FitError> {
    let (mut rows, mut learn) = shuffled_split(&Goal::of(target), system.xt.cols(), VALIDATION_SHARE, rng);
    if learn == rows.len() {
        // No rows can be spared: the training rows validate.
        rows.extend_from_within(..);
    }
    let mut validation = rows.split_off(learn);
    validation.truncate(MOST_ROWS);
    learn = learn.min(MOST_ROWS);
    rows.truncate(learn);
    let classes = target.classes().len();
    let (feature_order, rule_order) = (order(features), order(rules));
    // Constant features have gates at zero and are ignored in the range of the gates.
    let counts = |values: &[f64], least: usize| -> BTreeSet<usize> {
        SHARES
            .iter()
            .map(|&share| open(values.iter().copied().filter(|value| *value > 0.0), share).max(least.min(values.len())))
            .collect()
    };
    let mut best: Option<Chosen> = None;
    let (feature_counts, rule_counts) = (counts(features, 1), counts(rules, classes));
    let (limit, mut done) = (feature_counts.len() * rule_counts.len(), 0);
    for &count in &feature_counts {
        for &rule_count in &rule_counts {
            done += 1;
            // When ended, use the best system so far, or the tightest threshold if there is none.
            let progress = Progress { iteration: done, limit, objective: None };
            if let ControlFlow::Break(halt) = observer.observe(&progress) {
                let tightest = Chosen { features: count, rules: rule_count, accuracy: 0.0 };
                return Ok((best.unwrap_or(tightest), Some(halt)));
            }
            let subsystem = Subsystem::new(system, &feature_order[..count], &rule_order[..rule_count]);
            let accuracy = subsystem.accuracy(target, &rows, &validation)?;
            let found = Chosen { features: count, rules: rule_count, accuracy };
            if best.as_ref().is_none_or(|old| found.is_better_than(old)) {
                best = Some(found);
            }
        }
    }
    Ok((best.unwrap_or(Chosen { features: features.len().min(1), rules: rules.len(), accuracy: 0.0 }), None))
}

/// Some features and rules of a system.
struct Subsystem<'a> {
    system: &'a System<'a>,
    columns: Vec<usize>,
    rules: &'a [usize],
}

impl<'a> Subsystem<'a> {
    fn new(system: &'a System<'a>, features: &[usize], rules: &'a [usize]) -> Self {
        let columns = features.iter().flat_map(|&feature| system.blocks[feature].clone()).collect();
        Self { system, columns, rules }
    }

    /// Normalised firing strengths without gates, and the used columns, for some rows.
    fn rows(&self, rows: &[usize]) -> (Matrix, Matrix) {
        let columns = &self.columns;
        let strengths: Vec<Vec<f64>> = rows
            .par_iter()
            .map(|&row| {
                let (mut memberships, mut scratch) = (vec![0.0; columns.len()], vec![0.0; columns.len()]);
                let fire = |&rule: &usize| {
                    for (membership, &col) in memberships.iter_mut().zip(columns) {
                        let away = self.system.xt[(col, row)] - self.system.centres[(col, rule)];
                        *membership = exp(-0.5 * away * away);
                    }
                    ale(&memberships, ale_index(&memberships), &mut scratch).max(LEAST_STRENGTH)
                };
                self.rules.iter().map(fire).collect()
            })
            .collect();
        let mut shares = Matrix::from_fn(rows.len(), self.rules.len(), |row, rule| strengths[row][rule]);
        normalise(&mut shares);
        (shares, Matrix::from_fn(rows.len(), columns.len(), |row, col| self.system.xt[(columns[col], rows[row])]))
    }

    /// Accuracy on the validation rows of consequents fitted to the training rows.
    fn accuracy(&self, target: &Target, learn: &[usize], validation: &[usize]) -> Result<f64, FitError> {
        let ((shares, x), (validation_shares, validation_x)) = (self.rows(learn), self.rows(validation));
        let wanted = |row: usize, class: usize| f64::from(u8::from(target.codes()[learn[row]] as usize == class));
        let y = Matrix::from_fn(learn.len(), target.classes().len(), wanted);
        let (learn, other) = (Rows { shares: &shares, x: &x }, Rows { shares: &validation_shares, x: &validation_x });
        let outputs = ridge_predictions(learn, &y, other, RIDGE)?;
        let right = validation.iter().enumerate().filter(|&(row, &sample)| {
            let score = |class: usize| outputs[(row, class)];
            let best = (0..outputs.cols()).fold(0, |best, class| if score(class) > score(best) { class } else { best });
            best == target.codes()[sample] as usize
        });
        Ok(right.count() as f64 / validation.len().max(1) as f64)
    }
}
