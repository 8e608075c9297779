//! Which rows learn and which are held out, and what they are to predict.

use super::columns::{Columns, Goal};
use super::leave_one_out::Responses;
use crate::linalg::Matrix32;
use crate::select::stratified_folds;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Draws of one seed that differ: the folds, and the rows of an order.
const FOLDS: u64 = 0;
const ROWS: u64 = 1;

/// The fold of every row, stratified by class.
pub(super) fn folds(goal: &Goal, rows: usize, count: usize, seed: u64) -> Vec<usize> {
    match goal {
        Goal::Classes(codes, _) => stratified_folds(codes, count, seed, FOLDS),
        Goal::Numbers(_) => stratified_folds(&vec![0; rows], count, seed, FOLDS),
    }
}

/// At most `most` of some rows, drawn at random with every class in its share, ascending.
pub(super) fn capped(goal: &Goal, rows: &[usize], most: usize, seed: u64) -> Vec<usize> {
    if rows.len() <= most {
        return rows.to_vec();
    }
    let mixed = grouped(goal, rows, seed);
    let mut taken: Vec<usize> = (0..most).map(|at| mixed[(2 * at + 1) * rows.len() / (2 * most)]).collect();
    taken.sort_unstable();
    taken
}

/// Rows that represent more rows.
pub(super) struct RowSample {
    /// Ascending.
    pub(super) rows: Vec<usize>,
    /// How much a row of each class counts, so that rare classes do not count more than their share; empty: all the same.
    factors: Vec<f64>,
}

impl RowSample {
    /// As [`capped`], and rows of a rare class until it has `least`: with its share of `most` rows it would have too few to learn
    /// from. No class gets more than half of an equal part in this way.
    pub(super) fn new(goal: &Goal, rows: &[usize], most: usize, least: usize, seed: u64) -> Self {
        let mut sample = Self { rows: capped(goal, rows, most, seed), factors: Vec::new() };
        let Goal::Classes(codes, classes) = goal else { return sample };
        let count = |rows: &[usize]| {
            let mut counts = vec![0; *classes];
            rows.iter().for_each(|&row| counts[codes[row] as usize] += 1);
            counts
        };
        let (available, drawn): (Vec<usize>, Vec<usize>) = (count(rows), count(&sample.rows));
        let least = least.min(most / (2 * classes));
        let missing: Vec<usize> = drawn
            .iter()
            .zip(&available)
            .map(|(&drawn, &available)| least.min(available).saturating_sub(drawn))
            .collect();
        if missing.iter().all(|&missing| missing == 0) {
            return sample;
        }
        let (mut more, mixed) = (missing.clone(), grouped(goal, rows, seed));
        let added = mixed.into_iter().filter(|&row| {
            let more = &mut more[codes[row] as usize];
            let add = *more > 0 && sample.rows.binary_search(&row).is_err();
            *more -= usize::from(add);
            add
        });
        let added: Vec<usize> = added.collect();
        sample.rows.extend(added);
        sample.rows.sort_unstable();
        let factor = |class: usize| {
            let taken = drawn[class] + missing[class];
            if taken == 0 { 1.0 } else { available[class] as f64 * most as f64 / (rows.len() * taken) as f64 }
        };
        sample.factors = (0..*classes).map(factor).collect();
        sample
    }

    /// How much a row counts, with its own weight.
    pub(super) fn weight(&self, columns: &Columns, row: usize) -> f64 {
        let factor = match &columns.goal {
            Goal::Classes(codes, _) => self.factors.get(codes[row] as usize).copied(),
            Goal::Numbers(_) => None,
        };
        columns.weights[row] * factor.unwrap_or(1.0)
    }
}

/// Some rows in random order, sorted by target.
fn grouped(goal: &Goal, rows: &[usize], seed: u64) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(ROWS);
    let mut mixed = rows.to_vec();
    mixed.shuffle(&mut rng);
    match goal {
        Goal::Classes(codes, _) => mixed.sort_by_key(|&row| codes[row]),
        Goal::Numbers(values) => mixed.sort_by(|&a, &b| values[a].total_cmp(&values[b])),
    }
    mixed
}

