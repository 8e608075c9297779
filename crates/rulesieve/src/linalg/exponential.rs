//! The exponential function in vectorisable form: calling the system's function for each number costs more than all the
//! products around a softmax.

/// Smallest argument: its result is less than the smallest normal number.
const LEAST: f64 = -708.0;
const MOST: f64 = 709.0;
/// ln 2 in two parts: the first has trailing zeros, so that whole multiples of it are exact.
const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
/// 1.5 * 2^52: adding it leaves a number rounded to a whole one in the lowest bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// `e^x`, to about one unit in the last place, for x between -708 and 709; x is clamped to this range.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    let x = if x < LEAST { LEAST } else { x };
    let x = if x > MOST { MOST } else { x };
    let shifted = x * std::f64::consts::LOG2_E + ROUNDER;
    let whole = shifted - ROUNDER;
    let r = (x - whole * LN2_HIGH) - whole * LN2_LOW;
    // Taylor series on |r| <= ln 2 / 2: the truncation error is below 1e-17.
    let square = r * r;
    let low = 1.0 + r + square * (0.5 + r * (1.0 / 6.0));
    let middle = (1.0 / 24.0 + r * (1.0 / 120.0)) + square * (1.0 / 720.0 + r * (1.0 / 5040.0));
    let high = (1.0 / 40_320.0 + r * (1.0 / 362_880.0))
        + square * ((1.0 / 3_628_800.0 + r * (1.0 / 39_916_800.0)) + square * (1.0 / 479_001_600.0));
    let fourth = square * square;
    let value = low + fourth * (middle + fourth * high);
    // The whole part is added to the exponent.
    let power = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    value * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_system() {
        let worst = (-7_080_000..7_090_000)
            .step_by(37)
            .map(|at| f64::from(at) * 1e-4)
            .map(|x| (exp(x) / x.exp() - 1.0).abs())
            .fold(0.0, f64::max);
        assert!(worst < 4.5e-16, "{worst:e}");
        assert_eq!((exp(0.0), exp(-0.0)), (1.0, 1.0));
        assert!(exp(f64::NEG_INFINITY) < 1e-307 && exp(-1e300) < 1e-307 && exp(1e300).is_finite());
    }
}
