//! The experiments of the paper again.
//!
//! | where | what |
//! |---|---|
//! | `manifest` | the data sets, what each must hold |
//! | `originals` | the files of the archives turned into the manifest's form, and checked |
//! | `protocol` | how methods are judged on all of them |
//! | `sweep` | every method on every data set |
//! | `cells` | the records behind the tables |
//! | `results` | what they say, by each way of choosing among settings |
//! | `printed` | the tables of the paper |
//! | `extras` | what is measured besides: `circle` (the toy), `faces`, `convergence`, `bound` (the best of all subsets) |
//! | `tables`, `peers`, `statistics`, `explain`, `verdict`, `sensitivity`, `times`, `claims` | what is made of all that |
//! | `reading`, `document` | the text with its tables and figures |

mod bound;
mod cells;
mod circle;
mod claims;
mod convergence;
mod document;
mod explain;
mod extras;
mod faces;
mod manifest;
mod originals;
mod peers;
mod printed;
mod protocol;
mod reading;
mod results;
mod sensitivity;
mod statistics;
mod sweep;
mod tables;
mod times;
mod verdict;

pub use cells::{Line, Store};
pub use document::{Block, Document, Table};
pub use extras::{Extras, Work as ExtraWork, read as read_extras};
pub use manifest::{DataSet, FACES, data_sets};
pub use originals::{Finding, Recipe, check, convert, recipes};
pub use protocol::{BESIDE, Contest, ProtocolFile, Thinned, protocols};
pub use reading::{Sources, document};
pub use results::{Measure, Results, Score, View};
pub use sweep::{Done, run};

use rulesieve::methods::settings::ParamError;
use rulesieve_eval::evaluate::EvaluateError;
use rulesieve_eval::records::RecordsError;

/// An experiment that could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReproduceError {
    /// A file that is part of the program.
    #[error("experiments/{file}, part of the program, cannot be read: {error}")]
    Embedded {
        /// The file.
        file: &'static str,
        /// Why.
        error: serde_json::Error,
    },
    /// Data that is not there.
    #[error("{name} is absent: there is no file {path}; docs/datasets.md says where to get it")]
    Absent {
        /// The data set.
        name: String,
        /// Where it should be.
        path: String,
    },
    /// Data that cannot be read.
    #[error("{name}: {error}")]
    Data {
        /// The data set.
        name: String,
        /// Why.
        error: String,
    },
    /// Data that differs.
    #[error(
        "{name}: {file} does not hold the names, values and classes of the manifest; docs/datasets.md says where to get it"
    )]
    OtherData {
        /// The data set.
        name: String,
        /// The file.
        file: String,
    },
    /// A method that does not exist.
    #[error("there is no method '{name}'; `rulesieve methods` lists them")]
    NoMethod {
        /// The name.
        name: String,
    },
    /// A grid that cannot be made.
    #[error("{name}: {error}")]
    Grid {
        /// The method.
        name: String,
        /// Why.
        error: ParamError,
    },
    /// A contest that failed.
    #[error("{method} on {name}: {error}")]
    Contest {
        /// The method.
        method: String,
        /// The data set.
        name: String,
        /// Why.
        error: Box<EvaluateError>,
    },
    /// Records that cannot be used.
    #[error("{path}: {error}")]
    Records {
        /// The file.
        path: String,
        /// Why.
        error: String,
    },
    /// The file of outcomes cannot be used.
    #[error(transparent)]
    Outcomes(#[from] RecordsError),
}

impl ReproduceError {
    /// Whether a method could not be fitted to a table, which says nothing about others.
    pub fn is_of_the_method(&self) -> bool {
        let Self::Contest { error, .. } = self else { return false };
        matches!(**error, EvaluateError::Select { .. } | EvaluateError::NoSetting { .. })
    }
}

#[cfg(test)]
mod tests;
