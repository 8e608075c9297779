//! All pairs of columns by the product of their centred ranks, against the class.
//!
//! An interaction that grows with both columns shows in one degree of freedom, so with more power on few rows than in a table of
//! bins or in signs alone. The products of all pairs are one matrix product for each class, O(n m^2) operations.

use super::bins::{self, EXPECTED};
use super::bits::Largest;
use super::retest::{Table, log_p_of_product};
use super::single::centred_ranks;
use super::tail::{chi_squared_quantile, log_chi_squared_tail};
use crate::linalg::{Matrix32, product32};
use crate::methods::sieve::columns::{Columns, Values};
use rayon::prelude::*;

/// Pairs that are tested again.
const KEPT: usize = 512;
/// Classes that are told apart: the most frequent ones, and the others together.
const CLASSES: usize = 4;
/// Rows at most: more hardly add power to a test of one degree of freedom, and cost memory.
const ROWS: usize = 4000;
/// Columns of one factor of a product.
const BLOCK: usize = 128;
/// Bins of a column at most in the second test.
const BINS: usize = 6;
/// Share of equal values at most: with more, the statistic is far from its distribution.
const MOST_EQUAL: f64 = 0.8;
/// Multiplications that take about as long as an operation on 64 bits.
const PER_OPERATION: f64 = 8.0;

/// Columns as centred ranks with variance one.
pub(super) struct ProductScan {
    /// The rows of every class.
    classes: Vec<Vec<usize>>,
    features: Vec<usize>,
    /// Ranks of a block of columns, by class.
    blocks: Vec<Vec<Matrix32>>,
    /// Bins of every column in the second test, and their number.
    bins: Vec<Vec<u8>>,
    bin_count: usize,
}

/// Pairs of features with the logarithm of their p-value, not corrected, and the number of pairs looked at.
pub(super) struct ProductsFound {
    pub(super) pairs: Vec<(usize, usize, f64)>,
    pub(super) tested: f64,
}

impl ProductScan {
    /// Prepares as many features, in the given order of preference, as a budget of 64-bit operations allows; none where rows or
    /// columns are too few.
    pub(super) fn new(columns: &Columns, rows: &[usize], preference: &[usize], budget: f64) -> Option<Self> {
        // Rows are sorted by the target, so that every class keeps its share.
        let rows: Vec<usize> = rows.iter().step_by(rows.len().div_ceil(ROWS).max(1)).copied().collect();
        let (codes, count) = bins::classes(&columns.goal, &rows);
        let mut counts = vec![0_usize; count];
        codes.iter().for_each(|&code| counts[code as usize] += 1);
        let bin_count = bins::affordable(&counts, BINS, |bins| 2 * bins)?;
        let (map, class_count) = bins::frequent_classes(&counts, EXPECTED * 2 * bin_count, CLASSES);
        let mut classes = vec![Vec::new(); class_count];
        codes.iter().zip(&rows).filter_map(|(&code, &row)| Some((map[code as usize]?, row))).for_each(
            |(class, row)| {
                classes[class as usize].push(row);
            },
        );
        let rows: Vec<usize> = classes.concat();
        let numeric = |at: &&usize| matches!(columns.features[**at].parts[..], [Values::Numeric(_)]);
        let affordable = (1.0 + (1.0 + 8.0 * budget * PER_OPERATION / rows.len() as f64).sqrt()) / 2.0;
        let mut features: Vec<usize> = preference.iter().filter(numeric).take(affordable as usize).copied().collect();
        features.sort_unstable();
        let ranked = |&at: &usize| -> Option<(usize, Vec<f32>, Vec<u8>)> {
            let [Values::Numeric(values)] = &columns.features[at].parts[..] else { return None };
            let taken: Vec<f64> = rows.iter().map(|&row| values[row]).collect();
            let (ranks, most_equal) = centred_ranks(&taken);
            let balanced = most_equal as f64 <= MOST_EQUAL * rows.len() as f64;
            let deviation = (ranks.iter().map(|rank| rank * rank).sum::<f64>() / rows.len() as f64).sqrt();
            let scores = || ranks.iter().map(|rank| (rank / deviation) as f32).collect();
            balanced.then(|| (at, scores(), bins::of_ranks(&taken, bin_count)))
        };
        let found: Vec<(usize, Vec<f32>, Vec<u8>)> = features.par_iter().filter_map(ranked).collect();
        if found.len() < 2 {
            return None;
        }
        let block = |columns: &[(usize, Vec<f32>, Vec<u8>)]| {
            let mut start = 0;
            let of_class = |class: &Vec<usize>| {
                let own = start..start + class.len();
                start = own.end;
                let data = columns.iter().flat_map(|(_, ranks, _)| ranks[own.clone()].iter().copied()).collect();
                Matrix32 { rows: class.len(), cols: columns.len(), data }
            };
            classes.iter().map(of_class).collect()
        };
        let blocks = found.chunks(BLOCK).map(block).collect();
        let (features, bins) = found.into_iter().map(|(at, _, bins)| (at, bins)).unzip();
        Some(Self { classes, features, blocks, bins, bin_count })
    }

