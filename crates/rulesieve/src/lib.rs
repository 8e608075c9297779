//! Ranks the columns of a table by how much they matter for a target, selects the best, explains the choice with fuzzy rules, and
//! predicts.
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
//! | where | what |
//! |---|---|
//! | [`prelude`] | what most programs need |
//! | [`data`] | tables, targets, validation, coding |
//! | [`methods`] | the methods and their parameters |
//! | [`select`] | ranking, sizes, the saved selection |
//! | [`model`] | rules that predict: training, explanation, metrics |
//! | [`stream`] | the same from rows that are read in pieces |
//! | [`generate`] | data with known informative columns |
//!
//! Files are read by the crate `rulesieve-io`, evaluations are made by `rulesieve-eval`.

pub mod data;
pub mod generate;
mod held_out;
#[doc(hidden)]
pub mod linalg;
pub mod methods;
pub mod model;
pub mod optim;
pub mod prelude;
mod remedy;
mod rule_network;
pub mod select;
pub mod stream;
mod warning;

pub use held_out::{HeldOut, Loss};
pub use remedy::{Limit, Remedy, pronoun};
pub use warning::Warning;
