//! Shared parts of iterative methods: step rule, stopping rule, and observers.

mod adam;
mod observer;
mod stopping;

pub use adam::{Adam, Strip};
pub use observer::{Fits, Halt, Observer, Progress, Silent};
pub use stopping::Plateau;
