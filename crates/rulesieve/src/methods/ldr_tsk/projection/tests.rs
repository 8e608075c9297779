//! The fast Q step against the eigendecomposition that the paper describes.

use super::*;
use crate::linalg::{Plain, Transposed, add_product, product};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Algorithm 1 as printed: an m x m eigendecomposition in every pass.
fn oracle(x: &Matrix, x_hat: &Matrix, params: &Params) -> Matrix {
    let (m, d) = (x.cols(), x_hat.cols());
    let (mut z, mut lambda) = (vec![1.0; m], vec![1.0; d]);
    let gram = product(Transposed(x), Plain(x));
    let right = product(Transposed(x), Plain(x_hat));
    let mut q = Matrix::zeros(m, d);
    for _ in 0..params.inner {
        let a =
            Matrix::from_fn(m, m, |i, j| params.alpha * gram[(i, j)] + if i == j { params.beta * z[i] } else { 0.0 });
        let eigen = SymmetricEigen::new(&a).unwrap();
        let mut rotated = product(Transposed(&eigen.vectors), Plain(&right));
        for j in 0..d {
            for i in 0..m {
                rotated[(i, j)] *= params.alpha / (eigen.values[i].max(0.0) + lambda[j]);
            }
        }
        q = product(Plain(&eigen.vectors), Plain(&rotated));
        z = updated_weights(&q.row_norms_squared());
        for (lambda, norm) in lambda.iter_mut().zip(q.col_norms_squared()) {
            *lambda = (*lambda + params.eta * (norm - 1.0)).max(SMALLEST_MULTIPLIER);
        }
    }
    q
}

fn random(rows: usize, cols: usize, seed: u64) -> Matrix {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    Matrix::from_fn(rows, cols, |_, _| rng.random::<f64>())
}

fn relative(a: &Matrix, b: &Matrix) -> f64 {
    let difference = Matrix::from_fn(a.rows(), a.cols(), |i, j| a[(i, j)] - b[(i, j)]);
    (difference.norm_squared() / b.norm_squared()).sqrt()
}

/// The largest error of a row, relative to that row.
fn worst_row(found: &Matrix, expected: &Matrix) -> f64 {
    let off = Matrix::from_fn(found.rows(), found.cols(), |i, j| found[(i, j)] - expected[(i, j)]);
    let rows = off.row_norms_squared().into_iter().zip(expected.row_norms_squared());
    rows.map(|(off, expected)| (off / expected).sqrt()).fold(0.0, f64::max)
}

fn assert_equal_to_oracle(n: usize, m: usize, params: &Params) {
    assert_equal_on(&random(n, m, (n * m) as u64), 1.0, params);
}

fn assert_equal_on(x: &Matrix, scale: f64, params: &Params) {
    let (n, m) = (x.rows(), x.cols());
    let mut x_hat = random(n, (m / 3).max(1), 7);
    x_hat.as_mut_slice().iter_mut().for_each(|value| *value *= scale);
    let data = Decomposed::new(x).unwrap();
    let projector = Projector::new(&data, params).unwrap();
    let fast = projector.project(&x_hat).unwrap();
    let expected = oracle(x, &x_hat, params);

    let label = format!("{n} x {m}, {params:?}");
    let q = projector.rows(&fast, 0..m);
    assert!(relative(&q, &expected) < 1e-9, "Q: {label}: {}", relative(&q, &expected));
    assert!(worst_row(&q, &expected) < 1e-9, "a row of Q: {label}: {}", worst_row(&q, &expected));
    let mut gap = x_hat.clone();
    add_product(&mut gap, 1.0, -1.0, Plain(x), Plain(&expected));
    let mut found = x_hat.clone();
    let latent = projector.latent(&fast);
    found.as_mut_slice().iter_mut().zip(latent.as_slice()).for_each(|(gap, latent)| *gap -= latent);
    assert!(relative(&found, &gap) < 1e-9, "gap: {label}: {}", relative(&found, &gap));
    let lengths = expected.row_norms_squared().into_iter().map(f64::sqrt).collect::<Vec<_>>();
    for (fast, slow) in projector.row_lengths(&fast).unwrap().iter().zip(&lengths) {
        assert!((fast - slow).abs() <= 1e-9 * slow, "row length: {label}: {fast} {slow}");
    }
    let mut gram = inner_gram(&expected);
    gram.shift_diagonal(-1.0);
    let orthogonality = gram.norm_squared().sqrt();
    assert!((projector.orthogonality_gap(&fast) - orthogonality).abs() < 1e-9 * orthogonality, "{label}");
}

#[test]
fn fast_step_equals_the_eigendecomposition_on_both_sides() {
    for (n, m) in [(40, 41), (40, 40), (41, 40), (12, 90), (9, 200), (150, 12), (20, 3), (5, 2), (30, 1)] {
        for alpha in [0.01, 1.0, 100.0] {
            for beta in [0.01, 1.0, 100.0] {
                assert_equal_to_oracle(n, m, &Params { alpha, beta, ..Params::default() });
            }
        }
    }
}

/// The second pass makes short rows shorter still; what is cut off must not be seen in them either. (Rows a thousand
/// times shorter yet show rounding, ours and the oracle's.)
#[test]
fn short_rows_are_as_exact_as_long_ones() {
    for (n, m) in [(60, 30), (300, 30), (20, 50)] {
        let mut x = random(n, m, 8);
        for col in 0..m {
            let scale = 0.1_f64.powi((col % 4) as i32);
            x.col_mut(col).iter_mut().for_each(|value| *value *= scale);
        }
        for (alpha, beta) in [(1.0, 1.0), (1.0, 100.0), (100.0, 0.1), (100.0, 10.0)] {
            assert_equal_on(&x, 1.0, &Params { alpha, beta, ..Params::default() });
        }
    }
}

