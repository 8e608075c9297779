//! All pairs of columns: the chi-squared of the joint bins beyond that of each column.
//!
//! Where the two columns are independent this is the statistic of their interaction; where they are not it is biased, so the
//! best pairs are tested again by `retest`, and only that p-value is used.

use super::bins::{self, Bins, EXPECTED};
use super::bits::{BitRows, Largest, common_counts};
use super::retest::{Table, log_p_value};
use super::tail::chi_squared_quantile;
use crate::linalg::widest;
use crate::methods::sieve::columns::Columns;
use rayon::prelude::*;
use std::ops::Range;

/// Bins of a column at most, one for missing values included.
const MOST_BINS: usize = 8;
/// Numbers of vectors that the scan is compiled for.
const LAYOUTS: [usize; 4] = [2, 3, 4, MOST_BINS];
/// Pairs that are tested again.
const RETESTED: usize = 4096;
/// Pairs whose first statistic is so many times less significant than chance allows for all of them are tested again all the
/// same, because that statistic is biased where columns depend on each other.
const LENIENCE: f64 = 1000.0;
/// First columns of pairs that one task takes.
const TILE: usize = 8;

/// The columns of a scan of pairs as bit vectors.
pub(super) struct PairScan {
    rows: BitRows,
    columns: Vec<BitColumn>,
    /// One over the share of every class.
    inverse_shares: Vec<f64>,
    /// One over every number of rows; 0 for none.
    inverse_counts: Vec<f64>,
    /// Vectors of every column: as many as bins but one, so that all columns have the same layout.
    vectors: usize,
    /// Words of all columns, those of one place and all vectors side by side.
    bits: Vec<u64>,
}

struct BitColumn {
    feature: usize,
    bins: usize,
    /// First of its words.
    start: usize,
    /// Rows of every bin (inner) and class (outer); the last bin of a column is the last of the layout, and bins in between
    /// that a column does not have are empty.
    margins: Vec<u32>,
    /// Chi-squared of the column alone.
    alone: f64,
}

/// What a scan has found.
pub(super) struct PairsFound {
    /// Pairs of features with the logarithm of their p-value, not corrected, most significant first.
    pub(super) pairs: Vec<(usize, usize, f64)>,
    /// Pairs of columns that were looked at.
    pub(super) tested: f64,
    /// Features that took part.
    pub(super) features: usize,
    /// Whether all these pairs were looked at.
    pub(super) complete: bool,
}

impl PairScan {
    /// Prepares as many features, in the given order of preference, as a budget of 64-bit operations allows; none where rows are
    /// too few.
    pub(super) fn new(
        columns: &Columns,
        rows: &[usize],
        preference: &[usize],
        (most_bins, budget): (usize, f64),
    ) -> Option<Self> {
        let (codes, count) = bins::classes(&columns.goal, rows);
        let mut counts = vec![0_usize; count];
        codes.iter().for_each(|&code| counts[code as usize] += 1);
        let bins = bins::affordable(&counts, most_bins, |bins| bins * bins)?;
        let (map, classes) = bins::frequent_classes(&counts, EXPECTED * bins * bins, usize::MAX);
        let classes_of_rows: Vec<Option<u32>> = codes.iter().map(|&code| map[code as usize]).collect();
        let rows_by_class = BitRows::new(&classes_of_rows, classes);
        let cost = ((bins - 1) * (bins - 1) * rows_by_class.words) as f64 + (bins * bins * classes) as f64 / 2.0;
        let affordable = (1.0 + (1.0 + 8.0 * budget / cost).sqrt()) / 2.0;
        let chosen = &preference[..preference.len().min(affordable as usize)];
        let smallest = rows_by_class.counts.iter().copied().min().unwrap_or(1).max(1);
        let least = (EXPECTED * bins * rows_by_class.total()).div_ceil(smallest);
        let binned: Vec<Vec<Bins>> =
            chosen.par_iter().map(|&at| bins::of_column(&columns.features[at], rows, (bins, bins), least)).collect();
        let total = rows_by_class.total() as f64;
        let inverse_shares = rows_by_class.counts.iter().map(|&count| total / count as f64).collect();
        let most = binned.iter().flatten().map(|bins| bins.count - 1).max().unwrap_or(1);
        let inverse_counts = (0..=rows_by_class.total()).map(|count| if count > 0 { 1.0 / count as f64 } else { 0.0 });
        let mut scan = Self {
            inverse_counts: inverse_counts.collect(),
            rows: rows_by_class,
            columns: Vec::new(),
            inverse_shares,
            vectors: LAYOUTS.into_iter().find(|&vectors| vectors >= most).unwrap_or(MOST_BINS),
            bits: Vec::new(),
        };
        for (&feature, parts) in chosen.iter().zip(&binned) {
            parts.iter().for_each(|bins| scan.push(feature, bins));
        }
        (scan.columns.len() > 1).then_some(scan)
    }

