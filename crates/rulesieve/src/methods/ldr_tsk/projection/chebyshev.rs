//! One Cholesky factor for all multipliers, by Chebyshev polynomials.
//!
//! The step of column j solves `(A + lambda_j I) e_j = b_j`. With C the inverse of `A + centre I` and
//! `delta_j = lambda_j - centre` this is `(I + delta_j C) e_j = C b_j`. The spectrum of C lies between 0 and `1 / reach`,
//! `reach = centre + pole`, where `pole` is a lower bound of the eigenvalues of A. So `e_j = p_j(C) C b_j` for a polynomial p_j
//! close to `1 / (1 + delta_j t)`. Its residual `1 - (1 + delta t) p(t)` is 1 at `t = -1 / delta` and must be small on the
//! spectrum: it is t times a Chebyshev polynomial of that spectrum. (The factor t makes it zero at t = 0, that is in rows that a
//! large weight keeps short: their error is as short as they are.) s solves with C leave at most about
//! `2 (|delta| / reach) (|delta| / (4 reach - 2 |delta|))^(s-1)` of `reach C e`: nine digits in three solves where the
//! multipliers lie within a thousandth of each other. (Plain refinement leaves `(|delta| / reach)^s`.)
//!
//! A step that takes most of q away must be more accurate than one that changes little. If the system that q solves has
//! eigenvalues from `before` on, `reach C e` may be `reach / before` times as long as the result `q + e`; the number of solves
//! allows for that.

use super::groups::split;
use crate::linalg::{Cholesky, LinalgError, Matrix, Solver, widest};

/// Bound on the error of a column, relative to that column of `q + e`.
const TOLERANCE: f64 = 8e-10;
/// An interval of multipliers that needs more solves is halved.
const MAX_SOLVES: usize = 10;

/// Lower bounds of eigenvalues.
#[derive(Debug, Clone, Copy)]
pub(super) struct Floor {
    /// Of A.
    pub(super) pole: f64,
    /// Of every system that a column of q solves.
    pub(super) before: f64,
}

/// Adds the step e to `q`. `right(column, q_j, out)` writes b_j, and `factorise(centre)` factorises `A + centre I`.
pub(super) fn add_step<R, F>(
    q: &mut Matrix,
    right: R,
    lambda: &[f64],
    floor: Floor,
    factorise: F,
) -> Result<(), LinalgError>
where
    R: Fn(usize, &[f64], &mut [f64]),
    F: Fn(f64) -> Result<Cholesky, LinalgError>,
{
    if lambda.iter().any(|lambda| !(lambda.is_finite() && lambda + floor.pole > 0.0)) {
        return Err(LinalgError::NotFinite);
    }
    let count = |shift: f64, reach: f64| solve_count(shift, reach, (reach / floor.before).max(1.0));
    let plan = |low: f64, high: f64| count((high - low) / 2.0, low + (high - low) / 2.0 + floor.pole);
    for group in split(lambda, plan) {
        let centre = group.low + (group.high - group.low) / 2.0;
        let (reach, shift) = (centre + floor.pole, |column: usize| lambda[column] - centre);
        // Columns with the largest shifts need the most solves: those that still need one are always the first ones.
        let mut columns = group.columns;
        columns.sort_by(|&a, &b| shift(b).abs().total_cmp(&shift(a).abs()).then(a.cmp(&b)));
        let coefficients =
            |&column: &usize| polynomial(shift(column) / reach, count(shift(column), reach).unwrap_or(MAX_SOLVES));
        let polynomials: Vec<Vec<f64>> = columns.iter().map(coefficients).collect();
        let solver = Solver::new(&factorise(centre)?);
        let mut power = Matrix::zeros(q.rows(), columns.len());
        columns.iter().enumerate().for_each(|(at, &column)| right(column, q.col(column), power.col_mut(at)));
        for exponent in 0..polynomials[0].len() {
            let active = polynomials.partition_point(|polynomial| polynomial.len() > exponent);
            solver.solve_first_columns(&mut power, active);
            let scale = reach.powi(exponent as i32);
            widest!(|| for (at, &column) in columns.iter().enumerate().take(active) {
                let factor = scale * polynomials[at][exponent];
                q.col_mut(column).iter_mut().zip(power.col(at)).for_each(|(q, power)| *q += factor * power);
            });
        }
    }
    Ok(())
}

