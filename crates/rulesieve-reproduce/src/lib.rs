//! Reproduces the experiments of the paper.
//!
//! | module | contents |
//! |---|---|
//! | `manifest` | the data sets and their required contents |
//! | `originals` | conversion of the archives' files, and checks |
//! | `protocol` | how methods are evaluated |
//! | `sweep` | evaluation of one batch of settings on one data set |
//! | `cells` | saved scores |
//! | `results` | scores by protocol |
//! | `printed` | the tables of the paper |
//! | `extras` | additional measurements: `circle` (toy data), `faces`, `convergence`, `bound` (the best of all subsets) |
//! | `tables`, `peers`, `statistics`, `sensitivity`, `times` | tables and figures |
//! | `reading`, `document` | the document with its tables and figures |
//!
//! `experiments/reproduction/document.py` adds the sections that compare claims and protocols with the paper.

mod bound;
mod cells;
mod circle;
mod convergence;
mod document;
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

pub use cells::{Line, Store};
pub use document::{Block, Document, Table};
pub use extras::{ExtraWork, Extras, read as read_extras};
pub use manifest::{DataSet, FACES, data_sets};
pub use originals::{Finding, Recipe, check, convert, recipes};
pub use protocol::{Batch, ProtocolFile, Thinned, WITH_BASELINES, protocols};
pub use reading::{Sources, document};
pub use results::{Measure, PER_FOLD, Results, Score, View};
pub use sweep::{BatchStatus, run};

use rulesieve::Remedy;
use rulesieve::methods::UnknownMethod;
use rulesieve::methods::settings::ParamError;
use rulesieve_eval::evaluate::EvaluateError;
use rulesieve_eval::records::RecordsError;

/// The cause of a failure, of any type.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Errors of the experiments.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum ReproduceError {
    /// A built-in file cannot be read.
    #[error("the built-in file {file} cannot be read: {error}")]
    Embedded { file: &'static str, error: serde_json::Error },
    /// A data set is missing.
    #[error("{name} is missing: there is no file {path}")]
    Absent { name: String, path: String },
    /// A data set cannot be read.
    #[error("{name}: {error}")]
    Data {
        /// The data set.
        name: String,
        /// Why.
        #[source]
        error: Cause,
    },
    /// A data set differs from the manifest.
    #[error("{name}: {file} differs from the manifest in names, values or classes")]
    OtherData { name: String, file: String },
    /// An unknown method.
    #[error(transparent)]
    NoMethod(#[from] UnknownMethod),
    /// Invalid parameters.
    #[error("{name}: {error}")]
    Grid { name: String, error: ParamError },
    /// An evaluation failed.
    #[error("{method} on {name}: {error}")]
    Batch {
        /// The method.
        method: String,
        /// The data set.
        name: String,
        /// Why.
        #[source]
        error: Box<EvaluateError>,
    },
    /// A file of saved results cannot be used.
    #[error("{path}: {error}")]
    Records { path: String, error: String },
    /// The file of outcomes cannot be used.
    #[error("{0}")]
    Outcomes(#[from] RecordsError),
}

impl ReproduceError {
    /// Suggested fix. Causes have their own.
    pub fn remedy(&self) -> Option<Remedy> {
        let data = matches!(self, Self::Absent { .. } | Self::OtherData { .. });
        data.then(|| Remedy::plain("docs/datasets.md names its source"))
    }

    /// Returns whether a method could not be fitted to a data set, which does not affect others.
    pub fn is_of_the_method(&self) -> bool {
        let Self::Batch { error, .. } = self else { return false };
        matches!(**error, EvaluateError::Select { .. } | EvaluateError::NoSetting { .. })
    }
}

#[cfg(test)]
mod tests;
