//! The data sets of the paper: what each must hold, and where anyone can get it (`data/datasets.json`).

use crate::{Cause, ReproduceError};
use rulesieve::data::{CategoricalCoding, Dataset, DatasetOptions, KeepSuspicious, Missing, Target};
use rulesieve_eval::evaluate::digest;
use rulesieve_io::{ReadOptions, Source};
use serde::Deserialize;
use std::path::Path;

/// The set of the picture experiment, which is in none of the tables.
pub const FACES: &str = "orl";

/// A data set and its required contents.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSet {
    /// Its name here.
    pub name: String,
    /// Its name in the paper.
    pub title: String,
    /// The file in the folder of data sets.
    pub file: String,
    /// SHA-256 of names, values and target as they are read, whatever the format of the file.
    pub sha256: String,
    /// Rows.
    pub samples: usize,
    /// Columns besides the target.
    pub features: usize,
    /// Classes that occur.
    pub classes: usize,
    /// Cells without a value.
    pub missing: usize,
    /// The archive of the original.
    pub archive: String,
    /// Its number or name there.
    pub entry: String,
    /// Licence, as far as known.
    pub rights: String,
    /// Peculiarities of the data.
    pub oddities: String,
}

#[derive(Deserialize)]
struct Manifest {
    target: String,
    sets: Vec<DataSet>,
}

/// The built-in manifest.
const MANIFEST: &str = include_str!("../data/datasets.json");

/// All data sets, in the order of the paper's table, ORL among them.
///
/// # Errors
/// A manifest that cannot be read.
pub fn data_sets() -> Result<Vec<DataSet>, ReproduceError> {
    Ok(manifest()?.sets)
}

/// The name of the target column in every file.
pub(crate) fn target() -> Result<String, ReproduceError> {
    Ok(manifest()?.target)
}

fn manifest() -> Result<Manifest, ReproduceError> {
    serde_json::from_str(MANIFEST).map_err(|error| ReproduceError::Embedded { file: "datasets.json", error })
}

impl DataSet {
    /// Reads it from a folder.
    ///
    /// # Errors
    /// A file that is absent, is no such table, or holds something else.
    pub fn read(&self, folder: &Path) -> Result<Dataset, ReproduceError> {
        let path = folder.join(&self.file);
        if !path.is_file() {
            return Err(ReproduceError::Absent { name: self.name.clone(), path: path.display().to_string() });
        }
        let data = self.read_from(&Source::Path(path))?;
        if digest(&data) != self.sha256 {
            return Err(ReproduceError::OtherData { name: self.name.clone(), file: self.file.clone() });
        }
        Ok(data)
    }

    /// Reads it from what its file holds, or would hold.
    pub(crate) fn read_from(&self, source: &Source) -> Result<Dataset, ReproduceError> {
        let fault = |error: Cause| ReproduceError::Data { name: self.name.clone(), error };
        let table = rulesieve_io::read(source, &ReadOptions::default()).map_err(|error| fault(error.into()))?;
        let target = target()?;
        // The paper uses every column.
        let keep_suspicious = KeepSuspicious::All;
        let options =
            DatasetOptions::new(Target::named(target)).missing(Missing::Median).keep_suspicious(keep_suspicious);
        let options = options.coding(CategoricalCoding::Ordinal);
        Dataset::new(table, &options).map_err(|error| fault(error.into()))
    }
}
