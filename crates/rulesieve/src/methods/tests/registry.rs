//! The list of methods and what each says of itself.

use super::*;
use crate::methods::all;
use crate::methods::settings::{ParamRange, ParamValue};
use std::collections::HashSet;

#[test]
fn names_are_unique_and_found() {
    let names: HashSet<&str> = all().iter().map(|method| method.info().name).collect();
    assert_eq!(names.len(), all().len());
    for method in all() {
        assert_eq!(find(method.info().name).unwrap().info().name, method.info().name);
    }
    assert!(find("ldr_tsk").is_none() && find("").is_none() && find("Anova").is_none());
}

#[test]
fn every_method_describes_itself() {
    for method in all() {
        let info = method.info();
        for text in [info.summary, info.source, info.cost, info.certainty.describe()] {
            assert!(!text.is_empty() && !text.contains('\n'), "{}: {text:?}", info.name);
        }
    }
}

#[test]
fn every_default_passes_its_own_range() {
    for method in all() {
        let mut seen = HashSet::new();
        for spec in method.info().params {
            assert!(seen.insert(spec.name), "{} twice", spec.name);
            assert_eq!(spec.parse(&spec.default.to_string()), Ok(spec.default), "{}", spec.name);
            assert!(!spec.purpose.is_empty(), "{}", spec.name);
            let kinds_agree = matches!(
                (spec.default, spec.range),
                (ParamValue::Number(_), ParamRange::Number(..))
                    | (ParamValue::Whole(_), ParamRange::Whole(..))
                    | (ParamValue::Word(_), ParamRange::OneOf(_) | ParamRange::WholeOrAuto(..))
            );
            assert!(kinds_agree, "{}", spec.name);
        }
    }
}

#[test]
fn every_parameter_refuses_nonsense_and_names_its_range() {
    for method in all() {
        for spec in method.info().params {
            for bad in ["NaN", "-1", "1e300", "inf", "", "x"] {
                let set = [(spec.name.to_owned(), bad.to_owned())];
                let message = method.settings(&set).unwrap_err().to_string();
                assert!(message.contains(spec.name) && message.contains(&spec.range.to_string()), "{message}");
            }
        }
    }
}

#[test]
fn unknown_parameters_list_the_known() {
    let unknown =
        |name: &str| method(name).settings(&[("beta_max".to_owned(), "1".to_owned())]).unwrap_err().to_string();
    let message = unknown("ldr-tsk");
    assert!(message.contains("ldr-tsk has no parameter 'beta_max'; it has alpha, beta, gamma, d, rules"), "{message}");
    assert_eq!(unknown("anova"), "method anova has no parameter 'beta_max'; it has none");
}
