//! How many features to keep.

use super::curve::SizePoint;

/// A wish for the size of a selection.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Size {
    /// As many as held-out rows justify: the fewest features within one standard error of the best number.
    #[default]
    Auto,
    /// This many.
    Top(usize),
    /// This share of all features, rounded down, at least one.
    Fraction(f64),
    /// As many as a rule finds enough by cross-validation.
    Rule(SizeRule),
    /// As many as the method's own rule keeps.
    Native,
}

/// How a size is read from a curve of scores. Equal scores go to the smaller size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SizeRule {
    /// The best score.
    Best,
    /// The smallest size within one standard error of the best score.
    OneSe,
    /// The smallest size within this distance of the best score.
    Tolerance(f64),
    /// Where the curve bends most: farthest above the line between its first and its best point, sizes by logarithm.
    Elbow,
}

impl std::str::FromStr for SizeRule {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let unknown = || SizeError::Rule(text.chars().take(60).collect());
        match text {
            "best" => Ok(Self::Best),
            "one-se" => Ok(Self::OneSe),
            "elbow" => Ok(Self::Elbow),
            _ => {
                let value = text.strip_prefix("tolerance=").and_then(|value| value.parse().ok());
                value.filter(|value| (0.0..=1.0).contains(value)).map(Self::Tolerance).ok_or_else(unknown)
            }
        }
    }
}

impl std::fmt::Display for SizeRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Best => write!(f, "best"),
            Self::OneSe => write!(f, "one-se"),
            Self::Elbow => write!(f, "elbow"),
            Self::Tolerance(tolerance) => write!(f, "tolerance={tolerance}"),
        }
    }
}

impl SizeRule {
    /// The size that the rule takes from a curve with at least one point, sizes ascending.
    pub fn choose(self, points: &[SizePoint]) -> usize {
        let mut best = points[0];
        for point in points {
            if point.score > best.score {
                best = *point;
            }
        }
        let smallest =
            |least: f64| points.iter().find(|point| point.score >= least).map_or(best.features, |p| p.features);
        match self {
            Self::Best => best.features,
            Self::OneSe => smallest(best.score - best.standard_error),
            Self::Tolerance(tolerance) => smallest(best.score - tolerance),
            Self::Elbow => elbow(points, best),
        }
    }
}

fn elbow(points: &[SizePoint], best: SizePoint) -> usize {
    let first = points[0];
    let place = |features: usize| (features as f64 / first.features as f64).ln();
    let width = place(best.features);
    if width <= 0.0 {
        return best.features;
    }
    let above =
        |point: &SizePoint| point.score - first.score - (best.score - first.score) * place(point.features) / width;
    let mut farthest = first;
    for point in points.iter().filter(|point| point.features <= best.features) {
        if above(point) > above(&farthest) {
            farthest = *point;
        }
    }
    if above(&farthest) > 0.0 { farthest.features } else { best.features }
}

/// A size that cannot be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SizeError {
    /// Nothing would be selected.
    #[error("a selection of 0 features is no selection; ask for at least 1")]
    Zero,
    /// Not a rule.
    #[error("there is no size rule '{0}'; there are: one-se, best, elbow, tolerance=X with X from 0 to 1, and native")]
    Rule(String),
    /// A rule where rows come in pieces.
    #[error("a size rule needs all rows at once; give a number or a share of features instead")]
    RuleNeedsRows,
    /// Not a share.
    #[error("a fraction of {0} is not allowed; it must be above 0 and at most 1")]
    Fraction(f64),
}

impl Size {
    /// A third of the features, as in the paper.
    pub const THIRD: Self = Self::Fraction(1.0 / 3.0);

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
            // Found by cross-validation, or by the method, before; without one, all.
            Self::Auto | Self::Rule(_) | Self::Native => features,
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
        let third = Size::THIRD;
        let sizes: Vec<usize> = [1, 2, 3, 8, 9, 14, 31, 617].into_iter().map(|m| third.resolve(m)).collect();
        assert_eq!(sizes, [1, 1, 1, 2, 3, 4, 10, 205]);
        assert_eq!(Size::Top(50).resolve(7), 7);
        assert_eq!(Size::Fraction(1.0).resolve(7), 7);
    }

    #[test]
    fn rules_read_a_curve() {
        let scores = [(1, 0.50), (2, 0.80), (3, 0.90), (5, 0.92), (8, 0.93), (13, 0.93), (20, 0.91)];
        let curve: Vec<SizePoint> =
            scores.map(|(features, score)| SizePoint { features, score, standard_error: 0.02 }).to_vec();
        let chosen = |rule: &str| rule.parse::<SizeRule>().unwrap().choose(&curve);
        assert_eq!((chosen("best"), chosen("one-se"), chosen("elbow")), (8, 5, 3));
        assert_eq!((chosen("tolerance=0"), chosen("tolerance=0.05"), chosen("tolerance=0.5")), (8, 3, 1));
        let flat = vec![SizePoint { features: 1, score: 0.7, standard_error: 0.0 }; 1];
        for rule in ["best", "one-se", "elbow", "tolerance=0.1"] {
            assert_eq!(rule.parse::<SizeRule>().unwrap().choose(&flat), 1);
        }
    }

    #[test]
    fn unknown_rules_are_refused_with_those_there_are() {
        for text in ["", "one", "tolerance", "tolerance=", "tolerance=2", "tolerance=NaN", "tolerance=-1"] {
            assert!(text.parse::<SizeRule>().unwrap_err().to_string().contains("one-se, best, elbow"), "{text}");
        }
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert_eq!(Size::Top(0).check(), Err(SizeError::Zero));
        for share in [0.0, -0.5, 1.5, f64::NAN, f64::INFINITY] {
            assert!(matches!(Size::Fraction(share).check(), Err(SizeError::Fraction(_))), "{share}");
        }
    }
}
