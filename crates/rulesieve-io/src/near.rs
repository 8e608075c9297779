//! Names that are nearly the one asked for.

/// So many missing names get a suggestion; a file that misses more is simply another file.
const SUGGESTIONS: usize = 20;

/// Says which names are missing, each with the nearest present one: `'hight' (did you mean 'height'?), 'x'`.
pub(crate) fn describe_missing(missing: &[&str], present: &[String]) -> String {
    let parts = missing.iter().enumerate().map(|(at, name)| {
        let near = if at < SUGGESTIONS { nearest(name, present) } else { None };
        match near {
            Some(near) => format!("'{}' (did you mean '{}'?)", crate::shown(name), crate::shown(near)),
            None => format!("'{}'", crate::shown(name)),
        }
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// The present name that differs least, if it differs by no more than a third of the characters.
fn nearest<'a>(name: &str, present: &'a [String]) -> Option<&'a str> {
    let wanted: Vec<char> = name.to_lowercase().chars().collect();
    let most = (wanted.len() / 3).clamp(1, 4);
    let candidates = present.iter().filter(|other| other.chars().count().abs_diff(wanted.len()) <= most);
    let distances = candidates.map(|other| (edits(&wanted, &other.to_lowercase()), other));
    distances
        .filter(|&(distance, _)| distance <= most)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, other)| other.as_str())
}

/// Number of single-character insertions, deletions and replacements between two names.
fn edits(from: &[char], to: &str) -> usize {
    let mut row: Vec<usize> = (0..=from.len()).collect();
    for (above, character) in to.chars().enumerate() {
        let mut diagonal = above;
        row[0] = above + 1;
        for (at, other) in from.iter().enumerate() {
            let replaced = diagonal + usize::from(*other != character);
            diagonal = row[at + 1];
            row[at + 1] = replaced.min(row[at] + 1).min(diagonal + 1);
        }
    }
    row[from.len()]
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

    #[test]
    fn counts_edits() {
        let count = |from: &str, to: &str| edits(&from.chars().collect::<Vec<_>>(), to);
        assert_eq!((count("kitten", "sitting"), count("", "abc"), count("same", "same")), (3, 3, 0));
    }
}
