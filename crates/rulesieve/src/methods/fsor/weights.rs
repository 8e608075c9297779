//! The weights for given coefficients: `min theta^T Q theta - s^T theta` on the simplex.
//!
//! `Q = (X^T X) o (W W^T)`, summed over the columns of every feature, is also `B^T B`, where column f of B holds the n
//! c products of feature f with its coefficients, and `s = 2 B^T vec(Y)`. The smaller of the two is formed: m x m, or n
//! c x m for n c < m. The exact solver needs products alone, and for n < m neither.

use super::{Largest, Regression};
use crate::linalg::{
    LinalgError, Matrix, Plain, SymmetricEigen, Transposed, dot, outer_gram, product, scale_rows, sum_of_squares,
    widest,
};
use crate::methods::shared::onto_simplex;

/// Of the article's solver: the first penalty, its growth, steps at most, and the relative change to stop at.
const MU: f64 = 0.1;
const GROWTH: f64 = 1.01;
const STEPS: usize = 100;
const ALM_SETTLED: f64 = 1e-8;
/// Of the exact one: steps at most, and the largest change to stop at.
const GRADIENTS: usize = 3000;
const EXACT_SETTLED: f64 = 1e-12;

/// The quadratic programme.
pub(super) struct Programme<'a> {
    pub(super) q: Quadratic<'a>,
    pub(super) s: Vec<f64>,
}

/// Q, or B, or what gives `Q v` without either.
pub(super) enum Quadratic<'a> {
    Gram(Matrix),
    Factor(Matrix),
    Free(&'a Regression<'a>, Matrix),
}

impl Quadratic<'_> {
    /// `Q v`.
    pub(super) fn times(&self, v: &Matrix) -> Matrix {
        match self {
            Self::Gram(q) => product(Plain(q), Plain(v)),
            Self::Factor(b) => product(Transposed(b), Plain(&product(Plain(b), Plain(v)))),
            Self::Free(data, w) => free_product(data, w, v),
        }
    }

    fn rows_of_factor(b: &Matrix) -> Result<(Matrix, Vec<f64>), LinalgError> {
        let eigen = SymmetricEigen::new(&outer_gram(b))?;
        let squares = eigen.values.iter().map(|value| value.max(0.0)).collect();
        Ok((product(Transposed(&eigen.vectors), Plain(b)), squares))
    }

    /// `Q = C^T C` with orthogonal rows of C, and the squares of their lengths: all that systems with any multiple of
    /// the identity need.
    fn orthogonal_rows(&self) -> Result<(Matrix, Vec<f64>), LinalgError> {
        match self {
            Self::Gram(q) => {
                let eigen = SymmetricEigen::new(q)?;
                let squares: Vec<f64> = eigen.values.iter().map(|value| value.max(0.0)).collect();
                let c = Matrix::from_fn(q.rows(), q.rows(), |row, col| squares[row].sqrt() * eigen.vectors[(col, row)]);
                Ok((c, squares))
            }
            Self::Factor(b) => Self::rows_of_factor(b),
            Self::Free(data, w) => Self::rows_of_factor(&factor(data, w)),
        }
    }
}

impl<'a> Programme<'a> {
    /// Only the exact solver can do without Q and B: all it needs are products.
    pub(super) fn new(data: &'a Regression<'a>, w: &Matrix, exact: bool) -> Self {
        let of_column = |at: usize| (0..w.cols()).map(|col| data.cross[(at, col)] * w[(at, col)]).sum::<f64>();
        let s = data.blocks.iter().map(|block| 2.0 * block.clone().map(of_column).sum::<f64>()).collect();
        let q = match &data.gram {
            Some(_) if exact && data.x.rows() < data.x.cols() => Quadratic::Free(data, w.clone()),
            Some(gram) => Quadratic::Gram(hadamard(data, gram, w)),
            None => Quadratic::Factor(factor(data, w)),
        };
        Self { q, s }
    }

    /// The derivative, `2 Q theta - s`.
    pub(super) fn gradient(&self, theta: &[f64]) -> Vec<f64> {
        let image = self.q.times(&column(theta));
        image.as_slice().iter().zip(&self.s).map(|(image, s)| 2.0 * image - s).collect()
    }

