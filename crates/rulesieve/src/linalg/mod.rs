//! Dense linear algebra: the only place that knows the linear-algebra crate.
//!
//! That crate is built without its own threads, so every call is sequential; parallelism comes from
//! [`product`] alone, which cuts by shape.

mod factor;
mod matrix;
mod product;
mod vector;

pub use factor::{Cholesky, SymmetricEigen, pseudo_solve};
pub use matrix::Matrix;
pub use product::{
    Factor, Plain, Transposed, add_product, inner_gram, outer_gram, product, quadratic_forms, scale_columns,
};
pub use vector::{dot, sum_of_squares};

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
    /// An iteration did not end.
    #[error("the decomposition of a {order} x {order} matrix did not converge")]
    NoConvergence {
        /// Its order.
        order: usize,
    },
}

#[cfg(test)]
mod tests;
