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
const TOLERANCE: f64 = 3e-10;
/// More solves than this, and the interval is halved instead.
const MAX_SOLVES: usize = 10;

/// All columns of the solution. `pole` is a lower bound of the eigenvalues of A; `factorise(centre)` gives the factor
/// of `A + centre I`.
pub(super) fn solve<F>(right: &Matrix, lambda: &[f64], pole: f64, factorise: F) -> Result<Matrix, LinalgError>
where
    F: Fn(f64) -> Result<Cholesky, LinalgError>,
{
    let mut solution = Matrix::zeros(right.rows(), right.cols());
    for group in split(lambda, |low, high| solve_count((high - low) / 2.0, low + (high - low) / 2.0 + pole)) {
        let centre = group.low + (group.high - group.low) / 2.0;
        // Columns that need most solves first, so that those still at work are always the first ones.
        let mut columns = group.columns;
        columns.sort_by(|&a, &b| (lambda[b] - centre).abs().total_cmp(&(lambda[a] - centre).abs()).then(a.cmp(&b)));
        let shifts: Vec<f64> = columns.iter().map(|&column| lambda[column] - centre).collect();
        let factor = factorise(centre)?;
        let mut start = select_columns(right, &columns);
        factor.solve_in_place(&mut start);
        let solved = semi_iterate(start, &shifts, centre + pole, &factor);
        for (at, &column) in columns.iter().enumerate() {
            solution.col_mut(column).copy_from_slice(solved.col(at));
        }
    }
    Ok(solution)
}

/// Solves that a shift of this size needs.
fn solve_count(shift: f64, reach: f64) -> Option<usize> {
    let ratio = shift.abs() / (4.0 * reach - 2.0 * shift.abs());
    (1..=MAX_SOLVES).find(|&count| shift == 0.0 || 2.0 * ratio.powi(count as i32) <= TOLERANCE)
}

/// Solves `(I + shift_j C) q_j = start_j` for every column; the shifts fall in size.
fn semi_iterate(start: Matrix, shifts: &[f64], reach: f64, factor: &Cholesky) -> Matrix {
    let mut columns: Vec<Column> = shifts.iter().map(|&shift| Column::new(shift, reach)).collect();
    let mut residual = start;
    let mut step = residual.clone();
    for (col, column) in columns.iter().enumerate() {
        step.col_mut(col).iter_mut().for_each(|value| *value /= column.centre);
    }
    let mut solution = step.clone();
    for done in 1..MAX_SOLVES {
        let active = columns.partition_point(|column| column.solves > done);
        if active == 0 {
            break;
        }
        let mut image = Matrix::zeros(step.rows(), active);
        image.as_mut_slice().copy_from_slice(&step.as_slice()[..step.rows() * active]);
        factor.solve_in_place(&mut image);
        for (col, column) in columns[..active].iter_mut().enumerate() {
            let (keep, add) = column.advance();
            let entries = residual.col_mut(col).iter_mut().zip(step.col_mut(col)).zip(solution.col_mut(col));
            for (((residual, step), solution), image) in entries.zip(image.col(col)) {
                *residual -= *step + column.shift * image;
                *step = keep * *step + add * *residual;
                *solution += *step;
            }
        }
    }
    solution
}

/// The recurrence of one column.
struct Column {
    shift: f64,
    /// Centre and half width of the spectrum of `I + shift C`.
    centre: f64,
    half: f64,
    ratio: f64,
    solves: usize,
}

impl Column {
    fn new(shift: f64, reach: f64) -> Self {
        let (centre, half) = (1.0 + shift / (2.0 * reach), (shift / (2.0 * reach)).abs().max(f64::MIN_POSITIVE));
        let solves = solve_count(shift, reach).unwrap_or(MAX_SOLVES);
        Self { shift, centre, half, ratio: half / centre, solves }
    }

    /// What the next step keeps of the last one, and how much of the residual it adds.
    fn advance(&mut self) -> (f64, f64) {
        let next = 1.0 / (2.0 * self.centre / self.half - self.ratio);
        let keep = next * self.ratio;
        self.ratio = next;
        (keep, 2.0 * next / self.half)
    }
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
        assert_eq!(solve_count(0.0, 0.99), Some(1));
        assert!(solve_count(0.0005, 1.49).unwrap() <= 3);
        assert!(error(&[1.5; 7], 0.1) < 1e-14);
    }
}
