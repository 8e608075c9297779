//! Evaluation of feature selection on held-out data, and statistical comparison of methods.
//!
//! [`Evaluator`] compares methods on held-out rows; its documentation has an example.
//!
//! | module | purpose |
//! |---|---|
//! | [`Evaluator`] | builder of evaluations |
//! | [`mod@evaluate`] | evaluation on held-out data |
//! | [`records`] | saved runs in an SQLite file |
//! | [`splits`] | training and test rows |
//! | [`svm`] | an SVM with the same results as LIBSVM |
//! | [`metrics`] | scores of predictions |
//! | [`stability`] | similarity of selections from different rows |
//! | [`statistics`] | tests between methods, over data sets or over the splits of one |

pub mod evaluate;
mod evaluator;
pub mod metrics;
pub mod records;
pub mod splits;
pub mod stability;
pub mod statistics;
pub mod svm;
mod time_budget;

pub use evaluator::Evaluator;
pub use time_budget::{TimeBudget, TimeBudgetError};
