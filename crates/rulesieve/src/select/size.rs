//! Number of features to select.

use super::curve::SizePoint;
use crate::remedy::Remedy;
use serde::{Deserialize, Serialize};

/// Number of features to select. As text: `auto`, a whole number, a share such as `1/3` or `0.25`, the name of a
/// [`SizeRule`], or `native`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "SizeText", into = "String")]
pub enum Size {
    /// Chosen on held-out rows: by the method itself if it can, else the fewest features within one standard error of
    /// the best score.
    #[default]
    Auto,
    /// This number of features.
    Top(usize),
    /// This share of all features, rounded down, at least one.
    Fraction(f64),
    /// Chosen by cross-validation with a rule.
    Rule(SizeRule),
    /// Chosen by the method's own rule.
    Native,
}

/// A size in JSON: text, or the number in place of its text.
#[derive(Deserialize)]
#[serde(untagged)]
enum SizeText {
    Count(usize),
    Share(f64),
    Text(String),
}

impl TryFrom<SizeText> for Size {
    type Error = SizeError;

    fn try_from(text: SizeText) -> Result<Self, SizeError> {
        match text {
            SizeText::Count(count) => Self::Top(count).check(),
            SizeText::Share(share) => Self::Fraction(share).check(),
            SizeText::Text(text) => text.parse(),
        }
    }
}

impl From<Size> for String {
    fn from(size: Size) -> Self {
        size.to_string()
    }
}

impl std::str::FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let text = text.trim();
        let ratio =
            |(over, under): (&str, &str)| Some(over.trim().parse::<f64>().ok()? / under.trim().parse::<f64>().ok()?);
        let numeric = text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first));
        match text {
            "auto" => Ok(Self::Auto),
            "native" => Ok(Self::Native),
            _ if !numeric => text.parse().map(Self::Rule),
            _ => match (text.parse::<usize>(), text.parse::<f64>().ok().or_else(|| ratio(text.split_once('/')?))) {
                (Ok(count), _) => Self::Top(count).check(),
                (Err(_), Some(share)) => Self::Fraction(share).check(),
                (Err(_), None) => Err(SizeError::unknown(text)),
            },
        }
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Native => f.write_str("native"),
            Self::Top(count) => write!(f, "{count}"),
            // With a decimal point, so that all features (1.0) differ from one feature (1).
            Self::Fraction(share) => write!(f, "{share:?}"),
            Self::Rule(rule) => rule.fmt(f),
        }
    }
}

/// A rule for choosing a size from a curve of scores. Ties go to the smaller size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SizeRule {
    /// The best score.
    Best,
    /// The smallest size within one standard error of the best score.
    OneSe,
    /// The smallest size within this distance of the best score.
    Tolerance(f64),
    /// The point farthest above the line from the first to the best point, on a logarithmic axis of sizes.
    Elbow,
}

impl std::str::FromStr for SizeRule {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        match text {
            "best" => Ok(Self::Best),
            "one-se" => Ok(Self::OneSe),
            "elbow" => Ok(Self::Elbow),
            _ => {
                let value = text.strip_prefix("tolerance=").and_then(|value| value.parse().ok());
                value
                    .filter(|value| (0.0..=1.0).contains(value))
                    .map(Self::Tolerance)
                    .ok_or_else(|| SizeError::unknown(text))
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
    /// The size that the rule chooses from a curve with at least one point, sizes ascending.
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
    let position = |features: usize| (features as f64 / first.features as f64).ln();
    let width = position(best.features);
    if width <= 0.0 {
        return best.features;
    }
    let above =
        |point: &SizePoint| point.score - first.score - (best.score - first.score) * position(point.features) / width;
    let mut farthest = first;
    for point in points.iter().filter(|point| point.features <= best.features) {
        if above(point) > above(&farthest) {
            farthest = *point;
        }
    }
    if above(&farthest) > 0.0 { farthest.features } else { best.features }
}

/// An invalid size.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SizeError {
    /// Zero features.
    #[error("cannot select 0 features")]
    Zero,
    /// Neither a number, nor a share, nor a rule.
    #[error(
        "'{0}' is not a size; use auto, a whole number, a share such as 1/3 or 0.25, or a rule: one-se, best, elbow, tolerance=X \
         with X from 0 to 1, native"
    )]
    Unknown(String),
    /// A size rule for rows that are read in batches.
    #[error("a size rule needs all rows at once")]
    RuleNeedsRows,
    /// A share out of range.
    #[error("a fraction of {0} is not allowed: it must be above 0 and at most 1")]
    Fraction(f64),
}

