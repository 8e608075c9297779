//! Number of features to select.

use super::count;
use clap::Args;
use rulesieve::select::Size;

/// Number of features to select.
#[derive(Debug, Clone, Args)]
pub(crate) struct SizeArgs {
    /// Select this many features; the same as --size N
    #[arg(long, value_name = "N", conflicts_with = "fraction", allow_negative_numbers = true, value_parser = count)]
    top: Option<usize>,
    /// Select this fraction of the features, rounded down; the same as --size F
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    fraction: Option<f64>,
    /// Number of features: auto, a whole number, a fraction such as 1/3 or 0.25, or a rule [default: auto]
    ///
    /// Rules use 5-fold cross-validation of kernel ridge regression on the best 1, 2, 3, 5, 8, ... features, ranked again in each
    /// fold. one-se: the fewest features within one standard error of the best score; best: the best score; tolerance=X: the
    /// fewest within X of it; elbow: the largest bend of the score curve. native: the method's own rule, if it has one. `evaluate`
    /// applies rules to the training rows of each fold. auto: native for sieve, which uses held-out rows; one-se for other methods,
    /// or in `evaluate` the choice of the inner folds (1/3 under the paper's protocols).
    #[arg(long, value_name = "SIZE", conflicts_with_all = ["top", "fraction"], allow_negative_numbers = true)]
    size: Option<Size>,
}

impl SizeArgs {
    /// The size, if one was given.
    pub(crate) fn size(&self) -> Option<Size> {
        self.size.or(self.top.map(Size::Top)).or(self.fraction.map(Size::Fraction))
    }
}
