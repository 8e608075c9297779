//! `mrmr`: minimum redundancy, maximum relevance (Ding and Peng 2005), for numbers.
//!
//! Features are selected one by one. Relevance is the F statistic (`anova`), redundancy the mean absolute correlation
//! with the features selected so far; the next feature has the largest quotient of the two (FCQ, the default) or the
//! largest difference (FCD). The first is the most relevant one. Copies of a selected feature, up to scale and origin,
//! add nothing: they follow after all others. For features of several columns
//! the absolute correlation is generalised by the root of the RV coefficient, `|A^T B|_F / sqrt(|A^T A|_F |B^T B|_F)`.
//!
//! One product of the data with the last selected column updates all redundancies: O(n m) a step, and no m x m matrix.
//! The score of a feature is m minus the number of features selected before it, over m; features beyond `depth` follow
//! in the order of the last criterion.

use super::settings::{AUTO, ParamSpec, ParamValue, param};
use super::shared::centred;
use super::{Certainty, Fit, FitError, Iteration, MethodInfo, Prepared, Problem, Settings, anova};
use crate::linalg::{Columns, ColumnsTransposed, Matrix, Transposed, product};
use crate::optim::{Observer, Progress};
use std::cmp::Ordering;
use std::ops::Range;

/// Maximum F statistic: those of perfect separators are unbounded, and redundancy must still distinguish them.
const MOST: f64 = 1e12;
/// Minimum correlation in a quotient, as in common implementations.
const LEAST: f64 = 1e-3;
/// Minimum correlation of copies: less is lost by rounding.
const COPY: f64 = 1.0 - 1e-9;
/// Default maximum depth.
const DEPTH: usize = 1000;

param!(
    SCHEME,
    "scheme",
    Word("quotient"),
    OneOf(&["quotient", "difference"]),
    "quotient or difference of relevance and redundancy"
);
param!(
    DEPTH_OF,
    "depth",
    Word(AUTO),
    WholeOrAuto(1, 1 << 24),
    "features that are selected one by one; auto: all, at most 1000"
);
static SPECS: [&ParamSpec; 2] = [&SCHEME.spec, &DEPTH_OF.spec];

pub(super) static INFO: MethodInfo = MethodInfo {
    name: "mrmr",
    title: "mrmr",
    summary: "features selected one by one: F statistic against the mean correlation with those selected before",
    source: "Ding and Peng, Journal of Bioinformatics and Computational Biology 3, 2005",
    certainty: Certainty::Established,
    cost: "O(n m depth)",
    regression: true,
    params: &SPECS,
    ..MethodInfo::DEFAULT
};

pub(super) fn prepare(problem: Problem<'_>) -> Result<Box<dyn Prepared + '_>, FitError> {
    let relevance = anova::statistics(&problem).into_iter().map(|f| f.min(MOST)).collect();
    let columns = standardised(&problem.design.x, &problem.design.blocks);
    Ok(Box::new(OnRows { problem, relevance, columns }))
}

struct OnRows<'a> {
    problem: Problem<'a>,
    relevance: Vec<f64>,
    /// Centred columns, each block divided by the root of the length of its own correlations.
    columns: Matrix,
}

impl Prepared for OnRows<'_> {
    fn fit(&self, settings: &Settings, _: u64, observer: &mut dyn Observer) -> Result<Fit, FitError> {
        let features = self.relevance.len();
        let depth = settings.auto_whole(&DEPTH_OF).unwrap_or(DEPTH).min(features);
        let mut greedy = Greedy::new(self, settings.word(&SCHEME) == "quotient");
        let (mut trace, mut halted) = (Vec::new(), None);
        while halted.is_none()
            && trace.len() < depth
            && let Some(criterion) = greedy.take()
        {
            trace.push(vec![criterion]);
            let progress = Progress { iteration: trace.len(), limit: depth, objective: Some(criterion) };
            halted = observer.observe(&progress).break_value();
        }
        let mut scores = vec![0.0; features];
        let order = greedy.finish().into_iter().enumerate();
        order.for_each(|(place, feature)| scores[feature] = (features - place) as f64 / features as f64);
        let iteration = Iteration {
            count: trace.len(),
            converged: halted.is_none(),
            halted,
            terms: &["criterion"],
            trace,
            diagnostics: Vec::new(),
        };
        let resolved = vec![("depth", ParamValue::Whole(depth as u64))];
        Ok(Fit { scores, iteration: Some(iteration), resolved, ..Fit::default() })
    }
}

/// The features selected so far, and the sums of correlations with them.
struct Greedy<'a> {
    on: &'a OnRows<'a>,
    quotient: bool,
    taken: Vec<usize>,
    left: Vec<usize>,
    sums: Vec<f64>,
    /// Whether a feature is a copy of a selected one.
    copies: Vec<bool>,
}

impl<'a> Greedy<'a> {
    fn new(on: &'a OnRows<'a>, quotient: bool) -> Self {
        let features = on.relevance.len();
        let (left, sums, copies) = ((0..features).collect(), vec![0.0; features], vec![false; features]);
        Self { on, quotient, taken: Vec::new(), left, sums, copies }
    }

    fn criterion(&self, feature: usize) -> f64 {
        let relevance = self.on.relevance[feature];
        if self.taken.is_empty() {
            return relevance;
        }
        let redundancy = self.sums[feature] / self.taken.len() as f64;
        if self.quotient { relevance / redundancy.max(LEAST) } else { relevance - redundancy }
    }

    /// The order of two features, the better one first: copies last, then by the criterion.
    fn order(&self, a: &(usize, f64), b: &(usize, f64)) -> Ordering {
        self.copies[a.0].cmp(&self.copies[b.0]).then(b.1.total_cmp(&a.1)).then(a.0.cmp(&b.0))
    }

    /// Selects the best of the remaining features; returns its criterion.
    fn take(&mut self) -> Option<f64> {
        let values = self.left.iter().map(|&feature| (feature, self.criterion(feature)));
        let (feature, criterion) = values.min_by(|a, b| self.order(a, b))?;
        self.left.retain(|&other| other != feature);
        self.taken.push(feature);
        let blocks = &self.on.problem.design.blocks;
        let columns = &self.on.columns;
        let likeness = product(Transposed(columns), Columns(columns, blocks[feature].clone()));
        let squares = likeness.row_norms_squared();
        for ((sum, copy), block) in self.sums.iter_mut().zip(&mut self.copies).zip(blocks) {
            let correlation = squares[block.clone()].iter().sum::<f64>().sqrt();
            *sum += correlation;
            *copy |= correlation > COPY;
        }
        Some(criterion)
    }

    /// All features: the selected ones, then the others by the last criterion.
    fn finish(self) -> Vec<usize> {
        let mut rest: Vec<(usize, f64)> = self.left.iter().map(|&feature| (feature, self.criterion(feature))).collect();
        rest.sort_by(|a, b| self.order(a, b));
        self.taken.into_iter().chain(rest.into_iter().map(|(feature, _)| feature)).collect()
    }
}

/// Centred columns; every block scaled so that its inner products with itself have length one.
fn standardised(x: &Matrix, blocks: &[Range<usize>]) -> Matrix {
    let mut out = centred(x);
    for block in blocks {
        let own = product(ColumnsTransposed(&out, block.clone()), Columns(&out, block.clone()));
        let length = own.norm_squared().sqrt().sqrt();
        let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
        block.clone().for_each(|col| out.col_mut(col).iter_mut().for_each(|value| *value *= scale));
    }
    out
}

#[cfg(test)]
mod tests;
