//! Warnings as JSON: an object with the kind, the message and the fields; plain texts can be read too.

use super::Warning;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for Warning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Fields<'a>(&'a Warning);
        impl Serialize for Fields<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Warning::serialize(self.0, serializer)
            }
        }
        #[derive(Serialize)]
        struct Object<'a> {
            #[serde(flatten)]
            fields: Fields<'a>,
            message: String,
        }
        Object { fields: Fields(self), message: self.to_string() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Warning {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Saved {
            Known(#[serde(deserialize_with = "Warning::deserialize")] Warning),
            Unknown { message: String },
            Text(String),
        }
        Ok(match Saved::deserialize(deserializer)? {
            Saved::Known(warning) => warning,
            Saved::Unknown { message: text } | Saved::Text(text) => Self::Message { text },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optim::Halt;

    #[test]
    fn warnings_survive_json_with_their_message() {
        let all = [
            Warning::Message { text: "something".to_owned() },
            Warning::QueryNumbersIgnored,
            Warning::Constant { columns: vec!["use --missing median".to_owned()] },
            Warning::EndedEarly { reason: Halt::OutOfTime, iteration: 7 },
            Warning::RareClasses { classes: vec![("a".to_owned(), 1), ("b".to_owned(), 2)], rows: 400 },
            Warning::PenaltyLowered { asked: 10.0, used: 0.1 },
        ];
        for warning in all {
            let text = serde_json::to_string(&warning).unwrap();
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(value["message"], warning.to_string(), "{text}");
            assert!(value["kind"].is_string() && text.matches("\"message\":").count() == 1, "{text}");
            assert_eq!(serde_json::from_str::<Warning>(&text).unwrap(), warning, "{text}");
        }
    }

    #[test]
    fn texts_unknown_kinds_and_unfinite_numbers_are_read_as_messages() {
        let message = |text: &str| Warning::Message { text: text.to_owned() };
        let read = |json: &str| serde_json::from_str::<Warning>(json).unwrap();
        assert_eq!(read("\"of an older file\""), message("of an older file"));
        assert_eq!(read(r#"{"kind": "of-a-newer-version", "message": "new", "rows": 3}"#), message("new"));
        let infinite = Warning::PenaltyLowered { asked: f64::INFINITY, used: 0.1 };
        assert_eq!(read(&serde_json::to_string(&infinite).unwrap()), message(&infinite.to_string()));
    }
}
