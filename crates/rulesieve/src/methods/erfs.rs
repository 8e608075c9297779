//! `erfs`: joint l2,1-norms minimisation (Nie, Huang, Cai and Ding, NIPS 2010), also known as RFS.
//!
//! `min_W |X W - Y|_{2,1} + gamma |W|_{2,1}` with indicators Y: the length, not its square, of every residual, so that
//! outliers have limited influence; whole rows of W become small, and their lengths are the scores. The problem is
//! convex. Reweighted least squares in two equivalent forms: with weights `p_i = 1 / |residual_i|` and `s_j = |w^j|`
//!
//! - *primal* (m <= n): `W = (X^T P X + gamma S^-1)^-1 X^T P Y`, an m x m system;
//! - *dual* (n < m): `W = S X^T (X S X^T + gamma P^-1)^-1 Y`, an n x n system without any m x m matrix.
//!
//! Lengths are smoothed, `sqrt(|w|^2 + 1e-10)`; the smoothed objective never rises. A column of ones models the bias;
//! its row is penalised as in the article and is not ranked. The columns of a category count as one row.

use super::settings::params;
use super::shared::{Course, block_lengths, one_hot, smoothed_lengths, sum_of_lengths};
use super::{Certainty, Fit, FitError, MethodInfo, Prepared, Problem, Settings};
use crate::linalg::{
    Cholesky, LinalgError, Matrix, Plain, Transposed, add_product, product, scale_rows, weighted_grams,
};
use crate::optim::Observer;
use std::ops::Range;

params! { SPECS:
    GAMMA = "gamma", N(1.0), Number(1e-9, 1e9), "weight of |W|_{2,1}";
    BIAS = "bias", Word("yes"), OneOf(&["yes", "no"]), "whether a column of ones is added";
    FORM = "form", Word("auto"), OneOf(&["auto", "primal", "dual"]), "which system is solved; auto: the smaller one";
    ITERATIONS = "iterations", W(100), Whole(1, 1_000_000), "maximum number of iterations";
    TOLERANCE = "tolerance", N(1e-6), Number(0.0, 1.0), "relative change of the objective to stop at; 0: never";
}

static GRID: [f64; 5] = [0.01, 0.1, 1.0, 10.0, 100.0];

pub(super) static INFO: MethodInfo = MethodInfo {
    name: "erfs",
    title: "erfs",
    summary: "regression on the classes with l2,1 norms of residuals and of rows of coefficients",
    source: "Nie, Huang, Cai and Ding, NIPS 2010",
    certainty: Certainty::Article,
    cost: "O(n^2 m + n^3) an iteration for n < m, else O(n m^2 + m^3)",
    grid: &[("gamma", &GRID)],
    params: &SPECS,
    ..MethodInfo::DEFAULT
};

pub(super) fn prepare(problem: Problem<'_>) -> Result<Box<dyn Prepared + '_>, FitError> {
    Ok(Box::new(OnRows { y: one_hot(problem.target), problem }))
}

struct OnRows<'a> {
    problem: Problem<'a>,
    y: Matrix,
}

impl Prepared for OnRows<'_> {
    fn fit(&self, settings: &Settings, _: u64, observer: &mut dyn Observer) -> Result<Fit, FitError> {
        let blocks = &self.problem.design.blocks;
        let x = match settings.word(&BIAS) {
            "yes" => with_ones(&self.problem.design.x),
            _ => self.problem.design.x.clone(),
        };
        let dual = match settings.word(&FORM) {
            "auto" => x.rows() < x.cols(),
            form => form == "dual",
        };
        let regression = Regression { x: &x, y: &self.y, gamma: settings.number(&GAMMA), blocks };
        let mut course = Course::new(observer, settings.whole(&ITERATIONS), settings.number(&TOLERANCE));
        let mut w = regression.step(&vec![1.0; x.cols()], &vec![1.0; x.rows()], dual)?;
        loop {
            let (columns, residuals) = regression.lengths(&w);
            let gain = regression.gamma * sum_of_lengths(&columns, blocks);
            if !course.goes_on(vec![residuals.iter().sum(), gain])? {
                break;
            }
            w = regression.step(&columns, &residuals, dual)?;
        }
        Ok(Fit {
            scores: block_lengths(&w, blocks),
            iteration: Some(course.finish(&["residuals", "sparsity"])),
            ..Fit::default()
        })
    }
}

fn with_ones(x: &Matrix) -> Matrix {
    let mut out = Matrix::zeros(x.rows(), x.cols() + 1);
    out.as_mut_slice()[..x.as_slice().len()].copy_from_slice(x.as_slice());
    out.col_mut(x.cols()).fill(1.0);
    out
}

struct Regression<'a> {
    x: &'a Matrix,
    y: &'a Matrix,
    gamma: f64,
    blocks: &'a [Range<usize>],
}

impl Regression<'_> {
    /// Smoothed lengths of the rows of W, feature by feature, and of the residuals.
    fn lengths(&self, w: &Matrix) -> (Vec<f64>, Vec<f64>) {
        let mut residual = self.y.clone();
        add_product(&mut residual, 1.0, -1.0, Plain(self.x), Plain(w));
        (smoothed_lengths(w, self.blocks), smoothed_lengths(&residual, &[]))
    }

    /// W for given lengths of its rows and of the residuals.
    fn step(&self, columns: &[f64], residuals: &[f64], dual: bool) -> Result<Matrix, LinalgError> {
        if dual { self.dual(columns, residuals) } else { self.primal(columns, residuals) }
    }

    fn primal(&self, columns: &[f64], residuals: &[f64]) -> Result<Matrix, LinalgError> {
        let weights: Vec<f64> = residuals.iter().map(|length| 1.0 / length).collect();
        let weighted = scale_rows(self.x, &weights);
        let mut system = product(Transposed(&weighted), Plain(self.x));
        columns.iter().enumerate().for_each(|(at, length)| system[(at, at)] += self.gamma / length);
        let mut w = product(Transposed(&weighted), Plain(self.y));
        solve(system, &mut w)?;
        Ok(w)
    }

    fn dual(&self, columns: &[f64], residuals: &[f64]) -> Result<Matrix, LinalgError> {
        let mut system = weighted_grams(self.x, &[columns.to_vec()]).swap_remove(0);
        residuals.iter().enumerate().for_each(|(at, length)| system[(at, at)] += self.gamma * length);
        let mut z = self.y.clone();
        solve(system, &mut z)?;
        Ok(scale_rows(&product(Transposed(self.x), Plain(&z)), columns))
    }
}

/// Solves a symmetric system; if rounding makes it indefinite, its diagonal is increased slightly.
fn solve(mut system: Matrix, right: &mut Matrix) -> Result<(), LinalgError> {
    let order = system.rows();
    let factor = Cholesky::new(system.clone()).or_else(|_| {
        let trace: f64 = (0..order).map(|at| system[(at, at)]).sum();
        system.shift_diagonal(1e-12 * trace / order.max(1) as f64);
        Cholesky::new(system)
    })?;
    factor.solve_in_place(right);
    Ok(())
}

#[cfg(test)]
mod tests;
