//! Gradients of J and of its barrier `mu sum 1/F`, as derivatives of `objective`.
//!
//! The printed formulas have two slips: the gradient of P sums over h but keeps row i of X_hat and F, and that of F
//! lacks the factor `(x_hat_i P + p0)_j`. The tests hold these against finite differences.

use super::params::Params;
use crate::linalg::{Matrix, Plain, Transposed, add_product};
use std::ops::Range;

/// `dJ/dF_ir = 2 sum_o r_io G_io,r - mu / F_ir^2`, with G the rule outputs.
pub(super) fn firing(residuals: &Matrix, outputs: &Matrix, f: &Matrix, mu: f64) -> Matrix {
    let rules = f.cols();
    let mut gradient = Matrix::zeros(f.rows(), rules);
    for rule in 0..rules {
        let column = gradient.col_mut(rule);
        for (value, f) in column.iter_mut().zip(f.col(rule)) {
            *value = -mu / (f * f);
        }
        for output in 0..residuals.cols() {
            let said = outputs.col(output * rules + rule);
            for ((value, residual), said) in column.iter_mut().zip(residuals.col(output)).zip(said) {
                *value += 2.0 * residual * said;
            }
        }
    }
    gradient
}

/// `dJ/dP = 2 X_hat^T (r F) + 2 gamma P`, with `r F` the weighted firing.
pub(super) fn slopes(x_hat: &Matrix, weighted_firing: &Matrix, p: &Matrix, params: &Params) -> Matrix {
    let mut gradient = p.clone();
    gradient.as_mut_slice().iter_mut().for_each(|value| *value *= 2.0 * params.gamma);
    add_product(&mut gradient, 1.0, 2.0, Transposed(x_hat), Plain(weighted_firing));
    gradient
}