    fn push(&mut self, feature: usize, bins: &Bins) {
        let (start, cells) = (self.bits.len(), self.vectors + 1);
        self.bits.resize(start + self.rows.words * self.vectors, 0);
        let mut margins = vec![0_u32; cells * self.rows.classes.len()];
        for bin in 0..bins.count {
            let vector = self.rows.vector(bins, bin as u8);
            let last = bin + 1 == bins.count;
            let place = if last { self.vectors } else { bin };
            for (class, words) in self.rows.classes.iter().enumerate() {
                margins[class * cells + place] = vector[words.clone()].iter().map(|word| word.count_ones()).sum();
            }
            if !last {
                let own = self.bits[start..].iter_mut().skip(bin).step_by(self.vectors);
                own.zip(vector).for_each(|(to, word)| *to = word);
            }
        }
        let mut alone = -(self.rows.total() as f64);
        for bin in 0..cells {
            let counts = || margins.chunks(cells).map(|counts| counts[bin]);
            let squares = counts().zip(&self.inverse_shares).map(|(count, inverse)| f64::from(count).powi(2) * inverse);
            alone += squares.sum::<f64>() * self.inverse_counts[counts().sum::<u32>() as usize];
        }
        self.columns.push(BitColumn { feature, bins: bins.count, start, margins, alone });
    }

    /// The first columns of the tiles of the scan, one task each.
    pub(super) fn tiles(&self) -> usize {
        self.columns.len().div_ceil(TILE)
    }

    /// An empty list of promising pairs.
    pub(super) fn list(&self) -> PairList {
        let columns = self.columns.len() as f64;
        let most = self.columns.iter().map(|column| column.bins - 1).max().unwrap_or(1);
        // Of all degrees of freedom the largest has the smallest such bound.
        let freedom = (most * most * (self.rows.classes.len() - 1)) as f64;
        let tests = (columns * (columns - 1.0) / 2.0 / LENIENCE).max(1.0);
        let bound = chi_squared_quantile(-tests.ln() - 1.0, freedom);
        PairList(Largest::new(RETESTED, (bound - freedom) / (2.0 * freedom).sqrt()))
    }

    /// Looks at all pairs whose first column is in some tiles.
    pub(super) fn scan(&self, tiles: Range<usize>) -> PairList {
        let one = |tile: usize| match self.vectors {
            2 => widest!(|| self.tile::<2, 3>(tile)),
            3 => widest!(|| self.tile::<3, 4>(tile)),
            4 => widest!(|| self.tile::<4, 5>(tile)),
            _ => widest!(|| self.tile::<8, 9>(tile)),
        };
        let lists: Vec<PairList> = tiles.into_par_iter().map(one).collect();
        let mut all = self.list();
        lists.into_iter().for_each(|list| all.append(list));
        all
    }

    #[inline(always)]
    fn tile<const VECTORS: usize, const BINS: usize>(&self, tile: usize) -> PairList {
        let mut found = self.list();
        let first = tile * TILE..((tile + 1) * TILE).min(self.columns.len());
        // Columns of the tile stay in the cache while all others pass by.
        for other in first.start + 1..self.columns.len() {
            for one in first.start..first.end.min(other) {
                let (a, b) = (&self.columns[one], &self.columns[other]);
                if a.feature == b.feature {
                    continue;
                }
                let interaction = self.joint::<VECTORS, BINS>(a, b) - a.alone - b.alone;
                let freedom = ((a.bins - 1) * (b.bins - 1) * (self.rows.classes.len() - 1)) as f64;
                found.0.push((interaction - freedom) / (2.0 * freedom).sqrt(), (one, other));
            }
        }
        found
    }

    /// Chi-squared of the joint bins of two columns: `sum over cells and classes of N_abk^2 / (N_ab p_k)`, less the rows.
    #[inline(always)]
    fn joint<const VECTORS: usize, const BINS: usize>(&self, a: &BitColumn, b: &BitColumn) -> f64 {
        let (mut totals, mut squares) = ([[0_u32; BINS]; BINS], [[0.0_f64; BINS]; BINS]);
        for class in 0..self.rows.classes.len() {
            let counts = self.count::<VECTORS, BINS>(a, b, class);
            let inverse = self.inverse_shares[class];
            for bin_a in 0..BINS {
                for bin_b in 0..BINS {
                    let count = counts[bin_a][bin_b];
                    totals[bin_a][bin_b] += count;
                    squares[bin_a][bin_b] += f64::from(count) * f64::from(count) * inverse;
                }
            }
        }
        let mut sum = -(self.rows.total() as f64);
        for bin_a in 0..BINS {
            for bin_b in 0..BINS {
                sum += squares[bin_a][bin_b] * self.inverse_counts[totals[bin_a][bin_b] as usize];
            }
        }
        sum
    }

