//! Sums and extremes of slices in eight independent lanes: vectorised, with a fixed order of operations.

pub(super) const LANES: usize = 8;

/// Runs a loop over slices, `widest!(|| ...)`, with the widest registers of the processor. The arithmetic, and so the
/// bits of the result, are the same on all processors.
///
/// A macro, because the closure must be inlined into the code for those registers; a function would be compiled for the
/// narrow registers that all processors have. Functions that it calls should be `#[inline(always)]` for the same
/// reason.
#[macro_export]
macro_rules! widest {
    (|| $work:expr) => {
        $crate::matrix::dispatch(
            #[inline(always)]
            || $work,
        )
    };
}

/// Runs work with the widest registers of the processor, as [`widest!`] does for closures that must be inlined.
#[inline(always)]
pub fn dispatch<R>(work: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(work)
}

/// Inner product of two equally long slices.
#[inline(always)]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len(), "lengths of an inner product");
    let mut lanes = [0.0; LANES];
    add_products(&mut lanes, a, b);
    sum_lanes(&lanes)
}

/// Adds the products of two slices, lane by lane.
#[inline(always)]
pub(super) fn add_products(lanes: &mut [f64; LANES], a: &[f64], b: &[f64]) {
    let (a_chunks, b_chunks) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let (a_rest, b_rest) = (a_chunks.remainder(), b_chunks.remainder());
    for (a, b) in a_chunks.zip(b_chunks) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    for (lane, (a, b)) in lanes.iter_mut().zip(a_rest.iter().zip(b_rest)) {
        *lane += a * b;
    }
}

/// The sum of the lanes, in pairs of pairs.
#[inline(always)]
pub(super) fn sum_lanes(lanes: &[f64; LANES]) -> f64 {
    let fours = [lanes[0] + lanes[4], lanes[1] + lanes[5], lanes[2] + lanes[6], lanes[3] + lanes[7]];
    (fours[0] + fours[2]) + (fours[1] + fours[3])
}

/// Sum of all entries.
#[inline(always)]
pub(crate) fn sum(a: &[f64]) -> f64 {
    sum_lanes(&in_lanes(a, 0.0, |sum, value| sum + value))
}

/// The largest entry, or `least` where none is larger.
#[inline(always)]
pub(crate) fn largest(a: &[f64], least: f64) -> f64 {
    let larger = |most: f64, value: f64| if value > most { value } else { most };
    in_lanes(a, least, larger).into_iter().fold(least, larger)
}

/// The smallest entry, or `most` where none is smaller.
#[inline(always)]
pub(crate) fn smallest(a: &[f64], most: f64) -> f64 {
    let smaller = |least: f64, value: f64| if value < least { value } else { least };
    in_lanes(a, most, smaller).into_iter().fold(most, smaller)
}

/// Folds every eighth entry into a lane of its own.
#[inline(always)]
fn in_lanes(a: &[f64], start: f64, fold: impl Fn(f64, f64) -> f64) -> [f64; LANES] {
    let mut lanes = [start; LANES];
    let chunks = a.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for lane in 0..LANES {
            lanes[lane] = fold(lanes[lane], chunk[lane]);
        }
    }
    lanes.iter_mut().zip(rest).for_each(|(lane, &value)| *lane = fold(*lane, value));
    lanes
}

/// Sum of the squares of the sums of the entries of two equally long slices.
#[inline(always)]
pub(crate) fn sum_of_squared_sums(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (a_chunks, b_chunks) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let (a_rest, b_rest) = (a_chunks.remainder(), b_chunks.remainder());
    for (a, b) in a_chunks.zip(b_chunks) {
        for lane in 0..LANES {
            lanes[lane] += (a[lane] + b[lane]).powi(2);
        }
    }
    lanes.iter_mut().zip(a_rest.iter().zip(b_rest)).for_each(|(lane, (a, b))| *lane += (a + b).powi(2));
    sum_lanes(&lanes)
}

/// Sum of squares.
pub(crate) fn sum_of_squares(a: &[f64]) -> f64 {
    dot(a, a)
}
