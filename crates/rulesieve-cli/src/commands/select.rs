//! `select`: rank the features of a table and select the best.

use crate::args::{FitArgs, SelectArgs};
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
    if args.run.json {
        output::print_json(&selection)?;
    } else {
        let shown = if args.all { usize::MAX } else { SHOWN };
        let held_out = selection.held_out_summary().map(|line| line + "\n").unwrap_or_default();
        output::print(&(describe(&selection, &args.input.input, shown) + &held_out + unfinished(halted)))?;
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

/// Formats the scores by number of features, from which the size was chosen.
fn describe_curve(curve: &SizeCurve) -> String {
    let mut lines = vec![["features", "score", "standard error"].map(str::to_owned).to_vec()];
    lines.extend(curve.points.iter().map(|point| {
        vec![point.features.to_string(), format!("{:.4}", point.score), format!("{:.4}", point.standard_error)]
    }));
    format!(
        "\ncross-validated score, {} folds, size by {}\n{}",
        curve.folds,
        curve.rule,
        output::aligned(&lines, &[0, 1, 2])
    )
}

/// Formats the ranking as a table of at most `shown` features.
pub(crate) fn describe(selection: &Selection, input: &str, shown: usize) -> String {
    let data = &selection.data;
    let target = output::shown(&data.target);
    let target = match data.task {
        Task::Classification => format!("{} classes of {target}", data.classes),
        Task::Regression => format!("numeric target {target}"),
    };
    let head = format!(
        "{} on {}: {} rows, {} features, {target}\n\n",
        methods::title(&selection.method),
        output::shown(input),
        data.samples,
        data.features
    );
    let shown = shown.min(selection.ranking.len());
    let tested = selection.ranking.iter().any(|ranked| ranked.p_value.is_some());
    let mut lines = vec![["rank", "feature", "score", "p-value", ""].map(str::to_owned).to_vec()];
    let unused: HashSet<&str> = selection.unused.iter().map(String::as_str).collect();
    for ranked in &selection.ranking[..shown] {
        let mark = match (ranked.rank <= selection.selected.len(), unused.contains(ranked.feature.as_str())) {
            (true, false) => "selected",
            (true, true) => "selected, not used",
            (false, true) => "not used",
            (false, false) => "",
        };
        lines.push(vec![
            ranked.rank.to_string(),
            output::shown(&ranked.feature),
            output::number(ranked.score),
            ranked.p_value.map(p_value).unwrap_or_default(),
            mark.to_owned(),
        ]);
    }
    let numeric: &[usize] = if tested { &[0, 2, 3] } else { &[0, 2] };
    if !tested {
        lines.iter_mut().for_each(|line| drop(line.remove(3)));
    }
    let mut text = head + &output::aligned(&lines, numeric);
    if shown < selection.ranking.len() {
        let hidden = selection.ranking.len() - shown;
        text.push_str(&format!("... and {hidden} more (select --all shows them)\n"));
    }
    if let Some(curve) = &selection.size {
        text.push_str(&describe_curve(curve));
    }
    text.push_str(&pairs(selection));
    text.push_str(&format!("\nselected {} of {} features\n", selection.selected.len(), data.features));
    text.push_str(&output::set_aside(&selection.set_aside));
    text
}

/// Formats the pairs of interacting features, and which combinations were tested.
fn pairs(selection: &Selection) -> String {
    let mut text = String::new();
    if !selection.pairs.is_empty() {
        let mut lines = vec![["act together", "p-value"].map(str::to_owned).to_vec()];
        lines.extend(selection.pairs.iter().take(SHOWN_PAIRS).map(|pair| {
            let (a, b) = (output::shown(&pair.features.0), output::shown(&pair.features.1));
            vec![format!("{a} and {b}"), p_value(pair.p_value)]
        }));
        text.push_str(&format!("\n{}", output::aligned(&lines, &[1])));
        if selection.pairs.len() > SHOWN_PAIRS {
            text.push_str(&format!("... and {} more pairs\n", selection.pairs.len() - SHOWN_PAIRS));
        }
    }
    if let Some(tested) = &selection.tested {
        text.push_str(&format!("\n{tested}; p-values are corrected for all tests\n"));
    }
    text
}
