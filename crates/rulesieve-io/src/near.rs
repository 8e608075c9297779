//! Names that are nearly the one asked for.

use rulesieve::data::names::nearest;

/// So many missing names get a suggestion; a file that misses more is simply another file.
const SUGGESTIONS: usize = 20;

/// Says which names are missing, each with the nearest present one: `'hight' (did you mean 'height'?), 'x'`.
pub(crate) fn describe_missing(missing: &[&str], present: &[String]) -> String {
    let parts = missing.iter().enumerate().map(|(at, name)| {
        let near = if at < SUGGESTIONS { nearest(name, present.iter().map(String::as_str)) } else { None };
        match near {
            Some(near) => format!("'{}' (did you mean '{}'?)", crate::shown(name), crate::shown(near)),
            None => format!("'{}'", crate::shown(name)),
        }
    });
    parts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_only_what_is_near() {
        let present = ["height".to_owned(), "Width".to_owned()];
        let said = describe_missing(&["hight", "width", "zzz"], &present);
        assert_eq!(said, "'hight' (did you mean 'height'?), 'width' (did you mean 'Width'?), 'zzz'");
    }
}
