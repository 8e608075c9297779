//! Sizes of pages. The Parquet library allocates what the header of a page claims, and decompresses some codecs without
//! bounds.

use std::io::{self, Read};

use ::parquet::{basic::Compression, file::reader::ChunkReader};

/// Depth of nested structures in a header; the format has three.
const DEPTH: u32 = 8;
/// Greatest possible ratio of LZ4.
const LZ4_RATIO: u64 = 255;
/// Size of the types of headers in bytes, for a sum of all pages that cannot overflow.
const PAGES: usize = 10_000_000;

/// Why pages are refused.
pub(super) enum PageError {
    /// They need more than the limit.
    Limit,
    /// They cannot be read.
    Damaged,
}

impl From<io::Error> for PageError {
    fn from(_: io::Error) -> Self {
        Self::Damaged
    }
}

/// Sums the decompressed sizes of the pages in a range of the file, up to a limit.
pub(super) fn decompressed_bytes(
    file: &impl ChunkReader,
    (start, size): (u64, u64),
    codec: Compression,
    limit: u64,
) -> Result<u64, PageError> {
    let end = start.saturating_add(size);
    let mut at = start;
    let mut total = 0u64;
    for _ in 0..PAGES {
        if at >= end {
            break;
        }
        let reader = file.get_read(at).map_err(|_| PageError::Damaged)?;
        let mut reader = Compact { inner: reader, read: 0 };
        let page = Header::read(&mut reader)?;
        let (claimed, stored) = (size_of(page.decompressed)?, size_of(page.compressed)?);
        at = at.saturating_add(reader.read);
        if stored > end.saturating_sub(at) {
            return Err(PageError::Damaged);
        }
        total = total.saturating_add(claimed);
        if total > limit {
            return Err(PageError::Limit);
        }
        check_content(file, at, stored, &page, codec, limit)?;
        at += stored;
    }
    Ok(total)
}

/// Refuses a page whose content is larger than its header claims.
fn check_content(
    file: &impl ChunkReader,
    at: u64,
    stored: u64,
    page: &Header,
    codec: Compression,
    limit: u64,
) -> Result<(), PageError> {
    let claimed = size_of(page.decompressed)?;
    let levels = size_of(page.levels)?.min(stored);
    let content = || file.get_bytes(at + levels, (stored - levels) as usize).map_err(|_| PageError::Damaged);
    let found = match codec {
        Compression::GZIP(_) => count(flate2::bufread::MultiGzDecoder::new(&content()?[..]), claimed),
        Compression::BROTLI(_) => count(brotli::Decompressor::new(&content()?[..], 4096), claimed),
        // A frame may be followed by others.
        Compression::LZ4 if stored.saturating_mul(LZ4_RATIO) > limit => return Err(PageError::Limit),
        _ => 0,
    };
    if found > claimed { Err(PageError::Damaged) } else { Ok(()) }
}

/// The number of bytes, counted up to `limit + 1`. Damage is reported later, when the cells are read.
fn count(decoder: impl Read, limit: u64) -> u64 {
    let mut decoder = decoder.take(limit.saturating_add(1));
    let mut buffer = [0; 8192];
    let mut total = 0;
    while let Ok(found @ 1..) = decoder.read(&mut buffer) {
        total += found as u64;
    }
    total
}

fn size_of(value: i64) -> Result<u64, PageError> {
    u64::try_from(value).map_err(|_| PageError::Damaged)
}

/// The sizes in the header of a page.
#[derive(Default)]
struct Header {
    decompressed: i64,
    compressed: i64,
    /// Uncompressed levels at the start of the content.
    levels: i64,
}

impl Header {
    /// Reads a header, which is a structure of the Thrift compact protocol.
    fn read<R: Read>(reader: &mut Compact<R>) -> Result<Self, PageError> {
        let mut header = Self::default();
        reader.fields(|reader, field, kind| {
            match (field, kind) {
                (2, Compact::<R>::I32) => header.decompressed = reader.zigzag()?,
                (3, Compact::<R>::I32) => header.compressed = reader.zigzag()?,
                // The header of a data page of version 2: the lengths of its levels.
                (8, Compact::<R>::STRUCT) => reader.fields(|reader, field, kind| {
                    match (field, kind) {
                        (5 | 6, Compact::<R>::I32) => {
                            header.levels = header.levels.saturating_add(reader.zigzag()?.max(0));
                        }
                        _ => reader.skip(kind, DEPTH)?,
                    }
                    Ok(())
                })?,
                _ => reader.skip(kind, DEPTH)?,
            }
            Ok(())
        })?;
        Ok(header)
    }
}

/// A reader of the Thrift compact protocol.
struct Compact<R> {
    inner: R,
    read: u64,
}

impl<R: Read> Compact<R> {
    const I32: u8 = 5;
    const STRUCT: u8 = 12;

    fn byte(&mut self) -> Result<u8, PageError> {
        let mut byte = [0];
        self.inner.read_exact(&mut byte)?;
        self.read += 1;
        Ok(byte[0])
    }

    fn varint(&mut self) -> Result<u64, PageError> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(PageError::Damaged)
    }

    fn zigzag(&mut self) -> Result<i64, PageError> {
        let value = self.varint()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// Visits the fields of a structure with their numbers and types.
    fn fields(&mut self, mut visit: impl FnMut(&mut Self, i64, u8) -> Result<(), PageError>) -> Result<(), PageError> {
        let mut field = 0i64;
        loop {
            let byte = self.byte()?;
            if byte == 0 {
                return Ok(());
            }
            field = match byte >> 4 {
                0 => self.zigzag()?,
                delta => field.saturating_add(i64::from(delta)),
            };
            visit(self, field, byte & 0x0f)?;
        }
    }

    fn skip(&mut self, kind: u8, depth: u32) -> Result<(), PageError> {
        let depth = depth.checked_sub(1).ok_or(PageError::Damaged)?;
        match kind {
            // Booleans have no bytes.
            1 | 2 => {}
            3 => drop(self.byte()?),
            4..=6 => drop(self.varint()?),
            7 => self.skip_bytes(8)?,
            8 => {
                let length = self.varint()?;
                self.skip_bytes(length)?;
            }
            9 | 10 => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
                for _ in 0..count {
                    // Booleans in lists have a byte.
                    let element = if head & 0x0f <= 2 { 3 } else { head & 0x0f };
                    self.skip(element, depth)?;
                }
            }
            Self::STRUCT => self.fields(|reader, _, kind| reader.skip(kind, depth))?,
            _ => return Err(PageError::Damaged),
        }
        Ok(())
    }

    fn skip_bytes(&mut self, count: u64) -> Result<(), PageError> {
        let skipped = io::copy(&mut self.inner.by_ref().take(count), &mut io::sink())?;
        self.read += skipped;
        if skipped == count { Ok(()) } else { Err(PageError::Damaged) }
    }
}
