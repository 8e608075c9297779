//! Choice of columns by name, number, range or pattern.

use super::dates::part_names;
use super::table::{ColumnData, Table};
use super::{DataError, names};

/// The columns that `wanted` names, each once, without the target; parts of a date column can be named too.
///
/// An entry is a name, a number counted from 1, a range of numbers (`3-7`) or of names (`a:f`), or a pattern with `*` and
/// `?`. A column of exactly this name comes first.
pub(super) fn choose(
    table: &Table,
    target: &str,
    wanted: &[String],
    role: &'static str,
) -> Result<Vec<String>, DataError> {
    let mut found = Vec::new();
    for entry in wanted {
        let chosen = entry_columns(table, entry)?;
        let is_single = chosen.len() == 1 && !entry.contains(['*', '?']);
        if is_single && chosen[0] == target {
            return Err(DataError::TargetAsFeature { column: target.to_owned(), role });
        }
        found.extend(chosen.into_iter().filter(|name| name != target));
    }
    let mut known = std::collections::HashSet::new();
    found.retain(|name| known.insert(name.clone()));
    Ok(found)
}

fn entry_columns(table: &Table, entry: &str) -> Result<Vec<String>, DataError> {
    let columns = table.columns();
    if table.position(entry).is_some() || is_part(table, entry) {
        return Ok(vec![entry.to_owned()]);
    }
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let checked = |number: usize| match (1..=columns.len()).contains(&number) {
        true => Ok(number - 1),
        false => Err(DataError::NoColumnNumber { number, columns: columns.len() }),
    };
    if let Some(number) = number(entry) {
        return Ok(vec![columns[checked(number)?].name.clone()]);
    }
    let numbers = entry.split_once('-').and_then(|(from, to)| Some((number(from)?, number(to)?)));
    let named = || {
        entry
            .match_indices(':')
            .find_map(|(at, _)| Some((table.position(entry[..at].trim())?, table.position(entry[at + 1..].trim())?)))
    };
    let range = match numbers {
        Some((from, to)) => Some((checked(from)?, checked(to)?)),
        None => named(),
    };
    if let Some((from, to)) = range {
        let chosen = columns.get(from..=to).filter(|chosen| !chosen.is_empty());
        let chosen = chosen.ok_or_else(|| DataError::EmptyRange { range: entry.to_owned() })?;
        return Ok(chosen.iter().map(|column| column.name.clone()).collect());
    }
    if entry.contains(['*', '?']) {
        let matching: Vec<String> =
            columns.iter().map(|column| &column.name).filter(|name| matches(entry, name)).cloned().collect();
        if !matching.is_empty() {
            return Ok(matching);
        }
    }
    Err(names::no_column(table, entry))
}

/// Whether this is the name of a part of a date column.
fn is_part(table: &Table, name: &str) -> bool {
    let dates = table.columns().iter().filter(|column| matches!(column.data, ColumnData::Dates(_)));
    name.contains('.') && dates.flat_map(|column| part_names(&column.name)).any(|part| part == name)
}

/// Whether a name matches a pattern, in which `*` stands for any characters and `?` for one.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // Where to continue if the characters after the last star do not match.
    let mut retry = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                retry = Some((p, n));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => (p, n) = (p + 1, n + 1),
            _ => match retry {
                Some((star, from)) => {
                    retry = Some((star, from + 1));
                    (p, n) = (star + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;

    #[test]
    fn names_numbers_ranges_and_patterns() {
        let numeric = |name: &str| Column::numeric(name, vec![1.0]);
        let mut columns: Vec<Column> = ["gene_1", "gene_2", "b", "2", "x*", "a:b", "y"].map(numeric).into();
        columns.push(Column::dates("when", vec![0.0]));
        let table = Table::new(columns).unwrap();
        let chosen = |entries: &[&str]| {
            let entries: Vec<String> = entries.iter().map(|entry| (*entry).to_owned()).collect();
            choose(&table, "y", &entries, "dropped").map(|names| names.join(" ")).map_err(|error| error.to_string())
        };
        for (entry, expected) in [
            ("b", "b"),
            ("1", "gene_1"),
            ("2", "2"),
            ("3-5", "b 2 x*"),
            ("6-8", "a:b when"),
            ("gene_2:2", "gene_2 b 2"),
            ("a:b", "a:b"),
            ("gene_*", "gene_1 gene_2"),
            ("g*_?", "gene_1 gene_2"),
            ("x*", "x*"),
            ("?", "b 2"),
            ("*", "gene_1 gene_2 b 2 x* a:b when"),
            ("when.year", "when.year"),
        ] {
            assert_eq!(chosen(&[entry]).as_deref(), Ok(expected), "{entry}");
        }
        assert_eq!(chosen(&["b", "3", "gene_*"]).as_deref(), Ok("b gene_1 gene_2"));
        for (entry, part) in [
            ("gen_1", "did you mean 'gene_1'?"),
            ("9", "column number 9 does not exist"),
            ("0", "column number 0"),
            ("3-9", "column number 9"),
            ("5-3", "the range '5-3' is empty"),
            ("b:gene_1", "is empty"),
            ("z*", "there is no column 'z*'"),
            ("y", "'y' is the target"),
            ("7", "'y' is the target"),
            ("when.second", "there is no column"),
        ] {
            let message = chosen(&[entry]).unwrap_err();
            assert!(message.contains(part), "{entry}: {message}");
        }
    }
}
