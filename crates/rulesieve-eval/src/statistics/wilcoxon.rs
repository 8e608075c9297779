//! Wilcoxon's signed-rank test for two methods, and Holm's correction for many such tests.
//!
//! Data sets on which both methods score the same are left out. Up to [`EXACT`] others without ties the distribution is
//! counted; else it is taken as normal, its variance corrected for ties.

use super::distribution::normal_below;
use super::ranks::{ranks, ties};
use serde::Serialize;

/// Pairs up to which the distribution is counted.
const EXACT: usize = 50;

/// The test of one pair.
#[derive(Debug, Clone, PartialEq)]
pub struct Wilcoxon {
    /// Pairs that differ.
    pub pairs: usize,
    /// The smaller sum of ranks.
    pub w: f64,
    /// The probability of so small a sum by chance, both sides.
    pub p: f64,
}

/// The test of a method against the control, among others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WilcoxonHolm {
    /// The method.
    pub method: String,
    /// Data sets on which it scores better than the control, the same, and worse.
    pub better: usize,
    /// The same.
    pub equal: usize,
    /// Worse.
    pub worse: usize,
    /// The smaller sum of ranks.
    pub w: f64,
    /// The probability by chance.
    pub p: f64,
    /// The same, corrected for the number of tests.
    pub p_holm: f64,
    /// Whether the corrected one is below alpha.
    pub different: bool,
}

/// Tests whether two methods differ, from their scores on the same data sets.
pub fn wilcoxon(a: &[f64], b: &[f64]) -> Wilcoxon {
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).filter(|difference| *difference != 0.0).collect();
    let pairs = differences.len();
    if pairs == 0 {
        return Wilcoxon { pairs, w: 0.0, p: 1.0 };
    }
    let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
    let ranks = ranks(&sizes, false);
    let above: f64 = ranks.iter().zip(&differences).filter(|(_, d)| **d > 0.0).map(|(rank, _)| rank).sum();
    let total = (pairs * (pairs + 1)) as f64 / 2.0;
    let w = above.min(total - above);
    let mut sorted = sizes;
    sorted.sort_by(f64::total_cmp);
    let runs: Vec<usize> = ties(&sorted, |a, b| a == b).iter().map(|(first, last)| last - first + 1).collect();
    let p = if pairs <= EXACT && runs.iter().all(|&run| run == 1) {
        counted(w as usize, pairs)
    } else {
        let correction: f64 = runs.iter().map(|&run| (run * run * run - run) as f64).sum::<f64>() / 48.0;
        let n = pairs as f64;
        let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - correction;
        2.0 * normal_below((w - total / 2.0) / variance.sqrt())
    };
    Wilcoxon { pairs, w, p: p.min(1.0) }
}

/// Twice the share of the 2^pairs signs whose positive ranks sum to at most `w`.
fn counted(w: usize, pairs: usize) -> f64 {
    let total = pairs * (pairs + 1) / 2;
    let mut shares = vec![0.0; total + 1];
    shares[0] = 1.0;
    for rank in 1..=pairs {
        for sum in (0..=total).rev() {
            let with = if sum >= rank { shares[sum - rank] } else { 0.0 };
            shares[sum] = (shares[sum] + with) / 2.0;
        }
    }
    2.0 * shares[..=w].iter().sum::<f64>()
}

/// Holm's step-down correction of some probabilities.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut corrected = vec![0.0; p.len()];
    let mut largest = 0.0_f64;
    for (place, &at) in order.iter().enumerate() {
        largest = largest.max(p[at] * (p.len() - place) as f64).min(1.0);
        corrected[at] = largest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-10, "{found} {expected}");
    }

    /// By hand: of the 16 signs of ranks 1 to 4, one sums to 0, one to 1, one to 2.
    #[test]
    fn small_cases_are_counted() {
        let test = wilcoxon(&[1.0, 2.0, 3.0, 4.0], &[0.0; 4]);
        assert_eq!((test.pairs, test.w), (4, 0.0));
        close(test.p, 2.0 / 16.0);
        close(wilcoxon(&[-1.0, 2.0, 3.0, 4.0], &[0.0; 4]).p, 4.0 / 16.0);
        close(wilcoxon(&[1.0, -2.0, 3.0, 4.0], &[0.0; 4]).p, 6.0 / 16.0);
    }

    #[test]
    fn equal_scores_are_left_out() {
        let test = wilcoxon(&[5.0, 5.0, 1.0, 2.0], &[5.0, 5.0, 0.0, 0.0]);
        assert_eq!((test.pairs, test.w), (2, 0.0));
        close(test.p, 0.5);
        assert_eq!(wilcoxon(&[1.0, 2.0], &[1.0, 2.0]).p, 1.0);
    }

    /// By hand: sizes 1, 1, 2 have ranks 1.5, 1.5, 3; the variance is 3 * 4 * 7 / 24 - (8 - 2) / 48 = 3.375.
    #[test]
    fn ties_take_the_corrected_variance() {
        let test = wilcoxon(&[1.0, -1.0, 2.0], &[0.0; 3]);
        assert_eq!(test.w, 1.5);
        close(test.p, 2.0 * normal_below((1.5 - 3.0) / 3.375_f64.sqrt()));
    }

    #[test]
    fn counted_and_normal_agree_for_many_pairs() {
        let exact = counted(400, 50);
        let variance = 50.0 * 51.0 * 101.0 / 24.0_f64;
        let normal = 2.0 * normal_below((400.0 - 637.5) / variance.sqrt());
        assert!((exact - normal).abs() < 0.001, "{exact} {normal}");
    }

    #[test]
    fn holm_steps_down_and_never_falls() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        [0.03, 0.06, 0.06, 0.02].iter().zip(&corrected).for_each(|(expected, found)| close(*found, *expected));
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    }
}
