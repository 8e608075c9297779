//! Numbers: plain ones, and those that people write with separators, currency signs or percent.

/// A decimal mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Point,
    Comma,
}

/// What a cell says about the decimal mark of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// No mark.
    None,
    /// No mark, and more digits than a double holds.
    Long,
    /// No mark, but an exponent.
    Exponent,
    /// This is the decimal mark.
    Decimal(Mark),
    /// The mark may be the decimal mark or separate thousands, as in `5.914`.
    Either(Mark),
}

impl Mark {
    pub(crate) fn character(self) -> char {
        match self {
            Self::Point => '.',
            Self::Comma => ',',
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Point => Self::Comma,
            Self::Comma => Self::Point,
        }
    }
}

/// Powers of ten that are exact as f64, up to the largest number of digits below.
const POWERS: [f64; 19] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18];
/// Most digits of a number that certainly fits 64 bits.
const DIGITS: usize = 18;

/// A plain number, as `str::parse` reads it, with what its point says.
pub(crate) fn plain(cell: &str) -> Option<(f64, Evidence)> {
    let bytes = cell.as_bytes();
    let start = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    let mut mantissa = 0_u64;
    let mut digits = |from: usize| {
        let mut at = from;
        while let Some(eight) = bytes.get(at..).and_then(|rest| rest.first_chunk()).and_then(eight_digits) {
            mantissa = mantissa.wrapping_mul(100_000_000).wrapping_add(eight);
            at += 8;
        }
        while let Some(digit) = bytes.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
            at += 1;
        }
        at
    };
    let whole = digits(start);
    let has_point = bytes.get(whole) == Some(&b'.');
    let end = if has_point { digits(whole + 1) } else { whole };
    let decimals = (end - whole).saturating_sub(1);
    let evidence = match has_point {
        false => Evidence::None,
        true if end == bytes.len() && decimals == 3 && may_lead_groups(&bytes[start..whole]) => {
            Evidence::Either(Mark::Point)
        }
        true => Evidence::Decimal(Mark::Point),
    };
    let count = whole - start + decimals;
    // Beyond 2^53, the standard library reads integers, which are evidence of their own.
    if end == bytes.len() && (1..=DIGITS).contains(&count) && (mantissa <= 1 << 53 || has_point) {
        let value = quotient(mantissa, decimals);
        return Some((if bytes[0] == b'-' { -value } else { value }, evidence));
    }
    let value: f64 = cell.parse().ok()?;
    let evidence = match evidence {
        Evidence::None if end < bytes.len() => Evidence::Exponent,
        // Of at most 18 digits, only those beyond 2^53 come here.
        Evidence::None if value.abs() >= (1_u64 << 53) as f64 => Evidence::Long,
        evidence => evidence,
    };
    Some((value, evidence))
}

/// The value of eight digits.
fn eight_digits(bytes: &[u8; 8]) -> Option<u64> {
    let value = u64::from_le_bytes(*bytes);
    let digits = value.wrapping_sub(0x3030_3030_3030_3030);
    // Bytes below '0' and above '9' set their highest bit in one of the two.
    if (value.wrapping_add(0x4646_4646_4646_4646) | digits) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    // Joins neighbours: digits, pairs of digits, and groups of four.
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    Some(fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xffff_ffff)
}

/// `mantissa / 10^decimals`, rounded correctly, for up to 18 digits and decimals.
fn quotient(mantissa: u64, decimals: usize) -> f64 {
    if mantissa <= 1 << 53 {
        // Both are exact.
        return mantissa as f64 / POWERS[decimals];
    }
    // With both shifted to 64 bits, the quotient has 63 or 64. Its last bit shows whether a rest is left, which is all that
    // rounding it to 53 bits needs; scaling by a power of two is exact.
    let divisor = 10_u64.pow(decimals as u32);
    let (up, down) = (mantissa.leading_zeros(), divisor.leading_zeros());
    let (dividend, divisor) = (u128::from(mantissa << up) << 63, u128::from(divisor << down));
    let rounded = (dividend / divisor) as u64 | u64::from(dividend % divisor != 0);
    let exponent = i64::from(down) - i64::from(up) - 63;
    rounded as f64 * f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// Whether digits may stand before the first separator of thousands.
fn may_lead_groups(digits: &[u8]) -> bool {
    (1..=3).contains(&digits.len()) && digits[0] != b'0' && digits.iter().all(u8::is_ascii_digit)
}

const CURRENCIES: [&str; 43] = [
    "US$", "A$", "C$", "R$", "$", "€", "£", "¥", "₹", "₩", "₽", "₺", "₴", "₪", "฿", "zł", "Kč", "kr", "USD", "EUR",
    "GBP", "JPY", "CHF", "CNY", "INR", "AUD", "CAD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "BRL", "MXN",
    "KRW", "RUB", "ZAR", "SGD", "HKD", "TRY", "THB",
];
/// Separators of thousands besides point and comma: spaces of all widths and apostrophes.
const SEPARATORS: [char; 6] = [' ', '\u{a0}', '\u{202f}', '\u{2009}', '\'', '\u{2019}'];
/// Longest text that may be a number.
const LONGEST: usize = 60;

/// A number as people write it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Written<'a> {
    /// Digits, marks and separators.
    digits: &'a str,
    negative: bool,
    pub(crate) evidence: Evidence,
    pub(crate) percent: bool,
    pub(crate) parentheses: bool,
    pub(crate) currency: Option<&'static str>,
    /// Whether thousands are separated, for certain.
    pub(crate) grouped: bool,
}

