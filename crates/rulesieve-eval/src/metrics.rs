//! Scores of predictions.

pub use rulesieve::model::Confusion;

use rulesieve::matrix::Matrix;

/// Returns the area under the ROC curve and the average precision of scores, as scikit-learn computes them: rows with equal scores count
/// together. `None` unless there are positive and negative rows.
pub fn of_scores(positive: &[bool], scores: &[f64]) -> Option<(f64, f64)> {
    let total = positive.iter().filter(|positive| **positive).count() as f64;
    let negatives = positive.len() as f64 - total;
    if total == 0.0 || negatives == 0.0 {
        return None;
    }
    let mut order: Vec<usize> = (0..positive.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let (mut area, mut precision, mut hits, mut misses) = (0.0, 0.0, 0.0, 0.0);
    // Rows of equal scores, highest scores first.
    for equal in order.chunk_by(|&a, &b| scores[a] == scores[b]) {
        let own = equal.iter().filter(|&&row| positive[row]).count() as f64;
        let others = equal.len() as f64 - own;
        area += others * (hits + own / 2.0);
        (hits, misses) = (hits + own, misses + others);
        precision += own / total * (hits / (hits + misses));
    }
    Some((area / (total * negatives), precision))
}

/// Returns the area under the ROC curve and the average precision from a score of every class (rows x classes). Two classes: of the last
/// class. More: the mean over the classes that occur, each against all others. `None` if a single class occurs.
pub fn of_class_scores(codes: &[u32], scores: &Matrix) -> Option<(f64, f64)> {
    let classes = if scores.cols() == 2 { 1..2 } else { 0..scores.cols() };
    let of_class = |class: usize| {
        let positive: Vec<bool> = codes.iter().map(|&code| code as usize == class).collect();
        of_scores(&positive, scores.col(class))
    };
    let found: Vec<(f64, f64)> = classes.filter_map(of_class).collect();
    let mean = |of: fn(&(f64, f64)) -> f64| found.iter().map(of).sum::<f64>() / found.len() as f64;
    (!found.is_empty()).then(|| (mean(|one| one.0), mean(|one| one.1)))
}

/// Returns the root mean squared error and R squared, which is `None` if all targets are equal.
pub fn of_numbers(truth: &[f64], predicted: &[f64]) -> (f64, Option<f64>) {
    let count = truth.len().max(1) as f64;
    let center = truth.iter().map(|truth| truth / count).sum::<f64>();
    let distances = truth.iter().zip(predicted).flat_map(|(truth, value)| [truth - value, truth - center]);
    // Relative to the largest distance, so that no square overflows.
    let largest = distances.fold(0.0, |max: f64, distance| max.max(distance.abs()));
    if largest == 0.0 {
        return (0.0, None);
    }
    let errors: f64 = truth.iter().zip(predicted).map(|(truth, value)| ((truth - value) / largest).powi(2)).sum();
    let spread: f64 = truth.iter().map(|truth| ((truth - center) / largest).powi(2)).sum();
    (largest * (errors / count).sqrt(), (spread > 0.0).then(|| 1.0 - errors / spread))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_by_hand() {
        let (rmse, r2) = of_numbers(&[1.0, 2.0, 3.0], &[1.0, 2.0, 5.0]);
        assert!((rmse - (4.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!((r2.unwrap() - (1.0 - 4.0 / 2.0)).abs() < 1e-12);
        assert_eq!(of_numbers(&[2.0, 2.0], &[1.0, 2.0]).1, None);
        let (rmse, r2) = of_numbers(&[1e200, 2e200, 3e200], &[1e200, 2e200, 5e200]);
        assert!((rmse / 1e200 - (4.0_f64 / 3.0).sqrt()).abs() < 1e-12 && (r2.unwrap() + 1.0).abs() < 1e-12);
    }
}
