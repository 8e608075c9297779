//! RReliefF (Robnik-Sikonja and Kononenko, ICML 1997): a feature is relevant if neighbours that differ in it also differ
//! in the target.
//!
//! Over all samples and their k nearest neighbours, which have the same influence, these are summed: the differences C
//! of the target, which is scaled to 0..1; the differences A of a feature; and their products AC. With n samples,
//! `W = AC / C - (A - AC) / (n - C)`. Pairs in which a feature is missing do not count for it.

use super::Differences;

/// A regression target, scaled to 0..1.
pub(super) struct Numbers {
    values: Vec<f64>,
    rows: Vec<usize>,
}

/// Number of sums: A, AC, C and n of every feature.
pub(super) fn sums(features: usize) -> usize {
    4 * features
}

impl Numbers {
    pub(super) fn new(values: &[f64]) -> Self {
        let (low, high) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |r, &v| (r.0.min(v), r.1.max(v)));
        // Halved, because the difference of two large numbers may overflow.
        let range = (high / 2.0 - low / 2.0).max(f64::MIN_POSITIVE);
        let values = values.iter().map(|value| (value / 2.0 - low / 2.0) / range).collect::<Vec<f64>>();
        Self { rows: (0..values.len()).collect(), values }
    }

    /// All rows.
    pub(super) fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Adds the mean differences of a row with its neighbours.
    pub(super) fn add(&self, row: usize, near: &[usize], differences: &mut Differences, sums: &mut [f64]) {
        let features = sums.len() / 4;
        let apart = |other: usize| (self.values[row] - self.values[other]).abs();
        let mean = |near: &[usize]| near.iter().map(|&other| apart(other)).sum::<f64>() / near.len().max(1) as f64;
        let (of_feature, rest) = sums.split_at_mut(features);
        let (of_both, rest) = rest.split_at_mut(features);
        let (of_target, samples) = rest.split_at_mut(features);
        differences.add(row, near, |_| 1.0, 1.0, of_feature);
        differences.add(row, near, apart, 1.0, of_both);
        let all = mean(near);
        of_target.iter_mut().for_each(|sum| *sum += all);
        samples.iter_mut().for_each(|count| *count += 1.0);
        for feature in differences.lacking(row, near) {
            let present = differences.present(feature, row, near);
            of_target[feature] += mean(&present) - all;
            samples[feature] -= f64::from(u8::from(present.is_empty()));
        }
    }
}

/// The scores from the sums over some samples.
pub(super) fn scores(sums: &[f64]) -> Vec<f64> {
    let features = sums.len() / 4;
    let quotient = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    let score = |feature: usize| {
        let [alone, both, target, samples] = [0, 1, 2, 3].map(|part| sums[part * features + feature]);
        quotient(both, target) - quotient(alone - both, samples - target)
    };
    (0..features).map(score).collect()
}
