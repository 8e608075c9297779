//! Errors of the generators.

use crate::data::TableError;
use crate::remedy::Remedy;

/// A size that a generator cannot make.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum GenerateError {
    /// Fewer rows than classes or clusters.
    #[error("'{generator}' cannot make {found} samples: its classes and clusters need at least {minimum}")]
    TooFewSamples { generator: &'static str, found: usize, minimum: usize },
    /// Fewer columns than the construction has.
    #[error("'{generator}' cannot make {found} features: its construction needs at least {minimum}")]
    TooFewFeatures { generator: &'static str, found: usize, minimum: usize },
    /// A table beyond [`MAXIMUM_CELLS`](super::MAXIMUM_CELLS).
    #[error(
        "'{generator}' cannot make {samples} samples of {features} features: at most {maximum} cells (samples times \
         features) are allowed"
    )]
    TooLarge { generator: &'static str, samples: usize, features: usize, maximum: usize },
    /// Columns that do not form a table.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl GenerateError {
    /// Suggested fix.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::TooLarge { .. } => Some(Remedy::plain("use fewer samples or features")),
            Self::Table(error) => error.remedy(),
            Self::TooFewSamples { .. } | Self::TooFewFeatures { .. } => None,
        }
    }
}
