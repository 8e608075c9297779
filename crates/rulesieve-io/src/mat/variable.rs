//! A variable of a MATLAB file: flags, dimensions, name, and values in column order.

use super::element::{DESCRIPTION_BYTES, Element, Elements};

const MATRIX: u32 = 14;
const COMPLEX: u32 = 0x0800;

/// A named variable.
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) content: Content,
}

/// Content of a variable.
pub(super) enum Content {
    /// A matrix in column order; `values` is empty if they would exceed the memory limit.
    Numbers { rows: usize, columns: usize, values: Vec<f64> },
    /// Anything but a matrix of real numbers.
    Other(&'static str),
}

impl Variable {
    /// Parses a matrix element; `None` for other elements and for unnamed internal ones.
    pub(super) fn parse(element: &Element<'_>, big_endian: bool, max_bytes: u64) -> Result<Option<Self>, &'static str> {
        if element.kind != MATRIX {
            return Ok(None);
        }
        let mut parts = Elements::new(element.data, big_endian);
        let mut part = |missing| parts.next().unwrap_or(Err(missing));
        let flags = part("it has no flags")?.description()?;
        let flags = flags.first().map_or(0, |&flags| flags as u32);
        let dimensions = part("it has no dimensions")?.description()?;
        let name = part("it has no name")?.data;
        if name.len() > DESCRIPTION_BYTES {
            return Err("its name is too long");
        }
        let name = String::from_utf8_lossy(name).into_owned();
        if name.is_empty() {
            return Ok(None);
        }
        let other = |what| Ok(Some(Self { name: name.clone(), content: Content::Other(what) }));
        match flags & 0xff {
            6..=15 if flags & COMPLEX != 0 => return other("which has complex values"),
            6..=15 => {}
            1 => return other("a cell array"),
            2 | 3 => return other("a structure or object"),
            4 => return other("a text"),
            5 => return other("a sparse matrix"),
            _ => return other("which has an unknown class"),
        }
        let [rows, columns] = dimensions[..] else { return other("which does not have two dimensions") };
        if rows < 0.0 || columns < 0.0 {
            return Err("it has a negative dimension");
        }
        let (rows, columns) = (rows as usize, columns as usize);
        if (rows as u64).saturating_mul(columns as u64).saturating_mul(8) > max_bytes {
            return Ok(Some(Self { name, content: Content::Numbers { rows, columns, values: Vec::new() } }));
        }
        let values = part("it has no values")?;
        if rows.checked_mul(columns) != values.count() {
            return Err("its dimensions and the number of its values differ");
        }
        let values = values.numbers()?;
        Ok(Some(Self { name, content: Content::Numbers { rows, columns, values } }))
    }

    /// Memory of the values in bytes.
    pub(super) fn bytes(&self) -> u64 {
        match &self.content {
            Content::Numbers { values, .. } => 8 * values.len() as u64,
            Content::Other(_) => 0,
        }
    }
}
