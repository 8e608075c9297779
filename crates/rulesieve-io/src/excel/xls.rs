//! Extent of the sheets of an old workbook. The library allocates all cells between the outermost ones, and what the
//! header of a sheet claims.

use rulesieve::Limit;

use crate::{error::ReadError, options::Limits, source::Input};

/// Memory of a cell in the library, in bytes: its value and the text of its formula.
const CELL_BYTES: u64 = 64;
const RESERVED: u32 = 0xffff_fffa;
const HEADER_BYTES: usize = 512;
const ENTRY_BYTES: usize = 128;

/// Checks the extent of all sheets against the limits.
pub(super) fn check(input: &Input, limits: &Limits) -> Result<(), ReadError> {
    let stream = workbook(&input.bytes).ok_or_else(|| input.damaged("the workbook is damaged or cut off"))?;
    let bytes = memory(&stream).ok_or_else(|| input.damaged("the sheets of the workbook are damaged"))?;
    if bytes > limits.bytes {
        return Err(input.over(Limit::Bytes, bytes, limits.bytes));
    }
    Ok(())
}

/// The memory of all sheets if each had the extent of the largest.
fn memory(stream: &[u8]) -> Option<u64> {
    let (mut begins, mut sheets) = (Vec::new(), Vec::new());
    let (mut rows, mut columns) = (0u64, 0u64);
    let mut at = 0;
    while at + 4 <= stream.len() {
        let (kind, length) = (short(stream, at)?, usize::from(short(stream, at + 2)?));
        let Some(data) = stream.get(at + 4..at + 4 + length) else { break };
        let number = |at| short(data, at).map(u64::from);
        match kind {
            // The begin of a sheet, and the list of sheets with their begins.
            0x0809 => begins.push(at),
            0x0085 => sheets.push(long(data, 0)? as usize),
            // The extent; in the newer version, rows have four bytes.
            0x0200 => {
                let wide = length >= 14;
                let last = if wide { u64::from(long(data, 4)?) } else { number(2)? };
                rows = rows.max(last + 1);
                columns = columns.max(number(if wide { 10 } else { 6 })? + 1);
            }
            // A number, text, boolean or formula; several numbers in a row end with the last column.
            0x0203 | 0x0204 | 0x00d6 | 0x0205 | 0x0006 | 0x027e | 0x00fd | 0x00bd => {
                let last = if kind == 0x00bd { number(length.checked_sub(2)?)? } else { number(2)? };
                rows = rows.max(number(0)? + 1);
                columns = columns.max(last.max(number(2)?) + 1);
            }
            _ => {}
        }
        at += 4 + length;
    }
    // A sheet that began elsewhere would be read in another way.
    let known = sheets.iter().all(|begin| begins.contains(begin));
    known.then(|| rows.saturating_mul(columns).saturating_mul(sheets.len() as u64).saturating_mul(CELL_BYTES))
}

/// The stream with the workbook in a compound file.
fn workbook(file: &[u8]) -> Option<Vec<u8>> {
    let size = 1usize.checked_shl(short(file, 30)?.into()).filter(|size| (128..=4096).contains(size))?;
    let sector = |id: u32| {
        let start = (id as usize).checked_add(1)?.checked_mul(size)?;
        file.get(start.max(HEADER_BYTES)..file.len().min(start.checked_add(size)?))
    };
    let numbers = |bytes: &[u8]| -> Vec<u32> {
        bytes.chunks_exact(4).map(|number| u32::from_le_bytes([number[0], number[1], number[2], number[3]])).collect()
    };
    let mut tables = numbers(file.get(76..HEADER_BYTES)?);
    let mut next = long(file, 68)?;
    for _ in 0..file.len() / size {
        if next >= RESERVED {
            break;
        }
        tables.extend(numbers(sector(next)?));
        next = tables.pop()?;
    }
    let mut chains = Vec::new();
    for id in tables.into_iter().filter(|id| *id < RESERVED) {
        chains.extend(numbers(sector(id)?));
        if chains.len() > file.len() {
            return None;
        }
    }
    let chain = |chains: &[u32], mut id: u32, sector: &dyn Fn(u32) -> Option<Vec<u8>>| {
        let mut bytes = Vec::new();
        while id < RESERVED {
            bytes.extend(sector(id)?);
            // A chain that is longer than the file has a cycle.
            if bytes.len() > file.len() {
                return None;
            }
            id = *chains.get(id as usize)?;
        }
        Some(bytes)
    };
    let large = |id| sector(id).map(<[u8]>::to_vec);
    let directory = chain(&chains, long(file, 48)?, &large)?;
    let mut entries = directory.chunks_exact(ENTRY_BYTES);
    let root = entries.clone().next()?;
    let entry = ["Workbook", "Book"].into_iter().find_map(|name| entries.clone().find(|entry| is_named(entry, name)));
    entries.next();
    let entry = entry?;
    let (start, length) = (long(entry, 116)?, long(entry, 120)? as usize);
    if length >= long(file, 56)? as usize {
        let mut stream = chain(&chains, start, &large)?;
        stream.truncate(length);
        return Some(stream);
    }
    let small_chains = numbers(&chain(&chains, long(file, 60)?, &large)?);
    let small = chain(&chains, long(root, 116)?, &large)?;
    let mut stream = chain(&small_chains, start, &|id| {
        let start = (id as usize).checked_mul(64)?;
        Some(small.get(start..small.len().min(start + 64))?.to_vec())
    })?;
    stream.truncate(length);
    Some(stream)
}

fn is_named(entry: &[u8], name: &str) -> bool {
    let found = entry.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).take_while(|&unit| unit != 0);
    found.eq(name.encode_utf16())
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}
