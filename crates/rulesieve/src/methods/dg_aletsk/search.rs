//! How many features and rules are kept: rows kept aside choose among thresholds.

use super::gates::{FAINTEST, System};
use crate::data::Target;
use crate::linalg::{Matrix, exp};
use crate::methods::FitError;
use crate::methods::fuzzy::firing::normalise;
use crate::methods::fuzzy::gate::{open, order};
use crate::methods::fuzzy::least_squares::{Rows, ridge_answers};
use crate::methods::fuzzy::softmin::{ale, ale_index};
use crate::optim::{Halt, Observer, Progress};
use crate::rule_network::loss::Goal;
use crate::rule_network::samples::shuffled_split;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Shares of the range of the gates that are tried, for features and for rules.
const SHARES: [f64; 6] = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3];
const RIDGE: f64 = 1e-6;
const KEPT_ASIDE: f64 = 0.1;
/// Rows that are used to choose, and rows kept aside that do: systems are as large as there are rows.
const MOST_ROWS: usize = 2000;

/// What the rows kept aside chose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Chosen {
    pub(super) features: usize,
    pub(super) rules: usize,
    pub(super) accuracy: f64,
}

impl Chosen {
    /// More rows right, or as many with fewer features, or with as many features and fewer rules.
    pub(super) fn is_better_than(&self, old: &Self) -> bool {
        let size = |chosen: &Self| (Reverse(chosen.features), Reverse(chosen.rules));
        self.accuracy.total_cmp(&old.accuracy).then(size(self).cmp(&size(old))).is_gt()
    }
}

/// Tries all pairs of thresholds on the openings of the gates; says why, where it was told to end before that.
pub(super) fn search(
    system: &System,
    features: &[f64],
    rules: &[f64],
    target: &Target,
    rng: &mut ChaCha8Rng,
    observer: &mut dyn Observer,
) -> Result<(Chosen, Option<Halt>), FitError> {
    let (mut rows, mut learn) = shuffled_split(&Goal::of(target), system.xt.cols(), KEPT_ASIDE, rng);
    if learn == rows.len() {
        // Nothing can be spared: the rows themselves must choose.
        rows.extend_from_within(..);
    }
    let mut aside = rows.split_off(learn);
    aside.truncate(MOST_ROWS);
    learn = learn.min(MOST_ROWS);
    rows.truncate(learn);
    let classes = target.classes().len();
    let (feature_order, rule_order) = (order(features), order(rules));
    // Constant features, at zero, take no part in the range of the gates.
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
            // Told to end, the best so far counts; without any, the tightest threshold.
            let progress = Progress { iteration: done, limit, objective: None };
            if let ControlFlow::Break(halt) = observer.observe(&progress) {
                let tightest = Chosen { features: count, rules: rule_count, accuracy: 0.0 };
                return Ok((best.unwrap_or(tightest), Some(halt)));
            }
            let kept = Kept::new(system, &feature_order[..count], &rule_order[..rule_count]);
            let accuracy = kept.accuracy(target, &rows, &aside)?;
            let found = Chosen { features: count, rules: rule_count, accuracy };
            if best.as_ref().is_none_or(|old| found.is_better_than(old)) {
                best = Some(found);
            }
        }
    }
    Ok((best.unwrap_or(Chosen { features: features.len().min(1), rules: rules.len(), accuracy: 0.0 }), None))
}

/// Some features and rules of a system.
struct Kept<'a> {
    system: &'a System<'a>,
    columns: Vec<usize>,
    rules: &'a [usize],
}

impl<'a> Kept<'a> {
    fn new(system: &'a System<'a>, features: &[usize], rules: &'a [usize]) -> Self {
        let columns = features.iter().flat_map(|&feature| system.blocks[feature].clone()).collect();
        Self { system, columns, rules }
    }

    /// Shares of the rules without gates, and the kept columns, for some rows.
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
                    ale(&memberships, ale_index(&memberships), &mut scratch).max(FAINTEST)
                };
                self.rules.iter().map(fire).collect()
            })
            .collect();
        let mut shares = Matrix::from_fn(rows.len(), self.rules.len(), |row, rule| strengths[row][rule]);
        normalise(&mut shares);
        (shares, Matrix::from_fn(rows.len(), columns.len(), |row, col| self.system.xt[(columns[col], rows[row])]))
    }

    /// The share of the rows kept aside that consequents fitted to the others put into their class.
    fn accuracy(&self, target: &Target, learn: &[usize], aside: &[usize]) -> Result<f64, FitError> {
        let ((shares, x), (aside_shares, aside_x)) = (self.rows(learn), self.rows(aside));
        let wanted = |row: usize, class: usize| f64::from(u8::from(target.codes()[learn[row]] as usize == class));
        let y = Matrix::from_fn(learn.len(), target.classes().len(), wanted);
        let (learn, other) = (Rows { shares: &shares, x: &x }, Rows { shares: &aside_shares, x: &aside_x });
        let answers = ridge_answers(learn, &y, other, RIDGE)?;
        let right = aside.iter().enumerate().filter(|&(row, &sample)| {
            let said = |class: usize| answers[(row, class)];
            let best = (0..answers.cols()).fold(0, |best, class| if said(class) > said(best) { class } else { best });
            best == target.codes()[sample] as usize
        });
        Ok(right.count() as f64 / aside.len().max(1) as f64)
    }
}
