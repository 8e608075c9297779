//! The graph of nearest neighbours within classes.

use crate::linalg::Matrix;
use rayon::prelude::*;

/// The neighbours of every row, ascending.
pub(super) type Graph = Vec<Vec<usize>>;

/// Connects every row with its nearest neighbours of the class, symmetrically.
pub(super) fn within_classes(x: &Matrix, classes: &[Vec<usize>], neighbours: usize) -> Graph {
    let mut graph = vec![Vec::new(); x.rows()];
    for rows in classes {
        // Row-major copies, which every distance reads.
        let packed: Vec<Vec<f64>> =
            rows.par_iter().map(|&row| (0..x.cols()).map(|col| x[(row, col)]).collect()).collect();
        let nearest: Vec<Vec<usize>> =
            (0..rows.len()).into_par_iter().map(|at| nearest(&packed, at, neighbours)).collect();
        for (at, nearest) in nearest.iter().enumerate() {
            for &other in nearest {
                graph[rows[at]].push(rows[other]);
                graph[rows[other]].push(rows[at]);
            }
        }
    }
    for tied in &mut graph {
        tied.sort_unstable();
        tied.dedup();
    }
    graph
}

/// Indices of the nearest neighbours; ties go to the first.
fn nearest(packed: &[Vec<f64>], at: usize, count: usize) -> Vec<usize> {
    let distance = |other: &[f64]| packed[at].iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    let mut others: Vec<(f64, usize)> =
        (0..packed.len()).filter(|&other| other != at).map(|other| (distance(&packed[other]), other)).collect();
    let order = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    if count < others.len() {
        others.select_nth_unstable_by(count, order);
        others.truncate(count);
    }
    others.into_iter().map(|(_, other)| other).collect()
}
