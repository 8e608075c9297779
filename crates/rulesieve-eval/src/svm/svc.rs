//! Several classes: an SVM for each pair of classes, combined by votes.

use super::rows::Rows;
use super::solver::{Problem, Solution, solve};
use super::{Gamma, Gram, Kernel};
use rayon::prelude::*;
use rulesieve::matrix::{Matrix, dot};

/// Options of training.
#[derive(Debug, Clone, PartialEq)]
pub struct SvmOptions {
    /// The kernel.
    pub kernel: Kernel,
    /// The cost C of margin violations.
    pub c: f64,
    /// Factors of C by class; 1 if absent.
    pub weights: Option<Vec<f64>>,
    /// Tolerance of the optimality conditions.
    pub tolerance: f64,
    /// Whether to use shrinking.
    pub shrinking: bool,
    /// Maximum number of iterations for each pair of classes; none if absent. The result is that of scikit-learn with the same limit.
    pub max_iter: Option<usize>,
}

impl SvmOptions {
    /// Creates options with an RBF kernel and the defaults of scikit-learn.
    pub fn rbf(c: f64, gamma: Gamma, gram: &Gram, rows: &[usize]) -> Self {
        Self::new(Kernel::Rbf { gamma: gamma.number(gram, rows) }, c)
    }

    /// Creates options with a linear kernel.
    pub fn linear(c: f64) -> Self {
        Self::new(Kernel::Linear, c)
    }

    fn new(kernel: Kernel, c: f64) -> Self {
        Self { kernel, c, weights: None, tolerance: 1e-3, shrinking: true, max_iter: None }
    }
}

/// A trained SVM, which refers to samples by their rows in the Gram matrix.
#[derive(Debug, Clone)]
pub struct Svc {
    kernel: Kernel,
    classes: usize,
    /// Rows of the support vectors of all pairs.
    support: Vec<usize>,
    pairs: Vec<Pair>,
    /// Whether all pairs met the tolerance.
    pub converged: bool,
}

/// The SVM of two classes; a positive decision value votes for the first.
#[derive(Debug, Clone)]
struct Pair {
    classes: (usize, usize),
    /// Indices of its samples in the support.
    indices: Vec<usize>,
    coefficients: Vec<f64>,
    offset: f64,
}

impl Svc {
    /// Trains on `rows`; `codes` are the classes of all rows of the Gram matrix.
    pub fn fit(gram: &Gram, rows: &[usize], codes: &[u32], classes: usize, options: &SvmOptions) -> Self {
        Self::fit_watched(gram, rows, (codes, classes), options, &|| false)
    }

    /// Trains as [`Svc::fit`], but ends early without convergence when `stop` returns true.
    pub fn fit_watched(
        gram: &Gram,
        rows: &[usize],
        (codes, classes): (&[u32], usize),
        options: &SvmOptions,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let members: Vec<Vec<usize>> = (0..classes)
            .map(|class| rows.iter().copied().filter(|&row| codes[row] as usize == class).collect())
            .collect();
        // Classes without training rows are never predicted.
        let present: Vec<usize> = (0..classes).filter(|&class| !members[class].is_empty()).collect();
        let pairs: Vec<(usize, usize)> =
            present.iter().enumerate().flat_map(|(at, &a)| present[at + 1..].iter().map(move |&b| (a, b))).collect();
        let solved: Vec<(Vec<usize>, Solution)> = pairs
            .par_iter()
            .map(|&(a, b)| {
                let both = [members[a].as_slice(), members[b].as_slice()].concat();
                let solution = solve(problem(gram, &both, members[a].len(), (a, b), options), stop);
                (both, solution)
            })
            .collect();
        let mut svc = Self {
            kernel: options.kernel,
            classes,
            support: Vec::new(),
            pairs: Vec::with_capacity(pairs.len()),
            converged: solved.iter().all(|(_, solution)| solution.converged),
        };
        let mut index_of = vec![usize::MAX; gram.rows()];
        for (classes, (both, solution)) in pairs.into_iter().zip(solved) {
            svc.add(classes, &both, &solution, &mut index_of);
        }
        // A single class is always predicted.
        if let ([only], true) = (present.as_slice(), svc.pairs.is_empty()) {
            let classes = (*only, *only);
            svc.pairs.push(Pair { classes, indices: Vec::new(), coefficients: Vec::new(), offset: 1.0 });
        }
        svc
    }

    fn add(&mut self, classes: (usize, usize), both: &[usize], solution: &Solution, index_of: &mut [usize]) {
        let support = both.iter().zip(&solution.coefficients).filter(|(_, coefficient)| **coefficient != 0.0);
        let (mut indices, mut coefficients) = (Vec::new(), Vec::new());
        for (&row, &coefficient) in support {
            if index_of[row] == usize::MAX {
                index_of[row] = self.support.len();
                self.support.push(row);
            }
            indices.push(index_of[row]);
            coefficients.push(coefficient);
        }
        self.pairs.push(Pair { classes, indices, coefficients, offset: solution.offset });
    }

    /// Predicts the classes of rows of the same Gram matrix.
    pub fn predict(&self, gram: &Gram, rows: &[usize]) -> Vec<u32> {
        self.predict_scored(gram, rows).0
    }

    /// Predicts as [`Svc::predict`], and returns a score of every class (rows x classes): for two classes the decision value, else the
    /// votes with the sum of decision values between them, as scikit-learn's `decision_function`.
    pub fn predict_scored(&self, gram: &Gram, rows: &[usize]) -> (Vec<u32>, Matrix) {
        let squares: Vec<f64> = self.support.iter().map(|&row| gram.square(row)).collect();
        let predict = |(kernels, of_pair, votes): &mut (Vec<f64>, Vec<f64>, Vec<u32>), &row: &usize| {
            let mut sums = vec![0.0; self.classes];
            kernels.resize(self.support.len(), 0.0);
            self.kernel.fill(gram, row, &self.support, &squares, kernels);
            votes.clear();
            votes.resize(self.classes, 0);
            for pair in &self.pairs {
                of_pair.clear();
                of_pair.extend(pair.indices.iter().map(|&index| kernels[index]));
                let sum = dot(of_pair, &pair.coefficients) + pair.offset;
                votes[if sum > 0.0 { pair.classes.0 } else { pair.classes.1 }] += 1;
                sums[pair.classes.0] += sum;
                sums[pair.classes.1] -= sum;
            }
            if self.classes > 2 {
                let scores = sums.iter_mut().zip(votes.iter());
                // A sum moves the score by less than a third of a vote.
                scores.for_each(|(sum, &votes)| *sum = f64::from(votes) + *sum / (3.0 * (sum.abs() + 1.0)));
            }
            (first_of_most(votes), sums)
        };
        let (predicted, scores): (Vec<u32>, Vec<Vec<f64>>) =
            rows.par_iter().map_init(Default::default, predict).unzip();
        (predicted, Matrix::from_fn(rows.len(), self.classes, |row, class| scores[row][class]))
    }
}

/// Returns the class with most votes; ties go to the first.
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
        max_iter: options.max_iter,
    }
}
