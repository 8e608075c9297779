//! The rows of a split: encoding and ranking by the training rows, and predictions for the test rows.

use super::knn::Neighbours;
use super::measures::log;
use super::options::{Candidate, EvaluateOptions};
use super::result::{FittedEstimator, PredictedValues, Prediction};
use super::run_spec::Truth;
use super::work::{DynObserver, NO_PROGRESS, check_halt};
use super::{Estimator, Failure, KernelKind};
use crate::splits::Split;
use crate::svm::{Gram, Kernel, Svc, SvmOptions};
use rulesieve::data::{Dataset, Design, Encoder};
use rulesieve::linalg::Matrix;
use rulesieve::methods::htsk::{Classifier, Params};
use rulesieve::methods::settings::Settings;
use rulesieve::methods::{FitError, OwnSize};
use rulesieve::select::{FeatureOrder, RankingRequest, RuleEstimator, SelectOptions, Size, choose_size, ranked_on};
use std::ops::{ControlFlow, Range};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Ranks features by a method, or selects all.
pub(super) enum Ranker<'a> {
    Method(&'a Candidate),
    All,
}

impl Ranker<'_> {
    pub(super) fn settings(&self) -> &[Settings] {
        match self {
            Self::Method(one) => &one.points,
            Self::All => &[],
        }
    }

    /// Returns whether the method chooses the number of features on held-out rows of its own.
    pub(super) fn chooses_size(&self) -> bool {
        matches!(self, Self::Method(one) if one.method.info().own_size == OwnSize::HeldOut)
    }
}

/// The coded rows of a split.
pub(super) struct EncodedSplit<'a> {
    data: &'a Dataset,
    truth: &'a Truth,
    options: &'a EvaluateOptions,
    split: Split,
    train: Design,
    test: Matrix,
    seed: u64,
    /// Gram matrices whose memory can be reused.
    reusable: Mutex<Vec<Gram>>,
}

impl<'a> EncodedSplit<'a> {
    pub(super) fn new(
        (data, truth): (&'a Dataset, &'a Truth),
        options: &'a EvaluateOptions,
        split: Split,
        seed: u64,
    ) -> Result<Self, Failure> {
        let encoder = Encoder::fit(data, &split.train, data.coding)?;
        let (train, test) = (encoder.transform(data, &split.train)?, encoder.transform(data, &split.test)?.x);
        Ok(Self { data, truth, options, split, train, test, seed, reusable: Mutex::default() })
    }

    pub(super) fn test(&self) -> &[usize] {
        &self.split.test
    }

    /// Ranks the features with each setting, and chooses sizes by the method or a size rule.
    pub(super) fn orders(
        &self,
        ranker: &Ranker,
        settings: &[Settings],
        watch: &mut DynObserver,
    ) -> Result<Vec<Result<FeatureOrder, FitError>>, Failure> {
        let mut orders = self.ranked(ranker, settings, watch)?;
        if let (Ranker::Method(one), Some(Size::Rule(rule))) = (ranker, self.options.size) {
            for (order, settings) in orders.iter_mut().zip(settings) {
                let Ok(order) = order else { continue };
                let options = SelectOptions::new(one.method).settings(settings.clone()).seed(self.seed);
                match choose_size(self.data, &self.split.train, &options, rule, watch)? {
                    ControlFlow::Continue((size, _)) => order.native = Some(size),
                    ControlFlow::Break(halt) => return Err(Failure::Halted(halt)),
                }
            }
        }
        Ok(orders)
    }

    /// Ranks the features with each setting; fails if the observer ends it.
    pub(super) fn ranked(
        &self,
        ranker: &Ranker,
        settings: &[Settings],
        watch: &mut DynObserver,
    ) -> Result<Vec<Result<FeatureOrder, FitError>>, Failure> {
        let Ranker::Method(one) = ranker else {
            check_halt(watch.fitted())?;
            return Ok(vec![Ok(FeatureOrder { indices: (0..self.data.features.len()).collect(), native: None })]);
        };
        let request = RankingRequest {
            data: self.data,
            rows: &self.split.train,
            design: &self.train,
            method: one.method,
            settings,
            weights: None,
            seed: self.seed,
        };
        let found = ranked_on(&request, watch)?;
        check_halt(watch.observe(&NO_PROGRESS))?;
        Ok(found)
    }

