//! Estimators on a Gram matrix, trained with each value of their parameter, and their predictions for chunks of the test rows.

use super::encoded_split::EncodedSplit;
use super::knn::Neighbours;
use super::result::{CertaintyScores, FittedEstimator, PredictedValues, Prediction};
use super::run_spec::Truth;
use super::work::{DynObserver, NO_PROGRESS, check_halt};
use super::{ClassOrder, Estimator, Failure, KernelKind};
use crate::svm::{Gram, Kernel, Svc, SvmOptions};
use rulesieve::matrix::Matrix;
use rulesieve::methods::FitError;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Estimators trained on the first rows of a Gram matrix.
pub(super) struct Trained<'a> {
    /// Rows of the data: training rows of the estimator, then test rows.
    train: Vec<usize>,
    test: &'a [usize],
    models: Models<'a>,
}

enum Models<'a> {
    Svm { machines: Vec<Machine>, codes: &'a [u32] },
    Knn { counts: Vec<usize>, near: Neighbours, truth: &'a Truth },
}

/// An SVM and its predictions so far.
struct Machine {
    estimator: FittedEstimator,
    svc: Svc,
    /// The classes in the order of their numbers in the SVM.
    order: Vec<u32>,
    predicted: Vec<u32>,
    /// The scores of each class.
    scores: Vec<Vec<f64>>,
}

impl<'a> Trained<'a> {
    /// Trains with each choice of the parameter.
    pub(super) fn new(
        split: &'a EncodedSplit,
        gram: &Gram,
        choices: &[f64],
        watch: &mut DynObserver,
    ) -> Result<Self, Failure> {
        let train = split.learned();
        let models = match (&split.options.estimator, split.truth) {
            (estimator @ Estimator::Svm { .. }, Truth::Classes { names, codes }) => {
                let mut machines = Vec::with_capacity(choices.len());
                for &cost in choices {
                    machines.push(Machine::new(estimator, gram, (&train, codes, names.len()), cost, watch));
                    check_halt(watch.observe(&NO_PROGRESS))?;
                }
                Models::Svm { machines, codes }
            }
            (Estimator::Knn { .. }, truth) => {
                check_halt(watch.observe(&NO_PROGRESS))?;
                let counts = choices.iter().map(|&count| count as usize).collect();
                Models::Knn { counts, near: Neighbours::default(), truth }
            }
            // The options are checked: the SVM has no numeric target, and the others use no Gram matrix.
            (Estimator::Svm { .. }, Truth::Numbers(_)) | (Estimator::Tsk | Estimator::Htsk, _) => {
                return Err(FitError::NeedsClasses { method: "the estimator" }.into());
            }
        };
        Ok(Self { train, test: &split.split.test, models })
    }

    /// Predicts a chunk of the test rows, which follow the training rows in this Gram matrix.
    pub(super) fn predict(&mut self, gram: &Gram, chunk: &Range<usize>) {
        let train_rows = self.train.len();
        let rows: Vec<usize> = (train_rows..train_rows + chunk.len()).collect();
        match &mut self.models {
            Models::Svm { machines, .. } => machines.iter_mut().for_each(|machine| machine.predict(gram, &rows)),
            Models::Knn { counts, near, .. } => {
                let train: Vec<usize> = (0..train_rows).collect();
                near.add(gram, &train, &rows, counts.iter().copied().max().unwrap_or(1));
            }
        }
    }

    /// Returns the predictions of each choice for all test rows.
    pub(super) fn predictions(self) -> Vec<Prediction> {
        let Self { train, test, models } = self;
        match models {
            Models::Svm { machines, codes } => {
                let own: Vec<u32> = test.iter().map(|&row| codes[row]).collect();
                machines.into_iter().map(|machine| machine.prediction(&own)).collect()
            }
            Models::Knn { counts, near, truth } => {
                let rows: Vec<usize> = train.iter().chain(test).copied().collect();
                let tested: Vec<usize> = (train.len()..rows.len()).collect();
                let of_count = |count: usize| {
                    let (values, certainty) = match truth {
                        Truth::Classes { names, codes } => {
                            let codes: Vec<u32> = rows.iter().map(|&row| codes[row]).collect();
                            near.classes(count, &codes, &tested, names.len())
                        }
                        Truth::Numbers(numbers) => {
                            let numbers: Vec<f64> = rows.iter().map(|&row| numbers[row]).collect();
                            (near.numbers(count, &numbers), CertaintyScores::default())
                        }
                    };
                    Prediction { estimator: FittedEstimator::Knn { neighbours: count }, values, certainty }
                };
                counts.into_iter().map(of_count).collect()
            }
        }
    }
}

impl Machine {
    fn new(
        estimator: &Estimator,
        gram: &Gram,
        (rows, codes, classes): (&[usize], &[u32], usize),
        cost: f64,
        watch: &mut DynObserver,
    ) -> Self {
        let train: Vec<usize> = (0..rows.len()).collect();
        let (mut svm, kernel) = match estimator {
            Estimator::Svm { kernel: KernelKind::Rbf, gamma, .. } => {
                (SvmOptions::rbf(cost, *gamma, gram, &train), "rbf")
            }
            _ => (SvmOptions::linear(cost), "linear"),
        };
        let mut order = ClassOrder::default();
        if let Estimator::Svm { max_iter, class_order, .. } = estimator {
            (svm.max_iter, order) = (*max_iter, *class_order);
        }
        let order = order.classes(codes, classes);
        let mut numbers = vec![0; classes];
        order.iter().enumerate().for_each(|(number, &class)| numbers[class as usize] = number as u32);
        let target: Vec<u32> = rows.iter().map(|&row| numbers[codes[row] as usize]).collect();
        let watch = Mutex::new(watch);
        let stop = || watch.lock().unwrap_or_else(PoisonError::into_inner).observe(&NO_PROGRESS).is_break();
        let svc = Svc::fit_watched(gram, &train, (&target, classes), &svm, &stop);
        let gamma = if let Kernel::Rbf { gamma } = svm.kernel { Some(gamma) } else { None };
        Self {
            estimator: FittedEstimator::Svm { kernel: kernel.to_owned(), c: cost, gamma, converged: svc.converged },
            svc,
            order,
            predicted: Vec::new(),
            scores: vec![Vec::new(); classes],
        }
    }

    fn predict(&mut self, gram: &Gram, rows: &[usize]) {
        let (predicted, scores) = self.svc.predict_scored(gram, rows);
        self.predicted.extend(predicted.into_iter().map(|number| self.order[number as usize]));
        for (number, &class) in self.order.iter().enumerate() {
            self.scores[class as usize].extend_from_slice(scores.col(number));
        }
    }

    fn prediction(self, own: &[u32]) -> Prediction {
        let scores = Matrix::from_fn(own.len(), self.scores.len(), |row, class| self.scores[class][row]);
        Prediction {
            estimator: self.estimator,
            values: PredictedValues::Classes(self.predicted),
            certainty: CertaintyScores::of(own, &scores, None),
        }
    }
}
