//! Algorithm 2 of the paper: Q, F, P, p0 and X_hat in turn, until J settles.

use super::objective::Terms;
use super::params::{Params, Targets};
use super::projection::{Decomposed, Projection, Projector};
use super::state::State;
use super::{gradient, model};
use crate::linalg::{BLOCK, LinalgError, Matrix, Plain, product, pseudo_solve, sum_of_squared_sums, widest};
use crate::methods::FitError;
use crate::optim::{Adam, Halt, Observer, Plateau, Progress, Strip};
use rayon::prelude::*;
use std::ops::Range;

/// Firing strengths are at least this: a step of Adam may pass zero, and the barrier needs 1 / F.
const SMALLEST_FIRING: f64 = 1e-6;
/// An objective this many times above its smallest value will not come back.
const DIVERGED: f64 = 1e3;

/// What a fit leaves behind.
pub(crate) struct Outcome {
    /// Iterations done.
    pub iterations: usize,
    /// `|q^i|` for every column: the scores.
    pub row_lengths: Vec<f64>,
    /// The terms of J after every iteration, or where it was looked at if the observer did not want it.
    pub trace: Vec<Terms>,
    /// Whether J settled before the iterations ran out.
    pub converged: bool,
    /// Set when the observer ended the fit.
    pub halted: Option<Halt>,
    /// `|Q^T Q - I|_F`, unless the observer does without the objective: nobody will read either.
    pub orthogonality_gap: Option<f64>,
    /// The variables at the end.
    pub state: State,
    /// The last projection, from which tests compute Q.
    #[cfg(test)]
    pub projection: Projection,
    /// `X Q`: the samples in the space of the rules.
    pub latent: Matrix,
}

/// The targets as numbers: n x 1 class numbers from 1, or n x c indicators. `codes` are in the order of the numbers.
pub(crate) fn coded_targets(codes: &[u32], classes: usize, targets: Targets) -> Matrix {
    match targets {
        Targets::ClassNumbers | Targets::NumbersByAppearance => {
            Matrix::from_fn(codes.len(), 1, |row, _| f64::from(codes[row]) + 1.0)
        }
        Targets::OneHot => {
            Matrix::from_fn(codes.len(), classes, |row, class| f64::from(u8::from(codes[row] as usize == class)))
        }
    }
}

/// Runs Algorithm 2 from a given start.
pub(crate) fn fit(
    data: &Decomposed,
    y: &Matrix,
    params: &Params,
    start: State,
    observer: &mut dyn Observer,
) -> Result<Outcome, FitError> {
    check_start(data.x(), y, params, &start)?;
    let projector = Projector::new(data, params)?;
    let (mut run, mut looks) = (Run::new(y, params, start), Looks::new(params));
    loop {
        let projection = projector.project(&run.state.x_hat)?;
        let smooth = run.improve(&projector, &projection)?;
        let sparsity = || Ok(params.beta * projector.row_lengths(&projection)?.iter().sum::<f64>());
        let progress = looks.goes_on(smooth, sparsity, observer.wants_objective())?;
        let halted = observer.observe(&progress).break_value();
        if looks.converged || halted.is_some() || progress.iteration == params.iterations {
            return Ok(Outcome {
                iterations: progress.iteration,
                row_lengths: projector.row_lengths(&projection)?,
                trace: looks.trace,
                converged: looks.converged,
                halted,
                orthogonality_gap: observer.wants_objective().then(|| projector.orthogonality_gap(&projection)),
                state: run.state,
                latent: projector.latent(&projection),
                #[cfg(test)]
                projection,
            });
        }
    }
}

/// What has become of J. It is looked at every `window` iterations, at the first and at the last one, whoever watches: for
/// n < m `|Q|_2,1` is a good part of an iteration, and what is decided must not depend on the observer.
struct Looks<'a> {
    params: &'a Params,
    iteration: usize,
    plateau: Plateau,
    smallest: f64,
    trace: Vec<Terms>,
    converged: bool,
}

impl<'a> Looks<'a> {
    fn new(params: &'a Params) -> Self {
        let plateau = Plateau::new(params.tolerance);
        Self { params, iteration: 0, plateau, smallest: f64::INFINITY, trace: Vec::new(), converged: false }
    }

