use super::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn random(rows: usize, cols: usize, seed: u64) -> Matrix {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    Matrix::from_fn(rows, cols, |_, _| rng.random::<f64>() - 0.5)
}

fn naive(a: &Matrix, b: &Matrix) -> Matrix {
    Matrix::from_fn(a.rows(), b.cols(), |i, j| (0..a.cols()).map(|k| a[(i, k)] * b[(k, j)]).sum())
}

fn transposed(a: &Matrix) -> Matrix {
    Matrix::from_fn(a.cols(), a.rows(), |i, j| a[(j, i)])
}

fn distance(a: &Matrix, b: &Matrix) -> f64 {
    assert_eq!((a.rows(), a.cols()), (b.rows(), b.cols()));
    let differences = a.as_slice().iter().zip(b.as_slice()).map(|(x, y)| (x - y).abs());
    // Keeps NaN.
    differences.fold(0.0, |max: f64, difference| if max >= difference || max.is_nan() { max } else { difference })
}

fn references(matrices: &[Matrix]) -> Vec<&Matrix> {
    matrices.iter().collect()
}

#[test]
fn products_agree_with_the_triple_loop() {
    let (a, b) = (random(37, 21, 1), random(21, 45, 2));
    let expected = naive(&a, &b);
    assert!(distance(&product(Plain(&a), Plain(&b)), &expected) < 1e-13);
    assert!(distance(&product(Transposed(&transposed(&a)), Transposed(&transposed(&b))), &expected) < 1e-13);
    // Large enough to be split into strips, and, with few rows, into panels.
    for (rows, inner, cols) in [(300, 40, 200), (60, 30, 1100)] {
        let (a, b) = (random(rows, inner, 3), random(inner, cols, 4));
        assert!(distance(&product(Plain(&a), Plain(&b)), &naive(&a, &b)) < 1e-12, "{rows} x {inner} x {cols}");
    }
    let mut sum = expected.clone();
    add_product(&mut sum, 1.0, -2.0, Plain(&a), Plain(&b));
    let negated = Matrix::from_fn(37, 45, |i, j| -expected[(i, j)]);
    assert!(distance(&sum, &negated) < 1e-13);
}

#[test]
fn strips_multiply_as_the_matrix_does() {
    for (rows, inner, cols) in
        [(1, 3, 2), (5, 0, 3), (24, 7, 5), (25, 1, 4), (300, 40, 30), (97, 60, 1), (130, 1100, 9)]
    {
        let (a, b) = (random(rows, inner, 30), random(inner, cols, 31));
        let expected = naive(&a, &b);
        for strips in [Strips::new(Plain(&a)), Strips::new(Transposed(&transposed(&a)))] {
            let mut out = random(rows, cols, 32);
            strips.multiply(&mut out, &b);
            assert!(distance(&out, &expected) < 1e-13, "{rows} x {inner} x {cols}");
            for first in (0..rows).step_by(BLOCK) {
                let taken = BLOCK.min(rows - first);
                let mut block = Matrix::zeros(taken, cols);
                strips.multiply_block(first, block.as_mut_slice(), -2.0, &b);
                let part = Matrix::from_fn(taken, cols, |i, j| -2.0 * expected[(first + i, j)]);
                assert!(distance(&block, &part) < 1e-13, "rows from {first}");
            }
        }
    }
}

#[test]
fn solving_by_strips_solves_the_system() {
    for order in [1, 24, 48, 49, 130] {
        let mut a = inner_gram(&random(order + 10, order, 36));
        a.shift_diagonal(1.0);
        let right = random(order, 300, 35);
        let mut solved = right.clone();
        Solver::new(&Cholesky::new(a.clone()).unwrap()).solve_first_columns(&mut solved, 299);
        let back = naive(&a, &solved);
        for col in 0..299 {
            assert!(back.col(col).iter().zip(right.col(col)).all(|(a, b)| (a - b).abs() < 1e-10), "order {order}");
        }
        assert_eq!(solved.col(299), right.col(299), "a column outside the requested ones");
    }
}

#[test]
fn outer_grams_reuse_any_memory() {
    let mut gram = Matrix::zeros(40, 3);
    // One block, several of either width, inner products in several parts, less memory and more than before.
    for (rows, cols) in [(1, 3), (30, 1100), (130, 5), (1000, 7), (97, 600), (4, 0), (0, 4)] {
        let x = random(rows, cols, 37);
        gram.resize(rows.max(50), rows.max(50));
        gram.as_mut_slice().fill(f64::NAN);
        write_outer_gram(&mut gram, &x);
        assert!(distance(&gram, &naive(&x, &transposed(&x))) < 1e-12, "{rows} x {cols}");
        assert_eq!(gram, transposed(&gram), "{rows} x {cols}");
    }
}

