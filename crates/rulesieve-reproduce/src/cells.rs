//! The records behind the tables: a folder for each protocol, a file for each data set, a line for each contest.

use crate::ReproduceError;
use rulesieve_eval::evaluate::Cell;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// What tells that somebody is writing, in every folder of records.
const LOCK: &str = ".lock";

/// What one contest gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The method that was judged.
    pub contest: String,
    /// Which part of its settings, and of how many.
    pub part: (usize, usize),
    /// SHA-256 of everything that was asked: data, splits, settings, version.
    pub key: String,
    /// The same for all settings of the method: parts belong together where it is equal.
    pub grid: String,
    /// Settings of all parts together.
    pub settings: usize,
    /// The version of the program.
    pub version: String,
    /// SHA-256 of names, values and target.
    pub data: String,
    /// The method, and the baselines where they were asked for.
    pub cells: Vec<Cell>,
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

    /// Whether a contest with the same key is there.
    pub fn holds(&self, set: &str, key: &str) -> bool {
        self.sets.get(set).is_some_and(|lines| lines.iter().any(|line| line.key == key))
    }

    /// Keeps a line in place of one of the same contest, on the disk when this returns. Others may write to the same folder.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn keep(&mut self, set: &str, line: Line) -> Result<(), ReproduceError> {
        let path = self.folder.join(format!("{set}.jsonl"));
        let _alone = alone(&self.folder).map_err(fault(&self.folder))?;
        let lines = self.sets.entry(set.to_owned()).or_default();
        *lines = if path.exists() { self::lines(&path)? } else { Vec::new() };
        // Another grid, another version or other data replace all parts of the old one.
        lines.retain(|old| old.contest != line.contest || (old.grid == line.grid && old.part != line.part));
        lines.push(line);
        lines.sort_by(|a, b| (&a.contest, a.part).cmp(&(&b.contest, b.part)));
        rulesieve_io::write_atomically(&path, |file| {
            for line in lines.iter() {
                serde_json::to_writer(&mut *file, line)?;
                file.write_all(b"\n")?;
            }
            Ok(())
        })
        .map_err(fault(&path))
    }

    /// How many settings of a method a version has judged, all of them.
    pub fn settings(&self, set: &str, method: &str, version: &str) -> usize {
        let lines = self.sets.get(set).map(Vec::as_slice).unwrap_or_default();
        let own = || lines.iter().filter(|line| line.contest == method && line.version == version);
        own().next().filter(|line| own().count() == line.part.1).map_or(0, |line| line.settings)
    }

    /// The cells of a data set by name, parts of a grid put together; left out are methods whose parts are not all there, come from
    /// different grids, or are about other data than that of this hash.
    pub fn cells(&self, set: &str, data: &str) -> BTreeMap<String, Cell> {
        let mut whole: BTreeMap<String, (Cell, usize, usize)> = BTreeMap::new();
        let all = self.sets.get(set).map(Vec::as_slice).unwrap_or_default();
        let mixed = |line: &Line| all.iter().any(|one| one.contest == line.contest && one.grid != line.grid);
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

/// The lines of a file.
fn lines(path: &Path) -> Result<Vec<Line>, ReproduceError> {
    let line = |(at, text): (usize, &str)| {
        serde_json::from_str(text).map_err(|error| fault(path)(format!("line {}: {error}", at + 1)))
    };
    fs::read_to_string(path).map_err(fault(path))?.lines().enumerate().map(line).collect()
}

/// Whoever reads and writes files of a folder does so alone until this is dropped. Makes the folder.
pub(crate) fn alone(folder: &Path) -> io::Result<File> {
    fs::create_dir_all(folder)?;
    let lock = File::create(folder.join(LOCK))?;
    lock.lock()?;
    Ok(lock)
}

/// An error of a file of records.
pub(crate) fn fault<E: ToString>(path: &Path) -> impl Fn(E) -> ReproduceError {
    let path = path.display().to_string();
    move |error| ReproduceError::Records { path: path.clone(), error: error.to_string() }
}
