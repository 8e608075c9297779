//! The messages of warnings.

use super::Warning;
use crate::data::ExclusionReason;
use crate::data::RARE_CLASS;
use crate::data::names::{short, shortened};
use std::fmt;

/// Maximum number of sets of equal columns in a message.
const SETS_LISTED: usize = 3;

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message { text } => f.write_str(text),
            Self::ColumnsNumbered { columns } => {
                write!(f, "the first row holds only numbers, so the columns are named c1 to c{columns}")
            }
            Self::NumberAsName { name } => {
                write!(f, "the first row was read as column names although '{}' is a number", short(name))
            }
            Self::DelimiterDetected { delimiter } => write!(f, "the columns are separated by {delimiter} (detected)"),
            Self::DecimalCommas { columns } => write!(f, "{}: the comma was read as the decimal sign", quoted(columns)),
            Self::DecodedAs { encoding } => write!(f, "the text is not UTF-8 and was read as {encoding}"),
            Self::CommentsSkipped { lines: 1 } => f.write_str("the first line begins with # and was skipped"),
            Self::CommentsSkipped { lines } => write!(f, "the first {lines} lines begin with # and were skipped"),
            Self::EmptyLastColumn { column } => {
                write!(f, "rows end with a delimiter: the empty last column '{}' was dropped", short(column))
            }
            Self::DecimalMarksMixed { columns, point, comma } => write!(
                f,
                "{} kept as text: both marks are decimal marks, the point in '{}' (column '{}', data row {}) and the \
                 comma in '{}' (column '{}', data row {})",
                quoted(columns),
                short(&point.2),
                short(&point.0),
                point.1,
                short(&comma.2),
                short(&comma.0),
                comma.1
            ),
            Self::OtherDecimalMark { columns } => {
                write!(f, "{}: the decimal mark is not that of the file", quoted(columns))
            }
            Self::ThousandsSeparated { columns, example } => {
                write!(f, "{}: separators of thousands were removed (such as in '{}')", quoted(columns), short(example))
            }
            Self::PercentRead { columns } => {
                write!(f, "{}: numbers with percent were divided by 100", quoted(columns))
            }
            Self::CurrencyRemoved { columns } => write!(f, "{}: currency signs were removed", quoted(columns)),
            Self::ParenthesesNegative { columns } => {
                write!(f, "{}: numbers in parentheses were read as negative", quoted(columns))
            }
            Self::UnitsMixed { columns } => {
                write!(
                    f,
                    "{} kept as text: numbers with different currencies, or with and without percent",
                    quoted(columns)
                )
            }
            Self::DatesAmbiguous { columns } => {
                write!(f, "{} kept as text: the dates allow both day/month and month/day", quoted(columns))
            }
            Self::ReadingDiffers { what, here, training } => write!(
                f,
                "the table is not read like the training table ({what}: '{}' instead of '{}')",
                short(here),
                short(training)
            ),
            Self::VariablesSkipped { variables } => {
                let quoted: Vec<String> = variables.iter().map(|name| format!("'{}'", short(name))).collect();
                write!(f, "these variables were skipped: {}", shortened(&quoted))
            }
            Self::SheetsSkipped { read, skipped } => {
                let quoted: Vec<String> = skipped.iter().map(|name| format!("'{}'", short(name))).collect();
                write!(f, "the sheet '{}' was read, and not {}", short(read), shortened(&quoted))
            }
            Self::QueryNumbersIgnored => f.write_str("the query numbers (qid) were ignored"),
            Self::DatesAsTexts { columns } => write!(f, "{}: dates were kept as texts", quoted(columns)),
            Self::SparseTextsMissing => f.write_str("texts that sparse rows leave out were read as missing"),
            Self::IncompleteRows { dropped, rows } => {
                write!(f, "left out {dropped} of {rows} rows with missing values")
            }
            Self::RowsWithoutTarget { dropped, rows, target } => {
                write!(f, "left out {dropped} of {rows} rows in which target '{}' is missing", short(target))
            }
            Self::SingleRowClasses { classes } => {
                write!(f, "left out classes with a single row: {}", shortened(classes))
            }
            Self::MissingFilled { values, columns } => write!(
                f,
                "{values} missing values in {columns} columns were filled in: numbers with the median, categories with a \
                 category of their own"
            ),
            Self::ClassesLost { classes } => {
                write!(f, "classes without complete rows were removed: {}", shortened(classes))
            }
            Self::RowsRenumbered => f.write_str("row numbers do not count the rows that were left out"),
            Self::ExcludedColumns { reason, columns, target } => {
                let target = target.as_ref().map(|name| format!(" '{}'", short(name))).unwrap_or_default();
                write!(f, "excluded as {}{target}: {}", of_several(*reason), shortened(columns))
            }
            Self::SuspiciousKept { columns } => {
                write!(f, "kept although suspicious, because all other features are constant: {}", shortened(columns))
            }
            Self::CopyOfTarget { columns, target, regression } => {
                let how = if *regression { "but for scale and origin" } else { "one value for each class" };
                let (names, target) = (shortened(columns), short(target));
                write!(f, "possible leak: {names} is a copy of the target '{target}': {how}")
            }
            Self::SeparateRanges { columns } => {
                write!(f, "possible leak: each class has its own range of {}", shortened(columns))
            }
            Self::Identifiers { columns } => write!(f, "looks like a row identifier: {}", shortened(columns)),
            Self::RowNumbers { columns } => write!(f, "looks like a row number: {}", shortened(columns)),
            Self::NamedLikeIdentifiers { columns } => {
                write!(f, "named like an identifier, although values repeat: {}", shortened(columns))
            }
            Self::Constant { columns } => write!(f, "constant, so scored 0 and ranked last: {}", shortened(columns)),
            Self::Equal { sets } => write!(f, "equal in every row, so scored alike: {}", sets_of(sets)),
            Self::ExtremeValues { columns } => {
                write!(f, "a few extreme values flatten the scaled column: {}", shortened(columns))
            }
            Self::Sentinels { columns } => {
                let one = |(column, value): &(String, String)| format!("{value} in '{}'", short(column));
                write!(f, "may stand for missing values: {}", joined(columns, one))
            }
            Self::TextsAmongNumbers { columns, example } => {
                let (text, first) = (short(example), columns.first().map(|name| short(name)).unwrap_or_default());
                write!(
                    f,
                    "read as categories because of texts among the numbers (such as '{text}' in '{first}'): {}",
                    shortened(columns)
                )
            }
            Self::RareClasses { classes, rows } => match &classes[..] {
                [(class, count)] => write!(f, "class '{}' is rare: {count} of {rows} rows", short(class)),
                _ => {
                    let (count, percent) = (classes.len(), 100.0 * RARE_CLASS);
                    write!(f, "{count} classes have less than {percent} % of the {rows} rows: {}", counted(classes))
                }
            },
            Self::SortedRows { regression } => {
                let by = if *regression { "the target" } else { "class" };
                write!(f, "the rows seem to be sorted by {by}, and the fit reads them in the order of the file")
            }
            Self::SampledRows { sample, rows } => write!(f, "only a random sample of {sample} of {rows} rows is used"),
            Self::SampledScores { sample, rows } => {
                write!(f, "streamed: scores and statistics of columns are from a sample of {sample} of {rows} rows")
            }
            Self::SampledSelection { sample, rows } => {
                write!(f, "features were selected from a random sample of {sample} of {rows} rows")
            }
            Self::SampledRules { sample, rows } => {
                write!(f, "streamed: metrics and statistics of rules are from a sample of {sample} of {rows} rows")
            }
            _ => self.of_fit(f),
        }
    }
}

