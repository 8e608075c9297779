//! Saved results of tasks. Scores are not saved, because they follow from the predictions.

use crate::metrics::of_class_scores;
use rulesieve::matrix::Matrix;
use serde::{Deserialize, Deserializer, Serialize};

/// An independent task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Task {
    /// Index among [`super::RunSpec::rankers`].
    pub ranker: usize,
    /// The rows to use.
    pub part: TaskPart,
}

/// The rows of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskPart {
    /// Rank, select and score in a split.
    Split(usize),
    /// Rank a subsample of half the rows.
    Subsample(usize),
}

/// The result of a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskResult {
    /// Of a split.
    #[serde(alias = "judged")]
    Split(SplitResult),
    /// Of a subsample.
    #[serde(alias = "ranked")]
    Subsample {
        /// Index among the settings of the method.
        setting: usize,
        /// Indices of the features, best first.
        order: Vec<usize>,
    },
}

/// The result of a split: one point under protocol `nested`, all points of the grid under the protocols of the paper.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SplitResult {
    /// The points.
    pub points: Vec<Point>,
    /// Settings that failed in an inner fold and were excluded.
    #[serde(alias = "struck", default, skip_serializing_if = "Vec::is_empty")]
    pub failed_settings: Vec<usize>,
    /// The score for some numbers of features.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "points_with_gaps")]
    pub curve: Vec<(usize, f64)>,
    /// Seconds of all training and scoring.
    pub seconds: f64,
}

fn points_with_gaps<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(usize, f64)>, D::Error> {
    let all = Vec::<(usize, Option<f64>)>::deserialize(from)?;
    Ok(all.into_iter().map(|(at, value)| (at, value.unwrap_or(f64::NAN))).collect())
}

/// One setting in one split.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Index among the settings of the method.
    pub setting: usize,
    /// The selected features, best first, and the predictions; or why the ranking failed.
    #[serde(alias = "verdict")]
    pub prediction: Result<(Vec<usize>, Prediction), String>,
}

/// Predictions for the test rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// The estimator as it was trained.
    #[serde(flatten)]
    pub estimator: FittedEstimator,
    /// A prediction for every test row.
    #[serde(alias = "answers")]
    pub values: PredictedValues,
    /// Scores that do not follow from the predictions.
    #[serde(flatten)]
    pub certainty: CertaintyScores,
}

/// Scores of probabilities or decision values. Results of earlier versions lack the last two.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct CertaintyScores {
    /// Log-loss, if there are probabilities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_loss: Option<f64>,
    /// Area under the ROC curve: for two classes of the last one, else the mean over the classes, each against all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roc_auc: Option<f64>,
    /// Average precision, of the same classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub average_precision: Option<f64>,
}

impl CertaintyScores {
    /// Scores a score of every class (rows x classes).
    pub(super) fn of(codes: &[u32], class_scores: &Matrix, log_loss: Option<f64>) -> Self {
        let (roc_auc, average_precision) = of_class_scores(codes, class_scores).unzip();
        Self { log_loss, roc_auc, average_precision }
    }
}

/// A prediction for every row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PredictedValues {
    /// Classes.
    Classes(Vec<u32>),
    /// Numbers. Infinite ones are `null` in JSON and are read as NaN.
    Numbers(#[serde(deserialize_with = "with_gaps")] Vec<f64>),
}

fn with_gaps<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
    let all = Vec::<Option<f64>>::deserialize(from)?;
    Ok(all.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect())
}

/// The estimator of a split.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FittedEstimator {
    /// A support vector machine.
    Svm {
        /// `linear` or `rbf`.
        kernel: String,
        /// The cost.
        c: f64,
        /// The value used; absent for the linear kernel.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        gamma: Option<f64>,
        /// Whether it met its tolerance.
        converged: bool,
    },
    /// Nearest neighbours.
    Knn {
        /// Number of neighbours.
        neighbours: usize,
    },
    /// Fuzzy rules.
    Tsk {
        /// Number of rules.
        rules: usize,
    },
    /// A fuzzy classifier trained by gradients.
    Htsk {
        /// Maximum number of rules.
        rules: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinite_values_can_be_read() {
        let result = SplitResult {
            points: vec![],
            failed_settings: vec![],
            curve: vec![(1, f64::NEG_INFINITY), (2, 0.5)],
            seconds: 1.0,
        };
        let read: SplitResult = serde_json::from_str(&serde_json::to_string(&result).unwrap()).unwrap();
        assert!(read.curve[0].1.is_nan() && read.curve[1] == (2, 0.5));
        let text = serde_json::to_string(&PredictedValues::Numbers(vec![2.0, f64::INFINITY])).unwrap();
        let PredictedValues::Numbers(found) = serde_json::from_str(&text).unwrap() else { panic!("{text}") };
        assert!(found[0] == 2.0 && found[1].is_nan(), "{text}");
    }

    #[test]
    fn results_with_earlier_names_can_be_read() {
        let text = r#"{"judged":{"points":[{"setting":0,"verdict":{"Ok":[[2,0],{"knn":{"neighbours":3},"answers":{"classes":[1]}}]}}],
                       "struck":[4],"seconds":0.5}}"#;
        let TaskResult::Split(found) = serde_json::from_str(text).unwrap() else { panic!("{text}") };
        let (selected, prediction) = found.points[0].prediction.clone().unwrap();
        assert_eq!((selected, found.failed_settings), (vec![2, 0], vec![4]));
        assert_eq!(prediction.values, PredictedValues::Classes(vec![1]));
        let text = r#"{"ranked":{"setting":1,"order":[1,0]}}"#;
        assert_eq!(
            serde_json::from_str::<TaskResult>(text).unwrap(),
            TaskResult::Subsample { setting: 1, order: vec![1, 0] }
        );
    }
}
