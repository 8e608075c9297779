//! Computations outside of a thread pool leave no threads behind, which would not survive a fork of the process.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use rulesieve::data::{Missing, Table};
use rulesieve::optim::{Halt, Observer, Progress};
use rulesieve::prelude::*;
use std::ops::ControlFlow;
use std::process::Command;
use std::time::{Duration, Instant};

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

fn table() -> Table {
    rulesieve::generate::find("waveform").unwrap().generate(Some(400), Some(30), 0).unwrap().table
}

/// Counts calls on the thread that made it.
struct Counter {
    thread: std::thread::ThreadId,
    calls: usize,
    limit: usize,
}

impl Counter {
    fn new(limit: usize) -> Self {
        Self { thread: std::thread::current().id(), calls: 0, limit }
    }
}

impl Observer for Counter {
    fn observe(&mut self, _: &Progress) -> ControlFlow<Halt> {
        assert_eq!(self.thread, std::thread::current().id());
        self.calls += 1;
        if self.calls < self.limit { ControlFlow::Continue(()) } else { ControlFlow::Break(Halt::OutOfTime) }
    }
}

/// In a process of its own, in which no other test starts threads.
#[test]
#[ignore = "started by the test below"]
fn alone() {
    let before = threads();
    let data = table().into_dataset(Target::named("class"), Missing::Error).unwrap();
    for method in [Method::Sieve, Method::Anova, Method::LdrTskInductive, Method::ReliefF, Method::LdrTsk] {
        let selector = Selector::new(method).top(4).seed(1);
        let here = selector.fit(&data).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        assert_eq!(pool.install(|| selector.fit(&data)).unwrap().ranking, here.ranking, "{method}");
    }
    let mut counter = Counter::new(2);
    let halted = Selector::new(Method::LdrTsk).top(4).fit_with(&data, &mut counter).unwrap();
    assert_eq!((counter.calls, halted.iterations), (2, Some(2)));
    let chosen = Selector::new(Method::Mrmr).fit(&data).unwrap();
    let trainer = chosen.trainer().rules(3).set("steps", 30);
    let model = trainer.fit_with(&data, &mut Counter::new(usize::MAX)).unwrap().0;
    assert_eq!(model.predict(&table(), 1).unwrap().rows.len(), 400);
    // Threads that are ending may take a moment.
    let until = Instant::now() + Duration::from_secs(5);
    while threads() > before && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(threads(), before);
}

#[test]
fn no_thread_outlives_a_fit() {
    let test = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "pool::alone", "--ignored", "--test-threads", "1"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&test.stdout);
    assert!(test.status.success() && text.contains("1 passed"), "{text}{}", String::from_utf8_lossy(&test.stderr));
}
