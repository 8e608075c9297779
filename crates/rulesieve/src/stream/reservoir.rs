//! Random sample of fixed size of a stream of rows.

use super::FIRST_STREAM;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A uniform random sample (algorithm R of Waterman; Vitter 1985).
pub(super) struct Reservoir {
    /// The cells of the sampled rows: features, then the target.
    pub(super) cells: Vec<Vec<f64>>,
    /// Their row indices in the table, from 0.
    pub(super) indices: Vec<u64>,
    size: usize,
    offered: u64,
    rng: ChaCha8Rng,
}

impl Reservoir {
    /// An empty sample of up to `size` rows.
    pub(super) fn new(size: usize, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(FIRST_STREAM);
        Self { cells: Vec::new(), indices: Vec::new(), size, offered: 0, rng }
    }

    /// Removes rows whose cells fail a test.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&[f64]) -> bool) {
        let kept: Vec<bool> = self.cells.iter().map(|row| keep(row)).collect();
        let mut at = kept.iter();
        self.cells.retain(|_| at.next().is_none_or(|&kept| kept));
        let mut at = kept.iter();
        self.indices.retain(|_| at.next().is_none_or(|&kept| kept));
    }

    /// Samples or skips a row.
    pub(super) fn offer(&mut self, index: u64, cells: &[Vec<f64>], row: usize) {
        self.offered += 1;
        let taken = || cells.iter().map(|column| column[row]).collect::<Vec<f64>>();
        if self.cells.len() < self.size {
            self.cells.push(taken());
            self.indices.push(index);
            return;
        }
        let slot = self.rng.random_range(0..self.offered);
        if let Some(kept) = self.cells.get_mut(slot as usize) {
            *kept = taken();
            self.indices[slot as usize] = index;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_the_same_probability() {
        let cells = [(0..1000).map(f64::from).collect::<Vec<f64>>()];
        let mut taken = [0_usize; 10];
        for seed in 0..200 {
            let mut reservoir = Reservoir::new(50, seed);
            (0..1000).for_each(|row| reservoir.offer(row as u64, &cells, row));
            assert_eq!(reservoir.indices.len(), 50);
            for (row, &index) in reservoir.cells.iter().zip(&reservoir.indices) {
                assert_eq!(row[0], index as f64);
                taken[index as usize / 100] += 1;
            }
        }
        // 1000 each are expected, with a standard deviation of about 30.
        assert!(taken.iter().all(|count| (880..1120).contains(count)), "{taken:?}");
    }
}
