//! From a table as read to the matrix that a method fits: [`Table`], [`Dataset`], [`Design`].

mod choice;
mod dataset;
mod dates;
mod design;
mod encoder;
mod error;
mod excluded;
mod identifier;
mod inferred_task;
mod levels;
mod merged;
pub mod names;
mod prepared;
mod reading;
mod sentinel;
mod subset;
mod suspicion;
pub mod table;
mod target;
mod target_column;
mod term;
mod used_rows;

pub use dataset::{Dataset, DatasetOptions, Feature, FeatureValues, MISSING, Missing};
pub use dates::{DateColumn, DateGuess, DateOrder};
pub use design::{CategoricalCoding, Design, Encoder, Unseen};
pub use encoder::{Code, ColumnEncoder};
pub use error::{DataError, RowNumber};
pub use excluded::{ExcludedColumn, ExclusionReason, KeepSuspicious};
pub use inferred_task::{InferredTask, TaskReason};
pub(crate) use inferred_task::{MANY_CLASSES, at_end, early};
pub use reading::Reading;
pub use suspicion::Suspicions;
pub(crate) use suspicion::{RARE_CLASS, inspect};
pub use table::{Column, ColumnData, Table, TableError, TextColumn};
pub use target::{Target, Task};
pub use target_column::TargetColumn;
pub use term::Term;

pub(crate) use dates::{is_first_part, with_parts};
pub(crate) use encoder::{MAX_LEVELS, median};
pub(crate) use levels::Levels;
pub(crate) use merged::MergedLevels;
pub(crate) use prepared::{Dates, Roles};

#[cfg(test)]
mod tests;
