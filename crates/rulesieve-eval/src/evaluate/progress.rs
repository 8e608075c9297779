//! Progress of the tasks of an evaluation, and their remaining time by the measured time of each method.

use rulesieve::optim::{Halt, Observer, Progress};
use std::ops::ControlFlow;
use std::time::Duration;

/// Progress of all tasks.
pub(super) struct TaskProgress<'a> {
    observer: &'a mut (dyn Observer + Send + 'a),
    /// For each ranker.
    costs: Vec<Cost>,
    /// Number of tasks that run at the same time.
    width: usize,
    halted: Option<Halt>,
}

/// The fits of a ranker and their time.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    done: usize,
    all: usize,
    seconds: f64,
}

impl<'a> TaskProgress<'a> {
    /// Counts the fits of each ranker.
    pub(super) fn new(observer: &'a mut (dyn Observer + Send + 'a), fits: Vec<usize>, width: usize) -> Self {
        let costs = fits.into_iter().map(|all| Cost { all, ..Cost::default() }).collect();
        Self { observer, costs, width, halted: None }
    }

    /// Reports the progress; returns whether the observer ends the evaluation, which it decides once.
    pub(super) fn report(&mut self) -> ControlFlow<Halt> {
        if self.halted.is_none() {
            let [done, limit] = [|cost: &Cost| cost.done.min(cost.all), |cost: &Cost| cost.all]
                .map(|of| self.costs.iter().map(of).sum::<usize>());
            self.halted = self.observer.observe(&Progress { iteration: done, limit, objective: None }).break_value();
        }
        self.halted.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    /// Adds fits of a ranker and their time.
    pub(super) fn add(&mut self, ranker: usize, fits: usize, time: Duration) -> ControlFlow<Halt> {
        let cost = &mut self.costs[ranker];
        (cost.done, cost.seconds) = (cost.done + fits, cost.seconds + time.as_secs_f64());
        if let Some(remaining) = self.remaining() {
            self.observer.remaining(remaining);
        }
        self.report()
    }

    /// Estimates the remaining time: fits take as long as those of the same ranker so far. A ranker that was not started is taken to be as
    /// slow as the slowest.
    fn remaining(&self) -> Option<Duration> {
        let rate = |cost: &Cost| (cost.seconds > 0.0).then(|| cost.seconds / cost.done.max(1) as f64);
        let slowest = self.costs.iter().filter_map(rate).max_by(f64::total_cmp)?;
        let left = |cost: &Cost| rate(cost).unwrap_or(slowest) * cost.all.saturating_sub(cost.done) as f64;
        let seconds = self.costs.iter().map(left).sum::<f64>() / self.width.max(1) as f64;
        Duration::try_from_secs_f64(seconds).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records the estimates.
    #[derive(Default)]
    struct Recorder(Vec<f64>, Vec<usize>);

    impl Observer for Recorder {
        fn observe(&mut self, progress: &Progress) -> ControlFlow<Halt> {
            self.1.push(progress.iteration);
            ControlFlow::Continue(())
        }

        fn remaining(&mut self, remaining: Duration) {
            self.0.push(remaining.as_secs_f64());
        }
    }

    #[test]
    fn the_remaining_time_considers_the_time_of_each_method() {
        let mut recorder = Recorder::default();
        let mut progress = TaskProgress::new(&mut recorder, vec![10, 10], 2);
        // The second ranker is not measured yet and taken to be as slow.
        assert!(progress.add(0, 2, Duration::from_secs(8)).is_continue());
        // 8 fits of 4 seconds, 9 of 1 second, in pairs.
        assert!(progress.add(1, 1, Duration::from_secs(1)).is_continue());
        assert!(progress.add(1, 9, Duration::from_secs(9)).is_continue());
        assert_eq!(recorder.0, [(8.0 + 10.0) * 4.0 / 2.0, (8.0 * 4.0 + 9.0) / 2.0, 8.0 * 4.0 / 2.0]);
        assert_eq!(recorder.1, [2, 3, 12]);
        // A fit that is not complete takes at least its time so far.
        let mut recorder = Recorder::default();
        let mut progress = TaskProgress::new(&mut recorder, vec![3, 4], 1);
        assert!(progress.add(0, 0, Duration::from_secs(5)).is_continue());
        assert_eq!(recorder.0, [7.0 * 5.0]);
    }
}
