//! Adam (Kingma and Ba 2014): gradient steps scaled by running moments of the gradient.

use crate::linalg::widest;
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
        let rates = self.next_rates();
        value
            .par_chunks_mut(CHUNK)
            .zip(gradient.par_chunks(CHUNK))
            .zip(self.first.par_chunks_mut(CHUNK).zip(self.second.par_chunks_mut(CHUNK)))
            .for_each(|((value, gradient), (first, second))| widest!(|| rates.apply(value, gradient, first, second)));
    }

    /// [`Adam::step`] with another learning rate from now on.
    pub fn step_at(&mut self, rate: f64, value: &mut [f64], gradient: &[f64]) {
        self.rate = rate;
        self.step(value, gradient);
    }

    /// Moves a matrix column by column, and a companion by the same amounts.
    ///
    /// `gradient(column, value, companion, out)` writes the gradient of a column into `out`, and may bring the companion up to
    /// date first. The gradient never exists as a whole, which spares most of the memory traffic of a step. `rows` is the
    /// length of a column.
    pub fn step_columns<G>(&mut self, value: &mut [f64], companion: &mut [f64], rows: usize, gradient: G)
    where
        G: Fn(usize, &[f64], &mut [f64], &mut [f64]) + Sync,
    {
        let rates = self.next_rates();
        value
            .par_chunks_mut(rows)
            .zip(companion.par_chunks_mut(rows))
            .zip(self.first.par_chunks_mut(rows).zip(self.second.par_chunks_mut(rows)))
            .enumerate()
            .with_min_len(CHUNK.div_ceil(rows))
            .for_each_init(
                || vec![0.0; rows],
                |scratch, (column, ((value, companion), (first, second)))| {
                    widest!(|| {
                        gradient(column, value, companion, scratch);
                        companion.iter_mut().zip(&*value).for_each(|(companion, value)| *companion -= value);
                        rates.apply(value, scratch, first, second);
                        companion.iter_mut().zip(&*value).for_each(|(companion, value)| *companion += value);
                    });
                },
            );
    }

    fn next_rates(&mut self) -> Rates {
        self.steps = self.steps.saturating_add(1);
        Rates {
            first: self.rate / (1.0 - FIRST_DECAY.powi(self.steps)),
            second: 1.0 / (1.0 - SECOND_DECAY.powi(self.steps)),
        }
    }
}

/// The bias corrections of one step; that of the first moment times the learning rate.
struct Rates {
    first: f64,
    second: f64,
}

impl Rates {
    #[inline(always)]
    fn apply(&self, value: &mut [f64], gradient: &[f64], first: &mut [f64], second: &mut [f64]) {
        for (((value, &gradient), first), second) in value.iter_mut().zip(gradient).zip(first).zip(second) {
            *first = FIRST_DECAY * *first + (1.0 - FIRST_DECAY) * gradient;
            *second = SECOND_DECAY * *second + (1.0 - SECOND_DECAY) * gradient * gradient;
            *value -= self.first * *first / ((*second * self.second).sqrt() + EPSILON);
        }
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
    fn columns_move_as_the_whole_does_and_take_their_companion_along() {
        let (rows, cols) = (5, 3);
        let start: Vec<f64> = (0..rows * cols).map(|i| (i as f64).sin()).collect();
        let offset = 0.25;
        let (mut whole, mut by_column) = (start.clone(), start.clone());
        let mut companion: Vec<f64> = start.iter().map(|value| value + offset).collect();
        let (mut adam, mut adam_columns) = (Adam::new(15, 0.1), Adam::new(15, 0.1));
        for _ in 0..4 {
            let gradient: Vec<f64> = whole.iter().enumerate().map(|(i, v)| v * i as f64).collect();
            adam.step(&mut whole, &gradient);
            adam_columns.step_columns(&mut by_column, &mut companion, rows, |column, _, companion, out| {
                for (row, out) in out.iter_mut().enumerate() {
                    *out = (companion[row] - offset) * (column * rows + row) as f64;
                }
            });
        }
        for ((whole, column), companion) in whole.iter().zip(&by_column).zip(&companion) {
            assert!((whole - column).abs() < 1e-14 && (companion - column - offset).abs() < 1e-14);
        }
        assert!(whole.iter().zip(&start).skip(1).all(|(new, old)| new != old));
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
