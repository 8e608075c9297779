//! Warnings: structured, with a message and a suggested fix.

mod saved;
mod text;

use crate::data::ExclusionReason;
use crate::data::names::{short, shortened};
use crate::held_out::HeldOut;
use crate::optim::Halt;
use crate::remedy::Remedy;
use serde::{Deserialize, Serialize};
use text::{cell, counted, joined, lines_begin, losses_at, named, names, quoted, rare, rules_kept, sets_of};

/// A data problem or a limitation of a result that is not an error. `Display` describes it; [`Warning::remedy`]
/// suggests a fix.
///
/// As JSON it is an object with `kind`, `message` and the fields of the kind. Unknown kinds and the plain texts of
/// older files are read as [`Warning::Message`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[serde(remote = "Self", tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages describe the variants and name the fields")]
pub enum Warning {
    /// Unstructured message.
    #[error("{text}")]
    Message {
        #[serde(rename = "message", skip_serializing)]
        text: String,
    },

    // Reading files.
    #[error("the first row holds only numbers, so the columns are named c1 to c{columns}")]
    ColumnsNumbered { columns: usize },
    #[error("the first row was read as column names although '{}' is a number", short(name))]
    NumberAsName { name: String },
    #[error("the columns are separated by {delimiter} (detected)")]
    DelimiterDetected { delimiter: String },
    #[error("the text is not UTF-8 and was read as {encoding}")]
    DecodedAs { encoding: String },
    #[error("the first {} with # and {} skipped", lines_begin(*lines), if *lines == 1 { "was" } else { "were" })]
    CommentsSkipped { lines: usize },
    #[error("rows end with a delimiter: the empty last column '{}' was dropped", short(column))]
    EmptyLastColumn { column: String },
    #[error("{}: the comma was read as the decimal sign", quoted(columns))]
    DecimalCommas { columns: Vec<String> },
    /// Columns, and a cell of each kind (column, row, text).
    #[error(
        "{} kept as text: both marks are decimal marks, the point in {} and the comma in {}",
        quoted(columns),
        cell(point),
        cell(comma)
    )]
    DecimalMarksMixed { columns: Vec<String>, point: (String, usize, String), comma: (String, usize, String) },
    #[error(
        "{}: the point was read as the decimal mark, although it may separate thousands in all cells (such as '{}')",
        quoted(columns),
        short(example)
    )]
    PointsAmbiguous { columns: Vec<String>, example: String },
    #[error("{}: the decimal mark is not that of the file", quoted(columns))]
    OtherDecimalMark { columns: Vec<String> },
    #[error("{}: separators of thousands were removed (such as in '{}')", quoted(columns), short(example))]
    ThousandsSeparated { columns: Vec<String>, example: String },
    #[error("{}: numbers with percent were divided by 100", quoted(columns))]
    PercentRead { columns: Vec<String> },
    #[error("{}: currency signs were removed", quoted(columns))]
    CurrencyRemoved { columns: Vec<String> },
    #[error("{}: numbers in parentheses were read as negative", quoted(columns))]
    ParenthesesNegative { columns: Vec<String> },
    #[error("{} kept as text: numbers with different currencies, or with and without percent", quoted(columns))]
    UnitsMixed { columns: Vec<String> },
    #[error("{} kept as text: the dates allow both day/month and month/day", quoted(columns))]
    DatesAmbiguous { columns: Vec<String> },
    /// Most cells are dates; the first other one, which is a date if it contradicts those before.
    #[error(
        "'{}' kept as text, although most cells are dates: '{}' in data row {row} {}",
        short(column),
        short(text),
        if *is_date { "has another form, or another order of day and month" } else { "is no date" }
    )]
    DatesMixed { column: String, row: usize, text: String, is_date: bool },
    /// What differs, here and in training.
    #[error(
        "the table is not read like the training table ({what}: '{}' instead of '{}')",
        short(here),
        short(training)
    )]
    ReadingDiffers { what: String, here: String, training: String },
    #[error("these variables were skipped: {}", names(variables))]
    VariablesSkipped { variables: Vec<String> },
    #[error("the sheet '{}' was read, and not {}", short(read), names(skipped))]
    SheetsSkipped { read: String, skipped: Vec<String> },
    #[error("the query numbers (qid) were ignored")]
    QueryNumbersIgnored,
    #[error("{}: dates were kept as texts", quoted(columns))]
    DatesAsTexts { columns: Vec<String> },
    #[error("texts that sparse rows leave out were read as missing")]
    SparseTextsMissing,

    // Validating tables.
    #[error("left out {dropped} of {rows} rows with missing values")]
    IncompleteRows { dropped: usize, rows: usize },
    #[error("left out {dropped} of {rows} rows in which target '{}' is missing", short(target))]
    RowsWithoutTarget { dropped: usize, rows: usize, target: String },
    #[error("left out classes with a single row: {}", shortened(classes))]
    SingleRowClasses { classes: Vec<String> },
    #[error(
        "{values} missing values in {columns} columns were filled in: numbers with the median, categories with a category of their own"
    )]
    MissingFilled { values: usize, columns: usize },
    #[error("classes without complete rows were removed: {}", shortened(classes))]
    ClassesLost { classes: Vec<String> },
    #[error("row numbers do not count the rows that were left out")]
    RowsRenumbered,
    #[error("excluded as {}{}: {}", reason.plural(), named(target.as_deref()), shortened(columns))]
    #[serde(alias = "set-aside")]
    ExcludedColumns {
        reason: ExclusionReason,
        columns: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<String>,
    },
    #[error("kept although suspicious, because all other features are constant: {}", shortened(columns))]
    SuspiciousKept { columns: Vec<String> },
    /// The columns are one-to-one with the target.
    #[error(
        "possible leak: {} is a copy of the target '{}': {}",
        shortened(columns),
        short(target),
        if *regression { "but for scale and origin" } else { "one value for each class" }
    )]
    CopyOfTarget { columns: Vec<String>, target: String, regression: bool },
    #[error("possible leak: each class has its own range of {}", shortened(columns))]
    SeparateRanges { columns: Vec<String> },
    #[error("looks like a row identifier: {}", shortened(columns))]
    Identifiers { columns: Vec<String> },
    #[error("looks like a row number: {}", shortened(columns))]
    RowNumbers { columns: Vec<String> },
    #[error("named like an identifier, although values repeat: {}", shortened(columns))]
    NamedLikeIdentifiers { columns: Vec<String> },
    #[error("constant, so scored 0 and ranked last: {}", shortened(columns))]
    Constant { columns: Vec<String> },
    #[error("equal in every row, so scored alike: {}", sets_of(sets))]
    Equal { sets: Vec<Vec<String>> },
    #[error("a few extreme values flatten the scaled column: {}", shortened(columns))]
    ExtremeValues { columns: Vec<String> },
    /// Columns with the number that may stand for missing values.
    #[error("may stand for missing values: {}", joined(columns, |(column, value)| format!("{value} in '{}'", short(column))))]
    Sentinels { columns: Vec<(String, String)> },
    #[error(
        "read as categories because of texts among the numbers (such as '{}' in '{}'): {}",
        short(example),
        columns.first().map(|name| short(name)).unwrap_or_default(),
        shortened(columns)
    )]
    TextsAmongNumbers { columns: Vec<String>, example: String },
    /// Classes with their numbers of rows.
    #[error("{}", rare(classes, *rows))]
    RareClasses { classes: Vec<(String, usize)>, rows: usize },
    #[error(
        "the rows seem to be sorted by {}, and the fit reads them in the order of the file",
        if *regression { "the target" } else { "class" }
    )]
    SortedRows { regression: bool },
    #[error("only a random sample of {sample} of {rows} rows is used")]
    SampledRows { sample: usize, rows: usize },
    #[error("streamed: scores and statistics of columns are from a sample of {sample} of {rows} rows")]
    SampledScores { sample: usize, rows: usize },
    #[error("features were selected from a random sample of {sample} of {rows} rows")]
    SampledSelection { sample: usize, rows: usize },
    #[error("streamed: metrics and statistics of rules are from a sample of {sample} of {rows} rows")]
    SampledRules { sample: usize, rows: usize },

    // Selection.
    #[error("no better than chance on {} held-out rows ({})", held_out.rows, held_out.figures())]
    NoBetterThanChance { held_out: HeldOut },
    #[error("the validation loss is no better than chance: {loss:.3}, constant prediction {chance_loss:.3}")]
    ValidationNoBetterThanChance { loss: f64, chance_loss: f64 },
    #[error("not converged: the objective still changed after {iterations} iterations")]
    NotConverged {
        iterations: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        longer: Option<(String, u64)>,
    },
    #[error("{reason}: the ranking is that of iteration {iteration}")]
    EndedEarly { reason: Halt, iteration: usize },
    #[error("asked for the top {asked} of {features} features: all are selected")]
    TopTooLarge { asked: usize, features: usize },
    #[error("asked for {asked} features, but {included} are included: {included} are selected")]
    IncludedBeyondTop { asked: usize, included: usize },
    #[error("{used} of {features} features have a weight: the others are ranked by {by}")]
    RankedWithoutWeight { used: usize, features: usize, by: String },
    #[error("validation loss (used to choose {parameter}): {}", losses_at(values, losses))]
    Tuned { parameter: String, values: Vec<f64>, losses: Vec<f64> },
    #[error(
        "ended before all values of {parameter} were tried: not {}",
        untried.iter().map(f64::to_string).collect::<Vec<_>>().join(", ")
    )]
    TuningEnded { parameter: String, untried: Vec<f64> },
    #[error("ended before the size was found: a third of the features is kept")]
    SizeNotFound,
    #[error("no feature varies: the ranking is arbitrary")]
    NothingVaries,
    #[error("all scores are zero: no feature is better than another, and the ranking is arbitrary")]
    ScoresVanish,
    #[error("alpha sets all coefficients to zero: the ranking is arbitrary")]
    NoCoefficient,
    #[error("all slopes vanish: this model does not distinguish features")]
    SlopesVanish,
    #[error("all slopes vanish at alpha {asked}: {used:e} was used instead")]
    PenaltyLowered { asked: f64, used: f64 },
    #[error("the loss grew without bound at rate {asked}: {used} was used instead")]
    RateLowered { asked: f64, used: f64 },
    #[error("rules are extracted from the best {used} of the {chosen} chosen features")]
    RulesFromBest { used: usize, chosen: usize },
    #[error("the objective rose again: {smallest:.4e} after iteration {iteration}, {last:.4e} at the end")]
    ObjectiveRose { iteration: usize, smallest: f64, last: f64 },

    // Training.
    #[error("not converged: the loss on the validation rows still fell after {steps} steps")]
    TrainingNotConverged { steps: usize },
    /// `tried` is the number of rules during which the training ended, if the rules are those of a smaller number.
    #[error("{reason}{}", rules_kept(*steps, *tried))]
    TrainingEndedEarly { reason: Halt, steps: usize, tried: Option<usize> },
    #[error("no held-out results: {reason}")]
    NoHeldOut { reason: String },
    #[error("held-out results are from {done} of {planned} folds: {reason}")]
    FewerFolds { done: usize, planned: usize, reason: String },

    // Prediction.
    #[error("columns the model does not use: {}", shortened(columns))]
    UnusedColumns { columns: Vec<String> },
    #[error("{values} missing values were filled in with those of the training rows")]
    FilledIn { values: usize },
    /// Column, category and number of rows of each.
    #[error(
        "categories unknown to the model: {}{}: {}",
        joined(categories, |(column, category, rows)| format!("'{}' in column '{}' ({rows} rows)", short(category), short(column))),
        if *further_rows > 0 { format!(", others ({further_rows} rows)") } else { String::new() },
        if *answered { "filled in like missing values" } else { "left without a prediction" }
    )]
    UnknownCategories { categories: Vec<(String, String, usize)>, further_rows: usize, answered: bool },
    #[error("{rows} incomplete rows have no prediction")]
    NoPrediction { rows: usize },

    // Evaluation.
    #[error("classes without a training row, and in how many splits: {}", counted(classes))]
    ClassesNotTrained { classes: Vec<(String, usize)> },
    #[error("classes without a test row, and in how many splits: {}", counted(classes))]
    ClassesNotTested { classes: Vec<(String, usize)> },
    #[error("{parts} training parts hold a single group, which inner folds divide")]
    SingleGroups { parts: usize },
    #[error("the SVM did not converge in {fits} fits")]
    SvmNotConverged { fits: usize },
    #[error(
        "R2 is not defined in {without} of {splits} splits, whose targets are all equal: means and tests leave them out"
    )]
    UndefinedR2 { without: usize, splits: usize },
    /// Methods with the number of training sets.
    #[error(
        "settings failed in inner folds and were excluded there: {}",
        joined(methods, |(name, parts)| format!("{name} (in {parts} training parts)"))
    )]
    SettingsFailedInside { methods: Vec<(String, usize)> },
    /// Methods with the number of failed settings and of all.
    #[error(
        "settings failed in a split and are excluded: {}",
        joined(methods, |(name, failed, all)| format!("{name} ({failed} of {all} settings)"))
    )]
    SettingsFailed { methods: Vec<(String, usize, usize)> },
    /// The protocol selects settings on the test rows.
    #[error(
        "protocol {protocol} shows {}",
        if *per_split {
            "in every split the setting with the best score on its test rows, an optimistic bound"
        } else {
            "the setting with the best mean score on the test rows"
        }
    )]
    OptimisticProtocol { protocol: String, per_split: bool },
    /// The test rows influence the training; kept to reproduce printed results.
    #[error(
        "protocol {protocol} repeats how the paper's tables were computed: it scales by all rows before the split and stops the \
         SVM before it converges, so that its scores do not estimate those on new rows"
    )]
    LeakingProtocol { protocol: String },
    #[error("ended early: {done} of {planned} splits are done")]
    SplitsLeft { done: usize, planned: usize },
    #[error("ended early: no result of {}; the scores are those of the others", methods.join(", "))]
    MethodsLeft { methods: Vec<String> },
    #[error("ended early: {done} of {planned} subsamples are ranked")]
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
            if let (Self::DatesAsTexts { columns }, Self::DatesAsTexts { columns: new })
            | (Self::DatesAmbiguous { columns }, Self::DatesAmbiguous { columns: new }) = (other, &self)
            {
                columns.extend_from_slice(new);
                return;
            }
        }
        to.push(self);
    }

    /// Removes columns that are not used from a warning about reading them; false if none is left.
    pub(crate) fn keep_columns(&mut self, is_used: impl Fn(&str) -> bool) -> bool {
        if let Self::DatesMixed { column, .. } = self {
            return is_used(column);
        }
        let (Self::DecimalCommas { columns }
        | Self::DecimalMarksMixed { columns, .. }
        | Self::OtherDecimalMark { columns }
        | Self::ThousandsSeparated { columns, .. }
        | Self::PointsAmbiguous { columns, .. }
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
            Self::DecimalCommas { .. }
            | Self::DecimalMarksMixed { .. }
            | Self::ThousandsSeparated { .. }
            | Self::PointsAmbiguous { .. } => Remedy::NameDecimalMark,
            Self::UnitsMixed { .. } => Remedy::plain("write them in one unit to make the column numeric"),
            Self::DatesAmbiguous { .. } => Remedy::NameDateOrder,
            Self::DatesMixed { is_date: true, .. } => Remedy::plain("write all dates as YYYY-MM-DD"),
            Self::DatesMixed { text, .. } => Remedy::ClearCell { value: text.clone() },
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
            Self::TextsAmongNumbers { columns, example } => {
                Remedy::ClearTexts { columns: columns.as_slice().into(), example: example.as_str().into() }
            }
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
