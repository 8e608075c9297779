//! One Cholesky factor for every multiplier, by Chebyshev polynomials.
//!
//! The step of column j solves `(A + lambda_j I) e_j = b_j`. With C the inverse of `A + centre I` and
//! `delta_j = lambda_j - centre` this is `(I + delta_j C) e_j = C b_j`, and C has its spectrum between 0 and
//! `1 / reach`, `reach = centre + pole`. So `e_j = p_j(C) C b_j` for a polynomial p_j near `1 / (1 + delta_j t)`. What it
//! leaves, `1 - (1 + delta t) p(t)`, is 1 at `t = -1 / delta`, and should be small on the spectrum: a Chebyshev
//! polynomial of that spectrum, times t. (That factor makes it vanish at 0, where those rows live that a large weight
//! keeps shorter than the others: their error is as short as they are.) s solves with C leave at most about
//! `8 (|delta| / (4 reach - 2 |delta|))^s` of the step, nine digits in three solves where the multipliers lie within a
//! thousandth of each other. (Plain refinement leaves `(|delta| / reach)^s`.) Horner's rule takes the solves in place,
//! all columns together, each from its own highest power on.
//!
//! A step that takes most of q away leaves little of it: when the system that q solves has eigenvalues from `before`
//! on, `q + e` may be `before / reach` times as long as e, and e has to be that much more exact.

use super::groups::split;
use crate::linalg::{Cholesky, LinalgError, Matrix, widest};

/// Bound on the error relative to `q + e`.
const TOLERANCE: f64 = 8e-10;
/// More solves than this, and the interval is halved instead.
const MAX_SOLVES: usize = 10;

/// Lower bounds of eigenvalues.
#[derive(Debug, Clone, Copy)]
pub(super) struct Floor {
    /// Of A.
    pub(super) pole: f64,
    /// Of every system that a column of q solves.
    pub(super) before: f64,
}

/// Adds the step to `q`, where `right(column, q_column, out)` writes a right-hand side and `factorise(centre)` gives the
/// factor of `A + centre I`.
pub(super) fn add_solution<R, F>(
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
    if lambda.is_empty() {
        return Ok(());
    }
    let plan = |low: f64, high: f64| solve_count((high - low) / 2.0, low + (high - low) / 2.0, floor);
    for group in split(lambda, plan) {
        let centre = group.low + (group.high - group.low) / 2.0;
        // Columns that need most solves first, so that those still at work are always the first ones.
        let mut columns = group.columns;
        columns.sort_by(|&a, &b| (lambda[b] - centre).abs().total_cmp(&(lambda[a] - centre).abs()).then(a.cmp(&b)));
        let reach = centre + floor.pole;
        let coefficients = |column: &usize| {
            let shift = lambda[*column] - centre;
            polynomial(shift / reach, solve_count(shift, centre, floor).unwrap_or(MAX_SOLVES))
        };
        let polynomials: Vec<Vec<f64>> = columns.iter().map(coefficients).collect();
        let factor = factorise(centre)?;
        let mut start = Matrix::zeros(q.rows(), columns.len());
        columns.iter().enumerate().for_each(|(at, &column)| right(column, q.col(column), start.col_mut(at)));
        factor.solve_in_place(&mut start);
        let solved = evaluate(&polynomials, &start, reach, &factor);
        for (at, &column) in columns.iter().enumerate() {
            q.col_mut(column).iter_mut().zip(solved.col(at)).for_each(|(q, change)| *q += change);
        }
    }
    Ok(())
}

/// Solves that a shift of this size from the centre needs.
fn solve_count(shift: f64, centre: f64, floor: Floor) -> Option<usize> {
    let (shift, reach) = (shift.abs(), centre + floor.pole);
    let ratio = shift / (4.0 * reach - 2.0 * shift);
    let first = 2.0 * shift / reach.min(floor.before);
    (1..=MAX_SOLVES).find(|&count| shift == 0.0 || first * ratio.powi(count as i32 - 1) <= TOLERANCE)
}

/// The coefficients of p in powers of `u = reach t`, the lowest first, one a solve; `ratio` is `delta / reach`.
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

/// `sum_k c_jk (reach C)^k start_j` for every column; those of more coefficients come first.
fn evaluate(polynomials: &[Vec<f64>], start: &Matrix, reach: f64, factor: &Cholesky) -> Matrix {
    let mut sum = Matrix::zeros(start.rows(), start.cols());
    let most = polynomials.first().map_or(0, Vec::len);
    for power in (0..most).rev() {
        let begun = polynomials.partition_point(|coefficients| coefficients.len() > power + 1);
        let active = polynomials.partition_point(|coefficients| coefficients.len() > power);
        factor.solve_first_columns(&mut sum, begun);
        widest!(|| {
            for (col, coefficients) in polynomials[..active].iter().enumerate() {
                let coefficient = coefficients[power];
                let entries = sum.col_mut(col).iter_mut().zip(start.col(col));
                if col < begun {
                    entries.for_each(|(sum, start)| *sum = reach * *sum + coefficient * start);
                } else {
                    entries.for_each(|(sum, start)| *sum = coefficient * start);
                }
            }
        });
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Diagonal A with eigenvalues from the pole upwards: the bound is attained at the pole.
    fn error(lambda: &[f64], pole: f64) -> f64 {
        let eigenvalues: Vec<f64> = (0..12).map(|i| pole + 0.3 * f64::from(i).powi(2)).collect();
        let factorise = |centre: f64| {
            Cholesky::new(Matrix::from_fn(12, 12, |i, j| if i == j { eigenvalues[i] + centre } else { 0.0 }))
        };
        let mut solved = Matrix::zeros(12, lambda.len());
        let floor = Floor { pole, before: f64::INFINITY };
        add_solution(&mut solved, |_, _, out| out.fill(1.0), lambda, floor, factorise).unwrap();
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
    fn equal_multipliers_take_one_solve_and_short_rests_take_more() {
        let floor = Floor { pole: 0.5, before: 2.0 };
        assert_eq!(solve_count(0.0, 0.99, floor), Some(1));
        assert!(solve_count(0.0005, 0.99, floor).unwrap() <= 3);
        assert!(solve_count(0.0005, 0.99, Floor { before: 1e-6, ..floor }).unwrap() > 3);
        assert!(error(&[1.5; 7], 0.1) < 1e-14);
    }
}
