//! Batches of rows: buffers, decompressed within a budget, and the cells in them.

use std::{borrow::Cow, collections::HashMap, io::Read};

use super::{
    flat::{Flat, array},
    schema::{DAYS, Kind},
};
use crate::cells::{Cells, decimal, half, seconds};

/// Why a batch is refused.
pub(super) enum Fault {
    /// It decompresses to more than the limit.
    Limit,
    Content(&'static str),
}

impl From<&'static str> for Fault {
    fn from(problem: &'static str) -> Self {
        Self::Content(problem)
    }
}

const CUT: &str = "its cells are cut off or damaged";

/// The values that indices stand for, by the number of the dictionary.
#[derive(Default)]
pub(super) struct Dictionaries(HashMap<i64, Cells>);

impl Dictionaries {
    pub(super) fn get(&self, id: i64) -> Option<&Cells> {
        self.0.get(&id)
    }

    /// The earlier values to which a delta is added.
    pub(super) fn take(&mut self, id: i64, is_delta: bool) -> Option<Cells> {
        self.0.remove(&id).filter(|_| is_delta)
    }

    pub(super) fn put(&mut self, id: i64, values: Cells) {
        self.0.insert(id, values);
    }
}

/// Buffers that are taken column by column.
pub(super) struct Batch<'a> {
    pub(super) rows: usize,
    body: &'a [u8],
    /// Offset and length of every buffer.
    buffers: std::slice::ChunksExact<'a, u8>,
    /// Numbers of buffers with the texts of views.
    variadic: std::slice::ChunksExact<'a, u8>,
    codec: Option<u8>,
    budget: &'a mut u64,
}

impl<'a> Batch<'a> {
    pub(super) fn new(rows: Flat<'a>, body: &'a [u8], budget: &'a mut u64) -> Result<Self, Fault> {
        Ok(Self {
            rows: usize::try_from(rows.long(0)).map_err(|_| CUT)?,
            body,
            buffers: rows.structures::<16>(2).unwrap_or_default().chunks_exact(16),
            variadic: rows.structures::<8>(4).unwrap_or_default().chunks_exact(8),
            codec: rows.table(3).map(|compression| compression.byte(0)),
            budget,
        })
    }

    /// Appends the cells of a column.
    pub(super) fn read(&mut self, kind: Kind, cells: &mut Cells) -> Result<(), Fault> {
        if kind == Kind::Null {
            (0..self.rows).for_each(|_| cells.push_missing());
            return Ok(());
        }
        let valid = self.validity()?;
        match kind {
            Kind::Null => {}
            Kind::Bool => {
                let bits = self.buffer()?;
                for row in 0..self.rows {
                    let value = bit(&bits, row).ok_or(CUT)?;
                    cells.push_number(valid(row).then_some(f64::from(u8::from(value))));
                }
            }
            Kind::Text { bytes } => self.texts(bytes, &valid, cells)?,
            Kind::View => self.views(&valid, cells)?,
            Kind::Integer { bytes, .. }
            | Kind::Float { bytes }
            | Kind::Decimal { bytes, .. }
            | Kind::Instant { bytes, .. }
            | Kind::Seconds { bytes, .. } => {
                let values = self.buffer()?;
                let values = values.get(..self.rows.checked_mul(bytes).ok_or(CUT)?).ok_or(CUT)?;
                for (row, value) in values.chunks_exact(bytes).enumerate() {
                    push(kind, valid(row).then_some(value), cells)?;
                }
            }
        }
        Ok(())
    }

    /// Appends the cells of a column of indices into a dictionary.
    pub(super) fn read_coded(&mut self, index: Kind, values: Option<&Cells>, cells: &mut Cells) -> Result<(), Fault> {
        let Kind::Integer { bytes, signed } = index else { return Err(CUT.into()) };
        let valid = self.validity()?;
        let codes = self.buffer()?;
        let codes = codes.get(..self.rows.checked_mul(bytes).ok_or(CUT)?).ok_or(CUT)?;
        for (row, code) in codes.chunks_exact(bytes).enumerate() {
            if !valid(row) {
                cells.push_missing();
                continue;
            }
            let values = values.ok_or("its dictionary is missing")?;
            let code = usize::try_from(little_endian(code, signed)).map_err(|_| CUT)?;
            cells.push_from(values, code).ok_or("an index is outside its dictionary")?;
        }
        Ok(())
    }

