//! Two concentric circles, the toy problem of the LDR-TSK paper.
//!
//! Radii 1 and 0.5 with normal noise of standard deviation 0.05 along the radius, angles uniform, classes alternating.
//! `x` and `y` are nearly uninformative alone and separate the classes together. The columns are left unscaled.

use std::f64::consts::TAU;

use rand_chacha::ChaCha8Rng;

use super::{Parts, drawn_columns, normal, uniform};
use crate::data::Column;

/// Radius of the circle and name of its class.
const CIRCLES: [(f64, &str); 2] = [(1.0, "outer"), (0.5, "inner")];
/// Standard deviation of the distance from the circle.
const RADIAL_NOISE: f64 = 0.05;

pub(super) fn build(samples: usize, features: usize, rng: &mut ChaCha8Rng) -> Parts {
    let circle_of = |row: usize| CIRCLES[row % CIRCLES.len()];
    let (x, y) = (0..samples)
        .map(|row| {
            let radius = circle_of(row).0 + RADIAL_NOISE * normal(rng);
            let (sin, cos) = (TAU * uniform(rng)).sin_cos();
            (radius * cos, radius * sin)
        })
        .unzip();
    let mut columns = vec![Column::numeric("x", x), Column::numeric("y", y)];
    columns.extend(drawn_columns("noise", features - 2, samples, || uniform(rng)));
    columns.push(Column::text("class", (0..samples).map(|row| circle_of(row).1)));
    Parts { columns, informative: vec!["x".to_owned(), "y".to_owned()], redundant: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{correlation, make, mean, numbers, texts, variance};
    use super::*;

    #[test]
    fn points_lie_on_the_circle_of_their_class() {
        let made = make("double-circle", 4000, 4, 1);
        let radii: Vec<f64> = numbers(&made, "x").iter().zip(numbers(&made, "y")).map(|(x, y)| x.hypot(*y)).collect();
        for (radius, class) in CIRCLES {
            let labels = texts(&made, "class");
            let own: Vec<f64> =
                radii.iter().zip(labels).filter(|(_, label)| *label == class).map(|(r, _)| *r).collect();
            assert_eq!(own.len(), 2000);
            assert!((mean(&own) - radius).abs() < 0.005, "{class}: mean radius {}", mean(&own));
            assert!((variance(&own).sqrt() - RADIAL_NOISE).abs() < 0.004, "{class}: spread {}", variance(&own).sqrt());
            assert!(own.iter().all(|r| (r - radius).abs() < 5.0 * RADIAL_NOISE), "{class}");
        }
    }

    #[test]
    fn noise_is_uniform_and_uncorrelated_with_the_class() {
        let made = make("double-circle", 4000, 4, 2);
        let inner: Vec<f64> = texts(&made, "class").iter().map(|class| f64::from(*class == "inner")).collect();
        for name in ["noise1", "noise2"] {
            let noise = numbers(&made, name);
            assert!(noise.iter().all(|value| (0.0..1.0).contains(value)));
            assert!((variance(noise) - 1.0 / 12.0).abs() < 0.005, "{name}");
            assert!(correlation(noise, &inner).abs() < 0.07, "{name}");
        }
    }
}
