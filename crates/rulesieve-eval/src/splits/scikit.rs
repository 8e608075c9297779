//! The folds of scikit-learn's `StratifiedKFold(folds, shuffle=True, random_state=seed)`, with NumPy's legacy random numbers.

use std::collections::BTreeMap;

/// Returns the fold of each row.
pub(super) fn stratified_folds(codes: &[u32], folds: usize, seed: u32) -> Vec<usize> {
    let mut rng = MersenneTwister::new(seed);
    let mut fold_of = vec![0; codes.len()];
    // Rows sorted by class, classes in the order of their first rows, are dealt to the folds in turn.
    let mut dealt = 0;
    for rows in by_appearance(codes) {
        let mut counts = vec![0; folds];
        (dealt..dealt + rows.len()).for_each(|at| counts[at % folds] += 1);
        dealt += rows.len();
        let mut own: Vec<usize> = counts.into_iter().enumerate().flat_map(|(fold, n)| vec![fold; n]).collect();
        rng.shuffle(&mut own);
        rows.into_iter().zip(own).for_each(|(row, fold)| fold_of[row] = fold);
    }
    fold_of
}

/// Returns the rows of each class, classes in the order of their first rows.
fn by_appearance(codes: &[u32]) -> Vec<Vec<usize>> {
    let (mut numbers, mut rows) = (BTreeMap::new(), Vec::<Vec<usize>>::new());
    for (row, &code) in codes.iter().enumerate() {
        let number = *numbers.entry(code).or_insert(rows.len());
        if number == rows.len() {
            rows.push(Vec::new());
        }
        rows[number].push(row);
    }
    rows
}

/// Size of the state.
const SIZE: usize = 624;
/// Distance of the words that are combined.
const DISTANCE: usize = 397;

/// MT19937 (Matsumoto and Nishimura, ACM TOMACS 8, 1998), as NumPy's `RandomState` seeds and uses it.
struct MersenneTwister {
    state: [u32; SIZE],
    /// Index of the next word.
    next: usize,
}

impl MersenneTwister {
    fn new(seed: u32) -> Self {
        let mut state = [seed; SIZE];
        for at in 1..SIZE {
            let before = state[at - 1];
            state[at] = 1_812_433_253_u32.wrapping_mul(before ^ (before >> 30)).wrapping_add(at as u32);
        }
        Self { state, next: SIZE }
    }

    fn word(&mut self) -> u32 {
        if self.next == SIZE {
            self.renew();
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    fn renew(&mut self) {
        for at in 0..SIZE {
            let joined = (self.state[at] & 0x8000_0000) | (self.state[(at + 1) % SIZE] & 0x7fff_ffff);
            let twisted = (joined >> 1) ^ if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[at] = self.state[(at + DISTANCE) % SIZE] ^ twisted;
        }
        self.next = 0;
    }

    /// Draws a number from 0 to `most`: numbers of as many bits, without those that are too large.
    fn up_to(&mut self, most: u32) -> u32 {
        let mask = u32::MAX.checked_shr(most.leading_zeros()).unwrap_or(0);
        loop {
            let drawn = self.word() & mask;
            if drawn <= most {
                return drawn;
            }
        }
    }

    fn shuffle(&mut self, values: &mut [usize]) {
        for at in (1..values.len()).rev() {
            values.swap(at, self.up_to(at as u32) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference implementation's output number 10,000 for the seed 5489, as the C++ standard requires it.
    #[test]
    fn random_numbers_are_those_of_the_standard() {
        let mut rng = MersenneTwister::new(5489);
        assert_eq!((0..10_000).map(|_| rng.word()).last(), Some(4_123_659_995));
    }

    #[test]
    fn classes_are_dealt_in_the_order_of_their_first_rows() {
        assert_eq!(by_appearance(&[4, 1, 4, 0, 1]), [vec![0, 2], vec![1, 4], vec![3]]);
        let folds = stratified_folds(&[4, 1, 4, 0, 1, 4, 4], 3, 0);
        let sizes: Vec<usize> = (0..3).map(|fold| folds.iter().filter(|&&own| own == fold).count()).collect();
        assert_eq!(sizes, [3, 2, 2]);
    }
}