    /// Which rows have a value; without a bitmap, all have.
    fn validity(&mut self) -> Result<impl Fn(usize) -> bool + use<'a>, Fault> {
        let bits = self.buffer()?;
        if !bits.is_empty() && bits.len() < self.rows.div_ceil(8) {
            return Err(CUT.into());
        }
        Ok(move |row| bits.is_empty() || bit(&bits, row) == Some(true))
    }

    fn texts(&mut self, width: usize, valid: &dyn Fn(usize) -> bool, cells: &mut Cells) -> Result<(), Fault> {
        let (offsets, data) = (self.buffer()?, self.buffer()?);
        let offset = |row: usize| {
            let bytes = offsets.get(row * width..(row + 1) * width)?;
            usize::try_from(little_endian(bytes, true)).ok()
        };
        for row in 0..self.rows {
            if valid(row) {
                let (start, end) = (offset(row).ok_or(CUT)?, offset(row + 1).ok_or(CUT)?);
                push_text(data.get(start..end).ok_or(CUT)?, cells)?;
            } else {
                cells.push_missing();
            }
        }
        Ok(())
    }

    fn views(&mut self, valid: &dyn Fn(usize) -> bool, cells: &mut Cells) -> Result<(), Fault> {
        let views = self.buffer()?;
        let count = self.variadic.next().and_then(|count| array(count, 0)).map_or(0, u64::from_le_bytes);
        // More than there are would be found missing one by one.
        let count = usize::try_from(count).unwrap_or(usize::MAX).min(self.buffers.len());
        let data: Vec<Cow<'_, [u8]>> = (0..count).map(|_| self.buffer()).collect::<Result<_, _>>()?;
        for row in 0..self.rows {
            let view = row.checked_mul(16).and_then(|at| views.get(at..at + 16)).ok_or(CUT)?;
            let number = |at| array(view, at).map(u32::from_le_bytes).map(|number| number as usize);
            let length = number(0).ok_or(CUT)?;
            let text = match (number(8), number(12)) {
                _ if !valid(row) => None,
                _ if length <= 12 => view.get(4..4 + length),
                (Some(buffer), Some(start)) => data.get(buffer).and_then(|data| data.get(start..start + length)),
                _ => None,
            };
            match text {
                Some(text) => push_text(text, cells)?,
                None if !valid(row) => cells.push_missing(),
                None => return Err(CUT.into()),
            }
        }
        Ok(())
    }

    /// The next buffer, decompressed.
    fn buffer(&mut self) -> Result<Cow<'a, [u8]>, Fault> {
        let position = self.buffers.next().ok_or(CUT)?;
        let number = |at| array(position, at).and_then(|bytes| usize::try_from(i64::from_le_bytes(bytes)).ok());
        let (start, length) = (number(0).ok_or(CUT)?, number(8).ok_or(CUT)?);
        let bytes = self.body.get(start..start.checked_add(length).ok_or(CUT)?).ok_or(CUT)?;
        let Some(codec) = self.codec.filter(|_| !bytes.is_empty()) else { return Ok(Cow::Borrowed(bytes)) };
        let size = i64::from_le_bytes(array(bytes, 0).ok_or(CUT)?);
        let packed = &bytes[8..];
        if size == -1 {
            return Ok(Cow::Borrowed(packed));
        }
        let size = u64::try_from(size).map_err(|_| CUT)?;
        if size > *self.budget {
            return Err(Fault::Limit);
        }
        *self.budget -= size;
        let decoder: Box<dyn Read + '_> = match codec {
            0 => Box::new(lz4_flex::frame::FrameDecoder::new(packed)),
            1 => Box::new(zstd::Decoder::new(packed).map_err(|_| CUT)?),
            _ => return Err("its compression is unknown".into()),
        };
        let mut out = Vec::new();
        decoder.take(size.saturating_add(1)).read_to_end(&mut out).map_err(|_| CUT)?;
        if out.len() as u64 == size { Ok(Cow::Owned(out)) } else { Err(CUT.into()) }
    }
}

fn bit(bits: &[u8], row: usize) -> Option<bool> {
    Some(bits.get(row / 8)? >> (row % 8) & 1 == 1)
}

fn push_text(bytes: &[u8], cells: &mut Cells) -> Result<(), Fault> {
    cells.push_text(std::str::from_utf8(bytes).map_err(|_| "a text is not valid UTF-8")?);
    Ok(())
}

fn push(kind: Kind, value: Option<&[u8]>, cells: &mut Cells) -> Result<(), Fault> {
    let Some(value) = value else {
        cells.push_missing();
        return Ok(());
    };
    let signed = || little_endian(value, true);
    match kind {
        Kind::Integer { signed, .. } => cells.push_integer(Some(little_endian(value, signed))),
        Kind::Float { .. } => cells.push_number(Some(float(value))),
        Kind::Decimal { scale, .. } => {
            let (low, high) = value.split_at(value.len().min(16));
            let fill = if low.last().is_some_and(|&last| last >= 0x80) { 0xff } else { 0 };
            if high.iter().any(|&byte| byte != fill) {
                return Err("a decimal has more than 38 digits".into());
            }
            match scale {
                0 => cells.push_integer(Some(little_endian(low, true))),
                _ => cells.push_number(Some(decimal(little_endian(low, true), scale))),
            }
        }
        Kind::Instant { per_second: DAYS, .. } => cells.push_number(Some(signed() as f64 * 86_400.0)),
        Kind::Instant { per_second, .. } | Kind::Seconds { per_second, .. } => {
            cells.push_number(Some(seconds(signed() as i64, per_second)));
        }
        Kind::Null | Kind::Bool | Kind::Text { .. } | Kind::View => return Err(CUT.into()),
    }
    Ok(())
}

fn float(value: &[u8]) -> f64 {
    let bits = little_endian(value, false);
    match value.len() {
        2 => half(bits as u16),
        4 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits as u64),
    }
}

/// The value of a little-endian number of at most 16 bytes.
fn little_endian(bytes: &[u8], signed: bool) -> i128 {
    let negative = signed && bytes.last().is_some_and(|&last| last >= 0x80);
    let start = if negative { -1 } else { 0 };
    bytes.iter().rev().fold(start, |value, &byte| value << 8 | i128::from(byte))
}
