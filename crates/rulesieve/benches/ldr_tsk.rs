//! Seconds of `ldr-tsk` on random tables of typical shapes: `cargo bench -p rulesieve`.
//!
//! Three questions: what a fit costs on one thread and on all, and what a grid of fits saves by sharing what
//! `Method::prepare` computes. Compare numbers of one run only. Ratios against the NumPy reference:
//! `benches/against_reference.py`.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rulesieve::data::{Column, Dataset, DatasetOptions, Encoder, Table, Target};
use rulesieve::methods::settings::Settings;
use rulesieve::methods::{Method, Prepared, Problem};
use rulesieve::optim::Silent;
use std::time::Instant;

fn seconds(work: impl FnOnce()) -> f64 {
    let began = Instant::now();
    work();
    began.elapsed().as_secs_f64()
}

/// Random columns, and three classes.
fn random_table(n: usize, m: usize) -> Dataset {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut column = |at| Column::numeric(format!("x{at}"), (0..n).map(|_| rng.random()).collect());
    let mut columns: Vec<Column> = (0..m).map(&mut column).collect();
    columns.push(Column::text("y", (0..n).map(|row| ["a", "b", "c"][row % 3])));
    Dataset::new(Table::new(columns).unwrap(), &DatasetOptions::new(Target::named("y"))).unwrap()
}

fn settings(iterations: usize, d: &str) -> Settings {
    let set = [("tolerance", "0"), ("iterations", &iterations.to_string()), ("d", d)];
    Method::LdrTsk.settings(&set.map(|(name, value)| (name.to_owned(), value.to_owned()))).unwrap()
}

fn main() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let all = format!("{cores} threads");
    println!("{:>6} {:>6} {:>5} {:>14} {all:>14} {:>22}", "n", "m", "d", "1 thread", "grid of 25, shared");
    for (n, m, d) in [
        (569, 31, "auto"),
        (4601, 57, "auto"),
        (1560, 617, "auto"),
        (62, 2000, "auto"),
        (130, 2400, "auto"),
        (100, 20_000, "64"),
    ] {
        let data = random_table(n, m);
        let rows: Vec<usize> = (0..n).collect();
        let design = Encoder::fit(&data, &rows, data.coding).unwrap().transform(&data, &rows).unwrap();
        let names: Vec<&str> = data.features.iter().map(|feature| feature.name.as_str()).collect();
        let problem = Problem { design: &design, names: &names, target: &data.target, weights: None };
        let prepare = || Method::LdrTsk.prepare(problem).unwrap();
        let fit = |prepared: &dyn Prepared, settings: &Settings| {
            prepared.fit(settings, 0, &mut Silent).unwrap();
        };

        let whole = settings(30, d);
        let on_threads = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| seconds(|| fit(&*prepare(), &whole)))
        };
        let (alone, together) = (on_threads(1), on_threads(cores));
        let few = settings(2, d);
        let separate = seconds(|| (0..25).for_each(|_| fit(&*prepare(), &few)));
        let shared = seconds(|| {
            let prepared = prepare();
            (0..25).for_each(|_| fit(&*prepared, &few));
        });
        println!("{n:>6} {m:>6} {d:>5} {alone:>12.4} s {together:>12.4} s {:>20.2} x", shared / separate);
    }
}
