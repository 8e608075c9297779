//! How many features are selected.

use super::count;
use clap::Args;
use rulesieve::select::Size;

/// How many features are selected.
#[derive(Debug, Clone, Args)]
pub(crate) struct SizeArgs {
    /// Select this many features; the same as --size N
    #[arg(long, value_name = "N", conflicts_with = "fraction", allow_negative_numbers = true, value_parser = count)]
    top: Option<usize>,
    /// Select this share of the features, rounded down; the same as --size F
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    fraction: Option<f64>,
    /// Number of features: auto, a whole number, a share such as 1/3 or 0.25, or a rule [default: auto]
    ///
    /// Rules use cross-validation of kernel ridge regression on the best 1, 2, 3, 5, 8, ... features: one-se: the fewest features
    /// within one standard error of the best score; best: the best score; tolerance=X: the fewest within X of it; elbow: where
    /// the curve of scores bends most. The ranking is repeated in each of 5 folds. native: the method's own rule, for methods that
    /// have one. `evaluate` applies a rule to every training part. The default, auto, is native for sieve, which holds rows out
    /// itself. For other methods it is one-se, or the choice of the inner folds (a third under the paper's protocols) in `evaluate`.
    #[arg(long, value_name = "SIZE", conflicts_with_all = ["top", "fraction"], allow_negative_numbers = true)]
    size: Option<Size>,
}

impl SizeArgs {
    /// The size, if one was given.
    pub(crate) fn size(&self) -> Option<Size> {
        self.size.or(self.top.map(Size::Top)).or(self.fraction.map(Size::Fraction))
    }
}
