//! Smooth minima.

use super::noise;
use crate::methods::fuzzy::least_squares::{Rows, ridge_predictions};
use crate::methods::fuzzy::softmin::{ada, ada_index, ale, ale_index, refined};
use crate::methods::fuzzy::tests::check_gradient;

fn memberships(count: usize, seed: u64, reach: f64) -> Vec<f64> {
    noise(count, 1, seed).as_slice().iter().map(|u| (-reach * u * u).exp()).collect()
}

#[test]
fn ale_softmin_is_finite_within_its_bounds_and_so_are_its_derivatives() {
    for reach in [0.0, 0.5, 20.0, 700.0] {
        let mu = memberships(2420, 1, reach);
        let mut pi = vec![0.0; mu.len()];
        let f = ale(&mu, ale_index(&mu), &mut pi);
        let (least, most) = (mu.iter().copied().fold(1.0, f64::min), mu.iter().copied().fold(0.0, f64::max));
        let deficit = most * 2420_f64.ln() / 700.0;
        assert!(f.is_finite() && f <= least && f >= least - deficit * (1.0 + 1e-12), "{least} {f}");
        assert!(deficit < 0.0112 && (pi.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(pi.iter().all(|pi| (0.0..=1.0).contains(pi)));
    }
    let mu = memberships(6, 2, 0.1);
    let (q, mut pi) = (-50.0, [0.0; 6]);
    let f = ale(&mu, q, &mut pi);
    let plain = |mu: &[f64]| mu.iter().map(|mu| (q * (mu - 1.0)).exp()).sum::<f64>().ln() / q + 1.0;
    assert!((f - plain(&mu)).abs() < 1e-14);
    check_gradient("ale", &pi, |at, by| {
        let mut mu = mu.clone();
        mu[at] += by;
        plain(&mu)
    });
}

#[test]
fn ada_softmin_is_finite_within_its_bounds_and_so_are_its_derivatives() {
    for reach in [0.0, 1e-9, 0.5, 20.0, 5000.0] {
        let distances: Vec<f64> = noise(2420, 1, 3).as_slice().iter().map(|u| reach * u * u).collect();
        let mut pi = vec![0.0; distances.len()];
        let farthest = distances.iter().copied().fold(0.0, f64::max);
        let q = ada_index(farthest);
        let log = ada(&distances, q, &mut pi);
        assert!(log.is_finite() && log >= -farthest - 1e-12 && log <= -farthest - 2420_f64.ln() / q + 1e-12, "{log}");
        assert!((-1000.0..=-1.0).contains(&q) && (pi.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
    // 690 / 0.7 is 985.7: ceil of the negative goes towards zero.
    assert_eq!([ada_index(0.0), ada_index(0.5), ada_index(0.7), ada_index(1e6)], [-1000.0, -1000.0, -985.0, -1.0]);
    let distances = [0.3, 1.0, 2.0, 2.2];
    let (q, mut pi) = (-3.0, [0.0; 4]);
    let log = ada(&distances, q, &mut pi);
    let plain = |ln_mu: &[f64]| (ln_mu.iter().map(|ln_mu| (q * ln_mu).exp()).sum::<f64>() / 4.0).powf(1.0 / q).ln();
    let ln_mu = distances.map(|distance: f64| -distance);
    assert!((log - plain(&ln_mu)).abs() < 1e-14);
    check_gradient("ada", &pi, |at, by| {
        let mut ln_mu = ln_mu;
        ln_mu[at] += by;
        plain(&ln_mu)
    });
}

#[test]
fn ref_softmin_is_the_power_mean_and_does_not_underflow() {
    let distances = [0.3_f64, 1.0, 2.0];
    let plain = (distances.iter().map(|d| (12.0 * d).exp()).sum::<f64>() / 3.0).powf(-1.0 / 12.0).ln();
    assert!((refined(&distances) - plain).abs() < 1e-14);
    let far: Vec<f64> = (0..2420).map(|at| f64::from(at) * 10.0).collect();
    assert!((refined(&far) + 24190.0).abs() < 2420_f64.ln() / 12.0 + 1e-9);
}

/// The large and the small system give the same predictions.
#[test]
fn ridge_regression_of_consequents_has_two_forms() {
    let (shares, x) = (noise(30, 3, 1), noise(30, 4, 2));
    let (other_shares, other_x, y) = (noise(5, 3, 3), noise(5, 4, 4), noise(30, 2, 5));
    let (learn, other) = (Rows { shares: &shares, x: &x }, Rows { shares: &other_shares, x: &other_x });
    let small = ridge_predictions(learn, &y, other, 0.1).unwrap();
    // Rules that never fire only change the size of the system.
    let wider = |m: &crate::linalg::Matrix| {
        crate::linalg::Matrix::from_fn(m.rows(), 9, |row, col| if col < 3 { m[(row, col)] } else { 0.0 })
    };
    let (wide_shares, wide_other) = (wider(&shares), wider(&other_shares));
    let (learn, other) = (Rows { shares: &wide_shares, x: &x }, Rows { shares: &wide_other, x: &other_x });
    let large = ridge_predictions(learn, &y, other, 0.1).unwrap();
    for (a, b) in small.as_slice().iter().zip(large.as_slice()) {
        assert!((a - b).abs() < 1e-10, "{a} {b}");
    }
}
