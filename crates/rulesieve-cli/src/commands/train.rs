//! `train`: select features, train rules on them and save the model.

use super::select;
use crate::args::TrainArgs;
use crate::learning::{self, Rows};
use crate::output::{Cell, Document, Format, Head, Table};
use crate::progress::Watcher;
use crate::{input, interrupt, output};
use anyhow::{Result, bail};
use rulesieve::data::Task;
use rulesieve::model::{Model, Predictor, TrainOptions};
use rulesieve::optim::Halt;
use rulesieve::select::{SelectOptions, Selection};
use rulesieve::{HeldOut, Warning};
use rulesieve_cli::arguments;
use rulesieve_eval::TimeBudget;
use serde_json::{Value, json};
use std::process::ExitCode;
use std::time::Duration;

/// Maximum number of features printed.
const SHOWN: usize = 12;

/// A selection, and a model unless the selection was interrupted.
type Trained = (Selection, Option<(Predictor, Option<Halt>)>);

pub(crate) fn run(args: &TrainArgs) -> Result<ExitCode> {
    let options = select::options(&args.fit)?;
    let set: Vec<(String, String)> =
        args.rule_params.iter().map(|text| input::assignment("--rule-param", text)).collect::<Result<_>>()?;
    let training = TrainOptions::new().set(set)?.balanced(options.is_balanced()).seed(args.fit.seed);
    let budget = args.run.time_budget.map(TimeBudget::duration);
    for path in [Some(&args.model), args.run.output.as_ref()].into_iter().flatten() {
        output::check_destination(path)?;
        output::check_not_input(path, &args.input.input)?;
    }
    if args.run.output.as_ref() == Some(&args.model) {
        bail!("--model and --output both name {}; choose two files", args.model.display());
    }
    args.run.report.check(&args.input.input, &[Some(&args.model), args.run.output.as_deref()])?;
    let threads = arguments::threads(args.fit.threads)?;
    let source = (&args.input, &args.data, &args.fit);
    let (selection, trained, page) = threads.install(|| {
        learning::with_rows(source, &options, |rows| {
            let held_out = !args.no_held_out;
            let (selection, trained) = trained(rows, &options, &training, budget, held_out)?;
            let model = trained.as_ref().map(|(predictor, _)| predictor);
            let page = args.run.report.page(rows, &selection, model, &args.input.input);
            Ok((selection, trained, page))
        })
    })?;
    let Some((predictor, halted)) = trained.filter(|_| !interrupt::requested()) else {
        let mut document = select::describe(&selection, &args.input.input, SHOWN);
        document.text(select::unfinished(Some(Halt::Interrupted)));
        document.print(args.run.format.format(), &selection)?;
        return Ok(output::interrupted());
    };
    if let Some(path) = &args.run.output {
        output::write_json(path, &selection)?;
    }
    output::write_json(&args.model, predictor.model())?;
    print(args, &selection, predictor.model(), halted)?;
    page.map_or(Ok(()), |page| args.run.report.write(&page))?;
    let converged = selection.converged != Some(false) && predictor.model().training.converged && halted.is_none();
    Ok(if args.run.strict && !converged { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn trained(
    rows: &Rows,
    options: &SelectOptions,
    training: &TrainOptions,
    budget: Option<Duration>,
    held_out: bool,
) -> Result<Trained> {
    let mut watcher = Watcher::new(options.method.info().title, budget);
    let selection = rows.select(options, &mut watcher)?;
    if watcher.halted == Some(Halt::Interrupted) {
        return Ok((selection, None));
    }
    drop(watcher);
    let (mut predictor, halted) = rows.train(&selection, training, &mut Watcher::new("rule training", budget))?;
    if held_out && halted != Some(Halt::Interrupted) {
        let mut watcher = Watcher::of_fits("held-out folds", budget);
        predictor.set_held_out(rows.cross_fit(options, training, &mut watcher));
    }
    Ok((selection, Some((predictor, halted))))
}

fn print(args: &TrainArgs, selection: &Selection, model: &Model, halted: Option<Halt>) -> Result<()> {
    let warnings = all_warnings(selection, model);
    if args.run.names {
        output::print(&select::names(selection)?)?;
    } else {
        let mut document = select::describe(selection, &args.input.input, SHOWN.max(selection.selected.len()));
        scores(model, &mut document);
        if halted == Some(Halt::OutOfTime) {
            document.text("out of time: the training of these rules is unfinished\n");
        }
        document.print(args.run.format.format(), &record(args, selection, model, &warnings))?;
        if args.run.format.format() == Format::Json {
            return Ok(());
        }
    }
    output::warnings(&warnings);
    let seconds = output::seconds;
    output::note(&format!(
        "selected in {}, trained in {}",
        seconds(selection.seconds),
        seconds(model.training.seconds)
    ));
    if let Some(path) = &args.run.output {
        output::note(&format!("selection written to {}", path.display()));
    }
    output::note(&format!("model written to {}", args.model.display()));
    Ok(())
}

fn record(args: &TrainArgs, selection: &Selection, model: &Model, warnings: &[Warning]) -> Value {
    json!({
        "schema": "rulesieve/training/1",
        "model": args.model.display().to_string(),
        "task": model.task,
        "method": model.method,
        "seed": model.seed,
        "target": model.target,
        "classes": model.classes,
        "selected": model.features,
        "excluded": selection.excluded,
        "rules": model.rules.len(),
        "held_out": model.training.held_out,
        "training": model.training,
        "selection_converged": selection.converged,
        "warnings": warnings,
    })
}

/// Warnings about the selection and the model. Held-out results of the model include its selection, so the held-out warning of
/// the selection is omitted.
fn all_warnings(selection: &Selection, model: &Model) -> Vec<Warning> {
    let repeated = selection.held_out.as_ref().and_then(HeldOut::warning).filter(|_| model.training.held_out.is_some());
    let of_selection = selection.warnings.iter().filter(|warning| Some(*warning) != repeated.as_ref());
    of_selection.chain(&model.training.warnings).cloned().collect()
}

/// Formats the scores of the rules. Validation scores are omitted, because they were used to choose the rules.
fn scores(model: &Model, document: &mut Document) {
    let training = &model.training;
    let regression = model.task == Task::Regression;
    let share = |share: f64| Cell::precise(format!("{:.1} %", 100.0 * share), share);
    let score = |value: f64| if regression { Cell::precise(format!("{value:.4}"), value) } else { share(value) };
    let heads = if regression { ["rows", "R squared", "RMSE"] } else { ["rows", "accuracy", "log-loss"] };
    let mut table = Table::new([Head::left("")].into_iter().chain(heads.map(Head::right)));
    let mut line = |name: &str, rows: usize, value: Option<f64>, loss: Option<f64>| {
        let value = value.map(score).unwrap_or_default();
        table.push([name.into(), rows.into(), value, loss.map(Cell::number).unwrap_or_default()]);
    };
    // The loss of a regression is not in units of the target.
    let loss = Some(training.training_loss).filter(|_| !regression);
    line("training rows", training.training_rows, Some(training.training_accuracy), loss);
    if let Some(found) = &training.held_out {
        let (own, chance) =
            if regression { (found.rmse, found.chance_rmse) } else { (Some(found.loss), Some(found.chance_loss)) };
        line("held-out rows", found.rows, found.accuracy.or(found.r2), own);
        line("constant prediction", found.rows, found.chance_accuracy, chance);
    }
    document.text(format!("\n{} rules on these features\n\n", model.rules.len()));
    document.table(table);
    if training.held_out.is_some() {
        document.text("held-out rows were not used for the selection and the rules that predict them\n");
    }
}