impl Warning {
    /// Messages about selection, training, prediction and evaluation.
    fn of_fit(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBetterThanChance { held_out } => {
                write!(f, "no better than chance on {} held-out rows ({})", held_out.rows, held_out.figures())
            }
            Self::ValidationNoBetterThanChance { loss, chance_loss } => write!(
                f,
                "the validation loss is no better than chance: {loss:.3}, constant prediction {chance_loss:.3}"
            ),
            Self::NotConverged { iterations, .. } => {
                write!(f, "not converged: the objective still changed after {iterations} iterations")
            }
            Self::EndedEarly { reason, iteration } => {
                write!(f, "{reason}: the ranking is that of iteration {iteration}")
            }
            Self::TopTooLarge { asked, features } => {
                write!(f, "asked for the top {asked} of {features} features: all are selected")
            }
            Self::RankedWithoutWeight { used, features, by } => {
                write!(f, "{used} of {features} features have a weight: the others are ranked by {by}")
            }
            Self::Tuned { parameter, values, losses } => {
                let tried: Vec<String> =
                    losses.iter().zip(values).map(|(loss, value)| format!("{loss:.4} at {value}")).collect();
                write!(f, "validation loss (used to choose {parameter}): {}", tried.join(", "))
            }
            Self::TuningEnded { parameter, untried } => {
                let untried: Vec<String> = untried.iter().map(f64::to_string).collect();
                write!(f, "ended before all values of {parameter} were tried: not {}", untried.join(", "))
            }
            Self::SizeNotFound => f.write_str("ended before the size was found: a third of the features is kept"),
            Self::NothingVaries => f.write_str("no feature varies: the ranking is arbitrary"),
            Self::ScoresVanish => {
                f.write_str("all scores are zero: no feature is better than another, and the ranking is arbitrary")
            }
            Self::NoCoefficient => f.write_str("alpha sets all coefficients to zero: the ranking is arbitrary"),
            Self::SlopesVanish => f.write_str("all slopes vanish: this model does not distinguish features"),
            Self::PenaltyLowered { asked, used } => {
                write!(f, "all slopes vanish at alpha {asked}: {used:e} was used instead")
            }
            Self::RateLowered { asked, used } => {
                write!(f, "the loss grew without bound at rate {asked}: {used} was used instead")
            }
            Self::RulesFromBest { used, chosen } => {
                write!(f, "rules are extracted from the best {used} of the {chosen} chosen features")
            }
            Self::ObjectiveRose { iteration, smallest, last } => {
                write!(f, "the objective rose again: {smallest:.4e} after iteration {iteration}, {last:.4e} at the end")
            }
            Self::TrainingNotConverged { steps } => {
                write!(f, "not converged: the loss on the validation rows still fell after {steps} steps")
            }
            Self::TrainingEndedEarly { reason, tried: Some(rules), .. } => write!(
                f,
                "{reason} while {rules} rules were tried: those of a smaller number are taken, without a last pass on \
                 all rows"
            ),
            Self::TrainingEndedEarly { reason, steps, tried: None } => {
                write!(f, "{reason}: the rules are those after {steps} steps")
            }
            Self::NoHeldOut { reason } => write!(f, "no held-out results: {reason}"),
            Self::FewerFolds { done, planned, reason } => {
                write!(f, "held-out results are from {done} of {planned} folds: {reason}")
            }
            Self::UnusedColumns { columns } => write!(f, "columns the model does not use: {}", shortened(columns)),
            Self::FilledIn { values } => {
                write!(f, "{values} missing values were filled in with those of the training rows")
            }
            Self::UnknownCategories { categories, further_rows, answered } => {
                let one = |(column, category, rows): &(String, String, usize)| {
                    format!("'{}' in column '{}' ({rows} rows)", short(category), short(column))
                };
                let list = shortened_texts(&categories.iter().map(one).collect::<Vec<_>>());
                let further = if *further_rows > 0 { format!(", others ({further_rows} rows)") } else { String::new() };
                let treated = if *answered { "filled in like missing values" } else { "left without a prediction" };
                write!(f, "categories unknown to the model: {list}{further}: {treated}")
            }
            Self::NoPrediction { rows } => write!(f, "{rows} incomplete rows have no prediction"),
            Self::ClassesNotTrained { classes } => {
                write!(f, "classes without a training row, and in how many splits: {}", counted(classes))
            }
            Self::ClassesNotTested { classes } => {
                write!(f, "classes without a test row, and in how many splits: {}", counted(classes))
            }
            Self::SingleGroups { parts } => {
                write!(f, "{parts} training parts hold a single group, which inner folds divide")
            }
            Self::SvmNotConverged { fits } => write!(f, "the SVM did not converge in {fits} fits"),
            Self::UndefinedR2 { without, splits } => write!(
                f,
                "R2 is not defined in {without} of {splits} splits, whose targets are all equal: means and tests leave \
                 them out"
            ),
            Self::SettingsFailedInside { methods } => {
                let one = |(name, parts): &(String, usize)| format!("{name} (in {parts} training parts)");
                write!(f, "settings failed in inner folds and were excluded there: {}", joined(methods, one))
            }
            Self::SettingsFailed { methods } => {
                let one = |(name, failed, all): &(String, usize, usize)| format!("{name} ({failed} of {all} settings)");
                write!(f, "settings failed in a split and are excluded: {}", joined(methods, one))
            }
            Self::OptimisticProtocol { protocol, per_split } => {
                let best = if *per_split {
                    "shows in every split the setting with the best score on its test rows, an optimistic bound"
                } else {
                    "shows the setting with the best mean score on the test rows"
                };
                write!(f, "protocol {protocol} {best}")
            }
            Self::LeakingProtocol { protocol } => write!(
                f,
                "protocol {protocol} repeats how the paper's tables were computed: it scales by all rows before the split and stops \
                 the SVM before it converges, so that its scores do not estimate those on new rows"
            ),
            Self::SplitsLeft { done, planned } => write!(f, "ended early: {done} of {planned} splits are done"),
            Self::MethodsLeft { methods } => {
                write!(f, "ended early: no result of {}; the scores are those of the others", methods.join(", "))
            }
            Self::SubsamplesLeft { done, planned } => {
                write!(f, "ended early: {done} of {planned} subsamples are ranked")
            }
            _ => Ok(()),
        }
    }
}

