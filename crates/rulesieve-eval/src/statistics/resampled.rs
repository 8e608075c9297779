//! The corrected t-test of two methods on repeated splits of one data set (Nadeau and Bengio, Machine Learning 52, 2003).
//!
//! Splits share rows, so the variance of their scores underestimates that of the mean; it is multiplied by `1 / J + test / train`
//! instead of `1 / J` for J splits.

use super::distribution::t_both_tails;
use serde::Serialize;

/// The result of the test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ResampledT {
    /// The mean difference of the scores.
    pub difference: f64,
    /// The t statistic; absent if all splits have the same difference.
    pub t: Option<f64>,
    /// The two-sided p-value; absent if all splits have the same nonzero difference.
    pub p: Option<f64>,
}

/// Tests the differences of scores on the same splits; `test_share` is the mean ratio of test rows to training rows. Returns `None`
/// for fewer than two splits or values that are not finite.
pub fn corrected_resampled_t(a: &[f64], b: &[f64], test_share: f64) -> Option<ResampledT> {
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let count = differences.len() as f64;
    let usable =
        differences.iter().all(|difference| difference.is_finite()) && (0.0..f64::INFINITY).contains(&test_share);
    if differences.len() < 2 || a.len() != b.len() || !usable {
        return None;
    }
    let difference = differences.iter().sum::<f64>() / count;
    let variance = differences.iter().map(|d| (d - difference).powi(2)).sum::<f64>() / (count - 1.0);
    let error = ((1.0 / count + test_share) * variance).sqrt();
    let largest = a.iter().chain(b).fold(0.0_f64, |most, score| most.max(score.abs()));
    // Smaller values are rounding errors: all splits have the same difference.
    let t = (error > 1e-12 * largest).then(|| difference / error);
    let p = match t {
        Some(t) => Some(t_both_tails(t, count - 1.0)),
        None => (difference.abs() <= 1e-12 * largest).then_some(1.0),
    };
    Some(ResampledT { difference, t, p })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: differences 1, 2, 3 have mean 2 and variance 1; with a test share of 1/2 the error is sqrt(5/6).
    #[test]
    fn the_variance_is_corrected() {
        let test = corrected_resampled_t(&[1.0, 2.0, 3.0], &[0.0; 3], 0.5).unwrap();
        assert!((test.difference - 2.0).abs() < 1e-15);
        let t = 2.0 / (5.0 / 6.0_f64).sqrt();
        assert!((test.t.unwrap() - t).abs() < 1e-12);
        // Two degrees of freedom: p = 1 - t / sqrt(t^2 + 2).
        assert!((test.p.unwrap() - (1.0 - t / (t * t + 2.0).sqrt())).abs() < 1e-12, "{:?}", test.p);
    }

    #[test]
    fn equal_scores_do_not_differ() {
        let test = corrected_resampled_t(&[0.5; 4], &[0.5; 4], 0.1).unwrap();
        assert_eq!((test.t, test.p), (None, Some(1.0)));
        assert_eq!(corrected_resampled_t(&[0.5], &[0.5], 0.1), None);
        assert_eq!(corrected_resampled_t(&[0.5, f64::NAN], &[0.5, 0.5], 0.1), None);
        assert_eq!(corrected_resampled_t(&[0.5, 0.6], &[0.5, 0.5], -0.1), None);
        let same = corrected_resampled_t(&[0.3, 0.2, 0.4], &[0.2, 0.1, 0.3], 0.1).unwrap();
        assert_eq!((same.t, same.p), (None, None), "the same difference in every split");
    }
}
