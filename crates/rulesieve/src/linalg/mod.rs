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

pub use crate::widest;
pub use band::{Band, BandFactor, BandForm};
pub use exponential::exp;
pub use factor::{Cholesky, SymmetricEigen, polar, pseudo_solve, symmetric_eigenvalues};
pub use matrix::Matrix;
pub use outer::Outer;
pub use product::{
    Columns, ColumnsTransposed, Factor, Plain, Reshaped, Transposed, add_product, product, scale_columns, scale_rows,
};
pub use product_sum::weighted_product_sum;
pub use single::{
    Matrix32, exp32, inverse_factor32, lower_gram32, lower_product32, mirror32, outer_lower32, product32,
};
pub use solver::Solver;
pub use strips::{BLOCK, Strips};
pub use symmetric::{inner_gram, outer_gram, quadratic_forms, weighted_grams, write_outer_gram};
pub use vector::{dispatch, dot, largest, smallest, sum, sum_of_squared_sums, sum_of_squares};

/// A factorisation that could not be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinalgError {
    /// An entry is NaN or infinite.
    #[error("a matrix holds NaN or infinite entries")]
    NotFinite,
    /// A matrix that must be positive definite is not, to working precision.
    #[error("a {order} x {order} matrix is not positive definite")]
    NotPositiveDefinite {
        /// Its order.
        order: usize,
    },
    /// An iteration did not converge.
    #[error("the decomposition of a {order} x {order} matrix did not converge")]
    NoConvergence {
        /// Its order.
        order: usize,
    },
}

#[cfg(test)]
mod tests;
