//! The first test function of Friedman (1991), a regression problem.
//!
//! y = 10 sin(pi x1 x2) + 20 (x3 - 0.5)^2 + 10 x4 + 5 x5 + e with e from N(0, 1) and all columns uniform on [0, 1);
//! those after x5 are noise. x1 and x2 interact, x3 has no linear effect.

use std::f64::consts::PI;

use rand_chacha::ChaCha8Rng;

use super::{Parts, normal, numbered, uniform};
use crate::data::Column;

/// Columns that the function depends on.
const ACTIVE: usize = 5;

pub(super) fn build(samples: usize, features: usize, rng: &mut ChaCha8Rng) -> Parts {
    let names = numbered("x", 1..=features);
    let values: Vec<Vec<f64>> = names.iter().map(|_| (0..samples).map(|_| uniform(rng)).collect()).collect();
    let label = (0..samples).map(|row| response(|column| values[column - 1][row]) + normal(rng)).collect();
    let mut columns: Vec<Column> =
        names.iter().zip(values).map(|(name, values)| Column::numeric(name.as_str(), values)).collect();
    columns.push(Column::numeric("y", label));
    Parts { columns, informative: names[..ACTIVE].to_vec(), redundant: Vec::new() }
}

/// The function without its noise; `x` gives the value of a 1-based column.
fn response(x: impl Fn(usize) -> f64) -> f64 {
    10.0 * (PI * x(1) * x(2)).sin() + 20.0 * (x(3) - 0.5).powi(2) + 10.0 * x(4) + 5.0 * x(5)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{correlation, make, mean, numbers, variance};

    #[test]
    fn the_residual_is_standard_noise() {
        let made = make("friedman", 4000, 7, 8);
        let x: Vec<&[f64]> = (1..=7).map(|column| numbers(&made, &format!("x{column}"))).collect();
        assert!(x.iter().all(|column| column.iter().all(|value| (0.0..1.0).contains(value))));
        let rest: Vec<f64> = (0..4000)
            .map(|row| {
                let pair = (std::f64::consts::PI * x[0][row] * x[1][row]).sin();
                let bowl = x[2][row] * x[2][row] - x[2][row] + 0.25;
                numbers(&made, "y")[row] - 10.0 * pair - 20.0 * bowl - 10.0 * x[3][row] - 5.0 * x[4][row]
            })
            .collect();
        assert!(mean(&rest).abs() < 0.08, "mean {}", mean(&rest));
        assert!((variance(&rest) - 1.0).abs() < 0.12, "variance {}", variance(&rest));
        for column in x {
            assert!(correlation(column, &rest).abs() < 0.08);
        }
        assert_eq!(made.informative, ["x1", "x2", "x3", "x4", "x5"]);
    }
}
