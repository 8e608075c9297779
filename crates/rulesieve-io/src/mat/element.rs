//! Elements of a MATLAB file: a tag with type and size, the data, and padding to a multiple of eight bytes.

use std::io::Read;

use flate2::read::ZlibDecoder;

const COMPRESSED: u32 = 15;
pub(super) const DESCRIPTION_BYTES: usize = 1000;
const CUT: &str = "the file ends within it; the file is truncated";

/// Iterator over consecutive elements.
pub(super) struct Elements<'a> {
    rest: &'a [u8],
    big_endian: bool,
}

/// One element.
pub(super) struct Element<'a> {
    pub(super) kind: u32,
    pub(super) data: &'a [u8],
    big_endian: bool,
}

impl<'a> Elements<'a> {
    pub(super) fn new(bytes: &'a [u8], big_endian: bool) -> Self {
        Self { rest: bytes, big_endian }
    }

    pub(super) fn is_big_endian(&self) -> bool {
        self.big_endian
    }

    fn split(&mut self) -> Result<Element<'a>, &'static str> {
        let big_endian = self.big_endian;
        let (tag, after) = self.rest.split_at_checked(8).ok_or(CUT)?;
        let first = number(&tag[..4], big_endian) as u32;
        let small_size = (first >> 16) as usize;
        if small_size > 0 {
            // Small element: up to four bytes of data in the tag.
            let data = tag.get(4..4 + small_size).ok_or("a small element claims more than four bytes")?;
            self.rest = after;
            return Ok(Element { kind: first & 0xffff, data, big_endian });
        }
        let size = number(&tag[4..], big_endian) as usize;
        let (data, after) = after.split_at_checked(size).ok_or(CUT)?;
        let padding = if first == COMPRESSED { 0 } else { size.next_multiple_of(8) - size };
        self.rest = after.get(padding..).unwrap_or_default();
        Ok(Element { kind: first, data, big_endian })
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Result<Element<'a>, &'static str>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let element = self.split();
        if element.is_err() {
            self.rest = &[];
        }
        Some(element)
    }
}

impl Element<'_> {
    pub(super) fn is_compressed(&self) -> bool {
        self.kind == COMPRESSED
    }

    /// Decompresses at most `limit + 1` bytes.
    pub(super) fn decompress(&self, limit: u64) -> Result<Vec<u8>, &'static str> {
        let mut bytes = Vec::new();
        let mut decoder = ZlibDecoder::new(self.data).take(limit.saturating_add(1));
        decoder.read_to_end(&mut bytes).map_err(|_| "its compressed data is damaged")?;
        Ok(bytes)
    }

    fn width(&self) -> Option<usize> {
        match self.kind {
            1 | 2 => Some(1),
            3 | 4 => Some(2),
            5..=7 => Some(4),
            9 | 12 | 13 => Some(8),
            _ => None,
        }
    }

    /// The number of values.
    pub(super) fn count(&self) -> Option<usize> {
        Some(self.data.len() / self.width()?)
    }

    /// The values of an element with flags or dimensions.
    pub(super) fn description(&self) -> Result<Vec<f64>, &'static str> {
        if self.data.len() > DESCRIPTION_BYTES { Err("its description is too long") } else { self.numbers() }
    }

    /// The values of a numeric element.
    pub(super) fn numbers(&self) -> Result<Vec<f64>, &'static str> {
        let width = self.width().ok_or("its values have an unknown type")?;
        if !self.data.len().is_multiple_of(width) {
            return Err("its values are truncated");
        }
        let value = |bytes| {
            let bits = number(bytes, self.big_endian);
            match self.kind {
                1 => f64::from(bits as i8),
                3 => f64::from(bits as i16),
                5 => f64::from(bits as i32),
                7 => f64::from(f32::from_bits(bits as u32)),
                9 => f64::from_bits(bits),
                12 => bits as i64 as f64,
                _ => bits as f64,
            }
        };
        Ok(self.data.chunks_exact(width).map(value).collect())
    }
}

fn number(bytes: &[u8], big_endian: bool) -> u64 {
    let join = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
    if big_endian { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) }
}
