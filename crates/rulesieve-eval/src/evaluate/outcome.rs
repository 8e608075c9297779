//! What a piece of work gives, as it is kept in the records. Scores are not kept: they follow from the answers.

use serde::{Deserialize, Serialize};

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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<(usize, f64)>,
    /// Seconds of everything that was learned and judged.
    pub seconds: f64,
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
    /// Numbers.
    Numbers(Vec<f64>),
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
