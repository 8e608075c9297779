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
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(ROWS);
    let mut mixed = rows.to_vec();
    mixed.shuffle(&mut rng);
    match goal {
        Goal::Classes(codes, _) => mixed.sort_by_key(|&row| codes[row]),
        Goal::Numbers(values) => mixed.sort_by(|&a, &b| values[a].total_cmp(&values[b])),
    }
    let mut taken: Vec<usize> = (0..most).map(|at| mixed[(2 * at + 1) * rows.len() / (2 * most)]).collect();
    taken.sort_unstable();
    taken
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
        let mut weights: Vec<f64> = rows.iter().map(|&row| columns.weights[row]).collect();
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
