//! Evaluates every method on every data set, and makes the additional measurements.

use super::Request;
use anyhow::Result;
use rulesieve::data::Dataset;
use rulesieve::optim::Halt;
use rulesieve_cli::interrupt::{self, Watched};
use rulesieve_cli::progress::Watcher;
use rulesieve_cli::{arguments, output};
use rulesieve_reproduce::{Batch, BatchStatus, DataSet, ExtraWork, FACES, ProtocolFile, Store, WITH_BASELINES};
use std::time::{Duration, Instant};

/// Every outcome.
pub(super) const RECORDS: &str = "records.sqlite";
/// Progress is printed for batches that take at least this long.
const SHOWN_FROM: Duration = Duration::from_millis(500);

/// A batch on a data set.
struct Job<'a> {
    protocol: &'a ProtocolFile,
    batch: Batch,
    table: usize,
}

/// Computes what is not saved yet; returns why it ended early, if so.
pub(super) fn sweep(request: &Request, tables: &[(&DataSet, Dataset)]) -> Result<Option<Halt>> {
    let threads = arguments::threads(request.args.threads)?;
    let budget = request.budget;
    // Between two batches no watcher exists, and Ctrl-C would end the program without a note about saved results.
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
    let mut pace = Pace { began: Instant::now(), left: jobs.iter().map(weight).sum(), worked: 0.0 };
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
            // A method that cannot be fitted to a data set does not end the others.
            Err(error) if error.is_of_the_method() => output::note(&format!("note: left out: {error}")),
            Err(error) => return Err(error.into()),
        }
        pace.done(weight(job), start.elapsed());
        if start.elapsed() >= SHOWN_FROM {
            print_progress(job, set, (at + 1, jobs.len()), start.elapsed(), &pace);
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

/// Estimates the time left; work has no unit.
struct Pace {
    began: Instant,
    left: f64,
    worked: f64,
}

impl Pace {
    /// Work that took no time had been saved.
    fn done(&mut self, weight: f64, took: Duration) {
        self.left -= weight;
        if took >= SHOWN_FROM {
            self.worked += weight;
        }
    }

    fn minutes(&self) -> f64 {
        self.began.elapsed().as_secs_f64() / 60.0 * self.left / self.worked.max(1.0)
    }
}

fn print_progress(job: &Job, set: &DataSet, (at, of): (usize, usize), took: Duration, pace: &Pace) {
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
        pace.minutes()
    ));
}

/// Method by method, so that the completed methods can be compared over all data sets at any time.
fn jobs<'a>(request: &'a Request, tables: &[(&DataSet, Dataset)]) -> Result<Vec<Job<'a>>> {
    let mut jobs = Vec::new();
    for protocol in &request.protocols {
        for name in protocol.order(&request.args.methods) {
            // All parts of a grid on one table, then the next table.
            for (table, (set, _)) in tables.iter().enumerate().filter(|(_, (set, _))| set.name != FACES) {
                let own = protocol.batches(&name, &set.name, request.args.points)?;
                jobs.extend(own.into_iter().map(|batch| Job { protocol, batch, table }));
            }
        }
    }
    Ok(jobs)
}

/// The work of a job, for the estimate of the time left.
fn weight(job: &Job, set: &DataSet) -> f64 {
    let points: usize = job.batch.options.candidates.iter().map(|one| one.points.len()).sum();
    let fits = job.batch.options.inner_folds().map_or(points, |inner| points * inner + 1);
    (fits * set.samples * set.features) as f64
}

/// The toy data, the faces, the objective by iteration, the best subsets.
fn extras(
    request: &Request,
    tables: &[(&DataSet, Dataset)],
    watch: &(dyn Fn() -> Watcher + Sync),
) -> Result<Option<Halt>> {
    // They keep a third of the features, as in the paper; any batch has the options of the evaluation.
    let Some(protocol) = request.protocols.first().filter(|protocol| !protocol.native) else { return Ok(None) };
    let batches = protocol.batches(WITH_BASELINES, "", Some(1))?;
    let Some(batch) = batches.first() else { return Ok(None) };
    let work =
        ExtraWork { folder: request.cells.clone(), methods: &protocol.methods(&request.args.methods), tables, batch };
    let ended = work.run(watch, |watcher| watcher.halted, interrupted, output::note)?;
    Ok(ended.or_else(interrupted))
}
