//! The nearest-neighbours estimator, with distances from the Gram matrix.

use super::measures::log;
use super::result::{CertaintyScores, PredictedValues};
use crate::svm::Gram;
use rayon::prelude::*;
use rulesieve::matrix::Matrix;

/// Rows are equal if their squared distance is below this fraction of their squared lengths, which is rounding error.
const EQUAL: f64 = 1e-13;

/// The nearest training rows of test rows, nearest first; ties go to the first row.
#[derive(Default)]
pub(super) struct Neighbours {
    near: Vec<Vec<usize>>,
}

impl Neighbours {
    /// Adds test rows with the `count` nearest training rows of each.
    pub(super) fn add(&mut self, gram: &Gram, train: &[usize], test: &[usize], count: usize) {
        let count = count.min(train.len());
        let of_row = |&row: &usize| {
            let (own, products) = (gram.square(row), gram.row(row));
            let distance = |other: usize| {
                let squares = own + gram.square(other);
                let squared = squares - 2.0 * products[other];
                if squared <= EQUAL * squares { 0.0 } else { squared }
            };
            let mut all: Vec<(f64, usize)> = train.iter().map(|&other| (distance(other), other)).collect();
            let order = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
            if count < all.len() {
                all.select_nth_unstable_by(count, order);
                all.truncate(count);
            }
            all.sort_by(order);
            all.into_iter().map(|(_, other)| other).collect()
        };
        self.near.par_extend(test.par_iter().map(of_row));
    }

    /// Predicts the most frequent class of the nearest rows (ties go to the first), and scores the class frequencies.
    pub(super) fn classes(
        &self,
        count: usize,
        codes: &[u32],
        test: &[usize],
        classes: usize,
    ) -> (PredictedValues, CertaintyScores) {
        let (mut loss, mut shares) = (0.0, Matrix::zeros(test.len(), classes));
        let mut predict = |(at, (near, &row)): (usize, (&Vec<usize>, &usize))| {
            let near = &near[..count.min(near.len())];
            let mut votes = vec![0_u32; classes];
            near.iter().for_each(|&other| votes[codes[other] as usize] += 1);
            for (class, &votes) in votes.iter().enumerate() {
                shares[(at, class)] = f64::from(votes) / near.len().max(1) as f64;
            }
            loss -= log(shares[(at, codes[row] as usize)]);
            crate::svm::first_of_most(&votes)
        };
        let predictions = self.near.iter().zip(test).enumerate().map(&mut predict).collect();
        let own: Vec<u32> = test.iter().map(|&row| codes[row]).collect();
        let loss = loss / test.len().max(1) as f64;
        (PredictedValues::Classes(predictions), CertaintyScores::of(&own, &shares, Some(loss)))
    }

    /// Predicts the mean target of the nearest rows.
    pub(super) fn numbers(&self, count: usize, numbers: &[f64]) -> PredictedValues {
        let predict = |near: &Vec<usize>| {
            let near = &near[..count.min(near.len())];
            near.iter().map(|&other| numbers[other] / near.len() as f64).sum()
        };
        PredictedValues::Numbers(self.near.iter().map(predict).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows at 0, 1, 2, 4, 4 and 7; the test rows are the fifth and the second.
    #[test]
    fn neighbours_on_a_line() {
        let at = [0.0, 1.0, 2.0, 4.0, 4.0, 7.0];
        let gram = Gram::new(&Matrix::from_fn(6, 1, |row, _| at[row]));
        let mut found = Neighbours::default();
        [4, 1].iter().for_each(|&row| found.add(&gram, &[0, 2, 3, 5], &[row], 3));
        assert_eq!(found.near, [vec![3, 2, 5], vec![0, 2, 3]]);
        let codes = [0, 1, 1, 0, 0, 1];
        let (predictions, loss) = found.classes(3, &codes, &[4, 1], 2);
        assert_eq!(predictions, PredictedValues::Classes(vec![1, 0]));
        let loss = loss.log_loss.unwrap();
        assert!((loss - 3.0_f64.ln()).abs() < 1e-12, "one of three neighbours is in the true class: {loss}");
        assert_eq!(
            found.classes(2, &codes, &[4, 1], 2).0,
            PredictedValues::Classes(vec![0, 0]),
            "a tie goes to the first class"
        );
        assert_eq!(found.numbers(2, &at), PredictedValues::Numbers(vec![3.0, 1.0]));
        let PredictedValues::Numbers(all) = found.numbers(100, &at) else { panic!("regression") };
        assert!((all[0] - 13.0 / 3.0).abs() < 1e-12 && all[1] == 2.0, "at most all training rows: {all:?}");
    }

    #[test]
    fn predictions_agree_with_scikit_learn() {
        let text = include_str!("../../tests/golden/knn.json");
        let cases: Vec<serde_json::Value> = serde_json::from_str(text).unwrap();
        assert_eq!(cases.len(), 3);
        for case in cases {
            let floats = |name: &str| -> Vec<f64> { serde_json::from_value(case[name].clone()).unwrap() };
            let codes: Vec<u32> = serde_json::from_value(case["codes"].clone()).unwrap();
            let (x, count) = (floats("x"), case["neighbours"].as_u64().unwrap() as usize);
            let gram = Gram::new(&Matrix::from_column_major(codes.len(), x.len() / codes.len(), x).unwrap());
            let train_rows = case["train"].as_u64().unwrap() as usize;
            let (train, test): (Vec<usize>, Vec<usize>) = (0..codes.len()).partition(|&row| row < train_rows);
            let mut near = Neighbours::default();
            near.add(&gram, &train, &test, count);
            let (predictions, certainty) = near.classes(count, &codes, &test, 3);
            let expected: Vec<u32> = serde_json::from_value(case["answers"].clone()).unwrap();
            assert_eq!(predictions, PredictedValues::Classes(expected), "{count} neighbours");
            for (found, name) in [
                (certainty.log_loss, "log_loss"),
                (certainty.roc_auc, "roc_auc"),
                (certainty.average_precision, "average_precision"),
            ] {
                if let Some(expected) = case[name].as_f64() {
                    assert!((found.unwrap() - expected).abs() < 1e-9, "{name}: {found:?} {expected}");
                }
            }
            let numbers = floats("numbers");
            let PredictedValues::Numbers(values) = near.numbers(count, &numbers) else { panic!("regression") };
            assert!(values.iter().zip(floats("values")).all(|(own, theirs)| (own - theirs).abs() < 1e-12));
            let truth: Vec<f64> = test.iter().map(|&row| numbers[row]).collect();
            let (rmse, r2) = crate::metrics::of_numbers(&truth, &values);
            assert!((rmse - case["rmse"].as_f64().unwrap()).abs() < 1e-12);
            assert!((r2.unwrap() - case["r2"].as_f64().unwrap()).abs() < 1e-12);
        }
    }
}
