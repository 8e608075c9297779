//! What the fuzzy systems share. Samples and centres are columns: X is m x n, the centres are m x k for k rules, so that a
//! window of samples is a range of columns and everything large is a matrix product.
//!
//! | where | what |
//! |---|---|
//! | `gate` | gates with derivatives, one for each feature, and the rule by which gates choose |
//! | `firing` | log-firing of Gaussian rules as quadratic forms, shares of rules, and the way back |
//! | `softmin` | smooth minima of memberships, in forms that neither overflow nor underflow |
//! | `consequents` | what rules say, of order zero and one, its squared error, and derivatives |
//! | `mixed` | the same at order one, for more rules than columns |
//! | `rules` | rule bases: points, compact, enhanced; clusters |
//! | `descent` | gradient descent that starts again with half the rate when it diverges |
//! | `least_squares` | consequents by ridge regression |

pub(crate) mod consequents;
pub(crate) mod descent;
pub(crate) mod firing;
pub(crate) mod gate;
pub(crate) mod least_squares;
mod mixed;
pub(crate) mod rules;
pub(crate) mod softmin;

use crate::linalg::Matrix;
use std::ops::Range;

/// One sample a column.
pub(crate) fn samples_in_columns(x: &Matrix) -> Matrix {
    let mut out = Matrix::zeros(x.cols(), x.rows());
    for col in 0..x.cols() {
        x.col(col).iter().enumerate().for_each(|(row, &value)| out[(col, row)] = value);
    }
    out
}

/// Whether each feature takes more than one value in `x` (n x m).
pub(crate) fn varying(x: &Matrix, blocks: &[Range<usize>]) -> Vec<bool> {
    let varies = |col: usize| x.col(col).iter().any(|&value| value != x.col(col)[0]);
    blocks.iter().map(|block| block.clone().any(varies)).collect()
}

#[cfg(test)]
pub(crate) mod tests;
