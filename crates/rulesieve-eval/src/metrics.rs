//! Scores of predictions.

pub use rulesieve::model::Confusion;

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
