//! How a caller watches a fit, and stops it.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::ControlFlow;

/// Where a fit stands after an iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Iterations done.
    pub iteration: usize,
    /// Iterations at most.
    pub limit: usize,
    /// The objective, where the method has one; none where it was not wanted ([`Observer::wants_objective`]).
    pub objective: Option<f64>,
}

/// Why a caller ended a fit early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Halt {
    /// Somebody asked for it (Ctrl-C, a closed window).
    Interrupted,
    /// The time budget is spent.
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

/// Called after every iteration; may end the fit, which then returns what it has, marked as halted.
pub trait Observer {
    /// Looks at the progress and says whether to go on.
    fn observe(&mut self, progress: &Progress) -> ControlFlow<Halt>;

    /// Hears that one of many fits is done and says whether to go on.
    fn fitted(&mut self) -> ControlFlow<Halt> {
        ControlFlow::Continue(())
    }

    /// Whether the objective is wanted after every iteration, also where a fit could do without: its course is then recorded whole.
    fn wants_objective(&self) -> bool {
        true
    }
}

/// Watches nothing and never stops.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn observe(&mut self, _: &Progress) -> ControlFlow<Halt> {
        ControlFlow::Continue(())
    }
}

/// Counts fits instead of their iterations, for work that takes many, and remembers when it was told to end.
pub struct Fits<'a, O: ?Sized = dyn Observer + 'a> {
    observer: &'a mut O,
    done: usize,
    limit: usize,
    halted: Option<Halt>,
}

impl<'a, O: Observer + ?Sized> Fits<'a, O> {
    /// Of `limit` fits, `done` are done already.
    pub fn new(observer: &'a mut O, done: usize, limit: usize) -> Self {
        Self { observer, done, limit, halted: None }
    }

    fn tell(&mut self) -> ControlFlow<Halt> {
        if self.halted.is_none() {
            let progress = Progress { iteration: self.done.min(self.limit), limit: self.limit, objective: None };
            self.halted = self.observer.observe(&progress).break_value();
        }
        self.halted.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }
}

impl<O: Observer + ?Sized> Observer for Fits<'_, O> {
    fn observe(&mut self, _: &Progress) -> ControlFlow<Halt> {
        self.tell()
    }

    fn fitted(&mut self) -> ControlFlow<Halt> {
        self.done += 1;
        self.tell()
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
