//! Several classes: an SVM for every pair of them, and their votes.

use super::rows::Rows;
use super::solver::{Problem, Solution, solve};
use super::{Gamma, Gram, Kernel};
use rayon::prelude::*;
use rulesieve::linalg::dot;

/// Options of training.
#[derive(Debug, Clone, PartialEq)]
pub struct SvmOptions {
    /// The kernel.
    pub kernel: Kernel,
    /// The cost C of a sample on the wrong side.
    pub c: f64,
    /// Factors of C, one for each class; all 1 where absent.
    pub weights: Option<Vec<f64>>,
    /// Tolerance of the optimality conditions.
    pub tolerance: f64,
    /// Whether to use shrinking.
    pub shrinking: bool,
}

impl SvmOptions {
    /// RBF kernel, as scikit-learn has it by default.
    pub fn rbf(c: f64, gamma: Gamma, gram: &Gram, rows: &[usize]) -> Self {
        Self::new(Kernel::Rbf { gamma: gamma.number(gram, rows) }, c)
    }

    /// Linear kernel.
    pub fn linear(c: f64) -> Self {
        Self::new(Kernel::Linear, c)
    }

    fn new(kernel: Kernel, c: f64) -> Self {
        Self { kernel, c, weights: None, tolerance: 1e-3, shrinking: true }
    }
}

/// A trained SVM. It refers to training samples by their rows in the Gram matrix.
#[derive(Debug, Clone)]
pub struct Svc {
    kernel: Kernel,
    classes: usize,
    /// Rows of all samples that some pair needs.
    support: Vec<usize>,
    pairs: Vec<Pair>,
    /// Whether every pair met the tolerance.
    pub converged: bool,
}

/// One class (votes where the sum is positive) against another.
#[derive(Debug, Clone)]
struct Pair {
    classes: (usize, usize),
    /// Where in the support its samples are.
    places: Vec<usize>,
    coefficients: Vec<f64>,
    offset: f64,
}

impl Svc {
    /// Trains on some rows; `codes` are the classes of all rows of the Gram matrix.
    pub fn fit(gram: &Gram, rows: &[usize], codes: &[u32], classes: usize, options: &SvmOptions) -> Self {
        Self::fit_watched(gram, rows, (codes, classes), options, &|| false)
    }

    /// As [`Svc::fit`], but ends early, not converged, when `ends` returns true.
    pub fn fit_watched(
        gram: &Gram,
        rows: &[usize],
        (codes, classes): (&[u32], usize),
        options: &SvmOptions,
        ends: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let members: Vec<Vec<usize>> = (0..classes)
            .map(|class| rows.iter().copied().filter(|&row| codes[row] as usize == class).collect())
            .collect();
        // Classes without training rows take no part.
        let present: Vec<usize> = (0..classes).filter(|&class| !members[class].is_empty()).collect();
        let pairs: Vec<(usize, usize)> =
            present.iter().enumerate().flat_map(|(at, &a)| present[at + 1..].iter().map(move |&b| (a, b))).collect();
        let solved: Vec<(Vec<usize>, Solution)> = pairs
            .par_iter()
            .map(|&(a, b)| {
                let both = [members[a].as_slice(), members[b].as_slice()].concat();
                let solution = solve(problem(gram, &both, members[a].len(), (a, b), options), ends);
                (both, solution)
            })
            .collect();
        let mut machine = Self {
            kernel: options.kernel,
            classes,
            support: Vec::new(),
            pairs: Vec::with_capacity(pairs.len()),
            converged: solved.iter().all(|(_, solution)| solution.converged),
        };
        let mut place_of = vec![usize::MAX; gram.rows()];
        for (classes, (both, solution)) in pairs.into_iter().zip(solved) {
            machine.add(classes, &both, &solution, &mut place_of);
        }
        // A single class is always predicted.
        if let ([only], true) = (present.as_slice(), machine.pairs.is_empty()) {
            machine.pairs.push(Pair {
                classes: (*only, *only),
                places: Vec::new(),
                coefficients: Vec::new(),
                offset: 1.0,
            });
        }
        machine
    }

    fn add(&mut self, classes: (usize, usize), both: &[usize], solution: &Solution, place_of: &mut [usize]) {
        let needed = both.iter().zip(&solution.coefficients).filter(|(_, coefficient)| **coefficient != 0.0);
        let (mut places, mut coefficients) = (Vec::new(), Vec::new());
        for (&row, &coefficient) in needed {
            if place_of[row] == usize::MAX {
                place_of[row] = self.support.len();
                self.support.push(row);
            }
            places.push(place_of[row]);
            coefficients.push(coefficient);
        }
        self.pairs.push(Pair { classes, places, coefficients, offset: solution.offset });
    }

    /// The classes of some rows of the same Gram matrix.
    pub fn predict(&self, gram: &Gram, rows: &[usize]) -> Vec<u32> {
        let squares: Vec<f64> = self.support.iter().map(|&row| gram.square(row)).collect();
        let answer = |(likeness, picked, votes): &mut (Vec<f64>, Vec<f64>, Vec<u32>), &row: &usize| {
            likeness.resize(self.support.len(), 0.0);
            self.kernel.fill(gram, row, &self.support, &squares, likeness);
            votes.clear();
            votes.resize(self.classes, 0);
            for pair in &self.pairs {
                picked.clear();
                picked.extend(pair.places.iter().map(|&place| likeness[place]));
                let sum = dot(picked, &pair.coefficients) + pair.offset;
                votes[if sum > 0.0 { pair.classes.0 } else { pair.classes.1 }] += 1;
            }
            first_of_most(votes)
        };
        rows.par_iter().map_init(Default::default, answer).collect()
    }
}

/// The class with most votes; ties go to the first.
pub(crate) fn first_of_most(votes: &[u32]) -> u32 {
    let most = votes.iter().copied().max().unwrap_or(0);
    votes.iter().position(|&count| count == most).unwrap_or(0) as u32
}

fn problem<'a>(
    gram: &'a Gram,
    both: &'a [usize],
    first: usize,
    (a, b): (usize, usize),
    options: &SvmOptions,
) -> Problem<'a> {
    let cost = |class: usize| options.c * options.weights.as_ref().map_or(1.0, |weights| weights[class]);
    let pick = |at: usize, of: (f64, f64)| if at < first { of.0 } else { of.1 };
    Problem {
        rows: Rows::new(gram, options.kernel, both),
        signs: (0..both.len()).map(|at| pick(at, (1.0, -1.0))).collect(),
        costs: (0..both.len()).map(|at| pick(at, (cost(a), cost(b)))).collect(),
        tolerance: options.tolerance,
        shrinking: options.shrinking,
    }
}
