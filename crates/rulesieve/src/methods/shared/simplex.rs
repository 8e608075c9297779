//! Projection onto the simplex.

/// The nearest point with nonnegative entries that sum to one.
pub(crate) fn onto_simplex(point: &[f64]) -> Vec<f64> {
    let mut descending = point.to_vec();
    descending.sort_by(|a, b| b.total_cmp(a));
    let (mut sum, mut taken) = (0.0, 0.0);
    for (at, value) in descending.iter().enumerate() {
        sum += value;
        let shift = (sum - 1.0) / (at + 1) as f64;
        if value - shift <= 0.0 {
            break;
        }
        taken = shift;
    }
    point.iter().map(|value| (value - taken).max(0.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn known_points() {
        assert_eq!(onto_simplex(&[0.5, 0.5]), [0.5, 0.5]);
        assert_eq!(onto_simplex(&[7.0, 1.0, -3.0]), [1.0, 0.0, 0.0]);
        assert_eq!(onto_simplex(&[-5.0, -5.0]), [0.5, 0.5]);
        assert_eq!(onto_simplex(&[-9.0]), [1.0]);
    }

    /// The direction from the projection to the point has no acute angle with the direction to any vertex.
    #[test]
    fn the_projection_is_optimal() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..100 {
            let point: Vec<f64> = (0..6).map(|_| 4.0 * rng.random::<f64>() - 2.0).collect();
            let found = onto_simplex(&point);
            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12 && found.iter().all(|value| *value >= 0.0));
            let inner: f64 = (0..6).map(|at| (point[at] - found[at]) * found[at]).sum();
            assert!((0..6).all(|corner| point[corner] - found[corner] <= inner + 1e-12), "{point:?}");
        }
    }
}
