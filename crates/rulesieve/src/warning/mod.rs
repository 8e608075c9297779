//! Warnings: structured, with a message and a suggested fix.

mod saved;
mod text;

use crate::data::ExclusionReason;
use crate::held_out::HeldOut;
use crate::optim::Halt;
use crate::remedy::Remedy;
use serde::{Deserialize, Serialize};

/// A data problem or a limitation of a result that is not an error. `Display` describes it; [`Warning::remedy`]
/// suggests a fix.
///
/// As JSON it is an object with `kind`, `message` and the fields of the kind. Unknown kinds and the plain texts of
/// older files are read as [`Warning::Message`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are what the messages name")]
pub enum Warning {
    /// Unstructured message.
    Message {
        #[serde(rename = "message", skip_serializing)]
        text: String,
    },

    // Reading files.
    /// The first row holds numbers, so columns were numbered.
    ColumnsNumbered { columns: usize },
    /// The first row was read as names although one of them is a number.
    NumberAsName { name: String },
    /// The delimiter was detected.
    DelimiterDetected { delimiter: String },
    /// Text in another encoding than UTF-8.
    DecodedAs { encoding: String },
    /// Lines before the first row that begin with `#`.
    CommentsSkipped { lines: usize },
    /// An empty last column without a name, because rows end with a delimiter.
    EmptyLastColumn { column: String },
    /// Commas were read as decimal points.
    DecimalCommas { columns: Vec<String> },
    /// Points and commas are both decimal marks: columns kept as text, and a cell of each kind (column, row, text).
    DecimalMarksMixed { columns: Vec<String>, point: (String, usize, String), comma: (String, usize, String) },
    /// Columns whose decimal mark is not that of the file.
    OtherDecimalMark { columns: Vec<String> },
    /// Separators of thousands were removed.
    ThousandsSeparated { columns: Vec<String>, example: String },
    /// Numbers with percent were divided by 100.
    PercentRead { columns: Vec<String> },
    /// Currency signs were removed.
    CurrencyRemoved { columns: Vec<String> },
    /// Numbers in parentheses were read as negative.
    ParenthesesNegative { columns: Vec<String> },
    /// Columns kept as text because their numbers have different units.
    UnitsMixed { columns: Vec<String> },
    /// Columns kept as text because their dates allow two orders of day and month.
    DatesAmbiguous { columns: Vec<String> },
    /// A table is not read as the training table was: what differs, here and in training.
    ReadingDiffers { what: String, here: String, training: String },
    /// Variables of the file that were not read.
    VariablesSkipped { variables: Vec<String> },
    /// The sheet of a workbook that was read, and those that were not.
    SheetsSkipped { read: String, skipped: Vec<String> },
    /// Query numbers of a LIBSVM file.
    QueryNumbersIgnored,
    /// Dates of an ARFF file.
    DatesAsTexts { columns: Vec<String> },
    /// Texts omitted in sparse rows of an ARFF file.
    SparseTextsMissing,

