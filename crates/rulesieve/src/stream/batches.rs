//! Mini-batches of all rows, read in order and shuffled in a buffer.

use super::plan::{Cells, Plan};
use super::{Pieces, RowSource, StreamError, Surveyed};
use crate::linalg::Matrix;
use crate::methods::FitError;
use crate::rule_network::feed::Feed;
use crate::rule_network::restart::Restart;
use crate::rule_network::samples::{Samples, shuffled_split, windows};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::HashSet;
use std::ops::Range;

/// Maximum number of cells of the shuffle buffer.
const BUFFER_CELLS: usize = 1 << 22;
/// Maximum number of mini-batches of the buffer.
const BUFFER_BATCHES: usize = 64;

/// Options of the mini-batches.
pub(super) struct BatchOptions {
    /// Maximum number of rows of a mini-batch.
    pub(super) batch: usize,
    /// Share of the sample used as validation rows.
    pub(super) holdout: f64,
    /// Whether classes have equal weight.
    pub(super) balanced: bool,
    pub(super) seed: u64,
    /// The first of the random streams: the split, then one per stage.
    pub(super) stream: u64,
}

/// A source of mini-batches shared by all restarts of a stage.
pub(super) struct Batches<'a> {
    source: &'a dyn RowSource,
    plan: &'a Plan,
    class_weights: Vec<f64>,
    batch: usize,
    /// Training rows in one pass.
    rows: usize,
    learn: usize,
    /// Indices of the validation rows.
    validation: HashSet<u64>,
    seed: u64,
    /// Random stream of the previous stage.
    stream: u64,
    state: State<'a>,
}

/// Position in the table during a stage.
#[derive(Default)]
struct State<'a> {
    features: Vec<usize>,
    pieces: Option<Pieces<'a>>,
    piece: Option<Cells>,
    next_row: usize,
    /// Rows read in this pass, before the current piece.
    before: u64,
    rng: Option<ChaCha8Rng>,
    buffer: Option<Samples>,
    order: Vec<usize>,
    windows: Vec<Range<usize>>,
    /// Training rows found in this pass.
    found: usize,
}

impl<'a> Batches<'a> {
    /// Splits the sample. Returns it with the training rows first, their number, and a source of all rows except the
    /// validation rows.
    pub(super) fn new(surveyed: &'a Surveyed<'_>, sample: &Samples, options: &BatchOptions) -> (Samples, usize, Self) {
        let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
        rng.set_stream(options.stream);
        let (order, learn) = shuffled_split(&sample.goal, sample.count(), options.holdout, &mut rng);
        let validation: HashSet<u64> = order[learn..].iter().map(|&at| surveyed.indices[at]).collect();
        let supply = Self {
            source: &surveyed.source,
            plan: &surveyed.plan,
            class_weights: surveyed.plan.target_coding.class_weights(options.balanced),
            batch: options.batch,
            rows: surveyed.rows - validation.len(),
            learn,
            validation,
            seed: options.seed,
            stream: options.stream,
            state: State::default(),
        };
        (sample.reordered(&order), learn, supply)
    }

    /// Numbers of training rows and validation rows.
    pub(super) fn rows(&self) -> (usize, usize) {
        (self.rows, self.validation.len())
    }

    /// The next mini-batch.
    pub(super) fn next(&mut self) -> Result<Samples, StreamError> {
        if self.state.windows.is_empty() {
            self.refill()?;
        }
        match (self.state.windows.pop(), &self.state.buffer) {
            (Some(window), Some(buffer)) => Ok(buffer.reordered(&self.state.order[window])),
            _ => Err(StreamError::Changed { what: "it has no rows left".to_owned() }),
        }
    }

    /// Fills the buffer and shuffles it. A table that fits into it is read once.
    fn refill(&mut self) -> Result<(), StreamError> {
        let width = self.plan.width_of(&self.state.features);
        let most = self.batch.saturating_mul(BUFFER_BATCHES);
        let size = (BUFFER_CELLS / width.max(1)).clamp(self.batch.min(most), most).min(self.rows);
        if self.state.buffer.is_none() || size < self.rows {
            let mut x = Matrix::zeros(width, size);
            let mut targets = Vec::with_capacity(size);
            for at in 0..size {
                targets.push(self.next_row(x.col_mut(at))?);
            }
            self.state.buffer = Some(self.plan.target_coding.samples(x, &targets, &self.class_weights));
        }
        self.state.order = (0..size).collect();
        if let Some(rng) = &mut self.state.rng {
            self.state.order.shuffle(rng);
        }
        self.state.windows = windows(size, self.batch);
        Ok(())
    }

    /// Writes the next training row and returns its target; after the last row, starts over with the first.
    fn next_row(&mut self, out: &mut [f64]) -> Result<f64, StreamError> {
        loop {
            let Some(cells) = &self.state.piece else {
                self.next_piece()?;
                continue;
            };
            let row = self.state.next_row;
            if row == cells.target.len() {
                self.state.before += row as u64;
                self.state.piece = None;
                continue;
            }
            self.state.next_row += 1;
            if self.validation.contains(&(self.state.before + row as u64)) || !self.plan.counts(cells, row) {
                continue;
            }
            self.state.found += 1;
            return self.plan.write(&self.state.features, cells, row, out);
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
            // Start over with the first row, unless no row was found.
            None if self.state.found == self.rows => {
                (self.state.pieces, self.state.before, self.state.found) = (None, 0, 0);
                Ok(())
            }
            None => {
                let (found, rows) = (self.state.found, self.rows);
                Err(StreamError::Changed { what: format!("it has {found} training rows, {rows} before") })
            }
        }
    }
}

impl Feed for Batches<'_> {
    fn begin(&mut self, features: &[usize]) -> Result<(), FitError> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        self.stream += 1;
        rng.set_stream(self.stream);
        // Continue at the current position, so that a stage uses other rows of a long file.
        let State { pieces, piece, next_row, before, found, .. } = std::mem::take(&mut self.state);
        let (features, rng) = (features.to_vec(), Some(rng));
        self.state = State { features, rng, pieces, piece, next_row, before, found, ..State::default() };
        Ok(())
    }

    fn learn(&self) -> Option<usize> {
        Some(self.learn)
    }

    fn advance(&mut self, restarts: &mut [&mut Restart], steps: usize) -> Result<(), FitError> {
        for _ in 0..steps {
            let failed = |error: StreamError| FitError::Rows { message: error.to_string(), remedy: error.remedy() };
            let batch = self.next().map_err(failed)?;
            restarts.par_iter_mut().for_each(|restart| restart.advance_on(&batch));
        }
        Ok(())
    }
}
