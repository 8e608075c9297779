//! The loops of the solver over all samples at work. They run in blocks, so that the processor takes several samples at a
//! time; among equal candidates the last one counts, as in LIBSVM.

use rulesieve::linalg::widest;

/// Samples of a block.
const BLOCK: usize = 32;
/// Curvatures are at least this.
const FLATTEST: f64 = 1e-12;

/// The state of the samples, each slice in the same order.
pub(super) struct Gates {
    /// 0 where a coefficient may grow, else minus infinity.
    pub(super) up: Vec<f64>,
    /// 0 where it may fall, else plus infinity.
    pub(super) down: Vec<f64>,
}

/// Who would gain most by growing, and how little by falling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extremes {
    pub(super) top: f64,
    pub(super) top_at: usize,
    pub(super) bottom: f64,
}

/// Takes `step (a - b)` off the slopes and finds their extremes.
#[inline(never)]
pub(super) fn descend(slopes: &mut [f64], gates: &Gates, step: f64, a: &[f32], b: &[f32]) -> Extremes {
    let count = slopes.len();
    let (up, down, a, b) = (&gates.up[..count], &gates.down[..count], &a[..count], &b[..count]);
    widest!(|| {
        let mut found = Search::default();
        let mut start = 0;
        while start + BLOCK <= count {
            let range = start..start + BLOCK;
            let (slopes, a, b) = (&mut slopes[range.clone()], &a[range.clone()], &b[range.clone()]);
            for at in 0..BLOCK {
                slopes[at] -= step * (f64::from(a[at]) - f64::from(b[at]));
            }
            found.block(slopes, &up[range.clone()], &down[range], start);
            start += BLOCK;
        }
        for at in start..count {
            slopes[at] -= step * (f64::from(a[at]) - f64::from(b[at]));
        }
        found.block(&slopes[start..], &up[start..], &down[start..], start);
        found.end(slopes, up)
    })
}

/// The extremes of the slopes.
pub(super) fn extremes(slopes: &[f64], gates: &Gates) -> Extremes {
    let count = slopes.len();
    let mut found = Search::default();
    for start in (0..count).step_by(BLOCK) {
        let range = start..(start + BLOCK).min(count);
        found.block(&slopes[range.clone()], &gates.up[range.clone()], &gates.down[range], start);
    }
    found.end(slopes, &gates.up)
}

struct Search {
    top: f64,
    bottom: f64,
    /// Start and length of the block of the top.
    place: (usize, usize),
}

impl Default for Search {
    fn default() -> Self {
        Self { top: f64::NEG_INFINITY, bottom: f64::INFINITY, place: (0, 0) }
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
            (self.top, self.place) = (top, (start, slopes.len()));
        }
        self.bottom = self.bottom.min(bottom);
    }

    fn end(self, slopes: &[f64], up: &[f64]) -> Extremes {
        let (start, length) = self.place;
        let range = start..start + length;
        let last = range.rev().find(|&at| slopes[at] + up[at] == self.top).unwrap_or(start);
        Extremes { top: self.top, top_at: last, bottom: self.bottom }
    }
}

/// The partner with which the objective falls most: largest `(top - slope)^2 / curvature` among those that may fall and lie
/// below the top.
#[inline(never)]
pub(super) fn partner(
    slopes: &[f64],
    gates: &Gates,
    own: &[f64],
    top: f64,
    (row, top_own): (&[f32], f64),
) -> Option<usize> {
    let count = slopes.len();
    let (down, own, row) = (&gates.down[..count], &own[..count], &row[..count]);
    widest!(|| {
        let (mut best, mut place) = (0.0, None);
        let mut gains = [0.0; BLOCK];
        for start in (0..count).step_by(BLOCK) {
            let range = start..(start + BLOCK).min(count);
            let gains = &mut gains[..range.len()];
            let entries =
                slopes[range.clone()].iter().zip(&down[range.clone()]).zip(&own[range.clone()]).zip(&row[range]);
            let mut most = 0.0;
            for (gain, (((slope, down), own), likeness)) in gains.iter_mut().zip(entries) {
                // Minus infinity for those that may not fall.
                let below = top - (slope + down);
                let curvature = top_own + own - 2.0 * f64::from(*likeness);
                let curvature = if curvature > 0.0 { curvature } else { FLATTEST };
                let value = if below > 0.0 { below * below / curvature } else { 0.0 };
                *gain = value;
                most = if value > most { value } else { most };
            }
            if most > 0.0 && most >= best {
                best = most;
                place = gains.iter().rposition(|&gain| gain == most).map(|at| start + at);
            }
        }
        place
    })
}
