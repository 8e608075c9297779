//! Names and types of columns.

use rulesieve::data::TextColumn;

use super::flat::Flat;
use crate::{cells::Cells, error::ReadError, source::Input, text::shown};

/// A column.
pub(super) struct Field {
    pub(super) name: String,
    /// Type of the values, which are in the dictionary if there is one.
    pub(super) value: Kind,
    /// The dictionary that the values are taken from.
    pub(super) dictionary: Option<i64>,
    /// Type of the indices into the dictionary.
    pub(super) index: Kind,
}

/// A supported type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Null,
    Bool,
    /// An integer of this many bytes.
    Integer {
        bytes: usize,
        signed: bool,
    },
    Float {
        bytes: usize,
    },
    Decimal {
        bytes: usize,
        scale: i32,
    },
    /// A point in time since 1970, in units of which a second has this many; of days if negative.
    Instant {
        bytes: usize,
        per_second: i64,
    },
    /// A duration or time of day.
    Seconds {
        bytes: usize,
        per_second: i64,
    },
    /// A text, with offsets of this many bytes.
    Text {
        bytes: usize,
    },
    /// A text of up to 12 bytes in place, or a reference.
    View,
}

/// Units that are days.
pub(super) const DAYS: i64 = -86_400;

impl Field {
    /// An empty column.
    pub(super) fn cells(&self) -> Cells {
        self.values()
    }

    /// An empty list of values.
    pub(super) fn values(&self) -> Cells {
        match self.value {
            Kind::Text { .. } | Kind::View => Cells::Texts(TextColumn::default()),
            Kind::Instant { .. } => Cells::Dates(Vec::new()),
            _ => Cells::Numbers(Vec::new()),
        }
    }
}

/// Reads the fields of a schema; refuses nested and unsupported columns by name.
pub(super) fn fields(input: &Input, schema: Flat<'_>) -> Result<Vec<Field>, ReadError> {
    if schema.short(0, 0) != 0 {
        return Err(input.unsupported("big-endian Arrow data", "save it on a little-endian machine"));
    }
    let fields = schema.tables(1).ok_or_else(|| input.content("the Arrow schema is damaged"))?;
    fields.into_iter().map(|field| read_field(input, field)).collect()
}

fn read_field(input: &Input, field: Flat<'_>) -> Result<Field, ReadError> {
    let name = field.text(0).unwrap_or_default().to_owned();
    let value = match field.table(3) {
        Some(details) => kind(field.byte(2), details),
        None => Err("damaged"),
    };
    let value = value.map_err(|what| {
        let advice = if NESTED.contains(&what) {
            "flatten or drop it before saving"
        } else {
            "convert it to numbers or text before saving"
        };
        input.unsupported(format!("column '{}' of type {what}", shown(&name)), advice)
    })?;
    let dictionary = field.table(4);
    let index = match dictionary.map(|encoding| encoding.table(1)) {
        Some(Some(int)) => integer(int),
        _ => Kind::Integer { bytes: 4, signed: true },
    };
    Ok(Field { name, value, dictionary: dictionary.map(|encoding| encoding.long(0)), index })
}

const NESTED: [&str; 5] = ["list", "structure", "union", "map", "run-end encoded"];

fn kind(number: u8, details: Flat<'_>) -> Result<Kind, &'static str> {
    let unit = |field, default| match details.short(field, default) {
        0 => 1,
        1 => 1_000,
        2 => 1_000_000,
        _ => 1_000_000_000,
    };
    let bytes = |field, default: i32| usize::try_from(details.int(field, default) / 8).unwrap_or(0);
    Ok(match number {
        1 => Kind::Null,
        2 => integer(details),
        3 => Kind::Float { bytes: [2, 4, 8].get(details.short(0, 0) as usize).copied().ok_or("damaged")? },
        4 | 5 => Kind::Text { bytes: 4 },
        6 => Kind::Bool,
        7 => match bytes(2, 128) {
            bytes @ (4 | 8 | 16 | 32) => Kind::Decimal { bytes, scale: details.int(1, 0) },
            _ => return Err("damaged"),
        },
        8 if details.short(0, 1) == 0 => Kind::Instant { bytes: 4, per_second: DAYS },
        8 => Kind::Instant { bytes: 8, per_second: 1_000 },
        9 => match bytes(1, 32) {
            bytes @ (4 | 8) => Kind::Seconds { bytes, per_second: unit(0, 1) },
            _ => return Err("damaged"),
        },
        10 => Kind::Instant { bytes: 8, per_second: unit(0, 0) },
        11 => return Err("interval"),
        12 | 16 | 21 | 25 | 26 => return Err("list"),
        13 => return Err("structure"),
        14 => return Err("union"),
        15 => return Err("fixed-size binary"),
        17 => return Err("map"),
        18 => Kind::Seconds { bytes: 8, per_second: unit(0, 1) },
        19 | 20 => Kind::Text { bytes: 8 },
        22 => return Err("run-end encoded"),
        23 | 24 => Kind::View,
        _ => return Err("unknown to this version"),
    })
}

fn integer(details: Flat<'_>) -> Kind {
    let bytes = match details.int(0, 0) {
        bits @ (8 | 16 | 32 | 64) => bits as usize / 8,
        _ => 4,
    };
    Kind::Integer { bytes, signed: details.byte(1) != 0 }
}
