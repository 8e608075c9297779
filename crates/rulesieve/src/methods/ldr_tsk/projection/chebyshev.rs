//! One Cholesky factor for every multiplier, by Chebyshev polynomials.
//!
//! The step of column j solves `(A + lambda_j I) e_j = b_j`. With C the inverse of `A + centre I` and
//! `delta_j = lambda_j - centre` this is `(I + delta_j C) e_j = C b_j`, and C has its spectrum between 0 and
//! `1 / reach`, `reach = centre + pole`. So `e_j = p_j(C) C b_j` for a polynomial p_j near `1 / (1 + delta_j t)`. What it
//! leaves, `1 - (1 + delta t) p(t)`, is 1 at `t = -1 / delta`, and should be small on the spectrum: a Chebyshev
//! polynomial of that spectrum, times t. (That factor makes it vanish at 0, where those rows live that a large weight
//! keeps shorter than the others: their error is as short as they are.) s solves with C leave at most about
//! `8 (|delta| / (4 reach - 2 |delta|))^s` of `reach C e`, nine digits in three solves where the multipliers lie within
//! a thousandth of each other. (Plain refinement leaves `(|delta| / reach)^s`.)
//!
//! A step that takes most of q away leaves little of it: when the system that q solves has eigenvalues from `before`
//! on, `q + e` may be `before / reach` times as long as e, and e has to be that much more exact. Mostly it is the other
//! way round: steps are short, and C makes them shorter. After two solves the rows of `reach C e` are known well enough to
//! see how many more are needed. (The polynomial may mix rows, so for single rows this is an estimate, with a margin; the
//! tests hold every row to 1e-9.)

use super::groups::split;
use super::past::{Term, Unknown};
use crate::linalg::{Cholesky, LinalgError, Matrix, Solver, widest};

/// What may be left of a row, relative to that row of `q + e`.
const TOLERANCE: f64 = 8e-10;
/// By how much rows may be longer than estimated, because polynomials mix them.
const MARGIN: f64 = 2.0;
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

/// Solves for a step, where `factorise(centre)` gives the factor of `A + centre I`.
pub(super) fn solve<F>(mut unknown: Unknown, floor: Floor, factorise: F) -> Result<(), LinalgError>
where
    F: Fn(f64) -> Result<Cholesky, LinalgError>,
{
    let lambda = unknown.lambda().to_vec();
    if lambda.iter().any(|lambda| !(lambda.is_finite() && lambda + floor.pole > 0.0)) {
        return Err(LinalgError::NotFinite);
    }
    if lambda.is_empty() {
        return Ok(());
    }
    let length = |reach: f64| (reach / floor.before).max(1.0);
    let plan = |low: f64, high: f64| {
        let reach = low + (high - low) / 2.0 + floor.pole;
        solve_count((high - low) / 2.0, reach, length(reach))
    };
    for group in split(&lambda, plan) {
        let centre = group.low + (group.high - group.low) / 2.0;
        // Columns that need most solves first, so that those still at work are always the first ones.
        let mut columns = group.columns;
        columns.sort_by(|&a, &b| (lambda[b] - centre).abs().total_cmp(&(lambda[a] - centre).abs()).then(a.cmp(&b)));
        let shifts: Vec<f64> = columns.iter().map(|&column| lambda[column] - centre).collect();
        let solver = Solver::new(&factorise(centre)?);
        let mut start = Matrix::zeros(unknown.rows(), columns.len());
        columns.iter().enumerate().for_each(|(at, &column)| unknown.start(column, start.col_mut(at)));
        solver.solve_first_columns(&mut start, columns.len());
        let reach = centre + floor.pole;
        Columns { columns, shifts, reach, solver }.solve(&mut unknown, start, length(reach));
    }
    unknown.finish();
    Ok(())
}

/// Solves that a shift from the centre needs where `reach C e` has at most `length` times the length of the result.
fn solve_count(shift: f64, reach: f64, length: f64) -> Option<usize> {
    let shift = shift.abs();
    let (first, ratio) = (2.0 * shift / reach * length, shift / (4.0 * reach - 2.0 * shift));
    (1..=MAX_SOLVES).find(|&count| shift == 0.0 || first * ratio.powi(count as i32 - 1) <= TOLERANCE)
}

