//! Which setting, size and parameter of the judge did best inside a training part.

use super::frame::Truth;
use super::measures::gain;
use super::outcome::Verdict;

/// What can be chosen.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub(super) setting: usize,
    pub(super) size: usize,
    pub(super) choice: f64,
}

/// Gains of everything that can be chosen.
pub(super) struct Tally {
    pub(super) sizes: Vec<usize>,
    pub(super) choices: Vec<f64>,
    /// For every setting: sizes, each with all choices. Minus infinity where a fit failed.
    gains: Vec<Vec<f64>>,
}

impl Tally {
    pub(super) fn new(sizes: Vec<usize>, choices: Vec<f64>, settings: usize) -> Self {
        let gains = vec![vec![0.0; sizes.len() * choices.len()]; settings];
        Self { sizes, choices, gains }
    }

    pub(super) fn is_decided(&self) -> bool {
        self.gains.len() * self.sizes.len() * self.choices.len() == 1
    }

    pub(super) fn add(&mut self, setting: usize, verdicts: &[Vec<Verdict>], truth: &Truth, test: &[usize]) {
        let gains = verdicts.iter().flatten().map(|verdict| gain(truth, test, &verdict.answers));
        self.gains[setting].iter_mut().zip(gains).for_each(|(sum, gain)| *sum += gain);
    }

    /// Takes a setting out; says whether any is left.
    pub(super) fn strike(&mut self, setting: usize) -> bool {
        self.gains[setting].fill(f64::NEG_INFINITY);
        self.gains.iter().any(|gains| gains[0] > f64::NEG_INFINITY)
    }

    /// Settings that are out.
    pub(super) fn struck(&self) -> Vec<usize> {
        (0..self.gains.len()).filter(|&setting| self.gains[setting][0] == f64::NEG_INFINITY).collect()
    }

    /// The largest gain, among equals the smallest size, then the first setting and the smallest choice.
    pub(super) fn best(&self, asked: Option<usize>) -> Choice {
        let mut best: Option<(f64, Choice)> = None;
        for (at, &size) in self.sizes.iter().enumerate().filter(|(_, size)| asked.is_none_or(|asked| asked == **size)) {
            for (setting, gains) in self.gains.iter().enumerate() {
                for (which, &choice) in self.choices.iter().enumerate() {
                    let gain = gains[at * self.choices.len() + which];
                    if best.is_none_or(|(most, _)| gain > most) {
                        best = Some((gain, Choice { setting, size, choice }));
                    }
                }
            }
        }
        best.map_or(Choice { setting: 0, size: self.sizes[0], choice: self.choices[0] }, |(_, best)| best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::{Answers, JudgeRecord};

    #[test]
    fn ties_go_to_the_smallest_size_then_to_the_first_setting() {
        let truth = Truth::Classes { names: vec!["a".into(), "b".into()], codes: vec![0, 0, 1, 1] };
        let verdict = |right: usize| {
            let answers =
                [0, 0, 1, 1].into_iter().enumerate().map(|(row, code)| if row < right { code } else { 1 - code });
            Verdict {
                judge: JudgeRecord::Tsk { rules: 1 },
                answers: Answers::Classes(answers.collect()),
                log_loss: None,
            }
        };
        let mut tally = Tally::new(vec![1, 5], vec![1.0, 10.0], 3);
        assert!(!tally.is_decided());
        for (setting, right) in [[1, 2, 3, 3], [1, 3, 3, 3], [4, 4, 4, 4]].into_iter().enumerate() {
            let verdicts = [vec![verdict(right[0]), verdict(right[1])], vec![verdict(right[2]), verdict(right[3])]];
            tally.add(setting, &verdicts, &truth, &[0, 1, 2, 3]);
        }
        assert!(
            tally.strike(2) && tally.struck() == [2],
            "a setting that failed somewhere is out, however good it was"
        );
        let best = tally.best(None);
        assert_eq!((best.setting, best.size, best.choice), (1, 1, 10.0));
        let best = tally.best(Some(5));
        assert_eq!((best.setting, best.size, best.choice), (0, 5, 1.0));
        assert!(tally.strike(0) && !tally.strike(1), "none is left");
    }
}
