//! The fast Q step against the eigendecomposition that the paper describes.

use super::wide::Ready;
use super::*;
use crate::linalg::{Plain, Transposed, add_product, product, smallest};
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
        z = renewed_weights(&q.row_norms_squared());
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
    let fast = projector.project(&x_hat, None).unwrap();
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
    let lengths = square_roots(expected.row_norms_squared());
    for (fast, slow) in projector.row_lengths(&fast).iter().zip(&lengths) {
        assert!((fast - slow).abs() <= 1e-9 * slow, "row length: {label}: {fast} {slow}");
    }
    let sum: f64 = lengths.iter().sum();
    let found = projector.sum_of_row_lengths(&fast);
    assert!((found - sum).abs() <= 1e-9 * sum, "{label}: {found} {sum}");
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
fn both_ways_to_the_row_lengths_agree() {
    let (x, x_hat) = (random(10, 400, 1), random(10, 120, 2));
    let (eigen, outer, params) = (SymmetricEigen::new(&outer_gram(&x)).unwrap(), Outer::new(&x), Params::default());
    let wide =
        Wide::new(&x, &outer, params.alpha, params.beta, Ready::new(&x, &eigen, params.alpha, params.beta).into());
    let (rows, cols) = wide.first_norms(&x_hat);
    let first = wide.first_pass(&x_hat);
    let (direct_rows, direct_cols) = first.norms(&x);
    for (a, b) in rows.iter().zip(&direct_rows).chain(cols.iter().zip(&direct_cols)) {
        assert!((a - b).abs() < 1e-10 * b, "{a} {b}");
    }
    for spread in [0.001, 0.01, 0.07, 0.3, 1.0] {
        let lambda: Vec<f64> = (0..120).map(|j| 0.99 + spread * f64::from(j) / 119.0).collect();
        let q = wide.pass(&x_hat, renewed_weights(&rows), lambda, None).unwrap();
        for (a, b) in q.interpolated_row_norms(&x, &q.intervals_of_squares()).iter().zip(q.norms(&x).0) {
            // Squares: a relative error of 1e-9 in the length.
            assert!((a - b).abs() < 2e-9 * b, "{a} {b}");
        }
    }
}

#[test]
fn fewer_nodes_give_the_same_sum_of_row_lengths() {
    let (mut fewer, mut three) = (0, 0);
    for (n, m, d) in [(5, 300, 100), (20, 600, 300), (12, 500, 400), (8, 1500, 250), (40, 1200, 400)] {
        let x = random(n, m, (n * m) as u64);
        let (eigen, outer) = (SymmetricEigen::new(&outer_gram(&x)).unwrap(), Outer::new(&x));
        for (alpha, beta) in [(0.1, 0.1), (0.1, 10.0), (1.0, 0.01), (1.0, 1.0), (1.0, 10.0), (10.0, 1.0), (10.0, 100.0)]
        {
            let wide = Wide::new(&x, &outer, alpha, beta, Ready::new(&x, &eigen, alpha, beta).into());
            for scale in [0.3, 0.6, 1.0, 2.0, 4.0] {
                let mut x_hat = random(n, d, 11);
                x_hat.as_mut_slice().iter_mut().for_each(|value| *value *= scale);
                let (rows, cols) = wide.first_norms(&x_hat);
                let lambda: Vec<f64> = cols.iter().map(|norm| 0.99 + 0.01 * norm).collect();
                let q = wide.pass(&x_hat, renewed_weights(&rows), lambda.clone(), None).unwrap();
                let full = &q.intervals_of_squares()[0];
                let few = nodes::for_sums(full, &lambda, n);
                fewer += usize::from(few.nodes.len() < full.nodes.len());
                three += usize::from(few.nodes.len() == 3 && full.nodes.len() > 3);
                let sum = q.sum_of_row_lengths(&x);
                let expected: f64 = q.norms(&x).0.into_iter().map(f64::sqrt).sum();
                let label = format!("{n} x {m}, d {d}, alpha {alpha}, beta {beta}, scale {scale}");
                assert!((sum - expected).abs() < 1e-9 * expected, "{label}: {sum} {expected}");
            }
        }
    }
    assert!(fewer >= 20 && three >= 5, "fewer nodes {fewer} times, three of them {three} times");
}

