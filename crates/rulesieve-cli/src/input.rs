//! Reads INPUT as a table or a data set.

use crate::args::{Coding, DataArgs, DecimalArg, InputArgs, MissingArg, TaskArg, YesNo};
use crate::output::{note, shown};
use crate::remedy;
use crate::sample;
use anyhow::{Context, Result, bail};
use rulesieve::data::{
    CategoricalCoding, Code, Dataset, DatasetOptions, KeepSuspicious, Missing, Reading, Table, TargetColumn, Task,
};
use rulesieve::generate;
use rulesieve::model::Model;
use rulesieve_cli::arguments::unknown;
use rulesieve_io::{Format, Kind, Limits, ReadOptions, RowFile, Source};
use std::ops::ControlFlow;
use std::path::Path;

/// Prefix of the names of built-in data sets.
const BUILTIN: &str = "builtin:";

/// Reads the table that INPUT names.
pub(crate) fn table(args: &InputArgs) -> Result<Table> {
    check_used(args)?;
    match args.input.strip_prefix(BUILTIN) {
        Some(name) => builtin(name),
        None => Ok(rulesieve_io::read(&Source::parse(&args.input), &read_options(args)?)?),
    }
}

/// Reads the table that INPUT names, or the sample of its rows that `--sample` asks for.
pub(crate) fn sampled_table(args: &InputArgs, data: &DataArgs, seed: u64) -> Result<Table> {
    match data.sample {
        Some(size) => sample::table(args, data, size, seed),
        None => table(args),
    }
}

/// Opens the file that INPUT names, to be read in chunks.
pub(crate) fn rows(args: &InputArgs) -> Result<RowFile> {
    check_used(args)?;
    if args.input.starts_with(BUILTIN) {
        bail!("--stream applies only to files, and {} is in memory; leave --stream out", shown(&args.input));
    }
    Ok(RowFile::new(Source::parse(&args.input), read_options(args)?)?)
}

/// Returns whether INPUT is a text file whose columns have no types.
pub(crate) fn is_text(args: &InputArgs) -> Result<bool> {
    let named = args.read.input_format.as_deref().map(str::parse).transpose()?;
    let format = named.or_else(|| Format::from_path(Path::new(&args.input)));
    Ok(!args.input.starts_with(BUILTIN) && matches!(format, None | Some(Format::Csv | Format::Tsv)))
}

/// Number of rows per chunk.
const CHUNK: usize = 8192;

