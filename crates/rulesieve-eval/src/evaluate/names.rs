//! Parsing and printing of enumerated options.

use std::fmt;

/// An invalid value of an option.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{value}' is not a valid {option}; use {allowed}")]
pub struct ParseOptionError {
    /// The value.
    pub value: String,
    /// The option.
    pub option: &'static str,
    /// The allowed values.
    pub allowed: String,
}

impl ParseOptionError {
    /// Truncates long values.
    pub(crate) fn new(value: &str, option: &'static str, allowed: impl fmt::Display) -> Self {
        Self { value: value.chars().take(60).collect(), option, allowed: allowed.to_string() }
    }
}

/// Implements `NAMES`, `name`, `Display` and `FromStr` for an enum with named variants.
macro_rules! named {
    ($type:ident, $option:literal, $($variant:ident => $name:literal),+) => {
        impl $type {
            /// All names.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// The name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::evaluate::ParseOptionError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($name => Ok(Self::$variant),)+
                    _ => Err($crate::evaluate::ParseOptionError::new(text, $option, Self::NAMES.join(", "))),
                }
            }
        }
    };
}

pub(super) use named;
