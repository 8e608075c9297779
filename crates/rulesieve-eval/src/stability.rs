//! The stability of selections from different rows: the measure of Nogueira, Sechidis and Brown (JMLR 18, 2018) with its
//! confidence interval.
//!
//! For M selections among d features, with p_f the fraction of selections that contain feature f and k the mean size,
//! `1 - mean_f(M / (M - 1) p_f (1 - p_f)) / (k/d (1 - k/d))`: 1 for equal selections, 0 on average for random ones.
//! The interval assumes many independent selections; folds share rows, so it is slightly too short for them.

use serde::Serialize;

/// The 97.5 % quantile of the standard normal distribution.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The measure and its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Stability {
    /// The measure.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Returns the fraction of selections that contain each feature; selections are lists of feature indices.
pub fn frequencies(selections: &[Vec<usize>], features: usize) -> Vec<f64> {
    let mut counts = vec![0_usize; features];
    selections.iter().flatten().for_each(|&feature| counts[feature] += 1);
    counts.iter().map(|&count| count as f64 / selections.len().max(1) as f64).collect()
}

/// Computes the stability; `None` for fewer than two selections, or if all contain every feature or none.
pub fn stability(selections: &[Vec<usize>], features: usize) -> Option<Stability> {
    let (count, d) = (selections.len() as f64, features as f64);
    let shares = frequencies(selections, features);
    let size: f64 = shares.iter().sum();
    let random = size / d * (1.0 - size / d);
    if selections.len() < 2 || random.is_nan() || random <= 0.0 {
        return None;
    }
    let variance = shares.iter().map(|share| share * (1.0 - share)).sum::<f64>() / d * count / (count - 1.0);
    let value = 1.0 - variance / random;
    let part = |selection: &Vec<usize>| {
        let own = selection.len() as f64;
        let shared = selection.iter().map(|&feature| shares[feature]).sum::<f64>() / d;
        let sizes = 2.0 * own * size / (d * d) - own / d - size / d + 1.0;
        (shared - own * size / (d * d) + value / 2.0 * sizes) / random
    };
    let parts: Vec<f64> = selections.iter().map(part).collect();
    let mean = parts.iter().sum::<f64>() / count;
    let spread = 4.0 / (count * count) * parts.iter().map(|part| (part - mean).powi(2)).sum::<f64>();
    let margin = NORMAL_95 * spread.sqrt();
    Some(Stability { value, low: (value - margin).max(-1.0), high: (value + margin).min(1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::seq::SliceRandom;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// By hand: {0, 1} and {0, 2} of 4. Shares 1, 1/2, 1/2, 0; variances 0, 1/2, 1/2, 0, mean 1/4; by chance 1/4.
    #[test]
    fn two_selections_by_hand() {
        let found = stability(&[vec![0, 1], vec![0, 2]], 4).unwrap();
        assert!(found.value.abs() < 1e-15);
        // Both parts are equal, so the interval has length 0.
        assert!((found.high - found.low).abs() < 1e-15);
        // {0, 1}, {0, 1}, {0, 2} of 4: shares 1, 2/3, 1/3, 0; mean variance 3/2 (2/9 + 2/9) / 4 = 1/6; 1 - (1/6) / (1/4).
        let found = stability(&[vec![0, 1], vec![0, 1], vec![0, 2]], 4).unwrap();
        assert!((found.value - 1.0 / 3.0).abs() < 1e-12, "{}", found.value);
        // Parts: together 5/12, 5/12, 1/3; less 1/4; plus 1/6 (1/2); over 1/4: 1, 1, 2/3. Spread 4/9 (1/81 + 1/81 + 4/81).
        let margin = NORMAL_95 * (4.0 / 9.0 * 6.0 / 81.0_f64).sqrt();
        assert!((found.high - found.value - margin).abs() < 1e-12, "{} {margin}", found.high - found.value);
    }

    #[test]
    fn values_are_within_bounds() {
        assert_eq!(stability(&vec![vec![3, 1]; 5], 8).unwrap(), Stability { value: 1.0, low: 1.0, high: 1.0 });
        // The minimum, for disjoint selections: -1 / (M - 1).
        let disjoint = stability(&[vec![0, 1], vec![2, 3]], 4).unwrap();
        assert!((disjoint.value + 1.0).abs() < 1e-12);
        assert_eq!(stability(&[vec![0]], 3), None);
        assert_eq!(stability(&[vec![0, 1], vec![0, 1]], 2), None);
        assert_eq!(stability(&[vec![], vec![]], 2), None);
    }

    #[test]
    fn random_selections_are_unstable_and_the_interval_covers_zero() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut covered = 0;
        for _ in 0..200 {
            let mut drawn = || {
                let mut features: Vec<usize> = (0..40).collect();
                features.shuffle(&mut rng);
                features.truncate(10);
                features
            };
            let selections: Vec<Vec<usize>> = (0..30).map(|_| drawn()).collect();
            let found = stability(&selections, 40).unwrap();
            covered += usize::from(found.low <= 0.0 && found.high >= 0.0);
        }
        assert!((175..=200).contains(&covered), "{covered} of 200");
        let noisy: Vec<Vec<usize>> = (0..30).map(|_| vec![0, 1, 2, rng.random_range(3..40)]).collect();
        assert!(stability(&noisy, 40).unwrap().low > 0.5);
    }
}
