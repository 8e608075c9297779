//! The estimator that scores the held-out rows.

use super::names::named;
use super::options::MAX_ROWS;
use super::{EvaluateError, Protocol, defaults};
use crate::svm::Gamma;
use serde::{Deserialize, Serialize};

/// The estimator that scores the held-out rows from the selected features, and the values of its parameter to choose from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Estimator {
    /// A support vector machine; for classification.
    Svm {
        /// The kernel.
        kernel: KernelKind,
        /// Its gamma.
        gamma: Gamma,
        /// The costs C.
        costs: Vec<f64>,
        /// Maximum number of iterations for each pair of classes, as scikit-learn's `max_iter`; none if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_iter: Option<usize>,
        /// The numbers of the classes.
        #[serde(default, skip_serializing_if = "ClassOrder::is_alphabetical")]
        class_order: ClassOrder,
    },
    /// The nearest neighbours.
    Knn {
        /// Numbers of neighbours.
        neighbours: Vec<usize>,
    },
    /// Fuzzy rules on the features themselves.
    Tsk,
    /// A fuzzy classifier trained by gradients; for classification.
    Htsk,
}

impl Estimator {
    /// Returns whether it is trained separately for each number of features, without a Gram matrix.
    pub(super) fn is_trained_by_size(&self) -> bool {
        matches!(self, Self::Tsk | Self::Htsk)
    }

    /// Returns the distinct values of its parameter to choose from, ascending; a single zero for an estimator without parameter.
    pub(super) fn choices(&self) -> Vec<f64> {
        let mut choices = match self {
            Self::Svm { costs, .. } => costs.clone(),
            Self::Knn { neighbours } => neighbours.iter().map(|&count| count as f64).collect(),
            Self::Tsk | Self::Htsk => vec![0.0],
        };
        choices.sort_by(f64::total_cmp);
        choices.dedup();
        choices
    }

    /// Checks its parameters and the number of rows in its Gram matrix, of all rows.
    pub(super) fn check(&self, gram_rows: usize, rows: usize, regression: bool) -> Result<(), EvaluateError> {
        if gram_rows > MAX_ROWS && !self.is_trained_by_size() {
            return Err(EvaluateError::TooLong { rows });
        }
        match self {
            Self::Svm { .. } | Self::Htsk if regression => Err(EvaluateError::Numbers),
            Self::Svm { costs, .. } if costs.is_empty() => Err(EvaluateError::NoCosts),
            Self::Svm { costs, .. } => match costs.iter().find(|cost| !(1e-6..=1e6).contains(*cost)) {
                Some(&cost) => Err(EvaluateError::Cost { cost }),
                None => Ok(()),
            },
            Self::Knn { neighbours } => match neighbours.iter().find(|count| !(1..=1000).contains(*count)) {
                None if !neighbours.is_empty() => Ok(()),
                wrong => Err(EvaluateError::Neighbours { count: wrong.copied().unwrap_or(0) }),
            },
            Self::Tsk | Self::Htsk => Ok(()),
        }
    }
}

/// The kernel of the SVM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KernelKind {
    /// `x z`.
    Linear,
    /// `exp(-gamma |x - z|^2)`.
    #[default]
    Rbf,
}

/// How the SVM numbers classes: the order of its pairs of classes, to whose first class ties of votes go. Where an SVM stops early, the
/// order of two classes changes its iterations, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClassOrder {
    /// By name; numbers ascending.
    #[default]
    Alphabetical,
    /// By the first row of each class in the data.
    Appearance,
}

impl ClassOrder {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "signature required by serde")]
    fn is_alphabetical(&self) -> bool {
        *self == Self::Alphabetical
    }

    /// Returns the classes in this order; `codes` are those of all rows.
    pub(super) fn classes(self, codes: &[u32], classes: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..classes as u32).collect();
        if self == Self::Appearance {
            let first = |class: &u32| codes.iter().position(|code| code == class).unwrap_or(codes.len());
            order.sort_by_cached_key(first);
        }
        order
    }
}

/// The kind of an [`Estimator`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EstimatorKind {
    /// A support vector machine.
    Svm,
    /// The nearest neighbours.
    Knn,
    /// Fuzzy rules.
    Tsk,
    /// A fuzzy classifier trained by gradients.
    Htsk,
}

named!(ClassOrder, "class order", Alphabetical => "alphabetical", Appearance => "appearance");
named!(KernelKind, "kernel", Linear => "linear", Rbf => "rbf");
named!(EstimatorKind, "estimator", Svm => "svm", Knn => "knn", Tsk => "tsk", Htsk => "htsk");