/// Some rows of column j of `dJ/dX_hat = 2 (r F) P^T + 2 alpha (X_hat - X Q)` into `out`, with `consequents` row j of P,
/// `x_hat` and `minus_projected` those rows of column j of X_hat and of `- X Q`.
#[inline(always)]
pub(super) fn representation(
    rows: Range<usize>,
    weighted_firing: &Matrix,
    consequents: impl Iterator<Item = f64>,
    (x_hat, minus_projected): (&[f64], &[f64]),
    params: &Params,
    out: &mut [f64],
) {
    for ((out, x_hat), minus) in out.iter_mut().zip(x_hat).zip(minus_projected) {
        *out = 2.0 * params.alpha * (x_hat + minus);
    }
    for (col, consequent) in consequents.enumerate() {
        let weighted = &weighted_firing.col(col)[rows.clone()];
        out.iter_mut().zip(weighted).for_each(|(out, weighted)| *out += 2.0 * consequent * weighted);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{model, objective::Terms, state::State};
    use super::*;
    use crate::linalg::product;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    struct Case {
        params: Params,
        state: State,
        y: Matrix,
        x: Matrix,
        q: Matrix,
        mu: f64,
    }

    /// J with the barrier, written out as plain sums over samples, outputs, rules and dimensions.
    fn naive(case: &Case) -> f64 {
        let (State { x_hat, f, p, p0 }, rules) = (&case.state, case.state.f.cols());
        let mut total = 0.0;
        for i in 0..f.rows() {
            for o in 0..case.y.cols() {
                let mut said = 0.0;
                for r in 0..rules {
                    let slope: f64 = (0..p.rows()).map(|j| x_hat[(i, j)] * p[(j, o * rules + r)]).sum();
                    said += f[(i, r)] * (slope + p0[o * rules + r]);
                }
                total += (said - case.y[(i, o)]).powi(2);
            }
            for j in 0..p.rows() {
                let projected: f64 = (0..case.x.cols()).map(|l| case.x[(i, l)] * case.q[(l, j)]).sum();
                total += case.params.alpha * (projected - x_hat[(i, j)]).powi(2);
            }
            total += (0..rules).map(|r| case.mu / f[(i, r)]).sum::<f64>();
        }
        total += case.params.gamma * p.as_slice().iter().map(|v| v * v).sum::<f64>();
        let rows = (0..case.q.rows()).map(|l| (0..p.rows()).map(|j| case.q[(l, j)].powi(2)).sum::<f64>().sqrt());
        total + case.params.beta * rows.sum::<f64>()
    }

    fn case(seed: u64) -> Case {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut pick = |low: usize, high: usize| rng.random_range(low..=high);
        let (n, m, d, rules, outputs) = (pick(3, 12), pick(2, 9), pick(1, 5), pick(1, 4), pick(1, 3));
        let rules = rules.min(n);
        let mut number = |low: f64, high: f64| rng.random_range(low..high);
        let (alpha, gamma) = (number(0.05, 3.0), number(0.05, 3.0));
        let params = Params { alpha, gamma, beta: number(0.05, 3.0), d, rules, ..Params::default() };
        let mut state = State::start(n, outputs, &params, seed);
        state.p0.iter_mut().for_each(|value| *value = number(-1.0, 1.0));
        let y = Matrix::from_fn(n, outputs, |_, _| number(1.0, 4.0));
        let x = Matrix::from_fn(n, m, |_, _| number(0.0, 1.0));
        let q = Matrix::from_fn(m, d, |_, _| number(-1.0, 1.0));
        Case { params, state, y, x, q, mu: number(0.01, 0.5) }
    }

    fn parts(case: &Case) -> (Matrix, Matrix, Matrix, Matrix) {
        let State { x_hat, f, p, p0 } = &case.state;
        let outputs = model::rule_outputs(&product(Plain(x_hat), Plain(p)), p0);
        let residuals = model::residuals(f, &outputs, &case.y);
        let weighted = model::weighted_firing(&residuals, f);
        let mut gap = x_hat.clone();
        add_product(&mut gap, 1.0, -1.0, Plain(&case.x), Plain(&case.q));
        (outputs, residuals, weighted, gap)
    }

    fn assert_is_derivative(case: &Case, gradient: &Matrix, entry: fn(&mut State) -> &mut Matrix) {
        let scale = gradient.norm_squared().sqrt().max(1e-3);
        for at in 0..gradient.as_slice().len() {
            let moved = |step: f64| {
                let mut state = case.state.clone();
                entry(&mut state).as_mut_slice()[at] += step;
                naive(&Case {
                    state,
                    params: case.params.clone(),
                    y: case.y.clone(),
                    x: case.x.clone(),
                    q: case.q.clone(),
                    ..*case
                })
            };
            // Four-point central differences: the error of the formula is of fourth order in the step.
            let step = 1e-3 * 0.1;
            let difference =
                (8.0 * (moved(step) - moved(-step)) - (moved(2.0 * step) - moved(-2.0 * step))) / (12.0 * step);
            let error = (difference - gradient.as_slice()[at]).abs() / scale;
            assert!(error < 1e-6, "entry {at}: {difference} against {}", gradient.as_slice()[at]);
        }
    }

    #[test]
    fn gradients_are_derivatives_of_the_objective() {
        for seed in 0..20 {
            let case = case(seed);
            let (outputs, residuals, weighted, gap) = parts(&case);
            let State { x_hat, f, p, .. } = &case.state;
            assert_is_derivative(&case, &firing(&residuals, &outputs, f, case.mu), |state| &mut state.f);
            assert_is_derivative(&case, &slopes(x_hat, &weighted, p, &case.params), |state| &mut state.p);
            let mut gradient = Matrix::zeros(x_hat.rows(), x_hat.cols());
            for j in 0..x_hat.cols() {
                let minus: Vec<f64> = gap.col(j).iter().zip(x_hat.col(j)).map(|(gap, x_hat)| gap - x_hat).collect();
                for rows in [0..2, 2..x_hat.rows()] {
                    let row = (0..p.cols()).map(|col| p[(j, col)]);
                    let parts = (&x_hat.col(j)[rows.clone()], &minus[rows.clone()]);
                    let out = &mut gradient.col_mut(j)[rows.clone()];
                    representation(rows, &weighted, row, parts, &case.params, out);
                }
            }
            assert_is_derivative(&case, &gradient, |state| &mut state.x_hat);
        }
    }

    #[test]
    fn the_terms_sum_to_the_naive_objective() {
        for seed in 0..20 {
            let case = case(seed);
            let (_, residuals, _, gap) = parts(&case);
            let lengths: f64 = case.q.row_norms_squared().into_iter().map(f64::sqrt).sum();
            let smooth = Terms::smooth(&residuals, &case.state.p, gap.norm_squared(), &case.params);
            let terms = Terms { sparsity: case.params.beta * lengths, ..smooth };
            let barrier: f64 = case.state.f.as_slice().iter().map(|f| case.mu / f).sum();
            let expected = naive(&case);
            assert!((terms.total() + barrier - expected).abs() < 1e-12 * expected.abs());
        }
    }
}
