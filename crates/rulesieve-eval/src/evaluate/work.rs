//! Pieces of work, done side by side, counted together, and kept as they are done.

use super::frame::Frame;
use super::outcome::{Outcome, Task, TaskPart};
use super::part::Ranker;
use super::split::Work;
use super::{EvaluateError, Failure};
use crate::records::{RecordsError, Run};
use rulesieve::optim::{Fits, Halt, Observer, Progress};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Bytes that the Gram matrices of work done side by side may take.
const GRAM_BYTES: usize = 4 << 30;

/// Who watches a piece of work, possibly from several threads of it.
pub(super) type Eye<'a> = dyn Observer + Send + 'a;

/// For observers that count fits, and look at nothing else.
pub(super) const NOTHING: Progress = Progress { iteration: 0, limit: 1, objective: None };

/// Turns the wish to end into a failure.
pub(super) fn go_on(wish: ControlFlow<Halt>) -> Result<(), Failure> {
    match wish {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(halt) => Err(Failure::Halted(halt)),
    }
}

/// One observer for all threads, and the wish to end of a thread that failed.
struct Watch<'s, 'a> {
    fits: &'s Mutex<Fits<'a, dyn Observer + Send + 'a>>,
    failed: &'s AtomicBool,
}

impl Watch<'_, '_> {
    fn or_failed(&self, wish: ControlFlow<Halt>) -> ControlFlow<Halt> {
        if self.failed.load(Relaxed) { ControlFlow::Break(Halt::Interrupted) } else { wish }
    }
}

impl Observer for Watch<'_, '_> {
    fn observe(&mut self, progress: &Progress) -> ControlFlow<Halt> {
        self.or_failed(self.fits.lock().unwrap_or_else(PoisonError::into_inner).observe(progress))
    }

    fn fitted(&mut self) -> ControlFlow<Halt> {
        self.or_failed(self.fits.lock().unwrap_or_else(PoisonError::into_inner).fitted())
    }

    fn wants_objective(&self) -> bool {
        false
    }
}

/// All tasks, split by split, so that what is done at any time can be compared.
pub(super) fn tasks(frame: &Frame) -> Vec<Task> {
    let (rankers, splits) = (frame.rankers().len(), frame.tests.len());
    let split = |split: usize| (0..rankers).map(move |ranker| Task { ranker, part: TaskPart::Split(split) });
    // All features are always the same.
    let all = frame.methods.len();
    let half = |half: usize| {
        (0..rankers).filter(move |&ranker| ranker != all).map(move |ranker| Task { ranker, part: TaskPart::Half(half) })
    };
    (0..splits).flat_map(split).chain((0..frame.halves).flat_map(half)).collect()
}

/// What was done, and why not everything.
pub(super) struct Done {
    pub(super) outcomes: BTreeMap<Task, Outcome>,
    pub(super) halted: Option<Halt>,
}

/// Does what `run` does not have yet, on all threads of the pool this is called in, and keeps it there. First all splits; then
/// the halves, with the setting that the splits took.
pub(super) fn work(
    work: Work,
    rankers: &[Ranker],
    mut run: Option<&mut Run>,
    observer: &mut (dyn Observer + Send),
) -> Result<Done, EvaluateError> {
    let mut outcomes = run.as_ref().map_or(Ok(BTreeMap::new()), |run| run.outcomes(work.frame))?;
    let left: Vec<Task> = tasks(work.frame).into_iter().filter(|task| !outcomes.contains_key(task)).collect();
    let fits = |task: &Task| match task.part {
        TaskPart::Split(split) => work.fits(&rankers[task.ranker], split),
        TaskPart::Half(_) => 1,
    };
    let watch = Mutex::new(Fits::new(observer, 0, left.iter().map(fits).sum()));
    let (splits, halves): (Vec<Task>, Vec<Task>) =
        left.into_iter().partition(|task| matches!(task.part, TaskPart::Split(_)));
    let stage = Stage { work, rankers, watch: &watch };
    let mut halted = stage.run(&splits, &[], run.as_deref_mut(), &mut outcomes)?;
    if halted.is_none() && !halves.is_empty() {
        let settings = super::summary::usual_settings(work.frame, &outcomes)?;
        halted = stage.run(&halves, &settings, run, &mut outcomes)?;
    }
    Ok(Done { outcomes, halted })
}

/// Pieces of work that do not need one another.
struct Stage<'s, 'a> {
    work: Work<'s>,
    rankers: &'s [Ranker<'s>],
    watch: &'s Mutex<Fits<'a, dyn Observer + Send + 'a>>,
}

impl Stage<'_, '_> {
    /// Does all tasks; halves with the settings of their rankers. Says why not all were done, if so.
    fn run(
        &self,
        tasks: &[Task],
        settings: &[usize],
        run: Option<&mut Run>,
        outcomes: &mut BTreeMap<Task, Outcome>,
    ) -> Result<Option<Halt>, EvaluateError> {
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let shared = Mutex::new(Shared { run, done: Vec::new(), failure: None });
        let worker = || {
            while let Some(task) = tasks.get(next.fetch_add(1, Relaxed)) {
                let (ranker, mut watch) = (&self.rankers[task.ranker], Watch { fits: self.watch, failed: &failed });
                let outcome = match task.part {
                    TaskPart::Split(number) => self.work.judge(ranker, number, &mut watch).map(Outcome::Judged),
                    TaskPart::Half(number) => self.work.half(ranker, (number, settings[task.ranker]), &mut watch),
                };
                if !shared.lock().unwrap_or_else(PoisonError::into_inner).take(self.work.frame, *task, outcome) {
                    failed.store(true, Relaxed);
                    break;
                }
            }
        };
        side_by_side(width(self.work, tasks.len()), &worker)?;
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        outcomes.extend(shared.done);
        match shared.failure {
            None => Ok(None),
            Some(EvaluateError::Halted(halt)) => Ok(Some(halt)),
            Some(failure) => Err(failure),
        }
    }
}

/// What the threads share.
struct Shared<'a> {
    run: Option<&'a mut Run>,
    done: Vec<(Task, Outcome)>,
    failure: Option<EvaluateError>,
}

impl Shared<'_> {
    /// Keeps an outcome; says whether to go on.
    fn take(&mut self, frame: &Frame, task: Task, outcome: Result<Outcome, Failure>) -> bool {
        let kept = match outcome {
            Ok(outcome) => {
                let kept = self.run.as_mut().map_or(Ok(()), |run| run.keep(frame, &task, &outcome));
                self.done.push((task, outcome));
                kept.map_err(EvaluateError::from)
            }
            Err(failure) => Err(failure.of(frame, &task)),
        };
        if let Err(failure) = kept {
            // The first one counts, but an error says more than a wish to end.
            let halted = matches!(failure, EvaluateError::Halted(_));
            if self.failure.is_none() || (!halted && matches!(self.failure, Some(EvaluateError::Halted(_)))) {
                self.failure = Some(failure);
            }
        }
        self.failure.is_none()
    }
}

/// How many pieces of work are done at a time.
fn width(work: Work, tasks: usize) -> usize {
    let rows = work.frame.truth.rows();
    let memory = GRAM_BYTES / (8 * rows * rows).max(1);
    rayon::current_num_threads().min(tasks).min(memory).max(1)
}

/// Runs the worker on some threads, each with a share of the pool's threads for itself, so that its times are its own.
fn side_by_side(width: usize, worker: &(dyn Fn() + Sync)) -> Result<(), EvaluateError> {
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
