//! Learn from a validated table which of its columns matter for its label.

pub mod data;
pub mod generate;
mod held_out;
pub mod linalg;
pub mod methods;
pub mod model;
pub mod optim;
mod remedy;
mod rule_network;
pub mod select;
pub mod stream;
mod warning;

pub use held_out::{HeldOut, Loss};
pub use remedy::{Limit, Remedy, pronoun};
pub use warning::Warning;
