//! Subsets of the features that no method chose: how good could any choice be?

use super::measures::{main_score, scores};
use super::outcome::{Task, TaskPart};
use super::split::Work;
use super::{EvaluateError, Failure};
use rayon::prelude::*;
use rulesieve::optim::{Observer, Progress, Silent};
use std::ops::ControlFlow;

/// Subsets that are judged between two looks at the observer.
const AT_A_TIME: usize = 64;

/// The main score of every subset in every split.
pub(super) fn judge(
    work: Work,
    subsets: &[Vec<usize>],
    observer: &mut (dyn Observer + Send),
) -> Result<Option<Vec<Vec<f64>>>, EvaluateError> {
    let (choices, splits) = (work.options.judge.choices(), work.frame.tests.len());
    let mut all = vec![Vec::with_capacity(splits); subsets.len()];
    let limit = splits * subsets.len().div_ceil(AT_A_TIME);
    let mut done = 0;
    for split in 0..splits {
        let named = |failure: Failure| failure.of(work.frame, &Task { ranker: 0, part: TaskPart::Split(split) });
        let part = work.part_of(split).map_err(named)?;
        for (some, all) in subsets.chunks(AT_A_TIME).zip(all.chunks_mut(AT_A_TIME)) {
            let score = |subset: &Vec<usize>| {
                let verdict = part.verdict(subset, &choices, &mut Silent)?;
                let found = scores(&work.frame.truth, part.test(), &verdict.answers, verdict.log_loss);
                Ok(found.get(main_score(&work.frame.truth)).copied().unwrap_or(f64::NAN))
            };
            let found: Result<Vec<f64>, Failure> = some.par_iter().map(score).collect();
            all.iter_mut().zip(found.map_err(named)?).for_each(|(all, score)| all.push(score));
            done += 1;
            let wish = observer.observe(&Progress { iteration: done, limit, objective: None });
            if let ControlFlow::Break(_) = wish {
                return Ok(None);
            }
        }
    }
    Ok(Some(all))
}
