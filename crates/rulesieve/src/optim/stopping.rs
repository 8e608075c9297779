//! Stopping rule for an objective.

/// Detects a relative change of the objective below `tolerance` between two calls.
#[derive(Debug, Clone)]
pub struct Plateau {
    tolerance: f64,
    before: Option<f64>,
}

impl Plateau {
    /// A tolerance of zero never stops.
    pub fn new(tolerance: f64) -> Self {
        Self { tolerance, before: None }
    }

    /// Takes the next value of the objective; true if it has converged.
    pub fn settled(&mut self, objective: f64) -> bool {
        let before = self.before.replace(objective);
        before.is_some_and(|before| (objective - before).abs() < self.tolerance * before.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_when_the_change_is_small_and_never_at_tolerance_zero() {
        let run = |tolerance| {
            let mut plateau = Plateau::new(tolerance);
            (1..100).find(|&t| plateau.settled(10.0 + 0.5_f64.powi(t)))
        };
        // |0.5^t - 0.5^(t-1)| = 0.5^t falls below 1e-4 of about 10 at t = 10.
        assert_eq!(run(1e-4), Some(10));
        assert_eq!(run(0.0), None);
    }
}
