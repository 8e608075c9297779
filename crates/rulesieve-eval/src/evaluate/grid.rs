//! Settings of a method to choose from: its grid, or a sample of it.

use super::options::MAX_POINTS;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rulesieve::methods::Method;
use rulesieve::methods::settings::{ParamError, Settings};

/// A parameter and its values.
pub type Axis = (String, Vec<String>);

/// Returns the points of a grid.
///
/// The axes are those of the method, except for parameters in `set`; the axes in `own` replace or extend them. The points are in
/// lexicographic order. With `max_points`, the defaults come first, and a larger grid is sampled at random.
///
/// # Errors
/// Fails for an unknown name, or a value that is not allowed.
pub fn points(
    method: Method,
    set: &[(String, String)],
    own: &[Axis],
    max_points: Option<usize>,
    seed: u64,
) -> Result<Vec<Settings>, ParamError> {
    let plain = method.settings(set)?;
    let named = |name: &str, list: &[&str]| list.iter().any(|one| one.replace('-', "_") == name.replace('-', "_"));
    let (set_names, own_names): (Vec<&str>, Vec<&str>) =
        (set.iter().map(|(name, _)| name.as_str()).collect(), own.iter().map(|(name, _)| name.as_str()).collect());
    let default = method.info().grid.iter().filter(|(name, _)| !named(name, &set_names) && !named(name, &own_names));
    let mut axes: Vec<Axis> =
        default.map(|(name, values)| ((*name).to_owned(), values.iter().map(ToString::to_string).collect())).collect();
    axes.extend(own.iter().cloned());
    let count = axes.iter().fold(1_usize, |count, (_, values)| count.saturating_mul(values.len()));
    let point = |mut at: usize| {
        let mut all = set.to_vec();
        for (name, values) in axes.iter().rev() {
            all.push((name.clone(), values[at % values.len()].clone()));
            at /= values.len();
        }
        method.settings(&all)
    };
    // The defaults are a point of the grid only if they are on all axes in `own`.
    let mut on_axes = true;
    for (name, values) in own {
        let with = |value: &String| method.settings(&[set, &[(name.clone(), value.clone())]].concat());
        on_axes &= values.iter().map(with).collect::<Result<Vec<_>, _>>()?.contains(&plain);
    }
    // One more than allowed; the options check rejects it.
    let limit = max_points.unwrap_or(count).min(MAX_POINTS + 1);
    if count <= limit {
        let mut all = (0..count).map(point).collect::<Result<Vec<_>, _>>()?;
        if max_points.is_some() {
            all.sort_by_key(|one| *one != plain);
        }
        return Ok(all);
    }
    let (mut rng, mut all) = (ChaCha8Rng::seed_from_u64(seed), Vec::new());
    all.extend(on_axes.then_some(plain));
    // Ends if repeated values leave fewer distinct points than the limit.
    for _ in 0..100 * limit {
        if all.len() >= limit {
            break;
        }
        let one = point(rng.random_range(0..count))?;
        if !all.contains(&one) {
            all.push(one);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulesieve::methods::settings::ParamValue;

    fn set(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn the_grid_of_the_paper_has_125_points() {
        let method = Method::LdrTsk;
        let all = points(method, &[], &[], None, 0).unwrap();
        assert_eq!(all.len(), 125);
        assert_eq!(all[1], method.settings(&[set("alpha", "0.01"), set("beta", "0.01"), set("gamma", "0.1")]).unwrap());
        let fixed = points(method, &[set("alpha", "3")], &[], None, 0).unwrap();
        assert_eq!(fixed.len(), 25);
        let three = ("alpha", ParamValue::Number(3.0));
        assert!(fixed.iter().all(|one| one.iter().any(|param| param == three)), "{:?}", fixed[0]);
        let own = ("iterations".to_owned(), vec!["10".to_owned(), "20".to_owned()]);
        assert_eq!(points(method, &[set("alpha", "3")], &[own], None, 0).unwrap().len(), 50);
        let narrow = ("gamma".to_owned(), vec!["2".to_owned()]);
        assert_eq!(points(method, &[], &[narrow], None, 0).unwrap().len(), 25);
    }

    #[test]
    fn samples_start_with_the_defaults_and_are_distinct() {
        let method = Method::LdrTsk;
        let some = points(method, &[], &[], Some(7), 1).unwrap();
        assert_eq!((some.len(), &some[0]), (7, &method.settings(&[]).unwrap()));
        assert!(some.iter().enumerate().all(|(at, one)| !some[..at].contains(one)));
        assert_eq!(points(method, &[], &[], Some(1), 1).unwrap().len(), 1);
        assert_ne!(points(method, &[], &[], Some(7), 2).unwrap(), some);
        let own = [("alpha".to_owned(), vec!["50".to_owned(), "70".to_owned()])];
        let fifty =
            |one: &Settings| one.iter().any(|(name, value)| name == "alpha" && value != ParamValue::Number(1.0));
        assert!(points(method, &[], &own, Some(4), 1).unwrap().iter().all(fifty), "only the given values are used");
        let all = points(Method::LdrTskInductive, &[], &[], Some(4), 1).unwrap();
        assert_eq!((all.len(), &all[0]), (4, &Method::LdrTskInductive.settings(&[]).unwrap()));
        assert_eq!(points(Method::Anova, &[], &[], Some(7), 1).unwrap().len(), 1);
    }

    #[test]
    fn invalid_values_are_rejected() {
        let method = Method::LdrTsk;
        let axis = |name: &str, value: &str| vec![(name.to_owned(), vec![value.to_owned()])];
        assert!(points(method, &[], &axis("alpha", "-1"), None, 0).is_err());
        assert!(points(method, &[], &axis("omega", "1"), None, 0).is_err());
    }
}
