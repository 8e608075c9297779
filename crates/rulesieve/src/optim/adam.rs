//! Adam (Kingma and Ba 2014): gradient steps scaled by running moments of the gradient.

use crate::linalg::{Matrix, widest};
use rayon::prelude::*;
use std::ops::Range;

const FIRST_DECAY: f64 = 0.9;
const SECOND_DECAY: f64 = 0.999;
/// Added to the root of the second moment.
const EPSILON: f64 = 1e-8;
/// Long vectors are updated in chunks of this many entries, in parallel.
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
    /// Zero moments for `len` parameters and a learning rate.
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

    /// Sets the learning rate and takes a step.
    pub fn step_at(&mut self, rate: f64, value: &mut [f64], gradient: &[f64]) {
        self.rate = rate;
        self.step(value, gradient);
    }

    /// Begins a step that is taken strip by strip of the rows of a matrix, in any order: every column of every strip is
    /// moved once. A gradient can then be used while its inputs are in the cache. The moments are stored in the order
    /// of the strips: steps with different strip heights, or whole steps, must not be mixed.
    pub fn strips<'a>(&'a mut self, value: &'a mut Matrix, height: usize) -> Vec<Strip<'a>> {
        assert!(height > 0, "height of a strip");
        let (rows, cols, rates) = (value.rows(), value.cols(), self.next_rates());
        let size = (height * cols).max(1);
        let moments = self.first.chunks_mut(size).zip(self.second.chunks_mut(size)).enumerate();
        let strip = |(at, (first, second)): (usize, (&'a mut [f64], &'a mut [f64]))| {
            let rows = at * height..((at + 1) * height).min(rows);
            Strip { rows, rates, values: Vec::with_capacity(cols), first, second }
        };
        let mut strips: Vec<Strip> = moments.map(strip).collect();
        for column in value.as_mut_slice().chunks_mut(rows.max(1)) {
            strips.iter_mut().zip(column.chunks_mut(height)).for_each(|(strip, part)| strip.values.push(part));
        }
        strips
    }

    fn next_rates(&mut self) -> Rates {
        self.steps = self.steps.saturating_add(1);
        Rates {
            first: self.rate / (1.0 - FIRST_DECAY.powi(self.steps)),
            second: 1.0 / (1.0 - SECOND_DECAY.powi(self.steps)),
        }
    }
}

/// Some rows of a matrix, with their moments, before the step.
pub struct Strip<'a> {
    rows: Range<usize>,
    rates: Rates,
    values: Vec<&'a mut [f64]>,
    first: &'a mut [f64],
    second: &'a mut [f64],
}

impl Strip<'_> {
    /// The range of rows.
    pub fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// These rows of a column.
    #[inline(always)]
    pub fn column(&self, column: usize) -> &[f64] {
        self.values[column]
    }

    /// Moves these rows of a column against their gradient and returns them. Call it once for every column.
    #[inline(always)]
    pub fn step(&mut self, column: usize, gradient: &[f64]) -> &[f64] {
        let (value, place) = (&mut self.values[column], column * self.rows.len()..(column + 1) * self.rows.len());
        self.rates.apply(value, gradient, &mut self.first[place.clone()], &mut self.second[place]);
        value
    }
}

/// The bias corrections of one step; that of the first moment includes the learning rate.
#[derive(Clone, Copy)]
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
    fn steps_by_strips_equal_whole_steps() {
        let (rows, cols) = (7, 3);
        let mut whole = Matrix::from_fn(rows, cols, |row, col| ((col * rows + row) as f64).sin());
        let mut by_strips = whole.clone();
        let (mut adam, mut adam_strips) = (Adam::new(21, 0.1), Adam::new(21, 0.1));
        for _ in 0..4 {
            let start = whole.clone();
            let gradient = Matrix::from_fn(rows, cols, |row, col| start[(row, col)] * (col * rows + row) as f64);
            adam.step(whole.as_mut_slice(), gradient.as_slice());
            let mut strips = adam_strips.strips(&mut by_strips, 3);
            assert_eq!(strips.iter().map(Strip::rows).collect::<Vec<_>>(), [0..3, 3..6, 6..7]);
            for strip in strips.iter_mut().rev() {
                for column in 0..cols {
                    let rows = strip.rows();
                    assert_eq!(strip.column(column), &start.col(column)[rows.clone()]);
                    let moved = strip.step(column, &gradient.col(column)[rows.clone()]).to_vec();
                    assert_eq!(moved, whole.col(column)[rows]);
                }
            }
            assert_eq!(by_strips, whole);
            assert!(whole.as_slice().iter().zip(start.as_slice()).skip(1).all(|(new, old)| new != old));
        }
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
