//! Synthetic control charts of Alcock and Manolopoulos (1999).
//!
//! With m = 30, s = 2 and r uniform on [-3, 3) at every t = 1..M, a chart is y(t) = m + r s plus a pattern:
//! nothing (normal), a sin(2 pi t / T) with a, T from [10, 15) (cyclic), g t or -g t with g from [0.2, 0.5) (trends),
//! x or -x from t3 on with x from [7.5, 20), t3 from [20, 40) (shifts). Classes in equal parts, in turn.
//! `informative` lists every column: at each t the patterns give the classes different distributions, so none is noise,
//! though neighbouring columns are redundant and the shifts show only after t = 20.

use std::f64::consts::TAU;

use rand_chacha::ChaCha8Rng;

use super::{Parts, between, numbered};
use crate::data::Column;

/// The classes in the order of the rows.
pub(super) const CLASSES: [&str; 6] =
    ["normal", "cyclic", "increasing", "decreasing", "upward_shift", "downward_shift"];
/// Every shift has begun at this point in time, so a chart of this length shows it.
pub(super) const LAST_SHIFT: usize = 40;
const MEAN: f64 = 30.0;
const SPREAD: f64 = 2.0;

/// Pattern added to the noise of a chart.
enum Pattern {
    Flat,
    Cycle { amplitude: f64, period: f64 },
    Trend { slope: f64 },
    Shift { height: f64, from: f64 },
}

impl Pattern {
    fn draw(class: usize, rng: &mut ChaCha8Rng) -> Self {
        // Of the trends and of the shifts the first rises and the second falls.
        let sign = if class.is_multiple_of(2) { 1.0 } else { -1.0 };
        match CLASSES[class] {
            "cyclic" => Self::Cycle { amplitude: between(10.0, 15.0, rng), period: between(10.0, 15.0, rng) },
            "increasing" | "decreasing" => Self::Trend { slope: sign * between(0.2, 0.5, rng) },
            "upward_shift" | "downward_shift" => {
                Self::Shift { height: sign * between(7.5, 20.0, rng), from: between(20.0, LAST_SHIFT as f64, rng) }
            }
            _ => Self::Flat,
        }
    }

    fn at(&self, t: f64) -> f64 {
        match self {
            Self::Flat => 0.0,
            Self::Cycle { amplitude, period } => amplitude * (TAU * t / period).sin(),
            Self::Trend { slope } => slope * t,
            Self::Shift { height, from } => {
                if t >= *from {
                    *height
                } else {
                    0.0
                }
            }
        }
    }
}

pub(super) fn build(samples: usize, features: usize, rng: &mut ChaCha8Rng) -> Parts {
    let mut points: Vec<Vec<f64>> = (0..features).map(|_| Vec::with_capacity(samples)).collect();
    for row in 0..samples {
        let pattern = Pattern::draw(row % CLASSES.len(), rng);
        for (at, column) in points.iter_mut().enumerate() {
            column.push(MEAN + SPREAD * between(-3.0, 3.0, rng) + pattern.at((at + 1) as f64));
        }
    }
    let names = numbered("t", 1..=features);
    let mut columns: Vec<Column> =
        names.iter().zip(points).map(|(name, values)| Column::numeric(name.as_str(), values)).collect();
    columns.push(Column::text("class", (0..samples).map(|row| CLASSES[row % CLASSES.len()])));
    Parts { columns, informative: names, redundant: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{make, mean, numbers, texts, variance};
    use super::*;

    /// The charts of one class, row by row.
    fn charts(class: &str) -> Vec<Vec<f64>> {
        let made = make("control", 600, 60, 6);
        let labels = texts(&made, "class");
        let rows = (0..600).filter(|row| labels[*row] == class);
        rows.map(|row| made.informative.iter().map(|name| numbers(&made, name)[row]).collect()).collect()
    }

    fn slope(chart: &[f64]) -> f64 {
        let centre = (chart.len() + 1) as f64 / 2.0;
        let times = || (1..=chart.len()).map(|t| t as f64 - centre);
        times().zip(chart).map(|(t, y)| t * y).sum::<f64>() / times().map(|t| t * t).sum::<f64>()
    }

    #[test]
    fn classes_come_in_equal_parts() {
        for class in CLASSES {
            assert_eq!(charts(class).len(), 100, "{class}");
        }
    }

    #[test]
    fn normal_charts_stay_in_their_band_without_trend() {
        for chart in charts("normal") {
            assert!(chart.iter().all(|y| (24.0..36.0).contains(y)));
            assert!(slope(&chart).abs() < 0.12 && (mean(&chart) - 30.0).abs() < 2.0);
        }
    }

    #[test]
    fn cyclic_charts_have_half_the_squared_amplitude_as_variance() {
        for chart in charts("cyclic") {
            // Noise adds 12; a in [10, 15) gives 50 to 112.5, with a small deviation from an incomplete last period.
            assert!((40.0..160.0).contains(&variance(&chart)), "variance {}", variance(&chart));
        }
    }

    #[test]
    fn trends_have_slopes_in_their_range() {
        for (class, sign) in [("increasing", 1.0), ("decreasing", -1.0)] {
            for chart in charts(class) {
                let found = sign * slope(&chart);
                assert!((0.1..0.6).contains(&found), "{class}: slope {found}");
                assert!((mean(&chart) - 30.0 - sign * found * 30.5).abs() < 6.0, "{class} starts elsewhere");
            }
        }
    }

    #[test]
    fn shifts_step_between_20_and_40() {
        for (class, sign) in [("upward_shift", 1.0), ("downward_shift", -1.0)] {
            let heights: Vec<f64> = charts(class)
                .iter()
                .map(|chart| {
                    assert!((mean(&chart[..19]) - 30.0).abs() < 4.0, "{class} begins before t = 20");
                    assert!(slope(&chart[39..]).abs() < 1.0, "{class} moves after t = 40");
                    sign * (mean(&chart[39..]) - mean(&chart[..19]))
                })
                .collect();
            assert!(heights.iter().all(|height| (3.0..25.0).contains(height)), "{class}");
            assert!((mean(&heights) - 13.75).abs() < 1.5, "{class}: mean height {}", mean(&heights));
        }
    }
}
