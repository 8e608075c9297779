//! The long part: every method on every data set.

use super::{Folders, select};
use crate::args::ReproduceArgs;
use crate::output;
use crate::progress::Watcher;
use anyhow::{Result, bail};
use rulesieve::data::Dataset;
use rulesieve::optim::Halt;
use rulesieve_reproduce::{Contest, DataSet, FACES, ProtocolFile, ReproduceError, Store};
use std::path::Path;
use std::time::{Duration, Instant};

/// Every outcome, in the folder of results.
pub(super) const RECORDS: &str = "records.sqlite";

/// A contest on a data set.
struct Job<'a> {
    protocol: &'a ProtocolFile,
    contest: Contest,
    set: usize,
}

/// Does what is not done yet; says why it ended early, if so.
pub(super) fn sweep(
    args: &ReproduceArgs,
    folders: &Folders,
    data: &Path,
    sets: &[DataSet],
    protocols: &[ProtocolFile],
) -> Result<Option<Halt>> {
    let budget = args.budget.map(select::budget).transpose()?;
    let threads = select::threads(args.threads)?;
    let tables = tables(data, sets)?;
    let jobs = jobs(args, &tables, protocols)?;
    let (began, total) = (Instant::now(), jobs.iter().map(|job| weight(job, &tables)).sum::<f64>());
    let (mut done, mut worked) = (0.0, 0.0);
    let mut stores = protocols
        .iter()
        .map(|one| Store::open(&folders.cells.join(&one.name)).map(|store| (one.name.as_str(), store)))
        .collect::<Result<Vec<_>, _>>()?;
    for (at, job) in jobs.iter().enumerate() {
        let (set, table) = &tables[job.set];
        let Some((_, store)) = stores.iter_mut().find(|(name, _)| *name == job.protocol.name) else { continue };
        let left = budget.map(|budget| budget.saturating_sub(began.elapsed()).max(Duration::from_millis(1)));
        let mut watcher = Watcher::of_fits("reproduce", left);
        let start = Instant::now();
        let records = folders.out.join(RECORDS);
        let ended =
            threads.install(|| rulesieve_reproduce::run((set, table), &job.contest, &records, store, &mut watcher));
        drop(watcher);
        let ended = match ended {
            Ok(ended) => ended,
            // One method that cannot be fitted to one table must not end the others.
            Err(error @ ReproduceError::Contest { .. }) => {
                output::note(&format!("note: left out: {error}"));
                None
            }
            Err(error) => return Err(error.into()),
        };
        if ended.is_some() {
            output::note("what is done is kept; the same command with --resume goes on");
            return Ok(ended);
        }
        done += weight(job, &tables);
        if start.elapsed() > Duration::from_millis(500) {
            worked += weight(job, &tables);
            say(
                job,
                set,
                (at + 1, jobs.len()),
                start.elapsed(),
                began.elapsed().as_secs_f64() / worked * (total - done),
            );
        }
    }
    Ok(None)
}

fn say(job: &Job, set: &DataSet, (at, of): (usize, usize), took: Duration, left: f64) {
    let part = match job.contest.part {
        (_, 1) => String::new(),
        (part, parts) => format!(", part {} of {parts}", part + 1),
    };
    output::note(&format!(
        "{at} of {of}: {} on {}, protocol {}{part}: {:.0} s; about {:.0} min left",
        job.contest.method,
        set.name,
        job.protocol.name,
        took.as_secs_f64(),
        left / 60.0
    ));
}

/// The tables that are there; the others are named.
fn tables<'a>(folder: &Path, sets: &'a [DataSet]) -> Result<Vec<(&'a DataSet, Dataset)>> {
    let mut tables = Vec::new();
    for set in sets.iter().filter(|set| set.name != FACES) {
        match set.read(folder) {
            Ok(table) => tables.push((set, table)),
            Err(absent @ ReproduceError::Absent { .. }) => output::note(&format!("note: skipped: {absent}")),
            Err(error) => return Err(error.into()),
        }
    }
    if tables.is_empty() && sets.iter().any(|set| set.name != FACES) {
        bail!("none of the data sets is in {}; docs/datasets.md says where to get them", folder.display());
    }
    Ok(tables)
}

/// Method by method, so that what is done at any time can be compared over all data sets.
fn jobs<'a>(
    args: &ReproduceArgs,
    tables: &[(&DataSet, Dataset)],
    protocols: &'a [ProtocolFile],
) -> Result<Vec<Job<'a>>> {
    let mut jobs = Vec::new();
    for protocol in protocols {
        let methods = if args.methods.is_empty() { &protocol.methods } else { &args.methods };
        let points = args.points.unwrap_or(protocol.points);
        let contests = protocol.contests(methods, points)?;
        let mut from = 0;
        while from < contests.len() {
            // All parts of a grid on one table, then the next table.
            let upto = from + contests[from].part.1;
            for set in 0..tables.len() {
                let own = contests[from..upto].iter().cloned();
                jobs.extend(own.map(|contest| Job { protocol, contest, set }));
            }
            from = upto;
        }
    }
    Ok(jobs)
}

/// Work of a job, in no unit: for the estimate of the time left.
fn weight(job: &Job, tables: &[(&DataSet, Dataset)]) -> f64 {
    let set = tables[job.set].0;
    let points: usize = job.contest.options.contenders.iter().map(|one| one.points.len()).sum();
    let fits = job.contest.options.inner_folds().map_or(points, |inner| points * inner + 1);
    (fits * set.samples * set.features) as f64
}
