//! Figures and pages about selections, models and evaluations, that open anywhere: SVG and HTML without a script, and nothing
//! from elsewhere. This crate neither reads nor writes files; the command line does.
//!
//! | where | what |
//! |---|---|
//! | [`Figure`], [`Data`] | a figure: its picture, what it shows in words, and its numbers as a table |
//! | [`charts`] | the kinds of figures: bars, lines, heat maps, dots, distributions, scatters, panels, pictures, ranks |
//! | `svg` | the only place that writes SVG, and escapes what it writes |

pub mod charts;
mod figure;
mod svg;

pub use figure::{Data, Figure};
pub use svg::{Drawing, STYLE};
