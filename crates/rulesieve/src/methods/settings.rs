//! Parameters of methods: declared once with default, range and purpose, and checked once.

use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Value of a parameter that depends on the data.
pub const AUTO: &str = "auto";

/// Declaration of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct ParamSpec {
    /// The name.
    pub name: &'static str,
    /// The default value.
    pub default: ParamValue,
    /// The allowed values.
    pub range: ParamRange,
    /// The purpose, in one line.
    pub purpose: &'static str,
}

/// A parameter with values of one type: [`f64`], [`usize`], [`Option<usize>`] (`None`: depends on the data) or a word.
#[derive(Debug, Clone, PartialEq)]
pub struct Param<T> {
    pub(crate) spec: ParamSpec,
    pub(crate) default: T,
}

impl<T> std::ops::Deref for Param<T> {
    type Target = ParamSpec;

    fn deref(&self) -> &ParamSpec {
        &self.spec
    }
}

/// Declares a parameter; its range determines the type of its values.
macro_rules! param {
    ($id:ident, $name:literal, $value:ident($default:expr), Number($($range:tt)*), $purpose:literal $(,)?) => {
        $crate::methods::settings::param!(@ f64, $default, $id, $name, $crate::methods::settings::ParamValue::Number($default), Number($($range)*), $purpose);
    };
    ($id:ident, $name:literal, $value:ident($default:expr), Whole($($range:tt)*), $purpose:literal $(,)?) => {
        $crate::methods::settings::param!(@ usize, $default, $id, $name, $crate::methods::settings::ParamValue::Whole($default), Whole($($range)*), $purpose);
    };
    ($id:ident, $name:literal, $value:ident($default:expr), WholeOrAuto($($range:tt)*), $purpose:literal $(,)?) => {
        $crate::methods::settings::param!(@ Option<usize>, None, $id, $name, $crate::methods::settings::ParamValue::Word($default), WholeOrAuto($($range)*), $purpose);
    };
    ($id:ident, $name:literal, $value:ident($default:expr), OneOf($($range:tt)*), $purpose:literal $(,)?) => {
        $crate::methods::settings::param!(@ &'static str, $default, $id, $name, $crate::methods::settings::ParamValue::Word($default), OneOf($($range)*), $purpose);
    };
    (@ $type:ty, $default:expr, $id:ident, $name:literal, $value:expr, $range:ident($($bounds:tt)*), $purpose:literal) => {
        static $id: $crate::methods::settings::Param<$type> = $crate::methods::settings::Param {
            spec: $crate::methods::settings::ParamSpec {
                name: $name,
                default: $value,
                range: $crate::methods::settings::ParamRange::$range($($bounds)*),
                purpose: $purpose,
            },
            default: $default,
        };
    };
}
pub(crate) use param;

/// Declares parameters as a table, `ID = name, default, range, purpose;`, and the list of all.
macro_rules! params {
    ($visibility:vis $specs:ident: $($id:ident = $name:literal, $value:ident($default:expr),
        $range:ident($($bounds:tt)*), $purpose:literal;)+) => {
        $($crate::methods::settings::param!($id, $name, $value($default), $range($($bounds)*), $purpose);)+
        $visibility static $specs: [&$crate::methods::settings::ParamSpec; [$($name),+].len()] = [$(&$id.spec),+];
    };
}
pub(crate) use params;

/// The allowed values of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParamRange {
    /// A number between two inclusive bounds.
    Number(f64, f64),
    /// A whole number between two inclusive bounds.
    Whole(u64, u64),
    /// A whole number between two inclusive bounds, or `auto`: a value that depends on the data.
    WholeOrAuto(u64, u64),
    /// One of several words.
    OneOf(&'static [&'static str]),
}

/// The value of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ParamValue {
    /// A number.
    Number(f64),
    /// A whole number.
    Whole(u64),
    /// A word.
    Word(&'static str),
}

/// An invalid parameter.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum ParamError {
    /// An unknown name.
    #[error("{owner} has no parameter '{name}'; it has {}", listed(known))]
    Unknown { owner: &'static str, name: String, known: Vec<&'static str> },
    /// A value outside of the allowed range.
    #[error("parameter {name} = {value} is not allowed; it must be {allowed}")]
    OutOfRange { name: &'static str, value: String, allowed: String },
    /// A parameter set twice.
    #[error("parameter {name} is set twice")]
    Twice { name: &'static str },
}

/// `a, b` or `none`, for use after "it has".
fn listed(known: &[&str]) -> String {
    if known.is_empty() { "none".to_owned() } else { known.join(", ") }
}

impl ParamSpec {
    /// Parses and checks a value.
    pub fn parse(&self, text: &str) -> Result<ParamValue, ParamError> {
        let text = text.trim();
        let value = match self.range {
            ParamRange::Number(low, high) => {
                text.parse().ok().filter(|v| (low..=high).contains(v)).map(ParamValue::Number)
            }
            ParamRange::WholeOrAuto(..) if text == AUTO => Some(ParamValue::Word(AUTO)),
            ParamRange::Whole(low, high) | ParamRange::WholeOrAuto(low, high) => {
                text.parse().ok().filter(|v| (low..=high).contains(v)).map(ParamValue::Whole)
            }
            ParamRange::OneOf(words) => words.iter().find(|&&word| word == text).map(|word| ParamValue::Word(word)),
        };
        value.ok_or_else(|| self.out_of_range(text, self.range.to_string()))
    }

    /// The error for a value that the data does not allow.
    pub fn out_of_range(&self, value: impl fmt::Display, allowed: impl Into<String>) -> ParamError {
        ParamError::OutOfRange { name: self.name, value: value.to_string(), allowed: allowed.into() }
    }
}

impl fmt::Display for ParamRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(low, high) => write!(f, "a number from {low} to {high}"),
            Self::Whole(low, high) => write!(f, "a whole number from {low} to {high}"),
            Self::WholeOrAuto(low, high) => write!(f, "a whole number from {low} to {high}, or {AUTO}"),
            Self::OneOf(words) => write!(f, "one of: {}", words.join(", ")),
        }
    }
}

