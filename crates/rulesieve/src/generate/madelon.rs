//! Madelon, the artificial problem of the NIPS 2003 benchmark (Guyon 2003).
//!
//! 32 clusters of equal size sit on the vertices (+-2)^5 of a hypercube. Half of the vertices, drawn at random, are
//! labelled 1, the others -1, so the label depends on all five coordinates together. Within a cluster, N(0, 1) draws are
//! mixed by a random matrix of its own with entries uniform on [-1, 1). Five informative columns hold the coordinates,
//! 15 redundant ones are linear combinations of them with coefficients uniform on [-1, 1), the rest are N(0, 1) probes.
//! Every column is then shifted (uniform on [0, 1)) and scaled (uniform on [10, 100)), one linear map takes the smallest
//! cell of the table to 0 and the largest to 999, and cells are rounded. Rows and columns are shuffled and 1 % of the
//! labels flipped at random.
//!
//! The size of the hypercube, the shifts and the scales are those that reproduce the column means and deviations of the
//! published file. It differs in two ways: some of its redundant columns are near copies of others (correlation 0.99)
//! instead of exact combinations, and its scales start near 1, where rounding leaves but a few distinct values.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::{Parts, between, normal, uniform};
use crate::data::Column;

const INFORMATIVE: usize = 5;
/// Informative and redundant columns together.
pub(super) const SIGNAL: usize = 20;
/// Vertices of the hypercube.
pub(super) const CLUSTERS: usize = 1 << INFORMATIVE;
/// Distance of a vertex from the centre along every coordinate.
const HALF_SIDE: f64 = 2.0;
const FLIPPED: f64 = 0.01;
/// Largest cell, as in all data of the benchmark.
const LARGEST: f64 = 999.0;

/// One matrix per cluster, or the coefficients of the redundant columns: rows of five numbers.
type Mixing = Vec<[f64; INFORMATIVE]>;

/// Role of a column of the shuffled table.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Informative,
    Redundant,
    Probe,
}

pub(super) fn build(samples: usize, features: usize, rng: &mut ChaCha8Rng) -> Parts {
    let clusters = assign_clusters(samples, rng);
    let label = draw_labels(&clusters, rng);
    let mut values = signal(&clusters, rng);
    values.extend((SIGNAL..features).map(|_| (0..samples).map(|_| normal(rng)).collect::<Vec<f64>>()));
    spread_columns(&mut values, rng);
    round_to_range(&mut values);
    let mut parts = shuffle_columns(values, rng);
    parts.columns.push(Column::numeric("class", label));
    parts
}

/// The cluster of every row, in random order, with cluster sizes that differ by at most one.
fn assign_clusters(samples: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut clusters: Vec<usize> = (0..samples).map(|row| row % CLUSTERS).collect();
    clusters.shuffle(rng);
    clusters
}

/// The label of every row: that of its cluster, except for the flips.
fn draw_labels(clusters: &[usize], rng: &mut ChaCha8Rng) -> Vec<f64> {
    let mut of_cluster: Vec<f64> = (0..CLUSTERS).map(|at| if at % 2 == 0 { 1.0 } else { -1.0 }).collect();
    of_cluster.shuffle(rng);
    clusters.iter().map(|at| if rng.random_bool(FLIPPED) { -of_cluster[*at] } else { of_cluster[*at] }).collect()
}

/// The informative columns and then the redundant ones.
fn signal(clusters: &[usize], rng: &mut ChaCha8Rng) -> Vec<Vec<f64>> {
    let within: Vec<Mixing> = (0..CLUSTERS).map(|_| mixing(INFORMATIVE, rng)).collect();
    let combinations = mixing(SIGNAL - INFORMATIVE, rng);
    let mut columns: Vec<Vec<f64>> = (0..SIGNAL).map(|_| Vec::with_capacity(clusters.len())).collect();
    for &cluster in clusters {
        let noise: [f64; INFORMATIVE] = std::array::from_fn(|_| normal(rng));
        let point: [f64; INFORMATIVE] =
            std::array::from_fn(|axis| vertex(cluster, axis) + dot(&within[cluster][axis], &noise));
        let combined = combinations.iter().map(|coefficients| dot(coefficients, &point));
        for (column, value) in columns.iter_mut().zip(point.into_iter().chain(combined)) {
            column.push(value);
        }
    }
    columns
}

fn mixing(rows: usize, rng: &mut ChaCha8Rng) -> Mixing {
    (0..rows).map(|_| std::array::from_fn(|_| between(-1.0, 1.0, rng))).collect()
}

fn dot(a: &[f64; INFORMATIVE], b: &[f64; INFORMATIVE]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// A coordinate of a cluster's vertex: the bits of the cluster number are the signs.
fn vertex(cluster: usize, axis: usize) -> f64 {
    if cluster >> axis & 1 == 1 { HALF_SIDE } else { -HALF_SIDE }
}

/// Gives every column a random offset and scale.
fn spread_columns(values: &mut [Vec<f64>], rng: &mut ChaCha8Rng) {
    for column in values {
        let (shift, scale) = (uniform(rng), between(10.0, 100.0, rng));
        column.iter_mut().for_each(|value| *value = scale * (*value + shift));
    }
}

/// Maps all cells together onto the whole numbers from 0 to 999.
fn round_to_range(values: &mut [Vec<f64>]) {
    let cells = || values.iter().flatten().copied();
    let (low, high) = (cells().fold(f64::INFINITY, f64::min), cells().fold(f64::NEG_INFINITY, f64::max));
    let factor = LARGEST / (high - low);
    values.iter_mut().flatten().for_each(|value| *value = ((*value - low) * factor).round());
}

/// Puts the columns in random order and names them by position, so that names are uninformative.
fn shuffle_columns(values: Vec<Vec<f64>>, rng: &mut ChaCha8Rng) -> Parts {
    let digits = values.len().to_string().len().max(3);
    let role = |at: usize| match at {
        0..INFORMATIVE => Role::Informative,
        INFORMATIVE..SIGNAL => Role::Redundant,
        _ => Role::Probe,
    };
    let mut shuffled: Vec<(Role, Vec<f64>)> = values.into_iter().enumerate().map(|(at, v)| (role(at), v)).collect();
    shuffled.shuffle(rng);
    let mut parts = Parts { columns: Vec::new(), informative: Vec::new(), redundant: Vec::new() };
    for (at, (role, values)) in shuffled.into_iter().enumerate() {
        let name = format!("f{:0digits$}", at + 1);
        match role {
            Role::Informative => parts.informative.push(name.clone()),
            Role::Redundant => parts.redundant.push(name.clone()),
            Role::Probe => {}
        }
        parts.columns.push(Column::numeric(name, values));
    }
    parts
}

#[cfg(test)]
mod tests;
