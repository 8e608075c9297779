//! Parallel execution of tasks; each result is saved when it is complete.

use super::encoded_split::Ranker;
use super::options::GRAM_PARTS;
use super::progress::TaskProgress;
use super::result::{Task, TaskPart, TaskResult};
use super::run_spec::RunSpec;
use super::split::RunContext;
use super::{EvaluateError, Failure};
use crate::records::{RecordsError, Run};
use rulesieve::optim::{Halt, Observer, Progress};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Maximum bytes of the Gram matrices of parallel tasks.
const GRAM_BYTES: usize = 4 << 30;

/// The time of a fit is counted before its end if it is longer.
const LONG_FIT: Duration = Duration::from_millis(250);

/// The observer of a task, possibly called from several threads.
pub(super) type DynObserver<'a> = dyn Observer + Send + 'a;

/// Progress for observers that only count fits.
pub(super) const NO_PROGRESS: Progress = Progress { iteration: 0, limit: 1, objective: None };

/// Converts a halt into a failure.
pub(super) fn check_halt(flow: ControlFlow<Halt>) -> Result<(), Failure> {
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(halt) => Err(Failure::Halted(halt)),
    }
}

/// The shared observer of all threads, which also ends tasks after another thread failed.
struct Watch<'s, 'a> {
    progress: &'s Mutex<TaskProgress<'a>>,
    failed: &'s AtomicBool,
    ranker: usize,
    /// The time of the last fit.
    since: Instant,
    /// Fits of the task that are not complete.
    left: usize,
}

impl Watch<'_, '_> {
    /// Adds fits and the time since the last ones.
    fn add(&mut self, fits: usize) -> ControlFlow<Halt> {
        let time = std::mem::replace(&mut self.since, Instant::now()).elapsed();
        self.left = self.left.saturating_sub(fits);
        self.progress.lock().unwrap_or_else(PoisonError::into_inner).add(self.ranker, fits, time)
    }

    fn or_failed(&self, flow: ControlFlow<Halt>) -> ControlFlow<Halt> {
        if self.failed.load(Relaxed) { ControlFlow::Break(Halt::Interrupted) } else { flow }
    }
}

impl Observer for Watch<'_, '_> {
    fn observe(&mut self, _: &Progress) -> ControlFlow<Halt> {
        if self.since.elapsed() >= LONG_FIT {
            let flow = self.add(0);
            return self.or_failed(flow);
        }
        self.or_failed(self.progress.lock().unwrap_or_else(PoisonError::into_inner).report())
    }

    fn fitted(&mut self) -> ControlFlow<Halt> {
        let flow = self.add(1);
        self.or_failed(flow)
    }

    fn wants_objective(&self) -> bool {
        false
    }
}

/// Returns all tasks, split by split, so that completed splits can be compared at any time.
pub(super) fn tasks(spec: &RunSpec) -> Vec<Task> {
    let (rankers, splits) = (spec.rankers().len(), spec.tests.len());
    let split = |split: usize| (0..rankers).map(move |ranker| Task { ranker, part: TaskPart::Split(split) });
    // The selection of all features needs no subsamples.
    let all = spec.methods.len();
    let subsample = |subsample: usize| {
        (0..rankers)
            .filter(move |&ranker| ranker != all)
            .map(move |ranker| Task { ranker, part: TaskPart::Subsample(subsample) })
    };
    (0..splits).flat_map(split).chain((0..spec.subsamples).flat_map(subsample)).collect()
}

/// The results, and why the work ended early, if so.
pub(super) struct Done {
    pub(super) results: BTreeMap<Task, TaskResult>,
    pub(super) halted: Option<Halt>,
}

/// Runs the tasks without a result in `run` on all threads of the current pool and saves their results: first all splits, then the
/// subsamples, with the setting that most splits chose.
pub(super) fn work(
    context: RunContext,
    rankers: &[Ranker],
    mut run: Option<&mut Run>,
    observer: &mut (dyn Observer + Send),
) -> Result<Done, EvaluateError> {
    let mut results = run.as_ref().map_or(Ok(BTreeMap::new()), |run| run.results(context.spec))?;
    let left: Vec<Task> = tasks(context.spec).into_iter().filter(|task| !results.contains_key(task)).collect();
    let fits = |task: &Task| context.fits_of(&rankers[task.ranker], task.part);
    let mut by_ranker = vec![0; rankers.len()];
    left.iter().for_each(|task| by_ranker[task.ranker] += fits(task));
    let watch = Mutex::new(TaskProgress::new(observer, by_ranker, width(context, left.len())));
    let (splits, subsamples): (Vec<Task>, Vec<Task>) =
        left.into_iter().partition(|task| matches!(task.part, TaskPart::Split(_)));
    let stage = Stage { context, rankers, watch: &watch };
    let mut halted = stage.run(&splits, &[], run.as_deref_mut(), &mut results)?;
    if halted.is_none() && !subsamples.is_empty() {
        let settings = super::summary::most_frequent_settings(context.spec, &results)?;
        halted = stage.run(&subsamples, &settings, run, &mut results)?;
    }
    Ok(Done { results, halted })
}

