//! A support vector machine: C-SVC, linear or RBF, one against one, in the formulation of LIBSVM (Chang and
//! Lin, ACM TIST 2, 2011), which scikit-learn's `SVC` also uses.
//!
//! | module | purpose |
//! |---|---|
//! | `gram` | inner products of all rows, shared by all costs, values of gamma and folds |
//! | `kernel` | kernels and `gamma` |
//! | `rows` | cache of the kernel rows of two classes |
//! | `solver` | sequential minimal optimisation with second-order working set selection |
//! | `scan` | its loops over all samples |
//! | `shrink` | shrinking: temporary removal of samples at their bounds |
//! | `svc` | several classes: votes of all pairs, ties go to the first class |

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
