//! Gradient descent on a squared error, which restarts with half the learning rate if it diverges.

use crate::methods::shared::Course;
use crate::methods::{FitError, Iteration};
use crate::optim::Observer;
use crate::warning::Warning;

/// A loss this many times above its first value has diverged.
const DIVERGENCE_FACTOR: f64 = 10.0;
/// Maximum number of halvings of the learning rate.
const HALVINGS: usize = 6;

/// Result of a descent.
#[derive(Debug)]
pub(crate) struct DescentResult<S> {
    /// The final state.
    pub(crate) state: S,
    /// The trace.
    pub(crate) iteration: Iteration,
    /// Warning about a lowered learning rate.
    pub(crate) warning: Option<Warning>,
}

/// Takes `limit` steps from `start`. `step(state, rate)` updates the state and returns the loss before the update.
///
/// # Errors
/// A loss that is not finite, far above its first value, or above it in the end, also with the smallest learning rate.
pub(crate) fn descend<S: Clone>(
    start: &S,
    rate: f64,
    limit: usize,
    observer: &mut dyn Observer,
    mut step: impl FnMut(&mut S, f64) -> f64,
) -> Result<DescentResult<S>, FitError> {
    let mut halved = 0;
    loop {
        let used = rate * 0.5_f64.powi(halved as i32);
        match attempt(start.clone(), used, limit, observer, &mut step) {
            Err(FitError::Diverged { .. }) if halved < HALVINGS => halved += 1,
            Err(error) => return Err(error),
            Ok((state, mut iteration)) => {
                iteration.diagnostics.push(("rate", used));
                let warning = (halved > 0).then_some(Warning::RateLowered { asked: rate, used });
                return Ok(DescentResult { state, iteration, warning });
            }
        }
    }
}

fn attempt<S>(
    mut state: S,
    rate: f64,
    limit: usize,
    observer: &mut dyn Observer,
    step: &mut impl FnMut(&mut S, f64) -> f64,
) -> Result<(S, Iteration), FitError> {
    let mut course = Course::new(observer, limit, 0.0);
    let (mut first, mut iteration) = (f64::INFINITY, 0);
    loop {
        let objective = step(&mut state, rate);
        iteration += 1;
        if iteration == 1 {
            first = objective;
        }
        if objective > DIVERGENCE_FACTOR * first {
            return Err(FitError::Diverged { iteration, objective });
        }
        if !course.goes_on(vec![objective])? {
            let mut course = course.finish(&["loss"]);
            // The number of steps is part of the method: completing them counts as convergence.
            course.converged = course.halted.is_none();
            // Gates with large values have no gradient: they stay closed, at a constant loss.
            if objective > first && course.halted.is_none() {
                return Err(FitError::Diverged { iteration, objective });
            }
            return Ok((state, course));
        }
    }
}