/// The columns of one centre, the largest shifts first.
struct Columns {
    columns: Vec<usize>,
    shifts: Vec<f64>,
    reach: f64,
    solver: Solver,
}

impl Columns {
    /// Adds `p_j(C) start_j` to column j, with `start = C b`. `reach C e` has at most `length` times the length of the result,
    /// if all of the step is still to be found.
    fn solve(&self, unknown: &mut Unknown, start: Matrix, length: f64) {
        let mut counts = self.solve_counts(length);
        let second = counts.partition_point(|&count| count > 1);
        let mut power = start.clone();
        self.solver.solve_first_columns(&mut power, second);
        let guessed = unknown.is_guessed();
        if second > 0 && (counts[0] > 2 || guessed) {
            let length = self.longest_row(unknown, &start, &power, second);
            // `start` stands for e, from which it differs by at most this share of `reach C e`.
            let ratio = self.shifts[0].abs() / self.reach;
            let sure = 1.0 - ratio * (1.0 + length);
            let seen = if sure > 0.0 { MARGIN * length / sure } else { f64::INFINITY };
            // What a guess leaves has no bound but what is seen of it.
            let most = |count: usize| if guessed { MAX_SOLVES } else { count };
            let seen = self.solve_counts(seen);
            counts[..second].iter_mut().zip(seen).for_each(|(count, seen)| *count = seen.clamp(2, most(*count)));
        }
        let coefficients = |(shift, &count): (&f64, &usize)| polynomial(shift / self.reach, count);
        let polynomials: Vec<Vec<f64>> = self.shifts.iter().zip(&counts).map(coefficients).collect();
        // The first two powers together: what they are added to is read once.
        widest!(|| for (at, &column) in self.columns.iter().enumerate() {
            let first = self.term(at, &polynomials[at], 0, &start);
            if at < second {
                unknown.add(column, [first, self.term(at, &polynomials[at], 1, &power)]);
            } else {
                unknown.add(column, [first]);
            }
        });
        for exponent in 2..counts.first().copied().unwrap_or(0) {
            let active = counts.partition_point(|&count| count > exponent);
            self.solver.solve_first_columns(&mut power, active);
            widest!(|| for (at, &column) in self.columns.iter().enumerate().take(active) {
                unknown.add(column, [self.term(at, &polynomials[at], exponent, &power)]);
            });
        }
    }

    fn solve_counts(&self, length: f64) -> Vec<usize> {
        let count = |&shift: &f64| solve_count(shift, self.reach, length).unwrap_or(MAX_SOLVES);
        self.shifts.iter().map(count).collect()
    }

    /// The longest row of `reach C start`, relative to the same row of the result, `q + start` but for the shifts.
    fn longest_row(&self, unknown: &Unknown, start: &Matrix, solved: &Matrix, cols: usize) -> f64 {
        let (mut image, mut result) = (vec![0.0; start.rows()], vec![0.0; start.rows()]);
        widest!(|| for (at, &column) in self.columns.iter().enumerate() {
            unknown.add_squares(column, start.col(at), &mut result);
            if at < cols {
                image.iter_mut().zip(solved.col(at)).for_each(|(sum, value)| *sum += value * value);
            }
        });
        let ratios = image.iter().zip(&result).filter(|(image, _)| **image > 0.0);
        self.reach * ratios.map(|(image, result)| image / result).fold(0.0, f64::max).sqrt()
    }

    /// `c_jk (reach C)^k start_j`, where `power` is `C^k start`.
    fn term<'v>(&self, at: usize, coefficients: &[f64], exponent: usize, power: &'v Matrix) -> Term<'v> {
        let scale = self.reach.powi(exponent as i32);
        let (now, next) = (coefficients[exponent], coefficients.get(exponent + 1).copied().unwrap_or(0.0));
        // `1 - (1 + delta t) p(t)`: the coefficient of that power of t.
        let rest = -scale * (self.reach * next + self.shifts[at] * now);
        Term { vector: power.col(at), solution: scale * now, rest }
    }
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

#[cfg(test)]
mod tests {
    use super::super::past::Past;
    use super::*;

