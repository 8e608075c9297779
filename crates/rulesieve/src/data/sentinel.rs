//! Numbers that may stand for missing values.

use super::identifier::ENOUGH_ROWS;

/// Negative numbers that often stand for missing values.
const NEGATIVE: [f64; 7] = [-1.0, -9.0, -99.0, -999.0, -9999.0, -99_999.0, -999_999.0];
/// Positive ones.
const POSITIVE: [f64; 5] = [99.0, 999.0, 9999.0, 99_999.0, 999_999.0];
/// A positive one is this many times the next number.
const APART: f64 = 5.0;

/// The smallest or largest number of a column if it may stand for missing values: a customary one that is far from all
/// others. -1 and -9 count only in otherwise positive columns, a large number only if it repeats.
pub(super) fn sentinel(values: &[f64]) -> Option<f64> {
    let present = || values.iter().copied().filter(|value| !value.is_nan());
    if present().count() < ENOUGH_ROWS {
        return None;
    }
    let (low, high) = present().fold((f64::INFINITY, f64::NEG_INFINITY), |r, v| (r.0.min(v), r.1.max(v)));
    let (below, above) = (present().filter(|&v| v < high), present().filter(|&v| v > low));
    let (next_high, next_low) = (below.fold(f64::NEG_INFINITY, f64::max), above.fold(f64::INFINITY, f64::min));
    // Two or three values are codes.
    if next_low >= next_high {
        return None;
    }
    let is_low = NEGATIVE.contains(&low)
        && if low > -10.0 { next_low > 0.0 } else { next_low >= 0.0 || (next_low > low / 2.0 && high < -low) };
    let is_high = POSITIVE.contains(&high)
        && low >= 0.0
        && next_high * APART < high
        && present().filter(|&value| value == high).count() > 1;
    if is_low { Some(low) } else { is_high.then_some(high) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn customary_numbers_far_from_all_others() {
        let with = |value: f64, low: i32| {
            let mut values: Vec<f64> = (low..low + 30).map(f64::from).collect();
            values.extend([value; 2]);
            sentinel(&values)
        };
        for (value, low) in [(-999.0, 0), (-99.0, -40), (-1.0, 1), (-9.0, 5), (999.0, 0), (9999.0, 100)] {
            assert_eq!(with(value, low), Some(value), "{value} and numbers from {low}");
        }
        for (value, low) in [(-1.0, 0), (-9.0, -8), (-99.0, -98), (99.0, 60), (-5.0, 0), (999.0, 900), (31.0, 1)] {
            assert_eq!(with(value, low), None, "{value} and numbers from {low}");
        }
        assert_eq!(sentinel(&[-1.0, 1.0].repeat(20)), None, "codes");
    }
}
