//! Learn from a validated table which of its columns matter for its label.

pub mod data;
pub mod generate;
mod held_out;
pub mod linalg;
pub mod methods;
pub mod model;
pub mod optim;
mod rule_network;
pub mod select;
pub mod stream;

pub use held_out::{HeldOut, Loss};
