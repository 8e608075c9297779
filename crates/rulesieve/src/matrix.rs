//! Dense matrices of coded features, and the operations on them that estimators in other crates share.

pub use crate::linalg::{
    Factor, LinalgError, Matrix, Plain, Transposed, add_product, dispatch, dot, exp, write_outer_gram,
};
pub use crate::widest;
