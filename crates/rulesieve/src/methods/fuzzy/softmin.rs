//! Smooth minima of the memberships of a sample in a rule. The index q depends on the memberships and is treated as a
//! constant in derivatives.

use crate::linalg::{exp, largest, smallest, sum};

/// The largest exponent of ALE-softmin.
const ALE_REACH: f64 = 700.0;
/// Exponents below this contribute nothing; they are clamped before products underflow.
const LEAST_EXPONENT: f64 = -300.0;
/// The least index of Ada-softmin, and its largest exponent.
const ADA_LEAST: f64 = -1000.0;
const ADA_REACH: f64 = 690.0;
/// The index of Ref-softmin.
const REF_INDEX: f64 = -12.0;

/// q of ALE-softmin: `-700 / max`.
#[inline(always)]
pub(crate) fn ale_index(memberships: &[f64]) -> f64 {
    -ALE_REACH / largest(memberships, f64::MIN_POSITIVE)
}

/// ALE-softmin, `(1/q) ln sum exp(q mu)`, and its derivatives with respect to the memberships.
///
/// The least membership is factored out, so that no exponent is positive. The result is between that membership and
/// `ln(D) / -q` below it, so it may be negative.
#[inline(always)]
pub(crate) fn ale(memberships: &[f64], q: f64, derivatives: &mut [f64]) -> f64 {
    let least = smallest(memberships, f64::INFINITY);
    derivatives
        .iter_mut()
        .zip(memberships)
        .for_each(|(out, value)| *out = exp((q * (value - least)).max(LEAST_EXPONENT)));
    let sum = sum(derivatives);
    let share = 1.0 / sum;
    derivatives.iter_mut().for_each(|value| *value *= share);
    least + sum.ln() / q
}

/// q of Ada-softmin: `ceil(690 / ln(min mu))`, at least -1000, for `-ln(min mu)`. For memberships below e^-690 it
/// would be zero; -1 is the largest index of a minimum.
#[inline(always)]
pub(crate) fn ada_index(farthest: f64) -> f64 {
    let q = if farthest > 0.0 { (-ADA_REACH / farthest).ceil() } else { ADA_LEAST };
    q.clamp(ADA_LEAST, -1.0)
}

/// The logarithm of Ada-softmin, `(mean mu^q)^(1/q)`, for `distances = -ln mu`, and the derivatives of that with respect to
/// `ln mu`.
#[inline(always)]
pub(crate) fn ada(distances: &[f64], q: f64, derivatives: &mut [f64]) -> f64 {
    let farthest = largest(distances, 0.0);
    derivatives
        .iter_mut()
        .zip(distances)
        .for_each(|(out, value)| *out = exp((q * (farthest - value)).max(LEAST_EXPONENT)));
    let sum = sum(derivatives);
    let share = 1.0 / sum;
    derivatives.iter_mut().for_each(|value| *value *= share);
    (sum / distances.len().max(1) as f64).ln() / q - farthest
}

/// The logarithm of Ref-softmin, `mu_min (mean (mu / mu_min)^q)^(1/q)` with q = -12, for `distances = -ln mu`.
pub(crate) fn refined(distances: &[f64]) -> f64 {
    let farthest = largest(distances, 0.0);
    let sum: f64 = distances.iter().map(|value| exp(REF_INDEX * (farthest - value))).sum();
    (sum / distances.len().max(1) as f64).ln() / REF_INDEX - farthest
}