#[test]
fn weighted_grams_are_the_same_in_either_layout() {
    assert!(Outer::new(&random(5, 40, 33)).weighted_grams(&[]).is_empty());
    for (rows, cols) in [(1, 1), (5, 40), (24, 24), (60, 700), (0, 4), (4, 0)] {
        let x = random(rows, cols, 33);
        let weights: Vec<Vec<f64>> = (0..3).map(|at| random(cols, 1, 34 + at).as_slice().to_vec()).collect();
        let layouts = [Outer::new(&x).weighted_grams(&weights), weighted_grams(&x, &weights)];
        for (gram, weights) in layouts.iter().flat_map(|grams| grams.iter().zip(&weights)) {
            let expected = naive(&scale_columns(&x, weights), &transposed(&x));
            assert!(distance(gram, &expected) < 1e-12, "{rows} x {cols}");
            assert_eq!(gram, &transposed(gram));
        }
    }
}

#[test]
fn other_columns_of_the_same_entries_are_a_factor() {
    let (a, b) = (random(3, 8, 20), random(4, 5, 21));
    let reshaped = Matrix::from_column_major(6, 4, a.as_slice().to_vec()).unwrap();
    assert_eq!(product(Reshaped(&a, 6), Plain(&b)), product(Plain(&reshaped), Plain(&b)));
}

#[test]
fn folds_in_lanes_use_every_entry_once() {
    for count in [0, 1, 7, 8, 9, 40, 43] {
        let values = random(count, 1, 22 + count as u64);
        let (values, all) = (values.as_slice(), || values.as_slice().iter().copied());
        assert!((sum(values) - all().sum::<f64>()).abs() < 1e-14);
        assert_eq!(largest(values, f64::NEG_INFINITY), all().fold(f64::NEG_INFINITY, f64::max));
        assert_eq!(smallest(values, f64::INFINITY), all().fold(f64::INFINITY, f64::min));
    }
    assert_eq!(
        (largest(&[-2.0, -1.0], 0.0), smallest(&[2.0, 1.0], 0.0)),
        (0.0, 0.0),
        "the bound where none is beyond it"
    );
}

#[test]
fn grams_and_quadratic_forms_agree_with_plain_products() {
    for order in [1, 7, 33, 130, 200] {
        let x = random(order, 50, order as u64);
        let weights: Vec<f64> = (0..50).map(|i| 1.0 / (1.0 + i as f64)).collect();
        let scaled = scale_columns(&x, &weights);
        assert!(
            distance(
                &weighted_grams(&x, &[vec![1.0; 50], weights.clone()])[1].clone(),
                &naive(&scaled, &transposed(&x))
            ) < 1e-12
        );
        assert!(distance(&outer_gram(&x), &naive(&x, &transposed(&x))) < 1e-12);
        assert!(distance(&inner_gram(&x), &naive(&transposed(&x), &x)) < 1e-12);
        let m = weighted_grams(&x, &[vec![1.0; 50], weights.clone()])[1].clone();
        let image = naive(&m, &x);
        for (col, form) in quadratic_forms(&m, &x).iter().enumerate() {
            let expected = dot(x.col(col), image.col(col));
            assert!((form - expected).abs() < 1e-11 * expected.abs().max(1.0), "{form} {expected}");
        }
    }
}

#[test]
fn long_matrices_are_taken_in_panels_and_tasks() {
    let x = random(20, 2500, 5);
    let weights: Vec<f64> = (0..2500).map(|i| 1.0 / (1.0 + i as f64)).collect();
    let gram = &weighted_grams(&x, std::slice::from_ref(&weights))[0];
    assert!(distance(gram, &naive(&scale_columns(&x, &weights), &transposed(&x))) < 1e-12);
    let image = naive(gram, &x);
    for (col, form) in quadratic_forms(gram, &x).iter().enumerate() {
        let expected = dot(x.col(col), image.col(col));
        assert!((form - expected).abs() < 1e-12 * expected.abs().max(1.0), "column {col}: {form} {expected}");
    }
}

