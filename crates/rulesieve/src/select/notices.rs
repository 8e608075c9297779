//! What a user should know about a fit and the selection made of it.

use super::Size;
use crate::methods::Fit;
use crate::optim::Halt;

/// `choices` are what a size counts: features, or groups of them.
pub(super) fn of(fit: &Fit, size: Size, choices: usize, features: usize) -> Vec<String> {
    let mut notices = fit.notices.clone();
    if let Some(by) = fit.unused_ordered_by {
        let used = features - fit.unused.len();
        notices.push(format!("{used} of {features} features have a weight; the others are ranked by {by}"));
    }
    // What the method itself says is nearer to the cause.
    let told = !notices.is_empty();
    if let Size::Top(wanted) = size
        && wanted > choices
    {
        notices.push(format!("asked for the top {wanted} of {choices} features: all are selected"));
    }
    let Some(iteration) = &fit.iteration else { return notices };
    let count = iteration.count;
    match iteration.halted {
        Some(Halt::Interrupted) => notices.push(format!("interrupted: the ranking is that of iteration {count}")),
        Some(Halt::OutOfTime) => notices.push(format!("out of time: the ranking is that of iteration {count}")),
        None if !iteration.converged && !told => {
            notices.push(format!("not converged: the objective still moved after {count} iterations"));
        }
        None => {}
    }
    notices
}
