//! Layouts of the archives' files (`data/originals.json`).

use crate::ReproduceError;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The originals of a data set and their conversion.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The data set.
    pub name: String,
    /// The feature names in the manifest's file.
    pub(super) names: Names,
    /// The classes in the manifest's file, and their numbers of rows.
    pub(super) classes: BTreeMap<String, usize>,
    /// The files that can be converted, that of the archive first.
    pub(super) originals: Vec<Original>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Names {
    List(Vec<String>),
    /// A prefix and a number with a minimum number of digits.
    Numbered {
        prefix: String,
        first: usize,
        digits: usize,
    },
}

/// A file layout.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Original {
    /// File names of copies in this layout.
    pub(super) files: Vec<String>,
    pub(super) form: Form,
    pub(super) label: Label,
    /// Columns that are not in the manifest's file.
    #[serde(default)]
    pub(super) drop: Vec<String>,
    /// Columns whose names differ; files without names use all names in order.
    #[serde(default)]
    pub(super) rename: BTreeMap<String, String>,
    /// All classes, if the spelling of any differs.
    #[serde(default)]
    pub(super) labels: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Form {
    /// Comma-separated cells without column names.
    Comma,
    /// Cells separated by blanks, without column names.
    Blanks,
    Arff,
    /// MATLAB, version 5: features in X.
    Matlab,
}

impl Form {
    /// Returns whether columns have names; otherwise they are c1, c2 and so on.
    pub(super) fn has_names(self) -> bool {
        self == Self::Arff
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Label {
    /// A column, or a MATLAB variable.
    Column(String),
    /// Not in the file: a fixed number of rows per class, one class after the other.
    Blocks { rows: usize, labels: Vec<String> },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recipes {
    #[serde(rename = "schema")]
    _schema: String,
    recipes: Vec<Recipe>,
}

/// The built-in recipes.
const RECIPES: &str = include_str!("../../data/originals.json");

/// Returns all recipes, one for each data set, in the order of the manifest.
///
/// # Errors
/// Fails if the built-in file cannot be read.
pub fn recipes() -> Result<Vec<Recipe>, ReproduceError> {
    let all: Recipes =
        serde_json::from_str(RECIPES).map_err(|error| ReproduceError::Embedded { file: "originals.json", error })?;
    Ok(all.recipes)
}

impl Recipe {
    /// Returns the names of all original files.
    pub fn files(&self) -> Vec<&str> {
        self.originals.iter().flat_map(|original| &original.files).map(String::as_str).collect()
    }

    /// Returns the names of the features.
    pub(super) fn names(&self, features: usize) -> Vec<String> {
        match &self.names {
            Names::List(names) => names.clone(),
            Names::Numbered { prefix, first, digits } => {
                (*first..first + features).map(|number| format!("{prefix}{number:0digits$}")).collect()
            }
        }
    }

    /// Finds the originals in a folder and its subfolders, into which archives unpack.
    pub(super) fn found(&self, folder: &Path) -> Vec<(&Original, PathBuf)> {
        let folders = folders(folder);
        let mut all = Vec::new();
        for original in &self.originals {
            for file in &original.files {
                all.extend(first_of(&folders, &[file, &format!("{file}.gz")]).map(|path| (original, path)));
            }
        }
        all
    }

    /// Describes the missing files.
    pub(super) fn missing(&self, folder: &Path) -> String {
        let (folders, files) = (folders(folder), self.files());
        // The archive compresses some files in an older format than gzip.
        let compressed = files.iter().find_map(|file| first_of(&folders, &[&format!("{file}.Z")]));
        match compressed {
            Some(path) => format!("{} is compressed; unpack it first, for instance with `gzip -d`", path.display()),
            None => format!("no file {}", files.join(" or ")),
        }
    }
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut within: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    within.sort();
    within.insert(0, folder.to_owned());
    within
}

fn first_of(folders: &[PathBuf], names: &[&str]) -> Option<PathBuf> {
    folders.iter().flat_map(|folder| names.iter().map(|name| folder.join(name))).find(|path| path.is_file())
}
