//! The header of an array: a Python dictionary with three entries, parsed as text and never evaluated.

const MAGIC: &[u8] = b"\x93NUMPY";
/// Maximum length of a header.
pub(crate) const HEADER_BYTES: usize = 1 << 20;

/// Declared type, order and shape.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) descr: String,
    pub(super) fortran_order: bool,
    pub(super) shape: Vec<usize>,
}

impl Header {
    /// Parses the header at the start of `bytes`; also returns the bytes after it.
    pub(super) fn split(bytes: &[u8]) -> Result<(Self, &[u8]), &'static str> {
        const CUT: &str = "ends within its header; the file is truncated";
        let rest = bytes.strip_prefix(MAGIC).ok_or("does not begin with the signature of a NumPy array")?;
        let (length, rest) = match rest {
            [1, _, a, b, rest @ ..] => (usize::from(u16::from_le_bytes([*a, *b])), rest),
            [2 | 3, _, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest),
            [1..=3, ..] => return Err(CUT),
            _ => return Err("has a format version other than 1, 2 or 3"),
        };
        if length > HEADER_BYTES {
            return Err("has a header of more than 1 MiB");
        }
        let (header, data) = rest.split_at_checked(length).ok_or(CUT)?;
        let header = std::str::from_utf8(header).map_err(|_| "has a header that is not text")?;
        Ok((Self::parse(header)?, data))
    }

    fn parse(text: &str) -> Result<Self, &'static str> {
        let descr = entry(text, "descr").ok_or("has no type in its header")?;
        if descr.starts_with('[') {
            return Err("is a structured array, not a plain array");
        }
        let descr = quoted(descr).ok_or("has an unreadable type in its header")?;
        let order = entry(text, "fortran_order").ok_or("has no order in its header")?;
        let fortran_order = match order {
            _ if order.starts_with("True") => true,
            _ if order.starts_with("False") => false,
            _ => return Err("has an unreadable order in its header"),
        };
        let shape = entry(text, "shape").ok_or("has no shape in its header")?;
        let shape = tuple(shape).ok_or("has an unreadable shape in its header")?;
        Ok(Self { descr: descr.to_owned(), fortran_order, shape })
    }
}

/// The text after the colon of a key.
fn entry<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let (_, after) = text.split_once(&format!("'{key}'"))?;
    Some(after.trim_start().strip_prefix(':')?.trim_start())
}

fn quoted(text: &str) -> Option<&str> {
    Some(text.strip_prefix('\'')?.split_once('\'')?.0)
}

fn tuple(text: &str) -> Option<Vec<usize>> {
    let (inside, _) = text.strip_prefix('(')?.split_once(')')?;
    let inside = inside.trim().trim_end_matches(',');
    if inside.is_empty() {
        return Some(Vec::new());
    }
    inside.split(',').map(|number| number.trim().parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_numpy_writes() {
        let text = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }      \n";
        let expected = Header { descr: "<f8".into(), fortran_order: false, shape: vec![3, 4] };
        assert_eq!(Header::parse(text), Ok(expected));
        assert_eq!(tuple("(5,)"), Some(vec![5]));
        assert_eq!(tuple("(-1, 2)"), None);
        assert_eq!(tuple("(99999999999999999999,)"), None);
    }
}