/// Independent tasks.
struct Stage<'s, 'a> {
    context: RunContext<'s>,
    rankers: &'s [Ranker<'s>],
    watch: &'s Mutex<TaskProgress<'a>>,
}

impl<'a> Stage<'_, 'a> {
    fn watch<'s>(&'s self, task: Task, failed: &'s AtomicBool) -> Watch<'s, 'a> {
        let left = self.context.fits_of(&self.rankers[task.ranker], task.part);
        Watch { progress: self.watch, failed, ranker: task.ranker, since: Instant::now(), left }
    }

    /// Runs all tasks, subsamples with the settings of their rankers. Returns why it ended early, if so.
    fn run(
        &self,
        tasks: &[Task],
        settings: &[usize],
        run: Option<&mut Run>,
        results: &mut BTreeMap<Task, TaskResult>,
    ) -> Result<Option<Halt>, EvaluateError> {
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let shared = Mutex::new(Shared { run, done: Vec::new(), failure: None });
        let worker = || {
            while let Some(task) = tasks.get(next.fetch_add(1, Relaxed)) {
                let ranker = &self.rankers[task.ranker];
                let mut watch = self.watch(*task, &failed);
                let result = match task.part {
                    TaskPart::Split(number) => {
                        self.context.evaluate_split(ranker, number, &mut watch).map(TaskResult::Split)
                    }
                    TaskPart::Subsample(number) => {
                        self.context.subsample(ranker, (number, settings[task.ranker]), &mut watch)
                    }
                };
                if result.is_ok() {
                    // Counts the fits that were not necessary, too; the next task notices a halt.
                    let left = watch.left;
                    let _ = watch.add(left);
                }
                if !shared.lock().unwrap_or_else(PoisonError::into_inner).take(self.context.spec, *task, result) {
                    failed.store(true, Relaxed);
                    break;
                }
            }
        };
        in_parallel(width(self.context, tasks.len()), &worker)?;
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.extend(shared.done);
        match shared.failure {
            None => Ok(None),
            Some(EvaluateError::Halted(halt)) => Ok(Some(halt)),
            Some(failure) => Err(failure),
        }
    }
}

/// State that the threads share.
struct Shared<'a> {
    run: Option<&'a mut Run>,
    done: Vec<(Task, TaskResult)>,
    failure: Option<EvaluateError>,
}

impl Shared<'_> {
    /// Saves a result; returns whether to continue.
    fn take(&mut self, spec: &RunSpec, task: Task, result: Result<TaskResult, Failure>) -> bool {
        let saved = match result {
            Ok(result) => {
                let saved = self.run.as_mut().map_or(Ok(()), |run| run.save(spec, &task, &result));
                self.done.push((task, result));
                saved.map_err(EvaluateError::from)
            }
            Err(failure) => Err(failure.of(spec, &task)),
        };
        if let Err(failure) = saved {
            // Keeps the first failure, except that an error replaces a halt.
            let halted = matches!(failure, EvaluateError::Halted(_));
            if self.failure.is_none() || (!halted && matches!(self.failure, Some(EvaluateError::Halted(_)))) {
                self.failure = Some(failure);
            }
        }
        self.failure.is_none()
    }
}

/// Number of parallel tasks.
fn width(context: RunContext, tasks: usize) -> usize {
    let all = context.spec.truth.rows();
    let rows = context.options.estimator_rows.map_or(all, |rows| all.min(GRAM_PARTS * rows));
    let memory = GRAM_BYTES / (8 * rows * rows).max(1);
    rayon::current_num_threads().min(tasks).min(memory).max(1)
}

/// Runs the worker on `width` threads, each with its own pool, so that its times exclude other work.
fn in_parallel(width: usize, worker: &(dyn Fn() + Sync)) -> Result<(), EvaluateError> {
    if width == 1 {
        worker();
        return Ok(());
    }
    let each = (rayon::current_num_threads() / width).max(1);
    let pool = |_| rayon::ThreadPoolBuilder::new().num_threads(each).build();
    let pools = (0..width)
        .map(pool)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| EvaluateError::Threads(error.to_string()))?;
    std::thread::scope(|scope| {
        pools.iter().for_each(|pool| {
            scope.spawn(move || pool.install(worker));
        });
    });
    Ok(())
}

impl From<RecordsError> for EvaluateError {
    fn from(error: RecordsError) -> Self {
        Self::Records(error)
    }
}
