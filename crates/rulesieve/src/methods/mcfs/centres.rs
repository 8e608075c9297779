//! Several centres for every class: k-means of each class by itself.

use crate::linalg::Matrix;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Steps of k-means in the input space.
const STEPS: usize = 10;

/// The centre of every row. Centres are numbered through all classes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Centres {
    pub(super) of_row: Vec<usize>,
    /// For every class its rows and the first and the number of its centres.
    classes: Vec<(Vec<usize>, usize, usize)>,
}

impl Centres {
    /// At most `most` centres per class, initialised at random rows and improved by ten steps of k-means.
    pub(super) fn start(x: &Matrix, classes: &[Vec<usize>], most: usize, rng: &mut ChaCha8Rng) -> Self {
        let mut found = Self { of_row: vec![0; x.rows()], classes: Vec::new() };
        let mut first = 0;
        for rows in classes {
            let count = most.min(rows.len());
            let mut drawn = rows.clone();
            for at in 0..count {
                drawn.swap(at, rng.random_range(at..rows.len()));
            }
            let seeds: Vec<Vec<f64>> = drawn[..count].iter().map(|&row| row_of(x, row)).collect();
            found.classes.push((rows.clone(), first, count));
            found.assign(x, rows, first, &seeds, false);
            first += count;
        }
        found.fill(rng);
        for _ in 0..STEPS {
            found.step(x, rng);
        }
        found
    }

    /// Number of centres.
    pub(super) fn count(&self) -> usize {
        self.classes.last().map_or(0, |(_, first, count)| first + count)
    }

    /// One step of k-means: every row to the nearest centre of its class. The scatter about the centres does not
    /// increase.
    pub(super) fn step(&mut self, z: &Matrix, rng: &mut ChaCha8Rng) {
        let means = self.means(z);
        for (rows, first, count) in self.classes.clone() {
            self.assign(z, &rows, first, &means[first..first + count], true);
        }
        self.fill(rng);
    }

    /// The mean of the rows of every centre.
    fn means(&self, z: &Matrix) -> Vec<Vec<f64>> {
        let mut means = vec![Vec::with_capacity(z.cols()); self.count()];
        let sizes = self.sizes();
        for col in 0..z.cols() {
            let mut sums = vec![0.0; means.len()];
            self.of_row.iter().zip(z.col(col)).for_each(|(&centre, value)| sums[centre] += value);
            for ((mean, sum), &size) in means.iter_mut().zip(sums).zip(&sizes) {
                mean.push(sum / size.max(1) as f64);
            }
        }
        means
    }

    /// Number of rows of every centre.
    pub(super) fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.count()];
        self.of_row.iter().for_each(|&centre| sizes[centre] += 1);
        sizes
    }

    /// Assigns the rows of one class to their nearest centres; with `stays`, ties keep the current centre.
    fn assign(&mut self, z: &Matrix, rows: &[usize], first: usize, means: &[Vec<f64>], stays: bool) {
        let mut distances = vec![vec![0.0; rows.len()]; means.len()];
        for (distances, mean) in distances.iter_mut().zip(means) {
            for (col, mean) in mean.iter().enumerate() {
                let values = z.col(col);
                distances
                    .iter_mut()
                    .zip(rows)
                    .for_each(|(sum, &row)| *sum += (values[row] - mean) * (values[row] - mean));
            }
        }
        for (at, &row) in rows.iter().enumerate() {
            let mut best = if stays { self.of_row[row] - first } else { 0 };
            for centre in 0..means.len() {
                if distances[centre][at] < distances[best][at] {
                    best = centre;
                }
            }
            self.of_row[row] = first + best;
        }
    }

    /// Assigns a random row of the class to each empty centre, from a centre with several rows.
    fn fill(&mut self, rng: &mut ChaCha8Rng) {
        let mut sizes = self.sizes();
        for (rows, first, count) in &self.classes {
            for empty in *first..first + count {
                if sizes[empty] > 0 {
                    continue;
                }
                let free: Vec<usize> = rows.iter().copied().filter(|&row| sizes[self.of_row[row]] > 1).collect();
                let row = free[rng.random_range(0..free.len())];
                sizes[self.of_row[row]] -= 1;
                sizes[empty] = 1;
                self.of_row[row] = empty;
            }
        }
    }
}

fn row_of(x: &Matrix, row: usize) -> Vec<f64> {
    (0..x.cols()).map(|col| x[(row, col)]).collect()
}
