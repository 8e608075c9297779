//! Detection of the delimiter, of decimal commas and of thousands separators.

use rulesieve::data::table::{TextColumn, is_missing};

/// Candidates in order of preference; characters that are rarer in cells come first.
const CANDIDATES: [u8; 5] = [b'\t', b';', b'|', b',', b' '];
const BLANK: usize = 4;
const SAMPLE_LINES: usize = 50;
/// Size of the sample in bytes.
pub(crate) const SAMPLE_BYTES: usize = 1 << 20;

/// The candidate whose count in the first line agrees with most other lines; the comma for a single column.
pub(crate) fn sniff(text: &str) -> u8 {
    let counts = count_candidates(text);
    let Some(first) = counts.first() else { return b',' };
    let agreeing = |candidate: usize| counts.iter().filter(|line| line[candidate] == first[candidate]).count();
    let mut best = None;
    for candidate in 0..CANDIDATES.len() {
        let lines = agreeing(candidate);
        // Spaces also separate words, so all lines must agree.
        let eligible = first[candidate] > 0 && (candidate != BLANK || lines == counts.len());
        if eligible && best.is_none_or(|(most, _)| lines > most) {
            best = Some((lines, CANDIDATES[candidate]));
        }
    }
    best.map_or(b',', |(_, delimiter)| delimiter)
}

/// Occurrences of each candidate outside quotes, for each of the first non-blank lines. Runs of spaces inside a line count once.
fn count_candidates(text: &str) -> Vec<[usize; 5]> {
    let mut lines = Vec::new();
    let mut counts = [0; 5];
    let mut quoted = false;
    let mut previous = b'\n';
    for byte in text.bytes().take(SAMPLE_BYTES).chain([b'\n']) {
        let at_start = previous == b'\n' || CANDIDATES.contains(&previous);
        match byte {
            b'"' if quoted || at_start => quoted = !quoted,
            _ if quoted => {}
            b'\n' | b'\r' => {
                if previous == b' ' {
                    counts[BLANK] -= 1;
                }
                if previous != b'\n' {
                    lines.push(counts);
                }
                counts = [0; 5];
                if lines.len() == SAMPLE_LINES {
                    return lines;
                }
            }
            b' ' if previous == b' ' || previous == b'\n' => continue,
            _ => {
                if let Some(candidate) = CANDIDATES.iter().position(|&candidate| candidate == byte) {
                    counts[candidate] += 1;
                }
            }
        }
        previous = if byte == b'\r' { b'\n' } else { byte };
    }
    // The last line of the sample may be truncated.
    if text.len() > SAMPLE_BYTES && lines.len() > 1 {
        lines.pop();
    }
    lines
}

/// Interpretation of the commas in a text column.
pub(crate) enum Commas {
    /// Decimal commas in all cells: the numbers.
    Decimal(Vec<f64>),
    /// Thousands separators, with an example.
    Thousands(String),
    /// Not numbers.
    None,
}

/// Parses a text column as numbers with decimal commas, or finds thousands separators.
pub(crate) fn read_commas(column: &TextColumn, delimiter: u8) -> Commas {
    let present = || column.levels().iter().map(String::as_str).filter(|cell| !is_missing(cell));
    let with_comma = || present().filter(|cell| cell.contains(','));
    if delimiter != b',' && with_comma().next().is_some() && present().all(|cell| decimal_comma(cell).is_some()) {
        let values: Vec<f64> = column.levels().iter().map(|level| decimal_comma(level).unwrap_or(f64::NAN)).collect();
        return Commas::Decimal(column.codes().iter().map(|&code| values[code as usize]).collect());
    }
    let grouped = |cell: &str| is_grouped(cell, ',', '.') || is_grouped(cell, '.', ',');
    match with_comma().next() {
        Some(example) if present().all(|cell| grouped(cell) || cell.parse::<f64>().is_ok()) => {
            Commas::Thousands(example.to_owned())
        }
        _ => Commas::None,
    }
}

/// The value of `[+-]?digits(,digits)?`.
pub(crate) fn decimal_comma(cell: &str) -> Option<f64> {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = cell.strip_prefix(['-', '+']).unwrap_or(cell);
    match unsigned.split_once(',') {
        Some((whole, fraction)) if digits(whole) && digits(fraction) => cell.replacen(',', ".", 1).parse().ok(),
        Some(_) => None,
        None if digits(unsigned) => cell.parse().ok(),
        None => None,
    }
}

/// Whether a cell is a number with thousands separators: `1,234.5`, `12.345.678,9`.
fn is_grouped(cell: &str, separator: char, point: char) -> bool {
    let unsigned = cell.strip_prefix(['-', '+']).unwrap_or(cell);
    let (whole, fraction) = unsigned.split_once(point).unwrap_or((unsigned, "0"));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let mut groups = whole.split(separator);
    let lead = groups.next().is_some_and(|group| (1..=3).contains(&group.len()) && all_digits(group));
    lead && groups.all(|group| group.len() == 3 && all_digits(group)) && !fraction.is_empty() && all_digits(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_consistent_delimiter_is_detected() {
        for (text, expected) in [
            ("a,b\n1,2\n", b','),
            ("a;b\n1,5;2,5\n", b';'),
            ("a\tb\n1 x\t2\n", b'\t'),
            ("a|b|c\n1|2|3\n", b'|'),
            (" a  b c\n1   2 3 \n", b' '),
            ("\"x;y\",b\n1,2\n", b','),
            ("bill length\n1\n2\n", b','),
            ("a, b\n1, 2\n", b','),
            ("a,b,c\n1,2\n1,2,3\n", b','),
            ("", b','),
        ] {
            assert_eq!(sniff(text) as char, expected as char, "{text:?}");
        }
    }

    #[test]
    fn thousands_separators_differ_from_decimal_commas() {
        assert_eq!(decimal_comma("-3,25"), Some(-3.25));
        assert_eq!(decimal_comma("1,234.5"), None);
        assert_eq!(decimal_comma("1,2,3"), None);
        assert!(is_grouped("1,234.5", ',', '.') && is_grouped("12.345.678,9", '.', ','));
        assert!(!is_grouped("1,23", ',', '.'));
    }
}
