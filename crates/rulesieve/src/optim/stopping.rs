//! When an objective has stopped moving.

/// Says stop when the objective changed by less than `tolerance` of itself over `window` iterations.
#[derive(Debug, Clone)]
pub struct Plateau {
    tolerance: f64,
    window: usize,
    history: Vec<f64>,
}

impl Plateau {
    /// A tolerance of zero never stops.
    pub fn new(tolerance: f64, window: usize) -> Self {
        Self { tolerance, window, history: Vec::new() }
    }

    /// Takes the next value of the objective; true when it has settled.
    pub fn settled(&mut self, objective: f64) -> bool {
        self.history.push(objective);
        let Some(before) = self.history.len().checked_sub(self.window + 1).map(|at| self.history[at]) else {
            return false;
        };
        (objective - before).abs() < self.tolerance * before.abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_after_the_window_and_never_at_tolerance_zero() {
        let run = |tolerance| {
            let mut plateau = Plateau::new(tolerance, 5);
            (1..100).find(|&t| plateau.settled(10.0 + 0.5_f64.powi(t)))
        };
        // |0.5^t - 0.5^(t-5)| = 31 * 0.5^t falls below 1e-4 of about 10 at t = 15.
        assert_eq!(run(1e-4), Some(15));
        assert_eq!(run(0.0), None);
    }
}
