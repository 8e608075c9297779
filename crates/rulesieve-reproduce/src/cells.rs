//! Saved scores: a folder for each protocol, a file for each data set, a line for each batch.

use crate::ReproduceError;
use rulesieve_eval::evaluate::Cell;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The lock file of a folder.
const LOCK: &str = ".lock";

/// The scores of a batch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The method.
    #[serde(alias = "contest")]
    pub method: String,
    /// The part of its settings, and the number of parts.
    pub part: (usize, usize),
    /// SHA-256 of data, splits, options and settings.
    pub key: String,
    /// The key with the settings of all parts; parts of the same grid have equal values.
    pub grid: String,
    /// Number of settings in all parts.
    pub settings: usize,
    /// [`rulesieve_eval::evaluate::FORMAT`] when it was computed.
    #[serde(default = "first_format")]
    pub format: u32,
    /// SHA-256 of names, values and target.
    pub data: String,
    /// The method, and the baselines if they belong to the batch.
    pub cells: Vec<Cell>,
}

/// The format of lines that do not state it.
pub(crate) fn first_format() -> u32 {
    1
}

/// All lines of all data sets under one protocol.
#[derive(Debug, Clone, Default)]
pub struct Store {
    folder: PathBuf,
    sets: BTreeMap<String, Vec<Line>>,
}

impl Store {
    /// Reads a folder; a missing folder is empty.
    ///
    /// # Errors
    /// Fails if a file cannot be read.
    pub fn open(folder: &Path) -> Result<Self, ReproduceError> {
        let mut sets = BTreeMap::new();
        if folder.is_dir() {
            for entry in fs::read_dir(folder).map_err(fault(folder))? {
                let path = entry.map_err(fault(folder))?.path();
                if let (Some("jsonl"), Some(name)) = (path.extension().and_then(|e| e.to_str()), path.file_stem()) {
                    sets.insert(name.to_string_lossy().into_owned(), lines(&path)?);
                }
            }
        }
        Ok(Self { folder: folder.to_owned(), sets })
    }

    /// Returns whether a batch with this key is saved.
    pub fn contains(&self, set: &str, key: &str) -> bool {
        self.sets.get(set).is_some_and(|lines| lines.iter().any(|line| line.key == key))
    }

    /// Saves a line and replaces that of the same batch. Several processes may write to the same folder.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn save(&mut self, set: &str, line: Line) -> Result<(), ReproduceError> {
        let path = self.folder.join(format!("{set}.jsonl"));
        let _lock = lock(&self.folder).map_err(fault(&self.folder))?;
        let lines = self.sets.entry(set.to_owned()).or_default();
        *lines = if path.exists() { self::lines(&path)? } else { Vec::new() };
        // A line of another grid, format or data set replaces all old parts.
        lines.retain(|old| old.method != line.method || (old.grid == line.grid && old.part != line.part));
        lines.push(line);
        lines.sort_by(|a, b| (&a.method, a.part).cmp(&(&b.method, b.part)));
        rulesieve_io::write_atomically(&path, |file| {
            for line in lines.iter() {
                serde_json::to_writer(&mut *file, line)?;
                file.write_all(b"\n")?;
            }
            Ok(())
        })
        .map_err(fault(&path))
    }

    /// Returns the number of saved settings of a method in a format; 0 if parts are missing.
    pub fn settings(&self, set: &str, method: &str, format: u32) -> usize {
        let lines = self.sets.get(set).map(Vec::as_slice).unwrap_or_default();
        let own = || lines.iter().filter(|line| line.method == method && line.format == format);
        own().next().filter(|line| own().count() == line.part.1).map_or(0, |line| line.settings)
    }

    /// Returns the cells of a data set by name, with the parts of a grid combined. Omits methods with missing parts, parts of different
    /// grids or other data.
    pub fn cells(&self, set: &str, data: &str) -> BTreeMap<String, Cell> {
        let mut combined: BTreeMap<String, (Cell, usize, usize)> = BTreeMap::new();
        let all = self.sets.get(set).map(Vec::as_slice).unwrap_or_default();
        let mixed = |line: &Line| all.iter().any(|one| one.method == line.method && one.grid != line.grid);
        for line in all.iter().filter(|line| line.data == data && !mixed(line)) {
            for cell in &line.cells {
                match combined.get_mut(&cell.method) {
                    None => drop(combined.insert(cell.method.clone(), (cell.clone(), 1, line.part.1))),
                    Some((sum, parts, _)) => {
                        sum.points.extend(cell.points.iter().cloned());
                        sum.seconds += cell.seconds;
                        *parts += 1;
                    }
                }
            }
        }
        let complete = combined.into_iter().filter(|(_, (_, parts, of))| parts == of);
        complete.map(|(name, (cell, ..))| (name, cell)).collect()
    }
}

/// Reads the lines of a file.
fn lines(path: &Path) -> Result<Vec<Line>, ReproduceError> {
    let line = |(at, text): (usize, &str)| {
        serde_json::from_str(text).map_err(|error| fault(path)(format!("line {}: {error}", at + 1)))
    };
    fs::read_to_string(path).map_err(fault(path))?.lines().enumerate().map(line).collect()
}

/// Creates a folder if missing, and locks it until the result is dropped.
pub(crate) fn lock(folder: &Path) -> io::Result<File> {
    fs::create_dir_all(folder)?;
    let lock = File::create(folder.join(LOCK))?;
    lock.lock()?;
    Ok(lock)
}

/// Creates the error for a file of saved results.
pub(crate) fn fault<E: ToString>(path: &Path) -> impl Fn(E) -> ReproduceError {
    let path = path.display().to_string();
    move |error| ReproduceError::Records { path: path.clone(), error: error.to_string() }
}
