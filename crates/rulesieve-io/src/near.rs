//! Suggestions for missing names.

use rulesieve::data::names::nearest;

/// Maximum number of suggestions.
const SUGGESTIONS: usize = 20;

/// Lists missing names with similar present ones: `'hight' (did you mean 'height'?), 'x'`.
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
    fn only_similar_names_are_suggested() {
        let present = ["height".to_owned(), "Width".to_owned()];
        let text = describe_missing(&["hight", "width", "zzz"], &present);
        assert_eq!(text, "'hight' (did you mean 'height'?), 'width' (did you mean 'Width'?), 'zzz'");
    }
}
