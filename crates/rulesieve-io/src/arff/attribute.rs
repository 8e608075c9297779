//! One `@attribute` declaration.

use std::collections::HashSet;

use super::token::Tokens;
use crate::{error::ReadError, source::Input, text::shown};

const NAME_BYTES: usize = 1000;

/// A declared column.
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// The type of a column.
pub(super) enum Kind {
    Numeric,
    Nominal(NominalSet),
    Text,
    Date,
}

/// The values of a nominal column in the declared order.
pub(super) struct NominalSet {
    values: Vec<String>,
    lookup: HashSet<String>,
}

impl NominalSet {
    /// The value of cells omitted by sparse rows.
    pub(super) fn first(&self) -> &str {
        self.values.first().map_or("", String::as_str)
    }
}

impl Attribute {
    /// Parses a declaration after its keyword: name and type.
    pub(super) fn parse(input: &Input, line: usize, declaration: &str) -> Result<Self, ReadError> {
        let mut tokens = Tokens::new(input, line, declaration);
        let name = tokens.value(&[' ', '\t', '{'])?.text;
        if name.len() > NAME_BYTES {
            let problem = format!("the attribute's name ('{}') has {} bytes, more than 1000", shown(&name), name.len());
            return Err(input.line_error(line, problem));
        }
        if tokens.skip('{') {
            let kind = Kind::Nominal(parse_set(input, line, &name, &mut tokens)?);
            return Ok(Self { name, kind });
        }
        let kind = tokens.value(&[' ', '\t'])?.text;
        let kind = match kind.to_ascii_lowercase().as_str() {
            "numeric" | "real" | "integer" => Kind::Numeric,
            "string" => Kind::Text,
            "date" => Kind::Date,
            "relational" => {
                let what = format!("the relational attribute '{}' on line {line}", shown(&name));
                return Err(input.unsupported(what, "save its parts as separate columns"));
            }
            _ => {
                let problem = format!(
                    "attribute '{}' has the unknown type '{}'; known are numeric, real, integer, string, date and {{a,b}}",
                    shown(&name),
                    shown(&kind)
                );
                return Err(input.line_error(line, problem));
            }
        };
        Ok(Self { name, kind })
    }

    /// Whether a cell is a valid value of this column.
    pub(super) fn allows(&self, cell: &str) -> bool {
        match &self.kind {
            Kind::Nominal(set) => set.lookup.contains(cell),
            _ => true,
        }
    }

    /// The allowed values, for an error message.
    pub(super) fn describe_set(&self) -> String {
        match &self.kind {
            Kind::Nominal(set) => {
                let some: Vec<String> = set.values.iter().take(10).map(|value| shown(value)).collect();
                let more = if set.values.len() > some.len() { ", ..." } else { "" };
                format!("one of {{{}{more}}} or ?", some.join(", "))
            }
            _ => "a text".to_owned(),
        }
    }
}

fn parse_set(input: &Input, line: usize, name: &str, tokens: &mut Tokens<'_>) -> Result<NominalSet, ReadError> {
    let mut set = NominalSet { values: Vec::new(), lookup: HashSet::new() };
    loop {
        let value = tokens.value(&[',', '}'])?.text;
        let problem = if value.is_empty() {
            "has an empty value in its set"
        } else if !set.lookup.insert(value.clone()) {
            "repeats a value of its set"
        } else {
            set.values.push(value);
            if tokens.skip(',') {
                continue;
            }
            if tokens.skip('}') {
                break;
            }
            "has a set that is not closed with '}'"
        };
        return Err(input.line_error(line, format!("attribute '{}' {problem}", shown(name))));
    }
    tokens.end()?;
    Ok(set)
}
