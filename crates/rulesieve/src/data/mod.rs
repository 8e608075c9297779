//! From a table as read to numbers a method can learn from: [`Table`], [`Dataset`], [`Design`].

mod dataset;
mod design;
mod error;
pub mod names;
mod suspicion;
pub mod table;
mod target;

pub use dataset::{Dataset, DatasetOptions, Feature, FeatureValues, MISSING, MissingPolicy};
pub(crate) use design::MAX_LEVELS;
pub use design::{CategoricalCoding, Design, Encoder};
pub use error::DataError;
pub use suspicion::Suspicions;
pub(crate) use suspicion::inspect;
pub use table::{Column, ColumnData, Table, TableError, TextColumn};
pub(crate) use target::MANY_CLASSES;
pub use target::{Target, Task};

#[cfg(test)]
mod tests;