impl fmt::Display for ParamValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(value) => write!(f, "{value}"),
            Self::Whole(value) => write!(f, "{value}"),
            Self::Word(value) => write!(f, "{value}"),
        }
    }
}

/// Checked values of all parameters of a method.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(transparent)]
pub struct Settings {
    values: BTreeMap<&'static str, ParamValue>,
}

impl Settings {
    /// The defaults of a list of parameters with some of them set; `-` may replace `_` in names.
    pub fn new<N: AsRef<str>, V: AsRef<str>>(
        owner: &'static str,
        specs: &[&'static ParamSpec],
        set: impl IntoIterator<Item = (N, V)>,
    ) -> Result<Self, ParamError> {
        let mut values = BTreeMap::new();
        for (name, value) in set {
            let wanted = name.as_ref().trim().replace('-', "_");
            let spec = specs.iter().find(|spec| spec.name == wanted).ok_or_else(|| ParamError::Unknown {
                owner,
                name: name.as_ref().to_owned(),
                known: specs.iter().map(|spec| spec.name).collect(),
            })?;
            if values.insert(spec.name, spec.parse(value.as_ref())?).is_some() {
                return Err(ParamError::Twice { name: spec.name });
            }
        }
        for spec in specs {
            values.entry(spec.name).or_insert(spec.default);
        }
        Ok(Self { values })
    }

    /// The defaults of a list of parameters.
    pub fn defaults(specs: &[&'static ParamSpec]) -> Self {
        Self { values: specs.iter().map(|spec| (spec.name, spec.default)).collect() }
    }

    fn value(&self, spec: &ParamSpec) -> ParamValue {
        self.values.get(spec.name).copied().unwrap_or(spec.default)
    }

    /// The value of a numeric parameter.
    pub fn number(&self, param: &Param<f64>) -> f64 {
        match self.value(param) {
            ParamValue::Number(value) => value,
            ParamValue::Whole(value) => value as f64,
            ParamValue::Word(_) => param.default,
        }
    }

    /// The value of a whole-number parameter.
    pub fn whole(&self, param: &Param<usize>) -> usize {
        match self.value(param) {
            ParamValue::Whole(value) => usize::try_from(value).unwrap_or(usize::MAX),
            ParamValue::Number(_) | ParamValue::Word(_) => param.default,
        }
    }

    /// The value of a whole-number parameter; `None` for `auto`.
    pub fn auto_whole(&self, param: &Param<Option<usize>>) -> Option<usize> {
        match self.value(param) {
            ParamValue::Whole(value) => Some(usize::try_from(value).unwrap_or(usize::MAX)),
            ParamValue::Number(_) | ParamValue::Word(_) => param.default,
        }
    }

    /// The value of a parameter with a list of words.
    pub fn word(&self, param: &Param<&'static str>) -> &'static str {
        match self.value(param) {
            ParamValue::Word(value) => value,
            ParamValue::Number(_) | ParamValue::Whole(_) => param.default,
        }
    }

    /// The settings with another value of one parameter.
    pub(crate) fn with(&self, name: &'static str, value: ParamValue) -> Self {
        let mut values = self.values.clone();
        values.insert(name, value);
        Self { values }
    }

    /// All names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, ParamValue)> + '_ {
        self.values.iter().map(|(&name, &value)| (name, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    param!(RATE, "step_rate", N(0.5), Number(0.1, 1.0), "");
    param!(SIZE, "size", W(3), Whole(1, 9), "");
    param!(RULES, "rules", Word(AUTO), WholeOrAuto(1, 9), "");
    static SPECS: [&ParamSpec; 3] = [&RATE.spec, &SIZE.spec, &RULES.spec];

    #[test]
    fn fills_in_defaults_and_accepts_dashes() {
        let settings = Settings::new("m", &SPECS, [("step-rate", "0.25")]).unwrap();
        assert_eq!((settings.number(&RATE), settings.whole(&SIZE), settings.auto_whole(&RULES)), (0.25, 3, None));
        let settings = Settings::new("m", &SPECS, [("rules", "4")]).unwrap();
        assert_eq!(settings.auto_whole(&RULES), Some(4));
    }

    #[test]
    fn errors_name_parameter_value_and_range() {
        for bad in ["0", "-1", "NaN", "1e300", "inf", "", "abc"] {
            let message = Settings::new("m", &SPECS, [("step_rate", bad)]).unwrap_err().to_string();
            assert!(message.contains("step_rate") && message.contains("from 0.1 to 1"), "{bad}: {message}");
        }
        for bad in ["0", "-1", "10", "2.5", "99999999999999999999"] {
            let message = Settings::new("m", &SPECS, [("size", bad)]).unwrap_err().to_string();
            assert!(message.contains("whole number from 1 to 9"), "{bad}: {message}");
        }
        let unknown = Settings::new("m", &SPECS, [("sise", "1")]).unwrap_err().to_string();
        assert!(unknown.contains("'sise'") && unknown.contains("step_rate, size, rules"), "{unknown}");
        let twice = Settings::new("m", &SPECS, [("size", "1"), ("size", "2")]).unwrap_err();
        assert_eq!(twice, ParamError::Twice { name: "size" });
    }
}
