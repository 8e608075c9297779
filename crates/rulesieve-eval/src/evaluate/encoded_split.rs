//! The rows of a split: encoding and ranking by the training rows, and predictions for the test rows.

use super::measures::log;
use super::options::{Candidate, EvaluateOptions};
use super::result::{CertaintyScores, FittedEstimator, PredictedValues, Prediction};
use super::run_spec::Truth;
use super::trained::Trained;
use super::work::{DynObserver, NO_PROGRESS, check_halt};
use super::{Estimator, Failure};
use crate::splits::Split;
use crate::svm::Gram;
use rulesieve::data::{Dataset, Design, Encoder};
use rulesieve::matrix::Matrix;
use rulesieve::methods::settings::Settings;
use rulesieve::methods::{FitError, HtskClassifier, HtskParams, OwnSize};
use rulesieve::select::{
    FeatureOrder, RankingRequest, RuleEstimate, RuleEstimator, SelectOptions, Size, choose_size, ranked_on,
};
use std::ops::{ControlFlow, Range};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Minimum number of test rows that are predicted together.
const MIN_CHUNK: usize = 500;

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
    pub(super) truth: &'a Truth,
    pub(super) options: &'a EvaluateOptions,
    pub(super) split: Split,
    /// Indices among the training rows of those that the estimator learns from.
    learn: Vec<usize>,
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
        (split, learn): (Split, Vec<usize>),
        seed: u64,
    ) -> Result<Self, Failure> {
        let encoder = match options.protocol.is_as_run() {
            // A leak that the protocol repeats.
            true => Encoder::fit(data, &(0..data.samples()).collect::<Vec<_>>(), data.coding)?,
            false => Encoder::fit(data, &split.train, data.coding)?,
        };
        let (train, test) = (encoder.transform(data, &split.train)?, encoder.transform(data, &split.test)?.x);
        let mut rows = learn.into_iter().peekable();
        let learn = (0..split.train.len()).filter(|&at| rows.next_if_eq(&split.train[at]).is_some()).collect();
        Ok(Self { data, truth, options, split, learn, train, test, seed, reusable: Mutex::default() })
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
        let chunks = self.chunks();
        let mut grown: Option<(usize, Gram)> = None;
        let mut all = Vec::with_capacity(wanted.len());
        for (size, choices) in wanted {
            let gram = match grown.take() {
                None => {
                    let reused = self.reusable().pop();
                    reused.unwrap_or_default().renewed(&self.columns(order, 0..*size, &chunks[0]))
                }
                Some((before, mut gram)) => {
                    gram.extend(&self.columns(order, before..*size, &chunks[0]));
                    gram
                }
            };
            let mut trained = Trained::new(self, &gram, choices, watch)?;
            trained.predict(&gram, &chunks[0]);
            for chunk in &chunks[1..] {
                trained.predict(&Gram::new(&self.columns(order, 0..*size, chunk)), chunk);
                check_halt(watch.observe(&NO_PROGRESS))?;
            }
            all.push(trained.predictions());
            grown = Some((*size, gram));
        }
        self.reusable().extend(grown.map(|(_, gram)| gram));
        Ok(all)
    }

    /// Divides the test rows so that the Gram matrix of a sample of the training rows stays small.
    fn chunks(&self) -> Vec<Range<usize>> {
        let (test, learn) = (self.split.test.len(), self.learn.len());
        let most = if learn < self.split.train.len() { learn.max(MIN_CHUNK) } else { test.max(1) };
        (0..test.div_ceil(most).max(1)).map(|at| at * most..((at + 1) * most).min(test)).collect()
    }

    fn reusable(&self) -> MutexGuard<'_, Vec<Gram>> {
        self.reusable.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the encoded columns of a range of `order`: the training rows of the estimator first, then some test rows.
    fn columns(&self, order: &[usize], range: Range<usize>, tested: &Range<usize>) -> Matrix {
        let columns: Vec<usize> = order[range].iter().flat_map(|&at| self.train.blocks[at].clone()).collect();
        let mut x = Matrix::zeros(self.learn.len() + tested.len(), columns.len());
        for (at, &column) in columns.iter().enumerate() {
            let (train, test) = x.col_mut(at).split_at_mut(self.learn.len());
            let source = self.train.x.col(column);
            train.iter_mut().zip(&self.learn).for_each(|(to, &row)| *to = source[row]);
            test.copy_from_slice(&self.test.col(column)[tested.clone()]);
        }
        x
    }

    /// Returns the training rows of the estimator.
    pub(super) fn learned(&self) -> Vec<usize> {
        self.learn.iter().map(|&at| self.split.train[at]).collect()
    }

    fn by_rules(&self, features: &[usize], watch: &mut DynObserver) -> Result<Prediction, Failure> {
        let (training_rows, test_rows, seed) = (&self.learned(), &self.split.test, self.seed);
        let rules = RuleEstimator::fit(self.data, RuleEstimate { features, training_rows, test_rows, seed }, watch)?;
        check_halt(watch.fitted())?;
        let found = rules.predictions();
        let estimator = FittedEstimator::Tsk { rules: rules.rules() };
        Ok(match self.truth {
            Truth::Numbers(_) => Prediction {
                estimator,
                values: PredictedValues::Numbers(found.col(0).to_vec()),
                certainty: CertaintyScores::default(),
            },
            Truth::Classes { names, codes } => self.by_probabilities(estimator, &found, (codes, names.len())),
        })
    }

    fn by_classifier(&self, features: &[usize], watch: &mut DynObserver) -> Result<Prediction, Failure> {
        let Truth::Classes { names, codes } = self.truth else {
            return Err(FitError::NeedsClasses { method: "htsk" }.into());
        };
        let x = self.columns(features, 0..features.len(), &(0..self.split.test.len()));
        let train_rows = self.learn.len();
        let rows = |rows: Range<usize>| Matrix::from_fn(rows.len(), x.cols(), |row, col| x[(rows.start + row, col)]);
        let known: Vec<u32> = self.learned().into_iter().map(|row| codes[row]).collect();
        let params = HtskParams { first_order: x.cols() <= train_rows, ..HtskParams::default() };
        let classifier = HtskClassifier::fit(&rows(0..train_rows), &known, names.len(), &params, self.seed, watch)?;
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
        let own: Vec<u32> = self.split.test.iter().map(|&row| codes[row]).collect();
        let logs = own.iter().enumerate().map(|(at, &code)| log(found[(at, code as usize)]));
        let loss = -logs.sum::<f64>() / own.len().max(1) as f64;
        let values = PredictedValues::Classes((0..found.rows()).map(best).collect());
        Prediction { estimator, values, certainty: CertaintyScores::of(&own, found, Some(loss)) }
    }
}
