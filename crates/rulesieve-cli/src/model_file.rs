//! Reads saved selections and models.

use anyhow::{Context, Result, anyhow, bail};
use rulesieve::model::{Model, Predictor};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Maximum file size in bytes; a million features with names of usual length need half of it.
const MAX_BYTES: u64 = 1 << 28;

/// The part that all versions of a format have.
#[derive(Deserialize)]
struct Versioned {
    schema: String,
}

/// Parses a record. Checks its version first, because errors about missing fields of another version would mislead.
pub(crate) fn parse_record<T: DeserializeOwned, E: Error + Send + Sync + 'static>(
    text: &str,
    path: &Path,
    what: &str,
    check_schema: impl FnOnce(&str) -> Result<(), E>,
) -> Result<T> {
    let context = || format!("cannot use the {what} {}", path.display());
    let versioned: Versioned =
        serde_json::from_str(text).map_err(|error| not_a_record(what, &error)).with_context(context)?;
    check_schema(&versioned.schema).with_context(context)?;
    serde_json::from_str(text).with_context(context)
}

/// Creates the error for a file without a version.
fn not_a_record(what: &str, error: &serde_json::Error) -> anyhow::Error {
    if error.is_eof() {
        anyhow!("the file is truncated ({error}); write or copy it again")
    } else {
        anyhow!("it is not a {what} written by rulesieve ({error}); the {what} comes first, then the table")
    }
}

/// Reads the text of a file.
pub(crate) fn read_text(path: &Path, what: &str) -> Result<String> {
    let file = || limited(File::open(path)?, what);
    file().with_context(|| format!("cannot use the {what} {}", path.display()))
}

/// Reads the text on standard input.
pub(crate) fn read_standard_input(what: &str) -> Result<String> {
    limited(std::io::stdin().lock(), what).with_context(|| format!("cannot use the {what} on standard input"))
}

fn limited(from: impl Read, what: &str) -> Result<String> {
    let mut text = String::new();
    from.take(MAX_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        bail!("it has more than {MAX_BYTES} bytes, the maximum for a {what}");
    }
    Ok(text)
}

/// Reads and checks a model.
pub(crate) fn read_model(path: &Path) -> Result<Predictor> {
    let text = read_text(path, "model")?;
    let model: Model = parse_record(&text, path, "model", Model::check_schema)?;
    Predictor::new(model).with_context(|| format!("cannot use the model {}", path.display()))
}
