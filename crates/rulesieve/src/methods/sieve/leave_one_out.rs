//! Kernel ridge regression and its leave-one-out error in closed form (Allen's PRESS).
//!
//! For a set S of p features with squared distances D, `K = exp(-D / (2 width p))`, `H = (K + ridge W^-1)^-1` with the weights
//! of the rows in W, leave-one-out residuals `r = (H Y) / diag(H)`, and the error `sum_i w_i |r_i|^2 / n`. Its derivative with
//! respect to a weight w_j of feature j in D, at w = 1, is `-(sum_a x_aj^2 M_a. - x_j^T M x_j) / (width p n)` with
//! `M = K * sym(2 H diag(q) H - 2 U (H Y)^T)`, `U = H (w r / h)`, `q = w |r|^2 / h`: all features for O(n^3 + n^2 m).

use super::coding::Coded;
use crate::linalg::{
    LinalgError, Matrix32, exp32, inverse_factor32, lower_gram32, lower_product32, mirror32, outer_lower32, product32,
    widest,
};
use rayon::prelude::*;
use std::ops::Range;

/// Columns of a product that one task takes.
const PANEL: usize = 256;

/// What a set of features is to predict: one centred column for each class, or the standardised number.
#[derive(Debug, Clone)]
pub(super) struct Responses {
    pub(super) y: Matrix32,
    /// Weights of the rows, with mean one.
    pub(super) weights: Vec<f32>,
}

/// The shape of the regression.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ridge {
    pub(super) ridge: f32,
    pub(super) width: f32,
}

/// `1 / (2 width p)`.
fn rate(kernel: Ridge, features: usize) -> f32 {
    1.0 / (2.0 * kernel.width * features.max(1) as f32)
}

/// Squared distances between all rows over some features, lower triangle.
pub(super) fn distances(coded: &Coded, features: &[usize]) -> Matrix32 {
    let columns: Vec<usize> = features.iter().flat_map(|&at| coded.blocks[at].clone()).collect();
    let n = coded.x.rows;
    if columns.len() > n / 2 {
        return distances_by_product(coded, &columns);
    }
    let mut out = Matrix32::zeros(n, n);
    for &column in &columns {
        let x = coded.x.col(column);
        add_distances(&mut out, x, 1.0);
    }
    out
}

/// Adds `sign` times the squared differences of one column to the lower triangle.
fn add_distances(out: &mut Matrix32, x: &[f32], sign: f32) {
    let n = x.len();
    widest!(|| for a in 0..n {
        let (own, cells) = (x[a], &mut out.data[a * n + a..(a + 1) * n]);
        cells.iter_mut().zip(&x[a..]).for_each(|(cell, &other)| *cell += sign * (other - own) * (other - own));
    });
}

fn distances_by_product(coded: &Coded, columns: &[usize]) -> Matrix32 {
    let n = coded.x.rows;
    let mut x = Matrix32 { rows: n, cols: columns.len(), data: Vec::with_capacity(n * columns.len()) };
    columns.iter().for_each(|&column| x.data.extend_from_slice(coded.x.col(column)));
    let mut out = outer_lower32(&x, &x);
    let squares: Vec<f32> = (0..n).map(|row| out.data[row * n + row]).collect();
    widest!(|| for a in 0..n {
        let (own, cells) = (squares[a], &mut out.data[a * n + a..(a + 1) * n]);
        cells.iter_mut().zip(&squares[a..]).for_each(|(cell, &other)| *cell = (own + other - 2.0 * *cell).max(0.0));
    });
    out
}

/// The kernel matrix with its ridge, lower triangle, in place of distances.
fn regularised_kernel(mut distances: Matrix32, rate: f32, kernel: Ridge, weights: &[f32]) -> Matrix32 {
    let n = distances.rows;
    widest!(|| for a in 0..n {
        distances.data[a * n + a..(a + 1) * n].iter_mut().for_each(|cell| *cell = exp32(-rate * *cell));
    });
    (0..n).for_each(|a| distances.data[a * n + a] += kernel.ridge / weights[a]);
    distances
}