#[test]
fn bits_do_not_depend_on_the_number_of_threads() {
    let (a, b) = (random(300, 400, 3), random(400, 3000, 4));
    let results: Vec<_> = [1, 2, 8]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut by_strips = Matrix::zeros(300, 3000);
                Strips::new(Plain(&a)).multiply(&mut by_strips, &b);
                let mut system = outer_gram(&a);
                system.shift_diagonal(1.0);
                let mut solved = by_strips.clone();
                Solver::new(&Cholesky::new(system).unwrap()).solve_first_columns(&mut solved, 3000);
                let weighted = Outer::new(&a).weighted_grams(&[vec![1.0; 400], vec![2.0; 400], vec![3.0; 400]]);
                let tall = outer_gram(&random(1000, 7, 5));
                let forms = quadratic_forms(&outer_gram(&b), &b);
                (product(Plain(&a), Plain(&b)), outer_gram(&a), forms, by_strips, solved, weighted, tall)
            })
        })
        .collect();
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn eigenvalues_rebuild_the_matrix() {
    let x = random(40, 25, 5);
    for a in [inner_gram(&x), outer_gram(&x)] {
        let eigen = SymmetricEigen::new(&a).unwrap();
        assert!(distance(&eigen.apply(|v| v), &a) < 1e-12);
        assert!(eigen.values.windows(2).all(|pair| pair[0] <= pair[1]));
    }
}

#[test]
fn eigenvalues_survive_zero_rows_and_extreme_scales() {
    for scale in [1e-160, 1.0, 1e150] {
        let mut a = Matrix::zeros(12, 12);
        a[(3, 3)] = 2.0 * scale;
        a[(7, 7)] = 2.0 * scale;
        a[(3, 7)] = scale;
        a[(7, 3)] = scale;
        let eigen = SymmetricEigen::new(&a).unwrap();
        assert!((eigen.values[11] / scale - 3.0).abs() < 1e-12, "{scale}");
        assert!((eigen.values[10] / scale - 1.0).abs() < 1e-12, "{scale}");
        assert_eq!(eigen.values[..10], [0.0; 10]);
    }
    assert_eq!(SymmetricEigen::new(&Matrix::zeros(4, 4)).unwrap().values, [0.0; 4]);
    let mut bad = Matrix::zeros(2, 2);
    for value in [f64::NAN, f64::INFINITY] {
        bad[(0, 0)] = value;
        assert_eq!(SymmetricEigen::new(&bad).unwrap_err(), LinalgError::NotFinite);
    }
}

#[test]
fn sums_of_weighted_products_equal_their_definition() {
    for (order, cols, count) in [(1, 1, 1), (7, 3, 2), (20, 300, 3), (13, 256, 4), (5, 0, 2)] {
        let x = random(order, cols, 20);
        let matrices: Vec<Matrix> = (0..count).map(|a| random(order, order, 21 + a as u64)).collect();
        let weights: Vec<Vec<f64>> = (0..count).map(|a| random(cols, 1, 31 + a as u64).as_slice().to_vec()).collect();
        let mut expected = Matrix::zeros(order, cols);
        for (matrix, weights) in matrices.iter().zip(&weights) {
            let term = naive(matrix, &scale_columns(&x, weights));
            expected.as_mut_slice().iter_mut().zip(term.as_slice()).for_each(|(sum, term)| *sum += term);
        }
        assert!(distance(&weighted_product_sum(&references(&matrices), &x, &weights), &expected) <= 1e-12);
    }
}

#[test]
fn cholesky_solves_and_rejects() {
    let x = random(30, 60, 6);
    let a = outer_gram(&x);
    let b = random(30, 4, 7);
    let mut solution = b.clone();
    let factor = Cholesky::new(a.clone()).unwrap();

    factor.solve_in_place(&mut solution);
    assert!(distance(&naive(&a, &solution), &b) < 1e-10);
    assert!(distance(&naive(&a, &factor.inverse()), &Matrix::from_fn(30, 30, |i, j| f64::from(i == j))) < 1e-10);
    let mut indefinite = a;
    indefinite.shift_diagonal(-1e3);
    assert_eq!(Cholesky::new(indefinite).err(), Some(LinalgError::NotPositiveDefinite { order: 30 }));
}

