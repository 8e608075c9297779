//! One split: rank on the training part, choose size and cost by folds within it, judge by the rows left out.

use super::record::{FoldRecord, SvmRecord};
use super::{Contender, EvaluateError, EvaluateOptions, KernelKind, Ranker};
use crate::metrics::Confusion;
use crate::splits::{Plan, Split, splits};
use crate::svm::{Gram, Kernel, Svc, SvmOptions};
use rulesieve::data::{Dataset, Design, Encoder};
use rulesieve::linalg::Matrix;
use rulesieve::optim::{Fits, Halt};
use rulesieve::select::{SelectError, growing_sizes, ranked_on};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::Instant;

/// Why a split could not be judged.
pub(super) enum Failure {
    Select(SelectError),
    Halted(Halt),
}

impl<E: Into<SelectError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Select(error.into())
    }
}

impl Failure {
    pub(super) fn of(self, method: &str, split: usize) -> EvaluateError {
        match self {
            Self::Select(source) => EvaluateError::Select { method: method.to_owned(), split, source },
            Self::Halted(halt) => EvaluateError::Halted(halt),
        }
    }
}

/// Fits of a method in one split.
pub(super) fn fits(options: &EvaluateOptions) -> usize {
    let choice = options.size.is_none() || options.costs.len() > 1;
    1 + if choice { options.inner } else { 0 }
}

/// How many features, and which of the costs.
#[derive(Clone, Copy)]
struct Choice {
    size: usize,
    cost: f64,
}

pub(super) fn judge(
    data: &Dataset,
    ranker: &Ranker,
    split: &Split,
    number: usize,
    options: &EvaluateOptions,
    fits: &mut Fits,
) -> Result<FoldRecord, Failure> {
    let began = Instant::now();
    let seed = options.seed.wrapping_add(1 + number as u64);
    let choice = choose(data, ranker, &split.train, seed, options, fits)?;
    let part = Part::new(data, ranker, &split.train, &split.test, (seed, options), fits)?;
    let gram = part.gram(0..choice.size);
    let (machine, svm) = part.machine(&gram, choice.cost, options);
    let answers = machine.predict(&gram, &part.test);
    let truth: Vec<u32> = split.test.iter().map(|&row| data.target.codes[row]).collect();
    let table = Confusion::new(&truth, &answers, data.target.classes.len());
    Ok(FoldRecord {
        test: split.test.clone(),
        selected: part.order[..choice.size].iter().map(|&at| data.features[at].name.clone()).collect(),
        places: part.order[..choice.size].to_vec(),
        svm,
        answers: answers.clone(),
        predicted: answers.iter().map(|&class| data.target.classes[class as usize].clone()).collect(),
        accuracy: table.accuracy(),
        balanced_accuracy: table.balanced_accuracy(),
        macro_f1: table.macro_f1(),
        mcc: table.mcc(),
        train_rows: split.train.len(),
        seconds: began.elapsed().as_secs_f64(),
    })
}

/// The size and the cost with the most right answers over the inner folds; among equals the smaller ones.
fn choose(
    data: &Dataset,
    ranker: &Ranker,
    train: &[usize],
    seed: u64,
    options: &EvaluateOptions,
    fits: &mut Fits,
) -> Result<Choice, Failure> {
    let features = data.features.len();
    let sizes = match (ranker, options.size) {
        (Ranker::All, _) => vec![features],
        (_, Some(size)) => vec![size.resolve(features)],
        (_, None) => growing_sizes(features),
    };
    let mut costs = options.costs.clone();
    costs.sort_by(f64::total_cmp);
    let choices: Vec<Choice> =
        sizes.iter().flat_map(|&size| costs.iter().map(move |&cost| Choice { size, cost })).collect();
    if self::fits(options) == 1 {
        return Ok(choices[0]);
    }
    let codes: Vec<u32> = train.iter().map(|&row| data.target.codes[row]).collect();
    let inner = splits(&inner_plan(train, options), &codes, seed).unwrap_or_default();
    let mut right = vec![0_usize; choices.len()];
    for fold in &inner {
        let rows = |places: &[usize]| places.iter().map(|&place| train[place]).collect::<Vec<_>>();
        let part = Part::new(data, ranker, &rows(&fold.train), &rows(&fold.test), (seed, options), fits)?;
        part.count_right(&sizes, &costs, options, &mut right);
    }
    // The first of the best: sizes and costs ascend.
    let best = (0..choices.len()).rev().max_by_key(|&at| right[at]).unwrap_or(0);
    Ok(choices[best])
}

