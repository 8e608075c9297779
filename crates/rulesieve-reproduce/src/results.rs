//! Scores by protocol.

use crate::ReproduceError;
use crate::cells::Store;
use crate::manifest::DataSet;
use crate::protocol::ProtocolFile;
use rulesieve_eval::evaluate::{Cell, CellPoint, Spread};
use std::collections::BTreeMap;
use std::path::Path;

/// How settings are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum View {
    /// By the best mean score on the test rows of all folds, as in the paper.
    Paper,
    /// By the best score on the test rows of each fold: an optimistic bound.
    PaperPerFold,
    /// As `Paper`, with the number of features chosen by the method's own rule.
    PaperNative,
    /// By inner folds of the training rows.
    Nested,
    /// As `Paper`, computed as the printed tables were.
    PaperAsRun,
    /// As `PaperPerFold`, computed as the printed tables were.
    PaperAsRunPerFold,
}

impl View {
    /// The views that include all methods.
    pub const ALL: [Self; 5] =
        [Self::Paper, Self::PaperPerFold, Self::PaperAsRun, Self::PaperAsRunPerFold, Self::Nested];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::PaperPerFold => "paper-per-fold",
            Self::PaperNative => "paper-native",
            Self::Nested => "nested",
            Self::PaperAsRun => "paper-as-run",
            Self::PaperAsRunPerFold => "paper-as-run-per-fold",
        }
    }

    /// Returns the protocol of its scores.
    fn protocol(self) -> &'static str {
        self.name().strip_suffix(PER_FOLD).unwrap_or(self.name())
    }

    /// Returns the deviation over the folds that belongs to the protocol.
    fn score(self, folds: &[f64]) -> Score {
        let percent = folds.iter().map(|score| 100.0 * score);
        let found = match self {
            Self::PaperAsRun | Self::PaperAsRunPerFold => Spread::of_population(percent),
            _ => Spread::of(percent),
        };
        Score { mean: found.mean, std: found.std.unwrap_or(0.0) }
    }
}

/// The end of the names of views that are derived from the results of another protocol.
pub const PER_FOLD: &str = "-per-fold";

/// A score with tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The share of correct predictions.
    Accuracy,
    /// The mean of the F1 scores of the classes.
    MacroF1,
}

impl Measure {
    /// Both measures.
    pub const ALL: [Self; 2] = [Self::Accuracy, Self::MacroF1];

    /// Returns its name in saved results.
    pub fn key(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::MacroF1 => "macro_f1",
        }
    }

    /// Returns its name in file names.
    pub fn file(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::MacroF1 => "macro-f1",
        }
    }

    /// Returns its name at the start of a sentence.
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
    /// The standard deviation: that of a sample, or under the protocols as run that which divides by the number of folds.
    pub std: f64,
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
    /// Fails if a file cannot be read.
    pub fn read(folder: &Path, sets: &[DataSet], protocols: &[ProtocolFile]) -> Result<Self, ReproduceError> {
        let read = |protocol: &ProtocolFile| {
            let store = Store::open(&folder.join(&protocol.name))?;
            let cells = sets.iter().map(|set| (set.name.clone(), store.cells(&set.name, &set.sha256)));
            Ok((protocol.name.clone(), cells.filter(|(_, cells)| !cells.is_empty()).collect()))
        };
        Ok(Self { protocols: protocols.iter().map(read).collect::<Result<_, ReproduceError>>()? })
    }

    /// Returns a cell.
    pub fn cell(&self, view: View, set: &str, method: &str) -> Option<&Cell> {
        self.protocols.get(view.protocol())?.get(set)?.get(method)
    }

    /// Returns the settings of a cell that failed in no fold.
    pub fn points(&self, view: View, set: &str, method: &str) -> Vec<&CellPoint> {
        let points = self.cell(view, set, method).map(|cell| cell.points.as_slice()).unwrap_or_default();
        points.iter().filter(|point| point.failed.is_none()).collect()
    }

    /// Returns the score of a method on a data set. Each measure chooses its own setting; ties go to the first.
    pub fn score(&self, view: View, set: &str, method: &str, measure: Measure) -> Option<Score> {
        let points = self.points(view, set, method);
        let folds: Vec<&[f64]> = points.iter().filter_map(|p| p.scores.get(measure.key())).map(Vec::as_slice).collect();
        let count = folds.first()?.len();
        if view.name().ends_with(PER_FOLD) {
            let best = |fold: usize| {
                folds.iter().filter_map(|one| one.get(fold)).fold(0.0_f64, |best, &score| best.max(score))
            };
            return Some(view.score(&(0..count).map(best).collect::<Vec<_>>()));
        }
        self.best(view, set, method, measure).and_then(|point| Some(view.score(point.scores.get(measure.key())?)))
    }

    /// Returns the setting with the best mean; ties go to the first.
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
