//! What a user should know although nothing failed: structured, with a message and advice.

mod saved;
mod text;

use crate::data::SetAsideReason;
use crate::held_out::HeldOut;
use crate::optim::Halt;
use crate::remedy::Remedy;
use serde::{Deserialize, Serialize};

/// What a user should know although nothing failed. `Display` states what is wrong; [`Warning::remedy`] what to do.
///
/// As JSON it is an object with `kind`, `message` and the fields of the kind. An unknown kind and the plain texts of older
/// files are read as [`Warning::Message`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are what the messages name")]
pub enum Warning {
    /// A message without further structure.
    Message {
        #[serde(rename = "message", skip_serializing)]
        text: String,
    },

    // Reading.
    /// The first row holds numbers, so that columns were numbered.
    ColumnsNumbered { columns: usize },
    /// The first row was read as names although one of them is a number.
    NumberAsName { name: String },
    /// The delimiter was detected.
    DelimiterDetected { delimiter: String },
    /// Commas were read as decimal signs.
    DecimalCommas { columns: Vec<String> },
    /// Texts that look like numbers with thousands separators.
    ThousandsSeparators { columns: Vec<String>, example: String },
    /// Variables of the file that were not read.
    VariablesSkipped { variables: Vec<String> },
    /// Query numbers of a LIBSVM file.
    QueryNumbersIgnored,
    /// Dates of an ARFF file.
    DatesAsTexts { columns: Vec<String> },
    /// Texts that sparse rows of an ARFF file leave out.
    SparseTextsMissing,

    // The table.
    /// Incomplete rows that were left out.
    IncompleteRows { dropped: usize, rows: usize },
    /// Classes that lost all rows with them.
    ClassesLost { classes: Vec<String> },
    /// Rows are numbered without the incomplete ones.
    RowsRenumbered,
    /// Columns that were left out of the features.
    SetAside {
        reason: SetAsideReason,
        columns: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<String>,
    },
    /// Suspicious columns that stay because nothing else varies.
    SuspiciousKept { columns: Vec<String> },
    /// Features that are the target in other words.
    CopyOfTarget { columns: Vec<String>, target: String, regression: bool },
    /// Features of which every class has a range of its own.
    SeparateRanges { columns: Vec<String> },
    /// Features that look like identifiers.
    Identifiers { columns: Vec<String> },
    /// Features that count the rows.
    RowNumbers { columns: Vec<String> },
    /// Features that are named like identifiers.
    NamedLikeIdentifiers { columns: Vec<String> },
    /// Features with a single value.
    Constant { columns: Vec<String> },
    /// Sets of features that are equal in every row.
    Equal { sets: Vec<Vec<String>> },
    /// Features that one or few values stretch.
    ExtremeValues { columns: Vec<String> },
    /// Features whose numbers were read as categories because of some texts.
    TextsAmongNumbers { columns: Vec<String>, example: String },
    /// Classes with few rows.
    RareClasses { classes: Vec<(String, usize)>, rows: usize },
    /// Rows that are sorted by the target.
    SortedRows { regression: bool },
    /// The scores of a streamed table rest on a sample.
    SampledScores { sample: usize, rows: usize },
    /// Features were selected from a sample.
    SampledSelection { sample: usize, rows: usize },
    /// What is known of rules rests on a sample.
    SampledRules { sample: usize, rows: usize },

    // Selection.
    /// Results on held-out rows are no better than the constant prediction.
    NoBetterThanChance { held_out: HeldOut },
    /// The loss on validation rows is no better than that of the constant prediction.
    ValidationNoBetterThanChance { loss: f64, chance_loss: f64 },
    /// The objective still changed when the iterations were over.
    NotConverged {
        iterations: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        longer: Option<(String, u64)>,
    },
    /// The fit was ended early.
    EndedEarly { reason: Halt, iteration: usize },
    /// More features were asked for than there are.
    TopTooLarge { asked: usize, features: usize },
    /// Features without a weight are ranked by something else.
    RankedWithoutWeight { used: usize, features: usize, by: String },
    /// The values of a tuned parameter and their validation losses.
    Tuned { parameter: String, values: Vec<f64>, losses: Vec<f64> },
    /// Values of a tuned parameter that were not tried.
    TuningEnded { parameter: String, untried: Vec<f64> },
    /// No time was left to find the number of features.
    SizeNotFound,
    /// No feature varies.
    NothingVaries,
    /// A penalty that leaves no coefficient.
    NoCoefficient,
    /// Slopes that all vanish.
    SlopesVanish,
    /// A penalty that was lowered because all slopes vanished.
    PenaltyLowered { asked: f64, used: f64 },
    /// A rate that was lowered because the loss grew.
    RateLowered { asked: f64, used: f64 },
    /// Rules were extracted from some of the features.
    RulesFromBest { used: usize, chosen: usize },
    /// The objective rose above its smallest value.
    ObjectiveRose { iteration: usize, smallest: f64, last: f64 },