    // Validating tables.
    /// Incomplete rows were dropped.
    IncompleteRows { dropped: usize, rows: usize },
    /// Rows without a target were dropped.
    RowsWithoutTarget { dropped: usize, rows: usize, target: String },
    /// Classes with a single row were dropped.
    SingleRowClasses { classes: Vec<String> },
    /// Missing values were filled in.
    MissingFilled { values: usize, columns: usize },
    /// Classes that lost all rows by dropping incomplete ones.
    ClassesLost { classes: Vec<String> },
    /// Row numbers do not count the dropped rows.
    RowsRenumbered,
    /// Columns that were excluded from the features.
    #[serde(alias = "set-aside")]
    ExcludedColumns {
        reason: ExclusionReason,
        columns: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<String>,
    },
    /// Suspicious columns that were kept because all other features are constant.
    SuspiciousKept { columns: Vec<String> },
    /// Features that are one-to-one with the target.
    CopyOfTarget { columns: Vec<String>, target: String, regression: bool },
    /// Features in which the ranges of the classes do not overlap.
    SeparateRanges { columns: Vec<String> },
    /// Features that look like identifiers.
    Identifiers { columns: Vec<String> },
    /// Features that are row numbers.
    RowNumbers { columns: Vec<String> },
    /// Features with the name of an identifier.
    NamedLikeIdentifiers { columns: Vec<String> },
    /// Features with a single value.
    Constant { columns: Vec<String> },
    /// Sets of features that are equal in every row.
    Equal { sets: Vec<Vec<String>> },
    /// Features with extreme outliers.
    ExtremeValues { columns: Vec<String> },
    /// Features with a number that may stand for missing values.
    Sentinels { columns: Vec<(String, String)> },
    /// Features whose numbers were read as categories because of a few texts.
    TextsAmongNumbers { columns: Vec<String>, example: String },
    /// Classes with few rows.
    RareClasses { classes: Vec<(String, usize)>, rows: usize },
    /// Rows that are sorted by the target.
    SortedRows { regression: bool },
    /// A random sample of the rows is used.
    SampledRows { sample: usize, rows: usize },
    /// The scores of a streamed table are from a sample.
    SampledScores { sample: usize, rows: usize },
    /// Features were selected from a sample.
    SampledSelection { sample: usize, rows: usize },
    /// Statistics of rules are from a sample.
    SampledRules { sample: usize, rows: usize },

    // Selection.
    /// Results on held-out rows are no better than the constant prediction.
    NoBetterThanChance { held_out: HeldOut },
    /// The loss on validation rows is no better than that of the constant prediction.
    ValidationNoBetterThanChance { loss: f64, chance_loss: f64 },
    /// The iteration limit was reached before convergence.
    NotConverged {
        iterations: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        longer: Option<(String, u64)>,
    },
    /// The fit ended early.
    EndedEarly { reason: Halt, iteration: usize },
    /// More features were requested than exist.
    TopTooLarge { asked: usize, features: usize },
    /// Features without a weight are ranked by another criterion.
    RankedWithoutWeight { used: usize, features: usize, by: String },
    /// The values of a tuned parameter and their validation losses.
    Tuned { parameter: String, values: Vec<f64>, losses: Vec<f64> },
    /// Values of a tuned parameter that were not evaluated.
    TuningEnded { parameter: String, untried: Vec<f64> },
    /// The time budget ended before the number of features was found.
    SizeNotFound,
    /// All features are constant.
    NothingVaries,
    /// All scores are zero.
    ScoresVanish,
    /// The penalty sets all coefficients to zero.
    NoCoefficient,
    /// All slopes vanish.
    SlopesVanish,
    /// The penalty was lowered because all slopes vanished.
    PenaltyLowered { asked: f64, used: f64 },
    /// The learning rate was lowered because the loss diverged.
    RateLowered { asked: f64, used: f64 },
    /// Rules were extracted from a part of the features.
    RulesFromBest { used: usize, chosen: usize },
    /// The objective rose above its smallest value.
    ObjectiveRose { iteration: usize, smallest: f64, last: f64 },

    // Training.
    /// The step limit was reached before convergence.
    TrainingNotConverged { steps: usize },
    /// Training ended early.
    TrainingEndedEarly { reason: Halt, steps: usize, tried: Option<usize> },
    /// There are no held-out results.
    NoHeldOut { reason: String },
    /// Some folds have no held-out results.
    FewerFolds { done: usize, planned: usize, reason: String },

    // Prediction.
    /// Columns that the model does not use.
    UnusedColumns { columns: Vec<String> },
    /// Missing values were imputed.
    FilledIn { values: usize },
    /// Categories that do not occur in the training rows: column, category, rows.
    UnknownCategories { categories: Vec<(String, String, usize)>, further_rows: usize, answered: bool },
    /// Rows without a prediction.
    NoPrediction { rows: usize },

