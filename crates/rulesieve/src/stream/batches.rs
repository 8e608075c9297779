//! Mini-batches of all rows: read in order, mixed in a buffer, cut.

use super::plan::{Cells, Plan, changed};
use super::{FIRST_STREAM, Pieces, RowSource, StreamError};
use crate::linalg::Matrix;
use crate::methods::FitError;
use crate::methods::inductive::loss::Goal;
use crate::methods::inductive::params::Params;
use crate::methods::inductive::samples::{Samples, windows};
use crate::methods::inductive::search::Feed;
use crate::methods::inductive::train::Start;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::HashSet;
use std::ops::Range;

/// Cells of the buffer in which rows are mixed.
const BUFFER_CELLS: usize = 1 << 22;
/// Mini-batches in it at most.
const BUFFER_BATCHES: usize = 64;

/// A supply of mini-batches, the same for all starts of a stage.
pub(super) struct Batches<'a> {
    source: &'a dyn RowSource,
    plan: &'a Plan,
    weights: &'a [f64],
    batch: usize,
    /// Rows to learn from in one pass.
    rows: usize,
    learn: usize,
    /// Places of the rows that are kept aside.
    aside: HashSet<u64>,
    seed: u64,
    stage: u64,
    state: State<'a>,
}

/// Where the supply of a stage stands.
#[derive(Default)]
struct State<'a> {
    features: Vec<usize>,
    pieces: Option<Pieces<'a>>,
    piece: Option<Cells>,
    next_row: usize,
    /// Rows of the table passed so far in this pass, before the piece at hand.
    before: u64,
    rng: Option<ChaCha8Rng>,
    buffer: Option<Samples>,
    order: Vec<usize>,
    windows: Vec<Range<usize>>,
    /// Rows found in this pass.
    found: usize,
}

impl<'a> Batches<'a> {
    #[allow(clippy::too_many_arguments, reason = "made in one place")]
    pub(super) fn new(
        source: &'a dyn RowSource,
        plan: &'a Plan,
        weights: &'a [f64],
        params: &Params,
        rows: usize,
        learn: usize,
        aside: HashSet<u64>,
        seed: u64,
    ) -> Self {
        let rows = rows - aside.len();
        let state = State::default();
        Self { source, plan, weights, batch: params.batch, rows, learn, aside, seed, stage: 0, state }
    }

    /// The next mini-batch.
    fn next(&mut self) -> Result<Samples, StreamError> {
        if self.state.windows.is_empty() {
            self.refill()?;
        }
        match (self.state.windows.pop(), &self.state.buffer) {
            (Some(window), Some(buffer)) => Ok(buffer.reordered(&self.state.order[window])),
            _ => Err(StreamError::Changed { what: "it has no rows left".to_owned() }),
        }
    }

    /// Fills the buffer and mixes it. A table that fits into it is read once.
    fn refill(&mut self) -> Result<(), StreamError> {
        let width = self.plan.width_of(&self.state.features);
        let most = self.batch.saturating_mul(BUFFER_BATCHES);
        let size = (BUFFER_CELLS / width.max(1)).clamp(self.batch.min(most), most).min(self.rows);
        if self.state.buffer.is_none() || size < self.rows {
            let mut x = Matrix::zeros(width, size);
            let mut codes = Vec::with_capacity(size);
            for at in 0..size {
                codes.push(self.next_row(x.col_mut(at))?);
            }
            let weights = codes.iter().map(|&code| self.weights[code as usize]).collect();
            let goal = Goal::Classes { codes, count: self.plan.classes() };
            self.state.buffer = Some(Samples { x, goal, weights });
        }
        self.state.order = (0..size).collect();
        if let Some(rng) = &mut self.state.rng {
            self.state.order.shuffle(rng);
        }
        self.state.windows = windows(size, self.batch);
        Ok(())
    }

    /// Writes the next row to learn from and returns its class; after the last row comes the first.
    fn next_row(&mut self, out: &mut [f64]) -> Result<u32, StreamError> {
        loop {
            let Some(cells) = &self.state.piece else {
                self.next_piece()?;
                continue;
            };
            let row = self.state.next_row;
            if row == cells.classes.len() {
                self.state.before += row as u64;
                self.state.piece = None;
                continue;
            }
            self.state.next_row += 1;
            if self.aside.contains(&(self.state.before + row as u64)) || !self.plan.counts(cells, row) {
                continue;
            }
            let class = cells.classes[row];
            if class as usize >= self.plan.classes() {
                return Err(changed("the target"));
            }
            self.plan.write(&self.state.features, cells, row, out);
            self.state.found += 1;
            return Ok(class);
        }
    }

    fn next_piece(&mut self) -> Result<(), StreamError> {
        let source = self.source;
        let pieces = match &mut self.state.pieces {
            Some(pieces) => pieces,
            None => self.state.pieces.insert(source.pieces(&self.plan.texts).map_err(StreamError::Source)?),
        };
        match pieces.next() {
            Some(piece) => {
                self.state.piece = Some(self.plan.cells(piece.map_err(StreamError::Source)?)?);
                self.state.next_row = 0;
                Ok(())
            }
            // From the first row again, unless there was none.
            None if self.state.found == self.rows => {
                (self.state.pieces, self.state.before, self.state.found) = (None, 0, 0);
                Ok(())
            }
            None => {
                let (found, rows) = (self.state.found, self.rows);
                Err(StreamError::Changed { what: format!("it has {found} rows to learn from where it had {rows}") })
            }
        }
    }
}

impl Feed for Batches<'_> {
    fn begin(&mut self, features: &[usize]) -> Result<(), FitError> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        self.stage += 1;
        rng.set_stream(FIRST_STREAM + 1 + self.stage);
        self.state = State { features: features.to_vec(), rng: Some(rng), ..State::default() };
        Ok(())
    }

    fn learn(&self) -> Option<usize> {
        Some(self.learn)
    }

    fn advance(&mut self, starts: &mut [Start], steps: usize) -> Result<(), FitError> {
        for _ in 0..steps {
            let batch = self.next().map_err(|error| FitError::Rows { message: error.to_string() })?;
            starts.par_iter_mut().filter(|start| !start.finished()).for_each(|start| start.advance_on(&batch));
        }
        Ok(())
    }
}