/// Options of an estimator; absent options have defaults.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EstimatorOptions {
    /// The estimator; the SVM for classification and the nearest neighbours for regression if absent.
    pub kind: Option<EstimatorKind>,
    /// The kernel of the SVM.
    pub kernel: Option<KernelKind>,
    /// Gamma of the RBF kernel.
    pub gamma: Option<Gamma>,
    /// The costs C of the SVM to choose from.
    pub costs: Option<Vec<f64>>,
    /// How the SVM numbers classes.
    pub class_order: Option<ClassOrder>,
    /// The numbers of neighbours to choose from.
    pub neighbours: Option<Vec<usize>>,
}

impl EstimatorOptions {
    /// The estimator for classification or regression, with the defaults of a protocol.
    ///
    /// # Errors
    /// An option that does not apply to the estimator.
    pub fn estimator(&self, protocol: Protocol, regression: bool) -> Result<Estimator, EvaluateError> {
        let kind = self.kind.unwrap_or(if regression { EstimatorKind::Knn } else { EstimatorKind::Svm });
        let given = [
            ("kernel", self.kernel.is_some(), EstimatorKind::Svm),
            ("gamma", self.gamma.is_some(), EstimatorKind::Svm),
            ("costs", self.costs.is_some(), EstimatorKind::Svm),
            ("class-order", self.class_order.is_some(), EstimatorKind::Svm),
            ("neighbours", self.neighbours.is_some(), EstimatorKind::Knn),
        ];
        if let Some(&(option, ..)) = given.iter().find(|(_, given, own)| *given && *own != kind) {
            return Err(EvaluateError::NotApplicable { option, to: format!("the estimator {kind}") });
        }
        let kernel = self.kernel.unwrap_or_default();
        if kernel == KernelKind::Linear && self.gamma.is_some() {
            return Err(EvaluateError::NotApplicable { option: "gamma", to: "the linear kernel".to_owned() });
        }
        Ok(match kind {
            EstimatorKind::Svm => Estimator::Svm {
                kernel,
                gamma: self.gamma.unwrap_or_default(),
                costs: self.costs.clone().unwrap_or_else(|| defaults::costs(protocol)),
                max_iter: defaults::max_iter(protocol),
                class_order: self.class_order.unwrap_or_default(),
            },
            EstimatorKind::Knn => {
                Estimator::Knn { neighbours: self.neighbours.clone().unwrap_or_else(|| defaults::neighbours(protocol)) }
            }
            EstimatorKind::Tsk => Estimator::Tsk,
            EstimatorKind::Htsk => Estimator::Htsk,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_and_printed() {
        for name in EstimatorKind::NAMES {
            let kind: EstimatorKind = name.parse().unwrap();
            assert_eq!(
                (kind.to_string().as_str(), serde_json::to_string(&kind).unwrap()),
                (*name, format!("\"{name}\""))
            );
        }
        for name in ClassOrder::NAMES {
            let order: ClassOrder = name.parse().unwrap();
            assert_eq!(serde_json::to_string(&order).unwrap(), format!("\"{order}\""));
        }
        assert_eq!(ClassOrder::Alphabetical.classes(&[2, 0, 2, 1], 4), [0, 1, 2, 3]);
        assert_eq!(ClassOrder::Appearance.classes(&[2, 0, 2, 1], 4), [2, 0, 1, 3]);
        for name in KernelKind::NAMES {
            let kind: KernelKind = name.parse().unwrap();
            assert_eq!(
                (kind.to_string().as_str(), serde_json::to_string(&kind).unwrap()),
                (*name, format!("\"{name}\""))
            );
        }
        for name in Protocol::NAMES {
            let protocol: Protocol = name.parse().unwrap();
            let json = serde_json::to_string(&protocol).unwrap();
            assert_eq!((protocol.to_string().as_str(), json), (*name, format!("\"{name}\"")));
        }
        let error = "oracle".parse::<EstimatorKind>().unwrap_err().to_string();
        assert_eq!(error, "'oracle' is not a valid estimator; use svm, knn, tsk, htsk");
    }

    #[test]
    fn options_of_another_estimator_are_rejected() {
        let of = |options: &EstimatorOptions, regression| options.estimator(Protocol::Nested, regression);
        let plain = EstimatorOptions::default();
        assert!(matches!(of(&plain, false), Ok(Estimator::Svm { kernel: KernelKind::Rbf, gamma: Gamma::Scale, .. })));
        assert!(matches!(of(&plain, true), Ok(Estimator::Knn { .. })));
        let costs = EstimatorOptions { costs: Some(vec![1.0]), ..plain.clone() };
        let error = of(&costs, true).unwrap_err().to_string();
        assert!(error.starts_with("costs does not apply to the estimator knn"), "{error}");
        let gamma = EstimatorOptions { kernel: Some(KernelKind::Linear), gamma: Some(Gamma::Auto), ..plain };
        assert!(of(&gamma, false).unwrap_err().to_string().contains("gamma does not apply to the linear kernel"));
    }
}
