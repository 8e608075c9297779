//! What a user should know about a fit and the selection made of it.

use super::{SelectOptions, Size};
use crate::methods::Fit;
use crate::methods::settings::{ParamRange, ParamValue};
use crate::optim::Halt;

/// Parameters that say how long a method goes on, each the main one of the methods that have it.
const LENGTHS: [&str; 3] = ["steps", "iterations", "epochs"];
/// How much longer a fit that has not converged should go on.
const LONGER: u64 = 3;
/// With this no fit converges, however long it is.
const NEVER: (&str, ParamValue) = ("tolerance", ParamValue::Number(0.0));

/// `choices` are what a size counts: features, or groups of them.
pub(super) fn of(fit: &Fit, options: &SelectOptions, choices: usize, features: usize) -> Vec<String> {
    let mut notices = fit.notices.clone();
    if let Some(by) = fit.unused_ordered_by {
        let used = features - fit.unused.len();
        notices.push(format!("{used} of {features} features have a weight; the others are ranked by {by}"));
    }
    // What the method itself says is nearer to the cause.
    let told = !notices.is_empty();
    if let Size::Top(wanted) = options.size
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
            let advice = longer(fit, options).map(|set| format!("; try {set}")).unwrap_or_default();
            notices.push(format!("not converged: the objective still moved after {count} iterations{advice}"));
        }
        None => {}
    }
    notices
}

/// How to let the method go on longer, where it has a parameter for that and the parameter allows more.
fn longer(fit: &Fit, options: &SelectOptions) -> Option<String> {
    let params = options.method.info().params;
    let spec = LENGTHS.iter().find_map(|name| params.iter().find(|spec| spec.name == *name))?;
    if options.settings.iter().any(|set| set == NEVER) {
        return None;
    }
    // What the fit resolved comes last and so replaces what was asked for.
    let set = options.settings.iter().chain(fit.resolved.iter().copied());
    let ParamValue::Whole(used) = set.filter(|(name, _)| *name == spec.name).last()?.1 else { return None };
    let (ParamRange::Whole(_, most) | ParamRange::WholeOrAuto(_, most)) = spec.range else { return None };
    let more = used.saturating_mul(LONGER).min(most);
    (more > used).then(|| format!("--set {}={more}", spec.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::{Iteration, Method, all, find};

    fn said(method: &'static dyn Method, set: &[(&str, &str)], resolved: &[(&'static str, u64)]) -> String {
        let set: Vec<(String, String)> = set.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        let options = SelectOptions {
            method,
            settings: method.settings(&set).unwrap(),
            size: Size::Top(1),
            coding: Default::default(),
            weights: None,
            groups: Vec::new(),
            tune: false,
            seed: 0,
        };
        let iteration = Iteration {
            count: 40,
            converged: false,
            halted: None,
            terms: &[],
            trace: Vec::new(),
            diagnostics: Vec::new(),
        };
        let resolved = resolved.iter().map(|&(name, value)| (name, ParamValue::Whole(value))).collect();
        of(&Fit { iteration: Some(iteration), resolved, ..Fit::default() }, &options, 3, 3).join("\n")
    }

    #[test]
    fn what_has_not_converged_is_told_how_to_go_on() {
        let [inductive, ldr_tsk] = ["ldr-tsk-inductive", "ldr-tsk"].map(|name| find(name).unwrap());
        let start = "not converged: the objective still moved after 40 iterations";
        assert_eq!(said(ldr_tsk, &[("iterations", "40")], &[]), format!("{start}; try --set iterations=120"));
        // Steps of one stage, as they were resolved, not those of all stages.
        assert_eq!(said(inductive, &[], &[("steps", 20)]), format!("{start}; try --set steps=60"));
        assert_eq!(said(ldr_tsk, &[("iterations", "1000000")], &[]), start, "there is no more");
        assert_eq!(said(ldr_tsk, &[("tolerance", "0")], &[]), start, "it was told never to");
    }

    #[test]
    fn what_is_advised_is_allowed() {
        for method in all() {
            let notice = said(method, &[], &[]);
            let Some((_, set)) = notice.split_once("--set ") else { continue };
            let (name, value) = set.split_once('=').unwrap();
            assert!(method.settings(&[(name.to_owned(), value.to_owned())]).is_ok(), "{notice}");
        }
    }
}
