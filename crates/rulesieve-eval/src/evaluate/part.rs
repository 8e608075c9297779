//! A training part and a test part: coded by what the training part taught, ranked by it, judged by the test part.

use super::Failure;
use super::frame::Truth;
use super::knn::Neighbours;
use super::measures::log;
use super::options::{Contender, EvaluateOptions, Judge, KernelKind};
use super::outcome::{Answers, JudgeRecord, Verdict};
use super::work::{Eye, NOTHING, go_on};
use crate::splits::Split;
use crate::svm::{Gram, Kernel, Svc, SvmOptions};
use rulesieve::data::{Dataset, Design, Encoder};
use rulesieve::linalg::Matrix;
use rulesieve::methods::htsk::{Classifier, Params};
use rulesieve::methods::settings::Settings;
use rulesieve::methods::{FitError, OwnSize};
use rulesieve::select::{FeatureOrder, RulesOn, ranked_on};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How features are put in order: by a method, or not at all where all are taken.
pub(super) enum Ranker<'a> {
    Method(&'a Contender),
    All,
}

impl Ranker<'_> {
    pub(super) fn settings(&self) -> &[Settings] {
        match self {
            Self::Method(one) => &one.points,
            Self::All => &[],
        }
    }

    /// Whether the method holds rows out to choose how many features to keep.
    pub(super) fn chooses_size(&self) -> bool {
        matches!(self, Self::Method(one) if one.method.info().own_size == OwnSize::HeldOut)
    }
}

/// The rows of a split, in their places, and coded.
pub(super) struct Part<'a> {
    data: &'a Dataset,
    truth: &'a Truth,
    options: &'a EvaluateOptions,
    split: Split,
    /// The training rows, from which methods learn.
    known: Design,
    /// The test rows.
    asked: Matrix,
    seed: u64,
    /// Gram matrices that are no longer needed; the next one takes the memory of one of them.
    spent: Mutex<Vec<Gram>>,
}

impl<'a> Part<'a> {
    pub(super) fn new(
        (data, truth): (&'a Dataset, &'a Truth),
        options: &'a EvaluateOptions,
        split: Split,
        seed: u64,
    ) -> Result<Self, Failure> {
        let encoder = Encoder::fit(data, &split.train, options.coding)?;
        let (known, asked) = (encoder.transform(data, &split.train)?, encoder.transform(data, &split.test)?.x);
        Ok(Self { data, truth, options, split, known, asked, seed, spent: Mutex::default() })
    }

    pub(super) fn test(&self) -> &[usize] {
        &self.split.test
    }

    /// Features by place, best first, for each of the settings; halted work is no result.
    pub(super) fn orders(
        &self,
        ranker: &Ranker,
        settings: &[Settings],
        watch: &mut Eye,
    ) -> Result<Vec<Result<FeatureOrder, FitError>>, Failure> {
        let Ranker::Method(one) = ranker else {
            go_on(watch.fitted())?;
            return Ok(vec![Ok(FeatureOrder { places: (0..self.data.features.len()).collect(), native: None })]);
        };
        let rows = (&self.known, self.split.train.as_slice());
        let found = ranked_on(self.data, rows, (one.method, settings), None, self.seed, watch)?;
        go_on(watch.observe(&NOTHING))?;
        Ok(found)
    }

    /// What the judge says from some features, with the first value of its parameter.
    pub(super) fn verdict(&self, features: &[usize], choices: &[f64], watch: &mut Eye) -> Result<Verdict, Failure> {
        let found = self.verdicts(features, &[(features.len(), choices.to_vec())], watch)?;
        let none = || FitError::NeedsClasses { method: "the judge" }.into();
        found.into_iter().flatten().next().ok_or_else(none)
    }

