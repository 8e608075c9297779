//! The systems of the article's solver, `(2 Q + mu I + mu 1 1^T) theta = right`, one for every penalty mu.
//!
//! All of them share one band form ([`BandForm`]): of Q (m x m), or for n c < m of `K = B B^T` (n c x n c), since
//! `(2 B^T B + mu I)^-1 = (I - 2 B^T (2 K + mu I)^-1 B) / mu`. The ones are a change of rank one.
//!
//! Conjugate gradients would not need this form, but converge slowly: on images and on spoken letters many eigenvalues
//! of 2 Q are far above the first mu.

use super::weights::{Quadratic, factor, fitted, gathered};
use crate::linalg::{BandForm, LinalgError, Matrix, dot, outer_gram, sum_of_squares};

/// Solver for any mu.
pub(super) struct System<'a> {
    q: &'a Quadratic<'a>,
    form: BandForm,
    /// Ones, or `B 1`, in the basis of the band.
    ones: Vec<f64>,
    features: usize,
}

impl<'a> System<'a> {
    pub(super) fn new(q: &'a Quadratic<'a>, features: usize) -> Result<Self, LinalgError> {
        let form = BandForm::new(match q {
            Quadratic::Gram(q) => q.clone(),
            Quadratic::Free(data, w) => outer_gram(&factor(data, w)),
        })?;
        let mut system = Self { q, form, ones: Vec::new(), features };
        system.ones = system.entered(&vec![1.0; features]);
        Ok(system)
    }

    /// v, or `B v`, in the basis of the band.
    fn entered(&self, v: &[f64]) -> Vec<f64> {
        let mut entered = match self.q {
            Quadratic::Gram(_) => v.to_vec(),
            Quadratic::Free(data, w) => fitted(data, w, v).as_slice().to_vec(),
        };
        self.form.enter(&mut entered);
        entered
    }

    /// The solution and its `theta^T Q theta`.
    pub(super) fn solve(&self, mu: f64, right: Vec<f64>) -> (Vec<f64>, f64) {
        let shifted = self.form.band().shifted(2.0, mu);
        let (mut image, mut of_ones) = (self.entered(&right), self.ones.clone());
        shifted.solve(&mut image);
        shifted.solve(&mut of_ones);
        // Sum over the solution without the rank-one change, given its right-hand side and the sum over that.
        let total = |image: &[f64], sum: f64| match self.q {
            Quadratic::Gram(_) => dot(&self.ones, image),
            Quadratic::Free(..) => (sum - 2.0 * dot(&self.ones, image)) / mu,
        };
        let sum = total(&image, right.iter().sum());
        let part = mu * sum / (1.0 + mu * total(&of_ones, self.features as f64));
        image.iter_mut().zip(&of_ones).for_each(|(image, ones)| *image -= part * ones);
        self.left(mu, right, part, image)
    }

    /// From the basis of the band: the solution for `right - part`, whose image there is given, and its form.
    fn left(&self, mu: f64, mut right: Vec<f64>, part: f64, mut image: Vec<f64>) -> (Vec<f64>, f64) {
        match self.q {
            Quadratic::Gram(_) => {
                let form = self.form.band().quadratic_form(&image);
                self.form.leave(&mut image);
                (image, form)
            }
            Quadratic::Free(data, w) => {
                // `(2 K + mu I)^-1 B (right - part)` is `B theta`.
                let form = sum_of_squares(&image);
                self.form.leave(&mut image);
                let n = data.x.rows();
                let image = Matrix::from_fn(n, w.cols(), |row, class| image[class * n + row]);
                let back = gathered(data, w, &image);
                right.iter_mut().zip(&back).for_each(|(value, back)| *value = (*value - part - 2.0 * back) / mu);
                (right, form)
            }
        }
    }
}