/// Leave-one-out residuals, row by row within columns, from the inverse factor; also `diag(H)` and `H Y`.
struct Residuals {
    diagonal: Vec<f32>,
    solved: Matrix32,
    residuals: Matrix32,
}

fn residuals(factor: &Matrix32, y: &Matrix32) -> Residuals {
    let n = factor.rows;
    let mut diagonal = vec![0.0_f32; n];
    widest!(|| for (a, own) in diagonal.iter_mut().enumerate() {
        *own = sum_of_squares32(&factor.data[a * n + a..(a + 1) * n]);
    });
    let solved = lower_product32(factor, true, &lower_product32(factor, false, y));
    let mut residuals = solved.clone();
    for column in residuals.data.chunks_exact_mut(n) {
        column.iter_mut().zip(&diagonal).for_each(|(value, own)| *value /= own);
    }
    Residuals { diagonal, solved, residuals }
}

#[inline(always)]
fn sum_of_squares32(values: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 16];
    let chunks = values.chunks_exact(16);
    let rest = chunks.remainder();
    for chunk in chunks {
        lanes.iter_mut().zip(chunk).for_each(|(lane, value)| *lane += value * value);
    }
    lanes.iter_mut().zip(rest).for_each(|(lane, value)| *lane += value * value);
    lanes.iter().sum()
}

fn mean_error(residuals: &Matrix32, weights: &[f32]) -> f64 {
    let squares = |column: &[f32]| {
        column.iter().zip(weights).map(|(value, weight)| f64::from(value * value * weight)).sum::<f64>()
    };
    residuals.data.chunks_exact(residuals.rows).map(squares).sum::<f64>() / residuals.rows as f64
}

/// The leave-one-out error of a set of `features` features, from its distances without those of some columns.
pub(super) fn error_without(
    distances: &Matrix32,
    removed: &[&[f32]],
    features: usize,
    responses: &Responses,
    kernel: Ridge,
) -> Result<f64, LinalgError> {
    let mut left = distances.clone();
    removed.iter().for_each(|x| add_distances(&mut left, x, -1.0));
    let mut k = regularised_kernel(left, rate(kernel, features), kernel, &responses.weights);
    let mut factor = Matrix32::default();
    inverse_factor32(&mut k, &mut factor)?;
    Ok(mean_error(&residuals(&factor, &responses.y).residuals, &responses.weights))
}

/// The leave-one-out residuals of a set of features, one column for each response.
pub(super) fn leave_one_out_residuals(
    coded: &Coded,
    features: &[usize],
    responses: &Responses,
    kernel: Ridge,
) -> Result<Matrix32, LinalgError> {
    let rate = rate(kernel, features.len());
    let mut k = regularised_kernel(distances(coded, features), rate, kernel, &responses.weights);
    let mut factor = Matrix32::default();
    inverse_factor32(&mut k, &mut factor)?;
    Ok(residuals(&factor, &responses.y).residuals)
}

/// The derivative of the leave-one-out error with respect to the weight of every feature of a set.
pub(super) fn gradient(
    coded: &Coded,
    features: &[usize],
    distances: &Matrix32,
    responses: &Responses,
    kernel: Ridge,
) -> Result<Vec<f64>, LinalgError> {
    let n = coded.x.rows;
    let k = regularised_kernel(distances.clone(), rate(kernel, features.len()), kernel, &responses.weights);
    let mut factor = Matrix32::default();
    inverse_factor32(&mut k.clone(), &mut factor)?;
    let m = derivative_by_kernel(&k, &factor, responses);
    let sums: Vec<f32> = (0..n).map(|a| m.data[a * n..(a + 1) * n].iter().sum()).collect();
    let scale = -1.0 / (f64::from(kernel.width) * features.len().max(1) as f64 * n as f64);
    let columns: Vec<usize> = features.iter().flat_map(|&at| coded.blocks[at].clone()).collect();
    let by_column: Vec<f64> =
        columns.par_chunks(PANEL).flat_map_iter(|panel| quadratic_gaps(coded, panel, &m, &sums)).collect();
    let mut start = 0;
    let of_feature = |&at: &usize| {
        let range: Range<usize> = start..start + coded.blocks[at].len();
        start = range.end;
        scale * by_column[range].iter().sum::<f64>()
    };
    Ok(features.iter().map(of_feature).collect())
}

