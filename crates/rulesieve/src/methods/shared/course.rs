//! Control of an iteration: trace, stopping rule, and observer.

use crate::methods::{FitError, Iteration};
use crate::optim::{Halt, Observer, Plateau, Progress};

/// An objective this many times above its smallest value has diverged.
const DIVERGENCE_FACTOR: f64 = 1e3;

/// Trace, stopping rule and observer of an iteration.
pub(crate) struct Course<'a> {
    observer: &'a mut dyn Observer,
    plateau: Plateau,
    limit: usize,
    growth: f64,
    smallest: f64,
    trace: Vec<Vec<f64>>,
    converged: bool,
    halted: Option<Halt>,
}

impl<'a> Course<'a> {
    /// At most `limit` iterations; fewer if the relative change of the objective is below `tolerance` (0: never).
    pub(crate) fn new(observer: &'a mut dyn Observer, limit: usize, tolerance: f64) -> Self {
        let plateau = Plateau::new(tolerance);
        let (growth, smallest) = (DIVERGENCE_FACTOR, f64::INFINITY);
        Self { observer, plateau, limit, growth, smallest, trace: Vec::new(), converged: false, halted: None }
    }

    /// For losses of batches, which may rise from nearly zero: only losses that are not finite are errors.
    pub(crate) fn tolerant(mut self) -> Self {
        self.growth = f64::INFINITY;
        self
    }

    /// Records the terms of the objective after an iteration; returns whether to continue.
    ///
    /// # Errors
    /// An objective that is not finite, or a thousand times above its smallest value.
    pub(crate) fn goes_on(&mut self, terms: Vec<f64>) -> Result<bool, FitError> {
        let objective: f64 = terms.iter().sum();
        self.trace.push(terms);
        let iteration = self.trace.len();
        if !objective.is_finite() || (self.smallest > 0.0 && objective > self.growth * self.smallest) {
            return Err(FitError::Diverged { iteration, objective });
        }
        self.smallest = self.smallest.min(objective);
        self.converged = self.plateau.settled(objective);
        let progress = Progress { iteration, limit: self.limit, objective: Some(objective) };
        self.halted = self.observer.observe(&progress).break_value();
        Ok(!self.converged && self.halted.is_none() && iteration < self.limit)
    }

    /// The summary of the iteration. `terms` are the names of the terms.
    pub(crate) fn finish(self, terms: &'static [&'static str]) -> Iteration {
        Iteration {
            count: self.trace.len(),
            converged: self.converged,
            halted: self.halted,
            terms,
            trace: self.trace,
            diagnostics: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optim::Silent;
    use std::ops::ControlFlow;

    #[test]
    fn ends_on_convergence_at_the_limit_or_by_the_observer() {
        let run = |tolerance: f64, observer: &mut dyn Observer| {
            let mut course = Course::new(observer, 10, tolerance);
            let mut value = 1.0_f64;
            while course.goes_on(vec![1.0, value]).unwrap() {
                value *= 0.1;
            }
            course.finish(&["a", "b"])
        };
        let settled = run(1e-4, &mut Silent);
        assert!(settled.converged && settled.count == 6, "{}", settled.count);
        let all = run(0.0, &mut Silent);
        assert!(!all.converged && all.count == 10 && all.trace[9].len() == 2);
        let mut third = |progress: &Progress| match progress.iteration {
            3 => ControlFlow::Break(Halt::Interrupted),
            _ => ControlFlow::Continue(()),
        };
        let ended = run(0.0, &mut third);
        assert_eq!((ended.count, ended.halted), (3, Some(Halt::Interrupted)));
    }

    #[test]
    fn divergence_is_an_error() {
        for bad in [f64::NAN, f64::INFINITY, 1e7] {
            let mut silent = Silent;
            let mut course = Course::new(&mut silent, 10, 0.0);
            assert!(course.goes_on(vec![1.0]).unwrap());
            assert!(matches!(course.goes_on(vec![bad]), Err(FitError::Diverged { iteration: 2, .. })));
            let mut tolerant = Course::new(&mut silent, 10, 0.0).tolerant();
            assert!(tolerant.goes_on(vec![1.0]).unwrap());
            assert_eq!(tolerant.goes_on(vec![bad]).is_ok(), bad.is_finite());
        }
    }
}
