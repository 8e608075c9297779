//! Shared parts of the fuzzy systems. Samples and centres are columns: X is m x n, the centres are m x k for k rules,
//! so that a window of samples is a range of columns and all large operations are matrix products.
//!
//! | module | content |
//! |---|---|
//! | `gate` | gates with derivatives, one per feature, and the choice of features by gates |
//! | `firing` | log-firing of Gaussian rules as quadratic forms, normalised strengths, and derivatives |
//! | `softmin` | smooth minima of memberships, in forms that neither overflow nor underflow |
//! | `consequents` | outputs of rules, of order zero and one, their squared error, and derivatives |
//! | `mixed` | first-order consequents for more rules than columns |
//! | `rules` | rule bases: points, compact, enhanced; clusters |
//! | `descent` | gradient descent that restarts with half the learning rate when it diverges |
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

/// Transposes to one sample per column.
pub(crate) fn samples_in_columns(x: &Matrix) -> Matrix {
    let mut out = Matrix::zeros(x.cols(), x.rows());
    for col in 0..x.cols() {
        x.col(col).iter().enumerate().for_each(|(row, &value)| out[(col, row)] = value);
    }
    out
}

/// Whether each feature has more than one value in `x` (n x m).
pub(crate) fn varying(x: &Matrix, blocks: &[Range<usize>]) -> Vec<bool> {
    let varies = |col: usize| x.col(col).iter().any(|&value| value != x.col(col)[0]);
    blocks.iter().map(|block| block.clone().any(varies)).collect()
}

#[cfg(test)]
pub(crate) mod tests;
