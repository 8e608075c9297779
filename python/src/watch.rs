//! Work without the interpreter's lock, on other threads, while the calling thread checks for Ctrl-C.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rulesieve::optim::{Halt, Observer, Progress};
use rulesieve_eval::TimeBudget;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Interval of checks for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Observer that ends a fit after an interrupt or its time budget.
pub(super) struct Watch {
    stop: Arc<AtomicBool>,
    time: Option<Duration>,
    until: Option<Instant>,
}

impl Watch {
    /// Returns the stop flag, for work without an observer.
    pub(super) fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Restarts the time budget.
    pub(super) fn restart_budget(&mut self) {
        self.until = self.time.map(|time| Instant::now() + time);
    }
}

impl Observer for Watch {
    fn observe(&mut self, _: &Progress) -> ControlFlow<Halt> {
        match (self.stop.load(Relaxed), self.until) {
            (true, _) => ControlFlow::Break(Halt::Interrupted),
            (false, Some(until)) if Instant::now() >= until => ControlFlow::Break(Halt::OutOfTime),
            (false, _) => ControlFlow::Continue(()),
        }
    }
}

/// Limits of a computation.
#[derive(Debug, Clone, Copy)]
pub(super) struct RunLimits {
    /// Number of threads; 0 uses all cores.
    pub(super) threads: usize,
    /// Time budget in seconds.
    pub(super) seconds: Option<f64>,
}

/// Runs short work on a thread of its own: those of rayon's global pool would not survive a fork of the process.
pub(super) fn run_alone<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| pool(1).map(|pool| pool.install(work)))
}

fn pool(threads: usize) -> PyResult<rayon::ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| PyRuntimeError::new_err(format!("no threads could be started: {error}")))
}

/// Runs `work`; an interrupt ends it and is raised.
pub(super) fn run_interruptible<T: Send>(
    py: Python<'_>,
    limits: RunLimits,
    work: impl FnOnce(&mut Watch) -> PyResult<T> + Send,
) -> PyResult<T> {
    let time = limits.seconds.map(|seconds| TimeBudget::try_from(seconds).map(TimeBudget::duration)).transpose();
    let time = time.map_err(|error| super::value_error(format!("time_budget: {error}")))?;
    let pool = pool(limits.threads)?;
    let stop = Arc::new(AtomicBool::new(false));
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, ended) = channel::<()>();
            let mut watch = Watch { stop: Arc::clone(&stop), time, until: None };
            watch.restart_budget();
            let worker = scope.spawn(move || {
                // Dropped at the end, also by a panic, which ends the loop below.
                let _done = done;
                pool.install(|| work(&mut watch))
            });
            let mut interrupt = None;
            while ended.recv_timeout(SIGNAL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    interrupt = Some(error);
                    stop.store(true, Relaxed);
                }
            }
            let result = worker.join().unwrap_or_else(|_| {
                Err(PyRuntimeError::new_err(
                    "the engine failed; this is a defect of rulesieve, please report it with your data",
                ))
            });
            interrupt.map_or(result, Err)
        })
    })
}
