//! Text in figures: escaping, measuring, truncation and number formats.

/// Replacement for characters that XML forbids or that change the text direction.
const REPLACED: char = '\u{fffd}';
/// Maximum number of names in a list.
const LISTED: usize = 8;

/// Text without control characters; tabs and line ends become spaces.
pub(crate) fn clean(text: &str) -> String {
    text.chars()
        .map(|letter| match letter {
            '\t' | '\n' | '\r' => ' ',
            letter if letter.is_control() => REPLACED,
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}' => REPLACED,
            letter => letter,
        })
        .collect()
}

/// Text escaped for XML elements and attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in clean(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Estimated width of a text in pixels, rather too large: the font is not known.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|letter| letter_width(letter) * size).sum()
}

fn letter_width(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.34,
        ' ' | 'f' | 't' | 'r' | 'I' | '(' | ')' | '[' | ']' | '-' | '/' => 0.44,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.95,
        'A'..='Z' => 0.72,
        letter if letter.is_ascii() => 0.63,
        '\u{0300}'..='\u{036f}' => 0.0,
        letter if (letter as u32) < 0x1100 => 0.66,
        _ => 1.0,
    }
}

/// A text truncated to `most` pixels.
pub(crate) fn shorten(text: &str, size: f64, most: f64) -> String {
    let text = clean(text);
    if width(&text, size) <= most {
        return text;
    }
    let mut left = most - size;
    let fits = |letter: &char| {
        left -= letter_width(*letter) * size;
        left >= 0.0
    };
    let kept: String = text.chars().take_while(fits).collect();
    format!("{}\u{2026}", kept.trim_end())
}

/// A number with about four digits.
pub(crate) fn number(value: f64) -> String {
    let magnitude = value.abs();
    let text = match magnitude {
        _ if !value.is_finite() => return "none".to_owned(),
        _ if value == 0.0 => return "0".to_owned(),
        _ if !(1e-4..1e6).contains(&magnitude) => return format!("{value:.2e}"),
        _ if magnitude >= 1000.0 => format!("{value:.0}"),
        _ if magnitude >= 100.0 => format!("{value:.1}"),
        _ if magnitude >= 1.0 => format!("{value:.2}"),
        _ if magnitude >= 0.01 => format!("{value:.3}"),
        _ => format!("{value:.5}"),
    };
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A number with the decimals that give `largest` three digits.
pub(crate) fn as_fine(value: f64, largest: f64) -> String {
    if !value.is_finite() || !(1e-3..1e5).contains(&largest) {
        return number(value);
    }
    let digits = (2.0 - largest.log10().floor()).clamp(0.0, 5.0) as usize;
    let text = format!("{value:.digits$}");
    // No minus sign for a value that rounds to zero.
    if text.bytes().all(|byte| b"-0.".contains(&byte)) { text.replace('-', "") } else { text }
}

/// The first items of a list and the number of the others.
pub(crate) fn listed<S: AsRef<str>>(things: &[S]) -> String {
    let shown: Vec<&str> = things.iter().take(LISTED).map(AsRef::as_ref).collect();
    match things.len().saturating_sub(LISTED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_control_characters_are_escaped() {
        assert_eq!(escape("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
        assert_eq!(escape("a\u{0}b\u{1b}[31m\u{202e}c\nd"), "a\u{fffd}b\u{fffd}[31m\u{fffd}c d");
    }

    #[test]
    fn long_text_is_truncated() {
        let cut = shorten(&"long".repeat(300), TEN, 120.0);
        assert!(cut.ends_with('\u{2026}') && width(&cut, TEN) <= 125.0, "{cut}");
        assert_eq!(shorten("short", TEN, 120.0), "short");
        assert_eq!(shorten("wide", TEN, 0.0), "\u{2026}");
    }

    const TEN: f64 = 10.0;

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 0.685911, 8.13e-8, 1234.5, 45.0, f64::NAN, 0.00123, -3.25, 1e9].map(number);
        assert_eq!(shown, ["0", "0.686", "8.13e-8", "1234", "45", "none", "0.00123", "-3.25", "1.00e9"]);
    }

    #[test]
    fn numbers_side_by_side_have_the_same_decimals() {
        let shown =
            [(98.55, 98.55), (0.956, 98.55), (0.7, 1.0), (-1e-17, 0.2), (3.0e-7, 4.0e-7)].map(|(a, b)| as_fine(a, b));
        assert_eq!(shown, ["98.5", "1.0", "0.70", "0.000", "3.00e-7"]);
    }

    #[test]
    fn long_lists_are_truncated() {
        assert_eq!(listed(&["a", "b"]), "a, b");
        assert!(listed(&vec!["x"; 100]).ends_with("and 92 more"));
    }
}
