//! How far to trust a feature selection, and whether differences between methods mean anything.

pub mod statistics;
pub mod svm;
