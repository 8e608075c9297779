//! Column names in messages: short lists and spelling suggestions.

use super::{DataError, Table};

/// Maximum number of names in a message.
const SHOWN: usize = 12;
/// Maximum number of characters of a name or class in a message.
const LONGEST: usize = 60;

/// The columns of a table as a short list.
pub(super) fn list(table: &Table) -> String {
    let names: Vec<&str> = table.columns().iter().map(|column| column.name.as_str()).collect();
    shortened(&names)
}

/// `a, b, c` or `a, b, c and 97 more`.
pub fn shortened<S: AsRef<str>>(names: &[S]) -> String {
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| short(name.as_ref())).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A text cut to a length that fits a message.
pub fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// The error for an unknown name, with the nearest column.
pub(super) fn no_column(table: &Table, name: &str) -> DataError {
    let nearest = nearest(name, table.columns().iter().map(|column| column.name.as_str()));
    let hint = nearest.map(|near| format!(" (did you mean '{near}'?)")).unwrap_or_default();
    DataError::NoColumn { name: name.to_owned(), hint, columns: list(table) }
}

/// The candidate with the smallest edit distance to `name`, if that is at most a third of its letters.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let letters = name.chars().count();
    // One edit is always allowed, except that it would turn any single letter into any other.
    let allowed = if letters == 1 { 0 } else { (letters / 3).max(1) };
    candidates.map(|candidate| (distance(name, candidate), candidate)).filter(|(d, _)| *d <= allowed).min().map(|c| c.1)
}

/// Edit distance ignoring case, with transpositions; long names count as different.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    if a.len().abs_diff(b.len()) > 8 || a.len() > 64 || b.len() > 64 {
        return usize::MAX;
    }
    // Rows i - 2, i - 1 and i of the table of distances between the first i letters of a and the first j of b.
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let changed = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = changed.min(row[j - 1] + 1).min(last[j] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_name_that_was_meant() {
        let names = ["class", "bill_length_mm", "sex"];
        assert_eq!(nearest("Clas", names.into_iter()), Some("class"));
        assert_eq!(nearest("bill_lenght_mm", names.into_iter()), Some("bill_length_mm"));
        assert_eq!(nearest("weight", names.into_iter()), None);
        assert_eq!(nearest("anvoa", ["ldr-tsk", "anova"].into_iter()), Some("anova"));
        assert_eq!(nearest("q", ["a", "b"].into_iter()), None);
        assert_eq!(nearest("Q", ["a", "q"].into_iter()), Some("q"));
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!((distance("", "abc"), distance("abc", ""), distance("ab", "ba")), (3, 3, 1));
    }

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (0..100).map(|i| format!("f{i}")).collect();
        assert!(shortened(&names).ends_with("f11 and 88 more"));
        assert_eq!(shortened(&names[..2]), "f0, f1");
        assert_eq!(shortened(&["é".repeat(61)]), "é".repeat(60) + "...");
        assert_eq!(short(&"é".repeat(60)), "é".repeat(60));
    }
}
