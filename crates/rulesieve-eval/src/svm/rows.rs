//! Kernel rows of the samples of two classes, computed when first needed and kept within a budget.

use super::{Gram, Kernel};
use std::collections::VecDeque;

/// Bytes of rows that are kept for one pair of classes.
const BUDGET: usize = 1 << 29;

/// Rows over the samples of a pair, in single precision as LIBSVM keeps them.
pub(super) struct Rows<'a> {
    gram: &'a Gram,
    kernel: Kernel,
    /// The samples, as rows of the Gram matrix.
    members: &'a [usize],
    squares: Vec<f64>,
    kept: Vec<Kept>,
    /// Rows that are kept, oldest first.
    age: VecDeque<usize>,
    most: usize,
    /// The samples at work, where they are not all of them, and how often they have changed.
    packing: Option<Vec<usize>>,
    changes: usize,
    scratch: Vec<f64>,
}

#[derive(Default, Clone)]
struct Kept {
    whole: Vec<f32>,
    /// The entries of the samples at work, and the change they are of.
    packed: Vec<f32>,
    change: usize,
}

impl<'a> Rows<'a> {
    pub(super) fn new(gram: &'a Gram, kernel: Kernel, members: &'a [usize]) -> Self {
        let squares = members.iter().map(|&row| gram.square(row)).collect();
        let most = (BUDGET / (8 * members.len().max(1))).max(2);
        Self {
            gram,
            kernel,
            members,
            squares,
            kept: vec![Kept::default(); members.len()],
            age: VecDeque::new(),
            most,
            packing: None,
            changes: 0,
            scratch: Vec::new(),
        }
    }

    pub(super) fn own(&self) -> Vec<f64> {
        self.members.iter().map(|&row| self.kernel.own(self.gram, row)).collect()
    }

    /// From now on rows are asked for over these samples alone; `None`: over all, in their order.
    pub(super) fn pack(&mut self, samples: Option<Vec<usize>>) {
        self.packing = samples;
        self.changes += 1;
    }

    /// Makes a row ready. The last two that were made ready stay so.
    pub(super) fn ready(&mut self, sample: usize) {
        self.compute(sample);
        if let Some(samples) = &self.packing {
            let Kept { whole, packed, change } = &mut self.kept[sample];
            if *change != self.changes {
                packed.clear();
                packed.extend(samples.iter().map(|&at| whole[at]));
                *change = self.changes;
            }
        }
    }

    /// A row that is ready.
    pub(super) fn get(&self, sample: usize) -> &[f32] {
        let kept = &self.kept[sample];
        if self.packing.is_some() { &kept.packed } else { &kept.whole }
    }

    /// A row over all samples.
    pub(super) fn whole(&mut self, sample: usize) -> &[f32] {
        self.compute(sample);
        &self.kept[sample].whole
    }

    fn compute(&mut self, sample: usize) {
        if !self.kept[sample].whole.is_empty() {
            return;
        }
        if self.age.len() >= self.most
            && let Some(oldest) = self.age.pop_front()
        {
            self.kept[oldest] = Kept::default();
        }
        self.age.push_back(sample);
        self.scratch.resize(self.members.len(), 0.0);
        let row = self.members[sample];
        self.kernel.fill(self.gram, row, self.members, &self.squares, &mut self.scratch);
        self.kept[sample].whole = self.scratch.iter().map(|&value| value as f32).collect();
    }
}
