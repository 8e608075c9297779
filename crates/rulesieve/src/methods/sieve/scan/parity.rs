//! Two to four columns at a time: whether an odd or an even number of them lies above its median, against the class.
//!
//! The parity of k columns is the exclusive or of their bits, so one combination costs n / 64 operations. It sees products
//! of columns of which no part shows an effect. For pairs this test has one degree of freedom where that of bins of equal count
//! has nine, and so more power for products on few rows.

use super::bins::{self, EXPECTED};
use super::bits::{BitRows, Largest, different};
use super::retest::{Table, log_p_value};
use super::tail::{chi_squared_quantile, log_chi_squared_tail};
use crate::linalg::widest;
use crate::methods::sieve::columns::{Columns, Values};
use rayon::prelude::*;

/// Combinations that are kept.
const KEPT: usize = 512;
/// Classes that are told apart: the most frequent ones, and the others together.
const CLASSES: usize = 4;
/// Shares of rows above the median between which a column takes part: beyond, ties are so many that parities with the column
/// are nearly those without it, and would fill the list.
const BALANCED: std::ops::RangeInclusive<f64> = 0.2..=0.8;
/// In place of the columns that a combination does not have.
const NONE: usize = usize::MAX;
/// Operations of one class of a combination beside those of its words.
const OVERHEAD: usize = 2;

/// Columns as bits of being above the median.
pub(super) struct ParityScan {
    rows: BitRows,
    features: Vec<usize>,
    bits: Vec<u64>,
    /// Degrees of freedom of every combination.
    freedom: f64,
}

/// Combinations with the logarithm of their p-value, not corrected, and the number of combinations looked at.
pub(super) struct ParityFound {
    pub(super) combinations: Vec<(Vec<usize>, f64)>,
    pub(super) tested: f64,
}

impl ParityScan {
    /// Prepares the features, in the given order of preference, of which all combinations of `order` fit into a budget; none where
    /// rows are too few or combinations too many.
    pub(super) fn new(
        columns: &Columns,
        rows: &[usize],
        preference: &[usize],
        (order, budget): (usize, f64),
    ) -> Option<Self> {
        let (codes, count) = bins::classes(&columns.goal, rows);
        let mut counts = vec![0_usize; count];
        codes.iter().for_each(|&code| counts[code as usize] += 1);
        // Two bins of the parity.
        bins::affordable(&counts, 2, |bins| 2 * bins)?;
        let (map, classes) = bins::frequent_classes(&counts, 2 * EXPECTED, CLASSES);
        let rows_by_class =
            BitRows::new(&codes.iter().map(|&code| map[code as usize]).collect::<Vec<Option<u32>>>(), classes);
        let cost = (rows_by_class.words + OVERHEAD * classes) as f64;
        let numeric = |at: &&usize| matches!(columns.features[**at].parts[..], [Values::Numeric(_)]);
        let mut features: Vec<usize> = preference.iter().filter(numeric).copied().collect();
        let all = features.len();
        while features.len() >= order && combinations(features.len(), order) * cost > budget {
            // The largest number below the bound, found from above in a few steps.
            let excess = (combinations(features.len(), order) * cost / budget).powf(1.0 / order as f64);
            features.truncate(((features.len() as f64 / excess) as usize).min(features.len() - 1));
        }
        // Columns whose effect shows in combinations only are chosen at random: of few, all of a combination hardly ever.
        if features.len() < order.max(all / 2) {
            return None;
        }
        features.sort_unstable();
        let upper = |at: &usize| {
            let values = match &columns.features[*at].parts[..] {
                [Values::Numeric(values)] => values,
                _ => return None,
            };
            let bits = rows_by_class.vector(&bins::upper_half(values, rows), 1);
            let share = bits.iter().map(|word| word.count_ones()).sum::<u32>() as f64 / rows_by_class.total() as f64;
            BALANCED.contains(&share).then_some((*at, bits))
        };
        let (features, halves): (Vec<usize>, Vec<Vec<u64>>) =
            features.par_iter().filter_map(upper).collect::<Vec<_>>().into_iter().unzip();
        if features.len() < order {
            return None;
        }
        let freedom = classes.saturating_sub(1) as f64;
        Some(Self { rows: rows_by_class, features, bits: halves.concat(), freedom })
    }

    /// Looks at all pairs of columns.
    pub(super) fn pairs(&self) -> ParityFound {
        let (count, least) = (self.features.len(), self.least(2));
        let of_first = |first: usize| {
            widest!(|| {
                let mut found = Largest::new(KEPT, least);
                self.extend(self.vector(first), first + 1, &mut |statistic, second| {
                    found.push(statistic, [first, second, NONE, NONE]);
                });
                found
            })
        };
        self.finish((0..count).into_par_iter().map(of_first).collect(), 2)
    }