    /// What the judge says from the first features of an order, for some sizes, ascending, each with values of its parameter.
    pub(super) fn verdicts(
        &self,
        order: &[usize],
        wanted: &[(usize, Vec<f64>)],
        watch: &mut Eye,
    ) -> Result<Vec<Vec<Verdict>>, Failure> {
        if self.options.judge.is_trained_by_size() {
            let one = |(size, _): &(usize, Vec<f64>)| match self.options.judge {
                Judge::Htsk => Ok(vec![self.by_classifier(&order[..*size], watch)?]),
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

    /// The coded columns of the features in some places of an order: training rows first, then test rows.
    fn columns(&self, order: &[usize], places: Range<usize>) -> Matrix {
        let columns: Vec<usize> = order[places].iter().flat_map(|&at| self.known.blocks[at].clone()).collect();
        let learned = self.known.x.rows();
        let mut x = Matrix::zeros(learned + self.asked.rows(), columns.len());
        for (at, &column) in columns.iter().enumerate() {
            let (known, asked) = x.col_mut(at).split_at_mut(learned);
            known.copy_from_slice(self.known.x.col(column));
            asked.copy_from_slice(self.asked.col(column));
        }
        x
    }

    /// What the judge says for each value of its parameter.
    fn by_gram(&self, gram: &Gram, choices: &[f64], watch: &mut Eye) -> Result<Vec<Verdict>, Failure> {
        let learned = self.split.train.len();
        let train: Vec<usize> = (0..learned).collect();
        let test: Vec<usize> = (learned..learned + self.split.test.len()).collect();
        let rows = || self.split.train.iter().chain(&self.split.test).copied();
        match (&self.options.judge, self.truth) {
            (Judge::Svm { .. }, Truth::Classes { names, codes }) => {
                let codes: Vec<u32> = rows().map(|row| codes[row]).collect();
                let mut all = Vec::with_capacity(choices.len());
                for &cost in choices {
                    all.push(self.by_svm(gram, (&train, &test), (&codes, names.len()), cost, watch));
                    go_on(watch.observe(&NOTHING))?;
                }
                Ok(all)
            }
            (Judge::Knn { .. }, truth) => {
                go_on(watch.observe(&NOTHING))?;
                let most = choices.iter().fold(1.0_f64, |most, &count| most.max(count));
                let near = Neighbours::new(gram, &train, &test, most as usize);
                let verdict = |&count: &f64| {
                    let count = count as usize;
                    let (answers, log_loss) = match truth {
                        Truth::Classes { names, codes } => {
                            let codes: Vec<u32> = rows().map(|row| codes[row]).collect();
                            let (answers, loss) = near.classes(count, &codes, &test, names.len());
                            (answers, Some(loss))
                        }
                        Truth::Numbers(numbers) => {
                            let numbers: Vec<f64> = rows().map(|row| numbers[row]).collect();
                            (near.numbers(count, &numbers), None)
                        }
                    };
                    Verdict { judge: JudgeRecord::Knn { neighbours: count }, answers, log_loss }
                };
                Ok(choices.iter().map(verdict).collect())
            }
            // Options are checked: numbers are not given to the SVM, and the others do not come here.
            (Judge::Svm { .. }, Truth::Numbers(_)) | (Judge::Tsk | Judge::Htsk, _) => {
                Err(FitError::NeedsClasses { method: "the judge" }.into())
            }
        }
    }

    fn by_svm(
        &self,
        gram: &Gram,
        (train, test): (&[usize], &[usize]),
        target: (&[u32], usize),
        cost: f64,
        watch: &mut Eye,
    ) -> Verdict {
        let (svm, kernel) = match self.options.judge {
            Judge::Svm { kernel: KernelKind::Rbf, gamma, .. } => (SvmOptions::rbf(cost, gamma, gram, train), "rbf"),
            _ => (SvmOptions::linear(cost), "linear"),
        };
        let watch = Mutex::new(watch);
        let ends = || watch.lock().unwrap_or_else(PoisonError::into_inner).observe(&NOTHING).is_break();
        let machine = Svc::fit_watched(gram, train, target, &svm, &ends);
        let gamma = if let Kernel::Rbf { gamma } = svm.kernel { Some(gamma) } else { None };
        Verdict {
            judge: JudgeRecord::Svm { kernel: kernel.to_owned(), c: cost, gamma, converged: machine.converged },
            answers: Answers::Classes(machine.predict(gram, test)),
            log_loss: None,
        }
    }

    fn by_rules(&self, features: &[usize], watch: &mut Eye) -> Result<Verdict, Failure> {
        let rows = (self.split.train.as_slice(), self.split.test.as_slice());
        let rules = RulesOn::fit(self.data, features, rows, self.options.coding, self.seed, watch)?;
        go_on(watch.fitted())?;
        let found = rules.answers();
        let judge = JudgeRecord::Tsk { rules: rules.rules() };
        Ok(match self.truth {
            Truth::Numbers(_) => Verdict { judge, answers: Answers::Numbers(found.col(0).to_vec()), log_loss: None },
            Truth::Classes { names, codes } => self.by_probabilities(judge, &found, (codes, names.len())),
        })
    }

    fn by_classifier(&self, features: &[usize], watch: &mut Eye) -> Result<Verdict, Failure> {
        let Truth::Classes { names, codes } = self.truth else {
            return Err(FitError::NeedsClasses { method: "htsk" }.into());
        };
        let x = self.columns(features, 0..features.len());
        let learned = self.split.train.len();
        let rows = |rows: Range<usize>| Matrix::from_fn(rows.len(), x.cols(), |row, col| x[(rows.start + row, col)]);
        let known: Vec<u32> = self.split.train.iter().map(|&row| codes[row]).collect();
        let params = Params { first_order: x.cols() <= learned, ..Params::default() };
        let machine = Classifier::fit(&rows(0..learned), &known, names.len(), &params, self.seed, watch)?;
        go_on(watch.fitted())?;
        let found = machine.probabilities(&rows(learned..x.rows()));
        Ok(self.by_probabilities(JudgeRecord::Htsk { rules: params.rules.min(learned) }, &found, (codes, names.len())))
    }

    /// The most probable class of every test row, the first of equals.
    fn by_probabilities(&self, judge: JudgeRecord, found: &Matrix, (codes, classes): (&[u32], usize)) -> Verdict {
        let best = |row: usize| {
            let better =
                |best: usize, class: usize| if found[(row, class)] > found[(row, best)] { class } else { best };
            (0..classes).fold(0, better) as u32
        };
        let own = |(at, &row): (usize, &usize)| log(found[(at, codes[row] as usize)]);
        let loss = -self.split.test.iter().enumerate().map(own).sum::<f64>() / self.split.test.len().max(1) as f64;
        let answers = Answers::Classes((0..found.rows()).map(best).collect());
        Verdict { judge, answers, log_loss: Some(loss) }
    }
}
