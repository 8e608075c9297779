//! Scores under each way of choosing settings.

use crate::ReproduceError;
use crate::cells::Store;
use crate::manifest::DataSet;
use crate::protocol::ProtocolFile;
use rulesieve_eval::evaluate::{Cell, CellPoint, Spread};
use std::collections::BTreeMap;
use std::path::Path;

/// How the setting is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum View {
    /// The best mean on the test rows of all folds: as the paper appears to do.
    Paper,
    /// The best on the test rows of every fold: an optimistic bound.
    PaperPerFold,
    /// As `Paper`, with as many features as each method's own rule keeps.
    PaperNative,
    /// Inside every training part.
    Nested,
}

impl View {
    /// Those of all methods.
    pub const ALL: [Self; 3] = [Self::Paper, Self::PaperPerFold, Self::Nested];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::PaperPerFold => "paper-per-fold",
            Self::PaperNative => "paper-native",
            Self::Nested => "nested",
        }
    }

    /// The protocol of its scores.
    fn protocol(self) -> &'static str {
        if self == Self::PaperPerFold { "paper" } else { self.name() }
    }
}

/// A score that has a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The share of correct predictions.
    Accuracy,
    /// The mean of the F1 scores of the classes.
    MacroF1,
}

impl Measure {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Accuracy, Self::MacroF1];

    /// Its name in saved results.
    pub fn key(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::MacroF1 => "macro_f1",
        }
    }

    /// Its name in files.
    pub fn file(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::MacroF1 => "macro-f1",
        }
    }

    /// Its name at the start of a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Self::Accuracy => "Accuracy",
            Self::MacroF1 => "Macro-F1",
        }
    }
}

/// A score over the folds, in percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// The mean.
    pub mean: f64,
    /// The standard deviation, with one degree of freedom less than folds.
    pub std: f64,
}

impl Score {
    fn of(folds: &[f64]) -> Self {
        let found = Spread::of(folds.iter().map(|score| 100.0 * score));
        Self { mean: found.mean, std: found.std.unwrap_or(0.0) }
    }
}

/// Cells by data set, then by method.
type BySet = BTreeMap<String, BTreeMap<String, Cell>>;

/// All saved scores.
#[derive(Debug, Clone, Default)]
pub struct Results {
    protocols: BTreeMap<String, BySet>,
}

impl Results {
    /// Reads the saved scores of some protocols.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn read(folder: &Path, sets: &[DataSet], protocols: &[ProtocolFile]) -> Result<Self, ReproduceError> {
        let read = |protocol: &ProtocolFile| {
            let store = Store::open(&folder.join(&protocol.name))?;
            let cells = sets.iter().map(|set| (set.name.clone(), store.cells(&set.name, &set.sha256)));
            Ok((protocol.name.clone(), cells.filter(|(_, cells)| !cells.is_empty()).collect()))
        };
        Ok(Self { protocols: protocols.iter().map(read).collect::<Result<_, ReproduceError>>()? })
    }

    /// A cell.
    pub fn cell(&self, view: View, set: &str, method: &str) -> Option<&Cell> {
        self.protocols.get(view.protocol())?.get(set)?.get(method)
    }

    /// The settings of a cell that worked in every fold.
    pub fn points(&self, view: View, set: &str, method: &str) -> Vec<&CellPoint> {
        let points = self.cell(view, set, method).map(|cell| cell.points.as_slice()).unwrap_or_default();
        points.iter().filter(|point| point.failed.is_none()).collect()
    }

    /// The score of a method on a data set. Each measure chooses its own setting, the first of equals.
    pub fn score(&self, view: View, set: &str, method: &str, measure: Measure) -> Option<Score> {
        let points = self.points(view, set, method);
        let folds: Vec<&[f64]> = points.iter().filter_map(|p| p.scores.get(measure.key())).map(Vec::as_slice).collect();
        let count = folds.first()?.len();
        if view == View::PaperPerFold {
            let best = |fold: usize| {
                folds.iter().filter_map(|one| one.get(fold)).fold(0.0_f64, |best, &score| best.max(score))
            };
            return Some(Score::of(&(0..count).map(best).collect::<Vec<_>>()));
        }
        self.best(view, set, method, measure).and_then(|point| Some(Score::of(point.scores.get(measure.key())?)))
    }

    /// The setting with the best mean, the first of equals.
    pub fn best(&self, view: View, set: &str, method: &str, measure: Measure) -> Option<&CellPoint> {
        let mean = |point: &&CellPoint| point.mean(measure.key()).unwrap_or(f64::NEG_INFINITY);
        let mut best: Option<&CellPoint> = None;
        for point in self.points(view, set, method) {
            if best.is_none_or(|best| mean(&point) > mean(&best)) {
                best = Some(point);
            }
        }
        best
    }
}