fn joined<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    shortened_texts(&items.iter().map(text).collect::<Vec<_>>())
}

/// The first texts, uncut, and the number of the others.
fn shortened_texts(texts: &[String]) -> String {
    const LISTED: usize = 12;
    let more = texts.len().saturating_sub(LISTED);
    let list = texts[..texts.len() - more].join(", ");
    if more > 0 { format!("{list} and {more} more") } else { list }
}

/// `column 'a'` or `columns a, b`.
fn quoted(columns: &[String]) -> String {
    match columns {
        [one] => format!("column '{}'", short(one)),
        _ => format!("columns {}", shortened(columns)),
    }
}

/// `a (3), b (1)`.
fn counted(classes: &[(String, usize)]) -> String {
    joined(classes, |(class, count)| format!("{} ({count})", short(class)))
}

/// The names of one set, or of the first sets in parentheses.
fn sets_of(sets: &[Vec<String>]) -> String {
    if let [set] = sets {
        return shortened(set);
    }
    let listed: Vec<String> = sets.iter().take(SETS_LISTED).map(|set| format!("({})", shortened(set))).collect();
    match sets.len().saturating_sub(SETS_LISTED) {
        0 => listed.join(", "),
        more => format!("{} and {more} more sets", listed.join(", ")),
    }
}

fn of_several(reason: ExclusionReason) -> &'static str {
    match reason {
        ExclusionReason::Identifier => "row identifiers",
        ExclusionReason::Index => "index of the rows",
        ExclusionReason::RowNumber => "row numbers",
        ExclusionReason::CopyOfTarget => "copies of the target",
        ExclusionReason::Empty => "columns without values",
    }
}
