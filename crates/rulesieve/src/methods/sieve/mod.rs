//! `sieve`: scan every column and pair, order candidates by a leave-one-out error in closed form, choose among two such orders
//! and their sizes by cross-fitting, and report only what rows that took no part in the choice support.
//!
//! | file | step |
//! |---|---|
//! | `params` | every parameter with default, range and purpose |
//! | `columns` | features and rows in an order that depends on their content alone |
//! | `scan/` | exact tests of columns, pairs, and parities of three and four |
//! | `remaining` | rows for a second scan, in which the significant columns leave most open |
//! | `coding` | features as coordinates of a kernel |
//! | `leave_one_out` | kernel ridge regression, its leave-one-out error and the gradient of that |
//! | `eliminate` | backward elimination by that error |
//! | `paths` | the orders among which held-out rows choose |
//! | `rows`, `cross_fit` | folds; choice of path and size, and results, on held-out rows |
//! | `score` | the same regression as a score for the size rules of other methods |
//!
//! Sources: backward elimination by a kernel criterion (SVM-RFE, Guyon et al. 2002; BAHSIC, Song et al. 2012), leave-one-out
//! residuals in closed form (PRESS, Allen 1974), cross-fitting (Chernozhukov et al. 2018), exhaustive scans of pairs by bit
//! vectors (BOOST, Wan et al. 2010). Cost: O(n m^2 / 64) for the scan of pairs, O(r^3 + r^2 m) for each step by gradient and
//! O(r^3) for each exact step with r rows at most (400).

mod coding;
mod columns;
mod cross_fit;
mod eliminate;
mod leave_one_out;
mod params;
mod paths;
mod remaining;
mod rows;
mod scan;
mod score;

pub(crate) use score::held_out_score;

use super::settings::{ParamValue, Settings};
use super::{Certainty, Fit, FitError, Iteration, MethodInfo, OwnSize, Pair, Prepared, Problem};
use crate::optim::{Halt, Observer, Progress};
use columns::Columns;
use cross_fit::CrossFit;
use params::Params;
use paths::{Effort, Orders, Path};
use scan::Kinds;

/// Pairs that are reported: those with a corrected p-value of at most this.
const REPORTED_LEVEL: f64 = 0.01;
/// At most this many.
const REPORTED_PAIRS: usize = 20;

pub(super) static INFO: MethodInfo = MethodInfo {
    name: "sieve",
    title: "sieve",
    summary: "tests all columns and pairs, orders them by leave-one-out error, chooses by held-out rows (default)",
    source: "this project; SVM-RFE (Guyon 2002), BAHSIC (Song 2012), PRESS (Allen 1974), BOOST (Wan 2010)",
    certainty: Certainty::Own,
    cost: "O(n m^2 / 64) for the scan, O(r^3 + r^2 m) for a step of elimination with r = min(n, 400) rows",
    regression: true,
    weights: true,
    own_size: OwnSize::HeldOut,
    params: &params::SPECS,
    ..MethodInfo::DEFAULT
};

