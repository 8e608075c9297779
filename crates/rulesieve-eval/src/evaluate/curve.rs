//! The score by number of features.

use super::result::SplitResult;
use rulesieve::select::{SizePoint, SizeRule};
use serde::Serialize;
use std::collections::BTreeMap;

/// Mean scores over the splits for growing numbers of features.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curve {
    /// Number of features, mean score, its standard error over the splits.
    pub points: Vec<SizePoint>,
    /// The area under the curve over the logarithm of the number of features, divided by its width: a mean score in which every
    /// doubling has the same weight.
    pub area: f64,
    /// The fewest features within one standard error of the best mean score.
    pub one_se: usize,
}

impl Curve {
    /// Computes the curve over all splits; `None` if no split has one.
    pub(super) fn of(splits: &[&SplitResult]) -> Option<Self> {
        let mut scores: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (size, score) in splits.iter().flat_map(|split| &split.curve) {
            scores.entry(*size).or_default().push(*score);
        }
        let points: Vec<SizePoint> = scores.iter().map(|(&size, scores)| SizePoint::of(size, scores)).collect();
        if points.is_empty() {
            return None;
        }
        Some(Self { area: area(&points), one_se: SizeRule::OneSe.choose(&points), points })
    }
}

fn area(points: &[SizePoint]) -> f64 {
    let at = |point: &SizePoint| (point.features as f64).ln();
    let pieces = points.windows(2);
    let width: f64 = pieces.clone().map(|pair| at(&pair[1]) - at(&pair[0])).sum();
    if width <= 0.0 {
        return points[0].score;
    }
    pieces.map(|pair| (at(&pair[1]) - at(&pair[0])) * (pair[0].score + pair[1].score) / 2.0).sum::<f64>() / width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_area_and_size_by_hand() {
        let split = |scores: [f64; 3]| SplitResult {
            points: Vec::new(),
            failed_settings: Vec::new(),
            curve: [1, 2, 8].into_iter().zip(scores).collect(),
            seconds: 0.0,
        };
        let (a, b) = (split([0.5, 0.8, 0.9]), split([0.7, 0.9, 0.8]));
        let curve = Curve::of(&[&a, &b]).unwrap();
        let means: Vec<f64> = curve.points.iter().map(|point| point.score).collect();
        assert!(means.iter().zip([0.6, 0.85, 0.85]).all(|(found, wanted)| (found - wanted).abs() < 1e-12));
        // One doubling with mean 0.725, two with 0.85.
        assert!((curve.area - (0.725 + 2.0 * 0.85) / 3.0).abs() < 1e-12, "{}", curve.area);
        assert_eq!(curve.one_se, 2);
        assert!(Curve::of(&[]).is_none());
    }
}
