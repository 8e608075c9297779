//! The waveform recognition problem of Breiman, Friedman, Olshen and Stone (1984).
//!
//! Three triangular waves over i = 1..21: h1(i) = max(6 - |i - 11|, 0), h2(i) = h1(i - 4), h3(i) = h1(i + 4). A sample of
//! a class mixes the two waves of that class, x_i = u a(i) + (1 - u) b(i) + e_i with u uniform on [0, 1) and e_i from
//! N(0, 1); the classes are equally likely and numbered as in the UCI file. Columns beyond 21 are N(0, 1).
//! At i = 1 and i = 21 all three waves are 0: x1 and x21 carry no signal and are not listed as informative.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{Parts, drawn_columns, normal, numbered, uniform};
use crate::data::{Column, ColumnData};

/// Number of columns of a wave.
pub(super) const LENGTH: usize = 21;
/// Peaks of the waves h1, h2, h3.
const PEAKS: [f64; 3] = [11.0, 15.0, 7.0];
/// The two waves that each class mixes, as indices into `PEAKS`.
const MIXED: [(usize, usize); 3] = [(1, 2), (0, 2), (0, 1)];

/// Height of a wave at the 1-based column `i`.
fn wave(which: usize, i: usize) -> f64 {
    (6.0 - (i as f64 - PEAKS[which]).abs()).max(0.0)
}

pub(super) fn build(samples: usize, features: usize, rng: &mut ChaCha8Rng) -> Parts {
    let mut columns = drawn_columns("x", features, samples, || normal(rng));
    let rows: Vec<(usize, f64)> = (0..samples).map(|_| (class(rng), uniform(rng))).collect();
    for (at, column) in columns.iter_mut().take(LENGTH).enumerate() {
        add_wave(column, at + 1, &rows);
    }
    columns.push(Column::numeric("class", rows.iter().map(|row| row.0 as f64).collect()));
    Parts { columns, informative: numbered("x", 2..LENGTH), redundant: Vec::new() }
}

/// A random class; 32 bits, so that all word sizes agree.
fn class(rng: &mut ChaCha8Rng) -> usize {
    rng.random_range(0..MIXED.len() as u32) as usize
}

/// Adds the mixed waves of every row's class and weight to a column of noise.
fn add_wave(column: &mut Column, i: usize, rows: &[(usize, f64)]) {
    if let ColumnData::Numeric(values) = &mut column.data {
        for (value, (class, weight)) in values.iter_mut().zip(rows) {
            let (a, b) = MIXED[*class];
            *value += weight * wave(a, i) + (1.0 - weight) * wave(b, i);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{make, mean, numbers, variance};

    /// The waves as in the book, independent of the code above.
    fn h(which: usize, i: i32) -> f64 {
        let shifted = [i, i - 4, i + 4][which - 1];
        f64::from((6 - (shifted - 11).abs()).max(0))
    }

    #[test]
    fn class_means_follow_the_waves() {
        let made = make("waveform", 9000, 24, 5);
        let labels = numbers(&made, "class");
        for (class, (a, b)) in [(2, 3), (1, 3), (1, 2)].into_iter().enumerate() {
            for i in 1..=24 {
                let values = numbers(&made, &format!("x{i}"));
                let own: Vec<f64> =
                    values.iter().zip(labels).filter(|(_, label)| **label == class as f64).map(|(v, _)| *v).collect();
                assert!(own.len().abs_diff(3000) < 200);
                let (first, second) = if i <= 21 { (h(a, i), h(b, i)) } else { (0.0, 0.0) };
                let expected = (first + second) / 2.0;
                assert!((mean(&own) - expected).abs() < 0.15, "class {class}, x{i}: {} not {expected}", mean(&own));
                // The uniform weight adds (a - b)^2 / 12 to the noise.
                let spread = 1.0 + (first - second).powi(2) / 12.0;
                assert!((variance(&own) / spread - 1.0).abs() < 0.15, "class {class}, x{i}: {}", variance(&own));
            }
        }
    }

    #[test]
    fn the_ends_of_the_waves_are_not_listed_as_informative() {
        let made = make("waveform", 10, 21, 0);
        assert_eq!(made.informative.len(), 19);
        assert!((1..=3).all(|wave| h(wave, 1) == 0.0 && h(wave, 21) == 0.0));
        assert!(!made.informative.iter().any(|name| name == "x1" || name == "x21"));
    }
}
