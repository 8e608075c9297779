//! Common imports: `use rulesieve::prelude::*;`.

pub use crate::data::{CategoricalCoding, Dataset, DatasetOptions, Missing, Table, Target, TargetColumn, Task};
pub use crate::methods::Method;
pub use crate::model::{Prediction, Predictor, Trainer};
pub use crate::select::{Selection, Selector, Size};
