//! Bins as bit vectors: counts of joint bins are populations of conjunctions, 64 rows at a time, as in exhaustive scans for
//! epistasis (BOOST, Wan et al. 2010).

use super::bins::Bins;
use std::ops::Range;

/// Rows sorted by class, every class from a word of its own on.
pub(super) struct BitRows {
    /// The words of every class.
    pub(super) classes: Vec<Range<usize>>,
    /// Rows of every class.
    pub(super) counts: Vec<usize>,
    /// Rows of the scan, by class, and the bit of each.
    places: Vec<(usize, usize)>,
    /// Words of one vector.
    pub(super) words: usize,
}

impl BitRows {
    /// From the class of every row; rows of no class are left out.
    pub(super) fn new(classes: &[Option<u32>], count: usize) -> Self {
        let mut own = Self { classes: Vec::new(), counts: Vec::new(), places: Vec::new(), words: 0 };
        for class in 0..count {
            let rows = (0..classes.len()).filter(|&row| classes[row] == Some(class as u32));
            let start = own.words;
            let before = own.places.len();
            own.places.extend(rows.enumerate().map(|(at, row)| (row, start * 64 + at)));
            let size = own.places.len() - before;
            own.words += size.div_ceil(64);
            own.counts.push(size);
            own.classes.push(start..own.words);
        }
        own
    }

    /// Rows of all classes.
    pub(super) fn total(&self) -> usize {
        self.places.len()
    }

    /// A bit for every row whose bin is the given one.
    pub(super) fn vector(&self, bins: &Bins, bin: u8) -> Vec<u64> {
        let mut words = vec![0_u64; self.words];
        for &(row, bit) in self.places.iter().filter(|(row, _)| bins.codes[*row] == bin) {
            debug_assert!(row < bins.codes.len());
            words[bit / 64] |= 1 << (bit % 64);
        }
        words
    }
}

/// Common bits of every vector of one column with every vector of another; the words of one place stand side by side.
#[inline(always)]
pub(super) fn common_counts<const VECTORS: usize>(a: &[u64], b: &[u64]) -> [[u32; VECTORS]; VECTORS] {
    let mut counts = [[0; VECTORS]; VECTORS];
    // Plain loops: closures may stay behind when a loop is compiled for wide registers.
    for (a, b) in a.chunks_exact(VECTORS).zip(b.chunks_exact(VECTORS)) {
        for one in 0..VECTORS {
            for other in 0..VECTORS {
                counts[one][other] += (a[one] & b[other]).count_ones();
            }
        }
    }
    counts
}

/// Bits that differ between two vectors.
#[inline(always)]
pub(super) fn different(a: &[u64], b: &[u64]) -> u32 {
    let mut count = 0;
    for (a, b) in a.iter().zip(b) {
        count += (a ^ b).count_ones();
    }
    count
}

/// Keeps the entries with the largest keys, up to a number, and drops the rest now and then.
pub(super) struct Largest<T> {
    most: usize,
    least: f64,
    entries: Vec<(f64, T)>,
}

impl<T: Copy + Ord> Largest<T> {
    pub(super) fn new(most: usize, least: f64) -> Self {
        Self { most, least, entries: Vec::new() }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, key: f64, entry: T) {
        if key > self.least {
            self.entries.push((key, entry));
            if self.entries.len() >= 2 * self.most {
                self.prune();
            }
        }
    }

    pub(super) fn append(&mut self, other: Self) {
        other.entries.into_iter().for_each(|(key, entry)| self.push(key, entry));
    }

    fn prune(&mut self) {
        self.sort();
        self.entries.truncate(self.most);
        if let (true, Some(last)) = (self.entries.len() == self.most, self.entries.last()) {
            // Equal keys may still come, and the order of entries decides among them.
            self.least = last.0.next_down();
        }
    }

    fn sort(&mut self) {
        self.entries.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    }

    /// The entries, largest first; equal ones in their own order.
    pub(super) fn into_sorted(mut self) -> Vec<(f64, T)> {
        self.sort();
        self.entries.truncate(self.most);
        self.entries
    }
}