    /// Looks at all combinations of three columns.
    pub(super) fn triples(&self) -> ParityFound {
        let (count, least) = (self.features.len(), self.least(3));
        let of_first = |first: usize| {
            widest!(|| {
                let mut found = Largest::new(KEPT, least);
                for second in first + 1..count {
                    let both = exclusive(self.vector(first), self.vector(second));
                    self.extend(&both, second + 1, &mut |statistic, third| {
                        found.push(statistic, [first, second, third, NONE]);
                    });
                }
                found
            })
        };
        self.finish((0..count).into_par_iter().map(of_first).collect(), 3)
    }

    /// Looks at all combinations of four columns.
    pub(super) fn quadruples(&self) -> ParityFound {
        let (count, least) = (self.features.len(), self.least(4));
        let of_first = |first: usize| {
            widest!(|| {
                let mut found = Largest::new(KEPT, least);
                for second in first + 1..count {
                    let both = exclusive(self.vector(first), self.vector(second));
                    for third in second + 1..count {
                        let three = exclusive(&both, self.vector(third));
                        self.extend(&three, third + 1, &mut |statistic, fourth| {
                            found.push(statistic, [first, second, third, fourth]);
                        });
                    }
                }
                found
            })
        };
        self.finish((0..count).into_par_iter().map(of_first).collect(), 4)
    }

    /// The statistic below which a combination cannot be significant among all of them.
    fn least(&self, order: usize) -> f64 {
        chi_squared_quantile(-combinations(self.features.len(), order).max(1.0).ln(), self.freedom)
    }

    #[inline(always)]
    fn vector(&self, at: usize) -> &[u64] {
        &self.bits[at * self.rows.words..(at + 1) * self.rows.words]
    }

    /// The statistic of some bits together with every column from `start` on.
    #[inline(always)]
    fn extend(&self, bits: &[u64], start: usize, found: &mut impl FnMut(f64, usize)) {
        let total = self.rows.total() as f64;
        for last in start..self.features.len() {
            let other = self.vector(last);
            let (mut odd, mut squares) = (0.0, 0.0);
            for (words, &size) in self.rows.classes.iter().zip(&self.rows.counts) {
                let count = f64::from(different(&bits[words.clone()], &other[words.clone()]));
                odd += count;
                squares += count * count / size as f64;
            }
            // Chi-squared of a table of two rows, from the counts of one of them.
            let statistic = (squares - odd * odd / total) * total * total / (odd * (total - odd)).max(1.0);
            found(statistic, last);
        }
    }

    fn finish(&self, lists: Vec<Largest<[usize; 4]>>, order: usize) -> ParityFound {
        let mut all = Largest::new(KEPT, 0.0);
        lists.into_iter().for_each(|list| all.append(list));
        let named = |(statistic, places): (f64, [usize; 4])| {
            let places = &places[..order];
            let features = places.iter().map(|&place| self.features[place]).collect();
            // The parity alone may be that of fewer columns, where one of them is not balanced.
            let log_p = log_chi_squared_tail(statistic, self.freedom).max(log_p_value(&self.table(places)));
            (features, log_p)
        };
        let combinations_found = all.into_sorted().into_par_iter().map(named).collect();
        ParityFound { combinations: combinations_found, tested: combinations(self.features.len(), order) }
    }

    /// Rows of every class and of every combination of the bits of some columns.
    fn table(&self, places: &[usize]) -> Table {
        let cells = 1 << places.len();
        let mut counts = vec![0.0; cells * self.rows.classes.len()];
        for (class, (words, &size)) in self.rows.classes.iter().zip(&self.rows.counts).enumerate() {
            for (at, word) in words.clone().enumerate() {
                for bit in 0..(size - 64 * at).min(64) {
                    let cell = places.iter().fold(0, |cell, &place| {
                        2 * cell + (self.bits[place * self.rows.words + word] >> bit & 1) as usize
                    });
                    counts[class * cells + cell] += 1.0;
                }
            }
        }
        Table { counts, bins: vec![2; places.len()], classes: self.rows.classes.len() }
    }
}

#[inline(always)]
fn exclusive(a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

/// Number of combinations of `order` out of `count`.
fn combinations(count: usize, order: usize) -> f64 {
    (0..order).map(|at| (count as f64 - at as f64).max(0.0) / (at as f64 + 1.0)).product()
}
