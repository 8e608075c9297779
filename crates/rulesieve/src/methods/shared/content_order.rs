//! An order of the features that depends neither on their names nor on the order of the rows.

use crate::data::Target;
use crate::linalg::Matrix;
use std::ops::Range;

/// Rounds of refinement. After the first, features differ by their values in each class; after the second, by their
/// relation to the other features.
const ROUNDS: usize = 3;

/// The features, sorted by a hash of their content: hashes of rows and of features refine each other, as colours do in
/// the test of Weisfeiler and Leman for isomorphic graphs. Features with the same hash keep the given order.
pub(crate) fn content_order(x: &Matrix, blocks: &[Range<usize>], target: &Target) -> Vec<usize> {
    let mut rows: Vec<u64> = (0..x.rows()).map(|row| mixed(key_of(target, row))).collect();
    let mut features = vec![0; blocks.len()];
    for _ in 0..ROUNDS {
        let mut next = rows.clone();
        for (feature, block) in features.iter_mut().zip(blocks) {
            let mut contents = vec![*feature; x.rows()];
            for col in block.clone() {
                // 0.0 is added so that -0.0 counts as 0.0.
                contents
                    .iter_mut()
                    .zip(x.col(col))
                    .for_each(|(own, value)| *own = joined(*own, (value + 0.0).to_bits()));
            }
            // Sums, because they do not depend on the order of the terms.
            next.iter_mut().zip(&contents).for_each(|(row, own)| *row = row.wrapping_add(mixed(*own)));
            *feature = contents.iter().zip(&rows).fold(0, |sum, (own, row)| sum.wrapping_add(joined(*own, *row)));
        }
        rows = next.into_iter().map(mixed).collect();
    }
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by_key(|&at| features[at]);
    order
}

fn key_of(target: &Target, row: usize) -> u64 {
    match target {
        Target::Classes { codes, .. } => u64::from(codes[row]),
        Target::Numbers { values, .. } => (values[row] + 0.0).to_bits(),
    }
}

fn joined(a: u64, b: u64) -> u64 {
    mixed(a.rotate_left(17) ^ b)
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
fn mixed(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Balanced binary features, which differ from each other only by their joint values, and one of three categories.
    fn table(rows: &[usize], features: &[usize]) -> (Matrix, Vec<Range<usize>>, Target) {
        let cell = |row: usize, feature: usize| match feature {
            0..3 => f64::from(u8::from(row >> feature & 1 == 1)),
            3 => f64::from(u8::from((row ^ (row >> 1)) & 1 == 1)),
            _ => f64::from(u8::from(row % 3 == feature - 4)),
        };
        let columns: Vec<usize> =
            features.iter().flat_map(|&at| if at == 4 { vec![4, 5, 6] } else { vec![at] }).collect();
        let mut first = 0;
        let blocks = features.iter().map(|&at| {
            first += if at == 4 { 3 } else { 1 };
            first - if at == 4 { 3 } else { 1 }..first
        });
        let x = Matrix::from_fn(rows.len(), columns.len(), |row, col| cell(rows[row], columns[col]));
        let codes = rows.iter().map(|&row| u32::from((row & row >> 1) & 1 == 1)).collect();
        (
            x,
            blocks.collect(),
            Target::Classes { name: "y".into(), codes, classes: vec!["a".into(), "b".into()], appearance: vec![0, 1] },
        )
    }

    #[test]
    fn neither_positions_of_features_nor_of_rows_matter() {
        let given: Vec<usize> = (0..48).collect();
        let mixed: Vec<usize> = (0..48).map(|at| at * 29 % 48).collect();
        let named = |rows: &[usize], features: &[usize]| -> Vec<usize> {
            let (x, blocks, target) = table(rows, features);
            content_order(&x, &blocks, &target).into_iter().map(|at| features[at]).collect()
        };
        let order = named(&given, &[0, 1, 2, 3, 4]);
        assert_eq!(named(&mixed, &[0, 1, 2, 3, 4]), order);
        // The first two are interchangeable: each is one half of the target.
        assert_eq!(named(&mixed, &[4, 0, 3, 2, 1]).into_iter().filter(|&at| at > 1).collect::<Vec<_>>(), {
            order.iter().copied().filter(|&at| at > 1).collect::<Vec<_>>()
        });
        assert_eq!(named(&given, &[2, 0, 3, 1, 4]), order, "features 0 and 1 keep their relative positions");
    }
}
