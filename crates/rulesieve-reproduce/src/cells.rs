//! The records behind the tables: a folder for each protocol, a file for each data set, a line for each contest.

use crate::ReproduceError;
use rulesieve_eval::evaluate::Cell;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What one contest gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The method that was judged.
    pub contest: String,
    /// Which part of its settings, and of how many.
    pub part: (usize, usize),
    /// SHA-256 of everything that was asked: data, splits, settings, version.
    pub key: String,
    /// The version of the program.
    pub version: String,
    /// SHA-256 of names, values and target.
    pub data: String,
    /// The method, and the baselines where they were asked for.
    pub cells: Vec<Cell>,
}

impl Line {
    /// What parts of one grid must have in common.
    fn origin(&self) -> (&str, &str) {
        (&self.version, &self.data)
    }
}

/// All lines of all data sets under one protocol.
#[derive(Debug, Clone, Default)]
pub struct Store {
    folder: PathBuf,
    sets: BTreeMap<String, Vec<Line>>,
}

impl Store {
    /// Reads what is there; a folder that does not exist is empty.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn open(folder: &Path) -> Result<Self, ReproduceError> {
        let mut sets = BTreeMap::new();
        let fault = |path: &Path| {
            let path = path.display().to_string();
            move |error: String| ReproduceError::Records { path, error }
        };
        if folder.is_dir() {
            for entry in fs::read_dir(folder).map_err(|error| fault(folder)(error.to_string()))? {
                let path = entry.map_err(|error| fault(folder)(error.to_string()))?.path();
                let (Some("jsonl"), Some(name)) = (path.extension().and_then(|e| e.to_str()), path.file_stem()) else {
                    continue;
                };
                let text = fs::read_to_string(&path).map_err(|error| fault(&path)(error.to_string()))?;
                let line = |(at, text): (usize, &str)| {
                    serde_json::from_str(text).map_err(|error| fault(&path)(format!("line {}: {error}", at + 1)))
                };
                let lines = text.lines().enumerate().map(line).collect::<Result<Vec<Line>, _>>()?;
                sets.insert(name.to_string_lossy().into_owned(), lines);
            }
        }
        Ok(Self { folder: folder.to_owned(), sets })
    }

    /// Whether a contest with the same key is there.
    pub fn holds(&self, set: &str, key: &str) -> bool {
        self.sets.get(set).is_some_and(|lines| lines.iter().any(|line| line.key == key))
    }

    /// Keeps a line in place of one of the same contest, on the disk when this returns.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn keep(&mut self, set: &str, line: Line) -> Result<(), ReproduceError> {
        let lines = self.sets.entry(set.to_owned()).or_default();
        // Another division of the grid, another version or other data replace all parts of the old one.
        let fits = |old: &Line| old.part.1 == line.part.1 && old.part.0 != line.part.0 && old.origin() == line.origin();
        lines.retain(|old| old.contest != line.contest || fits(old));
        lines.push(line);
        lines.sort_by(|a, b| (&a.contest, a.part).cmp(&(&b.contest, b.part)));
        let path = self.folder.join(format!("{set}.jsonl"));
        let fault = |error: std::io::Error| ReproduceError::Records {
            path: path.display().to_string(),
            error: error.to_string(),
        };
        fs::create_dir_all(&self.folder).map_err(fault)?;
        rulesieve_io::write_atomically(&path, |file| {
            for line in lines.iter() {
                serde_json::to_writer(&mut *file, line)?;
                file.write_all(b"\n")?;
            }
            Ok(())
        })
        .map_err(fault)
    }

    /// How many settings of a method are kept, by a version.
    pub fn settings(&self, set: &str, method: &str, version: &str) -> usize {
        let lines = self.sets.get(set).map(Vec::as_slice).unwrap_or_default();
        let own = lines.iter().filter(|line| line.contest == method && line.version == version);
        own.flat_map(|line| &line.cells).filter(|cell| cell.method == method).map(|cell| cell.points.len()).sum()
    }

    /// The cells of a data set by name, parts of a grid put together; left out are methods whose parts are not all there, come from
    /// different versions, or are about other data than that of this hash.
    pub fn cells(&self, set: &str, data: &str) -> BTreeMap<String, Cell> {
        let mut whole: BTreeMap<String, (Cell, usize, usize)> = BTreeMap::new();
        let all = self.sets.get(set).map(Vec::as_slice).unwrap_or_default();
        let mixed = |line: &Line| all.iter().any(|one| one.contest == line.contest && one.version != line.version);
        for line in all.iter().filter(|line| line.data == data && !mixed(line)) {
            for cell in &line.cells {
                match whole.get_mut(&cell.method) {
                    None => drop(whole.insert(cell.method.clone(), (cell.clone(), 1, line.part.1))),
                    Some((sum, parts, _)) => {
                        sum.points.extend(cell.points.iter().cloned());
                        sum.seconds += cell.seconds;
                        *parts += 1;
                    }
                }
            }
        }
        let complete = whole.into_iter().filter(|(_, (_, parts, of))| parts == of);
        complete.map(|(name, (cell, ..))| (name, cell)).collect()
    }
}
