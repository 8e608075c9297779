//! Why a table cannot be generated.

use crate::data::TableError;
use crate::remedy::Remedy;

/// A size that a generator cannot make.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// Fewer rows than classes or clusters.
    #[error("'{generator}' cannot make {found} samples: its classes and clusters need at least {minimum}")]
    TooFewSamples {
        /// The generator.
        generator: &'static str,
        /// The rows asked for.
        found: usize,
        /// The fewest it makes.
        minimum: usize,
    },
    /// Fewer columns than the construction has.
    #[error("'{generator}' cannot make {found} features: its construction needs at least {minimum}")]
    TooFewFeatures {
        /// The generator.
        generator: &'static str,
        /// The feature columns asked for.
        found: usize,
        /// The fewest it makes.
        minimum: usize,
    },
    /// A table beyond [`MAXIMUM_CELLS`](super::MAXIMUM_CELLS).
    #[error(
        "'{generator}' cannot make {samples} samples of {features} features: at most {maximum} cells (samples times \
         features) are allowed"
    )]
    TooLarge {
        /// The generator.
        generator: &'static str,
        /// The rows asked for.
        samples: usize,
        /// The feature columns asked for.
        features: usize,
        /// The most cells allowed.
        maximum: usize,
    },
    /// Columns that do not form a table.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl GenerateError {
    /// What to do about it.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::TooLarge { .. } => Some(Remedy::plain("ask for fewer samples or features")),
            Self::Table(error) => error.remedy(),
            Self::TooFewSamples { .. } | Self::TooFewFeatures { .. } => None,
        }
    }
}
