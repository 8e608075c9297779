//! How far to trust a feature selection, and whether differences between methods mean anything.
//!
//! | where | what |
//! |---|---|
//! | [`mod@evaluate`] | methods judged by rows they have not seen |
//! | [`records`] | every run in one file |
//! | [`splits`] | which rows are learned from and which are judged |
//! | [`svm`] | the judge: an SVM that answers as LIBSVM's |
//! | [`metrics`] | how right answers are |
//! | [`stability`] | how alike selections from different rows are |
//! | [`statistics`] | whether methods differ over several data sets, or over the splits of one |

pub mod evaluate;
pub mod metrics;
pub mod records;
pub mod splits;
pub mod stability;
pub mod statistics;
pub mod svm;