    /// Takes J after an iteration, its last term only where that is needed or wanted.
    fn goes_on(
        &mut self,
        smooth: Terms,
        sparsity: impl Fn() -> Result<f64, LinalgError>,
        wanted: bool,
    ) -> Result<Progress, FitError> {
        self.iteration += 1;
        let (iteration, limit) = (self.iteration, self.params.iterations);
        let due = iteration.is_multiple_of(self.params.window);
        let looked_at = due || iteration == 1 || iteration == limit;
        let known = looked_at || wanted;
        let terms = Terms { sparsity: if known { sparsity()? } else { 0.0 }, ..smooth };
        let objective = terms.total();
        if !objective.is_finite() || looked_at && objective > DIVERGED * self.smallest {
            return Err(FitError::Diverged { iteration, objective });
        }
        if known {
            self.trace.push(terms);
        }
        if looked_at {
            self.smallest = self.smallest.min(objective);
        }
        self.converged = due && self.plateau.settled(objective);
        Ok(Progress { iteration, limit, objective: known.then_some(objective) })
    }
}

/// A start from outside may have any shape and any numbers.
fn check_start(x: &Matrix, y: &Matrix, params: &Params, start: &State) -> Result<(), FitError> {
    let (n, d, columns) = (x.rows(), params.d, y.cols() * params.rules);
    let shapes = [(&start.x_hat, n, d), (&start.f, n, params.rules), (&start.p, d, columns), (y, n, y.cols())];
    let fits = shapes.iter().all(|(matrix, rows, cols)| (matrix.rows(), matrix.cols()) == (*rows, *cols));
    // Far beyond any sensible start, and its squares are still finite.
    let tame = |values: &[f64]| values.iter().all(|value| value.abs() < 1e100);
    let finite = shapes.iter().all(|(matrix, ..)| tame(matrix.as_slice())) && tame(&start.p0);
    let positive = start.f.as_slice().iter().all(|&value| value > 0.0);
    if d == 0 || columns == 0 || start.p0.len() != columns || !fits || !finite || !positive {
        return Err(FitError::BadStart);
    }
    Ok(())
}

/// The variables between two projections.
struct Run<'a> {
    y: &'a Matrix,
    params: &'a Params,
    state: State,
    /// `X_hat P`, kept because three steps of an iteration need it.
    slopes: Matrix,
    mu: f64,
    adam_f: Adam,
    adam_p: Adam,
    adam_x: Adam,
}

impl<'a> Run<'a> {
    fn new(y: &'a Matrix, params: &'a Params, state: State) -> Self {
        let adam = |matrix: &Matrix, rate| Adam::new(matrix.as_slice().len(), rate);
        Self {
            slopes: product(Plain(&state.x_hat), Plain(&state.p)),
            mu: params.mu,
            adam_f: adam(&state.f, params.rate_f),
            adam_p: adam(&state.p, params.rate_p),
            adam_x: adam(&state.x_hat, params.rate_x),
            y,
            params,
            state,
        }
    }

    /// One iteration after the projection; gives all of J but the last term.
    fn improve(&mut self, projector: &Projector, projection: &Projection) -> Result<Terms, LinalgError> {
        self.step_firing();
        self.step_slopes();
        self.solve_constants()?;
        let gap_squared = self.step_representation(projector, projection);
        self.mu *= self.params.mu_decay;
        let residuals = self.residuals();
        Ok(Terms::smooth(&residuals, &self.state.p, gap_squared, self.params))
    }

    fn residuals(&self) -> Matrix {
        model::residuals(&self.state.f, &model::rule_outputs(&self.slopes, &self.state.p0), self.y)
    }

    /// Eq. "upf".
    fn step_firing(&mut self) {
        let outputs = model::rule_outputs(&self.slopes, &self.state.p0);
        let f = &mut self.state.f;
        let residuals = model::residuals(f, &outputs, self.y);
        let gradient = gradient::firing(&residuals, &outputs, f, self.mu);
        self.adam_f.step(f.as_mut_slice(), gradient.as_slice());
        f.as_mut_slice().iter_mut().for_each(|value| *value = value.max(SMALLEST_FIRING));
    }

    /// Eq. "upp".
    fn step_slopes(&mut self) {
        let weighted = model::weighted_firing(&self.residuals(), &self.state.f);
        let State { x_hat, p, .. } = &mut self.state;
        let gradient = gradient::slopes(x_hat, &weighted, p, self.params);
        self.adam_p.step(p.as_mut_slice(), gradient.as_slice());
        self.slopes = product(Plain(x_hat), Plain(p));
    }

    /// Eq. "updatep0": `p0 = pinv(F) (y - rowsum((X_hat P) F))`.
    fn solve_constants(&mut self) -> Result<(), LinalgError> {
        let mut missing = model::residuals(&self.state.f, &self.slopes, self.y);
        missing.as_mut_slice().iter_mut().for_each(|value| *value = -*value);
        // Output o fills column o of the solution, which is its stretch of p0.
        self.state.p0 = pseudo_solve(&self.state.f, &missing)?.as_slice().to_vec();
        Ok(())
    }

