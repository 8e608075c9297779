//! The document with its tables and figures.

use crate::document::{Block, Document};
use crate::extras::Extras;
use crate::manifest::{DataSet, FACES, data_sets};
use crate::printed::{self, INDUCTIVE, OURS, printed};
use crate::results::{Measure, Results, View};
use crate::tables::{average, complete, methods_done};
use crate::{ReproduceError, circle, convergence, faces, peers, sensitivity, statistics, tables, times};
use rulesieve::data::Dataset;
use rulesieve_eval::evaluate::ALL;

/// The contents of the document.
pub struct Sources<'a> {
    /// The scores.
    pub results: &'a Results,
    /// The additional measurements.
    pub extras: &'a Extras,
    /// The requested data sets of the manifest.
    pub sets: &'a [DataSet],
    /// Names of methods in the order of the tables.
    pub methods: &'a [String],
    /// Descriptions of the protocols by name.
    pub protocols: Vec<(String, String)>,
    /// The faces, if they are available.
    pub faces: Option<(&'a DataSet, &'a Dataset)>,
}

const PEERS: &str = "The original formulations of RJFWLF and MCFS were not available; ours are reconstructions, marked \"-style\". The paper's tables list FSRE-AdaTSK as FRSE-TSK. All methods \
    keep a third of the features here, including methods with gates, whose own rule keeps fewer and may have been used in the paper. A method whose last row is empty or \
    only in brackets is not evaluated on all of these data sets yet.";

const HOW: [&str; 4] = [
    "`rulesieve reproduce --data DIR --output results` runs everything; `--resume` continues after an interruption, and `--only`, `--methods` and \
     `--points` run a part. `docs/datasets.md` lists the sources of the data.",
    "`scripts/reproduction` writes this text, its tables and its figures from the saved results in `experiments/reproduction`: \
     one line for each method and data set, with the score of every setting in every fold.",
    "Folds, initial values and draws follow from seed 0: the same version gives the same scores on any number of threads.",
    "The grid of `ldr-tsk` is the paper's; other grids are those of the articles or ours (see `docs/methods.md`). Methods without a grid, among them four of the paper's \
     six peers and the filters, have one setting, their defaults. This favours `ldr-tsk` with its 125 settings wherever test rows choose. Under `paper`, 25 settings \
     are drawn from larger grids, the defaults among them; `ldr-tsk` has all of its 125. Where this would take too long, the protocol names data sets with fewer \
     settings (`thinned` in the protocol's file); the list under the table of times names them.",
];

/// Creates the document.
///
/// # Errors
/// Fails if the toy data cannot be generated.
pub fn document(from: &Sources) -> Result<Document, ReproduceError> {
    let sets: Vec<DataSet> = from.sets.iter().filter(|set| set.name != FACES).cloned().collect();
    let mut blocks = vec![Block::List(headlines(from, &sets))];
    blocks.push(Block::Heading("Protocols".to_owned()));
    blocks.push(Block::List(protocols(from)));
    for measure in Measure::ALL {
        blocks.push(Block::Heading(format!("{} beside the printed table", measure.title())));
        blocks.push(Block::Table(tables::compared_with_printed(from.results, View::Paper, measure, &sets)));
        for view in [View::PaperAsRun, View::PaperAsRunPerFold] {
            if !methods_done(from.results, view, &sets, from.methods).is_empty() {
                blocks.push(Block::Table(tables::compared_with_printed(from.results, view, measure, &sets)));
            }
        }
        let leads = peers::leads(from.results, measure, &sets);
        if !leads.is_empty() {
            let text = format!("Mean lead of the paper's method over each peer, in points: {}.", leads.join(", "));
            blocks.push(Block::Text(text));
        }
    }
    blocks.push(Block::Text(PEERS.to_owned()));
    if let Some((table, lines)) = peers::own_sizes(from.results, Measure::Accuracy, &sets) {
        blocks.push(Block::Heading("Gates by their own rule".to_owned()));
        let beyond = peers::beyond_a_third(Measure::Accuracy, &from.extras.bounds);
        blocks.extend([Block::Table(table), Block::List(lines.into_iter().chain(beyond).collect())]);
    }
    for view in View::ALL {
        let methods = methods_done(from.results, view, &sets, from.methods);
        if methods.is_empty() {
            continue;
        }
        blocks.push(Block::Heading(format!("All methods, protocol {}", view.name())));
        for measure in Measure::ALL {
            blocks.push(Block::Table(tables::scores(from.results, view, measure, &sets, &methods)));
        }
    }
    blocks.push(Block::Heading("Do methods differ?".to_owned()));
    blocks.extend(tests(from, &sets)?);
    blocks.push(Block::Heading("Two circles".to_owned()));
    blocks.extend(circle::blocks(&from.extras.circle, from.methods)?);
    section(&mut blocks, "Faces", faces::blocks(&from.extras.faces, from.methods, from.faces));
    section(&mut blocks, "Parameters", sensitivity::figures(from.results));
    section(&mut blocks, "Convergence", convergence::blocks(&from.extras.convergence));
    let done = methods_done(from.results, View::Paper, &sets, from.methods);
    section(&mut blocks, "Time", times::blocks(from.results, &sets, &done));
    blocks.push(Block::Heading("How to reproduce this".to_owned()));
    blocks.push(Block::List(HOW.map(str::to_owned).to_vec()));
    Ok(Document { title: "Reproducing the paper".to_owned(), blocks })
}

