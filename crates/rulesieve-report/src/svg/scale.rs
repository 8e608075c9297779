//! Axes: mapping of values to pixels, and ticks at round numbers.

use super::{Anchor, Drawing, number};

/// Scale of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Linear scale.
    #[default]
    Linear,
    /// Logarithmic scale; numbers at or below zero are not drawn.
    Log,
}

/// Mapping from a range of values to a range of pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    scale: Scale,
    /// The tick distance if both ends are at ticks.
    step: Option<f64>,
}

impl Scale {
    /// Whether a number can be drawn.
    pub(crate) fn contains(self, value: f64) -> bool {
        value.is_finite() && (self == Self::Linear || value > 0.0)
    }

    fn transform(self, value: f64) -> f64 {
        match self {
            // Halved, so that the difference of two numbers stays finite.
            Self::Linear => value / 2.0,
            Self::Log => value.max(f64::MIN_POSITIVE).ln(),
        }
    }
}

impl Axis {
    /// The axis over all numbers that can be drawn; a single value gets a range around it.
    pub(crate) fn over(values: impl Iterator<Item = f64>, scale: Scale, pixels: (f64, f64)) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| scale.contains(*value)) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = if scale == Scale::Log { (0.1, 10.0) } else { (0.0, 1.0) };
        }
        if low == high {
            (low, high) = match scale {
                Scale::Log => ((low / 2.0).max(f64::MIN_POSITIVE), (high * 2.0).min(f64::MAX)),
                Scale::Linear => {
                    let margin = (low.abs() * 0.1).max(0.5);
                    ((low - margin).max(-f64::MAX), (high + margin).min(f64::MAX))
                }
            };
        }
        Self { low, high, from: pixels.0, to: pixels.1, scale, step: None }
    }

    /// Adds 8 % of half the range at both ends of a linear axis.
    pub(crate) fn padded(mut self) -> Self {
        let margin = (self.high / 2.0 - self.low / 2.0) * 0.08;
        if self.scale == Scale::Linear && margin.is_finite() {
            (self.low, self.high) = ((self.low - margin).max(-f64::MAX), (self.high + margin).min(f64::MAX));
        }
        self
    }

    /// Moves both ends of a linear axis to ticks.
    pub(crate) fn rounded(mut self, most: usize) -> Self {
        let step = self.step(most);
        if self.scale == Scale::Linear && step.is_finite() && step > 0.0 {
            let (low, high) = ((self.low / step).floor() * step, (self.high / step).ceil() * step);
            if low.is_finite() && high.is_finite() {
                (self.low, self.high, self.step) = (low, high, Some(step));
            }
        }
        self
    }

    /// The pixel of a number, clamped to the axis.
    pub(crate) fn pixel(&self, value: f64) -> f64 {
        let (low, high) = (self.scale.transform(self.low), self.scale.transform(self.high));
        let share = (self.scale.transform(value) - low) / (high - low);
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
        self.from + share * (self.to - self.from)
    }

    fn step(&self, most: usize) -> f64 {
        let rough = (self.high - self.low) / most.max(1) as f64;
        let ten = 10f64.powf(rough.log10().floor());
        let factor = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(|factor| ten * factor >= rough * (1.0 - 1e-9));
        ten * factor.unwrap_or(10.0)
    }

    /// Tick values with their labels, about `most` or fewer.
    pub(crate) fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        let ticks = match self.scale {
            Scale::Linear => self.linear_ticks(most),
            Scale::Log => self.log_ticks(most),
        };
        if ticks.is_empty() { vec![(self.low, number(self.low)), (self.high, number(self.high))] } else { ticks }
    }

    fn linear_ticks(&self, most: usize) -> Vec<(f64, String)> {
        // The step of the ends, doubled if there would be too many ticks.
        let own =
            self.step.map(|step| if (self.high - self.low) / step > most as f64 + 1.5 { 2.0 * step } else { step });
        let step = own.unwrap_or_else(|| self.step(most));
        if !step.is_finite() || step <= 0.0 || self.low + step == self.low {
            return Vec::new();
        }
        let first = (self.low / step - 1e-6).ceil();
        let count = ((self.high / step + 1e-6).floor() - first).clamp(0.0, 50.0) as usize;
        let digits = (-(step.log10() + 1e-9).floor()).clamp(0.0, 12.0) as usize;
        let halves = usize::from((step / 10f64.powf(step.log10().floor()) - 2.5).abs() < 1e-6);
        let text = |value: f64| match value.abs() {
            magnitude if magnitude > 0.0 && !(1e-4..1e6).contains(&magnitude) => number(value),
            _ => format!("{:.*}", digits + if step < 10.0 { halves } else { 0 }, value + 0.0),
        };
        (0..=count).map(|at| (first + at as f64) * step).map(|value| (value, text(value))).collect()
    }

    fn log_ticks(&self, most: usize) -> Vec<(f64, String)> {
        let (low, high) = (self.low.log10(), self.high.log10());
        let decades = (low.ceil() as i32, high.floor() as i32);
        let within = |value: &f64| (self.low * 0.999..=self.high * 1.001).contains(value);
        let powers = (decades.1 - decades.0 + 1).max(0) as usize;
        let values: Vec<f64> = if powers >= 3 {
            let step = powers.div_ceil(most.max(1)).max(1);
            (decades.0..=decades.1).step_by(step).map(|power| 10f64.powi(power)).collect()
        } else {
            let all = (decades.0 - 1..=decades.1 + 1).flat_map(|power| [1.0, 2.0, 5.0].map(|n| n * 10f64.powi(power)));
            all.filter(within).collect()
        };
        let text = |value: f64| if (1e-3..1e5).contains(&value) { number(value) } else { format!("{value:.0e}") };
        values.into_iter().filter(|value| value.is_finite() && *value > 0.0).map(|value| (value, text(value))).collect()
    }

    /// Draws given tick values below a horizontal axis; skips labels that would overlap.
    pub(crate) fn draw_at(&self, drawing: &mut Drawing, values: &[f64], bottom: f64) {
        let mut free = f64::NEG_INFINITY;
        for &value in values.iter().filter(|value| self.scale.contains(**value)) {
            let (x, text) = (self.pixel(value), number(value));
            let half = super::width(&text, super::SMALL) / 2.0;
            drawing.line((x, bottom), (x, bottom + 4.0), "rs-axis");
            if x - half > free {
                drawing.text((x, bottom + 17.0), Anchor::Middle, "rs-t rs-small rs-soft", 90.0, &text);
                free = x + half + 6.0;
            }
        }
        drawing.line((self.from, bottom), (self.to, bottom), "rs-axis");
    }

    /// Draws the tick labels of a horizontal axis below `bottom` and grid lines up to `top`.
    pub(crate) fn draw_below(&self, drawing: &mut Drawing, top: f64, bottom: f64, most: usize) {
        for (value, text) in self.ticks(most) {
            let x = self.pixel(value);
            drawing.line((x, top), (x, bottom), "rs-grid");
            drawing.text((x, bottom + 17.0), Anchor::Middle, "rs-t rs-small rs-soft", 90.0, &text);
        }
        drawing.line((self.from, bottom), (self.to, bottom), "rs-axis");
    }

    /// Draws the tick labels of a vertical axis left of `left` and grid lines to `right`.
    pub(crate) fn draw_left(&self, drawing: &mut Drawing, left: f64, right: f64, most: usize) {
        for (value, text) in self.ticks(most) {
            let y = self.pixel(value);
            drawing.line((left, y), (right, y), "rs-grid");
            drawing.text((left - 7.0, y + 4.0), Anchor::End, "rs-t rs-small rs-soft", 90.0, &text);
        }
    }

    /// Width of the tick labels of a vertical axis in pixels.
    pub(crate) fn label_width(&self, most: usize) -> f64 {
        let widths = self.ticks(most).into_iter().map(|(_, text)| super::width(&text, super::SMALL));
        widths.fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(values: &[f64], scale: Scale) -> Axis {
        Axis::over(values.iter().copied(), scale, (0.0, 100.0))
    }

    #[test]
    fn any_numbers_give_an_axis() {
        let extreme = [f64::MAX, -f64::MAX, 0.0, 1e-300, f64::MIN_POSITIVE, f64::NAN, f64::INFINITY, 1.0];
        for a in extreme {
            for b in extreme {
                for scale in [Scale::Linear, Scale::Log] {
                    let axis = axis(&[a, b], scale).padded().rounded(5);
                    assert!(!axis.ticks(5).is_empty() && axis.ticks(5).len() < 60, "{a} {b}");
                    for (value, text) in axis.ticks(5) {
                        assert!((0.0..=100.0).contains(&axis.pixel(value)), "{a} {b} {value}");
                        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn ticks_are_round() {
        let texts = |values: &[f64], scale, most| -> Vec<String> {
            axis(values, scale).ticks(most).into_iter().map(|tick| tick.1).collect()
        };
        assert_eq!(texts(&[0.0, 1.0], Scale::Linear, 5), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        let rounded = axis(&[1.16, 2.04], Scale::Linear).rounded(5).ticks(5);
        assert_eq!((rounded[0].1.as_str(), rounded.len()), ("1.0", 7), "from end to end, to 2.2");
        assert_eq!(texts(&[30.0, 62.0], Scale::Linear, 4), ["30", "40", "50", "60"]);
        assert_eq!(texts(&[0.01, 1000.0], Scale::Log, 6), ["0.01", "0.1", "1", "10", "100", "1000"]);
        assert_eq!(texts(&[0.013, 1.1], Scale::Log, 6), ["0.02", "0.05", "0.1", "0.2", "0.5", "1"]);
        assert_eq!(texts(&[2.0, 9.0], Scale::Log, 6), ["2", "5"]);
    }
}