impl SizeError {
    /// Shortens `text`, which may be long.
    fn unknown(text: &str) -> Self {
        Self::Unknown(text.chars().take(60).collect())
    }

    /// Suggested fix.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::Zero => Some(Remedy::plain("choose at least 1")),
            Self::RuleNeedsRows => Some(Remedy::SizeOrShare),
            Self::Unknown(_) | Self::Fraction(_) => None,
        }
    }
}

impl Size {
    /// A third of the features, as in the paper.
    pub const THIRD: Self = Self::Fraction(1.0 / 3.0);

    /// Rejects sizes that are out of range.
    pub fn check(self) -> Result<Self, SizeError> {
        match self {
            Self::Top(0) => Err(SizeError::Zero),
            Self::Fraction(share) if !(share > 0.0 && share <= 1.0) => Err(SizeError::Fraction(share)),
            size => Ok(size),
        }
    }

    /// The number of features to select out of `features`.
    pub fn resolve(self, features: usize) -> usize {
        let wanted = match self {
            Self::Top(count) => count,
            // Already resolved by cross-validation or by the method; all features otherwise.
            Self::Auto | Self::Rule(_) | Self::Native => features,
            // Slightly above the product, so that a third of 9 is 3 despite the rounding of 1/3.
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
    fn sizes_are_parsed_and_printed() {
        let rules = [SizeRule::Best, SizeRule::OneSe, SizeRule::Elbow, SizeRule::Tolerance(0.02)].map(Size::Rule);
        let shares = [1.0 / 3.0, 0.25, 1.0, 1e-9].map(Size::Fraction);
        let plain = [Size::Auto, Size::Native, Size::Top(1), Size::Top(617)];
        for size in [&plain[..], &rules[..], &shares[..]].concat() {
            assert_eq!(size.to_string().parse::<Size>(), Ok(size), "{size}");
            let json = serde_json::to_string(&size).unwrap();
            assert_eq!(serde_json::from_str::<Size>(&json).unwrap(), size, "{json}");
        }
        let texts = [("1/3", Size::THIRD), ("1 / 4", Size::Fraction(0.25)), (".5", Size::Fraction(0.5))];
        for (text, size) in texts.into_iter().chain([("1.0", Size::Fraction(1.0)), (" 12 ", Size::Top(12))]) {
            assert_eq!(text.parse::<Size>(), Ok(size), "{text}");
        }
        assert_eq!(serde_json::from_str::<Vec<Size>>("[3, 0.5]").unwrap(), [Size::Top(3), Size::Fraction(0.5)]);
    }

    #[test]
    fn unknown_sizes_are_rejected_with_those_that_are_allowed() {
        for text in
            ["", "one", "tolerance", "tolerance=", "tolerance=2", "tolerance=NaN", "tolerance=-1", "nan", "3x", "1/x"]
        {
            assert!(text.parse::<Size>().unwrap_err().to_string().contains("one-se, best, elbow"), "{text}");
        }
        assert_eq!("0".parse::<Size>(), Err(SizeError::Zero));
        for text in ["-3", "1.5", "4/3", "0.0", "1/0", "0/0"] {
            assert!(matches!(text.parse::<Size>(), Err(SizeError::Fraction(_))), "{text}");
        }
    }

    #[test]
    fn impossible_sizes_are_rejected() {
        assert_eq!(Size::Top(0).check(), Err(SizeError::Zero));
        for share in [0.0, -0.5, 1.5, f64::NAN, f64::INFINITY] {
            assert!(matches!(Size::Fraction(share).check(), Err(SizeError::Fraction(_))), "{share}");
        }
    }
}
