//! The parameters of the model, and how they start.

use crate::linalg::{ColumnsTransposed, Matrix, Plain, dot, product};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// Log-spreads are kept within plus and minus this.
pub const WIDEST: f64 = 6.0;

/// A projection and fuzzy rules on what it gives. Consequents of rule r and output o have column `r * outputs + o`.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// Q, m x d. Without one the rules stand on the columns themselves, d = m.
    pub projection: Option<Matrix>,
    /// Centres of the antecedents, rules x d.
    pub centres: Matrix,
    /// Natural logarithms of their spreads, rules x d.
    pub log_spreads: Matrix,
    /// Slopes of the consequents, d x (rules * outputs).
    pub slopes: Matrix,
    /// Constants of the consequents.
    pub constants: Vec<f64>,
}

impl Network {
    /// Number of rules.
    pub fn rules(&self) -> usize {
        self.centres.rows()
    }

    /// Number of dimensions in which the rules live.
    pub fn dimensions(&self) -> usize {
        self.centres.cols()
    }

    /// Number of outputs.
    pub fn outputs(&self) -> usize {
        self.constants.len() / self.rules().max(1)
    }

    /// Rules around random samples of the centred columns of `x` (m x n), with the spread of their projections.
    pub fn around_samples(x: &Matrix, projection: Matrix, rules: usize, outputs: usize, rng: &mut ChaCha8Rng) -> Self {
        let n = x.cols();
        let rows: Vec<usize> = if rules <= n {
            let mut rows: Vec<usize> = (0..n).collect();
            rows.partial_shuffle(rng, rules).0.to_vec()
        } else {
            (0..rules).map(|_| rng.random_range(0..n)).collect()
        };
        let hat = product(ColumnsTransposed(x, 0..n), Plain(&projection));
        let d = hat.cols();
        let centres = Matrix::from_fn(rules, d, |rule, dim| hat[(rows[rule], dim)]);
        let spread = deviation(hat.as_slice()).max(1e-4).ln();
        let mut normal = || 0.01 * Distribution::<f64>::sample(&StandardNormal, rng);
        let slopes = Matrix::from_fn(d, rules * outputs, |_, _| normal());
        let constants = (0..rules * outputs).map(|_| normal()).collect();
        let log_spreads = Matrix::from_fn(rules, d, |_, _| spread);
        Self { projection: Some(projection), centres, log_spreads, slopes, constants }
    }
}

fn deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

/// Random orthogonal columns of the given length, their rows scaled by factors; where there are more columns than rows
/// they are independent instead.
pub(super) fn random_projection(factors: &[f64], d: usize, length: f64, rng: &mut ChaCha8Rng) -> Matrix {
    let m = factors.len();
    let mut q = Matrix::from_fn(m, d, |row, _| {
        let normal: f64 = StandardNormal.sample(rng);
        factors[row] * normal
    });
    for col in 0..d {
        for other in 0..if d <= m { col } else { 0 } {
            let before = q.col(other).to_vec();
            let share = dot(&before, q.col(col));
            q.col_mut(col).iter_mut().zip(&before).for_each(|(value, before)| *value -= share * before);
        }
        let norm = dot(q.col(col), q.col(col)).sqrt();
        q.col_mut(col).iter_mut().for_each(|value| *value /= norm);
    }
    q.as_mut_slice().iter_mut().for_each(|value| *value *= length);
    q
}
