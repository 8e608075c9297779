//! Gradient descent on a squared error. Where it diverges it starts again with half the rate.

use crate::methods::shared::Course;
use crate::methods::{FitError, Iteration};
use crate::optim::Observer;
use crate::warning::Warning;

/// A loss this many times above its first value will not come back.
const EXPLODED: f64 = 10.0;
/// How often the rate is halved before the fit is given up.
const HALVINGS: usize = 6;

/// What a descent has come to.
#[derive(Debug)]
pub(crate) struct Descended<S> {
    /// Its end.
    pub(crate) state: S,
    /// Its course.
    pub(crate) iteration: Iteration,
    /// About the rate, where it had to be lowered.
    pub(crate) warning: Option<Warning>,
}

/// Takes `limit` steps from `start`. `step(state, rate)` moves the state and returns the loss that it had before.
///
/// # Errors
/// A loss that is no number, far above its first value, or above it in the end, with the smallest rate that is tried too.
pub(crate) fn descend<S: Clone>(
    start: &S,
    rate: f64,
    limit: usize,
    observer: &mut dyn Observer,
    mut step: impl FnMut(&mut S, f64) -> f64,
) -> Result<Descended<S>, FitError> {
    let mut halved = 0;
    loop {
        let used = rate * 0.5_f64.powi(halved as i32);
        match attempt(start.clone(), used, limit, observer, &mut step) {
            Err(FitError::Diverged { .. }) if halved < HALVINGS => halved += 1,
            Err(error) => return Err(error),
            Ok((state, mut iteration)) => {
                iteration.diagnostics.push(("rate", used));
                let warning = (halved > 0).then_some(Warning::RateLowered { asked: rate, used });
                return Ok(Descended { state, iteration, warning });
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
        if objective > EXPLODED * first {
            return Err(FitError::Diverged { iteration, objective });
        }
        if !course.goes_on(vec![objective])? {
            let mut course = course.finish(&["loss"]);
            // The number of steps is part of the method: all of them are its end.
            course.converged = course.halted.is_none();
            // Gates that were thrown far out are closed for good, at a loss that no longer moves.
            if objective > first && course.halted.is_none() {
                return Err(FitError::Diverged { iteration, objective });
            }
            return Ok((state, course));
        }
    }
}
