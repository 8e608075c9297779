//! The orthonormal coefficients for given weights, by generalised power iteration.
//!
//! A step costs 2 n m c with the residuals and m^2 c with `X^T X`, where the objective is
//! `|Y|^2 + <Theta W, X^T X Theta W - 2 X^T Y>`: the cheaper of the two is used. (The difference loses a digit or two
//! at most: weights of sum one and orthonormal W keep the fitted values of columns of variance one or less about as
//! short as the indicators.)

use super::{LargestEigenvalue, Regression};
use crate::linalg::{LinalgError, Matrix, Plain, dot, polar, product, scale_rows};

/// Maximum number of steps, and the relative decrease of the objective at convergence.
const STEPS: usize = 50;
const RELATIVE_TOLERANCE: f64 = 1e-6;
/// A relative increase within rounding.
const ROUNDING: f64 = 1e-12;
/// Doublings after which a step is negligible.
const DOUBLINGS: usize = 60;

/// The problem for given weights of the columns.
pub(super) struct Weighted<'a> {
    pub(super) data: &'a Regression<'a>,
    pub(super) spread: &'a [f64],
}

/// Coefficients, the objective, and what determines its derivative: `X Theta W - Y`, or its product with `X^T`.
pub(super) struct Point {
    pub(super) w: Matrix,
    pub(super) value: f64,
    rest: Matrix,
}

impl Weighted<'_> {
    /// `X^T X` if it is cheaper.
    fn gram(&self) -> Option<&Matrix> {
        self.data.gram.as_ref().filter(|_| self.data.x.cols() < 2 * self.data.x.rows())
    }

    pub(super) fn point(&self, w: Matrix) -> Point {
        let Some(gram) = self.gram() else {
            let rest = self.data.residual(self.spread, &w);
            return Point { value: rest.norm_squared(), rest, w };
        };
        let scaled = scale_rows(&w, self.spread);
        let mut rest = product(Plain(gram), Plain(&scaled));
        rest.as_mut_slice().iter_mut().zip(self.data.cross.as_slice()).for_each(|(image, cross)| *image -= cross);
        let along = dot(scaled.as_slice(), rest.as_slice()) - dot(scaled.as_slice(), self.data.cross.as_slice());
        Point { value: self.data.y.norm_squared() + along, rest, w }
    }

    /// Half the derivative, `Theta X^T (X Theta W - Y)`.
    fn slope(&self, point: &Point) -> Matrix {
        match self.gram() {
            Some(_) => scale_rows(&point.rest, self.spread),
            None => self.data.back(self.spread, &point.rest),
        }
    }

    /// `Theta X^T X Theta V`.
    pub(super) fn normal(&self, v: &Matrix) -> Matrix {
        let scaled = scale_rows(v, self.spread);
        match self.gram() {
            Some(gram) => scale_rows(&product(Plain(gram), Plain(&scaled)), self.spread),
            None => self.data.back(self.spread, &product(Plain(&self.data.x), Plain(&scaled))),
        }
    }

    /// One step. If the objective rises, alpha was below the largest eigenvalue and is doubled.
    pub(super) fn moved(&self, from: &Point, alpha: &mut f64) -> Result<Point, LinalgError> {
        let (w, slope) = (&from.w, self.slope(from));
        let bound = from.value * (1.0 + ROUNDING);
        let mut doublings = 0;
        loop {
            let ahead = Matrix::from_fn(w.rows(), w.cols(), |row, col| *alpha * w[(row, col)] - slope[(row, col)]);
            let next = self.point(polar(&ahead)?);
            if next.value <= bound || doublings == DOUBLINGS {
                return Ok(next);
            }
            *alpha *= 2.0;
            doublings += 1;
        }
    }
}

/// Updates W; the objective does not rise except by rounding.
pub(super) fn step(
    data: &Regression,
    spread: &[f64],
    w: Matrix,
    largest: &mut LargestEigenvalue,
) -> Result<Matrix, LinalgError> {
    let weighted = Weighted { data, spread };
    let mut alpha = largest.estimate(|v| weighted.normal(v));
    if alpha == 0.0 {
        return Ok(w);
    }
    let mut at = weighted.point(w);
    for _ in 0..STEPS {
        let next = weighted.moved(&at, &mut alpha)?;
        let (before, after) = (at.value, next.value);
        if after <= before {
            at = next;
        }
        if before - after < RELATIVE_TOLERANCE * before {
            break;
        }
    }
    Ok(at.w)
}