    // Evaluation.
    /// Classes without a training row, and in how many splits.
    ClassesNotTrained { classes: Vec<(String, usize)> },
    /// Classes without a test row, and in how many splits.
    ClassesNotTested { classes: Vec<(String, usize)> },
    /// Training sets with a single group.
    SingleGroups { parts: usize },
    /// Support vector machines that did not converge.
    SvmNotConverged { fits: usize },
    /// Splits in which R squared is not defined.
    UndefinedR2 { without: usize, splits: usize },
    /// Settings that failed in inner folds: method, training sets.
    SettingsFailedInside { methods: Vec<(String, usize)> },
    /// Settings that failed in a split: method, failed, all.
    SettingsFailed { methods: Vec<(String, usize, usize)> },
    /// A protocol that selects settings on the test rows.
    OptimisticProtocol { protocol: String, per_split: bool },
    /// A protocol in which the test rows influence the training, kept to reproduce printed results.
    LeakingProtocol { protocol: String },
    /// Splits that were not evaluated.
    SplitsLeft { done: usize, planned: usize },
    /// Methods and baselines without a result, because no split is complete.
    MethodsLeft { methods: Vec<String> },
    /// Subsamples that were not ranked.
    SubsamplesLeft { done: usize, planned: usize },
}

impl Warning {
    /// Whether the warning reports results that do not improve on a constant prediction.
    pub fn is_chance(&self) -> bool {
        matches!(self, Self::NoBetterThanChance { .. } | Self::ValidationNoBetterThanChance { .. })
    }

    /// Whether the warning reports an iteration that did not converge.
    pub fn is_not_converged(&self) -> bool {
        matches!(self, Self::NotConverged { .. } | Self::TrainingNotConverged { .. } | Self::SvmNotConverged { .. })
    }

    /// Adds a warning; if one of the same kind exists, its columns are extended instead.
    pub fn add(self, to: &mut Vec<Self>) {
        for other in to.iter_mut() {
            if let (Self::DatesAsTexts { columns }, Self::DatesAsTexts { columns: new }) = (other, &self) {
                columns.extend_from_slice(new);
                return;
            }
        }
        to.push(self);
    }

    /// Removes columns that are not used from a warning about reading them; false if none is left.
    pub(crate) fn keep_columns(&mut self, is_used: impl Fn(&str) -> bool) -> bool {
        let (Self::DecimalCommas { columns }
        | Self::DecimalMarksMixed { columns, .. }
        | Self::OtherDecimalMark { columns }
        | Self::ThousandsSeparated { columns, .. }
        | Self::PercentRead { columns }
        | Self::CurrencyRemoved { columns }
        | Self::ParenthesesNegative { columns }
        | Self::UnitsMixed { columns }
        | Self::DatesAmbiguous { columns }
        | Self::DatesAsTexts { columns }) = self
        else {
            return true;
        };
        columns.retain(|name| is_used(name));
        !columns.is_empty()
    }

    /// Suggested fix.
    pub fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            Self::NumberAsName { .. } => Remedy::FirstRowIsData,
            Self::ExcludedColumns { reason: ExclusionReason::Empty, .. } => return None,
            Self::ExcludedColumns { .. } => Remedy::KeepSuspicious,
            Self::RowsWithoutTarget { .. } | Self::MissingFilled { .. } => Remedy::RefuseMissing,
            Self::DecodedAs { .. } => Remedy::NameEncoding,
            Self::DecimalCommas { .. } | Self::DecimalMarksMixed { .. } | Self::ThousandsSeparated { .. } => {
                Remedy::NameDecimalMark
            }
            Self::UnitsMixed { .. } => Remedy::plain("write them in one unit to make the column numeric"),
            Self::DatesAmbiguous { .. } => Remedy::NameDateOrder,
            Self::ReadingDiffers { .. } => Remedy::plain("check that the predictions are of the right values"),
            Self::Sentinels { columns } => {
                let mut values: Vec<String> = columns.iter().map(|(_, value)| value.clone()).collect();
                values.sort();
                values.dedup();
                Remedy::NameMissing { values }
            }
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
            Self::OptimisticProtocol { .. } | Self::LeakingProtocol { .. } => Remedy::Nested,
            _ => return None,
        })
    }
}
