//! Exact tests of all columns, of all pairs of columns, and of the parities of three and four.
//!
//! | file | step |
//! |---|---|
//! | `bins` | columns and target as a few bins |
//! | `single` | every column alone |
//! | `bits`, `pairs`, `retest` | every pair; the best ones tested again exactly |
//! | `parity` | three and four columns at a time |
//! | `tail` | p-values |

mod bins;
mod bits;
mod pairs;
mod parity;
mod retest;
mod single;
mod tail;

use super::columns::Columns;
use super::eliminate::Watch;
use super::params::Params;
use pairs::PairScan;
use parity::ParityScan;

/// Tiles of the scan of pairs between two looks at whether to end.
const TILES: usize = 64;
/// Combinations of four take this share of the operations that combinations of three may take: they are rarer still.
const QUADRUPLES: f64 = 0.1;

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
    pub(super) pairs: bool,
    pub(super) triples: bool,
    pub(super) quadruples: bool,
}

impl Kinds {
    pub(super) const ALL: Self = Self { pairs: true, triples: true, quadruples: true };
}

/// Scans some rows by some kinds of tests.
pub(super) fn scan(columns: &Columns, rows: &[usize], params: &Params, wanted: Kinds, watch: &mut Watch) -> Scan {
    let rows = effective_rows(columns, rows);
    let alone = single::log_p_values(columns, &rows, params.bins);
    let mut by_single: Vec<usize> = (0..alone.len()).collect();
    by_single.sort_by(|&a, &b| alone[a].total_cmp(&alone[b]));

    let pair_scan =
        || PairScan::new(columns, &rows, &by_single, (params.bins, params.pair_budget)).filter(|_| wanted.pairs);
    let pairs = pair_scan().map(|scan| {
        let mut list = scan.list();
        for start in (0..scan.tiles()).step_by(TILES) {
            if watch().is_some() {
                break;
            }
            list.append(scan.scan(start..(start + TILES).min(scan.tiles())));
        }
        scan.retest(list)
    });
    let parity_scan = |order: usize| {
        if !(if order == 3 { wanted.triples } else { wanted.quadruples }) {
            return None;
        }
        let budget = if order == 3 { params.parity_budget } else { QUADRUPLES * params.parity_budget };
        let scan = ParityScan::new(columns, &rows, &by_single, (order, budget))?;
        watch().is_none().then(|| if order == 3 { scan.triples() } else { scan.quadruples() })
    };
    let parities: Vec<_> = [3, 4].map(parity_scan).into_iter().flatten().collect();

    // Every kind of test has its share of the errors.
    let kinds = (1 + usize::from(pairs.is_some()) + parities.len()) as f64;
    let corrected = |log_p: f64, tests: f64| (log_p + (tests * kinds).ln()).min(0.0);
    let mut log_p: Vec<f64> = alone.iter().map(|&own| corrected(own, alone.len() as f64)).collect();
    let mut found = Vec::new();
    let mut tested = "columns tested: all".to_owned();
    if let Some(pairs) = &pairs {
        found = pairs.pairs.iter().map(|&(a, b, own)| (a, b, corrected(own, pairs.tested))).collect();
        tested += &match pairs.features == alone.len() {
            true => format!("; pairs tested: all {}", pairs.tested),
            false => format!("; pairs tested: {} among the best {} columns", pairs.tested, pairs.features),
        };
    } else {
        tested += "; pairs tested: none, too few rows or columns";
    }
    for &(a, b, own) in &found {
        log_p[a] = log_p[a].min(own);
        log_p[b] = log_p[b].min(own);
    }
    for parity in &parities {
        for (features, own) in &parity.combinations {
            features.iter().for_each(|&at| log_p[at] = log_p[at].min(corrected(*own, parity.tested)));
        }
    }
    let significant = |own: f64| own <= params.level.ln();
    let found_parity = |order: usize| {
        let clear = |(features, own): &(Vec<usize>, f64), tested: f64| {
            features.len() == order && significant(corrected(*own, tested))
        };
        parities.iter().any(|parity| parity.combinations.iter().any(|one| clear(one, parity.tested)))
    };
    let kinds = Kinds {
        pairs: found.first().is_some_and(|pair| significant(pair.2)),
        triples: found_parity(3),
        quadruples: found_parity(4),
    };
    let mut order = by_single;
    order.sort_by(|&a, &b| log_p[a].total_cmp(&log_p[b]).then(alone[a].total_cmp(&alone[b])).then(a.cmp(&b)));
    Scan { log_p, order, pairs: found, tested, kinds }
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
    let (mut out, mut reached) = (Vec::with_capacity(worth), 0.0);
    for row in rows {
        reached += weight(row);
        while out.len() < worth && (out.len() as f64 + 0.5) * step <= reached {
            out.push(*row);
        }
    }
    out
}

#[cfg(test)]
mod tests;
