//! Friedman's test of equal average ranks.
//!
//! For N data sets and k methods with mean ranks R_j:
//! `chi2 = 12 N / (k (k + 1)) (sum_j R_j^2 - k (k + 1)^2 / 4)`, and by Iman and Davenport (1980)
//! `F = (N - 1) chi2 / (N (k - 1) - chi2)` with `k - 1` and `(k - 1)(N - 1)` degrees of freedom. As in Demsar (2006), ties
//! share ranks and chi2 is not corrected for them.

use super::distribution;
use serde::Serialize;

/// The result of the test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Friedman {
    /// Friedman's statistic.
    pub chi2: f64,
    /// The statistic of Iman and Davenport; absent if infinite, because all data sets rank the methods equally.
    pub f: Option<f64>,
    /// The critical value of F at level alpha.
    pub critical: f64,
    /// The p-value.
    pub p: f64,
    /// Degrees of freedom.
    pub df: (usize, usize),
}

impl Friedman {
    /// Tests the average ranks over `datasets` data sets.
    pub(super) fn new(average_ranks: &[f64], datasets: usize, alpha: f64) -> Self {
        let (n, k) = (datasets as f64, average_ranks.len() as f64);
        let squares: f64 = average_ranks.iter().map(|rank| rank * rank).sum();
        let largest = n * (k - 1.0);
        let chi2 = (12.0 * n / (k * (k + 1.0)) * (squares - k * (k + 1.0).powi(2) / 4.0)).clamp(0.0, largest);
        let df = (average_ranks.len() - 1, (average_ranks.len() - 1) * (datasets - 1));
        // Rounding errors must not make an infinite F finite.
        let rest = if largest - chi2 < 1e-9 * largest { 0.0 } else { largest - chi2 };
        let f = (rest > 0.0).then(|| (n - 1.0) * chi2 / rest);
        let p =
            f.map_or_else(|| equal_orders_probability(average_ranks.len(), datasets), |f| distribution::f_tail(f, df));
        Self { chi2, f, critical: distribution::f_critical(alpha, df), p, df }
    }

    /// Returns whether the test rejects equal ranks at level `alpha`.
    pub fn differs(&self, alpha: f64) -> bool {
        self.p < alpha
    }
}

/// Returns the probability under the null hypothesis that all data sets order the methods equally: `(k!)^(1 - N)`.
fn equal_orders_probability(methods: usize, datasets: usize) -> f64 {
    let log_orders: f64 = (1..=methods).map(|at| (at as f64).ln()).sum();
    (-log_orders * (datasets - 1) as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_orders_are_significant() {
        let test = Friedman::new(&[1.0, 2.0, 3.0], 6, 0.05);
        assert_eq!((test.chi2, test.f), (12.0, None));
        // One of the six orders, five times.
        assert!((test.p - 6.0_f64.powi(-5)).abs() < 1e-15 && test.differs(0.05));
        let two = Friedman::new(&[1.0, 2.0], 2, 0.05);
        assert!((two.p - 0.5).abs() < 1e-12 && !two.differs(0.05), "two data sets are not significant");
    }

    #[test]
    fn ties_are_no_difference() {
        let test = Friedman::new(&[2.0, 2.0, 2.0], 6, 0.05);
        assert_eq!((test.chi2, test.f), (0.0, Some(0.0)));
        assert!((test.p - 1.0).abs() < 1e-12 && !test.differs(0.05));
    }
}