#[test]
fn refined_normal_equations_agree_with_the_orthogonal_solution() {
    for (spread, seed) in [(1.0, 10), (1e-1, 11), (2e-4, 12)] {
        let base = random(200, 6, seed);
        // The last column is nearly the first: the condition number of A is about 1 / spread.
        let a =
            Matrix::from_fn(200, 6, |i, j| if j == 5 { base[(i, 0)] + spread * base[(i, 5)] } else { base[(i, j)] });
        let b = random(200, 3, seed + 100);
        let (fast, slow) = (pseudo_solve(&a, &b).unwrap(), factor::orthogonal_solve(&a, &b).unwrap());
        let scale = slow.norm_squared().sqrt();
        assert!(distance(&fast, &slow) < 1e-11 * scale, "{spread}: {}", distance(&fast, &slow) / scale);
    }
}

#[test]
fn the_pseudo_inverse_gives_the_minimum_norm_solution() {
    let base = random(50, 3, 8);
    // The fourth column repeats the third, so that the solution is not unique.
    let a = Matrix::from_fn(50, 4, |i, j| base[(i, j.min(2))]);
    let b = random(50, 2, 9);
    let solution = pseudo_solve(&a, &b).unwrap();
    let unique = pseudo_solve(&base, &b).unwrap();
    for col in 0..2 {
        assert!((solution[(2, col)] - unique[(2, col)] / 2.0).abs() < 1e-12);
        assert!((solution[(2, col)] - solution[(3, col)]).abs() < 1e-12);
        let residual: Vec<f64> = (0..50)
            .map(|i| b[(i, col)] - dot(&[a[(i, 0)], a[(i, 1)], a[(i, 2)], a[(i, 3)]], solution.col(col)))
            .collect();
        for j in 0..4 {
            assert!(dot(a.col(j), &residual).abs() < 1e-12, "the residual is orthogonal to the columns");
        }
    }
}

#[test]
fn the_polar_factor_is_orthonormal_and_nearest_for_any_rank() {
    let full = random(40, 4, 5);
    let mut deficient = full.clone();
    deficient.as_mut_slice().copy_within(0..40, 40);
    for (m, rank) in [(full, 4), (deficient, 3), (random(4, 4, 6), 4), (Matrix::zeros(5, 2), 0)] {
        for scale in [1.0, 1e-200, 1e150] {
            let m = Matrix::from_fn(m.rows(), m.cols(), |row, col| scale * m[(row, col)]);
            let found = polar(&m).unwrap();
            let mut identity = Matrix::zeros(m.cols(), m.cols());
            identity.shift_diagonal(1.0);
            assert!(distance(&inner_gram(&found), &identity) < 1e-13, "rank {rank}");
            // Nearest: the trace of P^T M is the sum of the singular values, which no other orthonormal matrix exceeds.
            let stretch = product(Transposed(&found), Plain(&m));
            assert!(distance(&stretch, &transposed(&stretch)) < 1e-13 * scale, "rank {rank}");
            let eigen = SymmetricEigen::new(&stretch).unwrap();
            assert!(eigen.values.iter().all(|value| *value > -1e-13 * scale), "rank {rank}");
        }
    }
    assert_eq!(polar(&Matrix::from_fn(2, 1, |_, _| f64::NAN)).unwrap_err(), LinalgError::NotFinite);
}

#[test]
fn rows_are_scaled_one_by_one() {
    let x = random(3, 2, 7);
    let scaled = scale_rows(&x, &[2.0, 0.0, -1.0]);
    assert!((0..2).all(|c| scaled.col(c) == [2.0 * x[(0, c)], 0.0 * x[(1, c)], -x[(2, c)]]));
}

#[test]
fn eigenvalues_alone_are_those_of_the_decomposition() {
    let x = random(12, 30, 8);
    let mut zeros = outer_gram(&x);
    for at in 0..12 {
        (zeros[(3, at)], zeros[(at, 3)]) = (0.0, 0.0);
    }
    let tiny = Matrix::from_fn(12, 12, |row, col| 1e-200 * zeros[(row, col)]);
    for a in [outer_gram(&x), zeros, tiny, Matrix::zeros(4, 4), Matrix::zeros(0, 0)] {
        let (alone, eigen) = (symmetric_eigenvalues(&a).unwrap(), SymmetricEigen::new(&a).unwrap());
        let most = eigen.values.last().copied().unwrap_or(0.0);
        assert!(alone.len() == a.rows() && alone.iter().zip(&eigen.values).all(|(x, y)| (x - y).abs() <= 1e-13 * most));
    }
    assert!(symmetric_eigenvalues(&Matrix::from_fn(2, 2, |_, _| f64::NAN)).is_err());
}
