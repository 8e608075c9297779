//! Seconds of `ldr-tsk` on random tables of typical shapes: `cargo bench -p rulesieve`.
//!
//! Three questions: what a fit costs on one thread and on all, and what a grid of fits saves by sharing what
//! it prepares. Compare numbers of one run only. Ratios against the NumPy reference: `benches/against_reference.py`.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rulesieve::linalg::Matrix;
use rulesieve::methods::ldr_tsk::fit::fit;
use rulesieve::methods::ldr_tsk::params::Params;
use rulesieve::methods::ldr_tsk::projection::Decomposed;
use rulesieve::methods::ldr_tsk::state::State;
use rulesieve::optim::Silent;
use std::time::Instant;

fn seconds(work: impl FnOnce()) -> f64 {
    let began = Instant::now();
    work();
    began.elapsed().as_secs_f64()
}

fn one_fit(data: &Decomposed, y: &Matrix, params: &Params) {
    let params = params.for_data(y.rows(), data.x().cols()).unwrap();
    fit(data, y, &params, State::start(y.rows(), 1, &params, 0), &mut Silent).unwrap();
}

fn on_threads(threads: usize, x: &Matrix, y: &Matrix, params: &Params) -> f64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| seconds(|| one_fit(&Decomposed::new(x).unwrap(), y, params)))
}

fn main() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!(
        "{:>6} {:>6} {:>5} {:>14} {:>14} {:>22}",
        "n",
        "m",
        "d",
        "1 thread",
        format!("{cores} threads"),
        "grid of 25, shared"
    );
    for (n, m, d) in [(569, 31, 0), (4601, 57, 0), (1560, 617, 0), (62, 2000, 0), (130, 2400, 0), (100, 20_000, 64)] {
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let x = Matrix::from_fn(n, m, |_, _| rng.random());
        let y = Matrix::from_fn(n, 1, |row, _| (row % 3) as f64 + 1.0);
        let params = Params { tolerance: 0.0, iterations: 30, d, ..Params::default() };
        let alone = on_threads(1, &x, &y, &params);
        let together = on_threads(cores, &x, &y, &params);
        let few = Params { iterations: 2, ..params.clone() };
        let separate = seconds(|| (0..25).for_each(|_| one_fit(&Decomposed::new(&x).unwrap(), &y, &few)));
        let shared = seconds(|| {
            let data = Decomposed::new(&x).unwrap();
            (0..25).for_each(|_| one_fit(&data, &y, &few));
        });
        let d = params.for_data(n, m).unwrap().d;
        println!("{n:>6} {m:>6} {d:>5} {alone:>12.4} s {together:>12.4} s {:>20.2} x", shared / separate);
    }
}