    // Training.
    /// The validation loss still fell when the steps were over.
    TrainingNotConverged { steps: usize },
    /// Training was ended early.
    TrainingEndedEarly { reason: Halt, steps: usize, tried: Option<usize> },
    /// There are no held-out results.
    NoHeldOut { reason: String },
    /// Some folds have no held-out results.
    FewerFolds { done: usize, planned: usize, reason: String },

    // Prediction.
    /// Columns that the model does not use.
    UnusedColumns { columns: Vec<String> },
    /// Missing values that were filled in.
    FilledIn { values: usize },
    /// Categories that the training rows did not have: column, category, rows.
    UnknownCategories { categories: Vec<(String, String, usize)>, further_rows: usize, answered: bool },
    /// Rows without a prediction.
    NoPrediction { rows: usize },

    // Evaluation.
    /// Classes without a training row, and in how many splits.
    ClassesNotTrained { classes: Vec<(String, usize)> },
    /// Classes without a test row, and in how many splits.
    ClassesNotTested { classes: Vec<(String, usize)> },
    /// Training parts that hold a single group.
    SingleGroups { parts: usize },
    /// Support vector machines that did not converge.
    SvmNotConverged { fits: usize },
    /// Splits in which R squared is not defined.
    UndefinedR2 { without: usize, splits: usize },
    /// Settings that failed inside training parts: method, parts.
    SettingsFailedInside { methods: Vec<(String, usize)> },
    /// Settings that failed in a split: method, failed, all.
    SettingsFailed { methods: Vec<(String, usize, usize)> },
    /// A protocol that chooses by the test rows.
    OptimisticProtocol { protocol: String, per_split: bool },
    /// Splits that were not evaluated.
    SplitsLeft { done: usize, planned: usize },
    /// Subsamples that were not ranked.
    SubsamplesLeft { done: usize, planned: usize },
}

impl Warning {
    /// Whether it says that results are no better than those of a constant prediction.
    pub fn is_chance(&self) -> bool {
        matches!(self, Self::NoBetterThanChance { .. } | Self::ValidationNoBetterThanChance { .. })
    }

    /// Whether it says that an iteration did not converge.
    pub fn is_not_converged(&self) -> bool {
        matches!(self, Self::NotConverged { .. } | Self::TrainingNotConverged { .. } | Self::SvmNotConverged { .. })
    }

    /// Adds a warning; one about the same kind of finding in another column takes that column up instead.
    pub fn add(self, to: &mut Vec<Self>) {
        for other in to.iter_mut() {
            match (other, &self) {
                (Self::DecimalCommas { columns }, Self::DecimalCommas { columns: new })
                | (Self::DatesAsTexts { columns }, Self::DatesAsTexts { columns: new })
                | (Self::ThousandsSeparators { columns, .. }, Self::ThousandsSeparators { columns: new, .. }) => {
                    columns.extend_from_slice(new);
                    return;
                }
                _ => {}
            }
        }
        to.push(self);
    }

    /// What to do about it.
    pub fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            Self::NumberAsName { .. } => Remedy::FirstRowIsData,
            Self::ThousandsSeparators { .. } => Remedy::plain("remove the separators to make it numeric"),
            Self::SetAside { .. } => Remedy::KeepSuspicious,
            Self::Identifiers { columns } | Self::RowNumbers { columns } | Self::NamedLikeIdentifiers { columns } => {
                Remedy::DropColumns { columns: columns.clone() }
            }
            Self::TextsAmongNumbers { columns, .. } => Remedy::ClearTexts { columns: columns.clone() },
            Self::SortedRows { .. } => Remedy::plain("shuffle the file first"),
            Self::NoBetterThanChance { .. } | Self::ValidationNoBetterThanChance { .. } => {
                Remedy::plain("do not rely on this result")
            }
            Self::NotConverged { longer: Some((name, value)), .. } => {
                Remedy::SetParameter { name: name.clone(), value: *value, training: false }
            }
            Self::TrainingNotConverged { steps } => {
                Remedy::SetParameter { name: "steps".to_owned(), value: 2 * *steps as u64, training: true }
            }
            Self::NoCoefficient => Remedy::plain("lower alpha"),
            Self::ObjectiveRose { .. } => Remedy::plain("try fewer iterations or other weights"),
            Self::OptimisticProtocol { .. } => Remedy::Nested,
            _ => return None,
        })
    }
}
