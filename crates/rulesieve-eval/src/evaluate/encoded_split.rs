//! The training and test rows of a split: coded and ranked by the training rows, and predictions for the test rows.

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
use rulesieve::select::{FeatureOrder, RankingRequest, RulesOn, SelectOptions, Size, choose_size, ranked_on};
use std::ops::{ControlFlow, Range};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What ranks features: a method, or nothing where all are selected.
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

    /// Whether the method chooses the number of features by rows that it holds out.
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
    /// Gram matrices that are no longer needed; the next one reuses the memory of one of them.
    spent: Mutex<Vec<Gram>>,
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
        Ok(Self { data, truth, options, split, train, test, seed, spent: Mutex::default() })
    }

    pub(super) fn test(&self) -> &[usize] {
        &self.split.test
    }

    /// Features ranked with each of the settings, each with the size that its method or a size rule chooses.
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

    /// Features ranked with each of the settings; an error where the observer ended it.
    pub(super) fn ranked(
        &self,
        ranker: &Ranker,
        settings: &[Settings],
        watch: &mut DynObserver,
    ) -> Result<Vec<Result<FeatureOrder, FitError>>, Failure> {
        let Ranker::Method(one) = ranker else {
            check_halt(watch.fitted())?;
            return Ok(vec![Ok(FeatureOrder { places: (0..self.data.features.len()).collect(), native: None })]);
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

    /// The prediction from some features, with the first of some parameters of the estimator.
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

    /// Predictions from the first features of an order, for some sizes, ascending, each with parameters of the estimator.
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
                    let spent = self.spent().pop();
                    spent.unwrap_or_default().renewed(&self.columns(order, 0..*size))
                }
                Some((before, mut gram)) => {
                    gram.extend(&self.columns(order, before..*size));
                    gram
                }
            };
            all.push(self.by_gram(&gram, choices, watch)?);
            grown = Some((*size, gram));
        }
        self.spent().extend(grown.map(|(_, gram)| gram));
        Ok(all)
    }

    fn spent(&self) -> MutexGuard<'_, Vec<Gram>> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The coded columns of some features of an order: training rows first, then test rows.
    fn columns(&self, order: &[usize], range: Range<usize>) -> Matrix {
        let columns: Vec<usize> = order[range].iter().flat_map(|&at| self.train.blocks[at].clone()).collect();
        let learned = self.train.x.rows();
        let mut x = Matrix::zeros(learned + self.test.rows(), columns.len());
        for (at, &column) in columns.iter().enumerate() {
            let (train, test) = x.col_mut(at).split_at_mut(learned);
            train.copy_from_slice(self.train.x.col(column));
            test.copy_from_slice(self.test.col(column));
        }
        x
    }

    /// Predictions for each of some parameters of the estimator.
    fn by_gram(&self, gram: &Gram, choices: &[f64], watch: &mut DynObserver) -> Result<Vec<Prediction>, Failure> {
        let learned = self.split.train.len();
        let train: Vec<usize> = (0..learned).collect();
        let test: Vec<usize> = (learned..learned + self.split.test.len()).collect();
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
                let most = choices.iter().fold(1.0_f64, |most, &count| most.max(count));
                let near = Neighbours::new(gram, &train, &test, most as usize);
                let prediction = |&count: &f64| {
                    let count = count as usize;
                    let (values, log_loss) = match truth {
                        Truth::Classes { names, codes } => {
                            let codes: Vec<u32> = rows().map(|row| codes[row]).collect();
                            let (values, loss) = near.classes(count, &codes, &test, names.len());
                            (values, Some(loss))
                        }
                        Truth::Numbers(numbers) => {
                            let numbers: Vec<f64> = rows().map(|row| numbers[row]).collect();
                            (near.numbers(count, &numbers), None)
                        }
                    };
                    Prediction { estimator: FittedEstimator::Knn { neighbours: count }, values, log_loss }
                };
                Ok(choices.iter().map(prediction).collect())
            }
            // Options are checked: the SVM gets no numeric target, and the others use no Gram matrix.
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
        let ends = || watch.lock().unwrap_or_else(PoisonError::into_inner).observe(&NO_PROGRESS).is_break();
        let machine = Svc::fit_watched(gram, train, target, &svm, &ends);
        let gamma = if let Kernel::Rbf { gamma } = svm.kernel { Some(gamma) } else { None };
        Prediction {
            estimator: FittedEstimator::Svm { kernel: kernel.to_owned(), c: cost, gamma, converged: machine.converged },
            values: PredictedValues::Classes(machine.predict(gram, test)),
            log_loss: None,
        }
    }

    fn by_rules(&self, features: &[usize], watch: &mut DynObserver) -> Result<Prediction, Failure> {
        let rows = (self.split.train.as_slice(), self.split.test.as_slice());
        let rules = RulesOn::fit(self.data, features, rows, self.seed, watch)?;
        check_halt(watch.fitted())?;
        let found = rules.answers();
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
        let learned = self.split.train.len();
        let rows = |rows: Range<usize>| Matrix::from_fn(rows.len(), x.cols(), |row, col| x[(rows.start + row, col)]);
        let known: Vec<u32> = self.split.train.iter().map(|&row| codes[row]).collect();
        let params = Params { first_order: x.cols() <= learned, ..Params::default() };
        let machine = Classifier::fit(&rows(0..learned), &known, names.len(), &params, self.seed, watch)?;
        check_halt(watch.fitted())?;
        let found = machine.probabilities(&rows(learned..x.rows()));
        Ok(self.by_probabilities(
            FittedEstimator::Htsk { rules: params.rules.min(learned) },
            &found,
            (codes, names.len()),
        ))
    }

    /// The most probable class of every test row; ties go to the first.
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
