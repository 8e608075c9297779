//! The upper tail of the chi-squared distribution, as a logarithm: p-values of strong effects underflow otherwise.

/// Terms of a series or fraction at most; convergence takes about the square root of the degrees of freedom.
const TERMS: usize = 10_000;
const PRECISION: f64 = 1e-14;

/// Natural logarithm of the probability that a chi-squared variable with `freedom` degrees exceeds `statistic`.
pub(crate) fn log_chi_squared_tail(statistic: f64, freedom: f64) -> f64 {
    if statistic.is_nan() || statistic <= 0.0 || freedom <= 0.0 {
        return 0.0;
    }
    let (a, x) = (freedom / 2.0, statistic / 2.0);
    let log_scale = a * x.ln() - x - log_gamma(a);
    if x < a + 1.0 {
        // The lower tail by its power series; it is below about 0.6 here, so that the difference keeps its digits.
        let (mut term, mut sum, mut at) = (1.0 / a, 1.0 / a, a);
        for _ in 0..TERMS {
            at += 1.0;
            term *= x / at;
            sum += term;
            if term < sum * PRECISION {
                break;
            }
        }
        return (-(log_scale.exp() * sum).min(1.0)).ln_1p().max(f64::MIN);
    }
    // The upper tail by Legendre's continued fraction, evaluated by Lentz's method.
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (f64::MAX, 1.0 / b);
    let mut value = d;
    for term in 1..TERMS {
        let term = term as f64;
        let numerator = -term * (term - a);
        b += 2.0;
        d = 1.0 / (numerator * d + b);
        c = b + numerator / c;
        let factor = c * d;
        value *= factor;
        if (factor - 1.0).abs() < PRECISION {
            break;
        }
    }
    log_scale + value.ln()
}

/// The smallest statistic, to about one percent, whose tail has at most this logarithm.
pub(crate) fn chi_squared_quantile(log_tail: f64, freedom: f64) -> f64 {
    let (mut low, mut high) = (0.0, freedom + 1.0);
    while log_chi_squared_tail(high, freedom) > log_tail {
        low = high;
        high *= 2.0;
    }
    while high - low > 0.01 * high {
        let middle = (low + high) / 2.0;
        *(if log_chi_squared_tail(middle, freedom) > log_tail { &mut low } else { &mut high }) = middle;
    }
    high
}

/// Logarithm of the gamma function for positive arguments (Lanczos approximation with nine terms).
fn log_gamma(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 9] = [
        0.999_999_999_999_809_9,
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x < 0.5 {
        // Reflection.
        let sine = (std::f64::consts::PI * x).sin();
        return (std::f64::consts::PI / sine).ln() - log_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let base = x + 7.5;
    let terms = COEFFICIENTS.iter().enumerate().skip(1);
    let sum = COEFFICIENTS[0] + terms.map(|(at, value)| value / (x + at as f64)).sum::<f64>();
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * base.ln() - base + sum.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of scipy.stats.chi2.logsf.
    #[test]
    fn tails_agree_with_scipy() {
        let known = [
            (1.0, 1.0, -1.147_874_464_449_327_5),
            (3.841_458_820_694_124, 1.0, -2.995_732_273_553_993),
            (0.01, 3.0, -0.000_265_200_221_125_819),
            (55.0, 9.0, -18.223_508_836_034_977),
            (30.0, 40.0, -0.133_281_383_916_475_65),
        ];
        for (statistic, freedom, expected) in known {
            let found = log_chi_squared_tail(statistic, freedom);
            assert!((found - expected).abs() < 1e-9 * (1.0 + f64::abs(expected)), "{statistic} {freedom}: {found}");
        }
        assert_eq!(log_chi_squared_tail(0.0, 4.0), 0.0);
        assert_eq!(log_chi_squared_tail(-3.0, 4.0), 0.0);
    }

    #[test]
    fn quantiles_invert_tails() {
        for (log_tail, freedom) in [(-3.0, 1.0), (-40.0, 9.0), (-0.1, 75.0)] {
            let found = chi_squared_quantile(log_tail, freedom);
            assert!(log_chi_squared_tail(found, freedom) <= log_tail, "{found}");
            assert!(log_chi_squared_tail(0.98 * found, freedom) > log_tail, "{found}");
        }
    }

    /// The tail with two degrees of freedom is known in closed form.
    #[test]
    fn two_degrees_of_freedom_are_exponential() {
        for statistic in [0.001, 0.5, 1.9, 2.1, 4.0, 50.0, 1e4] {
            let found = log_chi_squared_tail(statistic, 2.0);
            assert!((found + statistic / 2.0).abs() < 1e-10 * (1.0 + statistic), "{statistic}: {found}");
        }
    }
}
