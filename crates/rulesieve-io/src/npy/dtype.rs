//! Supported element types of NumPy arrays.

use crate::cells::half;

/// An element type of fixed size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dtype {
    kind: Kind,
    big_endian: bool,
    /// Bytes of a number, characters of a text.
    width: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Signed,
    Unsigned,
    Float,
    /// Four bytes per character.
    Unicode,
    /// One byte per character.
    Bytes,
}

/// Maximum characters of a text element.
const TEXT_CHARACTERS: usize = 1 << 20;

impl Dtype {
    /// Parses a description such as `<f8`; the error is the reason why the type is not supported.
    pub(super) fn parse(descr: &str) -> Result<Self, &'static str> {
        let (order, rest) = match descr.as_bytes() {
            [order @ (b'<' | b'>' | b'|' | b'='), ..] => (*order, &descr[1..]),
            _ => (b'=', descr),
        };
        let big_endian = order == b'>' || (order == b'=' && cfg!(target_endian = "big"));
        let (kind, width) = match rest.split_at_checked(1) {
            Some((kind, width)) => (kind, width.parse::<usize>().ok()),
            None => return Err("which names no type"),
        };
        let kind = match (kind, width) {
            ("b", Some(1)) => Kind::Bool,
            ("i", Some(1 | 2 | 4 | 8)) => Kind::Signed,
            ("u", Some(1 | 2 | 4 | 8)) => Kind::Unsigned,
            ("f", Some(2 | 4 | 8)) => Kind::Float,
            ("U", Some(1..=TEXT_CHARACTERS)) => Kind::Unicode,
            ("S", Some(1..=TEXT_CHARACTERS)) => Kind::Bytes,
            ("O", _) => return Err("Python objects, which cannot be read without executing code"),
            ("c", _) => return Err("complex numbers"),
            ("M" | "m", _) => return Err("dates or durations"),
            ("f", _) => return Err("floating-point numbers wider than 64 bits"),
            _ => return Err("which is not a number, boolean or text"),
        };
        Ok(Self { kind, big_endian, width: width.unwrap_or(1) })
    }

    /// Bytes of one element.
    pub(super) fn size(self) -> usize {
        if self.kind == Kind::Unicode { 4 * self.width } else { self.width }
    }

    pub(super) fn is_text(self) -> bool {
        matches!(self.kind, Kind::Unicode | Kind::Bytes)
    }

    /// Whether integers may exceed what a double can express.
    pub(super) fn is_large(self) -> bool {
        matches!(self.kind, Kind::Signed | Kind::Unsigned) && self.width == 8
    }

    /// Decodes an element of an integer type of 64 bits.
    pub(super) fn integer(self, bytes: &[u8]) -> i128 {
        let bits = self.bits(bytes);
        if self.kind == Kind::Signed { i128::from(bits as i64) } else { i128::from(bits) }
    }

    /// Decodes an element of a numeric type.
    pub(super) fn number(self, bytes: &[u8]) -> f64 {
        let bits = self.bits(bytes);
        let unused = 64 - 8 * self.width.min(8) as u32;
        match (self.kind, self.width) {
            (Kind::Bool, _) => f64::from(u8::from(bits != 0)),
            (Kind::Float, 8) => f64::from_bits(bits),
            (Kind::Float, 4) => f64::from(f32::from_bits(bits as u32)),
            (Kind::Float, _) => half(bits as u16),
            // Sign extension.
            (Kind::Signed, _) => ((bits << unused) as i64 >> unused) as f64,
            _ => bits as f64,
        }
    }

    /// Decodes an element of a text type, without trailing zeros.
    pub(super) fn text(self, bytes: &[u8]) -> Option<String> {
        if self.kind == Kind::Bytes {
            let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |at| at + 1);
            return std::str::from_utf8(&bytes[..end]).ok().map(str::to_owned);
        }
        let code = |chunk: &[u8]| char::from_u32(self.bits(chunk) as u32);
        let text: String = bytes.chunks_exact(4).map(code).collect::<Option<_>>()?;
        Some(text.trim_end_matches('\0').to_owned())
    }

    fn bits(self, bytes: &[u8]) -> u64 {
        let join = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
        if self.big_endian { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_type_are_decoded() {
        let number = |descr: &str, bytes: &[u8]| Dtype::parse(descr).unwrap().number(bytes);
        assert_eq!(number("<f8", &1.5f64.to_le_bytes()), 1.5);
        assert_eq!(number(">f4", &(-2.25f32).to_be_bytes()), -2.25);
        assert_eq!(number("|i1", &[0xfe]), -2.0);
        assert_eq!(number(">i2", &(-300i16).to_be_bytes()), -300.0);
        assert_eq!(number("<i8", &i64::MIN.to_le_bytes()), i64::MIN as f64);
        assert_eq!(number("<u8", &u64::MAX.to_le_bytes()), u64::MAX as f64);
        assert_eq!(number("|b1", &[1]), 1.0);
    }

    #[test]
    fn unsupported_types_are_rejected_with_a_reason() {
        assert!(Dtype::parse("|O").unwrap_err().contains("executing code"));
        for descr in ["", "<", "<f3", "<c16", "<M8[ns]", "<U0", "<U99999999999", "é"] {
            assert!(Dtype::parse(descr).is_err(), "{descr}");
        }
    }
}
