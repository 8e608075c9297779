//! Noise that breaks ties.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Size of the noise in standard deviations of a column.
const SIZE: f64 = 1e-10;

/// Noise for every row: the same for all features, so that equal features have equal scores, and another one for the
/// target.
pub(super) struct Noise {
    feature: Vec<f64>,
    target: Vec<f64>,
}

impl Noise {
    pub(super) fn new(rows: usize) -> Self {
        let of_stream = |stream: u64| {
            let mut rng = ChaCha8Rng::seed_from_u64(0);
            rng.set_stream(stream);
            (0..rows).map(|_| SIZE * (2.0 * rng.random::<f64>() - 1.0)).collect()
        };
        Self { feature: of_stream(0), target: of_stream(1) }
    }

    /// A feature with standard deviation 1 and noise.
    pub(super) fn on_feature(&self, column: &[f64]) -> Vec<f64> {
        added(column, &self.feature)
    }

    /// A target with standard deviation 1 and noise.
    pub(super) fn on_target(&self, values: &[f64]) -> Vec<f64> {
        added(values, &self.target)
    }
}

fn added(column: &[f64], noise: &[f64]) -> Vec<f64> {
    // Scaled by the largest size, so that no square overflows.
    let most = column.iter().fold(f64::MIN_POSITIVE, |most, value| value.abs().max(most));
    let rows = column.len() as f64;
    let mean = column.iter().map(|value| value / most).sum::<f64>() / rows;
    let deviation = (column.iter().map(|value| (value / most - mean).powi(2)).sum::<f64>() / rows).sqrt();
    let scale = if deviation > 0.0 { 1.0 / deviation } else { 1.0 };
    column.iter().zip(noise).map(|(value, noise)| (value / most - mean) * scale + noise).collect()
}
