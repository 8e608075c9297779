//! Parity of thresholded uniform columns; with two bits the exclusive or of Minsky and Papert (1969).
//!
//! All columns are uniform on [0, 1). The class is `odd` when an odd number of the first `bits` columns exceeds 0.5.
//! Any proper subset of those columns is independent of the class, so only methods that test them jointly find them.

use rand_chacha::ChaCha8Rng;

use super::{Parts, drawn_columns, numbered, uniform};
use crate::data::Column;

/// Half of a column's range, so that both classes are equally likely.
const THRESHOLD: f64 = 0.5;

pub(super) fn build(bits: usize, samples: usize, features: usize, rng: &mut ChaCha8Rng) -> Parts {
    let mut odd = vec![false; samples];
    let mut draws = 0;
    // Columns are drawn in order, so the number of the draw gives the row and whether the column counts.
    let mut columns = drawn_columns("x", features, samples, || {
        let value = uniform(rng);
        if draws < bits * samples {
            odd[draws % samples] ^= value > THRESHOLD;
        }
        draws += 1;
        value
    });
    columns.push(Column::text("class", odd.iter().map(|odd| if *odd { "odd" } else { "even" })));
    Parts { columns, informative: numbered("x", 1..=bits), redundant: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{correlation, make, numbers, texts};

    fn check(name: &str, bits: usize) {
        let made = make(name, 3000, 6, 4);
        let names: Vec<String> = (1..=bits).map(|bit| format!("x{bit}")).collect();
        assert_eq!(made.informative, names);
        let labels = texts(&made, "class");
        for (row, label) in labels.iter().enumerate() {
            let above = names.iter().filter(|column| numbers(&made, column)[row] > 0.5).count();
            assert_eq!(*label, if above % 2 == 1 { "odd" } else { "even" }, "{name}, row {row}");
        }
        let odd: Vec<f64> = labels.iter().map(|label| f64::from(*label == "odd")).collect();
        for column in 1..=6 {
            let found = correlation(numbers(&made, &format!("x{column}")), &odd);
            assert!(found.abs() < 0.08, "{name}: x{column} alone predicts the class, correlation {found}");
        }
    }

    #[test]
    fn the_label_is_the_parity_and_no_single_column_predicts_it() {
        check("xor", 2);
        check("parity3", 3);
        check("parity4", 4);
    }
}