/// M of the module's documentation, with a diagonal of zeros: a row has no distance to itself.
fn derivative_by_kernel(k: &Matrix32, factor: &Matrix32, responses: &Responses) -> Matrix32 {
    let n = k.rows;
    let Residuals { diagonal, solved, residuals } = residuals(factor, &responses.y);
    let h = lower_gram32(factor);
    let (mut weighted, mut q) = (residuals.clone(), vec![0.0_f32; n]);
    for (column, own) in weighted.data.chunks_exact_mut(n).zip(residuals.data.chunks_exact(n)) {
        for row in 0..n {
            column[row] *= responses.weights[row] / diagonal[row];
            q[row] += responses.weights[row] * own[row] * own[row] / diagonal[row];
        }
    }
    let u = product32(&h, false, &weighted);
    let mut scaled = h.clone();
    scaled.data.chunks_exact_mut(n).zip(&q).for_each(|(column, q)| column.iter_mut().for_each(|value| *value *= q));
    let mut m = outer_lower32(&scaled, &h);
    let (one, other) = (outer_lower32(&u, &solved), outer_lower32(&solved, &u));
    widest!(|| for a in 0..n {
        let lower = a * n + a..(a + 1) * n;
        let cells = m.data[lower.clone()].iter_mut().zip(&k.data[lower.clone()]);
        let sides = one.data[lower.clone()].iter().zip(&other.data[lower]);
        cells.zip(sides).for_each(|((cell, k), (one, other))| *cell = k * (2.0 * *cell - one - other));
    });
    (0..n).for_each(|a| m.data[a * n + a] = 0.0);
    mirror32(&mut m);
    m
}

/// `sum_a x_a^2 M_a. - x^T M x` of some columns.
fn quadratic_gaps(coded: &Coded, columns: &[usize], m: &Matrix32, sums: &[f32]) -> Vec<f64> {
    let n = m.rows;
    let mut x = Matrix32 { rows: n, cols: columns.len(), data: Vec::with_capacity(n * columns.len()) };
    columns.iter().for_each(|&column| x.data.extend_from_slice(coded.x.col(column)));
    let product = product32(m, false, &x);
    let gap = |(x, product): (&[f32], &[f32])| {
        let terms = x.iter().zip(product).zip(sums);
        terms.map(|((&x, &product), &sum)| f64::from(x) * f64::from(x * sum - product)).sum()
    };
    x.data.chunks_exact(n).zip(product.data.chunks_exact(n)).map(gap).collect()
}