/// Folds within the training part; groups stay together there too, unless there is but one.
fn inner_plan(train: &[usize], options: &EvaluateOptions) -> Plan {
    if let Plan::Groups { groups, .. } = &options.plan {
        let groups: Vec<u32> = train.iter().map(|&row| groups[row]).collect();
        let count = groups.iter().collect::<HashSet<_>>().len();
        if count > 1 {
            return Plan::Groups { folds: options.inner.min(count), groups };
        }
    }
    Plan::Folds { folds: options.inner.min(train.len()), repeats: 1 }
}

/// A training part and a test part, coded by what the training part taught, with the features in order.
struct Part {
    /// Features, best first.
    order: Vec<usize>,
    design: Design,
    codes: Vec<u32>,
    classes: usize,
    train: Vec<usize>,
    test: Vec<usize>,
}

impl Part {
    fn new(
        data: &Dataset,
        ranker: &Ranker,
        train: &[usize],
        test: &[usize],
        (seed, options): (u64, &EvaluateOptions),
        fits: &mut Fits,
    ) -> Result<Self, Failure> {
        let encoder = Encoder::fit(data, train, options.coding)?;
        let order = match ranker {
            Ranker::All => (0..data.features.len()).collect(),
            Ranker::Method(Contender { method, settings }) => {
                ranked_on(data, (&encoder, train), (*method, settings), None, seed, fits)?
            }
        };
        if let ControlFlow::Break(halt) = fits.count() {
            return Err(Failure::Halted(halt));
        }
        let rows = [train, test].concat();
        Ok(Self {
            order,
            design: encoder.transform(data, &rows)?,
            codes: rows.iter().map(|&row| data.target.codes[row]).collect(),
            classes: data.target.classes.len(),
            train: (0..train.len()).collect(),
            test: (train.len()..rows.len()).collect(),
        })
    }

    /// The coded columns of the features in some places of the order.
    fn columns(&self, places: std::ops::Range<usize>) -> Matrix {
        let columns: Vec<usize> = self.order[places].iter().flat_map(|&at| self.design.blocks[at].clone()).collect();
        let mut x = Matrix::zeros(self.design.x.rows(), columns.len());
        columns.iter().enumerate().for_each(|(at, &column)| x.col_mut(at).copy_from_slice(self.design.x.col(column)));
        x
    }

    fn gram(&self, places: std::ops::Range<usize>) -> Gram {
        Gram::new(&self.columns(places))
    }

    fn machine(&self, gram: &Gram, cost: f64, options: &EvaluateOptions) -> (Svc, SvmRecord) {
        let (svm, kernel, gamma) = match options.kernel {
            KernelKind::Linear => (SvmOptions::linear(cost), "linear", None),
            KernelKind::Rbf => {
                let svm = SvmOptions::rbf(cost, options.gamma, gram, &self.train);
                let gamma = if let Kernel::Rbf { gamma } = svm.kernel { Some(gamma) } else { None };
                (svm, "rbf", gamma)
            }
        };
        let machine = Svc::fit(gram, &self.train, &self.codes, self.classes, &svm);
        let converged = machine.converged;
        (machine, SvmRecord { kernel: kernel.to_owned(), c: cost, gamma, converged })
    }

    /// Adds right answers for every size (ascending) and cost. The Gram matrix grows with the features.
    fn count_right(&self, sizes: &[usize], costs: &[f64], options: &EvaluateOptions, right: &mut [usize]) {
        let mut grown: Option<(usize, Gram)> = None;
        for (at, &size) in sizes.iter().enumerate() {
            let gram = match grown.take() {
                None => self.gram(0..size),
                Some((before, mut gram)) => {
                    gram.extend(&self.columns(before..size));
                    gram
                }
            };
            for (which, &cost) in costs.iter().enumerate() {
                let answers = self.machine(&gram, cost, options).0.predict(&gram, &self.test);
                let hits = self.test.iter().zip(&answers).filter(|(row, answer)| self.codes[**row] == **answer);
                right[at * costs.len() + which] += hits.count();
            }
            grown = Some((size, gram));
        }
    }
}
