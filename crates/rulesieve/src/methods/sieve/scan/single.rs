//! Every column alone: Pearson's chi-squared of its bins, which sees any dependence, and a rank test, which has more power on
//! few rows (Kruskal-Wallis for classes, Spearman for numbers).

use super::bins::{self, EXPECTED};
use super::tail::log_chi_squared_tail;
use crate::methods::sieve::columns::{Column, Columns, Goal, Values};
use rayon::prelude::*;

/// Categories of a column at most; the rarest are merged beyond.
const LEVELS: usize = 64;

/// The logarithm of the p-value of every feature, not corrected for the number of features.
pub(super) fn log_p_values(columns: &Columns, rows: &[usize], most_bins: usize) -> Vec<f64> {
    let test = Single::new(columns, rows, most_bins);
    columns.features.par_iter().map(|column| test.log_p_value(column)).collect()
}

pub(super) struct Single<'a> {
    rows: &'a [usize],
    goal: Goal,
    /// Class of every row in the contingency tables; none for rows of classes that are too rare.
    classes: Vec<Option<u32>>,
    class_count: usize,
    /// None where there are too few rows for a table.
    bins: Option<usize>,
}

impl<'a> Single<'a> {
    pub(super) fn new(columns: &Columns, rows: &'a [usize], most_bins: usize) -> Self {
        let (codes, count) = bins::classes(&columns.goal, rows);
        let mut counts = vec![0_usize; count];
        codes.iter().for_each(|&code| counts[code as usize] += 1);
        let bins = bins::affordable(&counts, most_bins, |bins| bins);
        let (map, class_count) = bins::frequent_classes(&counts, EXPECTED * bins.unwrap_or(2), usize::MAX);
        let classes = codes.iter().map(|&code| map[code as usize]).collect();
        Self { rows, goal: columns.goal.rows(rows), classes, class_count, bins }
    }

    /// The smallest p-value of all tests, times their number.
    fn log_p_value(&self, column: &Column) -> f64 {
        let mut found: Vec<f64> = Vec::new();
        if let Some(bins) = self.bins.filter(|_| self.class_count > 1) {
            let tables = bins::of_column(column, self.rows, (bins, LEVELS), self.least_rows());
            found.extend(tables.iter().map(|bins| self.chi_squared(bins)));
        }
        let missing = bins::missing(column, self.rows);
        for part in &column.parts {
            if let Values::Numeric(values) = part {
                found.extend(self.rank_tests(values, &missing));
            }
        }
        let least = found.iter().copied().fold(0.0, f64::min);
        (least + (found.len().max(1) as f64).ln()).min(0.0)
    }

    /// Rows of a bin of which the expected number is in the smallest class.
    fn least_rows(&self) -> usize {
        let mut counts = vec![0_usize; self.class_count];
        self.classes.iter().flatten().for_each(|&class| counts[class as usize] += 1);
        let smallest = counts.into_iter().min().unwrap_or(self.rows.len()).max(1);
        (EXPECTED * self.rows.len()).div_ceil(smallest)
    }

    /// Pearson's chi-squared of independence.
    pub(super) fn chi_squared(&self, bins: &bins::Bins) -> f64 {
        let classes = self.class_count;
        let mut table = vec![0.0; bins.count * classes];
        for (&bin, class) in bins.codes.iter().zip(&self.classes) {
            if let Some(class) = class {
                table[usize::from(bin) * classes + *class as usize] += 1.0;
            }
        }
        let of_bin: Vec<f64> = table.chunks(classes).map(|bin| bin.iter().sum()).collect();
        let of_class: Vec<f64> =
            (0..classes).map(|class| (0..bins.count).map(|bin| table[bin * classes + class]).sum()).collect();
        let total: f64 = of_bin.iter().sum();
        let expected = |cell: usize| of_bin[cell / classes] * of_class[cell % classes] / total;
        let cells = table.iter().enumerate().filter(|(cell, _)| expected(*cell) > 0.0);
        let statistic: f64 = cells.map(|(cell, count)| (count - expected(cell)).powi(2) / expected(cell)).sum();
        let used = of_bin.iter().filter(|&&count| count > 0.0).count();
        log_chi_squared_tail(statistic, (used.saturating_sub(1) * (classes - 1)) as f64)
    }

    /// Tests of location (Kruskal-Wallis, or Spearman) and of scale (Mood) by ranks; none where few rows differ from all others,
    /// because the statistics are then far from their distribution.
    pub(super) fn rank_tests(&self, values: &[f64], missing: &[bool]) -> Vec<f64> {
        let present: Vec<usize> =
            (0..self.rows.len()).filter(|&at| !missing.get(at).copied().unwrap_or(false)).collect();
        let (ranks, most_equal) = centred_ranks(&present.iter().map(|&at| values[self.rows[at]]).collect::<Vec<_>>());
        if present.len() - most_equal < self.least_rows().min(present.len() / 2) {
            return Vec::new();
        }
        let mean = ranks.iter().map(|rank| rank * rank).sum::<f64>() / ranks.len() as f64;
        let squares: Vec<f64> = ranks.iter().map(|rank| rank * rank - mean).collect();
        [ranks, squares].iter().map(|scores| self.score_test(scores, &present)).collect()
    }

    /// Of scores with mean zero, `(n - 1) R^2` is about chi-squared under permutation.
    fn score_test(&self, scores: &[f64], present: &[usize]) -> f64 {
        let spread: f64 = scores.iter().map(|score| score * score).sum();
        if spread <= 0.0 {
            return 0.0;
        }
        let (explained, freedom) = match &self.goal {
            Goal::Numbers(target) => {
                let (other, _) = centred_ranks(&present.iter().map(|&at| target[at]).collect::<Vec<_>>());
                let product: f64 = scores.iter().zip(&other).map(|(a, b)| a * b).sum();
                let size: f64 = other.iter().map(|rank| rank * rank).sum();
                (if size > 0.0 { product * product / size } else { 0.0 }, 1)
            }
            Goal::Classes(codes, count) => {
                let (mut sums, mut counts) = (vec![0.0; *count], vec![0.0; *count]);
                for (&at, score) in present.iter().zip(scores) {
                    sums[codes[at] as usize] += score;
                    counts[codes[at] as usize] += 1.0;
                }
                let groups = sums.iter().zip(&counts).filter(|(_, count)| **count > 0.0);
                (groups.clone().map(|(sum, count)| sum * sum / count).sum(), groups.count().saturating_sub(1))
            }
        };
        log_chi_squared_tail((present.len() as f64 - 1.0) * explained / spread, freedom as f64)
    }
}

/// Mean ranks of equal values, with mean zero, and the largest number of equal values.
pub(super) fn centred_ranks(values: &[f64]) -> (Vec<f64>, usize) {
    let order = bins::ascending(values.iter().copied());
    let mut ranks = vec![0.0; values.len()];
    let (mut start, mut most_equal) = (0, 0);
    while start < order.len() {
        let equal = order[start..].iter().take_while(|(key, _)| *key == order[start].0).count();
        let rank = start as f64 + (equal as f64 - 1.0) / 2.0 - (values.len() as f64 - 1.0) / 2.0;
        order[start..start + equal].iter().for_each(|&(_, at)| ranks[at as usize] = rank);
        start += equal;
        most_equal = most_equal.max(equal);
    }
    (ranks, most_equal)
}
