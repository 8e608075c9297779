//! The nearest-neighbour estimator for a number and a class (Ross 2014), and the estimate from a contingency table.
//!
//! For every sample, r is the distance to its k-th nearest neighbour of the same class, and c the number of samples of
//! any class nearer than r, including itself; with n samples and N of its class, `I = psi(n) - mean psi(N) + mean psi(k)
//! - mean psi(c)`. Classes of one sample are ignored.

/// Samples by class, without classes of one sample.
pub(super) struct Classes<'a> {
    codes: &'a [u32],
    counts: Vec<usize>,
    pub(super) samples: usize,
    digamma: &'a [f64],
}

impl<'a> Classes<'a> {
    pub(super) fn new(codes: &'a [u32], classes: usize, digamma: &'a [f64]) -> Self {
        let mut counts = vec![0; classes];
        codes.iter().for_each(|&code| counts[code as usize] += 1);
        let samples = counts.iter().filter(|&&count| count > 1).sum();
        Self { codes, counts, samples, digamma }
    }

    /// With a number whose values are distinct.
    pub(super) fn with_numbers(&self, column: &[f64], k: usize) -> f64 {
        if self.samples == 0 {
            return 0.0;
        }
        let mut order: Vec<(u32, f64)> = self.codes.iter().copied().zip(column.iter().copied()).collect();
        order.retain(|(code, _)| self.counts[*code as usize] > 1);
        let mut all: Vec<f64> = order.iter().map(|(_, value)| *value).collect();
        all.sort_unstable_by(f64::total_cmp);
        order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut sum = self.samples as f64 * self.digamma[self.samples];
        for class in order.chunk_by(|a, b| a.0 == b.0) {
            let own: Vec<f64> = class.iter().map(|(_, value)| *value).collect();
            sum += self.of_class(&own, &all, k.min(own.len() - 1)) - own.len() as f64 * self.digamma[own.len()];
        }
        (sum / self.samples as f64).max(0.0)
    }

    /// The sum of `psi(k) - psi(c)` over the samples of a class; both lists ascend.
    fn of_class(&self, own: &[f64], all: &[f64], k: usize) -> f64 {
        let (mut sum, mut first) = (0.0, 0);
        for (at, &value) in own.iter().enumerate() {
            // The k + 1 consecutive neighbours that contain the sample and span the shortest distance.
            first = first.max(at.saturating_sub(k));
            while first < at && first + k + 1 < own.len() && own[first + k + 1] - value < value - own[first] {
                first += 1;
            }
            let radius = (value - own[first]).max(own[first + k] - value);
            sum += self.digamma[k] - self.digamma[nearer(all, value, radius)];
        }
        sum
    }

    /// With a category.
    pub(super) fn with_categories(&self, levels: &[u32]) -> f64 {
        let mut pairs: Vec<(u32, u32)> = levels.iter().copied().zip(self.codes.iter().copied()).collect();
        pairs.sort_unstable();
        let total = self.codes.len() as f64;
        let mut sum = 0.0;
        for level in pairs.chunk_by(|a, b| a.0 == b.0) {
            for cell in level.chunk_by(|a, b| a.1 == b.1) {
                let (both, count) = (cell.len() as f64, self.counts[cell[0].1 as usize] as f64);
                sum += both / total * (both * total / (level.len() as f64 * count)).ln();
            }
        }
        sum.max(0.0)
    }
}

/// Number of ascending values nearer to `value`, which is one of them, than `radius`; at least 1.
pub(super) fn nearer(all: &[f64], value: f64, radius: f64) -> usize {
    let beyond = all.partition_point(|other| other - value < radius);
    (beyond - all[..beyond].partition_point(|other| value - other >= radius)).max(1)
}