    /// Diagonal A with eigenvalues from the pole upwards: the bound is attained at the pole.
    fn error(lambda: &[f64], pole: f64) -> f64 {
        let eigenvalues: Vec<f64> = (0..12).map(|i| pole + 0.3 * f64::from(i).powi(2)).collect();
        let factorise = |centre: f64| {
            Cholesky::new(Matrix::from_fn(12, 12, |i, j| if i == j { eigenvalues[i] + centre } else { 0.0 }))
        };
        let mut solved = Matrix::zeros(12, lambda.len());
        let (floor, mut past) = (Floor { pole, before: f64::INFINITY }, Past::default());
        let unknown = past.next(&mut solved, &|_, _, out| out.fill(1.0), &eigenvalues, lambda);
        solve(unknown, floor, factorise).unwrap();
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

    /// A diagonal system, so that all is known: q is long, and the step takes a thousandth of it away.
    #[test]
    fn short_steps_take_fewer_solves_and_stay_exact() {
        let (order, cols, pole) = (12, 40, 0.2);
        let eigenvalue = |i: usize| pole + 0.3 * (i * i) as f64;
        for spread in [0.01, 0.3] {
            let lambda: Vec<f64> = (0..cols).map(|j| 1.0 + spread * j as f64 / (cols - 1) as f64).collect();
            let right = |i: usize| -1e-3 * (1.0 + i as f64 / 20.0);
            let mut q = Matrix::from_fn(order, cols, |_, _| 1.0);
            let factorise = |centre: f64| {
                let entry = |i: usize, j: usize| if i == j { eigenvalue(i) + centre } else { 0.0 };
                Cholesky::new(Matrix::from_fn(order, order, entry))
            };
            let write =
                |_: usize, _: &[f64], out: &mut [f64]| out.iter_mut().enumerate().for_each(|(i, o)| *o = right(i));
            let diagonal: Vec<f64> = (0..order).map(eigenvalue).collect();
            let (floor, mut past) = (Floor { pole, before: 2.0 }, Past::default());
            solve(past.next(&mut q, &write, &diagonal, &lambda), floor, factorise).unwrap();
            for (j, lambda) in lambda.iter().enumerate() {
                for i in 0..order {
                    let exact = 1.0 + right(i) / (eigenvalue(i) + lambda);
                    assert!((q[(i, j)] / exact - 1.0).abs() < 1e-9, "{i} {j}: {} {exact}", q[(i, j)]);
                }
            }
            let centre = 1.0 + spread / 2.0;
            let (shifts, solver) =
                (lambda.iter().map(|l| l - centre).collect(), Solver::new(&factorise(centre).unwrap()));
            let steps = Columns { columns: (0..cols).collect(), shifts, reach: centre + pole, solver };
            let start = Matrix::from_fn(order, cols, |i, _| right(i) / (eigenvalue(i) + centre));
            let power = Matrix::from_fn(order, cols, |i, _| right(i) / (eigenvalue(i) + centre).powi(2));
            let (mut ones, mut past) = (Matrix::from_fn(order, cols, |_, _| 1.0), Past::default());
            let mut unknown = past.next(&mut ones, &write, &diagonal, &lambda);
            (0..cols).for_each(|column| unknown.start(column, &mut vec![0.0; order]));
            let length = steps.longest_row(&unknown, &start, &power, cols);
            let image = (steps.reach * power[(0, 0)] / (1.0 + start[(0, 0)])).abs();
            assert!((length / image - 1.0).abs() < 1e-12, "the first row is the longest: {length} {image}");
            let (full, fewer) = (steps.solve_counts(1.0)[0], steps.solve_counts(MARGIN * length)[0]);
            assert!(fewer < full, "spread {spread}: {fewer} of {full}");
        }
    }

    #[test]
    fn equal_multipliers_take_one_solve_and_short_rests_take_more() {
        assert_eq!(solve_count(0.0, 1.49, 1.0), Some(1));
        assert!(solve_count(0.0005, 1.49, 1.0).unwrap() <= 3);
        assert!(solve_count(0.0005, 1.49, 1e6).unwrap() > 3);
        assert!(error(&[1.5; 7], 0.1) < 1e-14);
    }
}