/// Reads a number with separators of thousands, a decimal mark, a sign, a currency, percent, or accounting parentheses.
pub(crate) fn written(cell: &str) -> Option<Written<'_>> {
    if cell.len() > LONGEST || !cell.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (mut rest, mut sign, mut percent, mut parentheses, mut currency) = (cell, None, false, false, None);
    loop {
        if let Some(inner) = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).filter(|_| !parentheses) {
            (rest, parentheses) = (inner.trim(), true);
        } else if let Some(after) = rest.strip_prefix(['-', '+', '\u{2212}']).filter(|_| sign.is_none()) {
            (rest, sign) = (after.trim_start(), Some(!rest.starts_with('+')));
        } else if let Some(before) = rest.strip_suffix('%').filter(|_| !percent) {
            (rest, percent) = (before.trim_end(), true);
        } else if let Some((symbol, left)) = without_currency(rest).filter(|_| currency.is_none()) {
            (rest, currency) = (left, Some(symbol));
        } else {
            break;
        }
    }
    if parentheses && sign.is_some() {
        return None;
    }
    let (evidence, grouped) = marks(rest)?;
    let negative = parentheses || sign == Some(true);
    Some(Written { digits: rest, negative, evidence, percent, parentheses, currency, grouped })
}

fn without_currency(text: &str) -> Option<(&'static str, &str)> {
    // Nearly all cells end here.
    let plain = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_digit());
    if plain(text.as_bytes().first()) && plain(text.as_bytes().last()) {
        return None;
    }
    CURRENCIES.iter().find_map(|&symbol| {
        let left = text.strip_prefix(symbol).map(str::trim_start);
        Some((symbol, left.or_else(|| text.strip_suffix(symbol).map(str::trim_end))?))
    })
}

/// What the marks in digits say, and whether thousands are separated for certain; none if these are no digits.
fn marks(text: &str) -> Option<(Evidence, bool)> {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let grouped = |part: &str, separator: char| {
        let mut groups = part.split(separator);
        groups.next().is_some_and(|first| may_lead_groups(first.as_bytes()))
            && groups.all(|group| group.len() == 3 && digits(group))
    };
    let (mantissa, exponent) =
        text.split_once(['e', 'E']).map_or((text, None), |(mantissa, exponent)| (mantissa, Some(exponent)));
    if exponent.is_some_and(|exponent| !digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent))) {
        return None;
    }
    let last = mantissa
        .rfind(['.', ','])
        .map(|at| (at, if mantissa[at..].starts_with('.') { Mark::Point } else { Mark::Comma }));
    if let Some(separator) = mantissa.chars().find(|c| SEPARATORS.contains(c)) {
        let (whole, evidence) = match last {
            None => (mantissa, Evidence::None),
            Some((at, mark)) => (digits(&mantissa[at + 1..]).then_some(&mantissa[..at])?, Evidence::Decimal(mark)),
        };
        return (exponent.is_none() && grouped(whole, separator)).then_some((evidence, true));
    }
    let Some((at, mark)) = last else { return digits(mantissa).then_some((Evidence::None, false)) };
    let (whole, fraction) = (&mantissa[..at], &mantissa[at + 1..]);
    if grouped(mantissa, mark.character()) && exponent.is_none() {
        // One separator may be a decimal mark, several cannot.
        return Some(if digits(whole) {
            (Evidence::Either(mark), false)
        } else {
            (Evidence::Decimal(mark.other()), true)
        });
    }
    if !(fraction.is_empty() || digits(fraction)) || (whole.is_empty() && fraction.is_empty()) {
        return None;
    }
    match whole.contains(mark.other().character()) {
        true => grouped(whole, mark.other().character()).then_some((Evidence::Decimal(mark), true)),
        false => (whole.is_empty() || digits(whole)).then_some((Evidence::Decimal(mark), false)),
    }
}

