//! Conversion of the archives' files into the form of the manifest, and checks.
//!
//! | module | contents |
//! |---|---|
//! | `recipe` | the files and their layouts (`data/originals.json`) |
//! | `convert` | conversion |
//! | `difference` | differences from the manifest |

mod convert;
mod difference;
mod recipe;

pub use recipe::{Recipe, recipes};

use crate::ReproduceError;
use crate::manifest::DataSet;
use rulesieve_io::Source;
use std::path::{Path, PathBuf};

/// The result of a conversion or check.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Finding {
    /// The file; `None` if the data set is missing.
    pub file: Option<PathBuf>,
    /// Number of rows, and of columns besides the target, if the file could be read.
    pub shape: Option<(usize, usize)>,
    /// Differences from the manifest, or missing files; empty for a correct data set.
    pub differences: Vec<String>,
    /// The bytes of the manifest's file, after a conversion.
    pub content: Vec<u8>,
}

impl Finding {
    /// Returns whether the data set exists and agrees with the manifest.
    pub fn is_right(&self) -> bool {
        self.file.is_some() && self.differences.is_empty()
    }

    fn absent(missing: String) -> Self {
        Self { differences: vec![missing], ..Self::default() }
    }

    fn wrong(file: &Path, difference: String) -> Self {
        Self { file: Some(file.to_owned()), differences: vec![difference], ..Self::default() }
    }
}

/// Checks whether a folder contains a data set of the manifest.
///
/// # Errors
/// Fails if the manifest cannot be read.
pub fn check(set: &DataSet, recipe: &Recipe, folder: &Path) -> Result<Finding, ReproduceError> {
    let path = folder.join(&set.file);
    if !path.is_file() {
        return Ok(Finding::absent(format!("no file {}", set.file)));
    }
    checked(set, recipe, &path, &Source::Path(path.clone()))
}

/// Converts the original of a data set into the bytes of the manifest's file. Uses the first original that agrees with the manifest;
/// if none does, reports the differences of the first.
///
/// # Errors
/// Fails if the manifest cannot be read.
pub fn convert(set: &DataSet, recipe: &Recipe, folder: &Path) -> Result<Finding, ReproduceError> {
    let mut first = None;
    for (original, path) in recipe.found(folder) {
        let finding = match convert::csv(recipe, original, set, &path)? {
            Err(fault) => Finding::wrong(&path, fault),
            Ok(csv) => from_csv(set, recipe, &path, csv)?,
        };
        if finding.is_right() {
            return Ok(finding);
        }
        first.get_or_insert(finding);
    }
    Ok(first.unwrap_or_else(|| Finding::absent(recipe.missing(folder))))
}

/// Checks a converted text by reading it.
fn from_csv(set: &DataSet, recipe: &Recipe, path: &Path, csv: Vec<u8>) -> Result<Finding, ReproduceError> {
    let source = Source::Bytes { name: format!("{}.csv", set.name), bytes: csv };
    let mut finding = checked(set, recipe, path, &source)?;
    if let (true, Source::Bytes { bytes, .. }) = (finding.is_right(), source) {
        let fault = |error: std::io::Error| ReproduceError::Data { name: set.name.clone(), error: error.into() };
        finding.content = convert::packed(&set.file, bytes).map_err(fault)?;
    }
    Ok(finding)
}

fn checked(set: &DataSet, recipe: &Recipe, path: &Path, source: &Source) -> Result<Finding, ReproduceError> {
    let data = match set.read_from(source) {
        Ok(data) => data,
        Err(ReproduceError::Data { error, .. }) => return Ok(Finding::wrong(path, error.to_string())),
        Err(other) => return Err(other),
    };
    Ok(Finding {
        file: Some(path.to_owned()),
        shape: Some((data.samples(), data.features.len())),
        differences: difference::differences(set, recipe, &data),
        content: Vec::new(),
    })
}

#[cfg(test)]
mod tests;
