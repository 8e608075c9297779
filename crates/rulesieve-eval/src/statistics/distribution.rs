//! Tail probabilities and quantiles. The upper tails of F and t are computed directly, so that small ones are accurate; the tail of
//! the range has an absolute error of about 1e-12.

use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::beta::beta_reg;

/// Returns the probability that F with these degrees of freedom exceeds `f`.
pub(super) fn f_tail(f: f64, (above, below): (usize, usize)) -> f64 {
    let (above, below) = (above as f64, below as f64);
    if f <= 0.0 {
        return 1.0;
    }
    beta_reg(below / 2.0, above / 2.0, below / (below + above * f))
}

/// Returns the value that F exceeds with probability `alpha`.
pub(super) fn f_critical(alpha: f64, df: (usize, usize)) -> f64 {
    quantile(|f| f_tail(f, df), alpha)
}

/// Returns the two-sided tail probability of Student's t with `df` degrees of freedom.
pub(super) fn t_both_tails(t: f64, df: f64) -> f64 {
    if t.is_infinite() {
        return 0.0;
    }
    beta_reg(df / 2.0, 0.5, df / (df + t * t))
}

/// Returns the probability that a standard normal variable is below `z`.
pub(super) fn normal_below(z: f64) -> f64 {
    Normal::standard().cdf(z)
}

/// Returns the value that a standard normal variable exceeds with probability `alpha`.
pub(super) fn normal_critical(alpha: f64) -> f64 {
    -Normal::standard().inverse_cdf(alpha)
}

/// Returns the value that the range of `count` standard normal variables exceeds with probability `alpha`: the studentized range
/// with infinite degrees of freedom.
pub(super) fn range_critical(alpha: f64, count: usize) -> f64 {
    quantile(|range| range_tail(range, count), alpha)
}

/// `1 - count * integral of phi(z) (Phi(z) - Phi(z - range))^(count - 1) dz` by Simpson's rule; the integrand is smooth and
/// vanishes at both ends.
fn range_tail(range: f64, count: usize) -> f64 {
    const BOUND: f64 = 9.0;
    const STEPS: usize = 2000;
    let low = -BOUND;
    let width = (2.0 * BOUND + range) / STEPS as f64;
    let density = |z: f64| (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let integrand = |z: f64| density(z) * (normal_below(z) - normal_below(z - range)).max(0.0).powi(count as i32 - 1);
    let weight = |step: usize| match step {
        0 | STEPS => 1.0,
        _ if step % 2 == 1 => 4.0,
        _ => 2.0,
    };
    let sum: f64 = (0..=STEPS).map(|step| weight(step) * integrand(low + width * step as f64)).sum();
    1.0 - count as f64 * sum * width / 3.0
}

/// Solves `tail(x) = alpha` for a decreasing tail by bisection.
fn quantile(tail: impl Fn(f64) -> f64, alpha: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while tail(high) > alpha && high < 1e12 {
        (low, high) = (high, 2.0 * high);
    }
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if tail(middle) > alpha { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6 * expected.abs().max(1e-20), "{found} {expected}");
    }

    /// Values of the paper's comparison, computed with another program.
    #[test]
    fn quantiles_of_the_papers_comparison() {
        close(f_critical(0.05, (6, 102)), 2.188_761);
        close(f_critical(0.10, (6, 102)), 1.832_707);
        close(normal_critical(0.05 / 12.0), 2.638_257);
        close(normal_critical(0.10 / 12.0), 2.393_980);
        close(range_critical(0.05, 7) / 2.0_f64.sqrt(), 2.948_320);
        close(range_critical(0.10, 7) / 2.0_f64.sqrt(), 2.692_732);
        let p = f_tail(34.579_933, (6, 102));
        assert!((1.5e-22..1.7e-22).contains(&p), "{p:e}");
    }

    /// Values from textbook tables.
    #[test]
    fn tails_agree_with_tables() {
        assert!((t_both_tails(2.228, 10.0) - 0.05).abs() < 1e-4);
        assert!((t_both_tails(12.706, 1.0) - 0.05).abs() < 1e-4);
        assert!((normal_below(1.96) - 0.975).abs() < 1e-4);
        assert!((f_critical(0.05, (1, 10)) - 4.965).abs() < 1e-3);
        assert!((range_critical(0.05, 2) / 2.0_f64.sqrt() - 1.96).abs() < 1e-3);
    }
}