/// What training rows are to predict, and how to read predictions.
pub(super) struct Training {
    pub(super) responses: Responses,
    /// Shares of the classes, or mean and standard deviation of the numbers.
    pub(super) centre: Centre,
}

/// What was taken off the responses.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Centre {
    /// The share of every class.
    Shares(Vec<f64>),
    /// Mean and standard deviation.
    Moments(f64, f64),
}

impl Training {
    /// Centred indicators of the classes, or standardised numbers, of some rows; `balanced` gives every class the same weight.
    pub(super) fn new(columns: &Columns, rows: &[usize], balanced: bool) -> Self {
        Self::weighted(columns, rows, balanced, |row| columns.weights[row])
    }

    /// The same with other weights of the rows.
    pub(super) fn weighted(columns: &Columns, rows: &[usize], balanced: bool, weight: impl Fn(usize) -> f64) -> Self {
        let mut weights: Vec<f64> = rows.iter().map(|&row| weight(row)).collect();
        if let (true, Goal::Classes(codes, count)) = (balanced, &columns.goal) {
            let mut totals = vec![0.0; *count];
            rows.iter().zip(&weights).for_each(|(&row, weight)| totals[codes[row] as usize] += weight);
            rows.iter().zip(&mut weights).for_each(|(&row, weight)| *weight /= totals[codes[row] as usize]);
        }
        let weights = super::columns::mean_one(weights);
        let mean = |value: &dyn Fn(usize) -> f64| {
            rows.iter().zip(&weights).map(|(&row, weight)| weight * value(row)).sum::<f64>() / rows.len() as f64
        };
        let (y, centre) = match &columns.goal {
            Goal::Numbers(values) => {
                let centre = mean(&|row| values[row]);
                let variance = mean(&|row| (values[row] - centre).powi(2));
                let scale = if variance > 0.0 { variance.sqrt() } else { 1.0 };
                let data = rows.iter().map(|&row| ((values[row] - centre) / scale) as f32).collect();
                (Matrix32 { rows: rows.len(), cols: 1, data }, Centre::Moments(centre, scale))
            }
            Goal::Classes(codes, count) => {
                let own = |class: usize, row: usize| f64::from(u8::from(codes[row] as usize == class));
                let shares: Vec<f64> = (0..*count).map(|class| mean(&|row| own(class, row))).collect();
                // Classes without training rows are predicted by nothing.
                let seen: Vec<usize> = (0..*count).filter(|&class| shares[class] > 0.0).collect();
                let cells = seen.iter().flat_map(|&class| rows.iter().map(move |&row| (class, row)));
                let data = cells.map(|(class, row)| (own(class, row) - shares[class]) as f32).collect();
                (Matrix32 { rows: rows.len(), cols: seen.len(), data }, Centre::Shares(shares))
            }
        };
        let weights = weights.into_iter().map(|weight| weight as f32).collect();
        Self { responses: Responses { y, weights }, centre }
    }
}

/// The prediction for one row, and what it costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Prediction {
    /// Squared error, summed over the classes; of numbers, in units of the variance of the training rows.
    pub(super) loss: f64,
    /// The predicted class, or number.
    pub(super) value: f64,
}

impl Centre {
    /// Reads one row of predicted responses.
    pub(super) fn read(&self, goal: &Goal, row: usize, predicted: impl Fn(usize) -> f64) -> Prediction {
        match (self, goal) {
            (Self::Shares(shares), Goal::Classes(codes, _)) => {
                let truth = codes[row] as usize;
                let (mut best, mut loss, mut seen) = ((f64::NEG_INFINITY, 0), 0.0, 0);
                for (class, &share) in shares.iter().enumerate() {
                    let mut score = share;
                    if share > 0.0 {
                        score += predicted(seen);
                        seen += 1;
                    }
                    if score > best.0 {
                        best = (score, class);
                    }
                    loss += (f64::from(u8::from(class == truth)) - score).powi(2);
                }
                Prediction { loss, value: best.1 as f64 }
            }
            (Self::Moments(mean, scale), Goal::Numbers(values)) => {
                let value = mean + scale * predicted(0);
                Prediction { loss: ((values[row] - value) / scale).powi(2), value }
            }
            // A centre is made from the goal, so that both are of one kind.
            _ => Prediction { loss: 0.0, value: 0.0 },
        }
    }
}
