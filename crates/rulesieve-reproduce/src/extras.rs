//! Additional measurements: the toy data, the faces, the objective by iteration, the best subsets.

use crate::ReproduceError;
use crate::bound::{self, Bound};
use crate::cells::{fault, first_format, lock};
use crate::circle::{self, CircleResult};
use crate::manifest::{DataSet, FACES};
use crate::protocol::Batch;
use crate::{convergence, faces, sensitivity};
use rulesieve::data::Dataset;
use rulesieve::optim::{Halt, Observer};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fmt, fs};

/// The file in the folder of saved scores.
const FILE: &str = "extras.json";
/// Format of the results, increased when a measurement gives different results.
const FORMAT: u32 = 1;

/// The results.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Extras {
    /// Format number of the latest measurement.
    #[serde(default = "first_format")]
    pub format: u32,
    /// Measurements in an older format, used until they are repeated.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub older: BTreeSet<String>,
    /// Toy data, by method.
    #[serde(default)]
    pub circle: BTreeMap<String, CircleResult>,
    /// Pixels of the faces, by method.
    #[serde(default)]
    pub faces: BTreeMap<String, Vec<usize>>,
    /// The objective of the paper's method, by data set.
    #[serde(default)]
    pub convergence: BTreeMap<String, Vec<f64>>,
    /// The best of all subsets, by data set.
    #[serde(default)]
    pub bounds: BTreeMap<String, Bound>,
}

impl Extras {
    /// Adds a measurement, or replaces an older one.
    fn with(mut self, piece: &Piece, measured: Self) -> Self {
        if self.format != FORMAT {
            self.older = self.names();
            self.format = FORMAT;
        }
        self.older.remove(&piece.to_string());
        self.circle.extend(measured.circle);
        self.faces.extend(measured.faces);
        self.convergence.extend(measured.convergence);
        self.bounds.extend(measured.bounds);
        self
    }

    /// Returns the names of all measurements.
    fn names(&self) -> BTreeSet<String> {
        let circle = self.circle.keys().map(|method| Piece::Circle(method.clone()));
        let faces = self.faces.keys().map(|method| Piece::Faces(method.clone()));
        let traces = self.convergence.keys().map(|set| Piece::Convergence(set.clone()));
        let bounds = self.bounds.keys().map(|set| Piece::Bound(set.clone()));
        circle.chain(faces).chain(traces).chain(bounds).map(|piece| piece.to_string()).collect()
    }

    /// Returns the names of the measurements in the current format.
    fn current(&self) -> BTreeSet<String> {
        if self.format == FORMAT { &self.names() - &self.older } else { BTreeSet::new() }
    }
}

/// Reads the results in a folder, if any.
///
/// # Errors
/// Fails if the file cannot be read.
pub fn read(folder: &Path) -> Result<Extras, ReproduceError> {
    let path = folder.join(FILE);
    match fs::read_to_string(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Extras::default()),
        Err(error) => Err(fault(&path)(error)),
        Ok(text) => serde_json::from_str(&text).map_err(fault(&path)),
    }
}

/// Makes the measurements that are not saved yet.
pub struct ExtraWork<'a> {
    /// The folder of saved scores.
    pub folder: PathBuf,
    /// The methods.
    pub methods: &'a [String],
    /// The data sets.
    pub tables: &'a [(&'a DataSet, Dataset)],
    /// The options for the evaluation of subsets.
    pub batch: &'a Batch,
}

