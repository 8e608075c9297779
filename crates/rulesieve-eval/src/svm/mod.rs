//! A support vector machine: C-SVC, linear or RBF, one against one, in the formulation of LIBSVM (Chang and
//! Lin, ACM TIST 2, 2011), so that its predictions can be compared with those of scikit-learn's `SVC`.
//!
//! | module | purpose |
//! |---|---|
//! | `gram` | inner products of all rows, for all costs, widths and folds with the same columns; grows with the features |
//! | `kernel` | kernels as functions of them; `gamma` by rule or number |
//! | `rows` | kernel rows of two classes, computed when they are first needed |
//! | `solver` | sequential minimal optimisation with second-order choice of pairs |
//! | `scan` | its loops over all samples |
//! | `shrink` | leaving out samples that stay at their bounds |
//! | `svc` | several classes: votes of all pairs, ties to the first class |

mod gram;
mod kernel;
mod rows;
mod scan;
mod shrink;
mod solver;
mod svc;

pub use gram::Gram;
pub use kernel::{Gamma, Kernel};
pub(crate) use svc::first_of_most;
pub use svc::{Svc, SvmOptions};

#[cfg(test)]
mod tests;
