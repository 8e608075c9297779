//! Scores by chance of features of several columns: every such feature gets a copy with shuffled rows, which takes
//! part in the search and is uninformative. The more categories a feature has, the better both fit the noise of the
//! training rows; the difference of their scores is not due to the number of categories.

use super::search::Outcome;
use crate::linalg::Matrix;
use crate::rule_network::samples::Samples;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::ops::Range;

/// The random stream of the shuffling, different from those of the restarts.
const STREAM: u64 = 0x7072_6f62;
/// Factor of the squared score of the copy that is subtracted: two scores of noise differ by chance.
const MARGIN: f64 = 1.5;

/// Samples with shuffled copies of all features of several columns.
pub(super) struct Probes {
    /// The columns, then those of the copies.
    pub(super) samples: Samples,
    /// The features, then the copies.
    pub(super) groups: Vec<Range<usize>>,
    /// The features that have copies, in the order of the copies.
    probed: Vec<usize>,
}

impl Probes {
    /// Shuffles the copies; `None` if every feature is a single column.
    pub(super) fn new(samples: &Samples, groups: &[Range<usize>], seed: u64) -> Option<Self> {
        let probed: Vec<usize> = (0..groups.len()).filter(|&at| groups[at].len() > 1).collect();
        if probed.is_empty() {
            return None;
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(STREAM);
        let (m, n) = (samples.x.rows(), samples.count());
        let mut all = groups.to_vec();
        let mut end = m;
        for &feature in &probed {
            all.push(end..end + groups[feature].len());
            end += groups[feature].len();
        }
        let mut x = Matrix::zeros(end, n);
        for sample in 0..n {
            x.col_mut(sample)[..m].copy_from_slice(samples.x.col(sample));
        }
        for (&feature, copy) in probed.iter().zip(&all[groups.len()..]) {
            let mut order: Vec<usize> = (0..n).collect();
            order.shuffle(&mut rng);
            for (sample, &from) in order.iter().enumerate() {
                x.col_mut(sample)[copy.clone()].copy_from_slice(&samples.x.col(from)[groups[feature].clone()]);
            }
        }
        let samples = Samples { x, goal: samples.goal.clone(), weights: samples.weights.clone() };
        Some(Self { samples, groups: all, probed })
    }

    /// Subtracts the scores of the copies, and removes the copies.
    pub(super) fn corrected(&self, mut outcome: Outcome) -> Outcome {
        let features = self.groups.len() - self.probed.len();
        for (&feature, copy) in self.probed.iter().zip(features..) {
            let left = outcome.scores[feature].powi(2) - MARGIN * outcome.scores[copy].powi(2);
            outcome.scores[feature] = left.max(0.0).sqrt();
        }
        outcome.scores.truncate(features);
        outcome.used.truncate(features);
        outcome
    }
}
