//! What a piece of work gives, as it is kept in the records. Scores are not kept: they follow from the answers.

use serde::{Deserialize, Deserializer, Serialize};

/// A piece of work that can be done by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Task {
    /// Which of the rankers of the frame.
    pub ranker: usize,
    /// What it is to do.
    pub part: TaskPart,
}

/// What is to be done with a ranker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskPart {
    /// Rank, keep and judge in a split.
    Split(usize),
    /// Rank half of the rows.
    Half(usize),
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Of a split.
    Judged(Judged),
    /// Of half of the rows.
    Ranked {
        /// Which of the settings of the method.
        setting: usize,
        /// Features by place, best first.
        order: Vec<usize>,
    },
}

/// A split: one point where it was chosen inside, else all points of the grid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The points.
    pub points: Vec<Point>,
    /// Settings that failed inside the training part and were passed over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub struck: Vec<usize>,
    /// The score of some numbers of features.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "points_with_gaps")]
    pub curve: Vec<(usize, f64)>,
    /// Seconds of everything that was learned and judged.
    pub seconds: f64,
}

fn points_with_gaps<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(usize, f64)>, D::Error> {
    let all = Vec::<(usize, Option<f64>)>::deserialize(from)?;
    Ok(all.into_iter().map(|(at, value)| (at, value.unwrap_or(f64::NAN))).collect())
}

/// One setting in one split.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Which of the settings of the method.
    pub setting: usize,
    /// The features that were kept, best first, and what the judge said; or why there was no ranking.
    pub verdict: Result<(Vec<usize>, Verdict), String>,
}

/// What a judge said about the test rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The judge as it was trained.
    #[serde(flatten)]
    pub judge: JudgeRecord,
    /// Its answers.
    pub answers: Answers,
    /// Mean of minus the logarithm of the probability of the true class, where there are probabilities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_loss: Option<f64>,
}

/// An answer for every test row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answers {
    /// Classes.
    Classes(Vec<u32>),
    /// Numbers. Those beyond all bounds become `null` in JSON, and are no numbers when read back.
    Numbers(#[serde(deserialize_with = "with_gaps")] Vec<f64>),
}

fn with_gaps<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
    let all = Vec::<Option<f64>>::deserialize(from)?;
    Ok(all.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect())
}

/// The judge of a split.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JudgeRecord {
    /// A support vector machine.
    Svm {
        /// `linear` or `rbf`.
        kernel: String,
        /// The cost.
        c: f64,
        /// The number used; absent for the linear kernel.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        gamma: Option<f64>,
        /// Whether it met its tolerance.
        converged: bool,
    },
    /// Nearest neighbours.
    Knn {
        /// How many.
        neighbours: usize,
    },
    /// Fuzzy rules.
    Tsk {
        /// How many.
        rules: usize,
    },
    /// A fuzzy classifier trained by gradients.
    Htsk {
        /// Rules, at most.
        rules: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_all_bounds_can_be_read_back() {
        let judged =
            Judged { points: vec![], struck: vec![], curve: vec![(1, f64::NEG_INFINITY), (2, 0.5)], seconds: 1.0 };
        let again: Judged = serde_json::from_str(&serde_json::to_string(&judged).unwrap()).unwrap();
        assert!(again.curve[0].1.is_nan() && again.curve[1] == (2, 0.5));
        let text = serde_json::to_string(&Answers::Numbers(vec![2.0, f64::INFINITY])).unwrap();
        let Answers::Numbers(found) = serde_json::from_str(&text).unwrap() else { panic!("{text}") };
        assert!(found[0] == 2.0 && found[1].is_nan(), "{text}");
    }
}