/// Predictions for other rows of a regression on some features of the training rows.
pub(super) fn predict(
    train: &Coded,
    other: &Coded,
    features: &[usize],
    responses: &Responses,
    kernel: Ridge,
) -> Result<Matrix32, LinalgError> {
    let rate = rate(kernel, features.len());
    let mut k = regularised_kernel(distances(train, features), rate, kernel, &responses.weights);
    let mut factor = Matrix32::default();
    inverse_factor32(&mut k, &mut factor)?;
    let solved = lower_product32(&factor, true, &lower_product32(&factor, false, &responses.y));
    let (n, rows) = (train.x.rows, other.x.rows);
    let mut cross = Matrix32::zeros(n, rows);
    for column in features.iter().flat_map(|&at| train.blocks[at].clone()) {
        let (x, z) = (train.x.col(column), other.x.col(column));
        widest!(|| for (cells, &own) in cross.data.chunks_exact_mut(n).zip(z) {
            cells.iter_mut().zip(x).for_each(|(cell, &other)| *cell += (other - own) * (other - own));
        });
    }
    widest!(|| cross.data.iter_mut().for_each(|cell| *cell = exp32(-rate * *cell)));
    Ok(product32(&cross, true, &solved))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(n: usize, features: usize) -> (Coded, Responses) {
        let mut x = Matrix32::zeros(n, features);
        for (at, value) in x.data.iter_mut().enumerate() {
            *value = ((at as f32 * 0.7312).sin() * 43.7).fract() * 1.7;
        }
        let mut y = Matrix32::zeros(n, 2);
        for row in 0..n {
            let class = usize::from(x.data[row] * x.data[n + row] > 0.0);
            y.data[class * n + row] = 1.0;
        }
        let blocks = (0..features).map(|at| at..at + 1).collect();
        let weights = (0..n).map(|row| 0.5 + (row % 3) as f32 * 0.5).collect();
        (Coded { x, blocks }, Responses { y, weights })
    }

    const KERNEL: Ridge = Ridge { ridge: 0.1, width: 1.0 };

    /// Every row predicted by a regression that does not have it.
    #[test]
    fn the_closed_form_is_the_error_of_leaving_rows_out() {
        let (coded, responses) = example(40, 3);
        let features = [0, 1, 2];
        let closed = error_without(&distances(&coded, &features), &[], 3, &responses, KERNEL).unwrap();
        let mut sum = 0.0;
        for left in 0..40 {
            let rows: Vec<usize> = (0..40).filter(|&row| row != left).collect();
            let take = |x: &Matrix32, rows: &[usize]| {
                let data = (0..x.cols).flat_map(|col| rows.iter().map(move |&row| x.col(col)[row])).collect();
                Matrix32 { rows: rows.len(), cols: x.cols, data }
            };
            let part = |rows: &[usize]| Coded { x: take(&coded.x, rows), blocks: coded.blocks.clone() };
            let known = Responses {
                y: take(&responses.y, &rows),
                weights: rows.iter().map(|&row| responses.weights[row]).collect(),
            };
            let predicted = predict(&part(&rows), &part(&[left]), &features, &known, KERNEL).unwrap();
            for class in 0..2 {
                let gap = f64::from(responses.y.col(class)[left] - predicted.data[class]);
                sum += gap * gap * f64::from(responses.weights[left]);
            }
        }
        assert!((closed - sum / 40.0).abs() < 1e-4 * closed, "{closed} {}", sum / 40.0);
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        let (coded, responses) = example(30, 5);
        let features: Vec<usize> = (0..5).collect();
        let distances_of = |weights: &[f32]| {
            let mut out = Matrix32::zeros(30, 30);
            (0..5).for_each(|at| add_distances(&mut out, coded.x.col(at), weights[at]));
            out
        };
        let found = gradient(&coded, &features, &distances_of(&[1.0; 5]), &responses, KERNEL).unwrap();
        for at in 0..5 {
            let error = |step: f32| {
                let mut weights = [1.0; 5];
                weights[at] += step;
                error_without(&distances_of(&weights), &[], 5, &responses, KERNEL).unwrap()
            };
            let difference = (error(0.02) - error(-0.02)) / 0.04;
            assert!(
                (found[at] - difference).abs() < 2e-3 * found[at].abs().max(0.01),
                "{at}: {} {difference}",
                found[at]
            );
        }
    }

    #[test]
    fn distances_by_products_and_removals_agree_with_sums() {
        let (coded, responses) = example(20, 40);
        let all: Vec<usize> = (0..40).collect();
        let fast = distances(&coded, &all);
        let mut slow = Matrix32::zeros(20, 20);
        all.iter().for_each(|&at| add_distances(&mut slow, coded.x.col(at), 1.0));
        fast.data.iter().zip(&slow.data).for_each(|(fast, slow)| assert!((fast - slow).abs() < 1e-4 * (1.0 + slow)));
        let without = error_without(&distances(&coded, &[0, 1, 2]), &[coded.x.col(1)], 2, &responses, KERNEL).unwrap();
        let direct = error_without(&distances(&coded, &[0, 2]), &[], 2, &responses, KERNEL).unwrap();
        assert!((without - direct).abs() < 1e-5);
    }
}
