//! Wilcoxon's signed-rank test for two methods, and Holm's correction for many such tests.
//!
//! Data sets with equal scores are omitted. Differences are rounded to nine digits of the largest score, to remove rounding errors.
//! For up to [`EXACT`] pairs the distribution is exact, also with ties; for more it is approximated by a normal distribution with the
//! variance corrected for ties.

use super::distribution::normal_below;
use super::ranks::{ranks, ties};
use serde::Serialize;

/// Maximum number of pairs for the exact distribution.
const EXACT: usize = 50;
/// Unit of differences, relative to the largest score.
const UNIT: f64 = 1e-9;

/// The test of one pair.
#[derive(Debug, Clone, PartialEq)]
pub struct Wilcoxon {
    /// Number of pairs that differ.
    pub pairs: usize,
    /// Number of these in which the first method has the larger score.
    pub above: usize,
    /// The smaller sum of ranks.
    pub w: f64,
    /// The two-sided p-value.
    pub p: f64,
}

/// The test of a method against the control, corrected for multiple tests.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WilcoxonHolm {
    /// The method.
    pub method: String,
    /// Number of data sets with better scores than the control.
    pub better: usize,
    /// Number of data sets with equal scores.
    pub equal: usize,
    /// Number of data sets with worse scores.
    pub worse: usize,
    /// The smaller sum of ranks.
    pub w: f64,
    /// The p-value.
    pub p: f64,
    /// The p-value, corrected for the number of tests.
    pub p_holm: f64,
    /// Whether the corrected p-value is below alpha.
    pub different: bool,
}

/// Tests whether two methods differ, from their scores on the same data sets.
pub fn wilcoxon(a: &[f64], b: &[f64]) -> Wilcoxon {
    let largest = a.iter().chain(b).fold(0.0_f64, |most, score| most.max(score.abs()));
    let unit = (UNIT * largest).max(f64::MIN_POSITIVE);
    let whole = |(a, b): (&f64, &f64)| ((a - b) / unit).round();
    let differences: Vec<f64> = a.iter().zip(b).map(whole).filter(|difference| *difference != 0.0).collect();
    let pairs = differences.len();
    let above = differences.iter().filter(|difference| **difference > 0.0).count();
    if pairs == 0 {
        return Wilcoxon { pairs, above, w: 0.0, p: 1.0 };
    }
    let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
    let ranks = ranks(&sizes, false);
    let of_above = ranks.iter().zip(&differences).filter(|(_, d)| **d > 0.0).map(|(rank, _)| rank);
    let (total, sum) = ((pairs * (pairs + 1)) as f64 / 2.0, of_above.fold(0.0, |sum, rank| sum + rank));
    let w = sum.min(total - sum);
    let p = if pairs <= EXACT { exact(w, &ranks) } else { normal(w, total, sizes) };
    Wilcoxon { pairs, above, w, p: p.min(1.0) }
}

/// Returns twice the fraction of sign patterns whose positive ranks sum to at most `w`. Twice a rank is an integer, also with ties.
fn exact(w: f64, ranks: &[f64]) -> f64 {
    let doubled: Vec<usize> = ranks.iter().map(|rank| (2.0 * rank).round() as usize).collect();
    let total: usize = doubled.iter().sum();
    let mut shares = vec![0.0; total + 1];
    shares[0] = 1.0;
    for rank in doubled {
        for sum in (0..=total).rev() {
            let with = if sum >= rank { shares[sum - rank] } else { 0.0 };
            shares[sum] = (shares[sum] + with) / 2.0;
        }
    }
    2.0 * shares[..=(2.0 * w).round() as usize].iter().sum::<f64>()
}

fn normal(w: f64, total: f64, mut sizes: Vec<f64>) -> f64 {
    let n = sizes.len() as f64;
    sizes.sort_by(f64::total_cmp);
    let runs = ties(&sizes, |a, b| a == b).into_iter().map(|(first, last)| (last - first + 1) as f64);
    let correction = runs.map(|run| run.powi(3) - run).sum::<f64>() / 48.0;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - correction;
    2.0 * normal_below((w - total / 2.0) / variance.sqrt())
}

