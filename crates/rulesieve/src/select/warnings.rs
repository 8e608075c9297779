//! What a user should know about a fit and the selection made of it.

use super::{SelectOptions, Size};
use crate::methods::Fit;
use crate::methods::settings::{ParamRange, ParamValue};
use crate::warning::Warning;

/// Parameters that say how long a method goes on, each the main one of the methods that have it.
const LENGTHS: [&str; 3] = ["steps", "iterations", "epochs"];
/// How much longer a fit that has not converged should go on.
const LONGER: u64 = 3;
/// With this no fit converges, however long it is.
const NEVER: (&str, ParamValue) = ("tolerance", ParamValue::Number(0.0));

/// `choices` are what a size counts: features, or groups of them.
pub(super) fn of(fit: &Fit, options: &SelectOptions, choices: usize, features: usize) -> Vec<Warning> {
    let mut warnings = fit.warnings.clone();
    if let Some(by) = fit.unused_ordered_by {
        let used = features - fit.unused.len();
        warnings.push(Warning::RankedWithoutWeight { used, features, by: by.to_owned() });
    }
    // What the method itself reports is nearer to the cause.
    let reported = !warnings.is_empty();
    if let Size::Top(asked) = options.size
        && asked > choices
    {
        warnings.push(Warning::TopTooLarge { asked, features: choices });
    }
    let Some(iteration) = &fit.iteration else { return warnings };
    match iteration.halted {
        Some(reason) => warnings.push(Warning::EndedEarly { reason, iteration: iteration.count }),
        None if !iteration.converged && !reported => {
            warnings.push(Warning::NotConverged { iterations: iteration.count, longer: longer(fit, options) });
        }
        None => {}
    }
    warnings
}

/// How to let the method go on longer, where it has a parameter for that and the parameter allows more.
fn longer(fit: &Fit, options: &SelectOptions) -> Option<(String, u64)> {
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
    (more > used).then(|| (spec.name.to_owned(), more))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Remedy;
    use crate::methods::{Iteration, Method};

    fn advised(method: Method, set: &[(&str, &str)], resolved: &[(&'static str, u64)]) -> Option<(String, u64)> {
        let set: Vec<(String, String)> = set.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        let options = SelectOptions {
            settings: method.settings(&set).unwrap(),
            size: Size::Top(1),
            ..SelectOptions::new(method)
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
        let found = of(&Fit { iteration: Some(iteration), resolved, ..Fit::default() }, &options, 3, 3);
        let start = "not converged: the objective still changed after 40 iterations";
        assert!(found.len() == 1 && found[0].is_not_converged() && found[0].to_string() == start, "{found:?}");
        match found[0].remedy()? {
            Remedy::SetParameter { name, value, training: false } => Some((name, value)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_has_not_converged_is_told_how_to_go_on() {
        let [inductive, ldr_tsk] = [Method::LdrTskInductive, Method::LdrTsk];
        let parameter = |name: &str, value| Some((name.to_owned(), value));
        assert_eq!(advised(ldr_tsk, &[("iterations", "40")], &[]), parameter("iterations", 120));
        // Steps of one stage, as they were resolved, not those of all stages.
        assert_eq!(advised(inductive, &[], &[("steps", 20)]), parameter("steps", 60));
        assert_eq!(advised(ldr_tsk, &[("iterations", "1000000")], &[]), None, "there is no more");
        assert_eq!(advised(ldr_tsk, &[("tolerance", "0")], &[]), None, "it never converges");
    }

    #[test]
    fn what_is_advised_is_allowed() {
        for &method in Method::ALL {
            let Some((name, value)) = advised(method, &[], &[]) else { continue };
            assert!(method.settings(&[(name.clone(), value.to_string())]).is_ok(), "{name}={value}");
        }
    }
}