    /// Predicts from `features` with the first of the estimator's parameters.
    pub(super) fn prediction(
        &self,
        features: &[usize],
        choices: &[f64],
        watch: &mut DynObserver,
    ) -> Result<Prediction, Failure> {
        let found = self.predictions(features, &[(features.len(), choices.to_vec())], watch)?;
        let none = || FitError::NeedsClasses { method: "the estimator" }.into();
        found.into_iter().flatten().next().ok_or_else(none)
    }

    /// Predicts from the first features of `order`, for ascending sizes, each with parameters of the estimator.
    pub(super) fn predictions(
        &self,
        order: &[usize],
        wanted: &[(usize, Vec<f64>)],
        watch: &mut DynObserver,
    ) -> Result<Vec<Vec<Prediction>>, Failure> {
        if self.options.estimator.is_trained_by_size() {
            let one = |(size, _): &(usize, Vec<f64>)| match self.options.estimator {
                Estimator::Htsk => Ok(vec![self.by_classifier(&order[..*size], watch)?]),
                _ => Ok(vec![self.by_rules(&order[..*size], watch)?]),
            };
            return wanted.iter().map(one).collect();
        }
        let mut grown: Option<(usize, Gram)> = None;
        let mut all = Vec::with_capacity(wanted.len());
        for (size, choices) in wanted {
            let gram = match grown.take() {
                None => {
                    let reused = self.reusable().pop();
                    reused.unwrap_or_default().renewed(&self.columns(order, 0..*size))
                }
                Some((before, mut gram)) => {
                    gram.extend(&self.columns(order, before..*size));
                    gram
                }
            };
            all.push(self.by_gram(&gram, choices, watch)?);
            grown = Some((*size, gram));
        }
        self.reusable().extend(grown.map(|(_, gram)| gram));
        Ok(all)
    }

    fn reusable(&self) -> MutexGuard<'_, Vec<Gram>> {
        self.reusable.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the encoded columns of a range of `order`: training rows first, then test rows.
    fn columns(&self, order: &[usize], range: Range<usize>) -> Matrix {
        let columns: Vec<usize> = order[range].iter().flat_map(|&at| self.train.blocks[at].clone()).collect();
        let train_rows = self.train.x.rows();
        let mut x = Matrix::zeros(train_rows + self.test.rows(), columns.len());
        for (at, &column) in columns.iter().enumerate() {
            let (train, test) = x.col_mut(at).split_at_mut(train_rows);
            train.copy_from_slice(self.train.x.col(column));
            test.copy_from_slice(self.test.col(column));
        }
        x
    }

    /// Predicts with each of the estimator's parameters.
    fn by_gram(&self, gram: &Gram, choices: &[f64], watch: &mut DynObserver) -> Result<Vec<Prediction>, Failure> {
        let train_rows = self.split.train.len();
        let train: Vec<usize> = (0..train_rows).collect();
        let test: Vec<usize> = (train_rows..train_rows + self.split.test.len()).collect();
        let rows = || self.split.train.iter().chain(&self.split.test).copied();
        match (&self.options.estimator, self.truth) {
            (Estimator::Svm { .. }, Truth::Classes { names, codes }) => {
                let codes: Vec<u32> = rows().map(|row| codes[row]).collect();
                let mut all = Vec::with_capacity(choices.len());
                for &cost in choices {
                    all.push(self.by_svm(gram, (&train, &test), (&codes, names.len()), cost, watch));
                    check_halt(watch.observe(&NO_PROGRESS))?;
                }
                Ok(all)
            }
            (Estimator::Knn { .. }, truth) => {
                check_halt(watch.observe(&NO_PROGRESS))?;
                let max_count = choices.iter().fold(1.0_f64, |max, &count| max.max(count));
                let neighbours = Neighbours::new(gram, &train, &test, max_count as usize);
                let prediction = |&count: &f64| {
                    let count = count as usize;
                    let (values, log_loss) = match truth {
                        Truth::Classes { names, codes } => {
                            let codes: Vec<u32> = rows().map(|row| codes[row]).collect();
                            let (values, loss) = neighbours.classes(count, &codes, &test, names.len());
                            (values, Some(loss))
                        }
                        Truth::Numbers(numbers) => {
                            let numbers: Vec<f64> = rows().map(|row| numbers[row]).collect();
                            (neighbours.numbers(count, &numbers), None)
                        }
                    };
                    Prediction { estimator: FittedEstimator::Knn { neighbours: count }, values, log_loss }
                };
                Ok(choices.iter().map(prediction).collect())
            }
            // The options are checked: the SVM has no numeric target, and the others use no Gram matrix.
            (Estimator::Svm { .. }, Truth::Numbers(_)) | (Estimator::Tsk | Estimator::Htsk, _) => {
                Err(FitError::NeedsClasses { method: "the estimator" }.into())
            }
        }
    }

