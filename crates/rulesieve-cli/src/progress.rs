//! Progress of a fit, its time budget, and Ctrl-C.

use crate::interrupt::{self, Watched};
use indicatif::{ProgressBar, ProgressStyle};
use rulesieve::optim::{Halt, Observer, Progress};
use std::io::{IsTerminal, stderr};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Shorter fits show no progress.
const MIN_DURATION: Duration = Duration::from_secs(1);
/// Interval of progress lines if standard error is not a terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Shows the progress of work of unknown length.
pub struct Meter {
    name: &'static str,
    what: &'static str,
    began: Instant,
    bar: Option<ProgressBar>,
    last_line: Instant,
}

impl Meter {
    /// Creates a meter from the name of a command and the unit that is counted.
    pub fn new(name: &'static str, what: &'static str) -> Self {
        Self { name, what, began: Instant::now(), bar: None, last_line: Instant::now() }
    }

    /// Shows that `done` units are completed.
    pub fn show(&mut self, done: usize) {
        if self.began.elapsed() < MIN_DURATION || crate::output::is_quiet() {
            return;
        }
        let text = format!("{}: {done} {}", self.name, self.what);
        if stderr().is_terminal() {
            self.bar.get_or_insert_with(ProgressBar::new_spinner).set_message(text);
        } else if self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            crate::output::note(&text);
        }
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Observes a fit: shows progress, and ends it after the time budget or Ctrl-C.
pub struct Watcher {
    name: &'static str,
    /// Name of the unit that is counted, and precision of the estimated time left.
    counted: (&'static str, &'static str),
    began: Instant,
    budget: Option<Duration>,
    /// An estimate of the remaining time, and when it was made.
    remaining: Option<(Duration, Instant)>,
    terminal: bool,
    bar: Option<ProgressBar>,
    last_line: Option<Instant>,
    /// Set at the first iteration; before it, Ctrl-C is not checked and ends the program at once.
    watched: Option<Watched>,
    /// Why the fit was ended early, if it was.
    pub halted: Option<Halt>,
}

impl Watcher {
    /// Creates an observer of the iterations of a fit.
    pub fn new(name: &'static str, budget: Option<Duration>) -> Self {
        let (began, terminal) = (Instant::now(), stderr().is_terminal());
        let counted = ("iteration", "at most");
        Self {
            name,
            counted,
            began,
            budget,
            remaining: None,
            terminal,
            bar: None,
            last_line: None,
            watched: None,
            halted: None,
        }
    }

    /// Creates an observer that counts fits instead of iterations.
    pub fn of_fits(name: &'static str, budget: Option<Duration>) -> Self {
        let mut watcher = Self::new(name, budget);
        watcher.counted = ("fit", "about");
        watcher
    }

    /// Restarts the time budget, for example after the data were read.
    pub fn begin(&mut self) {
        self.began = Instant::now();
    }

    /// Estimates the remaining time: as reported, or by the number of iterations; at most the rest of the budget.
    fn left(&self, progress: &Progress, elapsed: Duration) -> Option<Duration> {
        let by_count = || {
            let left = progress.limit.saturating_sub(progress.iteration) as f64 / progress.iteration as f64;
            Duration::try_from_secs_f64(elapsed.as_secs_f64() * left).ok()
        };
        let left = match self.remaining {
            Some((left, at)) => Some(left.saturating_sub(at.elapsed())),
            None => by_count(),
        }?;
        Some(self.budget.map_or(left, |budget| left.min(budget.saturating_sub(elapsed))))
    }

    fn show(&mut self, progress: &Progress, elapsed: Duration) {
        let objective = progress.objective.map(|value| format!(", objective {value:.6e}")).unwrap_or_default();
        let (unit, precision) = self.counted;
        let left = self.left(progress, elapsed).map(|left| format!(", {precision} {:.0} s left", left.as_secs_f64()));
        let left = left.unwrap_or_default();
        if self.terminal {
            let bar = self.bar.get_or_insert_with(|| {
                let template = "{prefix} [{bar:30}] {pos}/{len} {elapsed}{msg}";
                let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
                let bar = ProgressBar::new(progress.limit as u64).with_style(style.progress_chars("=> "));
                bar.with_prefix(self.name).with_elapsed(elapsed)
            });
            bar.set_message(left + &objective);
            bar.set_position(progress.iteration as u64);
        } else if self.last_line.is_none_or(|last| last.elapsed() >= LINE_EVERY) {
            self.last_line = Some(Instant::now());
            let (done, limit) = (progress.iteration, progress.limit);
            crate::output::note(&format!("{}: {unit} {done} of {limit}{objective}{left}", self.name));
        }
    }
}

impl Observer for Watcher {
    fn observe(&mut self, progress: &Progress) -> ControlFlow<Halt> {
        self.watched.get_or_insert_with(Watched::begin);
        let elapsed = self.began.elapsed();
        if elapsed >= MIN_DURATION && !crate::output::is_quiet() {
            self.show(progress, elapsed);
        }
        let late = self.budget.is_some_and(|budget| elapsed >= budget);
        self.halted = match (interrupt::requested(), late) {
            (true, _) => Some(Halt::Interrupted),
            (false, true) => Some(Halt::OutOfTime),
            (false, false) => None,
        };
        self.halted.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    fn remaining(&mut self, remaining: Duration) {
        self.remaining = Some((remaining, Instant::now()));
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
