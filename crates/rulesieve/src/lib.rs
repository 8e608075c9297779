//! Ranks the columns of a table by their relevance for a target, selects the best, explains the choice with fuzzy
//! rules, and predicts.
//!
//! ```
//! use rulesieve::prelude::*;
//!
//! let table = rulesieve::generate::find("waveform").unwrap().generate(Some(200), Some(21), 0)?.table;
//! let data = table.into_dataset(Target::named("class"), Missing::Error)?;
//! let selection = Selector::new(Method::Anova).top(3).seed(7).fit(&data)?;
//! let model = selection.trainer().rules(4).set("steps", 60).fit(&data)?;
//! println!("{}", model.explain());
//! # assert_eq!(selection.selected.len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | content |
//! |---|---|
//! | [`prelude`] | common imports |
//! | [`data`] | tables, targets, validation, coding |
//! | [`methods`] | selection methods and their parameters |
//! | [`select`] | ranking, number of features, saved selections |
//! | [`model`] | rule models: training, prediction, explanation, metrics |
//! | [`stream`] | selection and training on rows that are read in batches |
//! | [`generate`] | synthetic data with known informative columns |
//! | [`pool`] | the threads of computations |
//! | [`matrix`] | the matrix of coded features, and operations on it that other crates share |
//!
//! The crate `rulesieve-io` reads files; `rulesieve-eval` evaluates methods.

pub mod data;
pub mod generate;
mod held_out;
mod linalg;
pub mod matrix;
mod memory;
pub mod methods;
pub mod model;
pub mod optim;
pub mod pool;
pub mod prelude;
mod remedy;
mod rule_network;
pub mod select;
pub mod stream;
mod warning;

pub use held_out::{HeldOut, Loss};
pub use memory::{Bytes, is_available};
pub use remedy::{Limit, Remedy, pronoun};
pub use warning::Warning;
