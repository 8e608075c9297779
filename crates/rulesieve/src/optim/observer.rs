//! How a caller watches a fit, and stops it.

use std::ops::ControlFlow;

/// Where a fit stands after an iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Iterations done.
    pub iteration: usize,
    /// Iterations at most.
    pub limit: usize,
    /// The objective, where the method has one.
    pub objective: Option<f64>,
}

/// Why a caller ended a fit early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// Somebody asked for it (Ctrl-C, a closed window).
    Interrupted,
    /// The time budget is spent.
    OutOfTime,
}

/// Called after every iteration; may end the fit, which then returns what it has, marked as halted.
pub trait Observer {
    /// Looks at the progress and says whether to go on.
    fn observe(&mut self, progress: &Progress) -> ControlFlow<Halt>;
}

/// Watches nothing and never stops.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn observe(&mut self, _: &Progress) -> ControlFlow<Halt> {
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(&Progress) -> ControlFlow<Halt>> Observer for F {
    fn observe(&mut self, progress: &Progress) -> ControlFlow<Halt> {
        self(progress)
    }
}
