//! The registry and the descriptions of methods.

use super::*;
use crate::Remedy;
use crate::methods::settings::{ParamRange, ParamValue};
use crate::optim::{Halt, Progress};
use std::collections::HashSet;
use std::ops::ControlFlow;

#[test]
fn names_are_unique_and_found() {
    let names: HashSet<&str> = Method::ALL.iter().map(|method| method.info().name).collect();
    assert_eq!(names.len(), Method::ALL.len());
    for &method in Method::ALL {
        assert_eq!(method.name().parse(), Ok(method));
        let json = serde_json::to_string(&method).unwrap();
        assert_eq!((json.trim_matches('"'), serde_json::from_str(&json).ok()), (method.name(), Some(method)));
    }
    assert!(["ldr_tsk", "", "Anova"].iter().all(|name| name.parse::<Method>().is_err()));
}

#[test]
fn every_method_describes_itself() {
    for &method in Method::ALL {
        let info = method.info();
        for text in [info.summary, info.source, info.cost, info.certainty.describe()] {
            assert!(!text.is_empty() && !text.contains('\n'), "{}: {text:?}", info.name);
        }
    }
}

/// The announced native size agrees with the fit.
#[test]
fn native_sizes_are_announced() {
    let data = planted(40, 6, 1);
    let few = [("iterations", "3"), ("steps", "6"), ("epochs", "2"), ("solver", "proximal")];
    for &method in Method::ALL {
        let info = method.info();
        for count in [3, 4] {
            let has = |(name, value): &&(&str, &str)| {
                info.params.iter().any(|spec| spec.name == *name && spec.parse(value).is_ok())
            };
            let set: Vec<(&str, &str)> = few[..count].iter().filter(has).copied().collect();
            let announced = info.check_own_size(&settings(info.name, &set)).is_ok();
            assert_eq!(fit(&data, info.name, &set, 0).native.is_some(), announced, "{} {set:?}", info.name);
        }
    }
}

#[test]
fn a_missing_native_size_is_rejected_before_the_fit() {
    let data = planted(40, 6, 1);
    let native = |name: &str| SelectOptions {
        settings: settings(name, &[]),
        size: Size::Native,
        ..SelectOptions::new(method(name))
    };
    let mut never = |_: &Progress| -> ControlFlow<Halt> { panic!("the fit has begun") };
    for name in ["ldr-tsk-inductive", "rjfwlf", "relieff"] {
        let error = select(&data, &native(name), &mut never).unwrap_err();
        assert_eq!(error, FitError::NoNativeSize { method: method(name).info().name }.into());
    }
    // The usual advice, a size rule, needs all rows at once.
    let streamed = crate::stream::check(&native(crate::stream::METHOD.name())).unwrap_err();
    assert_eq!(streamed.remedy(), Some(Remedy::SizeOrShare), "{streamed}");
}

#[test]
fn every_default_passes_its_own_range() {
    for &method in Method::ALL {
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
fn every_parameter_rejects_invalid_values_and_names_its_range() {
    for &method in Method::ALL {
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
    assert_eq!(unknown("anova"), "anova has no parameter 'beta_max'; it has none");
}
