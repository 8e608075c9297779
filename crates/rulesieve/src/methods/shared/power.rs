//! The largest eigenvalue of a positive semidefinite matrix by power iteration.

use crate::linalg::Matrix;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// Maximum number of products, and the relative change of the estimate at convergence.
const PRODUCTS: usize = 200;
const TOLERANCE: f64 = 1e-6;
/// Factor on the estimate: power iteration converges from below.
const MARGIN: f64 = 1.01;

/// Warm-started power iteration, for matrices that change gradually.
pub(crate) struct LargestEigenvalue {
    vector: Matrix,
}

impl LargestEigenvalue {
    /// For matrices of this order; the initial vector is fixed.
    pub(crate) fn new(order: usize) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        Self { vector: Matrix::from_fn(order, 1, |_, _| StandardNormal.sample(&mut rng)) }
    }

    /// An estimate of the largest eigenvalue, raised by a hundredth; nearly always an upper bound. Zero for a zero
    /// matrix.
    pub(crate) fn estimate(&mut self, mut times: impl FnMut(&Matrix) -> Matrix) -> f64 {
        let mut largest = 0.0_f64;
        for _ in 0..PRODUCTS {
            let mut length = self.vector.norm_squared().sqrt();
            if !(length > 0.0 && length.is_finite()) {
                *self = Self::new(self.vector.rows());
                length = self.vector.norm_squared().sqrt();
            }
            self.vector.as_mut_slice().iter_mut().for_each(|value| *value /= length);
            self.vector = times(&self.vector);
            let before = std::mem::replace(&mut largest, self.vector.norm_squared().sqrt());
            if (largest - before).abs() <= TOLERANCE * largest {
                break;
            }
        }
        MARGIN * largest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{Plain, product};

    #[test]
    fn finds_the_largest_and_follows_a_change() {
        let mut matrix = Matrix::from_fn(6, 6, |row, col| if row == col { (row + 1) as f64 } else { 0.0 });
        let mut largest = LargestEigenvalue::new(6);
        let found = largest.estimate(|v| product(Plain(&matrix), Plain(v)));
        assert!((6.0..6.1).contains(&found), "{found}");
        matrix[(5, 5)] = 6.5;
        let mut products = 0;
        let found = largest.estimate(|v| {
            products += 1;
            product(Plain(&matrix), Plain(v))
        });
        assert!((6.5..6.6).contains(&found) && products < 10, "{found} {products}");
        assert_eq!(largest.estimate(|v| Matrix::zeros(v.rows(), 1)), 0.0);
        assert!(largest.estimate(|v| product(Plain(&matrix), Plain(v))) > 6.5, "the state survives a zero matrix");
    }
}