/// Applies Holm's step-down correction to p-values.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut corrected = vec![0.0; p.len()];
    let mut largest = 0.0_f64;
    for (rank, &at) in order.iter().enumerate() {
        largest = largest.max(p[at] * (p.len() - rank) as f64).min(1.0);
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

    /// By hand: of the 16 sign patterns of ranks 1 to 4, one sums to 0, one to 1, one to 2.
    #[test]
    fn small_cases_are_exact() {
        let test = wilcoxon(&[1.0, 2.0, 3.0, 4.0], &[0.0; 4]);
        assert_eq!((test.pairs, test.above, test.w), (4, 4, 0.0));
        close(test.p, 2.0 / 16.0);
        close(wilcoxon(&[-1.0, 2.0, 3.0, 4.0], &[0.0; 4]).p, 4.0 / 16.0);
        close(wilcoxon(&[1.0, -2.0, 3.0, 4.0], &[0.0; 4]).p, 6.0 / 16.0);
    }

    #[test]
    fn equal_scores_are_omitted() {
        let test = wilcoxon(&[5.0, 5.0, 1.0, 2.0], &[5.0, 5.0, 0.0, 0.0]);
        assert_eq!((test.pairs, test.w), (2, 0.0));
        close(test.p, 0.5);
        assert_eq!(wilcoxon(&[1.0, 0.0], &[1.0, -0.0]).p, 1.0);
    }

    /// By hand: sizes 1, 1, 2 have ranks 1.5, 1.5, 3. Of the 8 sign patterns, one sums to 0 and two to 1.5. Five equal differences of
    /// one sign have probability 2/32.
    #[test]
    fn ties_are_exact() {
        let test = wilcoxon(&[1.0, -1.0, 2.0], &[0.0; 3]);
        assert_eq!(test.w, 1.5);
        close(test.p, 2.0 * 3.0 / 8.0);
        close(wilcoxon(&[9.0, 8.0, 7.0, 6.0, 5.0], &[8.0, 7.0, 6.0, 5.0, 4.0]).p, 2.0 / 32.0);
    }

    /// 0.3 - 0.2 and 0.2 - 0.1 are equal differences despite rounding errors, and the unit of the scores does not matter.
    #[test]
    fn rounding_errors_do_not_break_ties() {
        assert_ne!(0.3 - 0.2, 0.2 - 0.1);
        let test = wilcoxon(&[0.3, 0.2, 0.9], &[0.2, 0.1, 0.5]);
        close(test.p, 2.0 / 8.0);
        let (a, b) = ([81.85, 62.69, 98.07, 76.29], [64.83, 55.58, 96.31, 76.55]);
        let shares = |scores: &[f64]| scores.iter().map(|score| score / 100.0).collect::<Vec<f64>>();
        assert_eq!(wilcoxon(&a, &b), wilcoxon(&shares(&a), &shares(&b)));
    }

    #[test]
    fn exact_and_normal_agree_for_many_pairs() {
        let ranks: Vec<f64> = (1..=50).map(f64::from).collect();
        let (exact, normal) = (exact(400.0, &ranks), normal(400.0, 1275.0, ranks.clone()));
        assert!((exact - normal).abs() < 0.001, "{exact} {normal}");
        // Ties decrease the variance.
        let tied = wilcoxon(&[1.0; 60], &[0.0; 60]);
        let variance = 60.0 * 61.0 * 121.0 / 24.0 - (60.0_f64.powi(3) - 60.0) / 48.0;
        close(tied.p, 2.0 * normal_below(-915.0 / variance.sqrt()));
    }

    #[test]
    fn holm_corrections_are_monotone() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        [0.03, 0.06, 0.06, 0.02].iter().zip(&corrected).for_each(|(expected, found)| close(*found, *expected));
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    }
}
