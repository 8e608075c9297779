//! The loops of the solver over the active samples. They run in blocks for vector instructions; ties go to the last sample, as in
//! LIBSVM.

use rulesieve::matrix::widest;

/// Number of samples in a block.
const BLOCK: usize = 32;
/// Lower bound of curvatures.
const MIN_CURVATURE: f64 = 1e-12;

/// Whether coefficients can move, as terms to add to their slopes.
pub(super) struct Masks {
    /// 0 if the coefficient can increase, otherwise minus infinity.
    pub(super) up: Vec<f64>,
    /// 0 if it can decrease, otherwise plus infinity.
    pub(super) down: Vec<f64>,
}

/// The largest slope of a coefficient that can increase, and the smallest slope of one that can decrease.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extremes {
    pub(super) top: f64,
    pub(super) top_at: usize,
    pub(super) bottom: f64,
}

/// Subtracts `by.0 a + by.1 b` from the slopes and finds their extremes.
#[inline(never)]
pub(super) fn descend(slopes: &mut [f64], masks: &Masks, by: (f64, f64), a: &[f32], b: &[f32]) -> Extremes {
    let count = slopes.len();
    let (up, down, a, b) = (&masks.up[..count], &masks.down[..count], &a[..count], &b[..count]);
    widest!(|| {
        let mut found = Search::default();
        let mut start = 0;
        while start + BLOCK <= count {
            let range = start..start + BLOCK;
            let (slopes, a, b) = (&mut slopes[range.clone()], &a[range.clone()], &b[range.clone()]);
            for at in 0..BLOCK {
                slopes[at] -= f64::from(a[at]) * by.0 + f64::from(b[at]) * by.1;
            }
            found.block(slopes, &up[range.clone()], &down[range], start);
            start += BLOCK;
        }
        for at in start..count {
            slopes[at] -= f64::from(a[at]) * by.0 + f64::from(b[at]) * by.1;
        }
        found.block(&slopes[start..], &up[start..], &down[start..], start);
        found.end(slopes, up)
    })
}

/// Finds the extremes of the slopes.
pub(super) fn extremes(slopes: &[f64], masks: &Masks) -> Extremes {
    let count = slopes.len();
    let mut found = Search::default();
    for start in (0..count).step_by(BLOCK) {
        let range = start..(start + BLOCK).min(count);
        found.block(&slopes[range.clone()], &masks.up[range.clone()], &masks.down[range], start);
    }
    found.end(slopes, &masks.up)
}

struct Search {
    top: f64,
    bottom: f64,
    /// Start and length of the block with the top.
    top_block: (usize, usize),
}

impl Default for Search {
    fn default() -> Self {
        Self { top: f64::NEG_INFINITY, bottom: f64::INFINITY, top_block: (0, 0) }
    }
}

impl Search {
    #[inline(always)]
    fn block(&mut self, slopes: &[f64], up: &[f64], down: &[f64], start: usize) {
        let (mut top, mut bottom) = (f64::NEG_INFINITY, f64::INFINITY);
        for ((slope, up), down) in slopes.iter().zip(up).zip(down) {
            let (high, low) = (slope + up, slope + down);
            top = if high > top { high } else { top };
            bottom = if low < bottom { low } else { bottom };
        }
        if top >= self.top {
            (self.top, self.top_block) = (top, (start, slopes.len()));
        }
        self.bottom = self.bottom.min(bottom);
    }

    fn end(self, slopes: &[f64], up: &[f64]) -> Extremes {
        let (start, length) = self.top_block;
        let range = start..start + length;
        let last = range.rev().find(|&at| slopes[at] + up[at] == self.top).unwrap_or(start);
        Extremes { top: self.top, top_at: last, bottom: self.bottom }
    }
}

/// Returns the second sample of the working set, with the largest decrease of the objective: the largest
/// `(top - slope)^2 / curvature` among coefficients that can decrease and have slopes below the top.
#[inline(never)]
pub(super) fn partner(
    slopes: &[f64],
    masks: &Masks,
    diagonal: &[f64],
    top: f64,
    (row, top_diagonal): (&[f32], f64),
) -> Option<usize> {
    let count = slopes.len();
    let (down, diagonal, row) = (&masks.down[..count], &diagonal[..count], &row[..count]);
    widest!(|| {
        let (mut best, mut best_at) = (0.0, None);
        let mut gains = [0.0; BLOCK];
        for start in (0..count).step_by(BLOCK) {
            let range = start..(start + BLOCK).min(count);
            let gains = &mut gains[..range.len()];
            let entries =
                slopes[range.clone()].iter().zip(&down[range.clone()]).zip(&diagonal[range.clone()]).zip(&row[range]);
            let mut largest = 0.0;
            for (gain, (((slope, down), diagonal), kernel)) in gains.iter_mut().zip(entries) {
                // Minus infinity for coefficients that cannot decrease.
                let below = top - (slope + down);
                let curvature = top_diagonal + diagonal - 2.0 * f64::from(*kernel);
                let curvature = if curvature > 0.0 { curvature } else { MIN_CURVATURE };
                let value = if below > 0.0 { below * below / curvature } else { 0.0 };
                *gain = value;
                largest = if value > largest { value } else { largest };
            }
            if largest > 0.0 && largest >= best {
                best = largest;
                best_at = gains.iter().rposition(|&gain| gain == largest).map(|at| start + at);
            }
        }
        best_at
    })
}
