//! Scores of given subsets of the features.

use super::measures::{main_score, scores};
use super::result::{Task, TaskPart};
use super::split::RunContext;
use super::{EvaluateError, Failure};
use rayon::prelude::*;
use rulesieve::optim::{Observer, Progress, Silent};
use std::ops::ControlFlow;

/// Number of subsets between two calls of the observer.
const CHUNK: usize = 64;

/// Returns the main score of each subset in each split.
pub(super) fn score(
    context: RunContext,
    subsets: &[Vec<usize>],
    observer: &mut (dyn Observer + Send),
) -> Result<Option<Vec<Vec<f64>>>, EvaluateError> {
    let (choices, splits) = (context.options.estimator.choices(), context.spec.tests.len());
    let mut all = vec![Vec::with_capacity(splits); subsets.len()];
    let limit = splits * subsets.len().div_ceil(CHUNK);
    let mut done = 0;
    for split in 0..splits {
        let error = |failure: Failure| failure.of(context.spec, &Task { ranker: 0, part: TaskPart::Split(split) });
        let encoded = context.encoded(split).map_err(error)?;
        for (some, all) in subsets.chunks(CHUNK).zip(all.chunks_mut(CHUNK)) {
            let score = |subset: &Vec<usize>| {
                let prediction = encoded.prediction(subset, &choices, &mut Silent)?;
                let found = scores(&context.spec.truth, encoded.test(), &prediction.values, &prediction.certainty);
                Ok(found.get(main_score(&context.spec.truth)).copied().unwrap_or(f64::NAN))
            };
            let found: Result<Vec<f64>, Failure> = some.par_iter().map(score).collect();
            all.iter_mut().zip(found.map_err(error)?).for_each(|(all, score)| all.push(score));
            done += 1;
            let flow = observer.observe(&Progress { iteration: done, limit, objective: None });
            if let ControlFlow::Break(_) = flow {
                return Ok(None);
            }
        }
    }
    Ok(Some(all))
}
