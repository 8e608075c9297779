//! Figures and report pages for selections, models and evaluations: self-contained SVG and HTML without scripts or external
//! resources. This crate does not access files.
//!
//! | item | content |
//! |---|---|
//! | [`Figure`], [`Data`] | a figure: SVG, text alternative and data table |
//! | [`charts`] | chart types: bars, lines, heat maps, dots, distributions, scatter plots, panels, images, ranks |
//! | [`Page`], [`Section`] | an HTML page of text, tables and figures |
//! | [`Report`] | the results of a selection, a model and an evaluation as a page |
//! | `svg` | SVG output; the only module that writes and escapes SVG |

pub mod charts;
mod figure;
mod page;
mod report;
mod svg;

pub use figure::{Data, Figure};
pub use page::{Page, Section};
pub use report::{Report, RunInfo, p_value};
pub use svg::{Drawing, STYLE};