    /// Rows of one class in every cell; those of the last bins by difference.
    #[inline(always)]
    fn count<const VECTORS: usize, const BINS: usize>(
        &self,
        a: &BitColumn,
        b: &BitColumn,
        class: usize,
    ) -> [[u32; BINS]; BINS] {
        let words = self.rows.classes[class].clone();
        let place = |column: &BitColumn| column.start + words.start * VECTORS..column.start + words.end * VECTORS;
        let common = common_counts::<VECTORS>(&self.bits[place(a)], &self.bits[place(b)]);
        let (margins_a, margins_b) = (&a.margins[class * BINS..][..BINS], &b.margins[class * BINS..][..BINS]);
        let mut counts = [[0_u32; BINS]; BINS];
        counts[VECTORS].copy_from_slice(margins_b);
        for bin_a in 0..VECTORS {
            let mut left = margins_a[bin_a];
            for bin_b in 0..VECTORS {
                let count = common[bin_a][bin_b];
                counts[bin_a][bin_b] = count;
                counts[VECTORS][bin_b] -= count;
                left -= count;
            }
            counts[bin_a][VECTORS] = left;
            counts[VECTORS][VECTORS] -= left;
        }
        counts
    }

    /// Tests the best pairs again, exactly, and takes the best pair of columns of every pair of features.
    pub(super) fn retest(&self, list: PairList) -> PairsFound {
        let best: Vec<(usize, usize)> = list.0.into_sorted().into_iter().map(|(_, pair)| pair).collect();
        let tested = |&(one, other): &(usize, usize)| {
            let (a, b) = (&self.columns[one], &self.columns[other]);
            let pair = (a.feature.min(b.feature), a.feature.max(b.feature));
            (pair.0, pair.1, log_p_value(&self.table(a, b)))
        };
        let mut pairs: Vec<(usize, usize, f64)> = best.par_iter().map(tested).collect();
        pairs.sort_by(|a, b| a.2.total_cmp(&b.2).then((a.0, a.1).cmp(&(b.0, b.1))));
        let mut seen = std::collections::HashSet::new();
        pairs.retain(|&(one, other, _)| seen.insert((one, other)));
        let count = self.columns.len() as f64;
        let features: std::collections::HashSet<usize> = self.columns.iter().map(|column| column.feature).collect();
        PairsFound { pairs, tested: count * (count - 1.0) / 2.0, features: features.len(), complete: true }
    }

    fn table(&self, a: &BitColumn, b: &BitColumn) -> Table {
        match self.vectors {
            2 => self.table_of::<2, 3>(a, b),
            3 => self.table_of::<3, 4>(a, b),
            4 => self.table_of::<4, 5>(a, b),
            _ => self.table_of::<8, 9>(a, b),
        }
    }

    fn table_of<const VECTORS: usize, const BINS: usize>(&self, a: &BitColumn, b: &BitColumn) -> Table {
        let bins = |column: &BitColumn| (0..column.bins - 1).chain([VECTORS]).collect::<Vec<usize>>();
        let (of_a, of_b) = (bins(a), bins(b));
        let mut counts = Vec::with_capacity(of_a.len() * of_b.len() * self.rows.classes.len());
        for class in 0..self.rows.classes.len() {
            let all = self.count::<VECTORS, BINS>(a, b, class);
            counts.extend(of_a.iter().flat_map(|&row| of_b.iter().map(move |&col| f64::from(all[row][col]))));
        }
        Table { counts, bins: vec![a.bins, b.bins], classes: self.rows.classes.len() }
    }
}

/// The most promising pairs of columns.
pub(super) struct PairList(Largest<(usize, usize)>);

impl PairList {
    pub(super) fn append(&mut self, other: Self) {
        self.0.append(other.0);
    }
}

#[cfg(test)]
impl PairScan {
    /// The logarithm of the p-value of the fast statistic.
    pub(super) fn shortcut_log_p(&self, one: usize, other: usize) -> f64 {
        let (a, b) = (&self.columns[one], &self.columns[other]);
        let interaction = self.joint::<3, 4>(a, b) - a.alone - b.alone;
        super::tail::log_chi_squared_tail(interaction, 9.0)
    }
}
