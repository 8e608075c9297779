//! What is measured besides the tables: the toy, the faces, the course of the objective, the best subsets.

use crate::ReproduceError;
use crate::bound::{self, Bound};
use crate::circle::{self, Found};
use crate::manifest::{DataSet, FACES};
use crate::protocol::Contest;
use crate::{convergence, faces, sensitivity};
use rulesieve::data::Dataset;
use rulesieve::optim::{Halt, Observer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The file, in the folder of cells.
const FILE: &str = "extras.json";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What was measured.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Extras {
    /// The version of the program that measured.
    #[serde(default)]
    pub version: String,
    /// The toy, by method.
    #[serde(default)]
    pub circle: BTreeMap<String, Found>,
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

/// Reads what is there.
///
/// # Errors
/// A file that is something else.
pub fn read(folder: &Path) -> Result<Extras, ReproduceError> {
    let path = folder.join(FILE);
    let fault = |error: String| ReproduceError::Records { path: path.display().to_string(), error };
    match fs::read_to_string(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Extras::default()),
        Err(error) => Err(fault(error.to_string())),
        Ok(text) => serde_json::from_str(&text).map_err(|error| fault(error.to_string())),
    }
}

/// Measures what is not there yet, and keeps it piece by piece.
pub struct Work<'a> {
    /// The folder of cells.
    pub folder: PathBuf,
    /// The methods.
    pub methods: &'a [String],
    /// The data sets that are there.
    pub tables: &'a [(&'a DataSet, Dataset)],
    /// How subsets are judged.
    pub judge: &'a Contest,
}

impl Work<'_> {
    /// Does it all; says why it ended early, if so. `say` hears of every piece, and `watch` makes an observer for it.
    ///
    /// # Errors
    /// A file that cannot be written. What cannot be fitted is said and left out.
    pub fn run<O: Observer + Send>(
        &self,
        watch: impl Fn() -> O,
        ended: impl Fn(&O) -> Option<Halt>,
        mut say: impl FnMut(&str),
    ) -> Result<Option<Halt>, ReproduceError> {
        let mut extras = read(&self.folder)?;
        // What another version measured is measured again.
        if extras.version != VERSION {
            extras = Extras { version: VERSION.to_owned(), ..Extras::default() };
        }
        for piece in self.pieces(&extras) {
            let mut observer = watch();
            let done = self.measure(&piece, &mut extras, &mut observer);
            if let Some(halt) = ended(&observer) {
                return Ok(Some(halt));
            }
            match done {
                Err(error) => say(&format!("note: left out: {error}")),
                Ok(()) => {
                    self.keep(&extras)?;
                    say(&self.named(&piece));
                }
            }
        }
        Ok(None)
    }

    fn pieces(&self, extras: &Extras) -> Vec<Piece> {
        let circle = self.methods.iter().filter(|name| !extras.circle.contains_key(*name)).cloned().map(Piece::Circle);
        let there = |set: &str| self.tables.iter().position(|(own, _)| own.name == set);
        let faces = self.methods.iter().filter(|name| !extras.faces.contains_key(*name)).cloned();
        let faces = faces.filter_map(|name| Some(Piece::Faces(name, there(FACES)?)));
        let traces = sensitivity::SETS.iter().filter(|set| !extras.convergence.contains_key(**set));
        let traces = traces.filter_map(|set| there(set)).map(Piece::Convergence);
        let few = |at: &usize| bound::subsets(self.tables[*at].0.features).is_some();
        let bounds = (0..self.tables.len()).filter(|at| !extras.bounds.contains_key(&self.tables[*at].0.name));
        circle.chain(traces).chain(bounds.filter(few).map(Piece::Bound)).chain(faces).collect()
    }

    fn measure(
        &self,
        piece: &Piece,
        extras: &mut Extras,
        observer: &mut (dyn Observer + Send),
    ) -> Result<(), ReproduceError> {
        match piece {
            Piece::Circle(name) => drop(extras.circle.insert(name.clone(), circle::found(name, observer)?)),
            Piece::Faces(name, at) => {
                let found = faces::chosen(&self.tables[*at].1, name, observer)?;
                found.map(|pixels| extras.faces.insert(name.clone(), pixels));
            }
            Piece::Convergence(at) => {
                let (set, data) = &self.tables[*at];
                extras.convergence.insert(set.name.clone(), convergence::trace((set, data), observer)?);
            }
            Piece::Bound(at) => {
                let (set, data) = &self.tables[*at];
                let found = bound::bound((set, data), self.judge, observer)?;
                found.map(|bound| extras.bounds.insert(set.name.clone(), bound));
            }
        }
        Ok(())
    }

    fn named(&self, piece: &Piece) -> String {
        match piece {
            Piece::Circle(name) => format!("two circles: {name}"),
            Piece::Faces(name, _) => format!("faces: {name}"),
            Piece::Convergence(at) => format!("course of the objective: {}", self.tables[*at].0.name),
            Piece::Bound(at) => format!("best of all subsets: {}", self.tables[*at].0.name),
        }
    }

    fn keep(&self, extras: &Extras) -> Result<(), ReproduceError> {
        let path = self.folder.join(FILE);
        let fault = |error: std::io::Error| ReproduceError::Records {
            path: path.display().to_string(),
            error: error.to_string(),
        };
        fs::create_dir_all(&self.folder).map_err(fault)?;
        let written = rulesieve_io::write_atomically(&path, |file| {
            serde_json::to_writer(&mut *file, extras)?;
            file.write_all(b"\n")
        });
        written.map_err(fault)
    }
}

/// A thing to measure.
enum Piece {
    Circle(String),
    Faces(String, usize),
    Convergence(usize),
    Bound(usize),
}
