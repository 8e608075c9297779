//! Parts of the messages of warnings.

use crate::data::RARE_CLASS;
use crate::data::names::{short, shortened};

/// Maximum number of sets of equal columns in a message.
const SETS_LISTED: usize = 3;

/// The first texts, uncut, and the number of the others.
pub(super) fn joined<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    const LISTED: usize = 12;
    let texts: Vec<String> = items.iter().map(text).collect();
    let more = texts.len().saturating_sub(LISTED);
    let list = texts[..texts.len() - more].join(", ");
    if more > 0 { format!("{list} and {more} more") } else { list }
}

/// `column 'a'` or `columns a, b`.
pub(super) fn quoted(columns: &[String]) -> String {
    match columns {
        [one] => format!("column '{}'", short(one)),
        _ => format!("columns {}", shortened(columns)),
    }
}

/// `a (3), b (1)`.
pub(super) fn counted(classes: &[(String, usize)]) -> String {
    joined(classes, |(class, count)| format!("{} ({count})", short(class)))
}

/// The names of one set, or of the first sets in parentheses.
pub(super) fn sets_of(sets: &[Vec<String>]) -> String {
    if let [set] = sets {
        return shortened(set);
    }
    let listed: Vec<String> = sets.iter().take(SETS_LISTED).map(|set| format!("({})", shortened(set))).collect();
    match sets.len().saturating_sub(SETS_LISTED) {
        0 => listed.join(", "),
        more => format!("{} and {more} more sets", listed.join(", ")),
    }
}

/// Names in quotes.
pub(super) fn names(names: &[String]) -> String {
    shortened(&names.iter().map(|name| format!("'{}'", short(name))).collect::<Vec<_>>())
}

/// ` 'name'`, or nothing.
pub(super) fn named(name: Option<&str>) -> String {
    name.map(|name| format!(" '{}'", short(name))).unwrap_or_default()
}

/// `'text' (column 'name', data row 3)`.
pub(super) fn cell((column, row, text): &(String, usize, String)) -> String {
    format!("'{}' (column '{}', data row {row})", short(text), short(column))
}

/// `line begins` or `3 lines begin`.
pub(super) fn lines_begin(lines: usize) -> String {
    if lines == 1 { "line begins".to_owned() } else { format!("{lines} lines begin") }
}

pub(super) fn rare(classes: &[(String, usize)], rows: usize) -> String {
    match classes {
        [(class, count)] => format!("class '{}' is rare: {count} of {rows} rows", short(class)),
        _ => {
            let (count, percent) = (classes.len(), 100.0 * RARE_CLASS);
            format!("{count} classes have less than {percent} % of the {rows} rows: {}", counted(classes))
        }
    }
}

/// `0.5 at 1, 0.4 at 2`.
pub(super) fn losses_at(values: &[f64], losses: &[f64]) -> String {
    let tried: Vec<String> = losses.iter().zip(values).map(|(loss, value)| format!("{loss:.4} at {value}")).collect();
    tried.join(", ")
}

/// The rules of a training that ended early.
pub(super) fn rules_kept(steps: usize, tried: Option<usize>) -> String {
    match tried {
        Some(rules) => format!(
            " while {rules} rules were tried: those of a smaller number are taken, without a last pass on all rows"
        ),
        None => format!(": the rules are those after {steps} steps"),
    }
}
