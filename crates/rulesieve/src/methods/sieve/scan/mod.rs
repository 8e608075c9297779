//! Exact tests of all columns, of all pairs of columns, and of the parities of two, three and four.
//!
//! | file | step |
//! |---|---|
//! | `bins` | columns and target as a few bins |
//! | `single` | every column alone |
//! | `bits`, `pairs`, `retest` | every pair; the best ones tested again exactly |
//! | `products` | every pair by the product of its ranks |
//! | `parity` | two, three and four columns at a time, each cut at its median |
//! | `tail` | p-values |

mod bins;
mod bits;
mod pairs;
mod parity;
mod products;
mod retest;
mod single;
mod tail;

use super::columns::Columns;
use super::eliminate::Watch;
use super::params::Params;
use pairs::{PairScan, PairsFound};
use parity::{ParityFound, ParityScan};
use products::{ProductScan, ProductsFound};

/// Tiles of the scan of pairs between two looks at whether to end.
const TILES: usize = 64;
/// Combinations of four take this share of the operations that combinations of three may take: they are rarer still.
const QUADRUPLES: f64 = 0.1;

/// Largest corrected p-value of a pair that counts for its columns: the best one of noise is more often above, and two columns without an
/// effect would go ahead of one with a weak effect.
const COUNTED: f64 = 0.5;

/// What the scan of some rows has found.
#[derive(Debug, Clone, Default)]
pub(super) struct Scan {
    /// For every feature the logarithm of its p-value, alone or together with others, corrected for the number of tests; 0 at most.
    pub(super) log_p: Vec<f64>,
    /// All features, most significant first.
    pub(super) order: Vec<usize>,
    /// Pairs of features with the corrected logarithm of the p-value of their interaction, most significant first.
    pub(super) pairs: Vec<(usize, usize, f64)>,
    /// What was looked at, in words.
    pub(super) tested: String,
    /// The kinds of tests that found something significant.
    pub(super) kinds: Kinds,
}

/// Kinds of tests beside that of every column alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Kinds {
    /// Pairs again, in the rows in which the significant columns leave most open.
    pub(super) second: bool,
    pub(super) pairs: bool,
    pub(super) triples: bool,
    pub(super) quadruples: bool,
}

impl Scan {
    /// The features with a corrected p-value of at most `level`, most significant first, `most` at most.
    pub(super) fn significant(&self, level: f64, most: usize) -> Vec<usize> {
        let significant = self.order.iter().take_while(|&&feature| self.log_p[feature] <= level.ln());
        significant.take(most).copied().collect()
    }

    /// Adds the pairs that a scan of some of the rows has found. All p-values double, because there are two chances of an error.
    ///
    /// Pairs of two features that have chosen the rows (`known`) are left out: their effect on the choice would show as one on
    /// the class.
    pub(super) fn add_pairs(&mut self, second: Self, known: &[usize], level: f64) {
        let before = self.significant(level, usize::MAX);
        let counts = |pair: &(usize, usize, f64)| pair.2 + std::f64::consts::LN_2 <= COUNTED.ln();
        let is_new = |pair: &(usize, usize, f64)| !(known.contains(&pair.0) && known.contains(&pair.1));
        for (a, b, log_p) in second.pairs.into_iter().take_while(counts).filter(is_new) {
            self.log_p[a] = self.log_p[a].min(log_p);
            self.log_p[b] = self.log_p[b].min(log_p);
            match self.pairs.iter_mut().find(|pair| (pair.0, pair.1) == (a, b)) {
                Some(known) => known.2 = known.2.min(log_p),
                None => self.pairs.push((a, b, log_p)),
            }
        }
        let corrected = |log_p: &mut f64| *log_p = (*log_p + std::f64::consts::LN_2).min(0.0);
        self.log_p.iter_mut().for_each(corrected);
        self.pairs.iter_mut().for_each(|pair| corrected(&mut pair.2));
        self.pairs.sort_by(|a, b| a.2.total_cmp(&b.2));
        // Stable, so that features without any evidence keep the order of the first scan.
        self.order.sort_by(|&a, &b| self.log_p[a].total_cmp(&self.log_p[b]));
        self.kinds.second = self.significant(level, usize::MAX).iter().any(|feature| !before.contains(feature));
    }
}

impl Kinds {
    pub(super) const ALL: Self = Self { second: true, pairs: true, triples: true, quadruples: true };
}

