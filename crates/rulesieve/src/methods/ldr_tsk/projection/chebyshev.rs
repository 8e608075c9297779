//! One Cholesky factor for every multiplier, by the Chebyshev semi-iteration.
//!
//! Column j solves `(A + lambda_j I) q_j = b_j`. With C the inverse of `A + centre I` and `delta_j = lambda_j - centre`
//! this is `(I + delta_j C) q_j = C b_j`, and C has its spectrum between 0 and `1 / reach`, `reach = centre + pole`.
//! The semi-iteration minimises the error over that spectrum: s solves with C leave at most
//! `2 (|delta| / (4 reach))^s` of the solution, ten digits in three solves where the multipliers lie within a
//! thousandth of each other. (Plain refinement leaves `(|delta| / reach)^s`.)

use super::groups::split;
use super::select_columns;
use crate::linalg::{Cholesky, LinalgError, Matrix};

/// Bound on the relative error.
const TOLERANCE: f64 = 5e-10;
/// More solves than this, and the interval is halved instead.
const MAX_SOLVES: usize = 10;

/// All columns of the solution. `pole` is a lower bound of the eigenvalues of A; `factorise(centre)` gives the factor
/// of `A + centre I`.
pub(super) fn solve<F>(right: &Matrix, lambda: &[f64], pole: f64, factorise: F) -> Result<Matrix, LinalgError>
where
    F: Fn(f64) -> Result<Cholesky, LinalgError>,
{
    let mut solution = Matrix::zeros(right.rows(), right.cols());
    for group in split(lambda, |low, high| solve_count(low, high, pole)) {
        let centre = group.low + (group.high - group.low) / 2.0;
        let own: Vec<f64> = group.columns.iter().map(|&column| lambda[column] - centre).collect();
        let mut start = select_columns(right, &group.columns);
        let factor = factorise(centre)?;
        factor.solve_in_place(&mut start);
        let solved = semi_iterate(start, &own, centre + pole, group.plan, &factor);
        for (at, &column) in group.columns.iter().enumerate() {
            solution.col_mut(column).copy_from_slice(solved.col(at));
        }
    }
    Ok(solution)
}

fn solve_count(low: f64, high: f64, pole: f64) -> Option<usize> {
    let (half, centre) = ((high - low) / 2.0, low + (high - low) / 2.0);
    let ratio = half / (4.0 * (centre + pole) - 2.0 * half);
    (1..=MAX_SOLVES).find(|&count| half == 0.0 || 2.0 * ratio.powi(count as i32) <= TOLERANCE)
}

/// Solves `(I + delta_j C) q_j = start_j` for every column, `count - 1` times applying C.
fn semi_iterate(start: Matrix, delta: &[f64], reach: f64, count: usize, factor: &Cholesky) -> Matrix {
    // Centre and half width of the spectrum of I + delta C.
    let (centre, half): (Vec<f64>, Vec<f64>) =
        delta.iter().map(|delta| (1.0 + delta / (2.0 * reach), (delta / (2.0 * reach)).abs())).unzip();
    let mut ratio: Vec<f64> = half.iter().zip(&centre).map(|(half, centre)| half / centre).collect();
    let mut residual = start;
    let mut step = residual.clone();
    for (col, centre) in centre.iter().enumerate() {
        step.col_mut(col).iter_mut().for_each(|value| *value /= centre);
    }
    let mut solution = step.clone();
    for _ in 1..count {
        let mut image = step.clone();
        factor.solve_in_place(&mut image);
        for col in 0..delta.len() {
            let next = 1.0 / (2.0 * centre[col] / half[col].max(f64::MIN_POSITIVE) - ratio[col]);
            let (keep, add) = (next * ratio[col], 2.0 * next / half[col].max(f64::MIN_POSITIVE));
            ratio[col] = next;
            let columns = residual.col_mut(col).iter_mut().zip(step.col_mut(col)).zip(solution.col_mut(col));
            for (((residual, step), solution), image) in columns.zip(image.col(col)) {
                *residual -= *step + delta[col] * image;
                *step = keep * *step + add * *residual;
                *solution += *step;
            }
        }
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Diagonal A with eigenvalues from the pole upwards: the bound is attained at the pole.
    fn error(lambda: &[f64], pole: f64) -> f64 {
        let eigenvalues: Vec<f64> = (0..12).map(|i| pole + 0.3 * f64::from(i).powi(2)).collect();
        let ones = Matrix::from_fn(12, lambda.len(), |_, _| 1.0);
        let factorise = |centre: f64| {
            Cholesky::new(&Matrix::from_fn(12, 12, |i, j| if i == j { eigenvalues[i] + centre } else { 0.0 }))
        };
        let solved = solve(&ones, lambda, pole, factorise).unwrap();
        let mut worst = 0.0_f64;
        for (j, lambda) in lambda.iter().enumerate() {
            for (i, eigenvalue) in eigenvalues.iter().enumerate() {
                worst = worst.max((solved[(i, j)] * (lambda + eigenvalue) - 1.0).abs());
            }
        }
        worst
    }

    #[test]
    fn solves_to_the_promised_accuracy_for_any_spread() {
        for (low, high) in [(0.99, 0.991), (0.99, 1.05), (1.25, 1.6), (1e-6, 1.0), (1.0, 1e6)] {
            for pole in [1e-9, 0.5] {
                let lambda: Vec<f64> = (0..60).map(|j| low + (high - low) * (f64::from(j) / 59.0).powi(3)).collect();
                assert!(error(&lambda, pole) < 1e-9, "{low}..{high}, pole {pole}: {}", error(&lambda, pole));
            }
        }
    }

    #[test]
    fn equal_multipliers_take_one_solve() {
        assert_eq!(solve_count(0.99, 0.99, 0.0), Some(1));
        assert!(solve_count(0.99, 0.991, 0.5).unwrap() <= 3);
        assert!(error(&[1.5; 7], 0.1) < 1e-14);
    }
}
