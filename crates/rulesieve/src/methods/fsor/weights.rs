//! The weights for given coefficients: `min theta^T Q theta - s^T theta` on the simplex.
//!
//! `Q = (X^T X) o (W W^T)`, summed over the columns of every feature, is also `B^T B`, where column f of B holds the n
//! c products of feature f with its coefficients, and `s = 2 B^T vec(Y)`. Q is formed if it is no larger than B, and
//! not for the exact solver if n < m: that solver only needs products with Q, which use neither (see [`fitted`]).

use super::system::System;
use super::{LargestEigenvalue, Regression};
use crate::linalg::{LinalgError, Matrix, Plain, Transposed, dot, product, scale_rows};
use crate::methods::shared::onto_simplex;

/// Of the article's solver: the first penalty, its growth, maximum number of steps, and the relative change at
/// convergence.
const MU: f64 = 0.1;
const GROWTH: f64 = 1.01;
const STEPS: usize = 100;
const ALM_TOLERANCE: f64 = 1e-8;
/// Of the exact solver: maximum number of steps, and the largest change at convergence.
const GRADIENTS: usize = 3000;
const EXACT_TOLERANCE: f64 = 1e-12;

/// The quadratic programme.
pub(super) struct Programme<'a> {
    pub(super) q: Quadratic<'a>,
    pub(super) s: Vec<f64>,
}

/// Q, or the factors of products with it.
pub(super) enum Quadratic<'a> {
    Gram(Matrix),
    Free(&'a Regression<'a>, Matrix),
}

impl Quadratic<'_> {
    /// `Q v`.
    pub(super) fn times(&self, v: &Matrix) -> Matrix {
        match self {
            Self::Gram(q) => product(Plain(q), Plain(v)),
            Self::Free(data, w) => column(&gathered(data, w, &fitted(data, w, v.as_slice()))),
        }
    }
}

impl<'a> Programme<'a> {
    /// Avoids forming Q for the exact solver if products are cheaper without.
    pub(super) fn new(data: &'a Regression<'a>, w: &Matrix, exact: bool) -> Self {
        let of_column = |at: usize| (0..w.cols()).map(|col| data.cross[(at, col)] * w[(at, col)]).sum::<f64>();
        let s = data.blocks.iter().map(|block| 2.0 * block.clone().map(of_column).sum::<f64>()).collect();
        let q = match &data.gram {
            Some(gram) if !exact || data.x.cols() <= data.x.rows() => Quadratic::Gram(hadamard(data, gram, w)),
            _ => Quadratic::Free(data, w.clone()),
        };
        Self { q, s }
    }

    /// The derivative, `2 Q theta - s`.
    pub(super) fn gradient(&self, theta: &[f64]) -> Vec<f64> {
        let image = self.q.times(&column(theta));
        image.as_slice().iter().zip(&self.s).map(|(image, s)| 2.0 * image - s).collect()
    }

    /// The article's augmented Lagrangian: theta after 100 steps, or fewer at convergence of the objective.
    pub(super) fn alm(&self) -> Result<Vec<f64>, LinalgError> {
        let system = System::new(&self.q, self.s.len())?;
        Ok(self.alm_with(|mu, right| system.solve(mu, right)))
    }

    /// The steps, given a solver of `(2 Q + mu I + mu 1 1^T) theta = right` that also returns `theta^T Q theta`.
    pub(super) fn alm_with(&self, solve: impl Fn(f64, Vec<f64>) -> (Vec<f64>, f64)) -> Vec<f64> {
        let m = self.s.len();
        let (mut mu, mut before, mut of_sum) = (MU, f64::INFINITY, 0.0);
        let (mut theta, mut v, mut of_sign) = (vec![1.0 / m.max(1) as f64; m], vec![0.0; m], vec![0.0; m]);
        for _ in 0..STEPS {
            let right = (0..m).map(|at| mu * (v[at] + 1.0) + self.s[at] - of_sum - of_sign[at]).collect();
            let (solved, form) = solve(mu, right);
            theta = solved;
            for ((v, of_sign), theta) in v.iter_mut().zip(&mut of_sign).zip(&theta) {
                *v = (theta + *of_sign / mu).max(0.0);
                *of_sign += mu * (theta - *v);
            }
            of_sum += mu * (theta.iter().sum::<f64>() - 1.0);
            mu *= GROWTH;
            let value = form - dot(&self.s, &theta);
            if (value - before).abs() < ALM_TOLERANCE * before.abs() {
                break;
            }
            before = value;
        }
        theta
    }

    fn value(&self, theta: &[f64]) -> f64 {
        dot(self.q.times(&column(theta)).as_slice(), theta) - dot(&self.s, theta)
    }

