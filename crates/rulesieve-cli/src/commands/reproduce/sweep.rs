//! The long part: every method on every data set, and what is measured besides.

use super::{Wishes, select};
use crate::interrupt::{self, Watched};
use crate::output;
use crate::progress::Watcher;
use anyhow::Result;
use rulesieve::data::Dataset;
use rulesieve::optim::Halt;
use rulesieve_reproduce::{BESIDE, Contest, DataSet, Done, ExtraWork, FACES, ProtocolFile, Store};
use std::time::{Duration, Instant};

/// Every outcome, in the folder of results.
pub(super) const RECORDS: &str = "records.sqlite";
/// Contests shorter than this are not worth a line.
const WORTH_A_LINE: Duration = Duration::from_millis(500);

/// A contest on a data set.
struct Job<'a> {
    protocol: &'a ProtocolFile,
    contest: Contest,
    table: usize,
}

/// Does what is not done yet; says why it ended early, if so.
pub(super) fn sweep(wishes: &Wishes, tables: &[(&DataSet, Dataset)]) -> Result<Option<Halt>> {
    let threads = select::threads(wishes.args.threads)?;
    let budget = wishes.budget;
    // Also between two contests, when no watcher lives: Ctrl-C there would end the program without a word of what is kept.
    let _watched = Watched::new();
    let began = Instant::now();
    let left = || budget.map(|budget| budget.saturating_sub(began.elapsed()).max(Duration::from_millis(1)));
    let ended = threads.install(|| contests(wishes, tables, &|| Watcher::of_fits("reproduce", left())))?;
    if ended.is_some() {
        return Ok(ended);
    }
    threads.install(|| extras(wishes, tables, &|| Watcher::new("reproduce", left())))
}

fn interrupted() -> Option<Halt> {
    interrupt::requested().then_some(Halt::Interrupted)
}

fn contests(
    wishes: &Wishes,
    tables: &[(&DataSet, Dataset)],
    watch: &(dyn Fn() -> Watcher + Sync),
) -> Result<Option<Halt>> {
    let jobs = jobs(wishes, tables)?;
    let weight = |job: &Job| weight(job, tables[job.table].0);
    let mut pace = Pace { began: Instant::now(), left: jobs.iter().map(weight).sum(), worked: 0.0 };
    let mut stores = Vec::new();
    for protocol in &wishes.protocols {
        stores.push((protocol.name.as_str(), Store::open(&wishes.cells.join(&protocol.name))?));
    }
    let records = wishes.args.out.join(RECORDS);
    let mut passed = 0;
    for (at, job) in jobs.iter().enumerate() {
        if let Some(halt) = interrupted() {
            return Ok(Some(halt));
        }
        let (set, table) = &tables[job.table];
        let Some((_, store)) = stores.iter_mut().find(|(name, _)| *name == job.protocol.name) else { continue };
        let (start, mut watcher) = (Instant::now(), watch());
        let ended = rulesieve_reproduce::run((set, table), &job.contest, &records, store, &mut watcher);
        drop(watcher);
        match ended {
            Ok(Done::Before | Done::Now) => {}
            Ok(Done::Passed) => passed += 1,
            Ok(Done::Halted(halt)) => return Ok(Some(halt)),
            // One method that cannot be fitted to one table must not end the others.
            Err(error) if error.is_of_the_method() => output::note(&format!("note: left out: {error}")),
            Err(error) => return Err(error.into()),
        }
        pace.done(weight(job), start.elapsed());
        if start.elapsed() >= WORTH_A_LINE {
            say(job, set, (at + 1, jobs.len()), start.elapsed(), &pace);
        }
    }
    if passed > 0 {
        output::note(&format!(
            "note: {passed} of {} contests are kept with more settings than asked for, and stay",
            jobs.len()
        ));
    }
    Ok(None)
}

/// What is left to do, in no unit, and how fast it goes.
struct Pace {
    began: Instant,
    left: f64,
    worked: f64,
}

impl Pace {
    /// Work that took no time was done before.
    fn done(&mut self, weight: f64, took: Duration) {
        self.left -= weight;
        if took >= WORTH_A_LINE {
            self.worked += weight;
        }
    }

    fn minutes(&self) -> f64 {
        self.began.elapsed().as_secs_f64() / 60.0 * self.left / self.worked.max(1.0)
    }
}

fn say(job: &Job, set: &DataSet, (at, of): (usize, usize), took: Duration, pace: &Pace) {
    let part = match job.contest.part {
        (_, 1) => String::new(),
        (part, parts) => format!(", part {} of {parts}", part + 1),
    };
    output::note(&format!(
        "{at} of {of}: {} on {}, protocol {}{part}: {:.0} s; very roughly {:.0} min left",
        job.contest.method,
        set.name,
        job.protocol.name,
        took.as_secs_f64(),
        pace.minutes()
    ));
}

/// Method by method, so that what is done at any time can be compared over all data sets.
fn jobs<'a>(wishes: &'a Wishes, tables: &[(&DataSet, Dataset)]) -> Result<Vec<Job<'a>>> {
    let mut jobs = Vec::new();
    for protocol in &wishes.protocols {
        for name in protocol.order(&wishes.args.methods) {
            // All parts of a grid on one table, then the next table.
            for (table, (set, _)) in tables.iter().enumerate().filter(|(_, (set, _))| set.name != FACES) {
                let own = protocol.contests(&name, &set.name, wishes.args.points)?;
                jobs.extend(own.into_iter().map(|contest| Job { protocol, contest, table }));
            }
        }
    }
    Ok(jobs)
}

/// Work of a job, in no unit: for the estimate of the time left.
fn weight(job: &Job, set: &DataSet) -> f64 {
    let points: usize = job.contest.options.contenders.iter().map(|one| one.points.len()).sum();
    let fits = job.contest.options.inner_folds().map_or(points, |inner| points * inner + 1);
    (fits * set.samples * set.features) as f64
}

/// The toy, the faces, the course of the objective, the best subsets.
fn extras(
    wishes: &Wishes,
    tables: &[(&DataSet, Dataset)],
    watch: &(dyn Fn() -> Watcher + Sync),
) -> Result<Option<Halt>> {
    // They keep a third of the features, as in the paper; any contest tells how they are judged.
    let Some(protocol) = wishes.protocols.first().filter(|protocol| !protocol.native) else { return Ok(None) };
    let contests = protocol.contests(BESIDE, "", Some(1))?;
    let Some(judge) = contests.first() else { return Ok(None) };
    let work =
        ExtraWork { folder: wishes.cells.clone(), methods: &protocol.methods(&wishes.args.methods), tables, judge };
    let ended = work.run(watch, |watcher| watcher.halted, interrupted, output::note)?;
    Ok(ended.or_else(interrupted))
}
