//! Dense linear algebra: the only module that uses the linear-algebra crate.
//!
//! That crate is built without threads, so every call is sequential. Products run on the current thread pool in blocks
//! that depend on the shapes alone, so that the bits of a result do not depend on the number of threads.

mod band;
mod exponential;
mod factor;
mod matrix;
mod outer;
mod product;
mod product_sum;
mod single;
mod solver;
mod strips;
mod symmetric;
mod vector;

pub use exponential::exp;
pub use matrix::Matrix;
pub use product::{Factor, Plain, Transposed, add_product};
pub use symmetric::write_outer_gram;
pub use vector::{dispatch, dot};

pub(crate) use crate::widest;
pub(crate) use band::BandForm;
pub(crate) use factor::{Cholesky, SymmetricEigen, polar, pseudo_solve, symmetric_eigenvalues};
pub(crate) use outer::Outer;
pub(crate) use product::{Columns, ColumnsTransposed, Reshaped, product, scale_columns, scale_rows};
pub(crate) use product_sum::weighted_product_sum;
pub(crate) use single::{
    Matrix32, exp32, inverse_factor32, lower_gram32, lower_product32, mirror32, outer_lower32, product32,
};
pub(crate) use solver::Solver;
pub(crate) use strips::{BLOCK, Strips};
pub(crate) use symmetric::{inner_gram, outer_gram, quadratic_forms, weighted_grams};
pub(crate) use vector::{largest, smallest, sum, sum_of_squared_sums, sum_of_squares};

/// A factorisation that could not be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum LinalgError {
    /// An entry is NaN or infinite.
    #[error("a matrix holds NaN or infinite entries")]
    NotFinite,
    /// A matrix that must be positive definite is not, to working precision.
    #[error("a {order} x {order} matrix is not positive definite")]
    NotPositiveDefinite { order: usize },
    /// An iteration did not converge.
    #[error("the decomposition of a {order} x {order} matrix did not converge")]
    NoConvergence { order: usize },
}

#[cfg(test)]
mod tests;