    fn by_svm(
        &self,
        gram: &Gram,
        (train, test): (&[usize], &[usize]),
        target: (&[u32], usize),
        cost: f64,
        watch: &mut DynObserver,
    ) -> Prediction {
        let (svm, kernel) = match self.options.estimator {
            Estimator::Svm { kernel: KernelKind::Rbf, gamma, .. } => (SvmOptions::rbf(cost, gamma, gram, train), "rbf"),
            _ => (SvmOptions::linear(cost), "linear"),
        };
        let watch = Mutex::new(watch);
        let stop = || watch.lock().unwrap_or_else(PoisonError::into_inner).observe(&NO_PROGRESS).is_break();
        let fitted = Svc::fit_watched(gram, train, target, &svm, &stop);
        let gamma = if let Kernel::Rbf { gamma } = svm.kernel { Some(gamma) } else { None };
        Prediction {
            estimator: FittedEstimator::Svm { kernel: kernel.to_owned(), c: cost, gamma, converged: fitted.converged },
            values: PredictedValues::Classes(fitted.predict(gram, test)),
            log_loss: None,
        }
    }

    fn by_rules(&self, features: &[usize], watch: &mut DynObserver) -> Result<Prediction, Failure> {
        let rows = (self.split.train.as_slice(), self.split.test.as_slice());
        let rules = RuleEstimator::fit(self.data, features, rows, self.seed, watch)?;
        check_halt(watch.fitted())?;
        let found = rules.predictions();
        let estimator = FittedEstimator::Tsk { rules: rules.rules() };
        Ok(match self.truth {
            Truth::Numbers(_) => {
                Prediction { estimator, values: PredictedValues::Numbers(found.col(0).to_vec()), log_loss: None }
            }
            Truth::Classes { names, codes } => self.by_probabilities(estimator, &found, (codes, names.len())),
        })
    }

    fn by_classifier(&self, features: &[usize], watch: &mut DynObserver) -> Result<Prediction, Failure> {
        let Truth::Classes { names, codes } = self.truth else {
            return Err(FitError::NeedsClasses { method: "htsk" }.into());
        };
        let x = self.columns(features, 0..features.len());
        let train_rows = self.split.train.len();
        let rows = |rows: Range<usize>| Matrix::from_fn(rows.len(), x.cols(), |row, col| x[(rows.start + row, col)]);
        let known: Vec<u32> = self.split.train.iter().map(|&row| codes[row]).collect();
        let params = Params { first_order: x.cols() <= train_rows, ..Params::default() };
        let classifier = Classifier::fit(&rows(0..train_rows), &known, names.len(), &params, self.seed, watch)?;
        check_halt(watch.fitted())?;
        let probabilities = classifier.probabilities(&rows(train_rows..x.rows()));
        Ok(self.by_probabilities(
            FittedEstimator::Htsk { rules: params.rules.min(train_rows) },
            &probabilities,
            (codes, names.len()),
        ))
    }

    /// Predicts the most probable class of each test row; ties go to the first.
    fn by_probabilities(
        &self,
        estimator: FittedEstimator,
        found: &Matrix,
        (codes, classes): (&[u32], usize),
    ) -> Prediction {
        let best = |row: usize| {
            let better =
                |best: usize, class: usize| if found[(row, class)] > found[(row, best)] { class } else { best };
            (0..classes).fold(0, better) as u32
        };
        let own = |(at, &row): (usize, &usize)| log(found[(at, codes[row] as usize)]);
        let loss = -self.split.test.iter().enumerate().map(own).sum::<f64>() / self.split.test.len().max(1) as f64;
        let values = PredictedValues::Classes((0..found.rows()).map(best).collect());
        Prediction { estimator, values, log_loss: Some(loss) }
    }
}
