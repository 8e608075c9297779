//! Cache of the kernel rows of two classes, computed when first needed.

use super::{Gram, Kernel};
use std::collections::VecDeque;

/// Maximum bytes of the cached rows of one pair of classes.
const MAX_BYTES: usize = 1 << 29;

/// Kernel rows of a pair of classes, in single precision as in LIBSVM.
pub(super) struct Rows<'a> {
    gram: &'a Gram,
    kernel: Kernel,
    /// The samples, as rows of the Gram matrix.
    members: &'a [usize],
    squares: Vec<f64>,
    cache: Vec<CachedRow>,
    /// Cached rows, oldest first.
    age: VecDeque<usize>,
    max_rows: usize,
    /// The active samples in their order, unless all are active in that of `members`.
    active: Option<Vec<usize>>,
    /// Number of changes of the active samples.
    changes: usize,
    scratch: Vec<f64>,
}

#[derive(Default, Clone)]
struct CachedRow {
    complete: Vec<f32>,
    /// The entries of the active samples after change number `change`.
    active: Vec<f32>,
    change: usize,
}

impl<'a> Rows<'a> {
    pub(super) fn new(gram: &'a Gram, kernel: Kernel, members: &'a [usize]) -> Self {
        let squares = members.iter().map(|&row| gram.square(row)).collect();
        let max_rows = (MAX_BYTES / (8 * members.len().max(1))).max(2);
        Self {
            gram,
            kernel,
            members,
            squares,
            cache: vec![CachedRow::default(); members.len()],
            age: VecDeque::new(),
            max_rows,
            active: None,
            changes: 0,
            scratch: Vec::new(),
        }
    }

    pub(super) fn diagonal(&self) -> Vec<f64> {
        self.members.iter().map(|&row| self.kernel.diagonal(self.gram, row)).collect()
    }

    /// Returns the number of samples.
    pub(super) fn count(&self) -> usize {
        self.members.len()
    }

    /// Sets the active samples and their order.
    pub(super) fn set_active(&mut self, samples: Vec<usize>) {
        self.active = Some(samples);
        self.changes += 1;
    }

    /// Computes a row over the active samples. The cache holds at least the last two rows.
    pub(super) fn prepare(&mut self, sample: usize) {
        self.compute(sample);
        if let Some(samples) = &self.active {
            let CachedRow { complete, active, change } = &mut self.cache[sample];
            if *change != self.changes {
                active.clear();
                active.extend(samples.iter().map(|&at| complete[at]));
                *change = self.changes;
            }
        }
    }

    /// Returns a prepared row.
    pub(super) fn get(&self, sample: usize) -> &[f32] {
        let row = &self.cache[sample];
        if self.active.is_some() { &row.active } else { &row.complete }
    }

    /// Returns a row over all samples.
    pub(super) fn complete(&mut self, sample: usize) -> &[f32] {
        self.compute(sample);
        &self.cache[sample].complete
    }

    fn compute(&mut self, sample: usize) {
        if !self.cache[sample].complete.is_empty() {
            return;
        }
        if self.age.len() >= self.max_rows
            && let Some(oldest) = self.age.pop_front()
        {
            self.cache[oldest] = CachedRow::default();
        }
        self.age.push_back(sample);
        self.scratch.resize(self.members.len(), 0.0);
        let row = self.members[sample];
        self.kernel.fill(self.gram, row, self.members, &self.squares, &mut self.scratch);
        self.cache[sample].complete = self.scratch.iter().map(|&value| value as f32).collect();
    }
}
