//! Rule bases.

use super::samples_in_columns;
use crate::linalg::Matrix;
use crate::rule_network::centres::centres;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Point-based: indices of the samples that become rules, ascending. All of them up to `most`; beyond, every class
/// contributes its share, at least one, drawn without replacement.
pub(crate) fn points(codes: &[u32], classes: usize, most: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let count = codes.len();
    if count <= most {
        return (0..count).collect();
    }
    let mut drawn = Vec::with_capacity(most + classes);
    for class in 0..classes {
        let mut own: Vec<usize> = (0..count).filter(|&at| codes[at] as usize == class).collect();
        let share = ((most as f64 * own.len() as f64 / count as f64).round() as usize).max(1).min(own.len());
        drawn.extend_from_slice(own.partial_shuffle(rng, share).0);
    }
    drawn.sort_unstable();
    drawn
}

/// The centres of `sets` fuzzy sets of every feature, equally spaced between its minimum and maximum, m x sets, for
/// samples `xt` (m x n). As a rule base this is the compact one: rule r uses set r of every feature.
pub(crate) fn partition(xt: &Matrix, sets: usize) -> Matrix {
    let (mut least, mut most) = (vec![f64::INFINITY; xt.rows()], vec![f64::NEG_INFINITY; xt.rows()]);
    for sample in 0..xt.cols() {
        for ((least, most), &value) in least.iter_mut().zip(&mut most).zip(xt.col(sample)) {
            (*least, *most) = (least.min(value), most.max(value));
        }
    }
    let steps = sets.saturating_sub(1).max(1) as f64;
    Matrix::from_fn(xt.rows(), sets, |col, set| least[col] + (most[col] - least[col]) * set as f64 / steps)
}

/// The enhanced rule base on `features` partitioned features: every compact rule, and those that differ from it in one
/// feature by one set, up or down, wrapping around at the ends. Returns the sets of every rule, without duplicates.
pub(crate) fn enhanced(sets: usize, features: usize) -> Vec<Vec<usize>> {
    let mut rules = Vec::new();
    for base in 0..sets {
        rules.push(vec![base; features]);
        let neighbours = BTreeSet::from([(base + 1) % sets, (base + sets - 1) % sets]);
        for feature in 0..features {
            for &set in neighbours.iter().filter(|&&set| set != base) {
                let mut rule = vec![base; features];
                rule[feature] = set;
                rules.push(rule);
            }
        }
    }
    let mut seen = BTreeSet::new();
    rules.retain(|rule| seen.insert(rule.clone()));
    rules
}

/// Number of restarts of k-means, of which the best is used.
const STARTS: usize = 5;

/// Centres of `count` clusters of the samples `xt` (m x n), m x count.
pub(crate) fn clusters(xt: &Matrix, count: usize, rng: &mut ChaCha8Rng) -> Matrix {
    let ends = (0..STARTS).map(|_| {
        let found = samples_in_columns(&centres(xt, xt.cols(), count, rng));
        let price: f64 = nearest(xt, &found).iter().map(|(_, distance)| distance).sum();
        (price, found)
    });
    ends.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, found)| found).unwrap_or_default()
}

/// For every sample the nearest centre, and its squared distance.
pub(crate) fn nearest(xt: &Matrix, centres: &Matrix) -> Vec<(usize, f64)> {
    let distance = |sample: usize, at: usize| -> f64 {
        xt.col(sample).iter().zip(centres.col(at)).map(|(a, b)| (a - b) * (a - b)).sum()
    };
    let of = |sample: usize| {
        let all = (0..centres.cols()).map(|at| (at, distance(sample, at)));
        all.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0))
    };
    (0..xt.cols()).into_par_iter().map(of).collect()
}
