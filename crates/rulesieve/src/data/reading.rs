//! How the cells of a table were read, saved with results so that new tables are read alike.

use super::DateOrder;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What decides the meaning of cells in a file: inferred from all cells, or given.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Reading {
    /// The decimal mark, if some number has one or separators of thousands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal: Option<char>,
    /// The order of day and month in columns with dates such as 3/4/2024.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub dates: BTreeMap<String, DateOrder>,
    /// Values that stand for missing cells, besides the customary ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub na_values: Vec<String>,
    /// The delimiter, unless it is the comma.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// Rows that begin with this were skipped, if it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The encoding, if it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Whether the first row has the names, if it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
}

impl Reading {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
