//! Detection of the delimiter.

/// Candidates in order of preference; characters that are rarer in cells come first.
const CANDIDATES: [u8; 5] = [b'\t', b';', b'|', b',', b' '];
const BLANK: usize = 4;
const SAMPLE_LINES: usize = 50;
/// Size of the sample in bytes.
pub(crate) const SAMPLE_BYTES: usize = 1 << 20;

/// Number of lines whose count of a candidate agrees with that in the first line.
fn agreeing(counts: &[[usize; 5]], candidate: usize) -> usize {
    let Some(first) = counts.first() else { return 0 };
    let with = |cells: usize| counts[1..].iter().filter(|line| line[candidate] == cells).count();
    // Rows with names have one cell more than the header of R.
    let named = with(first[candidate] + 1);
    1 + if named + 1 == counts.len() { named } else { with(first[candidate]) }
}

/// Whether a candidate other than `saved` and the blank divides all of several lines alike, and `saved` does not.
pub(crate) fn is_divided_otherwise(text: &str, saved: u8) -> bool {
    let counts = count_candidates(text);
    let divides = |at: usize| counts.len() > 1 && counts[0][at] > 0 && agreeing(&counts, at) == counts.len();
    let Some(saved) = CANDIDATES.iter().position(|&candidate| candidate == saved) else { return false };
    !divides(saved) && (0..BLANK).any(divides)
}

/// The candidate whose count in the first line agrees with most other lines; the comma for a single column.
pub(crate) fn sniff(text: &str) -> u8 {
    let counts = count_candidates(text);
    let Some(first) = counts.first() else { return b',' };
    let mut best = None;
    for candidate in 0..CANDIDATES.len() {
        let lines = agreeing(&counts, candidate);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_delimiter_decides_where_the_lines_do_not() {
        for (text, otherwise) in [
            ("a,b;c,d\n1,2,3\n", true),
            ("a,b;c\n", false),
            ("a;b,c\n1;2,3\n", false),
            ("a;b\n1,5;2,5\n", false),
            ("a;b,c\n1;2\n1;2,3\n", false),
            ("a;b c\n1 2\n", false),
        ] {
            assert_eq!(is_divided_otherwise(text, b';'), otherwise, "{text:?}");
        }
    }

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
            ("a b\nr1 1 2\nr2 3 4\n", b' '),
            ("", b','),
        ] {
            assert_eq!(sniff(text) as char, expected as char, "{text:?}");
        }
    }
}