pub(super) fn prepare(problem: Problem<'_>) -> Result<Box<dyn Prepared + '_>, FitError> {
    let columns = Columns::new(problem.design, problem.target, problem.weights);
    Ok(Box::new(OnRows { columns, blocks: problem.design.blocks.len() }))
}

/// The training rows in canonical order.
struct OnRows {
    columns: Columns,
    blocks: usize,
}

impl Prepared for OnRows {
    fn fit(&self, settings: &Settings, seed: u64, observer: &mut dyn Observer) -> Result<Fit, FitError> {
        self.fit_of_size(settings, seed, None, observer)
    }

    fn fit_of_size(
        &self,
        settings: &Settings,
        seed: u64,
        size: Option<usize>,
        observer: &mut dyn Observer,
    ) -> Result<Fit, FitError> {
        let params = Params::from_settings(settings);
        let columns = &self.columns;
        let mut progress = Steps::new(columns, &params, observer);
        let mut watch = || progress.step();
        let all: Vec<usize> = (0..columns.rows()).collect();
        let effort = Effort { kinds: Kinds::ALL, samples: params.samples, rows: params.rows, share: params.share };
        let orders = Orders::learn(columns, &all, (&params, effort), seed, &mut watch)?;
        let cross_fit = match watch() {
            None => CrossFit::new(columns, &params, orders.scan.kinds, seed, &mut watch)?,
            Some(_) => None,
        };
        let halted = progress.halted;
        let mut fit = self.ranked(&orders, cross_fit.as_ref(), &params, size)?;
        fit.iteration = Some(Iteration {
            count: progress.done,
            converged: halted.is_none(),
            halted,
            terms: &[],
            trace: Vec::new(),
            diagnostics: Vec::new(),
        });
        Ok(fit)
    }
}

impl OnRows {
    fn ranked(
        &self,
        orders: &Orders,
        cross_fit: Option<&CrossFit>,
        params: &Params,
        size: Option<usize>,
    ) -> Result<Fit, FitError> {
        let choice = cross_fit.map(|fit| (fit, fit.choose(None)));
        // Without folds significant columns come first; with `path=wide` there is one order only.
        let path = choice.map_or(Path::Significant, |(_, choice)| choice.path);
        let best = choice.map_or(usize::MAX, |(fit, choice)| fit.best_size(choice));
        let order = orders.with_significant_behind(path, best, params.level);
        let scores = match choice {
            Some((fit, choice)) => fit.importance(choice)?,
            None => vec![0.0; order.len()],
        };
        let p_values: Vec<f64> = orders.scan.log_p.iter().map(|log_p| log_p.exp()).collect();
        let held_out = match choice {
            Some((fit, _)) => fit.held_out(size)?,
            None => None,
        };
        let significant = p_values.iter().filter(|&&p_value| p_value <= params.level).count();
        let native = choice.map_or(significant, |(fit, choice)| fit.size(choice)).max(1);
        let name = if path == Path::Wide { "wide" } else { "significant" };
        let mut resolved = vec![("path", ParamValue::Word(name))];
        resolved.extend(choice.map(|(fit, _)| ("folds", ParamValue::Whole(fit.fold_count() as u64))));
        Ok(Fit {
            scores: self.by_block(&scores, 0.0),
            order: Some(self.all_blocks(&order)),
            p_values: self.by_block(&p_values, 1.0),
            pairs: self.pairs(orders),
            warnings: held_out.iter().filter_map(crate::HeldOut::warning).collect(),
            held_out,
            curve: choice.map(|(fit, choice)| fit.curve(choice.path)),
            native: Some(native),
            tested: Some(orders.scan.tested.clone()),
            resolved,
            ..Fit::default()
        })
    }

    /// Blocks of the design in order: distinct features, then their copies, then constants.
    fn all_blocks(&self, order: &[usize]) -> Vec<usize> {
        let columns = &self.columns;
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &feature)| place[feature] = at);
        let mut copies = columns.copies.clone();
        copies.sort_by_key(|&(block, feature)| (place[feature], block));
        let first = order.iter().map(|&feature| columns.blocks[feature]);
        first.chain(copies.into_iter().map(|(block, _)| block)).chain(columns.constant.iter().copied()).collect()
    }

    /// A value for every block of the design: copies have that of what they repeat.
    fn by_block(&self, values: &[f64], constant: f64) -> Vec<f64> {
        let mut out = vec![constant; self.blocks];
        self.columns.blocks.iter().zip(values).for_each(|(&block, &value)| out[block] = value);
        self.columns.copies.iter().for_each(|&(block, feature)| out[block] = values[feature]);
        out
    }

    fn pairs(&self, orders: &Orders) -> Vec<Pair> {
        let clear = orders.scan.pairs.iter().take_while(|pair| pair.2 <= REPORTED_LEVEL.ln());
        let named = |&(a, b, log_p): &(usize, usize, f64)| {
            let (a, b) = (self.columns.blocks[a], self.columns.blocks[b]);
            Pair { features: (a.min(b), a.max(b)), p_value: log_p.exp() }
        };
        clear.take(REPORTED_PAIRS).map(named).collect()
    }
}

/// Counts steps of all orders, and asks the observer whether to go on.
struct Steps<'a> {
    observer: &'a mut dyn Observer,
    done: usize,
    limit: usize,
    halted: Option<Halt>,
}

impl<'a> Steps<'a> {
    fn new(columns: &Columns, params: &Params, observer: &'a mut dyn Observer) -> Self {
        let features = columns.features.len().min(params.columns);
        let exact = features.min(params.candidates + params.scanned);
        let by_gradient = (features as f64 / params.candidates as f64).ln().max(0.0) / -(1.0 - params.share).ln();
        let orders = params.folds_for(columns.rows()) + 1;
        let limit = orders * (by_gradient as usize + exact + params.significant.min(features) + 4);
        Self { observer, done: 0, limit, halted: None }
    }

    fn step(&mut self) -> Option<Halt> {
        if self.halted.is_none() {
            self.done += 1;
            let progress = Progress { iteration: self.done.min(self.limit), limit: self.limit, objective: None };
            self.halted = self.observer.observe(&progress).break_value();
        }
        self.halted
    }
}

#[cfg(test)]
mod tests;