/// Scans some rows by some kinds of tests.
pub(super) fn scan(columns: &Columns, rows: &[usize], params: &Params, wanted: Kinds, watch: &mut Watch) -> Scan {
    let rows = effective_rows(columns, rows);
    let alone = single::log_p_values(columns, &rows, params.bins);
    let mut by_single: Vec<usize> = (0..alone.len()).collect();
    by_single.sort_by(|&a, &b| alone[a].total_cmp(&alone[b]));
    let work = Work { columns, rows: &rows, preference: &by_single, params };
    let pairs = if wanted.pairs { work.pairs(watch) } else { None };
    let halves = if wanted.pairs { work.parity(2, watch) } else { None };
    let products = if wanted.pairs { work.products(watch) } else { None };
    let triples = if wanted.triples { work.parity(3, watch) } else { None };
    let quadruples = if wanted.quadruples { work.parity(4, watch) } else { None };

    // Every kind of test has its share of the errors.
    let kinds = [pairs.is_some(), halves.is_some(), products.is_some(), triples.is_some(), quadruples.is_some()];
    let kinds = 1 + kinds.into_iter().filter(|&done| done).count();
    let corrected = |log_p: f64, tests: f64| (log_p + (tests * kinds as f64).ln()).min(0.0);
    let mut log_p: Vec<f64> = alone.iter().map(|&own| corrected(own, alone.len() as f64)).collect();
    let by_bins =
        pairs.iter().flat_map(|found| found.pairs.iter().map(|&(a, b, own)| (a, b, corrected(own, found.tested))));
    let by_halves = halves.iter().flat_map(|found| {
        found.combinations.iter().map(|(pair, own)| (pair[0], pair[1], corrected(*own, found.tested)))
    });
    let by_products =
        products.iter().flat_map(|found| found.pairs.iter().map(|&(a, b, own)| (a, b, corrected(own, found.tested))));
    let found = best_of_each_pair(by_bins.chain(by_halves).chain(by_products).collect());
    for &(a, b, own) in found.iter().take_while(|pair| pair.2 <= COUNTED.ln()) {
        log_p[a] = log_p[a].min(own);
        log_p[b] = log_p[b].min(own);
    }
    // Applies the combinations of one kind that are significant, and tells whether there are any: of others, which are many,
    // each would put several columns without an effect ahead of a column with a weak one.
    let mut apply = |parity: Option<ParityFound>| {
        let mut any = false;
        for (features, own) in parity.iter().flat_map(|parity| &parity.combinations) {
            let own = corrected(*own, parity.as_ref().map_or(1.0, |parity| parity.tested));
            if own <= params.level.ln() {
                features.iter().for_each(|&at| log_p[at] = log_p[at].min(own));
                any = true;
            }
        }
        any
    };
    let kinds = Kinds {
        second: false,
        pairs: found.first().is_some_and(|pair| pair.2 <= params.level.ln()),
        triples: apply(triples),
        quadruples: apply(quadruples),
    };
    let mut order = by_single;
    order.sort_by(|&a, &b| log_p[a].total_cmp(&log_p[b]).then(alone[a].total_cmp(&alone[b])).then(a.cmp(&b)));
    Scan { log_p, order, pairs: found, tested: in_words(pairs.as_ref(), alone.len()), kinds }
}

/// Every pair once, with the smaller of its p-values; the most significant first.
fn best_of_each_pair(mut found: Vec<(usize, usize, f64)>) -> Vec<(usize, usize, f64)> {
    found.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
    found.dedup_by_key(|pair| (pair.0, pair.1));
    found.sort_by(|a, b| a.2.total_cmp(&b.2));
    found
}

/// What all kinds of tests share.
struct Work<'a> {
    columns: &'a Columns,
    rows: &'a [usize],
    /// Features by their p-value alone, for budgets that do not allow all.
    preference: &'a [usize],
    params: &'a Params,
}

impl Work<'_> {
    /// All pairs, or none where rows or columns are too few.
    fn pairs(&self, watch: &mut Watch) -> Option<PairsFound> {
        let limits = (self.params.bins, self.params.pair_budget);
        let scan = PairScan::new(self.columns, self.rows, self.preference, limits)?;
        let (mut list, mut complete) = (scan.list(), true);
        for start in (0..scan.tiles()).step_by(TILES) {
            if watch().is_some() {
                complete = false;
                break;
            }
            list.append(scan.scan(start..(start + TILES).min(scan.tiles())));
        }
        Some(PairsFound { complete, ..scan.retest(list) })
    }

    /// The products of all pairs of columns, or none where rows or columns are too few.
    fn products(&self, watch: &mut Watch) -> Option<ProductsFound> {
        let scan = ProductScan::new(self.columns, self.rows, self.preference, self.params.pair_budget)?;
        watch().is_none().then(|| scan.scan())
    }

    /// The parities of all combinations of two to four columns, or none where rows or columns are too few.
    fn parity(&self, order: usize, watch: &mut Watch) -> Option<ParityFound> {
        let budget = match order {
            2 => self.params.pair_budget,
            3 => self.params.parity_budget,
            _ => self.params.parity_budget * QUADRUPLES,
        };
        let scan = ParityScan::new(self.columns, self.rows, self.preference, (order, budget))?;
        watch().is_none().then(|| match order {
            2 => scan.pairs(),
            3 => scan.triples(),
            _ => scan.quadruples(),
        })
    }
}

/// What was tested.
fn in_words(pairs: Option<&PairsFound>, features: usize) -> String {
    match pairs {
        None => "columns tested: all; pairs tested: none, too few rows or varying columns".to_owned(),
        Some(pairs) if !pairs.complete => {
            format!("columns tested: all; pairs tested: a part of {}, because the scan ended early", pairs.tested)
        }
        Some(pairs) if pairs.features == features => {
            format!("columns tested: all; pairs tested: all {}", pairs.tested)
        }
        Some(pairs) => format!(
            "columns tested: all; pairs tested: {} among {} of {features} columns",
            pairs.tested, pairs.features
        ),
    }
}

/// The rows themselves where all count the same; else as many as the weights are worth, drawn at equal steps of their sum.
fn effective_rows(columns: &Columns, rows: &[usize]) -> Vec<usize> {
    let weight = |&row: &usize| columns.weights[row];
    let (sum, squares): (f64, f64) =
        rows.iter().map(weight).fold((0.0, 0.0), |(sum, squares), own| (sum + own, squares + own * own));
    let worth = (sum * sum / squares).round() as usize;
    if worth >= rows.len() || worth == 0 {
        return rows.to_vec();
    }
    let step = sum / worth as f64;
    let (mut out, mut reached, mut drawn) = (Vec::with_capacity(worth), 0.0, 0);
    for row in rows {
        reached += weight(row);
        while drawn < worth && (drawn as f64 + 0.5) * step <= reached {
            out.push(*row);
            drawn += 1;
        }
    }
    // A row that is drawn several times is one observation all the same.
    out.dedup();
    out
}

#[cfg(test)]
mod tests;
