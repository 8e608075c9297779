//! All pairs of columns: the chi-squared of the joint bins beyond that of each column.
//!
//! Where the two columns are independent this is the statistic of their interaction; where they are not it is biased, so the
//! best pairs are tested again by `retest`, and only that p-value is used.

use super::bins::{self, Bins, EXPECTED};
use super::bits::{BitRows, Largest, common};
use super::retest::{Table, log_p_value};
use crate::linalg::widest;
use crate::methods::sieve::columns::Columns;
use rayon::prelude::*;

/// Pairs that are tested again.
const RETESTED: usize = 4096;
/// First columns of pairs that one task takes.
const TILE: usize = 8;
/// Cells of the largest joint table.
const CELLS: usize = 64;

/// The columns of a scan of pairs as bit vectors.
pub(super) struct PairScan {
    rows: BitRows,
    columns: Vec<BitColumn>,
    /// One over the share of every class.
    inverse_shares: Vec<f64>,
    bits: Vec<u64>,
}

struct BitColumn {
    feature: usize,
    bins: usize,
    /// First word of the vectors of all bins but the last.
    start: usize,
    /// Rows of every bin (inner) and class (outer).
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
        let mut scan = Self { rows: rows_by_class, columns: Vec::new(), inverse_shares, bits: Vec::new() };
        for (&feature, parts) in chosen.iter().zip(&binned) {
            parts.iter().for_each(|bins| scan.push(feature, bins));
        }
        (scan.columns.len() > 1).then_some(scan)
    }

    fn push(&mut self, feature: usize, bins: &Bins) {
        let start = self.bits.len();
        let mut margins = vec![0_u32; bins.count * self.rows.classes.len()];
        for bin in 0..bins.count {
            let vector = self.rows.vector(bins, bin as u8);
            for (class, words) in self.rows.classes.iter().enumerate() {
                let ones: u32 = vector[words.clone()].iter().map(|word| word.count_ones()).sum();
                margins[class * bins.count + bin] = ones;
            }
            if bin + 1 < bins.count {
                self.bits.extend(vector);
            }
        }
        let mut totals = vec![0.0; bins.count];
        let mut squares = vec![0.0; bins.count];
        for (counts, inverse) in margins.chunks(bins.count).zip(&self.inverse_shares) {
            for (bin, &count) in counts.iter().enumerate() {
                totals[bin] += f64::from(count);
                squares[bin] += f64::from(count).powi(2) * inverse;
            }
        }
        let used = squares.iter().zip(&totals).filter(|(_, total)| **total > 0.0);
        let alone = used.map(|(square, total)| square / total).sum::<f64>() - self.rows.total() as f64;
        self.columns.push(BitColumn { feature, bins: bins.count, start, margins, alone });
    }

    /// The first columns of the tiles of the scan, one task each.
    pub(super) fn tiles(&self) -> usize {
        self.columns.len().div_ceil(TILE)
    }

    /// Looks at all pairs whose first column is in some tiles.
    pub(super) fn scan(&self, tiles: std::ops::Range<usize>) -> PairList {
        let lists: Vec<PairList> = tiles.into_par_iter().map(|tile| widest!(|| self.tile(tile))).collect();
        let mut all = PairList::empty();
        lists.into_iter().for_each(|list| all.append(list));
        all
    }

    #[inline(always)]
    fn tile(&self, tile: usize) -> PairList {
        let mut found = PairList::empty();
        let first = tile * TILE..((tile + 1) * TILE).min(self.columns.len());
        // Columns of the tile stay in the cache while all others pass by.
        for other in first.start + 1..self.columns.len() {
            for one in first.start..first.end.min(other) {
                let (a, b) = (&self.columns[one], &self.columns[other]);
                if a.feature == b.feature {
                    continue;
                }
                let interaction = self.joint(a, b) - a.alone - b.alone;
                let freedom = ((a.bins - 1) * (b.bins - 1) * (self.rows.classes.len() - 1)) as f64;
                found.0.push((interaction - freedom) / (2.0 * freedom).sqrt(), (one, other));
            }
        }
        found
    }

    /// Chi-squared of the joint bins of two columns: `sum over cells and classes of N_abk^2 / (N_ab p_k)`, less the rows.
    #[inline(always)]
    fn joint(&self, a: &BitColumn, b: &BitColumn) -> f64 {
        let (mut totals, mut squares) = ([0.0_f64; CELLS], [0.0_f64; CELLS]);
        let mut counts = [0_u32; CELLS];
        for class in 0..self.rows.classes.len() {
            self.count(a, b, class, &mut counts);
            let inverse = self.inverse_shares[class];
            for cell in 0..a.bins * b.bins {
                let count = f64::from(counts[cell]);
                totals[cell] += count;
                squares[cell] += count * count * inverse;
            }
        }
        let mut sum = 0.0;
        for cell in 0..a.bins * b.bins {
            sum += squares[cell] / totals[cell].max(1.0);
        }
        sum - self.rows.total() as f64
    }

    /// Rows of one class in every cell; the bins of `b` run fastest.
    #[inline(always)]
    fn count(&self, a: &BitColumn, b: &BitColumn, class: usize, counts: &mut [u32; CELLS]) {
        let words = self.rows.classes[class].clone();
        let vector = |column: &BitColumn, bin: usize| {
            let start = column.start + bin * self.rows.words;
            &self.bits[start + words.start..start + words.end]
        };
        let (margins_a, margins_b) = (&a.margins[class * a.bins..], &b.margins[class * b.bins..]);
        for bin_b in 0..b.bins {
            counts[(a.bins - 1) * b.bins + bin_b] = margins_b[bin_b];
        }
        for bin_a in 0..a.bins - 1 {
            let own = vector(a, bin_a);
            let mut left = margins_a[bin_a];
            for bin_b in 0..b.bins - 1 {
                let count = common(own, vector(b, bin_b));
                counts[bin_a * b.bins + bin_b] = count;
                left -= count;
                counts[(a.bins - 1) * b.bins + bin_b] -= count;
            }
            counts[bin_a * b.bins + b.bins - 1] = left;
            counts[(a.bins - 1) * b.bins + b.bins - 1] -= left;
        }
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
        PairsFound { pairs, tested: count * (count - 1.0) / 2.0, features: features.len() }
    }

    fn table(&self, a: &BitColumn, b: &BitColumn) -> Table {
        let mut counts = [0_u32; CELLS];
        let cells = a.bins * b.bins;
        let mut all = Vec::with_capacity(cells * self.rows.classes.len());
        for class in 0..self.rows.classes.len() {
            self.count(a, b, class, &mut counts);
            all.extend(counts[..cells].iter().map(|&count| f64::from(count)));
        }
        Table { counts: all, shape: (a.bins, b.bins, self.rows.classes.len()) }
    }
}

/// The most promising pairs of columns.
pub(super) struct PairList(Largest<(usize, usize)>);

impl PairList {
    pub(super) fn empty() -> Self {
        // Below the mean of the statistic nothing is worth a second test.
        Self(Largest::new(RETESTED, 0.0))
    }

    pub(super) fn append(&mut self, other: Self) {
        self.0.append(other.0);
    }
}
