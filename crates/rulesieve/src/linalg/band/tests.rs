use super::*;
use crate::linalg::{Cholesky, inner_gram};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn random(rows: usize, cols: usize, seed: u64) -> Matrix {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    Matrix::from_fn(rows, cols, |_, _| rng.random::<f64>() - 0.5)
}

/// Orders below, at and above the width and the block size, and matrices of full and of low rank.
#[test]
fn systems_in_the_band_are_those_of_the_matrix() {
    let cases = [(1_usize, 1), (2, 3), (7, 1), (7, 3), (24, 24), (25, 24), (50, 24), (193, 16), (400, 24)];
    for (order, width) in cases {
        for rank in [order + 3, order.div_ceil(4)] {
            let a = inner_gram(&random(rank, order, 1));
            let form = BandForm::of_width(a.clone(), width).unwrap();
            for (scale, shift) in [(2.0, 0.1), (0.5, 3.0)] {
                let right = random(order, 1, 2);
                let mut entries = Matrix::from_fn(order, order, |row, col| scale * a[(row, col)]);
                entries.shift_diagonal(shift);
                let mut expected = right.clone();
                Cholesky::new(entries).unwrap().solve_in_place(&mut expected);
                let mut x = right.as_slice().to_vec();
                form.enter(&mut x);
                form.band().shifted(scale, shift).solve(&mut x);
                let value = form.band().quadratic_form(&x);
                form.leave(&mut x);
                let far = x.iter().zip(expected.as_slice()).fold(0.0, |far: f64, (a, b)| far.max((a - b).abs()));
                assert!(far < 1e-11, "order {order}, width {width}, rank {rank}: {far}");
                let image = product(Plain(&a), Plain(&expected));
                let plain = dot(image.as_slice(), expected.as_slice());
                // At low rank, most of x is in the null space of A, and the rounding error is that of `|A| |x|^2`.
                let rounding = 1e-15 * (a.norm_squared().sqrt() * expected.norm_squared());
                assert!((value - plain).abs() <= 1e-13 * plain + rounding, "{order}: {value} {plain}");
            }
        }
    }
}

#[test]
fn the_basis_is_orthonormal() {
    let form = BandForm::of_width(inner_gram(&random(90, 70, 3)), 8).unwrap();
    let start = random(70, 1, 4);
    let mut x = start.as_slice().to_vec();
    form.enter(&mut x);
    assert!((sum_of_squares(&x) - start.norm_squared()).abs() < 1e-13 && (x[69] - start[(69, 0)]).abs() > 1e-3);
    form.leave(&mut x);
    assert!(x.iter().zip(start.as_slice()).all(|(a, b)| (a - b).abs() < 1e-14));
}

#[test]
fn zeros_are_allowed_and_nonfinite_numbers_are_rejected() {
    let form = BandForm::new(Matrix::zeros(60, 60)).unwrap();
    let mut x = vec![1.0; 60];
    form.enter(&mut x);
    form.band().shifted(2.0, 0.5).solve(&mut x);
    form.leave(&mut x);
    assert_eq!(x, [2.0; 60]);
    assert!(BandForm::new(Matrix::default()).is_ok());
    let mut bad = Matrix::zeros(3, 3);
    bad[(2, 1)] = f64::NAN;
    assert_eq!(BandForm::new(bad).unwrap_err(), LinalgError::NotFinite);
}

#[test]
fn the_bits_do_not_depend_on_the_threads() {
    let a = inner_gram(&random(500, 450, 5));
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut x = vec![1.0; 450];
        let form = pool.install(|| BandForm::new(a.clone()).unwrap());
        form.enter(&mut x);
        form.band().shifted(1.0, 0.1).solve(&mut x);
        x
    };
    assert_eq!(run(1), run(3));
}
