//! The whole text: tables, figures, and what they say.

use crate::document::{Block, Document};
use crate::explain::{INDUCTIVE, OURS};
use crate::extras::Extras;
use crate::manifest::{DataSet, FACES, data_sets};
use crate::printed::printed;
use crate::results::{Measure, Results, View};
use crate::tables::{average, complete, methods_done};
use crate::{
    ReproduceError, circle, claims, convergence, explain, faces, peers, sensitivity, statistics, tables, times,
};
use rulesieve::data::Dataset;
use rulesieve_eval::evaluate::ALL;

/// What the text is made from.
pub struct Sources<'a> {
    /// Cells.
    pub results: &'a Results,
    /// The rest of what was measured.
    pub extras: &'a Extras,
    /// All data sets of the manifest that were asked for.
    pub sets: &'a [DataSet],
    /// Names of methods, in the order in which they are shown.
    pub methods: &'a [String],
    /// What each protocol does, by name.
    pub protocols: Vec<(String, String)>,
    /// The faces, where they are there.
    pub faces: Option<(&'a DataSet, &'a Dataset)>,
}

const PEERS: &str = "The original formulations of RJFWLF and MCFS were not available: ours are reconstructions, marked \"-style\". FSRE-AdaTSK stands in the paper's tables as FRSE-TSK. All methods keep a third \
    of the features here, also those with gates, whose own rule keeps fewer and may be what the paper let them do. A method whose last row is empty or \
    only in brackets is not done on all of these data sets yet.";

const HOW: [&str; 4] = [
    "`rulesieve reproduce --data DIR --out results` fits everything; `--resume` goes on after an interruption, `--only`, `--methods` and \
     `--points` do less. `docs/datasets.md` says where to get the data.",
    "`rulesieve reproduce --tables-only --cells experiments/reproduction --out results` makes this text, its tables and its figures from the \
     records that are part of the project: one line for each method and data set, with the score of every setting in every fold.",
    "Folds, starts and draws follow from seed 0: the same version gives the same scores on any number of threads.",
    "The grid of `ldr-tsk` is the paper's, those of others are of their articles or ours (`docs/methods.md` says which). Methods without one, four of the paper's \
     six peers and the filters among them, have one setting, their defaults. That favours `ldr-tsk` and its 125 wherever test rows choose. Under `paper`, where a method has more than 25 settings, 25 \
     are drawn, its defaults among them; `ldr-tsk` has all of its 125. Where these would take too long, the protocol names data sets with fewer \
     (`thinned` in `experiments/protocols`); the list under the table of times says which had fewer.",
];

/// The text.
///
/// # Errors
/// The toy cannot be made.
pub fn document(from: &Sources) -> Result<Document, ReproduceError> {
    let sets: Vec<DataSet> = from.sets.iter().filter(|set| set.name != FACES).cloned().collect();
    let mut blocks = vec![Block::List(headlines(from, &sets))];
    let claims = claims::claims(from.results, from.extras, &sets);
    if !claims.is_empty() {
        blocks.push(Block::Heading("What is reproduced, and what is not".to_owned()));
        blocks.extend([Block::List(claims), Block::Text(claims::JUDGED.to_owned())]);
    }
    blocks.push(Block::Heading("Protocols".to_owned()));
    blocks.push(Block::List(protocols(from)));
    for measure in Measure::ALL {
        blocks.push(Block::Heading(format!("{} beside the printed table", measure.title())));
        blocks.push(Block::Table(tables::beside(from.results, measure, &sets)));
        let leads = peers::leads(from.results, measure, &sets);
        if !leads.is_empty() {
            let text =
                format!("How many points the paper's method is ahead of each peer in the mean: {}.", leads.join(", "));
            blocks.push(Block::Text(text));
        }
    }
    blocks.push(Block::Text(PEERS.to_owned()));
    if let Some((table, lines)) = peers::own_sizes(from.results, Measure::Accuracy, &sets) {
        blocks.push(Block::Heading("Gates by their own rule".to_owned()));
        let beyond = peers::beyond_a_third(Measure::Accuracy, &from.extras.bounds);
        blocks.extend([Block::Table(table), Block::List(lines.into_iter().chain(beyond).collect())]);
    }
    blocks.push(Block::Heading("Which protocol explains the paper?".to_owned()));
    for measure in Measure::ALL {
        blocks.extend(explain::protocols(from.results, measure, &sets, from.methods, &from.extras.bounds));
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
    blocks.push(Block::Heading("How to repeat this".to_owned()));
    blocks.push(Block::List(HOW.map(str::to_owned).to_vec()));
    Ok(Document { title: "The paper again".to_owned(), blocks })
}

fn section(blocks: &mut Vec<Block>, heading: &str, own: Vec<Block>) {
    if !own.is_empty() {
        blocks.push(Block::Heading(heading.to_owned()));
        blocks.extend(own);
    }
}

/// What was found, in short.
fn headlines(from: &Sources, sets: &[DataSet]) -> Vec<String> {
    let mut lines = Vec::new();
    let ours = [OURS.to_owned()];
    let done = complete(from.results, View::Paper, sets, &ours);
    for measure in Measure::ALL {
        let printed = printed(measure);
        let theirs: Vec<f64> =
            done.iter().filter_map(|set| printed.get(&(set.name.clone(), OURS.to_owned()))).map(|s| s.mean).collect();
        let Some(found) = average(from.results, View::Paper, measure, &done, OURS) else { continue };
        let mean = theirs.iter().sum::<f64>() / theirs.len().max(1) as f64;
        lines.push(format!(
            "{} of `ldr-tsk` under `paper`, mean of {} of {} data sets: {found:.2} %; mean of the printed column {mean:.2} % (the paper cuts averages off).",
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
            "Under `nested`, each method with the few settings it has there, `{INDUCTIVE}` has place {} of {} by average rank ({rank:.2}) over {} data sets; the best is {}{}.",
            at + 1,
            found.methods.len(),
            found.datasets,
            found.methods[0],
            if others.is_empty() { String::new() } else { format!("; not done on all of them: {}", others.join(", ")) }
        ));
    }
    lines.extend(all_features(from, sets, &methods));
    let absent: Vec<&str> =
        sets.iter().filter(|set| !done.iter().any(|one| one.name == set.name)).map(|set| set.name.as_str()).collect();
    if !absent.is_empty() {
        lines.push(format!("Not yet done for `ldr-tsk` under `paper`: {}.", absent.join(", ")));
    }
    lines
}

/// What selection costs or gains against keeping everything.
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
        "`paper-per-fold`: from the same outcomes as `paper`, but in every fold the setting that does best on its test rows: an optimistic \
         bound."
            .to_owned(),
    );
    lines.push(
        "Under the protocols of the paper every table takes the setting that is best by its own score, on rows that are also the judge: \
         such figures flatter, and flatter methods of many settings more. Only `nested` says what to expect from new rows."
            .to_owned(),
    );
    lines
}

/// The tests: on the printed table, and on ours.
fn tests(from: &Sources, sets: &[DataSet]) -> Result<Vec<Block>, ReproduceError> {
    let mut blocks = Vec::new();
    // The printed table is whole, whatever was asked for here.
    if let Some(scores) = statistics::printed_scores(Measure::Accuracy, &data_sets()?) {
        blocks.extend(statistics::tests("printed", "Printed accuracies", &scores, "Ours"));
    }
    if let Some(scores) = statistics::own_scores(from.results, View::Paper, sets, &claims::seven(), false) {
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
