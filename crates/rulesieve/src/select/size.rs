//! How many features to keep.

/// A wish for the size of a selection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Size {
    /// This many.
    Top(usize),
    /// This share of all features, rounded down, at least one.
    Fraction(f64),
}

/// A size that cannot be.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SizeError {
    /// Nothing would be selected.
    #[error("a selection of 0 features is no selection; ask for at least 1")]
    Zero,
    /// Not a share.
    #[error("a fraction of {0} is not allowed; it must be above 0 and at most 1")]
    Fraction(f64),
}

impl Default for Size {
    /// A third, as in the paper.
    fn default() -> Self {
        Self::Fraction(1.0 / 3.0)
    }
}

impl Size {
    /// Checks the wish.
    pub fn check(self) -> Result<Self, SizeError> {
        match self {
            Self::Top(0) => Err(SizeError::Zero),
            Self::Fraction(share) if !(share > 0.0 && share <= 1.0) => Err(SizeError::Fraction(share)),
            size => Ok(size),
        }
    }

    /// The number of features to keep out of `features`.
    pub fn resolve(self, features: usize) -> usize {
        let wanted = match self {
            Self::Top(count) => count,
            // A hair above the product, so that a third of 9 is 3 whatever the rounding of 1/3.
            Self::Fraction(share) => (share * features as f64 * (1.0 + 1e-12)).floor() as usize,
        };
        wanted.clamp(1, features.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_round_down_but_keep_one() {
        let third = Size::default();
        let sizes: Vec<usize> = [1, 2, 3, 8, 9, 14, 31, 617].into_iter().map(|m| third.resolve(m)).collect();
        assert_eq!(sizes, [1, 1, 1, 2, 3, 4, 10, 205]);
        assert_eq!(Size::Top(50).resolve(7), 7);
        assert_eq!(Size::Fraction(1.0).resolve(7), 7);
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert_eq!(Size::Top(0).check(), Err(SizeError::Zero));
        for share in [0.0, -0.5, 1.5, f64::NAN, f64::INFINITY] {
            assert!(matches!(Size::Fraction(share).check(), Err(SizeError::Fraction(_))), "{share}");
        }
    }
}
