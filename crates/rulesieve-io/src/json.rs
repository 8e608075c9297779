//! JSON: an object per line, or an array of objects, with numbers, booleans, texts and null as values.

use std::{collections::HashMap, fmt};

use rulesieve::data::{Column, Table};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::{
    cells::Cells,
    encoding::decode,
    error::ReadError,
    options::{Limits, ReadOptions},
    source::Input,
    text::shown,
};

/// Reads a table.
pub(crate) fn read(input: &Input, options: &ReadOptions) -> Result<Table, ReadError> {
    let (text, warning) = decode(input, options)?;
    let text = text.as_ref();
    let mut rows =
        Rows { input, limits: &options.limits, columns: Vec::new(), index: HashMap::new(), rows: 0, over: None };
    let done = if text.trim_start().starts_with('[') {
        let mut json = serde_json::Deserializer::from_str(text);
        json.deserialize_seq(Objects(&mut rows)).and_then(|()| json.end())
    } else {
        rows.read_lines(text)
    };
    if let Some(over) = rows.over {
        return Err(over);
    }
    done.map_err(|error| {
        let problem = error.to_string();
        // The position is at the end of the message too.
        let problem = problem.rsplit_once(" at line ").map_or(problem.as_str(), |(problem, _)| problem);
        input.line_error(
            error.line(),
            format!("{}; write an object of numbers, texts or null for each row", shown(problem)),
        )
    })?;
    let mut table = rows.into_table()?;
    table.warnings.extend(warning);
    Ok(table)
}

struct Rows<'a> {
    input: &'a Input,
    limits: &'a Limits,
    columns: Vec<Field>,
    index: HashMap<String, usize>,
    rows: usize,
    /// The limit that was exceeded, which ends the reading.
    over: Option<ReadError>,
}

struct Field {
    name: String,
    cells: Cells,
}

impl Rows<'_> {
    fn read_lines(&mut self, text: &str) -> Result<(), serde_json::Error> {
        // One deserializer for all lines, so that errors have the line of the file.
        let mut json = serde_json::Deserializer::from_str(text);
        while json.end().is_err() {
            json.deserialize_map(Object(self))?;
        }
        Ok(())
    }

    /// The column of a key, which is new or has no cell in this row.
    fn field<E: serde::de::Error>(&mut self, name: &str) -> Result<usize, E> {
        if let Some(&at) = self.index.get(name) {
            if self.columns[at].cells.len() > self.rows {
                return Err(E::custom(format!("the key '{}' appears twice", shown(name))));
            }
            self.columns[at].cells.fill(self.rows);
            return Ok(at);
        }
        let at = self.columns.len();
        self.check(self.rows + 1, at + 1)?;
        let mut cells = Cells::Numbers(Vec::new());
        cells.fill(self.rows);
        self.columns.push(Field { name: name.to_owned(), cells });
        self.index.insert(name.to_owned(), at);
        Ok(at)
    }

    fn check<E: serde::de::Error>(&mut self, rows: usize, columns: usize) -> Result<(), E> {
        self.limits.check_shape(self.input, rows, columns).map_err(|over| {
            self.over = Some(over);
            E::custom("limit")
        })
    }

    fn into_table(self) -> Result<Table, ReadError> {
        if self.rows == 0 {
            return Err(self.input.empty("is empty"));
        }
        if self.columns.is_empty() {
            return Err(self.input.content("the objects have no keys"));
        }
        let columns = self.columns.into_iter().map(|mut field| {
            field.cells.fill(self.rows);
            Column { name: field.name, data: field.cells.into_data() }
        });
        Table::new(columns.collect()).map_err(|error| self.input.table_error(error))
    }
}

/// An array of rows.
struct Objects<'r, 'a>(&'r mut Rows<'a>);

impl<'de> Visitor<'de> for Objects<'_, '_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an array of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<(), A::Error> {
        while rows.next_element_seed(Object(self.0))?.is_some() {}
        Ok(())
    }
}

/// One row.
struct Object<'r, 'a>(&'r mut Rows<'a>);

impl<'de> DeserializeSeed<'de> for Object<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Object<'_, '_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let rows = self.0;
        rows.check(rows.rows + 1, rows.columns.len())?;
        while let Some(at) = map.next_key_seed(Key(rows))? {
            let field = &mut rows.columns[at];
            map.next_value_seed(Value(field))?;
        }
        rows.rows += 1;
        Ok(())
    }
}

struct Key<'r, 'a>(&'r mut Rows<'a>);

impl<'de> DeserializeSeed<'de> for Key<'_, '_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<usize, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_, '_> {
    type Value = usize;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a key")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<usize, E> {
        self.0.field(name)
    }
}

/// A cell.
struct Value<'r>(&'r mut Field);

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl Value<'_> {
    fn nested<E: serde::de::Error>(&self, what: &str) -> E {
        E::custom(format!("the value of '{}' is {what}", shown(&self.0.name)))
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a number, text, boolean or null")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.0.cells.push_missing();
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.0.cells.push_number(Some(f64::from(u8::from(value))));
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.0.cells.push_integer(Some(value.into()));
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.0.cells.push_integer(Some(value.into()));
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.0.cells.push_number(Some(value));
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.0.cells.push_text(text);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(self.nested("an array"))
    }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(self.nested("an object"))
    }
}