impl Written<'_> {
    /// The value with this decimal mark; none if the cell contradicts it.
    pub(crate) fn value(&self, decimal: Mark) -> Option<f64> {
        if matches!(self.evidence, Evidence::Decimal(mark) if mark != decimal) {
            return None;
        }
        let kept = self
            .digits
            .chars()
            .filter(|&c| c == decimal.character() || c.is_ascii_alphanumeric() || c == '-' || c == '+');
        let text: String = kept.map(|c| if c == ',' { '.' } else { c }).collect();
        let value: f64 = text.parse().ok()?;
        let value = if self.percent { value / 100.0 } else { value };
        Some(if self.negative { -value } else { value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Evidence::{Decimal, Either};
    use Mark::{Comma, Point};

    #[test]
    fn plain_numbers_are_those_of_the_standard_library() {
        for cell in [
            "0",
            "-0",
            "1.50",
            "+5",
            ".5",
            "5.",
            "-2e3",
            "1e400",
            "inf",
            "NaN",
            "0.1",
            "123456789012345678",
            "9007199254740993",
            "1234567890.123456789",
            "0.30000000000000004",
            "1e-7",
            "",
            "-",
            ".",
            "+",
            "1.2.3",
            "1,5",
            "0x10",
            "1_0",
            "--1",
            "1-",
        ] {
            let bits = |value: f64| value.to_bits();
            assert_eq!(plain(cell).map(|found| bits(found.0)), cell.parse::<f64>().ok().map(bits), "{cell}");
        }
        let mut state = 1_u64;
        for length in (1..=19).cycle().take(100_000) {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mut cell = format!("{:019}", state >> 1)[19 - length..].to_owned();
            cell.insert((state >> 5) as usize % (length + 1), '.');
            assert_eq!(plain(&cell).map(|found| found.0.to_bits()), cell.parse().ok().map(f64::to_bits), "{cell}");
        }
        for at in 0..8 {
            for byte in 0..=u8::MAX {
                let mut bytes = *b"12345678";
                bytes[at] = byte;
                let value = std::str::from_utf8(&bytes).ok().filter(|_| byte.is_ascii_digit());
                assert_eq!(eight_digits(&bytes), value.and_then(|text| text.parse().ok()), "{bytes:?}");
            }
        }
        let evidence = |cell: &str| plain(cell).map(|found| found.1);
        assert_eq!(
            (evidence("12"), evidence("5.914"), evidence("-105.914")),
            (Some(Evidence::None), Some(Either(Point)), Some(Either(Point)))
        );
        for cell in ["9007199254740993", "-12345678901234567", "18446744073709551616"] {
            assert_eq!(evidence(cell), Some(Evidence::Long), "{cell}");
        }
        assert_eq!((evidence("9007199254740992"), evidence("1e20")), (Some(Evidence::None), Some(Evidence::Exponent)));
        for cell in ["0.914", "5.91", "1234.567", "5.914e1", ".914", "5."] {
            assert_eq!(evidence(cell), Some(Decimal(Point)), "{cell}");
        }
    }

    #[test]
    fn numbers_as_people_write_them() {
        for (cell, mark, evidence, value) in [
            ("1,234.5", Point, Decimal(Point), 1234.5),
            ("12.345.678,9", Comma, Decimal(Comma), 12_345_678.9),
            ("1,234,567", Point, Decimal(Point), 1_234_567.0),
            ("5,914", Point, Either(Comma), 5914.0),
            ("5,914", Comma, Either(Comma), 5.914),
            ("5.914", Comma, Either(Point), 5914.0),
            ("0,33", Comma, Decimal(Comma), 0.33),
            ("-1,5e3", Comma, Decimal(Comma), -1500.0),
            ("1 234 567,5", Comma, Decimal(Comma), 1_234_567.5),
            ("1\u{a0}234", Point, Evidence::None, 1234.0),
            ("1\u{202f}234.5", Point, Decimal(Point), 1234.5),
            ("1'234", Point, Evidence::None, 1234.0),
            ("$1,234.50", Point, Decimal(Point), 1234.5),
            ("-$5", Point, Evidence::None, -5.0),
            ("$ -5", Point, Evidence::None, -5.0),
            ("12,50 €", Comma, Decimal(Comma), 12.5),
            ("USD 12", Point, Evidence::None, 12.0),
            ("12 %", Point, Evidence::None, 0.12),
            ("(1,234.5)", Point, Decimal(Point), -1234.5),
            ("($5)", Point, Evidence::None, -5.0),
            ("\u{2212}5", Point, Evidence::None, -5.0),
        ] {
            let found = written(cell).unwrap_or_else(|| panic!("{cell} is no number"));
            assert_eq!((found.evidence, found.value(mark)), (evidence, Some(value)), "{cell}");
        }
        assert_eq!(written("0,33").unwrap().value(Point), None);
        for cell in [
            "1,23,456",
            "1.2.3",
            "192.168.10.1",
            "12:30",
            "1 23",
            "(-5)",
            "5 apples",
            "A1",
            "%",
            "$",
            "1e",
            "2024-01-01",
            "01,234,567",
            "5%%",
        ] {
            assert_eq!(written(cell), None, "{cell}");
        }
    }
}
