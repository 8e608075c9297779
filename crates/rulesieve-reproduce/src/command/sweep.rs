//! Evaluates all methods on all data sets, and makes the additional measurements.

use super::Request;
use anyhow::Result;
use rulesieve::data::Dataset;
use rulesieve::optim::Halt;
use rulesieve_cli::interrupt::{self, Watched};
use rulesieve_cli::progress::Watcher;
use rulesieve_cli::{arguments, output};
use rulesieve_reproduce::{Batch, BatchStatus, DataSet, ExtraWork, FACES, ProtocolFile, Store, WITH_BASELINES};
use std::time::{Duration, Instant};

/// File of all results.
pub(super) const RECORDS: &str = "records.sqlite";
/// Minimum duration of batches for which progress is printed.
const SHOWN_FROM: Duration = Duration::from_millis(500);

/// A batch on a data set.
struct Job<'a> {
    protocol: &'a ProtocolFile,
    batch: Batch,
    table: usize,
}

/// Computes the results that are not saved yet; returns why it ended early, if so.
pub(super) fn sweep(request: &Request, tables: &[(&DataSet, Dataset)]) -> Result<Option<Halt>> {
    let threads = arguments::threads(request.args.threads)?;
    let budget = request.budget;
    // Also guards the time between two batches, so that Ctrl-C prints the note about saved results.
    let _watched = Watched::begin();
    let began = Instant::now();
    let left = || budget.map(|budget| budget.saturating_sub(began.elapsed()).max(Duration::from_millis(1)));
    let ended = threads.install(|| evaluations(request, tables, &|| Watcher::of_fits("reproduce", left())))?;
    if ended.is_some() {
        return Ok(ended);
    }
    threads.install(|| extras(request, tables, &|| Watcher::new("reproduce", left())))
}

fn interrupted() -> Option<Halt> {
    interrupt::requested().then_some(Halt::Interrupted)
}

fn evaluations(
    request: &Request,
    tables: &[(&DataSet, Dataset)],
    watch: &(dyn Fn() -> Watcher + Sync),
) -> Result<Option<Halt>> {
    let jobs = jobs(request, tables)?;
    let weight = |job: &Job| weight(job, tables[job.table].0);
    let mut estimate = TimeEstimate { began: Instant::now(), left: jobs.iter().map(weight).sum(), completed: 0.0 };
    let mut stores = Vec::new();
    for protocol in &request.protocols {
        stores.push((protocol.name.as_str(), Store::open(&request.cells.join(&protocol.name))?));
    }
    let records = request.args.output.join(RECORDS);
    let mut larger = 0;
    for (at, job) in jobs.iter().enumerate() {
        if let Some(halt) = interrupted() {
            return Ok(Some(halt));
        }
        let (set, table) = &tables[job.table];
        let Some((_, store)) = stores.iter_mut().find(|(name, _)| *name == job.protocol.name) else { continue };
        let (start, mut watcher) = (Instant::now(), watch());
        let ended = rulesieve_reproduce::run((set, table), &job.batch, &records, store, &mut watcher);
        drop(watcher);
        match ended {
            Ok(BatchStatus::AlreadySaved | BatchStatus::Completed) => {}
            Ok(BatchStatus::MoreSettingsSaved) => larger += 1,
            Ok(BatchStatus::Halted(halt)) => return Ok(Some(halt)),
            // Continues with the other methods if one cannot be fitted to a data set.
            Err(error) if error.is_of_the_method() => output::note(&format!("note: skipped: {error}")),
            Err(error) => return Err(error.into()),
        }
        estimate.add(weight(job), start.elapsed());
        if start.elapsed() >= SHOWN_FROM {
            print_progress(job, set, (at + 1, jobs.len()), start.elapsed(), &estimate);
        }
    }
    if larger > 0 {
        output::note(&format!(
            "note: {larger} of {} batches are saved with more settings and were not rerun",
            jobs.len()
        ));
    }
    Ok(None)
}

/// Estimate of the time left, from work in arbitrary units.
struct TimeEstimate {
    began: Instant,
    left: f64,
    completed: f64,
}

impl TimeEstimate {
    /// Adds completed work. Short work had been saved and does not count.
    fn add(&mut self, weight: f64, took: Duration) {
        self.left -= weight;
        if took >= SHOWN_FROM {
            self.completed += weight;
        }
    }

    fn minutes(&self) -> f64 {
        self.began.elapsed().as_secs_f64() / 60.0 * self.left / self.completed.max(1.0)
    }
}

fn print_progress(job: &Job, set: &DataSet, (at, of): (usize, usize), took: Duration, estimate: &TimeEstimate) {
    let part = match job.batch.part {
        (_, 1) => String::new(),
        (part, parts) => format!(", part {} of {parts}", part + 1),
    };
    output::note(&format!(
        "{at} of {of}: {} on {}, protocol {}{part}: {:.0} s; roughly {:.0} min left",
        job.batch.method,
        set.name,
        job.protocol.name,
        took.as_secs_f64(),
        estimate.minutes()
    ));
}

/// Returns the jobs, method by method, so that completed methods can be compared over all data sets at any time.
fn jobs<'a>(request: &'a Request, tables: &[(&DataSet, Dataset)]) -> Result<Vec<Job<'a>>> {
    let mut jobs = Vec::new();
    for protocol in &request.protocols {
        for name in protocol.order(&request.args.methods) {
            // All parts of a grid on one data set before the next one.
            for (table, (set, _)) in tables.iter().enumerate().filter(|(_, (set, _))| set.name != FACES) {
                let own = protocol.batches(&name, &set.name, request.args.points)?;
                jobs.extend(own.into_iter().map(|batch| Job { protocol, batch, table }));
            }
        }
    }
    Ok(jobs)
}

/// Returns the work of a job in arbitrary units.
fn weight(job: &Job, set: &DataSet) -> f64 {
    let points: usize = job.batch.options.candidates.iter().map(|one| one.points.len()).sum();
    let fits = job.batch.options.inner_folds().map_or(points, |inner| points * inner + 1);
    (fits * set.samples * set.features) as f64
}

/// Makes the additional measurements: toy data, faces, objective by iteration, best subsets.
fn extras(
    request: &Request,
    tables: &[(&DataSet, Dataset)],
    watch: &(dyn Fn() -> Watcher + Sync),
) -> Result<Option<Halt>> {
    // They select a third of the features, as in the paper; all batches have the same evaluation options.
    let usual = |protocol: &&ProtocolFile| !protocol.native && !protocol.protocol.is_as_run();
    let Some(protocol) = request.protocols.first().filter(usual) else { return Ok(None) };
    let batches = protocol.batches(WITH_BASELINES, "", Some(1))?;
    let Some(batch) = batches.first() else { return Ok(None) };
    let work =
        ExtraWork { folder: request.cells.clone(), methods: &protocol.methods(&request.args.methods), tables, batch };
    let ended = work.run(watch, |watcher| watcher.halted, interrupted, output::note)?;
    Ok(ended.or_else(interrupted))
}
