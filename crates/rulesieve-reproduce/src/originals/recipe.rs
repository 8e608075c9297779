//! Layouts of the archives' files (`data/originals.json`).

use crate::ReproduceError;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What a data set is made from.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The data set.
    pub name: String,
    /// The features as the manifest's file calls them.
    pub(super) names: Names,
    /// The classes as the manifest's file spells them, and their rows.
    pub(super) classes: BTreeMap<String, usize>,
    /// The files it can be made from, the archive's first.
    pub(super) originals: Vec<Original>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Names {
    List(Vec<String>),
    /// A prefix and a number with at least so many digits.
    Numbered {
        prefix: String,
        first: usize,
        digits: usize,
    },
}

/// One layout.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Original {
    /// Names under which copies of this layout go about.
    pub(super) files: Vec<String>,
    pub(super) form: Form,
    pub(super) label: Label,
    /// Columns that the manifest's file leaves out.
    #[serde(default)]
    pub(super) drop: Vec<String>,
    /// Columns whose names differ; files without names take all names in order.
    #[serde(default)]
    pub(super) rename: BTreeMap<String, String>,
    /// Classes whose spelling differs; then all are listed.
    #[serde(default)]
    pub(super) labels: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Form {
    /// Lines of cells between commas, no names.
    Comma,
    /// The same between blanks.
    Blanks,
    Arff,
    /// MATLAB, version 5: features in X.
    Matlab,
}

impl Form {
    /// Whether columns have names of their own; otherwise they are c1, c2 and so on.
    pub(super) fn has_names(self) -> bool {
        self == Self::Arff
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Label {
    /// A column, or a variable of MATLAB.
    Column(String),
    /// Not in the file: so many rows of each class, one class after the other.
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

/// All recipes, one for each data set, in the order of the manifest.
///
/// # Errors
/// A file that cannot be read.
pub fn recipes() -> Result<Vec<Recipe>, ReproduceError> {
    let all: Recipes =
        serde_json::from_str(RECIPES).map_err(|error| ReproduceError::Embedded { file: "originals.json", error })?;
    Ok(all.recipes)
}

impl Recipe {
    /// The files that are looked for.
    pub fn files(&self) -> Vec<&str> {
        self.originals.iter().flat_map(|original| &original.files).map(String::as_str).collect()
    }

    /// The names of so many features.
    pub(super) fn names(&self, features: usize) -> Vec<String> {
        match &self.names {
            Names::List(names) => names.clone(),
            Names::Numbered { prefix, first, digits } => {
                (*first..first + features).map(|number| format!("{prefix}{number:0digits$}")).collect()
            }
        }
    }

    /// The originals in a folder, or in a folder within: archives unpack into folders of their own.
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

    /// The files that are missing.
    pub(super) fn wanted(&self, folder: &Path) -> String {
        let (folders, files) = (folders(folder), self.files());
        // The archive packs some files in a way that is older than gzip's.
        let packed = files.iter().find_map(|file| first_of(&folders, &[&format!("{file}.Z")]));
        match packed {
            Some(path) => format!("{} is packed; unpack it first, for instance with `gzip -d`", path.display()),
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
