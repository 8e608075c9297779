//! The data sets of the paper, their required contents and their sources (`data/datasets.json`).

use crate::{Cause, ReproduceError};
use rulesieve::data::{CategoricalCoding, Dataset, DatasetOptions, KeepSuspicious, Missing, Target};
use rulesieve_eval::evaluate::digest;
use rulesieve_io::{ReadOptions, Source};
use serde::Deserialize;
use std::path::Path;

/// The data set of the picture experiment, which is not in the tables.
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
    /// SHA-256 of names, values and target as read, independent of the file format.
    pub sha256: String,
    /// Number of rows.
    pub samples: usize,
    /// Number of columns besides the target.
    pub features: usize,
    /// Number of classes that occur.
    pub classes: usize,
    /// Number of missing values.
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

/// Returns all data sets, in the order of the paper's table, including ORL.
///
/// # Errors
/// Fails if the manifest cannot be read.
pub fn data_sets() -> Result<Vec<DataSet>, ReproduceError> {
    Ok(manifest()?.sets)
}

/// Returns the name of the target column in all files.
pub(crate) fn target() -> Result<String, ReproduceError> {
    Ok(manifest()?.target)
}

fn manifest() -> Result<Manifest, ReproduceError> {
    serde_json::from_str(MANIFEST).map_err(|error| ReproduceError::Embedded { file: "datasets.json", error })
}

impl DataSet {
    /// Reads the data set from a folder.
    ///
    /// # Errors
    /// Fails if the file is missing, cannot be read, or differs from the manifest.
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

    /// Reads the data set from a source in the format of its file.
    pub(crate) fn read_from(&self, source: &Source) -> Result<Dataset, ReproduceError> {
        let fault = |error: Cause| ReproduceError::Data { name: self.name.clone(), error };
        let table = rulesieve_io::read(source, &ReadOptions::default()).map_err(|error| fault(error.into()))?;
        let target = target()?;
        // The paper uses every column.
        let keep_suspicious = KeepSuspicious::All;
        let options = DatasetOptions::new(Target::named(target).classification())
            .missing(Missing::Median)
            .keep_suspicious(keep_suspicious);
        let options = options.coding(CategoricalCoding::Ordinal);
        Dataset::new(table, &options).map_err(|error| fault(error.into()))
    }
}
