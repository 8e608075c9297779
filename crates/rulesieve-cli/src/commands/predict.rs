//! `predict`: predictions for new rows, in chunks, so that neither input nor output needs to fit into memory.

use crate::args::{PredictArgs, RowFormat};
use crate::output::{Cell, Document, Format, Head, Table};
use crate::progress::Meter;
use crate::{input, interrupt, model_file, output};
use anyhow::{Context, Result, bail};
use rulesieve::Warning;
use rulesieve::data;
use rulesieve::data::names;
use rulesieve::model::{Evaluation, Metrics, Predictions, Predictor};
use rulesieve_io::TableFormat;
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;

mod rows;

use rows::RowWriter;

pub(crate) fn run(args: &PredictArgs) -> Result<ExitCode> {
    let format = format(args)?;
    let predictor = model_file::read_model(&args.model)?;
    if let Some(path) = &args.output {
        output::check_destination(path)?;
        output::check_not_input(path, &args.input.input)?;
        if path.is_file() && path.canonicalize().ok() == args.model.canonicalize().ok() {
            bail!("--output {} is the model itself; write to another file", path.display());
        }
    }
    let threads = rulesieve_cli::arguments::threads(args.threads)?;
    let mut run = Run::new(&predictor, args.evaluate);
    threads.install(|| match &args.output {
        Some(path) => run.write_file(args, format, path),
        None => run.write(args, format, &mut BufWriter::new(io::stdout().lock()), output::NO_OUTPUT),
    })?;
    output::warnings(&run.warnings());
    let to = args.output.as_ref().map(|path| format!(" to {}", path.display())).unwrap_or_default();
    output::note(&format!("wrote {}{to}", output::counted(run.rows, "prediction")));
    match run.metrics.as_ref().map(Metrics::finish) {
        Some(Some(evaluation)) => print_scores(args, &predictor, &evaluation)?,
        Some(None) => bail!("--evaluate: no row has both a label and a prediction"),
        None => {}
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the format of the predictions: on standard output that of the options, else that of the file ending.
fn format(args: &PredictArgs) -> Result<TableFormat> {
    match (&args.output, args.format()) {
        (Some(path), _) => output::table_format(Some(path)),
        (None, Some(RowFormat::Json)) => Ok(TableFormat::JSON),
        (None, Some(RowFormat::Jsonl)) => Ok(TableFormat::JSON_LINES),
        (None, Some(RowFormat::Csv) | None) => Ok(TableFormat::CSV),
    }
}

/// Totals over the chunks so far.
struct Run<'a> {
    predictor: &'a Predictor,
    metrics: Option<Metrics>,
    rows: usize,
    filled: usize,
    /// Rows without a prediction.
    blank: usize,
    /// Number of rows by column and unknown category.
    unseen: BTreeMap<(String, String), usize>,
    /// Rows with further unknown categories.
    more_unseen: usize,
    /// Columns that the model does not use.
    extra: Vec<String>,
    /// Warnings of the reader.
    read: Vec<Warning>,
}

/// Maximum number of unknown categories listed.
const LISTED: usize = 12;

impl<'a> Run<'a> {
    fn new(predictor: &'a Predictor, evaluate: bool) -> Self {
        let metrics = evaluate.then(|| Metrics::new(predictor.model()));
        let (unseen, extra, read) = (BTreeMap::new(), Vec::new(), Vec::new());
        Self { predictor, metrics, rows: 0, filled: 0, blank: 0, unseen, more_unseen: 0, extra, read }
    }

    /// Writes a complete file or none.
    fn write_file(&mut self, args: &PredictArgs, format: TableFormat, path: &Path) -> Result<()> {
        let context = || format!("cannot write {}", path.display());
        let mut file = interrupt::begin(path).with_context(context)?;
        self.write(args, format, &mut file, &context())?;
        interrupt::finish(file).with_context(context)
    }

    fn write(&mut self, args: &PredictArgs, format: TableFormat, to: &mut dyn Write, failure: &str) -> Result<()> {
        let mut meter = Meter::new("predict", "rows");
        let context = || failure.to_owned();
        let mut writer = RowWriter::new(self.predictor.model(), format, to).with_context(context)?;
        let model = self.predictor.model();
        input::each_chunk(
            &args.input,
            Some(&model.preprocessing.reading),
            |column| input::kind_for(model, column),
            |chunk| {
                let predictions = self.predict(chunk).with_context(|| output::shown(&args.input.input))?;
                writer.write(&predictions).with_context(context)?;
                meter.show(self.rows);
                Ok(ControlFlow::Continue(()))
            },
        )?;
        writer.finish().with_context(context)
    }

    /// Predicts a chunk and updates the totals.
    fn predict(&mut self, chunk: &data::Table) -> Result<Predictions> {
        let first = self.rows + 1;
        let model = self.predictor.model();
        if self.rows == 0 {
            let extra = self.predictor.extra(chunk);
            let and_target = self.metrics.is_none() && chunk.position(&model.target).is_some();
            let names = extra.into_iter().chain(and_target.then_some(model.target.as_str()));
            self.extra = names.map(str::to_owned).collect();
            self.read.clone_from(&chunk.warnings);
        }
        let predictions = self.predictor.predict(chunk, first)?;
        if let Some(metrics) = &mut self.metrics {
            let Some(at) = chunk.position(&model.target) else {
                bail!("--evaluate needs the target column '{}', which the table lacks", names::short(&model.target));
            };
            metrics.add(&predictions.rows, &chunk.columns()[at], first)?;
        }
        self.rows += chunk.rows();
        self.filled += predictions.filled;
        self.blank += predictions.rows.iter().filter(|row| row.is_none()).count();
        for unseen in &predictions.unseen {
            let key = (unseen.column.clone(), unseen.category.clone());
            if self.unseen.len() < LISTED || self.unseen.contains_key(&key) {
                *self.unseen.entry(key).or_default() += unseen.rows.len();
            } else {
                self.more_unseen += unseen.rows.len();
            }
        }
        Ok(predictions)
    }

    fn warnings(&self) -> Vec<Warning> {
        let mut warnings = self.read.clone();
        if !self.extra.is_empty() {
            warnings.push(Warning::UnusedColumns { columns: self.extra.clone() });
        }
        if self.filled > 0 {
            warnings.push(Warning::FilledIn { values: self.filled });
        }
        if !self.unseen.is_empty() {
            let one =
                |((column, category), rows): (&(String, String), &usize)| (column.clone(), category.clone(), *rows);
            let categories = self.unseen.iter().map(one).collect();
            let (further_rows, answered) = (self.more_unseen, self.blank == 0);
            warnings.push(Warning::UnknownCategories { categories, further_rows, answered });
        }
        if self.blank > 0 {
            warnings.push(Warning::NoPrediction { rows: self.blank });
        }
        warnings
    }
}

/// Prints the scores on standard output, or on standard error if the predictions are on standard output.
fn print_scores(args: &PredictArgs, predictor: &Predictor, evaluation: &Evaluation) -> Result<()> {
    let scores = describe(&predictor.model().target, evaluation);
    let format = match args.format() {
        None => Format::Text,
        Some(RowFormat::Csv) if args.output.is_some() => Format::Csv,
        Some(RowFormat::Csv) => Format::Text,
        Some(RowFormat::Json | RowFormat::Jsonl) => Format::Json,
    };
    if args.output.is_some() {
        return scores.print(format, evaluation);
    }
    let text = match format {
        Format::Json => serde_json::to_string_pretty(evaluation)?,
        _ => scores.as_text(None),
    };
    // A message is a single line.
    text.lines().for_each(output::message);
    Ok(())
}

fn describe(target: &str, evaluation: &Evaluation) -> Document {
    let percent = |share: f64| Cell::precise(format!("{:.2} %", 100.0 * share), share);
    let mut lines = vec![("rows", Cell::from(evaluation.rows))];
    let others = [
        ("rows without a label", evaluation.unlabelled),
        ("rows without a prediction", evaluation.unanswered),
        ("rows of unknown classes", evaluation.unknown_labels),
    ];
    lines.extend(others.into_iter().filter(|(_, count)| *count > 0).map(|(name, count)| (name, count.into())));
    if let Some(scores) = &evaluation.classes {
        lines.push(("accuracy", percent(scores.accuracy)));
        lines.push(("balanced accuracy", percent(scores.balanced_accuracy)));
        lines.push(("macro-F1", percent(scores.macro_f1)));
        lines.extend(scores.log_loss.map(|loss| ("log-loss", Cell::number(loss))));
    }
    lines.extend(evaluation.rmse.map(|rmse| ("RMSE", Cell::number(rmse))));
    lines.extend(evaluation.r2.map(|r2| ("R squared", Cell::number(r2))));
    let mut table = Table::new([Head::left("").fields(&["score"]), Head::right("").fields(&["value"])]);
    lines.into_iter().for_each(|(name, value)| table.push([name.into(), value]));
    let mut document = Document::new();
    document.table(table);
    if let Some(scores) = &evaluation.classes {
        document.text(format!("\n{} in rows, predicted in columns\n", output::shown(target)));
        let heads = scores.class_names.iter().map(|name| Head::right(output::shown(name)));
        let mut table = Table::new([Head::left("")].into_iter().chain(heads));
        for (name, row) in scores.class_names.iter().zip(&scores.confusion) {
            table.push([Cell::name(name)].into_iter().chain(row.iter().map(|&count| count.into())));
        }
        document.table(table);
    }
    document
}
