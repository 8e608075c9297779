//! Mini-batches of all rows: read in order, mixed in a buffer, cut.

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

/// Cells of the buffer in which rows are mixed.
const BUFFER_CELLS: usize = 1 << 22;
/// Mini-batches in it at most.
const BUFFER_BATCHES: usize = 64;

/// What is asked of a supply.
pub(super) struct Wishes {
    /// Rows of a mini-batch at most.
    pub(super) batch: usize,
    /// Share of the sample that is kept aside.
    pub(super) holdout: f64,
    /// Whether all classes count the same.
    pub(super) balanced: bool,
    pub(super) seed: u64,
    /// The first of its random streams: the split, then one a stage.
    pub(super) stream: u64,
}

/// A supply of mini-batches, the same for all restarts of a stage.
pub(super) struct Batches<'a> {
    source: &'a dyn RowSource,
    plan: &'a Plan,
    class_weights: Vec<f64>,
    batch: usize,
    /// Rows to learn from in one pass.
    rows: usize,
    learn: usize,
    /// Places of the rows that are kept aside.
    aside: HashSet<u64>,
    seed: u64,
    /// Random stream of the stage before.
    stream: u64,
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
    /// Keeps a share of the sample aside. Returns the sample with the rows to learn from first, their number, and a
    /// supply of all rows that are not kept aside.
    pub(super) fn new(surveyed: &'a Surveyed<'_>, sample: &Samples, wishes: &Wishes) -> (Samples, usize, Self) {
        let mut rng = ChaCha8Rng::seed_from_u64(wishes.seed);
        rng.set_stream(wishes.stream);
        let (order, learn) = shuffled_split(&sample.goal, sample.count(), wishes.holdout, &mut rng);
        let aside: HashSet<u64> = order[learn..].iter().map(|&at| surveyed.places[at]).collect();
        let supply = Self {
            source: surveyed.source,
            plan: &surveyed.plan,
            class_weights: surveyed.plan.aim.class_weights(wishes.balanced),
            batch: wishes.batch,
            rows: surveyed.rows - aside.len(),
            learn,
            aside,
            seed: wishes.seed,
            stream: wishes.stream,
            state: State::default(),
        };
        (sample.reordered(&order), learn, supply)
    }

    /// Rows that there are to learn from, and rows kept aside.
    pub(super) fn rows(&self) -> (usize, usize) {
        (self.rows, self.aside.len())
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

    /// Fills the buffer and mixes it. A table that fits into it is read once.
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
            self.state.buffer = Some(self.plan.aim.samples(x, &targets, &self.class_weights));
        }
        self.state.order = (0..size).collect();
        if let Some(rng) = &mut self.state.rng {
            self.state.order.shuffle(rng);
        }
        self.state.windows = windows(size, self.batch);
        Ok(())
    }

    /// Writes the next row to learn from and returns its target; after the last row comes the first.
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
            if self.aside.contains(&(self.state.before + row as u64)) || !self.plan.counts(cells, row) {
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
        self.stream += 1;
        rng.set_stream(self.stream);
        // The file is read on from where it was, so that a stage sees other rows of a long one.
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