    /// Eq. "upx", a block of rows at a time: `X Q` is used where it has just been computed, and `X_hat P` taken along. Gives
    /// `|X_hat - X Q|^2` afterwards.
    fn step_representation(&mut self, projector: &Projector, projection: &Projection) -> f64 {
        let weighted = model::weighted_firing(&self.residuals(), &self.state.f);
        let State { x_hat, p, .. } = &mut self.state;
        let (d, params) = (x_hat.cols(), self.params);
        let step = |memory: &mut Vec<f64>, mut strip: Strip| {
            let rows = strip.rows();
            memory.resize(rows.len() * (d + 1), 0.0);
            let (gradient, minus_projected) = memory.split_at_mut(rows.len());
            projector.minus_projected(projection, rows.start, minus_projected);
            let mut slopes = Matrix::zeros(rows.len(), p.cols());
            let gap_squared = widest!(|| {
                let mut gap_squared = 0.0;
                for (column, minus_projected) in minus_projected.chunks_exact(rows.len()).enumerate() {
                    let consequents = (0..p.cols()).map(|rule| p[(column, rule)]);
                    let gap = (strip.column(column), minus_projected);
                    gradient::representation(rows.clone(), &weighted, consequents.clone(), gap, params, gradient);
                    let moved = strip.step(column, gradient);
                    gap_squared += sum_of_squared_sums(moved, minus_projected);
                    for (rule, consequent) in consequents.enumerate() {
                        let sums = slopes.col_mut(rule).iter_mut().zip(moved);
                        sums.for_each(|(sum, moved)| *sum += consequent * moved);
                    }
                }
                gap_squared
            });
            (rows, slopes, gap_squared)
        };
        let strips = self.adam_x.strips(x_hat, BLOCK);
        let parts: Vec<(Range<usize>, Matrix, f64)> = strips.into_par_iter().map_init(Vec::new, step).collect();
        for (rows, slopes, _) in &parts {
            for rule in 0..slopes.cols() {
                self.slopes.col_mut(rule)[rows.clone()].copy_from_slice(slopes.col(rule));
            }
        }
        parts.iter().map(|(.., gap_squared)| gap_squared).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{Transposed, add_product};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Blocks of rows together are the step that the whole matrix would take.
    #[test]
    fn the_representation_takes_one_step_in_any_number_of_blocks() {
        for (n, m) in [(2 * BLOCK + 50, 9), (BLOCK + 20, 2 * BLOCK)] {
            let mut rng = ChaCha8Rng::seed_from_u64(5);
            let x = Matrix::from_fn(n, m, |_, _| rng.random());
            let y = Matrix::from_fn(n, 1, |_, _| rng.random_range(1.0..4.0));
            let params = Params { d: 4, alpha: 0.7, ..Params::default() };
            let data = Decomposed::new(&x).unwrap();
            let projector = Projector::new(&data, &params).unwrap();
            let mut run = Run::new(&y, &params, State::start(n, 1, &params, 3));
            let projection = projector.project(&run.state.x_hat).unwrap();
            let (q, start) = (projector.rows(&projection, 0..m), run.state.clone());

            let mut gap = start.x_hat.clone();
            add_product(&mut gap, 1.0, -1.0, Plain(&x), Plain(&q));
            let mut gradient = gap.clone();
            gradient.as_mut_slice().iter_mut().for_each(|value| *value *= 2.0 * params.alpha);
            let weighted = model::weighted_firing(&run.residuals(), &start.f);
            add_product(&mut gradient, 1.0, 2.0, Plain(&weighted), Transposed(&start.p));
            let mut moved = start.x_hat.clone();
            Adam::new(moved.as_slice().len(), params.rate_x).step(moved.as_mut_slice(), gradient.as_slice());

            let gap_squared = run.step_representation(&projector, &projection);
            let near = |a: &Matrix, b: &Matrix| {
                assert_eq!((a.rows(), a.cols()), (b.rows(), b.cols()));
                a.as_slice().iter().zip(b.as_slice()).all(|(a, b)| (a - b).abs() < 1e-9)
            };
            assert!(near(&run.state.x_hat, &moved) && !near(&moved, &start.x_hat), "{n} x {m}");
            assert!(near(&run.slopes, &product(Plain(&moved), Plain(&start.p))), "{n} x {m}");
            let mut left = moved.clone();
            add_product(&mut left, 1.0, -1.0, Plain(&x), Plain(&q));
            assert!((gap_squared / left.norm_squared() - 1.0).abs() < 1e-9, "{n} x {m}: {gap_squared}");
        }
    }
}
