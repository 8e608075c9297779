//! The threads of a computation: those of the caller's pool, else of a new pool that ends with the computation.
//!
//! Fits do not use rayon's global pool, because its threads would not survive a fork of the process.

use crate::optim::{Halt, Observer, Progress};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// Runs `work` in the pool of the caller, else in a new one.
pub fn run<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match own() {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// A new pool, unless the caller is in one.
fn own() -> Option<ThreadPool> {
    if rayon::current_thread_index().is_some() {
        return None;
    }
    let pool = ThreadPoolBuilder::new().build();
    // Without further threads, this one.
    pool.or_else(|_| ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()).ok()
}

/// Runs `work` as [`run`] does. The observer stays on the thread of the caller.
pub(crate) fn observed<T: Send>(observer: &mut dyn Observer, work: impl FnOnce(&mut dyn Observer) -> T + Send) -> T {
    let pool = own();
    // The pool may be the thread of the caller.
    let Some(pool) = pool.filter(|_| rayon::current_thread_index().is_none()) else { return work(observer) };
    let wants_objective = observer.wants_objective();
    thread::scope(|scope| {
        let (calls, called) = channel();
        let (answers, answered) = channel();
        let mut remote = Remote { calls, answered, wants_objective };
        let worker = scope.spawn(move || pool.install(|| work(&mut remote)));
        // Ends when the worker drops its observer.
        for call in called {
            let answer = match call {
                Call::Observe(progress) => observer.observe(&progress),
                Call::Fitted => observer.fitted(),
                Call::Remaining(time) => {
                    observer.remaining(time);
                    continue;
                }
            };
            // A worker that has ended needs no answer.
            let _ = answers.send(answer);
        }
        worker.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// A call of an observer on another thread.
enum Call {
    Observe(Progress),
    Fitted,
    Remaining(Duration),
}

/// An observer that asks one on the thread of the caller.
struct Remote {
    calls: Sender<Call>,
    answered: Receiver<ControlFlow<Halt>>,
    wants_objective: bool,
}

impl Remote {
    fn ask(&self, call: Call) -> ControlFlow<Halt> {
        // Without an answer, the caller has panicked.
        let answer = self.calls.send(call).ok().and_then(|()| self.answered.recv().ok());
        answer.unwrap_or(ControlFlow::Break(Halt::Interrupted))
    }
}

impl Observer for Remote {
    fn observe(&mut self, progress: &Progress) -> ControlFlow<Halt> {
        self.ask(Call::Observe(*progress))
    }

    fn fitted(&mut self) -> ControlFlow<Halt> {
        self.ask(Call::Fitted)
    }

    fn remaining(&mut self, time: Duration) {
        // As above.
        let _ = self.calls.send(Call::Remaining(time));
    }

    fn wants_objective(&self) -> bool {
        self.wants_objective
    }
}