    fn rows(&self) -> usize {
        self.classes.iter().map(Vec::len).sum()
    }

    fn freedom(&self) -> f64 {
        self.classes.len().saturating_sub(1) as f64
    }

    fn pairs(&self) -> f64 {
        self.features.len() as f64 * (self.features.len() as f64 - 1.0) / 2.0
    }

    /// Looks at all pairs, and tests the best ones again.
    pub(super) fn scan(&self) -> ProductsFound {
        let count = self.blocks.len();
        let blocks: Vec<(usize, usize)> =
            (0..count).flat_map(|one| (one..count).map(move |other| (one, other))).collect();
        // The statistic below which a pair cannot be significant among all.
        let least = chi_squared_quantile(-self.pairs().max(1.0).ln(), self.freedom());
        let lists: Vec<Largest<(usize, usize)>> = blocks.par_iter().map(|&pair| self.block(pair, least)).collect();
        let mut all = Largest::new(KEPT, 0.0);
        lists.into_iter().for_each(|list| all.append(list));
        let tested = |(_, (one, other)): (f64, (usize, usize))| {
            (self.features[one], self.features[other], self.log_p_value(one, other))
        };
        ProductsFound { pairs: all.into_sorted().into_par_iter().map(tested).collect(), tested: self.pairs() }
    }

    /// The pairs of the columns of two blocks whose statistic, as if the columns were independent, is large enough.
    fn block(&self, (one, other): (usize, usize), least: f64) -> Largest<(usize, usize)> {
        let products: Vec<Matrix32> =
            self.blocks[one].iter().zip(&self.blocks[other]).map(|(a, b)| product32(a, true, b)).collect();
        let sizes: Vec<f32> = self.classes.iter().map(|class| class.len() as f32).collect();
        let rows = self.rows() as f32;
        let mut found = Largest::new(KEPT, least);
        let (first, second) = (one * BLOCK, other * BLOCK);
        for col in 0..products[0].cols {
            let most = if one == other { col } else { products[0].rows };
            for row in 0..most {
                let (mut total, mut squares) = (0.0_f32, 0.0_f32);
                for (product, size) in products.iter().zip(&sizes) {
                    let sum = product.data[col * product.rows + row];
                    total += sum;
                    squares += sum * sum / size;
                }
                // The variance of a product of independent columns is one.
                found.push(f64::from(squares - total * total / rows), (first + row, second + col));
            }
        }
        found
    }

    /// The larger one of the p-values of the product, under permutation, and of the product beyond the effects of each column.
    fn log_p_value(&self, one: usize, other: usize) -> f64 {
        let (a, b) = (self.place(one), self.place(other));
        let (mut total, mut squares, mut between) = (0.0, 0.0, 0.0);
        for class in 0..self.classes.len() {
            let (x, y) = (self.blocks[a.0][class].col(a.1), self.blocks[b.0][class].col(b.1));
            let products = x.iter().zip(y).map(|(x, y)| f64::from(x * y));
            let (sum, own) = products.fold((0.0, 0.0), |(sum, own), product| (sum + product, own + product * product));
            total += sum;
            squares += own;
            between += sum * sum / x.len() as f64;
        }
        let rows = self.rows() as f64;
        let spread = squares - total * total / rows;
        if spread <= 0.0 {
            return 0.0;
        }
        let explained = (between - total * total / rows) / spread;
        let of_product = log_chi_squared_tail((rows - 1.0) * explained, self.freedom());
        of_product.max(log_p_of_product(&self.table(one, other)))
    }

    /// The block of a column, and its place there.
    fn place(&self, at: usize) -> (usize, usize) {
        (at / BLOCK, at % BLOCK)
    }

    fn table(&self, one: usize, other: usize) -> Table {
        let (a, b, bins) = (&self.bins[one], &self.bins[other], self.bin_count);
        let mut counts = vec![0.0; self.classes.len() * bins * bins];
        let mut row = 0;
        for (class, rows) in self.classes.iter().enumerate() {
            for _ in rows {
                counts[(class * bins + usize::from(a[row])) * bins + usize::from(b[row])] += 1.0;
                row += 1;
            }
        }
        Table { counts, bins: vec![bins; 2], classes: self.classes.len() }
    }
}