impl ExtraWork<'_> {
    /// Makes and saves all measurements; returns why it ended early, if so. `print` receives a line per measurement, `watch` creates the
    /// observer of a measurement, `ended` returns why an observer ended it, and `stop` is called between measurements.
    ///
    /// # Errors
    /// Fails if the file cannot be written. Fits that fail are reported by `print` and skipped.
    pub fn run<O: Observer + Send>(
        &self,
        watch: impl Fn() -> O,
        ended: impl Fn(&O) -> Option<Halt>,
        stop: impl Fn() -> Option<Halt>,
        mut print: impl FnMut(&str),
    ) -> Result<Option<Halt>, ReproduceError> {
        for piece in self.pieces(&read(&self.folder)?.current()) {
            if let Some(halt) = stop() {
                return Ok(Some(halt));
            }
            let mut observer = watch();
            let measured = self.measure(&piece, &mut observer);
            if let Some(halt) = ended(&observer) {
                return Ok(Some(halt));
            }
            match measured {
                Err(error) => print(&format!("note: skipped: {error}")),
                Ok(measured) => {
                    self.save(&piece, measured)?;
                    print(&piece.to_string());
                }
            }
        }
        Ok(None)
    }

    /// Returns the measurements that are not saved.
    fn pieces(&self, saved: &BTreeSet<String>) -> Vec<Piece> {
        let circle = self.methods.iter().cloned().map(Piece::Circle);
        let sets = || self.tables.iter().map(|(set, _)| set);
        let faces = sets().any(|set| set.name == FACES);
        let faces = self.methods.iter().filter(|_| faces).cloned().map(Piece::Faces);
        let traced = sensitivity::SETS.iter().filter(|name| sets().any(|set| set.name == **name));
        let traces = traced.map(|name| Piece::Convergence((*name).to_owned()));
        let few = sets().filter(|set| bound::subsets(set.features).is_some());
        let bounds = few.map(|set| Piece::Bound(set.name.clone()));
        circle.chain(traces).chain(bounds).chain(faces).filter(|piece| !saved.contains(&piece.to_string())).collect()
    }

    fn measure(&self, piece: &Piece, observer: &mut (dyn Observer + Send)) -> Result<Extras, ReproduceError> {
        let mut measured = Extras::default();
        let set = match piece {
            Piece::Circle(_) | Piece::Faces(_) => FACES,
            Piece::Convergence(set) | Piece::Bound(set) => set,
        };
        let table = self.tables.iter().find(|(own, _)| own.name == set).map(|(set, data)| (*set, data));
        match (piece, table) {
            (Piece::Circle(method), _) => {
                drop(measured.circle.insert(method.clone(), circle::result(method, observer)?))
            }
            (Piece::Faces(method), Some((_, data))) => {
                let found = faces::selected(data, method, observer)?;
                found.map(|pixels| measured.faces.insert(method.clone(), pixels));
            }
            (Piece::Convergence(set), Some(table)) => {
                measured.convergence.insert(set.clone(), convergence::trace(table, observer)?);
            }
            (Piece::Bound(set), Some(table)) => {
                let found = bound::bound(table, self.batch, observer)?;
                found.map(|bound| measured.bounds.insert(set.clone(), bound));
            }
            // Missing data sets are skipped.
            (_, None) => {}
        }
        Ok(measured)
    }

    /// Adds a measurement to the file, which other processes may write too.
    fn save(&self, piece: &Piece, measured: Extras) -> Result<(), ReproduceError> {
        let _lock = lock(&self.folder).map_err(fault(&self.folder))?;
        let extras = read(&self.folder)?.with(piece, measured);
        let path = self.folder.join(FILE);
        let written = rulesieve_io::write_atomically(&path, |file| {
            serde_json::to_writer(&mut *file, &extras)?;
            file.write_all(b"\n")
        });
        written.map_err(fault(&path))
    }
}

/// A measurement, by method or by data set.
enum Piece {
    Circle(String),
    Faces(String),
    Convergence(String),
    Bound(String),
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Circle(method) => write!(f, "two circles: {method}"),
            Self::Faces(method) => write!(f, "faces: {method}"),
            Self::Convergence(set) => write!(f, "course of the objective: {set}"),
            Self::Bound(set) => write!(f, "best of all subsets: {set}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(set: &str, value: f64) -> Extras {
        Extras { convergence: [(set.to_owned(), vec![value])].into(), ..Extras::default() }
    }

    #[test]
    fn measurements_in_an_older_format_are_repeated_one_by_one() {
        let faces = [("anova".to_owned(), vec![3])].into();
        let old = Extras { format: 0, faces, ..trace("vote", 1.0) };
        assert!(old.current().is_empty());
        let piece = Piece::Convergence("vote".to_owned());
        let new = old.with(&piece, trace("vote", 2.0));
        assert_eq!((new.convergence["vote"][0], new.faces["anova"][0]), (2.0, 3));
        assert_eq!(
            new.current().into_iter().collect::<Vec<_>>(),
            [piece.to_string()],
            "the faces are not repeated yet"
        );
    }

    #[test]
    fn measurements_are_added_to_saved_ones() {
        let folder = tempfile::tempdir().unwrap();
        let batches = crate::protocols().unwrap()[0].batches(crate::WITH_BASELINES, "", Some(1)).unwrap();
        let work = ExtraWork { folder: folder.path().to_owned(), methods: &[], tables: &[], batch: &batches[0] };
        for (set, value) in [("vote", 1.0), ("yale", 2.0)] {
            work.save(&Piece::Convergence(set.to_owned()), trace(set, value)).unwrap();
        }
        let saved = read(folder.path()).unwrap();
        assert_eq!((saved.convergence.len(), saved.format), (2, FORMAT));
    }
}
