//! `select`: rank the features of a table and select the best.

use super::apply::source_columns;
use crate::args::{FitArgs, SelectArgs};
use crate::output::{Cell, Document, Format, Head, Table};
use crate::progress::Watcher;
use crate::{input, interrupt, learning, output};
use anyhow::{Context, Result, bail};
use rulesieve::data::Task;
use rulesieve::methods::{self, settings::ParamError};
use rulesieve::optim::Halt;
use rulesieve::select::{SelectOptions, Selection, Size, SizeCurve, SizeRule};
use rulesieve_cli::arguments::{method, threads};
use rulesieve_eval::TimeBudget;
use rulesieve_report::p_value;
use std::collections::HashSet;
use std::process::ExitCode;

/// Maximum number of features printed without `--all`.
const SHOWN: usize = 30;
/// Maximum number of pairs printed.
const SHOWN_PAIRS: usize = 10;

pub(crate) fn run(args: &SelectArgs) -> Result<ExitCode> {
    let options = options(&args.fit)?;
    let budget = args.run.time_budget.map(TimeBudget::duration);
    if let Some(path) = &args.run.output {
        output::check_destination(path)?;
        output::check_not_input(path, &args.input.input)?;
    }
    args.run.report.check(&args.input.input, &[args.run.output.as_deref()])?;
    let threads = threads(args.fit.threads)?;
    let mut watcher = Watcher::new(options.method.info().title, budget);
    let source = (&args.input, &args.data, &args.fit);
    // Runs inside the pool, because parallel steps started from outside wake its threads each time.
    let (selection, page) = threads.install(|| {
        learning::with_rows(source, &options, |rows| {
            let selection = rows.select(&options, &mut watcher)?;
            let page = args.run.report.page(rows, &selection, None, &args.input.input);
            Ok((selection, page))
        })
    })?;
    let halted = watcher.halted;
    drop(watcher);

    if let Some(path) = args.run.output.as_ref().filter(|_| !interrupt::requested()) {
        output::write_json(path, &selection)?;
    }
    if args.run.names {
        output::print(&names(&selection)?)?;
    } else {
        let shown = if args.all { usize::MAX } else { SHOWN };
        let mut document = describe(&selection, &args.input.input, shown);
        document.text(selection.held_out_summary().map(|line| line + "\n").unwrap_or_default());
        document.text(unfinished(halted));
        document.print(args.run.format.format(), &selection)?;
    }
    // The record contains the warnings.
    if args.run.names || args.run.format.format() != Format::Json {
        output::warnings(&selection.warnings);
        output::note(&format!("fitted in {}", output::seconds(selection.seconds)));
        if let Some(path) = args.run.output.as_ref().filter(|_| !interrupt::requested()) {
            output::note(&format!("selection written to {}", path.display()));
        }
    }
    if interrupt::requested() {
        return Ok(output::interrupted());
    }
    page.map_or(Ok(()), |page| args.run.report.write(&page))?;
    Ok(if args.run.strict && selection.converged == Some(false) { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Creates the selection options from arguments.
pub(crate) fn options(args: &FitArgs) -> Result<SelectOptions> {
    let method = method(&args.method)?;
    let set: Vec<(String, String)> =
        args.set.iter().map(|text| input::assignment("--set", text)).collect::<Result<_>>()?;
    if let Some((tuned, _)) = method.info().tunes.filter(|_| args.tune)
        && set.iter().any(|(name, _)| name.trim() == tuned)
    {
        bail!("--tune chooses {tuned}, and --set {tuned} gives it; leave one of them out");
    }
    if args.balance && set.iter().any(|(name, _)| name.trim() == "weights") {
        return Err(ParamError::Twice { name: "weights" }.into());
    }
    let size = args.size.size().unwrap_or(if args.tune { Size::Rule(SizeRule::OneSe) } else { Size::Auto });
    let options = SelectOptions::new(method).settings(method.settings(&set)?).size(size.check()?);
    let options = options.balance(args.balance).tune(args.tune).seed(args.seed);
    options.check_balance().context("--balance")?;
    Ok(options)
}

/// Returns a note for the ranking of an unfinished fit.
pub(crate) fn unfinished(halted: Option<Halt>) -> &'static str {
    match halted {
        Some(Halt::Interrupted) => "interrupted: this is the ranking of an unfinished fit\n",
        Some(Halt::OutOfTime) => "out of time: this is the ranking of an unfinished fit\n",
        None => "",
    }
}

/// Lists the columns of the selected features, one per line.
pub(crate) fn names(selection: &Selection) -> Result<String> {
    let names = source_columns(selection);
    if let Some(name) = names.iter().find(|name| name.contains(['\n', '\r'])) {
        bail!("--names: the name '{}' has several lines; use --json", output::shown(name));
    }
    Ok(names.iter().map(|name| format!("{name}\n")).collect())
}

/// Formats the scores by number of features, from which the size was chosen.
fn describe_curve(curve: &SizeCurve, document: &mut Document) {
    document.text(format!("\ncross-validated score, {} folds, size by {}\n", curve.folds, curve.rule));
    let mut table = Table::new(["features", "score", "standard error"].map(Head::right));
    for point in &curve.points {
        let [score, error] = [point.score, point.standard_error].map(|value| format!("{value:.4}"));
        table.push([point.features.into(), score.into(), error.into()]);
    }
    document.table(table);
}

/// Formats the ranking as a table of at most `shown` features, followed by the size, the pairs and the excluded features.
pub(crate) fn describe(selection: &Selection, input: &str, shown: usize) -> Document {
    let data = &selection.data;
    let target = output::shown(&data.target);
    let target = match data.task {
        Task::Classification => format!("{} classes of {target}", data.classes),
        Task::Regression => format!("numeric target {target}"),
    };
    let mut document = Document::new();
    document.text(format!(
        "{} on {}: {}, {} features, {target}\n\n",
        methods::title(&selection.method),
        output::shown(input),
        output::rows(data.samples, &selection.warnings),
        data.features
    ));
    document.table(ranking(selection).limit(shown, " (select --all shows them)"));
    if let Some(curve) = &selection.size {
        describe_curve(curve, &mut document);
    }
    pairs(selection, &mut document);
    document.text(format!("\nselected {} of {} features\n", selection.selected.len(), data.features));
    document.text(output::excluded(&selection.excluded));
    document
}

fn ranking(selection: &Selection) -> Table {
    let tested = selection.ranking.iter().any(|ranked| ranked.p_value.is_some());
    let p_values = tested.then(|| Head::right("p-value").fields(&["p_value"]));
    let marks = Head::left("").fields(&["selected", "used"]);
    let heads = [Head::right("rank"), Head::left("feature"), Head::right("score")];
    let mut table = Table::new(heads.into_iter().chain(p_values).chain([marks]));
    let unused: HashSet<&str> = selection.unused.iter().map(String::as_str).collect();
    for ranked in &selection.ranking {
        let (selected, used) = (ranked.rank <= selection.selected.len(), !unused.contains(ranked.feature.as_str()));
        let mark = match (selected, used) {
            (true, true) => "selected",
            (true, false) => "selected, not used",
            (false, false) => "not used",
            (false, true) => "",
        };
        let p = tested.then(|| ranked.p_value.map(|p| Cell::precise(p_value(p), p)).unwrap_or_default());
        let cells = [ranked.rank.into(), Cell::name(&ranked.feature), Cell::number(ranked.score)];
        let marks = Cell::new(mark, [selected.to_string(), used.to_string()]);
        table.push(cells.into_iter().chain(p).chain([marks]));
    }
    table
}

/// Formats the pairs of interacting features, and which combinations were tested.
fn pairs(selection: &Selection, document: &mut Document) {
    if !selection.pairs.is_empty() {
        let mut table = Table::new([Head::left("act together"), Head::right("p-value")]).limit(SHOWN_PAIRS, " pairs");
        for pair in &selection.pairs {
            let (a, b) = (output::shown(&pair.features.0), output::shown(&pair.features.1));
            table.push([format!("{a} and {b}").into(), Cell::precise(p_value(pair.p_value), pair.p_value)]);
        }
        document.text("\n");
        document.table(table);
    }
    if let Some(tested) = &selection.tested {
        document.text(format!("\n{tested}; p-values are corrected for all tests\n"));
    }
}