    /// The article's augmented Lagrangian: theta after 100 steps, or fewer where the objective settles.
    pub(super) fn alm(&self) -> Result<Vec<f64>, LinalgError> {
        let (c, squares) = self.q.orthogonal_rows()?;
        let system = System { ones: times_column(&c, &vec![1.0; self.s.len()]), c, squares };
        Ok(self.alm_with(|mu, right| system.solve(mu, right)))
    }

    /// The steps, given what solves `(2 Q + mu I + mu 1 1^T) theta = right` and tells `theta^T Q theta`.
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
            if (value - before).abs() < ALM_SETTLED * before.abs() {
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
    pub(super) fn exact(&self, start: &[f64], largest: &mut Largest) -> Vec<f64> {
        // Half of the largest second derivative; raised where power iteration has stayed below it.
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
            // Momentum that points uphill is dropped.
            momentum = if turned > 0.0 { 1.0 } else { momentum };
            let following = (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt()) / 2.0;
            ahead = next.beyond(&at, (momentum - 1.0) / following);
            (at, momentum) = (next, following);
            if change < EXACT_SETTLED {
                break;
            }
        }
        if self.value(&at.theta) <= self.value(start) { at.theta } else { start.to_vec() }
    }

    /// One projected step, and the bound that it took.
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
            if curved <= bound * length || length < EXACT_SETTLED * EXACT_SETTLED {
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

    /// From `before` to here and on by that part of the way.
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

/// `(Q v)_f = sum over its columns of <[X^T X (V W)]_j, w^j>`, with V the diagonal of v: O(n m c).
fn free_product(data: &Regression, w: &Matrix, v: &Matrix) -> Matrix {
    let of_column = |col: usize| {
        let fitted = product(Plain(&data.x), Plain(&scale_rows(w, &data.spread(v.col(col)))));
        let back = product(Transposed(&data.x), Plain(&fitted));
        let inner = |at: usize| (0..w.cols()).map(|class| back[(at, class)] * w[(at, class)]).sum::<f64>();
        data.blocks.iter().map(|block| block.clone().map(inner).sum()).collect::<Vec<f64>>()
    };
    let columns: Vec<Vec<f64>> = (0..v.cols()).map(of_column).collect();
    Matrix::from_fn(v.rows(), v.cols(), |row, col| columns[col][row])
}

/// B: for every feature, class by class, what its columns add to the fitted values.
fn factor(data: &Regression, w: &Matrix) -> Matrix {
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

/// `2 C^T C + mu I + mu 1 1^T` for orthogonal rows of C, whatever mu: the inverse of the first two is
/// `(I - C^T diag(2 / (2 squares + mu)) C) / mu`, and the ones are a change of rank one. A solution reads C twice.
struct System {
    c: Matrix,
    squares: Vec<f64>,
    /// `C 1`.
    ones: Vec<f64>,
}

impl System {
    /// The solution and its `|C theta|^2`.
    fn solve(&self, mu: f64, mut right: Vec<f64>) -> (Vec<f64>, f64) {
        let mut image = times_column(&self.c, &right);
        let inverses: Vec<f64> = self.squares.iter().map(|square| 1.0 / (2.0 * square + mu)).collect();
        let weighted = |a: &[f64]| (0..a.len()).map(|at| a[at] * self.ones[at] * inverses[at]).sum::<f64>();
        // Sums over the solutions for the right-hand side and for ones.
        let sum = (right.iter().sum::<f64>() - 2.0 * weighted(&image)) / mu;
        let of_ones = (right.len() as f64 - 2.0 * weighted(&self.ones)) / mu;
        let part = mu * sum / (1.0 + mu * of_ones);
        right.iter_mut().for_each(|value| *value -= part);
        for ((image, ones), inverse) in image.iter_mut().zip(&self.ones).zip(&inverses) {
            *image = (*image - part * ones) * inverse;
        }
        widest!(|| {
            for (col, value) in right.iter_mut().enumerate() {
                *value = (*value - 2.0 * dot(self.c.col(col), &image)) / mu;
            }
        });
        (right, sum_of_squares(&image))
    }
}

/// `C v`.
fn times_column(c: &Matrix, v: &[f64]) -> Vec<f64> {
    let mut image = vec![0.0; c.rows()];
    widest!(|| {
        for (col, weight) in v.iter().enumerate() {
            image.iter_mut().zip(c.col(col)).for_each(|(sum, value)| *sum += weight * value);
        }
    });
    image
}
