//! The orders among which held-out rows choose: `wide`, by elimination from all columns, and `significant`, by elimination
//! among the columns that the scan finds significant, then by p-value, and then as `wide`.

use super::coding::code;
use super::columns::Columns;
use super::eliminate::{Elimination, Sample, Watch};
use super::params::{Params, PathChoice};
use super::remaining::hardest_rows;
use super::rows::{RowSample, Training};
use super::scan::{Kinds, Scan, scan};
use crate::linalg::LinalgError;

/// One of the orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Path {
    Wide,
    Significant,
}

/// How much work goes into the orders.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// The kinds of tests of the scan.
    pub(super) kinds: Kinds,
    /// Samples of rows that elimination learns from, at most.
    pub(super) samples: usize,
    /// Rows of a sample, at most.
    pub(super) rows: usize,
    /// Share of the features that one step of elimination drops.
    pub(super) share: f64,
}

/// Orders learned from some rows; features are named by their index among the distinct ones.
pub(super) struct Orders {
    pub(super) scan: Scan,
    wide: Vec<usize>,
    /// None where it is that of `wide`.
    significant: Option<Vec<usize>>,
}

impl Orders {
    /// Learns from some rows alone.
    pub(super) fn learn(
        columns: &Columns,
        rows: &[usize],
        (params, effort): (&Params, Effort),
        seed: u64,
        watch: &mut Watch,
    ) -> Result<Self, LinalgError> {
        let scan = scan_twice(columns, rows, (params, effort.kinds), seed, watch)?;
        let samples = (rows.len() / effort.rows).clamp(1, effort.samples);
        let drawn = RowSample::new(&columns.goal, rows, samples * effort.rows, samples * params.class_rows, seed);
        let started = &scan.order[..scan.order.len().min(params.columns)];
        // In canonical order, so that ties do not depend on the scan.
        let mut features = started.to_vec();
        features.sort_unstable();
        let samples: Vec<Sample> = (0..samples)
            .map(|number| {
                // Rows are sorted by the target, so that every sample has its share of everything.
                let own: Vec<usize> = drawn.rows.iter().skip(number).step_by(samples).copied().collect();
                let (coded, _) = code(columns, &features, (&own, &[]), params.scale);
                let training = Training::weighted(columns, &own, params.balanced, |row| drawn.weight(columns, row));
                Sample { coded, responses: training.responses }
            })
            .collect();
        let place = |feature: usize| features.binary_search(&feature).ok();
        let scanned: Vec<usize> = started.iter().filter_map(|&feature| place(feature)).collect();
        let places = |found: Vec<usize>| found.into_iter().filter_map(place).collect::<Vec<usize>>();
        let significant = places(scan.significant(params.level, params.significant));
        let scanned_first = &scanned[..scanned.len().min(params.significant)];
        let elimination = Elimination { samples: &samples, params, share: effort.share };
        let wide = match params.path {
            PathChoice::Significant => scanned.clone(),
            _ => wide(&elimination, &scanned, watch)?,
        };
        let significant = match params.path {
            PathChoice::Wide => None,
            _ => significant_first(&elimination, significant, (scanned_first, &wide), watch)?,
        };
        let named = |order: Vec<usize>| -> Vec<usize> {
            let rest = &scan.order[features.len()..];
            order.into_iter().map(|at| features[at]).chain(rest.iter().copied()).collect()
        };
        Ok(Self { wide: named(wide), significant: significant.map(named), scan })
    }

    /// All features in the order of a path.
    pub(super) fn of(&self, path: Path) -> &[usize] {
        match (path, &self.significant) {
            (Path::Significant, Some(order)) => order,
            _ => &self.wide,
        }
    }

    /// The order of a path with the features behind the first `best`, which add nothing to the prediction, sorted by significance:
    /// redundant ones come before those of which nothing is known.
    pub(super) fn with_significant_behind(&self, path: Path, best: usize, level: f64) -> Vec<usize> {
        let order = self.of(path);
        let (first, rest) = order.split_at(best.min(order.len()));
        let (redundant, others): (Vec<usize>, Vec<usize>) =
            rest.iter().partition(|&&feature| self.scan.log_p[feature] <= level.ln());
        first.iter().copied().chain(redundant).chain(others).collect()
    }

    /// Whether the two paths differ.
    pub(super) fn differ(&self) -> bool {
        self.significant.is_some()
    }
}

/// Scans all rows, and where that finds something, the rows in which it leaves most open.
fn scan_twice(
    columns: &Columns,
    rows: &[usize],
    (params, kinds): (&Params, Kinds),
    seed: u64,
    watch: &mut Watch,
) -> Result<Scan, LinalgError> {
    let mut first = scan(columns, rows, params, kinds, watch);
    let significant = first.significant(params.level, params.significant);
    if params.scan_twice
        && kinds.second
        && !significant.is_empty()
        && let Some(remaining) = hardest_rows(columns, rows, &significant, params, seed)?
    {
        let pairs = Kinds { pairs: true, ..Kinds::default() };
        first.add_pairs(scan(columns, &remaining, params, pairs, watch), &significant, params.level);
    }
    Ok(first)
}

/// By gradient from all features, then by the error from those left and the best of the scan.
fn wide(elimination: &Elimination, scanned: &[usize], watch: &mut Watch) -> Result<Vec<usize>, LinalgError> {
    let params = elimination.params;
    let all: Vec<usize> = (0..scanned.len()).collect();
    let (mut left, dropped) = elimination.by_gradient(&all, params.candidates, watch)?;
    let added = scanned.iter().take(params.scanned).filter(|at| !left.contains(at)).copied().collect::<Vec<_>>();
    left.extend(&added);
    left.sort_unstable();
    let mut order = elimination.by_error(&left, watch)?;
    order.extend(dropped.into_iter().filter(|at| !added.contains(at)));
    Ok(order)
}

fn significant_first(
    elimination: &Elimination,
    mut significant: Vec<usize>,
    (scanned, wide): (&[usize], &[usize]),
    watch: &mut Watch,
) -> Result<Option<Vec<usize>>, LinalgError> {
    if scanned.is_empty() {
        return Ok(None);
    }
    significant.sort_unstable();
    let mut order = elimination.by_error(&significant, watch)?;
    let mut first = vec![false; wide.len()];
    significant.iter().for_each(|&at| first[at] = true);
    for &at in scanned.iter().chain(wide) {
        if !std::mem::replace(&mut first[at], true) {
            order.push(at);
        }
    }
    Ok((order != wide).then_some(order))
}