/// Solves that a shift from the centre needs where `reach C e` has at most `length` times the length of the result.
fn solve_count(shift: f64, reach: f64, length: f64) -> Option<usize> {
    let shift = shift.abs();
    let (first, ratio) = (2.0 * shift / reach * length, shift / (4.0 * reach - 2.0 * shift));
    (1..=MAX_SOLVES).find(|&count| shift == 0.0 || first * ratio.powi(count as i32 - 1) <= TOLERANCE)
}

/// The coefficients of p in powers of `u = reach t`, the lowest first, one for each solve; `ratio` is `delta / reach`.
fn polynomial(ratio: f64, solves: usize) -> Vec<f64> {
    if solves == 1 {
        return vec![1.0];
    }
    // The residual is u T(sign (1 - 2 u)), T of degree s - 1, over its value at u = -1 / ratio, both by the recurrence
    // T_k+1 = 2 z T_k - T_k-1.
    let (slope, at_one) = (-2.0 * ratio.signum(), (2.0 + ratio) / ratio.abs());
    let (mut before, mut now) = (vec![1.0], vec![ratio.signum(), slope]);
    let (mut scale_before, mut scale) = (1.0, at_one);
    for _ in 2..solves {
        let mut next = vec![0.0; now.len() + 1];
        for (power, &value) in now.iter().enumerate() {
            next[power] += 2.0 * ratio.signum() * value;
            next[power + 1] += 2.0 * slope * value;
        }
        before.iter().enumerate().for_each(|(power, value)| next[power] -= value);
        (before, now) = (now, next);
        (scale_before, scale) = (scale, 2.0 * at_one * scale - scale_before);
    }
    // p (1 + ratio u) = 1 - residual, divided from the lowest power on; one more coefficient would come out as zero.
    let mut coefficients = vec![1.0];
    let mut last = 1.0;
    for value in &now[..solves - 1] {
        last = ratio * (value / scale - last);
        coefficients.push(last);
    }
    coefficients
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagonal(values: &[f64], shift: f64) -> Result<Cholesky, LinalgError> {
        Cholesky::new(Matrix::from_fn(values.len(), values.len(), |i, j| if i == j { values[i] + shift } else { 0.0 }))
    }

    /// Diagonal A with eigenvalues from the pole upwards: the bound is attained at the pole.
    fn error(lambda: &[f64], pole: f64) -> f64 {
        let eigenvalues: Vec<f64> = (0..12).map(|i| pole + 0.3 * f64::from(i).powi(2)).collect();
        let mut solved = Matrix::zeros(12, lambda.len());
        let (floor, ones) =
            (Floor { pole, before: f64::INFINITY }, |_: usize, _: &[f64], out: &mut [f64]| out.fill(1.0));
        add_step(&mut solved, ones, lambda, floor, |centre| diagonal(&eigenvalues, centre)).unwrap();
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

    /// A step that leaves a thousandth of q, and one that leaves nearly all of it.
    #[test]
    fn long_and_short_steps_are_exact_in_every_row() {
        let (order, cols) = (12, 40);
        for (pole, before, share) in [(2000.0, 2.0, 0.999), (0.2, 2.0, 1e-3)] {
            let eigenvalues: Vec<f64> = (0..order).map(|i| pole + 0.3 * (i * i) as f64).collect();
            for spread in [0.01, 0.3] {
                let lambda: Vec<f64> = (0..cols).map(|j| 1.0 + spread * j as f64 / (cols - 1) as f64).collect();
                let right = |column: usize, _: &[f64], out: &mut [f64]| {
                    let entries = out.iter_mut().zip(&eigenvalues);
                    entries.for_each(|(out, eigenvalue)| *out = -share * (eigenvalue + lambda[column]));
                };
                let mut q = Matrix::from_fn(order, cols, |_, _| 1.0);
                let floor = Floor { pole, before };
                add_step(&mut q, right, &lambda, floor, |centre| diagonal(&eigenvalues, centre)).unwrap();
                let worst = q.as_slice().iter().map(|found| (found / (1.0 - share) - 1.0).abs()).fold(0.0, f64::max);
                assert!(worst < 1e-9, "{share}, {spread}: {worst}");
            }
        }
    }

    #[test]
    fn equal_multipliers_take_one_solve_and_long_steps_take_more() {
        assert_eq!(solve_count(0.0, 1.49, 1.0), Some(1));
        assert!(solve_count(0.0005, 1.49, 1.0).unwrap() <= 3);
        assert!(solve_count(0.0005, 1.49, 1e6).unwrap() > 3);
        assert!(error(&[1.5; 7], 0.1) < 1e-14);
    }
}
