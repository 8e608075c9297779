//! Progress and early termination of fits.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

/// Progress of a fit after an iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Number of iterations so far.
    pub iteration: usize,
    /// Maximum number of iterations.
    pub limit: usize,
    /// The objective, if the method has one and it was computed (see [`Observer::wants_objective`]).
    pub objective: Option<f64>,
}

/// Reason for ending a fit early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Halt {
    /// Interrupted by the user (Ctrl-C, a closed window).
    Interrupted,
    /// The time budget is used up.
    OutOfTime,
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Interrupted => "interrupted",
            Self::OutOfTime => "out of time",
        })
    }
}

/// Receives the progress after every iteration; may end the fit, which then returns its current result, marked as
/// halted.
pub trait Observer {
    /// Receives the progress and decides whether to continue.
    fn observe(&mut self, progress: &Progress) -> ControlFlow<Halt>;

    /// Receives the completion of one of many fits and decides whether to continue.
    fn fitted(&mut self) -> ControlFlow<Halt> {
        ControlFlow::Continue(())
    }

    /// Receives an estimate of the remaining time that considers how long the different steps take.
    fn remaining(&mut self, _: Duration) {}

    /// Whether the objective must be computed after every iteration, even if the fit does not need it; its trace is
    /// then complete.
    fn wants_objective(&self) -> bool {
        true
    }
}

/// Ignores the progress and never ends a fit.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn observe(&mut self, _: &Progress) -> ControlFlow<Halt> {
        ControlFlow::Continue(())
    }
}

/// Reports completed fits instead of their iterations, and remembers when a fit was ended.
pub struct Fits<'a, O: ?Sized = dyn Observer + 'a> {
    observer: &'a mut O,
    done: usize,
    limit: usize,
    halted: Option<Halt>,
}

impl<'a, O: Observer + ?Sized> Fits<'a, O> {
    /// Reports fits out of `limit`, of which `done` are complete.
    pub fn new(observer: &'a mut O, done: usize, limit: usize) -> Self {
        Self { observer, done, limit, halted: None }
    }

    fn report(&mut self) -> ControlFlow<Halt> {
        if self.halted.is_none() {
            let progress = Progress { iteration: self.done.min(self.limit), limit: self.limit, objective: None };
            self.halted = self.observer.observe(&progress).break_value();
        }
        self.halted.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }
}

impl<O: Observer + ?Sized> Observer for Fits<'_, O> {
    fn observe(&mut self, _: &Progress) -> ControlFlow<Halt> {
        self.report()
    }

    fn fitted(&mut self) -> ControlFlow<Halt> {
        self.done += 1;
        self.report()
    }

    fn wants_objective(&self) -> bool {
        false
    }
}

impl<F: FnMut(&Progress) -> ControlFlow<Halt>> Observer for F {
    fn observe(&mut self, progress: &Progress) -> ControlFlow<Halt> {
        self(progress)
    }
}
