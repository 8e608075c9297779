//! The orthonormal coefficients for given weights, by generalised power iteration.

use super::{Largest, Regression};
use crate::linalg::{LinalgError, Matrix, Plain, polar, product, scale_rows};

/// Steps at most, and the relative decrease of the objective at which they end.
const STEPS: usize = 50;
const SETTLED: f64 = 1e-6;
/// A relative rise that is rounding.
const ROUNDING: f64 = 1e-12;
/// Doublings after which a step is too short to matter.
const DOUBLINGS: usize = 60;

/// W from where it was; the objective does not rise.
pub(super) fn step(
    data: &Regression,
    spread: &[f64],
    mut w: Matrix,
    largest: &mut Largest,
) -> Result<Matrix, LinalgError> {
    let mut alpha = largest.estimate(|v| data.back(spread, &product(Plain(&data.x), Plain(&scale_rows(v, spread)))));
    if alpha == 0.0 {
        return Ok(w);
    }
    let mut residual = data.residual(spread, &w);
    for _ in 0..STEPS {
        let before = residual.norm_squared();
        let (next, left) = moved(data, spread, &w, &residual, &mut alpha)?;
        let after = left.norm_squared();
        if after <= before {
            (w, residual) = (next, left);
        }
        if before - after < SETTLED * before {
            break;
        }
    }
    Ok(w)
}

/// One step and its residual. Where the objective rises, alpha was below the largest eigenvalue and is doubled.
pub(super) fn moved(
    data: &Regression,
    spread: &[f64],
    w: &Matrix,
    residual: &Matrix,
    alpha: &mut f64,
) -> Result<(Matrix, Matrix), LinalgError> {
    let slope = data.back(spread, residual);
    let bound = residual.norm_squared() * (1.0 + ROUNDING);
    let mut doublings = 0;
    loop {
        let next = polar(&Matrix::from_fn(w.rows(), w.cols(), |row, col| *alpha * w[(row, col)] - slope[(row, col)]))?;
        let left = data.residual(spread, &next);
        if left.norm_squared() <= bound || doublings == DOUBLINGS {
            return Ok((next, left));
        }
        *alpha *= 2.0;
        doublings += 1;
    }
}