/// Passes the table that INPUT names to `take` in chunks, until it breaks. `like` is how an earlier table was read, `kind` gives
/// the kinds of columns that are known.
pub(crate) fn each_chunk(
    args: &InputArgs,
    like: Option<&Reading>,
    kind: impl Fn(&str) -> Option<Kind>,
    mut take: impl FnMut(&Table) -> Result<ControlFlow<()>>,
) -> Result<()> {
    check_used(args)?;
    if let Some(name) = args.input.strip_prefix(BUILTIN) {
        let table = builtin(name)?;
        for first in (0..table.rows()).step_by(CHUNK) {
            if take(&table.slice(first..(first + CHUNK).min(table.rows())))?.is_break() {
                break;
            }
        }
        return Ok(());
    }
    let source = Source::parse(&args.input);
    let mut options = ReadOptions { like: like.cloned().unwrap_or_default(), ..read_options(args)? };
    let format = options.format.or_else(|| Format::from_path(Path::new(&args.input)));
    if matches!(format, Some(Format::Csv | Format::Tsv | Format::Parquet)) {
        // Only one chunk is in memory, so the default limits on memory do not apply.
        options.limits.rows = args.read.max_rows.unwrap_or(usize::MAX);
        options.limits.bytes = args.read.max_bytes.unwrap_or(u64::MAX);
    }
    for chunk in rulesieve_io::chunks(&source, &options, CHUNK)?.expecting(kind) {
        if take(&chunk?)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// Returns the kind of a column that a model uses.
pub(crate) fn kind_for(model: &Model, column: &str) -> Option<Kind> {
    let found = model.preprocessing.columns.columns.iter().find(|known| known.name == column)?;
    Some(match found.code {
        Code::Numeric { .. } => Kind::Number,
        Code::Categorical { .. } => Kind::Text,
    })
}

/// Rejects options that do not apply to this INPUT.
fn check_used(args: &InputArgs) -> Result<()> {
    let text = [
        ("--delimiter", args.read.delimiter.is_some()),
        ("--header", args.read.header.is_some()),
        ("--comment", args.read.comment.is_some()),
        ("--decimal", args.read.decimal.is_some()),
        ("--day-first", args.read.day_first.is_some()),
        ("--encoding", args.read.encoding.is_some()),
    ];
    let variables = [
        ("--features-variable", args.read.features_variable.is_some()),
        ("--target-variable", args.read.target_variable.is_some()),
    ];
    let sheet = [("--sheet", args.read.sheet.is_some())];
    let limits = [
        ("--input-format", args.read.input_format.is_some()),
        ("--max-rows", args.read.max_rows.is_some()),
        ("--max-columns", args.read.max_columns.is_some()),
        ("--max-bytes", args.read.max_bytes.is_some()),
    ];
    let given = |options: &[(&'static str, bool)]| options.iter().find(|(_, given)| *given).map(|(name, _)| *name);
    if args.input.starts_with(BUILTIN) {
        return match given(&text).or(given(&variables)).or(given(&sheet)).or(given(&limits)) {
            Some(option) => bail!("{option} applies only to files, and {} is built in", shown(&args.input)),
            None => Ok(()),
        };
    }
    let named = args.read.input_format.as_deref().map(str::parse).transpose()?;
    let Some(format) = named.or_else(|| Format::from_path(Path::new(&args.input))) else { return Ok(()) };
    let unused = match format {
        Format::Csv | Format::Tsv => given(&variables).or(given(&sheet)),
        Format::Npz | Format::Mat => given(&text).or(given(&sheet)),
        // The header may be missing in a sheet too.
        Format::Excel => given(&[&text[..1], &text[2..4], &text[5..]].concat()).or(given(&variables)),
        Format::Json => given(&text[..4]).or(given(&variables)).or(given(&sheet)),
        _ => given(&text).or(given(&variables)).or(given(&sheet)),
    };
    match unused {
        Some(option) => bail!("{option} does not apply to files in the format {}", format.name()),
        None => Ok(()),
    }
}

/// Validates a table, and prints the task if it was inferred; errors name INPUT.
pub(crate) fn dataset(table: Table, input: &str, data: &DataArgs, coding: Coding) -> Result<Dataset> {
    let context = || match data.sample {
        Some(size) => format!("{} (--sample {size})", shown(input)),
        None => shown(input),
    };
    let data = Dataset::new(table, &dataset_options(data, coding)).with_context(context)?;
    print_task(&data);
    Ok(data)
}

/// Prints the task of a numeric target, if it was inferred.
pub(crate) fn print_task(data: &Dataset) {
    if let Some(task) = &data.inferred
        && let Some(remedy) = task.remedy()
    {
        note(&remedy::line(&task.to_string(), Some(&remedy)));
    }
}

/// Returns the table of a built-in data set.
pub(crate) fn builtin(name: &str) -> Result<Table> {
    if let Some(table) = rulesieve_io::builtin(name) {
        return Ok(table);
    }
    if let Some(generator) = generate::find(name) {
        return Ok(generator.generate(None, None, 0)?.table);
    }
    let known: Vec<&str> = builtin_names().collect();
    Err(unknown("built-in data set", name, &known))
}

/// Returns the names of all built-in data sets.
pub(crate) fn builtin_names() -> impl Iterator<Item = &'static str> {
    rulesieve_io::BUILTIN.iter().map(|(name, _)| *name).chain(generate::all().iter().map(|generator| generator.name))
}

/// Creates the reading options.
pub(crate) fn read_options(args: &InputArgs) -> Result<ReadOptions> {
    let limits = Limits::default();
    Ok(ReadOptions {
        format: args.read.input_format.as_deref().map(str::parse).transpose()?,
        delimiter: args.read.delimiter.as_deref().map(delimiter).transpose()?,
        header: args.read.header.map(|header| header == YesNo::Yes),
        comment: args.read.comment.clone(),
        encoding: args.read.encoding.clone(),
        decimal: args.read.decimal.map(|mark| if mark == DecimalArg::Comma { b',' } else { b'.' }),
        day_first: args.read.day_first.map(|day_first| day_first == YesNo::Yes),
        na_values: args.read.na_values.clone(),
        limits: Limits {
            rows: args.read.max_rows.unwrap_or(limits.rows),
            columns: args.read.max_columns.unwrap_or(limits.columns),
            bytes: args.read.max_bytes.unwrap_or(limits.bytes),
        },
        features_variable: args.read.features_variable.clone(),
        target_variable: args.read.target_variable.clone(),
        sheet: args.read.sheet.clone(),
        ..ReadOptions::default()
    })
}

fn delimiter(text: &str) -> Result<u8> {
    match (text, text.as_bytes()) {
        ("tab" | "\\t", _) => Ok(b'\t'),
        ("space", _) => Ok(b' '),
        (_, &[byte]) if byte.is_ascii() => Ok(byte),
        _ => bail!("--delimiter '{text}' is not one character; write for example ';', 'tab' or 'space'"),
    }
}

/// Creates the data set options.
pub(crate) fn dataset_options(args: &DataArgs, coding: Coding) -> DatasetOptions {
    let mut target = TargetColumn::default();
    target.column.clone_from(&args.target);
    target.bins = args.bins;
    target.task = match args.task {
        TaskArg::Auto => None,
        TaskArg::Classification => Some(Task::Classification),
        TaskArg::Regression => Some(Task::Regression),
    };
    DatasetOptions::new(target)
        .categorical(&args.categorical)
        .drop(&args.drop)
        .keep(&args.keep)
        .id(&args.id)
        .include(&args.include)
        .keep_suspicious(match &args.keep_suspicious {
            None => KeepSuspicious::None,
            Some(names) if names.is_empty() => KeepSuspicious::All,
            Some(names) => KeepSuspicious::Named(names.clone()),
        })
        .missing(match args.missing {
            MissingArg::Fill => Missing::Fill,
            MissingArg::Error => Missing::Error,
            MissingArg::Median => Missing::Median,
            MissingArg::DropRows => Missing::DropRows,
        })
        .coding(match coding {
            Coding::OneHot => CategoricalCoding::OneHot,
            Coding::Ordinal => CategoricalCoding::Ordinal,
        })
}

/// Splits the `name=value` of an option.
pub(crate) fn assignment(option: &str, text: &str) -> Result<(String, String)> {
    let list = if option == "--rule-param" { "--rule-params" } else { "NAME" };
    let (name, value) = text.split_once('=').with_context(|| {
        format!("{option} takes name=value, not '{text}'; `rulesieve methods {list}` lists the names")
    })?;
    Ok((name.to_owned(), value.to_owned()))
}
