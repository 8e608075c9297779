//! Rows of a file are coded like rows in memory.

use super::*;
use crate::data::{CategoricalCoding, Missing};
use crate::rule_network::feed::Feed;
use crate::rule_network::loss::Goal;

fn near(found: &[f64], expected: &[f64], within: f64) {
    assert_eq!(found.len(), expected.len());
    found.iter().zip(expected).for_each(|(a, b)| assert!((a - b).abs() < within, "{a} {b}"));
}

/// All combinations of column kinds, under both codings.
fn each(test: impl Fn(&Table, &DatasetOptions)) {
    let data = on_target().categorical(["year"]).missing(Missing::Median);
    for coding in [CategoricalCoding::OneHot, CategoricalCoding::Ordinal] {
        test(&mixed(60), &data.clone().coding(coding));
    }
}

#[test]
fn the_survey_agrees_with_the_whole_table() {
    each(|table, data| {
        let whole = Dataset::new(table.clone(), data).unwrap();
        let rows: Vec<usize> = (0..60).collect();
        let encoder = Encoder::fit(&whole, &rows, data.coding).unwrap();
        let design = encoder.transform(&whole, &rows).unwrap();
        let scaling = Scaling::fit(&design.x, &design.blocks);

        let source = Rows::new(table.clone(), 11);
        let surveyed = Surveyed::new(&source, data, 0).unwrap();
        assert_eq!((surveyed.rows, surveyed.plan.groups()), (60, design.blocks.clone()));
        // NaN is not equal to itself: the codes are compared below.
        assert_eq!(surveyed.sample.features[1..], whole.features[1..]);
        assert_eq!(surveyed.sample.target, whole.target);
        let (found, found_scaling, samples) = surveyed.coded(&[0, 1, 2, 3], true).unwrap();
        assert_eq!(found, encoder);
        near(&found_scaling.means, &scaling.means, 1e-12);
        near(&found_scaling.factors, &scaling.factors, 1e-11);
        let goal = Goal::Classes { codes: whole.target.codes().to_vec(), count: 2 };
        let mut expected = Samples { x: scaling.apply(&design.x), goal, weights: vec![1.0; rows.len()] };
        expected.balance();
        near(samples.x.as_slice(), expected.x.as_slice(), 1e-11);
        near(&samples.weights, &expected.weights, 1e-12);
    });
}

#[test]
fn mini_batches_and_the_sample_are_the_same_bits() {
    each(|table, data| {
        let source = Rows::new(table.clone(), 11);
        let surveyed = Surveyed::new(&source, data, 0).unwrap();
        // Best first, as in a selection, not sorted by name.
        let chosen = [2, 0, 3, 1];
        let (_, _, samples) = surveyed.coded(&chosen, false).unwrap();
        let mut column = vec![0.0; samples.x.rows()];
        let mut row = 0;
        for piece in source.pieces(&surveyed.plan.texts).unwrap() {
            let cells = surveyed.plan.cells(piece.unwrap()).unwrap();
            for at in 0..cells.target.len() {
                let target = surveyed.plan.write(&chosen, &cells, at, &mut column).unwrap();
                assert_eq!(
                    (column.as_slice(), target as u32),
                    (samples.x.col(row), surveyed.sample.target.codes()[row])
                );
                row += 1;
            }
        }
        assert_eq!(row, 60);
    });
}

#[test]
fn validation_rows_are_never_used_for_training() {
    let rows = 5000;
    let numbers = Column::numeric("a", (0..rows).map(f64::from).collect());
    let source = Rows::new(Table::new(vec![numbers, labels(rows as usize)]).unwrap(), 300);
    let surveyed = Surveyed::new(&source, &on_target(), 7).unwrap();
    let (_, scaling, samples) = surveyed.coded(&[0], false).unwrap();
    let batch_options = BatchOptions { batch: 16, holdout: 0.2, balanced: false, seed: 7, stream: 1 };
    let (split, learn, mut supply) = Batches::new(&surveyed, &samples, &batch_options);
    // The codes of the numbers from 0 to 4999 are those numbers, divided by the last.
    let number = |value: f64| ((value / scaling.factors[0] + scaling.means[0]) * f64::from(rows - 1)).round() as i64;
    let validation: Vec<i64> = (learn..split.count()).map(|at| number(split.x.col(at)[0])).collect();
    assert_eq!((supply.rows(), validation.len()), ((5000 - validation.len(), validation.len()), 819));
    supply.begin(&[0]).unwrap();
    let mut seen = vec![0; rows as usize];
    // One pass in buffers of 1024 rows, and 914 rows of the next.
    for _ in 0..64 * 5 {
        let batch = supply.next().unwrap();
        (0..batch.count()).for_each(|at| seen[number(batch.x.col(at)[0]) as usize] += 1);
    }
    assert!(validation.iter().all(|&row| seen[row as usize] == 0));
    assert_eq!(seen.iter().filter(|&&count| count == 0).count(), validation.len());
    assert_eq!(seen.iter().filter(|&&count| count == 2).count(), 5 * 1024 - (5000 - validation.len()));
}
