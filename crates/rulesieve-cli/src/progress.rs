//! Watches a fit for the user: shows progress, minds the time budget and Ctrl-C.

use crate::interrupt::{self, Watched};
use indicatif::{ProgressBar, ProgressStyle};
use rulesieve::optim::{Halt, Observer, Progress};
use std::io::{IsTerminal, stderr};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Fits shorter than this show nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// Where standard error is no terminal, a line this often.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Says from time to time how far work of unknown length has come.
pub struct Meter {
    name: &'static str,
    what: &'static str,
    began: Instant,
    bar: Option<ProgressBar>,
    last_line: Instant,
}

impl Meter {
    /// Of a command by name, and what is counted.
    pub fn new(name: &'static str, what: &'static str) -> Self {
        Self { name, what, began: Instant::now(), bar: None, last_line: Instant::now() }
    }

    /// `done` is what has been worked off so far.
    pub fn show(&mut self, done: usize) {
        if self.began.elapsed() < PATIENCE {
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
    /// What is counted, and how sure the estimate of the time left is.
    counted: (&'static str, &'static str),
    began: Instant,
    budget: Option<Duration>,
    terminal: bool,
    bar: Option<ProgressBar>,
    last_line: Option<Instant>,
    /// From the first iteration on: before it (while a method prepares) nobody looks, and Ctrl-C ends at once, unless others watch.
    watched: Option<Watched>,
    /// Why the fit was told to end, if it was.
    pub halted: Option<Halt>,
}

impl Watcher {
    /// Of a fit by name.
    pub fn new(name: &'static str, budget: Option<Duration>) -> Self {
        let (began, terminal) = (Instant::now(), stderr().is_terminal());
        let counted = ("iteration", "at most");
        Self { name, counted, began, budget, terminal, bar: None, last_line: None, watched: None, halted: None }
    }

    /// Watches many fits instead of the iterations of one.
    pub fn of_fits(name: &'static str, budget: Option<Duration>) -> Self {
        let mut watcher = Self::new(name, budget);
        watcher.counted = ("fit", "about");
        watcher
    }

    /// Starts the clock anew: what came before the fit does not count against its budget.
    pub fn begin(&mut self) {
        self.began = Instant::now();
    }

    fn show(&mut self, progress: &Progress, elapsed: Duration) {
        let objective = progress.objective.map(|value| format!(", objective {value:.6e}")).unwrap_or_default();
        let (what, sure) = self.counted;
        if self.terminal {
            let bar = self.bar.get_or_insert_with(|| {
                let template =
                    format!("{{prefix}} [{{bar:30}}] {{pos}}/{{len}} {{elapsed}}, {sure} {{eta}} left{{msg}}");
                let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
                let bar = ProgressBar::new(progress.limit as u64).with_style(style.progress_chars("=> "));
                bar.with_prefix(self.name).with_elapsed(elapsed)
            });
            bar.set_message(objective);
            bar.set_position(progress.iteration as u64);
        } else if self.last_line.is_none_or(|last| last.elapsed() >= LINE_EVERY) {
            self.last_line = Some(Instant::now());
            let (done, limit) = (progress.iteration, progress.limit);
            let left = match done {
                0 => String::new(),
                _ => format!(
                    ", {sure} {:.0} s left",
                    elapsed.as_secs_f64() * limit.saturating_sub(done) as f64 / done as f64
                ),
            };
            crate::output::note(&format!("{}: {what} {done} of {limit}{objective}{left}", self.name));
        }
    }
}

impl Observer for Watcher {
    fn observe(&mut self, progress: &Progress) -> ControlFlow<Halt> {
        self.watched.get_or_insert_with(Watched::begin);
        let elapsed = self.began.elapsed();
        if elapsed >= PATIENCE {
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
}

impl Drop for Watcher {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