#[test]
fn orthogonality_needs_no_explicit_q() {
    for (alpha, beta) in [(1.0, 1.0), (10.0, 10.0), (100.0, 100.0), (0.1, 1.0)] {
        let (x, x_hat) = (random(10, 600, 5), random(10, 200, 6));
        let data = Decomposed::new(&x).unwrap();
        let projector = Projector::new(&data, &Params { alpha, beta, ..Params::default() }).unwrap();
        let projection = projector.project(&x_hat, None).unwrap();
        let Q::Implicit(q, _) = &projection.0 else { panic!("n < m") };
        let implicit = orthogonality::implicit_gap(q, &x).unwrap();
        let mut gram = inner_gram(&projector.rows(&projection, 0..600));
        gram.shift_diagonal(-1.0);
        let explicit = gram.norm_squared().sqrt();
        assert!((implicit - explicit).abs() < 1e-9 * explicit, "{alpha} {beta}: {implicit} {explicit}");
    }
}

/// As in a fit: X_hat moves on smoothly, here with a jump now and then, and every projection knows the one before.
#[test]
fn projections_of_many_iterations_stay_exact() {
    for (n, m, d, repeated) in
        [(60, 30, 10, 0), (300, 30, 10, 0), (20, 50, 16, 0), (20, 200, 60, 0), (20, 200, 60, 1), (14, 40, 13, 4)]
    {
        let all = random(n, m, 12);
        let x = Matrix::from_fn(n, m, |i, j| all[(i % (n - repeated), j)]);
        let data = Decomposed::new(&x).unwrap();
        for (alpha, beta, inner) in
            [(0.01, 1.0, 2), (1.0, 0.01, 2), (1.0, 100.0, 3), (100.0, 0.01, 2), (100.0, 10.0, 2)]
        {
            let params = Params { alpha, beta, inner, ..Params::default() };
            let projector = Projector::new(&data, &params).unwrap();
            let (start, speed, turn) = (random(n, d, 1), random(n, d, 2), random(n, d, 3));
            let mut before = None;
            let (mut minus, mut minus_before) = (vec![0.0; n * d], vec![0.0; n * d]);
            let (mut guessed, mut followed, mut fewer) = (0, 0, 0);
            for iteration in 0..80 {
                let time = f64::from(iteration) / 1000.0 + if iteration > 50 { 0.7 } else { 0.0 };
                let at = |i, j| start[(i, j)] + time * (speed[(i, j)] - 0.5) + time * time * (turn[(i, j)] - 0.5);
                let size = if iteration > 70 { 1e-4 } else { 1.0 };
                let x_hat = Matrix::from_fn(n, d, |i, j| size * at(i, j));
                let projection = projector.project(&x_hat, before).unwrap();
                for (block, minus) in minus.chunks_mut(BLOCK * d).enumerate() {
                    let before = &minus_before[block * BLOCK * d..][..minus.len()];
                    projector.minus_projected(&projection, block * BLOCK, minus, before);
                }
                match &projection.0 {
                    Q::Explicit(q) => {
                        guessed += usize::from(q.past.is_followed());
                        followed += usize::from(q.rest.is_some());
                    }
                    Q::Implicit(q, _) => fewer += usize::from(q.seen.is_some()),
                }
                if iteration % 6 == 4 || [51, 71].contains(&iteration) {
                    let (q, expected) = (projector.rows(&projection, 0..m), oracle(&x, &x_hat, &params));
                    let error = relative(&q, &expected);
                    assert!(error < 1e-9, "{n} x {m}, {alpha} {beta}, iteration {iteration}: {error}");
                    let error = worst_row(&q, &expected);
                    assert!(error < 1e-9, "{n} x {m}, {alpha} {beta}, a row in iteration {iteration}: {error}");
                    let found = Matrix::from_fn(n, d, |i, j| {
                        let (block, rows) = (i / BLOCK, BLOCK.min(n - i / BLOCK * BLOCK));
                        -minus[block * BLOCK * d + j * rows + i % BLOCK]
                    });
                    let error = relative(&found, &product(Plain(&x), Plain(&q)));
                    // For n < m it is the gap that comes out, and is exact.
                    assert!(n < m || error < 1e-9, "{n} x {m}, {alpha} {beta}, X Q in iteration {iteration}: {error}");
                }
                std::mem::swap(&mut minus, &mut minus_before);
                before = Some(projection);
            }
            if n >= m {
                assert!(guessed > 70 && (followed > 30) == projector.follows(), "{n} x {m}: {guessed}, {followed}");
            } else {
                let expected = (alpha, beta) == (100.0, 0.01) && repeated < 2;
                assert_eq!(fewer > 40, expected, "{n} x {m}, {alpha} {beta}: {fewer}");
            }
        }
    }
}

