//! Sums over slices in eight independent lanes: fast, and in an order that is always the same.

pub(super) const LANES: usize = 8;

/// Runs a loop over slices with the widest registers that the processor at hand has. The arithmetic, and so the bits
/// of the result, are the same on all of them.
#[inline(always)]
pub fn widest<R>(work: impl FnOnce() -> R) -> R {
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

/// The lanes as one number, in pairs of pairs: three additions deep instead of eight.
#[inline(always)]
pub(super) fn sum_lanes(lanes: &[f64; LANES]) -> f64 {
    let fours = [lanes[0] + lanes[4], lanes[1] + lanes[5], lanes[2] + lanes[6], lanes[3] + lanes[7]];
    (fours[0] + fours[2]) + (fours[1] + fours[3])
}

/// Sum of squares.
pub fn sum_of_squares(a: &[f64]) -> f64 {
    dot(a, a)
}
