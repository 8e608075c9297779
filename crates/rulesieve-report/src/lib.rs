//! Figures and pages about selections, models and evaluations, that open anywhere: SVG and HTML without a script, and nothing
//! from elsewhere. This crate neither reads nor writes files; the command line does.
//!
//! | where | what |
//! |---|---|
//! | [`Figure`], [`Data`] | a figure: its picture, what it shows in words, and its numbers as a table |
//! | [`charts`] | the kinds of figures: bars, lines, heat maps, dots, distributions, scatters, panels, pictures, ranks |
//! | [`Page`], [`Section`] | a page of words, tables and figures |
//! | [`Story`] | what a selection, a model and an evaluation say, as a page |
//! | `svg` | the only place that writes SVG, and escapes what it writes |

pub mod charts;
mod figure;
mod page;
mod story;
mod svg;

pub use figure::{Data, Figure};
pub use page::{Page, Section};
pub use story::{About, Story, p_value};
pub use svg::{Drawing, STYLE};
