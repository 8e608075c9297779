//! Remedies for errors and warnings, in terms of the command line.

use rulesieve::data::{DataError, TableError, Task};
use rulesieve::generate::GenerateError;
use rulesieve::methods::FitError;
use rulesieve::model::{ModelError, TrainError};
use rulesieve::select::{SelectError, SizeError};
use rulesieve::stream::StreamError;
use rulesieve::{Limit, Remedy, Warning, pronoun};
use rulesieve_eval::evaluate::EvaluateError;
use rulesieve_eval::records::RecordsError;
use rulesieve_eval::splits::TimeError;
use rulesieve_eval::statistics::StatisticsError;
use rulesieve_io::{ReadError, TableFormatError, shown};
use std::error::Error;

/// Formats a message and its remedy as `MESSAGE; REMEDY`.
pub fn line(what: &str, remedy: Option<&Remedy>) -> String {
    remedy.map_or_else(|| what.to_owned(), |remedy| format!("{what}; {}", in_flags(remedy)))
}

/// Formats a warning as one line.
pub fn of_warning(warning: &Warning) -> String {
    line(&warning.to_string(), warning.remedy().as_ref())
}

/// The remedies of errors that this crate does not know.
pub type OwnRemedy = fn(&(dyn Error + 'static)) -> Option<Remedy>;

/// Returns the first remedy in the chain of causes.
pub fn of_error(error: &anyhow::Error, own: OwnRemedy) -> Option<Remedy> {
    error.chain().find_map(|cause| own(cause).or_else(|| of_cause(cause)))
}

/// Returns the remedy of an error without its causes.
pub fn of_cause(error: &(dyn Error + 'static)) -> Option<Remedy> {
    macro_rules! first {
        ($($kind:ty),*) => {
            $(if let Some(error) = error.downcast_ref::<$kind>() { return error.remedy(); })*
        };
    }
    if let Some(StreamError::Source(source)) = error.downcast_ref::<StreamError>() {
        return of_cause(source.as_ref());
    }
    first!(DataError, TableError, FitError, SelectError, SizeError, StreamError, TrainError, ModelError, GenerateError);
    first!(ReadError, TableFormatError, EvaluateError, Box<EvaluateError>, RecordsError, StatisticsError, TimeError);
    None
}

/// Formats a remedy with options of the command line.
fn in_flags(remedy: &Remedy) -> String {
    match remedy {
        Remedy::NameTarget => {
            "name the target column with --target (its name, its number from 1, or 'last')".to_owned()
        }
        Remedy::OtherTarget => "name another target with --target".to_owned(),
        Remedy::FillTarget => "fill it in, or leave such rows out with --missing fill".to_owned(),
        Remedy::UseTask(Task::Classification) => "--task classification reads them as classes".to_owned(),
        Remedy::UseTask(Task::Regression) => "--task regression reads them as numbers".to_owned(),
        Remedy::RefuseMissing => "--missing error rejects them".to_owned(),
        Remedy::FillMissing => {
            "fill them in with --missing fill, or leave those rows out with --missing drop-rows".to_owned()
        }
        Remedy::ClearCell { value } => format!("correct or clear the cell, or use {}", na_values(value)),
        Remedy::Retrain { row } => format!("{row}, or train with --missing fill"),
        Remedy::DropColumns { columns } => match &columns[..] {
            [column] => format!("leave it out with --drop '{}'", shown(column)),
            _ => "consider leaving them out with --drop".to_owned(),
        },
        Remedy::KeepSuspicious => "include with --keep-suspicious".to_owned(),
        Remedy::FillOrDropEmptiest => {
            "use --missing fill, or leave the columns with most missing values out with --drop".to_owned()
        }
        Remedy::ClearTexts { columns, example } => {
            format!("clear those cells, use {}, or name {} in --categorical", na_values(example), pronoun(columns))
        }
        Remedy::RenameColumn { repeated } => {
            let first = if *repeated { "rename one of them" } else { "name it" };
            format!("{first}, or, if the first row is data, use --header no")
        }
        Remedy::NameMissing { values } => format!("if so, use --na-values {}", values.join(",")),
        Remedy::NameDecimalMark => "if that is wrong, name the decimal mark with --decimal point or comma".to_owned(),
        Remedy::NameDateOrder => "name their order with --day-first yes or no, or write them as YYYY-MM-DD".to_owned(),
        Remedy::NameEncoding => "if that is wrong, name it with --encoding, or save the file as UTF-8".to_owned(),
        Remedy::UseEncoding { encoding } => format!("read it with --encoding {encoding}, or save it as UTF-8"),
        Remedy::NameComment { mark } => {
            format!("if that line is a comment, use --comment '{mark}', else check delimiters and quotes there")
        }
        Remedy::FirstRowIsData => "if it is a row of data, use --header no".to_owned(),
        Remedy::RegressionOrClasses => {
            "learn its numbers with --task regression, cut it into classes with --bins 2, or \
             name another target with --target"
                .to_owned()
        }
        Remedy::BinsOrRegression => "give either --bins or --task regression".to_owned(),
        Remedy::Classification => "use --task classification".to_owned(),
        Remedy::NoBins => "leave --bins out".to_owned(),
        Remedy::OrdinalOrDrop => "use --categorical-coding ordinal, or leave columns out with --drop".to_owned(),
        Remedy::SetParameter { name, value, training } => {
            format!("try {} {name}={value}", if *training { "--rule-param" } else { "--set" })
        }
        Remedy::UseMethod { methods } => format!("use --method {}", methods.join(" or ")),
        Remedy::MethodOrClasses { methods } => {
            let methods = methods.join(", ");
            format!("use {methods}; or read the target as classes with --task classification, or cut it with --bins")
        }
        Remedy::MethodOrNoTuning { method } => format!("use --method {method}, or leave --tune out"),
        Remedy::MethodOrMemory { methods } => format!("use --method {}, or leave --stream out", methods.join(" or ")),
        Remedy::FormatOrMemory => "stream CSV, TSV or Parquet files, or leave --stream out".to_owned(),
        Remedy::SizeOrRule => "give a number with --top, or use --size one-se".to_owned(),
        Remedy::SizeOrShare => "give --top or --fraction".to_owned(),
        Remedy::LessData => "use a sample of the rows with --sample, or leave columns out with --drop".to_owned(),
        Remedy::RaiseLimit(limit) => {
            let option = match limit {
                Limit::Rows => "--max-rows",
                Limit::Columns => "--max-columns",
                Limit::Bytes => "--max-bytes",
            };
            format!("if that is intended, raise the limit with {option}")
        }
        Remedy::NameFormat { known } => format!("check the file, or name its format with --input-format: {known}"),
        Remedy::NameVariable { target: false } => "name it with --features-variable".to_owned(),
        Remedy::NameVariable { target: true } => "name it with --target-variable".to_owned(),
        Remedy::NameSheet => "name it with --sheet, or give its number from 1".to_owned(),
        Remedy::EstimatorOrBins { estimators } => {
            format!("use --estimator {}, or cut the target into classes with --bins", estimators.join(" or "))
        }
        Remedy::Nested => "evaluate methods with --protocol nested".to_owned(),
        Remedy::OneParameterOrNested => "give one, or use --protocol nested".to_owned(),
        Remedy::ListRuns { path } => format!("list them with `rulesieve records {path}`"),
        // Remedies that name no options.
        other => other.to_string(),
    }
}

/// The option that declares a value as missing.
fn na_values(value: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    match value.starts_with('-') {
        true if value.chars().all(plain) => format!("--na-values={value}"),
        false if value.chars().all(plain) => format!("--na-values {value}"),
        _ => format!("--na-values='{}'", shown(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn remedies_are_found_in_wrapped_errors() {
        let missing =
            DataError::Missing { column: "use --missing median".into(), row: 3.into(), missing: 1, columns: 1 };
        let error = StreamError::Select(SelectError::Data(missing));
        let wrapped = Err::<(), _>(error).context("table.csv").unwrap_err();
        assert_eq!(of_error(&wrapped, |_| None), Some(Remedy::FillMissing));
        let read = ReadError::Endless { file: "f".into(), limit: 1 };
        let boxed = anyhow::Error::new(StreamError::Source(Box::new(read)));
        assert_eq!(of_error(&boxed, |_| None), Some(Remedy::RaiseLimit(Limit::Bytes)));
        assert_eq!(of_error(&anyhow::anyhow!("something else"), |_| None), None);
    }

    #[test]
    fn remedies_name_options() {
        let drop = Remedy::drop_column("a\u{7}b");
        assert_eq!(line("it has no value", Some(&drop)), "it has no value; leave it out with --drop 'a\\u{7}b'");
        let warning = Warning::NotConverged { iterations: 5, longer: Some(("iterations".into(), 15)) };
        let text = of_warning(&warning);
        assert_eq!(text, "not converged: the objective still changed after 5 iterations; try --set iterations=15");
    }
}
