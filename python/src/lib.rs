//! Python bindings of the engine, used by the package `rulesieve`.
//!
//! | module | contents |
//! |---|---|
//! | `columns` | arrays and lists as a table |
//! | `dataset` | a validated table: select, train, report |
//! | `model` | a trained model: predict, explain |
//! | `evaluation` | evaluations, complete or as single tasks |
//! | `blocks` | tables in blocks of rows |
//! | `statistics` | comparison of methods, stability |
//! | `options` | options as keyword arguments |
//! | `remedy` | errors and warnings in terms of Python |
//! | `watch` | interruptible work without the interpreter's lock |

mod blocks;
mod columns;
mod dataset;
mod evaluation;
mod model;
mod options;
mod remedy;
mod statistics;
mod watch;

use pyo3::prelude::*;
use remedy::{TypedWarning, typed_warning, value_error};

/// The engine.
#[pymodule]
mod _engine {
    #[pymodule_export]
    use super::blocks::fit_blocks;
    #[pymodule_export]
    use super::columns::{Table, load};
    #[pymodule_export]
    use super::dataset::{Dataset, methods};
    #[pymodule_export]
    use super::evaluation::Evaluation;
    #[pymodule_export]
    use super::model::Model;
    #[pymodule_export]
    use super::options::{DataOptions, SelectOptions, TrainOptions};
    #[pymodule_export]
    use super::remedy::warnings_of;
    #[pymodule_export]
    use super::statistics::{compare, stability};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// Serializes a record as JSON.
fn json(record: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(record).map_err(value_error)
}
