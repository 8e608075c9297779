//! Adam (Kingma and Ba 2014): gradient steps scaled by running moments of the gradient.

use rayon::prelude::*;

const FIRST_DECAY: f64 = 0.9;
const SECOND_DECAY: f64 = 0.999;
/// Added to the root of the second moment, outside of it.
const EPSILON: f64 = 1e-8;
/// Long vectors are updated in chunks of this many entries, so that a second thread has something to do.
const CHUNK: usize = 1 << 15;

/// The moments of one parameter vector.
#[derive(Debug, Clone)]
pub struct Adam {
    rate: f64,
    steps: i32,
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Adam {
    /// Moments at zero for `len` parameters and the given learning rate.
    pub fn new(len: usize, rate: f64) -> Self {
        Self { rate, steps: 0, first: vec![0.0; len], second: vec![0.0; len] }
    }

    /// Moves `value` against `gradient`.
    pub fn step(&mut self, value: &mut [f64], gradient: &[f64]) {
        self.steps = self.steps.saturating_add(1);
        let first_correction = self.rate / (1.0 - FIRST_DECAY.powi(self.steps));
        let second_correction = 1.0 / (1.0 - SECOND_DECAY.powi(self.steps));
        value
            .par_chunks_mut(CHUNK)
            .zip(gradient.par_chunks(CHUNK))
            .zip(self.first.par_chunks_mut(CHUNK).zip(self.second.par_chunks_mut(CHUNK)))
            .for_each(|((value, gradient), (first, second))| {
                for (((value, &gradient), first), second) in value.iter_mut().zip(gradient).zip(first).zip(second) {
                    *first = FIRST_DECAY * *first + (1.0 - FIRST_DECAY) * gradient;
                    *second = SECOND_DECAY * *second + (1.0 - SECOND_DECAY) * gradient * gradient;
                    *value -= first_correction * *first / ((*second * second_correction).sqrt() + EPSILON);
                }
            });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_step_has_the_length_of_the_rate() {
        let mut value = [1.0, 1.0, 1.0];
        Adam::new(3, 0.1).step(&mut value, &[5.0, -0.01, 0.0]);
        assert!((value[0] - 0.9).abs() < 1e-8 && (value[1] - 1.1).abs() < 1e-6 && value[2] == 1.0, "{value:?}");
    }

    #[test]
    fn follows_the_published_recursion() {
        let (mut value, mut adam) = ([0.3], Adam::new(1, 0.05));
        let (mut expected, mut m, mut v) = (0.3_f64, 0.0_f64, 0.0_f64);
        for t in 1..=50 {
            let gradient = 2.0 * (expected - 1.0);
            m = 0.9 * m + 0.1 * gradient;
            v = 0.999 * v + 0.001 * gradient.powi(2);
            expected -= 0.05 * (m / (1.0 - 0.9_f64.powi(t))) / ((v / (1.0 - 0.999_f64.powi(t))).sqrt() + 1e-8);
            let own_gradient = [2.0 * (value[0] - 1.0)];
            adam.step(&mut value, &own_gradient);
        }
        assert!((value[0] - expected).abs() < 1e-12);
    }
}
