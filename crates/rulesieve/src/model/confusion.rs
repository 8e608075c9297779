//! Confusion matrix and the scores derived from it.

use serde::Serialize;

/// Numbers of predictions: true classes in rows, predicted classes in columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Confusion {
    counts: Vec<Vec<usize>>,
    /// Predictions for rows whose true class is unknown to the model: always wrong.
    #[serde(rename = "strangers")]
    unknown_truth: Vec<usize>,
}

impl Confusion {
    /// An empty matrix.
    pub fn empty(classes: usize) -> Self {
        Self { counts: vec![vec![0; classes]; classes], unknown_truth: vec![0; classes] }
    }

    /// Counts predictions against the truth.
    ///
    /// # Panics
    /// If a code is not below `classes`.
    pub fn new(truth: &[u32], predictions: &[u32], classes: usize) -> Self {
        let mut table = Self::empty(classes);
        truth.iter().zip(predictions).for_each(|(&truth, &prediction)| table.add(Some(truth), prediction as usize));
        table
    }

    /// Counts one prediction; `None` for a true class that is unknown to the model.
    pub(super) fn add(&mut self, truth: Option<u32>, prediction: usize) {
        match truth {
            Some(truth) => self.counts[truth as usize][prediction] += 1,
            None => self.unknown_truth[prediction] += 1,
        }
    }

    /// Number of predictions for rows of an unknown class.
    pub fn unknown(&self) -> usize {
        self.unknown_truth.iter().sum()
    }

    /// Number of predictions for rows of a known class.
    pub fn known(&self) -> usize {
        self.counts.iter().flatten().sum()
    }

    /// The counts.
    pub fn counts(&self) -> &[Vec<usize>] {
        &self.counts
    }

    fn total(&self) -> f64 {
        (self.known() + self.unknown()) as f64
    }

    fn right(&self, class: usize) -> f64 {
        self.counts[class][class] as f64
    }

    fn actual(&self, class: usize) -> f64 {
        self.counts[class].iter().sum::<usize>() as f64
    }

    fn predicted(&self, class: usize) -> f64 {
        (self.unknown_truth[class] + self.counts.iter().map(|row| row[class]).sum::<usize>()) as f64
    }

    /// Accuracy.
    pub fn accuracy(&self) -> f64 {
        (0..self.counts.len()).map(|class| self.right(class)).sum::<f64>() / self.total().max(1.0)
    }

    /// Mean recall over the classes that occur.
    pub fn balanced_accuracy(&self) -> f64 {
        let occur = (0..self.counts.len()).filter(|&class| self.actual(class) > 0.0);
        mean(occur.map(|class| self.right(class) / self.actual(class)))
    }

    /// Mean F1 over the classes that occur or are predicted.
    pub fn macro_f1(&self) -> f64 {
        let seen = (0..self.counts.len()).filter(|&class| self.actual(class) + self.predicted(class) > 0.0);
        mean(seen.map(|class| 2.0 * self.right(class) / (self.actual(class) + self.predicted(class))))
    }

    /// Matthews correlation coefficient for any number of classes (Gorodkin 2004); 0 if truth or predictions are
    /// constant.
    pub fn mcc(&self) -> f64 {
        let (total, classes) = (self.total(), 0..self.counts.len());
        let right: f64 = classes.clone().map(|class| self.right(class)).sum();
        let together: f64 = classes.clone().map(|class| self.actual(class) * self.predicted(class)).sum();
        let actual: f64 = classes.clone().map(|class| self.actual(class).powi(2)).sum();
        let predicted: f64 = classes.map(|class| self.predicted(class).powi(2)).sum();
        let scale = ((total * total - actual) * (total * total - predicted)).sqrt();
        if scale > 0.0 { (right * total - together) / scale } else { 0.0 }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values.fold((0_usize, 0.0), |(count, sum), value| (count + 1, sum + value));
    sum / count.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }

    /// By hand: of 2 a, 1 is correct; of 3 b, 2 are correct and one is predicted as c, which does not occur.
    #[test]
    fn a_small_table_by_hand() {
        let table = Confusion::new(&[0, 0, 1, 1, 1], &[0, 1, 1, 1, 2], 4);
        close(table.accuracy(), 3.0 / 5.0);
        close(table.balanced_accuracy(), (1.0 / 2.0 + 2.0 / 3.0) / 2.0);
        close(table.macro_f1(), (2.0 / 3.0 + 4.0 / 6.0 + 0.0) / 3.0);
        // c s - sum p t = 3 * 5 - (2 * 1 + 3 * 3 + 0) = 4; (25 - 13) (25 - 11).
        close(table.mcc(), 4.0 / (12.0_f64 * 14.0).sqrt());
    }

    #[test]
    fn a_constant_prediction_has_no_correlation() {
        assert_eq!(Confusion::new(&[0, 1, 1], &[1, 1, 1], 2).mcc(), 0.0);
        assert_eq!(Confusion::new(&[1, 1], &[1, 1], 2).accuracy(), 1.0);
    }
}