/// A short representation makes all weights large, and the second pass takes away most of what the first gave.
#[test]
fn short_representations_are_projected_as_exactly() {
    for (n, m) in [(60, 12), (300, 12), (12, 60)] {
        let x = random(n, m, 10);
        for scale in [0.3, 0.1, 0.03, 0.01] {
            for alpha in [0.01, 1.0, 100.0] {
                for beta in [0.01, 1.0, 10.0, 100.0] {
                    assert_equal_on(&x, scale, &Params { alpha, beta, ..Params::default() });
                }
            }
        }
    }
}

#[test]
fn any_number_of_passes_and_any_rate_agree() {
    for inner in [1, 2, 3, 5] {
        // A large eta spreads the multipliers, so that several intervals are needed.
        for eta in [0.01, 1.0, 50.0] {
            for (n, m) in [(15, 60), (60, 15)] {
                assert_equal_to_oracle(n, m, &Params { inner, eta, alpha: 10.0, beta: 0.1, ..Params::default() });
            }
        }
    }
}

#[test]
fn row_and_column_lengths_of_the_first_pass_need_no_q() {
    let (x, x_hat) = (random(10, 400, 1), random(10, 120, 2));
    let (eigen, outer) = (SymmetricEigen::new(&outer_gram(&x)).unwrap(), Outer::new(&x));
    let wide = Wide::new(&x, &outer, &eigen, 1.0, 1.0);
    let (rows, cols) = wide.first_norms(&x_hat);
    let (direct_rows, direct_cols) = wide.first_pass(&x_hat).norms(&x);
    for (a, b) in rows.iter().zip(&direct_rows).chain(cols.iter().zip(&direct_cols)) {
        assert!((a - b).abs() < 1e-10 * b, "{a} {b}");
    }
}

#[test]
fn both_ways_to_the_row_lengths_agree() {
    let (x, x_hat) = (random(10, 400, 1), random(10, 120, 2));
    let (eigen, outer) = (SymmetricEigen::new(&outer_gram(&x)).unwrap(), Outer::new(&x));
    let wide = Wide::new(&x, &outer, &eigen, 1.0, 1.0);
    let weights = updated_weights(&wide.first_norms(&x_hat).0);
    let pole = weights.iter().copied().fold(f64::INFINITY, f64::min);
    for spread in [0.001, 0.01, 0.07, 0.3, 1.0] {
        let lambda: Vec<f64> = (0..120).map(|j| 0.99 + spread * f64::from(j) / 119.0).collect();
        let intervals = nodes::cover(nodes::Quantity::Squares, &lambda, pole).unwrap();
        let q = wide.pass(&x_hat, weights.clone(), lambda).unwrap();
        for (a, b) in q.interpolated_row_norms(&x, &intervals).iter().zip(q.norms(&x).0) {
            assert!((a - b).abs() < 2e-9 * b, "{spread}: {a} {b}");
        }
    }
}

/// The blocks that an iteration uses are rows of `X Q`, for heights that are and are not a multiple of [`BLOCK`].
#[test]
fn blocks_of_the_projected_samples_are_rows_of_the_whole() {
    for (n, m, d) in [(60, 30, 10), (300, 30, 10), (20, 50, 16), (2 * BLOCK, 400, 7)] {
        let (x, x_hat) = (random(n, m, 12), random(n, d, 1));
        let data = Decomposed::new(&x).unwrap();
        let projector = Projector::new(&data, &Params { alpha: 100.0, ..Params::default() }).unwrap();
        let projection = projector.project(&x_hat).unwrap();
        let expected = product(Plain(&x), Plain(&projector.rows(&projection, 0..m)));
        let mut found = Matrix::zeros(n, d);
        for first in (0..n).step_by(BLOCK) {
            let rows = BLOCK.min(n - first);
            let mut block = vec![0.0; rows * d];
            projector.minus_projected(&projection, first, &mut block);
            block.iter().enumerate().for_each(|(at, value)| found[(first + at % rows, at / rows)] = -value);
        }
        assert_eq!(found, projector.latent(&projection), "{n} x {m}");
        let error = relative(&found, &expected);
        assert!(error < 1e-9, "{n} x {m}: {error}");
    }
}

#[test]
fn numbers_that_are_none_are_refused_on_both_sides() {
    for (n, m) in [(10, 30), (30, 10)] {
        for bad in [f64::NAN, f64::INFINITY] {
            let mut x = random(n, m, 3);
            x[(2, 2)] = bad;
            assert_eq!(Decomposed::new(&x).err(), Some(LinalgError::NotFinite));
        }
    }
}

#[test]
fn a_feature_of_zeros_gets_a_row_of_zeros() {
    for (n, m) in [(10, 30), (30, 10)] {
        let mut x = random(n, m, 3);
        x.col_mut(4).fill(0.0);
        let data = Decomposed::new(&x).unwrap();
        let projector = Projector::new(&data, &Params::default()).unwrap();
        let projection = projector.project(&random(n, 3, 4)).unwrap();
        let lengths = projector.row_lengths(&projection).unwrap();
        assert_eq!(lengths[4], 0.0);
        assert!(lengths.iter().all(|length| length.is_finite()));
    }
}
