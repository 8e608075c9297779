//! Work that does not hold the interpreter's lock, on threads of its own, while the calling thread listens for Ctrl-C.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rulesieve::optim::{Halt, Observer, Progress};
use rulesieve_eval::TimeBudget;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long Ctrl-C may go unheard.
const LISTEN: Duration = Duration::from_millis(50);

/// Ends a fit when it is told to, or when its time is up.
pub(super) struct Watch {
    stop: Arc<AtomicBool>,
    time: Option<Duration>,
    until: Option<Instant>,
}

impl Watch {
    /// Whether to end, for work that does not ask an observer.
    pub(super) fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Gives the work that follows all the time again.
    pub(super) fn begin_anew(&mut self) {
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

/// How work is done.
#[derive(Debug, Clone, Copy)]
pub(super) struct Means {
    /// Threads; 0 for all cores.
    pub(super) threads: usize,
    /// Seconds after which it ends with what it has.
    pub(super) seconds: Option<f64>,
}

/// Does some work; an interrupt that Python hears ends it and is raised.
pub(super) fn watched<T: Send>(
    py: Python<'_>,
    means: Means,
    work: impl FnOnce(&mut Watch) -> PyResult<T> + Send,
) -> PyResult<T> {
    let time = means.seconds.map(|seconds| TimeBudget::try_from(seconds).map(TimeBudget::duration)).transpose();
    let time = time.map_err(|error| super::refused(format!("time_budget: {error}")))?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(means.threads)
        .build()
        .map_err(|error| PyRuntimeError::new_err(format!("no threads could be started: {error}")))?;
    let stop = Arc::new(AtomicBool::new(false));
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, heard) = channel::<()>();
            let mut watch = Watch { stop: Arc::clone(&stop), time, until: None };
            watch.begin_anew();
            let worker = scope.spawn(move || {
                // Dropped at the end, also by a panic: the other side then stops listening.
                let _done = done;
                pool.install(|| work(&mut watch))
            });
            let mut interrupt = None;
            while heard.recv_timeout(LISTEN) == Err(RecvTimeoutError::Timeout) {
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    interrupt = Some(error);
                    stop.store(true, Relaxed);
                }
            }
            let outcome = worker.join().unwrap_or_else(|_| {
                Err(PyRuntimeError::new_err(
                    "the engine failed; this is a defect of rulesieve, please report it with your data",
                ))
            });
            interrupt.map_or(outcome, Err)
        })
    })
}
