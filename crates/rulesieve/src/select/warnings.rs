//! Warnings about a fit and its selection.

use super::{SelectOptions, Size};
use crate::methods::Fit;
use crate::methods::settings::{ParamRange, ParamValue};
use crate::warning::Warning;

/// Iteration limits of the methods, by parameter name.
const LENGTHS: [&str; 3] = ["steps", "iterations", "epochs"];
/// Suggested factor on the iteration limit of a fit that has not converged.
const LONGER: u64 = 3;
/// Setting with which no fit converges.
const NEVER: (&str, ParamValue) = ("tolerance", ParamValue::Number(0.0));

/// Warnings of a fit; `choices` is the number of features or groups that a size counts.
pub(super) fn of(fit: &Fit, options: &SelectOptions, choices: usize, features: usize) -> Vec<Warning> {
    let mut warnings = fit.warnings.clone();
    if let Some(by) = fit.unused_ordered_by {
        let used = features - fit.unused.len();
        warnings.push(Warning::RankedWithoutWeight { used, features, by: by.to_owned() });
    }
    // The method's own warnings are closer to the cause.
    let reported = !warnings.is_empty();
    if !reported && !fit.scores.is_empty() && fit.scores.iter().all(|score| *score == 0.0) {
        warnings.push(Warning::ScoresVanish);
    }
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

/// The parameter and a larger value that let the fit run longer, if the range allows it.
fn longer(fit: &Fit, options: &SelectOptions) -> Option<(String, u64)> {
    let params = options.method.info().params;
    let spec = LENGTHS.iter().find_map(|name| params.iter().find(|spec| spec.name == *name))?;
    if options.settings.iter().any(|set| set == NEVER) {
        return None;
    }
    // Resolved values come last and so replace the requested ones.
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
    fn an_unconverged_fit_is_advised_to_run_longer() {
        let [inductive, ldr_tsk] = [Method::LdrTskInductive, Method::LdrTsk];
        let parameter = |name: &str, value| Some((name.to_owned(), value));
        assert_eq!(advised(ldr_tsk, &[("iterations", "40")], &[]), parameter("iterations", 120));
        // The resolved steps of one stage, not those of all stages.
        assert_eq!(advised(inductive, &[], &[("steps", 20)]), parameter("steps", 60));
        assert_eq!(advised(ldr_tsk, &[("iterations", "1000000")], &[]), None, "the limit is the maximum");
        assert_eq!(advised(ldr_tsk, &[("tolerance", "0")], &[]), None, "it never converges");
    }

    #[test]
    fn the_advised_value_is_in_range() {
        for &method in Method::ALL {
            let Some((name, value)) = advised(method, &[], &[]) else { continue };
            assert!(method.settings(&[(name.clone(), value.to_string())]).is_ok(), "{name}={value}");
        }
    }
}
