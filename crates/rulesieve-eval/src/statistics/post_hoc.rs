//! Critical differences of average ranks, with `SE = sqrt(k (k + 1) / (6 N))`.
//!
//! The critical values q are rounded to three decimals, as in printed tables, so that differences agree with published ones.

use super::distribution;
use serde::Serialize;

/// Comparison of all methods with one, with Bonferroni's correction for `k - 1` comparisons (Dunn 1961).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BonferroniDunn {
    /// `z(1 - alpha / (2 (k - 1)))`.
    pub q: f64,
    /// The critical difference of average ranks.
    pub cd: f64,
    /// The method that the others are compared with.
    pub control: String,
    /// Methods whose average rank differs from that of the control by more.
    pub different: Vec<String>,
}

/// Comparison of all pairs of methods (Nemenyi 1963).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Nemenyi {
    /// The quantile of the studentized range divided by the square root of 2.
    pub q: f64,
    /// The critical difference of average ranks.
    pub cd: f64,
    /// Pairs whose average ranks differ by more, the better method first.
    pub different: Vec<(String, String)>,
}

fn rounded(q: f64) -> f64 {
    (q * 1000.0).round() / 1000.0
}

fn standard_error(methods: usize, datasets: usize) -> f64 {
    let k = methods as f64;
    (k * (k + 1.0) / (6.0 * datasets as f64)).sqrt()
}

pub(super) fn bonferroni_dunn(
    methods: &[String],
    average_ranks: &[f64],
    datasets: usize,
    control: usize,
    alpha: f64,
) -> BonferroniDunn {
    let q = rounded(distribution::normal_critical(alpha / (2.0 * (methods.len() - 1) as f64)));
    let cd = q * standard_error(methods.len(), datasets);
    let differs = |&at: &usize| (average_ranks[at] - average_ranks[control]).abs() > cd;
    let different = (0..methods.len()).filter(differs).map(|at| methods[at].clone()).collect();
    BonferroniDunn { q, cd, control: methods[control].clone(), different }
}

pub(super) fn nemenyi(methods: &[String], average_ranks: &[f64], datasets: usize, alpha: f64) -> Nemenyi {
    let q = rounded(distribution::range_critical(alpha, methods.len()) / 2.0_f64.sqrt());
    let cd = q * standard_error(methods.len(), datasets);
    let mut different = Vec::new();
    for a in 0..methods.len() {
        for b in 0..methods.len() {
            if average_ranks[b] - average_ranks[a] > cd {
                different.push((methods[a].clone(), methods[b].clone()));
            }
        }
    }
    Nemenyi { q, cd, different }
}