    /// The optimum, by accelerated projected gradients from a start; never above the start.
    pub(super) fn exact(&self, start: &[f64], largest: &mut LargestEigenvalue) -> Vec<f64> {
        // Half of the largest second derivative; raised if power iteration has underestimated it.
        let mut bound = largest.estimate(|v| self.q.times(v));
        if bound == 0.0 {
            return start.to_vec();
        }
        let mut at = Point::new(start.to_vec(), &self.q);
        let mut ahead = at.clone();
        let mut momentum = 1.0_f64;
        for _ in 0..GRADIENTS {
            let (next, raised) = self.descended(&ahead, bound);
            bound = raised;
            let change = largest_difference(&next.theta, &at.theta);
            let turned: f64 =
                (0..start.len()).map(|i| (ahead.theta[i] - next.theta[i]) * (next.theta[i] - at.theta[i])).sum();
            // Reset the momentum if it points uphill.
            momentum = if turned > 0.0 { 1.0 } else { momentum };
            let following = (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt()) / 2.0;
            ahead = next.beyond(&at, (momentum - 1.0) / following);
            (at, momentum) = (next, following);
            if change < EXACT_TOLERANCE {
                break;
            }
        }
        if self.value(&at.theta) <= self.value(start) { at.theta } else { start.to_vec() }
    }

    /// One projected step, and the bound that it used.
    fn descended(&self, from: &Point, mut bound: f64) -> (Point, f64) {
        loop {
            let step = |((theta, image), s): ((&f64, &f64), &f64)| theta - (2.0 * image - s) / (2.0 * bound);
            let moved = from.theta.iter().zip(&from.image).zip(&self.s).map(step).collect::<Vec<f64>>();
            let next = Point::new(onto_simplex(&moved), &self.q);
            let (mut curved, mut length) = (0.0, 0.0);
            for i in 0..next.theta.len() {
                let moved = next.theta[i] - from.theta[i];
                curved += moved * (next.image[i] - from.image[i]);
                length += moved * moved;
            }
            if curved <= bound * length || length < EXACT_TOLERANCE * EXACT_TOLERANCE {
                return (next, bound);
            }
            bound *= 2.0;
        }
    }
}

/// Weights and their image `Q theta`.
#[derive(Clone)]
struct Point {
    theta: Vec<f64>,
    image: Vec<f64>,
}

impl Point {
    fn new(theta: Vec<f64>, q: &Quadratic) -> Self {
        let image = q.times(&column(&theta)).as_slice().to_vec();
        Self { theta, image }
    }

    /// The point beyond `self` on the line from `before`, by this part of the distance.
    fn beyond(&self, before: &Self, part: f64) -> Self {
        let on = |here: &[f64], there: &[f64]| here.iter().zip(there).map(|(a, b)| a + part * (a - b)).collect();
        Self { theta: on(&self.theta, &before.theta), image: on(&self.image, &before.image) }
    }
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

fn column(values: &[f64]) -> Matrix {
    Matrix::from_fn(values.len(), 1, |row, _| values[row])
}

/// `(X^T X) o (W W^T)`, summed over the columns of every feature.
fn hadamard(data: &Regression, gram: &Matrix, w: &Matrix) -> Matrix {
    let mut of_columns = product(Plain(w), Transposed(w));
    of_columns.as_mut_slice().iter_mut().zip(gram.as_slice()).for_each(|(outer, inner)| *outer *= inner);
    if data.blocks.len() == gram.rows() {
        return of_columns;
    }
    Matrix::from_fn(data.blocks.len(), data.blocks.len(), |row, col| {
        let rows = &data.blocks[row];
        data.blocks[col].clone().map(|at| of_columns.col(at)[rows.clone()].iter().sum::<f64>()).sum()
    })
}

/// `B v`, a column for every class: `X V W`, with V the diagonal of v. O(n m c), as [`gathered`] is.
pub(super) fn fitted(data: &Regression, w: &Matrix, v: &[f64]) -> Matrix {
    product(Plain(&data.x), Plain(&scale_rows(w, &data.spread(v))))
}

/// `B^T r` of what [`fitted`] gives: for every feature the sum of `<[X^T R]_j, w^j>` over its columns.
pub(super) fn gathered(data: &Regression, w: &Matrix, image: &Matrix) -> Vec<f64> {
    let back = product(Transposed(&data.x), Plain(image));
    let mut inner = vec![0.0; w.rows()];
    for class in 0..w.cols() {
        let terms = back.col(class).iter().zip(w.col(class));
        inner.iter_mut().zip(terms).for_each(|(sum, (back, w))| *sum += back * w);
    }
    data.blocks.iter().map(|block| inner[block.clone()].iter().sum()).collect()
}

/// B: for every feature, class by class, the contribution of its columns to the fitted values.
pub(super) fn factor(data: &Regression, w: &Matrix) -> Matrix {
    let n = data.x.rows();
    let mut b = Matrix::zeros(n * w.cols(), data.blocks.len());
    for (feature, block) in data.blocks.iter().enumerate() {
        for (class, part) in b.col_mut(feature).chunks_exact_mut(n.max(1)).enumerate() {
            for at in block.clone() {
                part.iter_mut().zip(data.x.col(at)).for_each(|(sum, value)| *sum += value * w[(at, class)]);
            }
        }
    }
    b
}
