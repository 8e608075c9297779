//! First-order consequents by ridge regression, for given firing strengths.

use crate::linalg::{Cholesky, LinalgError, Matrix, Plain, Transposed, inner_gram, product};

/// Rows of a first-order system: the weights of the rules (n x k), and the samples (n x s).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) shares: &'a Matrix,
    pub(crate) x: &'a Matrix,
}

impl Rows<'_> {
    /// Weights times (1, x), the columns of a rule side by side, n x k(s + 1).
    pub(crate) fn design(&self) -> Matrix {
        let (n, width) = (self.x.rows(), self.x.cols() + 1);
        let mut out = Matrix::zeros(n, self.shares.cols() * width);
        for rule in 0..self.shares.cols() {
            out.col_mut(rule * width).copy_from_slice(self.shares.col(rule));
            for col in 0..self.x.cols() {
                let terms = self.shares.col(rule).iter().zip(self.x.col(col));
                let targets = out.col_mut(rule * width + 1 + col).iter_mut();
                targets.zip(terms).for_each(|(out, (share, x))| *out = share * x);
            }
        }
        out
    }

    /// Inner products of the rows of two designs, without forming them.
    fn kernel(&self, other: &Self) -> Matrix {
        let mut out = product(Plain(self.x), Transposed(other.x));
        let shares = product(Plain(self.shares), Transposed(other.shares));
        out.as_mut_slice().iter_mut().zip(shares.as_slice()).for_each(|(out, share)| *out = (1.0 + *out) * share);
        out
    }
}

/// Outputs for other rows of a system with consequents fitted to `y` on some rows. The smaller of the two systems is
/// solved.
pub(crate) fn ridge_predictions(learn: Rows, y: &Matrix, other: Rows, ridge: f64) -> Result<Matrix, LinalgError> {
    let columns = learn.shares.cols() * (learn.x.cols() + 1);
    if columns < learn.x.rows() {
        let design = learn.design();
        let mut p = product(Transposed(&design), Plain(y));
        let mut system = inner_gram(&design);
        system.shift_diagonal(ridge);
        Cholesky::new(system)?.solve_in_place(&mut p);
        return Ok(product(Plain(&other.design()), Plain(&p)));
    }
    let mut system = learn.kernel(&learn);
    system.shift_diagonal(ridge);
    let mut weights = y.clone();
    Cholesky::new(system)?.solve_in_place(&mut weights);
    Ok(product(Plain(&other.kernel(&learn)), Plain(&weights)))
}