fn section(blocks: &mut Vec<Block>, heading: &str, own: Vec<Block>) {
    if !own.is_empty() {
        blocks.push(Block::Heading(heading.to_owned()));
        blocks.extend(own);
    }
}

/// Describes the main results.
fn headlines(from: &Sources, sets: &[DataSet]) -> Vec<String> {
    let mut lines = Vec::new();
    let ours = [OURS.to_owned()];
    let done = complete(from.results, View::Paper, sets, &ours);
    for measure in Measure::ALL {
        let printed = printed(measure);
        let theirs: Vec<f64> =
            done.iter().filter_map(|set| printed.get(&(set.name.clone(), OURS.to_owned()))).copied().collect();
        let Some(found) = average(from.results, View::Paper, measure, &done, OURS) else { continue };
        let mean = theirs.iter().sum::<f64>() / theirs.len().max(1) as f64;
        lines.push(format!(
            "{} of `ldr-tsk` under `paper`, mean of {} of {} data sets: {found:.2} %; mean of the printed column {mean:.2} % (the paper truncates averages).",
            measure.title(),
            done.len(),
            sets.len()
        ));
    }
    let methods = methods_done(from.results, View::Nested, sets, from.methods);
    if let Some(scores) = statistics::own_scores(from.results, View::Nested, sets, &methods, false)
        && let Ok(found) = rulesieve_eval::statistics::compare(&scores, &Default::default())
        && let Some(at) = found.methods.iter().position(|method| method == INDUCTIVE)
    {
        let rank = found.average_ranks[INDUCTIVE];
        let counted = |name: &&String| found.methods.iter().any(|one| one == rulesieve::methods::title(name));
        let others: Vec<&str> = methods.iter().filter(|name| !counted(name)).map(String::as_str).collect();
        lines.push(format!(
            "Under `nested`, with at most two settings of each method, `{INDUCTIVE}` is at rank {} of {} by average rank ({rank:.2}) over {} data sets; the best is {}{}.",
            at + 1,
            found.methods.len(),
            found.datasets,
            found.methods[0],
            if others.is_empty() { String::new() } else { format!("; not evaluated on all of them: {}", others.join(", ")) }
        ));
    }
    lines.extend(all_features(from, sets, &methods));
    let absent: Vec<&str> =
        sets.iter().filter(|set| !done.iter().any(|one| one.name == set.name)).map(|set| set.name.as_str()).collect();
    if !absent.is_empty() {
        lines.push(format!("Not yet evaluated for `ldr-tsk` under `paper`: {}.", absent.join(", ")));
    }
    lines
}

/// Compares the best selection with all features.
fn all_features(from: &Sources, sets: &[DataSet], methods: &[String]) -> Option<String> {
    let (done, methods) = tables::comparable(from.results, View::Nested, sets, methods);
    let mean = |method: &str| average(from.results, View::Nested, Measure::Accuracy, &done, method);
    let scored = methods.iter().filter_map(|method| Some((mean(method)?, rulesieve::methods::title(method))));
    let (best, name) = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(format!(
        "Keeping all features gives {:.2} % under `nested`, mean of {} data sets; the best of the methods that keep a third is {name} with {best:.2} %.",
        mean(ALL)?,
        done.len()
    ))
}

fn protocols(from: &Sources) -> Vec<String> {
    let mut lines: Vec<String> = from.protocols.iter().map(|(name, about)| format!("`{name}`: {about}.")).collect();
    lines.push(
        "`paper-per-fold`: from the same results as `paper`, with the setting that is best on the test rows of every fold: an optimistic \
         bound."
            .to_owned(),
    );
    if from.protocols.iter().any(|(name, _)| name == View::PaperAsRun.name()) {
        lines.push("`paper-as-run-per-fold`: the same of `paper-as-run`.".to_owned());
    }
    lines.push(
        "Under the protocols of the paper, the test rows choose the setting that is best by the score of the table: such scores are too \
         optimistic, more so for methods with many settings. Only `nested` estimates the score on new rows."
            .to_owned(),
    );
    lines
}

/// Tests the printed scores and ours.
fn tests(from: &Sources, sets: &[DataSet]) -> Result<Vec<Block>, ReproduceError> {
    let mut blocks = Vec::new();
    // Uses all data sets, because the printed table is complete.
    if let Some(scores) = statistics::printed_scores(Measure::Accuracy, &data_sets()?) {
        blocks.extend(statistics::tests("printed", "Printed accuracies", &scores, "Ours"));
    }
    if let Some(scores) = statistics::own_scores(from.results, View::Paper, sets, &printed::methods(), false) {
        let what = "Our accuracies under paper of the methods that the paper compares";
        blocks.extend(statistics::tests("paper-seven", what, &scores, OURS));
    }
    for (view, control) in [(View::Paper, OURS), (View::Nested, INDUCTIVE)] {
        let methods = methods_done(from.results, view, sets, from.methods);
        let named = |wanted: &str| sets.iter().any(|set| set.name == wanted);
        let twice = named("diabetes") && named("pima");
        for (once, name) in [(false, ""), (true, "-once")].into_iter().take(if twice { 2 } else { 1 }) {
            if let Some(scores) = statistics::own_scores(from.results, view, sets, &methods, once) {
                let what = format!(
                    "Our accuracies under {}{}",
                    view.name(),
                    if once { ", Diabetes and Pima, one table, counted once" } else { "" }
                );
                blocks.extend(statistics::tests(&format!("{}{name}", view.name()), &what, &scores, control));
            }
        }
        blocks.extend(statistics::pairs(from.results, view, sets, &methods, control).map(Block::Table));
    }
    Ok(blocks)
}
