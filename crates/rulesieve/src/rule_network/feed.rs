//! Sources of mini-batches: samples in memory, or rows that are read in pieces.

use super::restart::Restart;
use crate::methods::FitError;
use crate::optim::{Halt, Observer, Progress};
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Maximum number of steps between two calls of the observer.
const OBSERVE_EVERY: usize = 50;
/// Maximum number of multiplications between them, unless a single step has more: about a second.
const OBSERVED_WORK: usize = 1 << 31;

/// A source of mini-batches.
pub(crate) trait Feed {
    /// Begins a stage on the columns of these features.
    fn begin(&mut self, features: &[usize]) -> Result<(), FitError>;

    /// Number of training samples, which come first; `None` lets every restart split the samples.
    fn learn(&self) -> Option<usize>;

    /// Takes some steps in these restarts of the stage.
    fn advance(&mut self, restarts: &mut [&mut Restart], steps: usize) -> Result<(), FitError>;
}

/// Samples in memory: every restart has its own order of the samples and its own batches.
pub(crate) struct InMemory;

impl Feed for InMemory {
    fn begin(&mut self, _: &[usize]) -> Result<(), FitError> {
        Ok(())
    }

    fn learn(&self) -> Option<usize> {
        None
    }

    fn advance(&mut self, restarts: &mut [&mut Restart], steps: usize) -> Result<(), FitError> {
        restarts.par_iter_mut().for_each(|restart| restart.advance(steps));
        Ok(())
    }
}

/// Takes some steps, calling the observer in between; returns their number, and the reason if it ended early.
pub(crate) fn advance_watched(
    feed: &mut dyn Feed,
    restarts: &mut [&mut Restart],
    steps: usize,
    before: &Progress,
    observer: &mut dyn Observer,
) -> Result<(usize, Option<Halt>), FitError> {
    let work: usize = restarts.iter().map(|restart| restart.work()).sum();
    let most = (OBSERVED_WORK / work.max(1)).clamp(1, OBSERVE_EVERY);
    let mut taken = 0;
    loop {
        let now = most.min(steps - taken);
        feed.advance(restarts, now)?;
        taken += now;
        if taken == steps {
            return Ok((taken, None));
        }
        let progress = Progress { iteration: before.iteration + taken, ..*before };
        if let ControlFlow::Break(halt) = observer.observe(&progress) {
            return Ok((taken, Some(halt)));
        }
    }
}
