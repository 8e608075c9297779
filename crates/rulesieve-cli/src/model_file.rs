//! Records that were written before: read within limits, their version first.

use anyhow::{Context, Result, anyhow, bail};
use rulesieve::model::{Model, Predictor};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A file larger than this is no record: a million features with names of usual length need half of it.
const LARGEST_FILE: u64 = 1 << 28;

/// The part of a record that every version of its format has.
#[derive(Deserialize)]
struct Versioned {
    schema: String,
}

/// Reads a record. Its version comes first: a file of another version may lack fields, and naming those would mislead.
pub(crate) fn read_record<T: DeserializeOwned, E: Error + Send + Sync + 'static>(
    path: &Path,
    what: &str,
    check_schema: impl FnOnce(&str) -> Result<(), E>,
) -> Result<T> {
    let context = || format!("cannot use the {what} {}", path.display());
    let text = read_text(path, what).with_context(context)?;
    let versioned: Versioned =
        serde_json::from_str(&text).map_err(|error| foreign(what, &error)).with_context(context)?;
    check_schema(&versioned.schema).with_context(context)?;
    serde_json::from_str(&text).with_context(context)
}

/// What is wrong with a file that does not even have a version.
fn foreign(what: &str, error: &serde_json::Error) -> anyhow::Error {
    if error.is_eof() {
        anyhow!("the file ends too early ({error}); write or copy it again")
    } else {
        anyhow!("it is no {what} that rulesieve wrote ({error}); the {what} comes first, then the table")
    }
}

fn read_text(path: &Path, what: &str) -> Result<String> {
    let mut text = String::new();
    File::open(path)?.take(LARGEST_FILE + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LARGEST_FILE {
        bail!("it has more than {LARGEST_FILE} bytes, which no {what} has");
    }
    Ok(text)
}

/// Reads and checks a model.
pub(crate) fn read_model(path: &Path) -> Result<Predictor> {
    let model: Model = read_record(path, "model", Model::check_schema)?;
    Predictor::new(model).with_context(|| format!("cannot use the model {}", path.display()))
}
