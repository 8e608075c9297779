//! What iterative methods share: a step rule, a stop rule, and the eye that watches them.

mod adam;
mod observer;
mod stopping;

pub use adam::{Adam, Strip};
pub use observer::{Fits, Halt, Observer, Progress, Silent};
pub use stopping::Plateau;
