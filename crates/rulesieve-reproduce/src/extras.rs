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
/// Raised when the same measurement gives other results.
const FORMAT: u32 = 1;

/// The results.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Extras {
    /// [`FORMAT`] of the latest measurement.
    #[serde(default = "first_format")]
    pub format: u32,
    /// Measurements in an older format: they count until they are repeated.
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
    /// With a new measurement, which replaces an older one.
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

    /// The names of all measurements.
    fn names(&self) -> BTreeSet<String> {
        let circle = self.circle.keys().map(|method| Piece::Circle(method.clone()));
        let faces = self.faces.keys().map(|method| Piece::Faces(method.clone()));
        let courses = self.convergence.keys().map(|set| Piece::Convergence(set.clone()));
        let bounds = self.bounds.keys().map(|set| Piece::Bound(set.clone()));
        circle.chain(faces).chain(courses).chain(bounds).map(|piece| piece.to_string()).collect()
    }

    /// The names of the measurements in this format.
    fn fresh(&self) -> BTreeSet<String> {
        if self.format == FORMAT { &self.names() - &self.older } else { BTreeSet::new() }
    }
}

/// Reads the results in a folder, if any.
///
/// # Errors
/// A file in another format.
pub fn read(folder: &Path) -> Result<Extras, ReproduceError> {
    let path = folder.join(FILE);
    match fs::read_to_string(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Extras::default()),
        Err(error) => Err(fault(&path)(error)),
        Ok(text) => serde_json::from_str(&text).map_err(fault(&path)),
    }
}

/// Measures what is not saved yet, and saves it piece by piece.
pub struct ExtraWork<'a> {
    /// The folder of saved scores.
    pub folder: PathBuf,
    /// The methods.
    pub methods: &'a [String],
    /// The data sets.
    pub tables: &'a [(&'a DataSet, Dataset)],
    /// How subsets are evaluated.
    pub batch: &'a Batch,
}

impl ExtraWork<'_> {
    /// Measures everything; returns why it ended early, if so. `say` prints a line for every piece, `watch` creates the observer of a
    /// piece, `ended` returns why an observer ended its piece, and `stop` is called between pieces.
    ///
    /// # Errors
    /// A file that cannot be written. Fits that fail are reported by `say` and left out.
    pub fn run<O: Observer + Send>(
        &self,
        watch: impl Fn() -> O,
        ended: impl Fn(&O) -> Option<Halt>,
        stop: impl Fn() -> Option<Halt>,
        mut say: impl FnMut(&str),
    ) -> Result<Option<Halt>, ReproduceError> {
        for piece in self.pieces(&read(&self.folder)?.fresh()) {
            if let Some(halt) = stop() {
                return Ok(Some(halt));
            }
            let mut observer = watch();
            let measured = self.measure(&piece, &mut observer);
            if let Some(halt) = ended(&observer) {
                return Ok(Some(halt));
            }
            match measured {
                Err(error) => say(&format!("note: left out: {error}")),
                Ok(measured) => {
                    self.save(&piece, measured)?;
                    say(&piece.to_string());
                }
            }
        }
        Ok(None)
    }

    /// The pieces that are not saved.
    fn pieces(&self, saved: &BTreeSet<String>) -> Vec<Piece> {
        let circle = self.methods.iter().cloned().map(Piece::Circle);
        let sets = || self.tables.iter().map(|(set, _)| set);
        let faces = sets().any(|set| set.name == FACES);
        let faces = self.methods.iter().filter(|_| faces).cloned().map(Piece::Faces);
        let traced = sensitivity::SETS.iter().filter(|name| sets().any(|set| set.name == **name));
        let courses = traced.map(|name| Piece::Convergence((*name).to_owned()));
        let few = sets().filter(|set| bound::subsets(set.features).is_some());
        let bounds = few.map(|set| Piece::Bound(set.name.clone()));
        circle.chain(courses).chain(bounds).chain(faces).filter(|piece| !saved.contains(&piece.to_string())).collect()
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
                drop(measured.circle.insert(method.clone(), circle::found(method, observer)?))
            }
            (Piece::Faces(method), Some((_, data))) => {
                let found = faces::chosen(data, method, observer)?;
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

    /// Adds a piece to the file; others may have added theirs meanwhile.
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

    fn course(set: &str, value: f64) -> Extras {
        Extras { convergence: [(set.to_owned(), vec![value])].into(), ..Extras::default() }
    }

    #[test]
    fn another_format_is_measured_again_and_loses_nothing_meanwhile() {
        let faces = [("anova".to_owned(), vec![3])].into();
        let old = Extras { format: 0, faces, ..course("vote", 1.0) };
        assert!(old.fresh().is_empty());
        let piece = Piece::Convergence("vote".to_owned());
        let new = old.with(&piece, course("vote", 2.0));
        assert_eq!((new.convergence["vote"][0], new.faces["anova"][0]), (2.0, 3));
        assert_eq!(new.fresh().into_iter().collect::<Vec<_>>(), [piece.to_string()], "the faces are still to be done");
    }

    #[test]
    fn pieces_are_added_to_what_others_have_kept() {
        let folder = tempfile::tempdir().unwrap();
        let batches = crate::protocols().unwrap()[0].batches(crate::WITH_BASELINES, "", Some(1)).unwrap();
        let work = ExtraWork { folder: folder.path().to_owned(), methods: &[], tables: &[], batch: &batches[0] };
        for (set, value) in [("vote", 1.0), ("yale", 2.0)] {
            work.save(&Piece::Convergence(set.to_owned()), course(set, value)).unwrap();
        }
        let kept = read(folder.path()).unwrap();
        assert_eq!((kept.convergence.len(), kept.format), (2, FORMAT));
    }
}