/// Columns of X_hat that grow and shrink: one factor serves all multipliers in some iterations, and others need several.
#[test]
fn guesses_outlast_a_change_in_the_number_of_factors() {
    let (n, m, d) = (60, 30, 10);
    let x = random(n, m, 12);
    let data = Decomposed::new(&x).unwrap();
    let start = random(n, d, 1);
    for (alpha, beta) in [(1.0, 1.0), (10.0, 0.1)] {
        let params = Params { alpha, beta, eta: 1.0, ..Params::default() };
        let projector = Projector::new(&data, &params).unwrap();
        let (mut before, mut spreads) = (None, Vec::new());
        for iteration in 0..60 {
            let grown = |j: usize| 4.0 + 10.0 * j as f64 * (f64::from(iteration) / 8.0).sin().max(0.0);
            let x_hat = Matrix::from_fn(n, d, |i, j| grown(j) * start[(i, j)]);
            let projection = projector.project(&x_hat, before).unwrap();
            let first = oracle(&x, &x_hat, &Params { inner: 1, ..params.clone() });
            let mut lambda = vec![1.0; d];
            projector.renew_multipliers(&mut lambda, &first.col_norms_squared());
            spreads.push(lambda.iter().copied().fold(0.0, f64::max) / smallest(&lambda, f64::INFINITY));
            let (q, expected) = (projector.rows(&projection, 0..m), oracle(&x, &x_hat, &params));
            let error = worst_row(&q, &expected);
            assert!(error < 1e-9, "{alpha} {beta}, a row in iteration {iteration}: {error}");
            before = Some(projection);
        }
        let count = |test: &dyn Fn(&f64) -> bool| spreads.iter().filter(|&spread| test(spread)).count();
        let (one, several) = (count(&|&spread| spread < 2.0), count(&|&spread| spread > 40.0));
        assert!(one > 10 && several > 10, "{alpha} {beta}: {spreads:?}");
    }
}

#[test]
fn projections_of_other_shapes_leave_no_trace() {
    for (n, m) in [(60, 30), (300, 30), (20, 50)] {
        let x = random(n, m, 9);
        let data = Decomposed::new(&x).unwrap();
        let projector = Projector::new(&data, &Params { alpha: 100.0, beta: 0.01, ..Params::default() }).unwrap();
        let (x_hat, other) = (random(n, 7, 1), random(n, 9, 2));
        let before = projector.project(&other, None).unwrap();
        let again = projector.project(&x_hat, Some(before)).unwrap();
        let fresh = projector.project(&x_hat, None).unwrap();
        assert_eq!(projector.latent(&again), projector.latent(&fresh));
        assert_eq!(projector.rows(&again, 0..m), projector.rows(&fresh, 0..m));
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
        let projection = projector.project(&random(n, 3, 4), None).unwrap();
        let lengths = projector.row_lengths(&projection);
        assert_eq!(lengths[4], 0.0);
        assert!(lengths.iter().all(|length| length.is_finite()));
    }
}
