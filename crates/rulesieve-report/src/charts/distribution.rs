//! Kernel density estimates of a numeric column by class.

use super::{Chart, Frame, legend, legend_height, stroke, title_below};
use crate::Data;
use crate::figure::exact;
use crate::svg::{Axis, COLOURS, Drawing, Scale, listed, number, through};

/// Number of points at which a density is computed.
const POINTS: usize = 160;

/// A density plot with one curve per class.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Densities {
    /// The classes with their values.
    pub groups: Vec<(String, Vec<f64>)>,
    /// Title of the values.
    pub value_title: String,
    /// Whether the legend is left to the enclosing chart.
    pub hide_legend: bool,
}

/// Quartiles of a group.
struct Summary {
    median: f64,
    low: f64,
    high: f64,
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut values: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    values
}

fn summary(values: &[f64]) -> Option<Summary> {
    let sorted = sorted(values);
    let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
    (!sorted.is_empty()).then(|| Summary { median: at(0.5), low: at(0.25), high: at(0.75) })
}

/// Silverman's rule, at least 1/60 of the range.
fn bandwidth(values: &[f64], range: f64) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().map(|value| value / count).sum::<f64>();
    let deviation = values.iter().map(|value| ((value - mean) / range).powi(2) / count).sum::<f64>().sqrt() * range;
    let quartiles = summary(values).map_or(0.0, |summary| (summary.high - summary.low) / 1.34);
    let spread = if quartiles > 0.0 { deviation.min(quartiles) } else { deviation };
    (0.9 * spread * count.powf(-0.2)).max(range / 60.0)
}

impl Densities {
    /// The range of all values with a margin.
    fn ends(&self) -> (f64, f64) {
        let all = self.groups.iter().flat_map(|(_, values)| values.iter().copied());
        let (low, high) = all
            .filter(|value| value.is_finite())
            .fold((f64::MAX, -f64::MAX), |(low, high): (f64, f64), value| (low.min(value), high.max(value)));
        match (high - low).is_finite() {
            true if low < high => (low - (high - low) * 0.06, high + (high - low) * 0.06),
            true if low == high => (low - low.abs().max(1.0) * 0.5, high + low.abs().max(1.0) * 0.5),
            _ if low > high => (0.0, 1.0),
            _ => (low / 2.0, high / 2.0),
        }
    }

    /// The density of each group at evenly spaced points. Values are binned first, so that the cost does not depend on the number of rows.
    fn curves(&self) -> Vec<Vec<(f64, f64)>> {
        let (low, high) = self.ends();
        let range = high - low;
        let value = |at: usize| low + range * at as f64 / (POINTS - 1) as f64;
        let density = |(_, values): &(String, Vec<f64>)| {
            let values = sorted(values);
            if values.is_empty() || !range.is_finite() || range <= 0.0 {
                return Vec::new();
            }
            let mut cells = [0.0; POINTS];
            for value in &values {
                let at = ((value - low) / range * (POINTS - 1) as f64).round().clamp(0.0, (POINTS - 1) as f64);
                cells[at as usize] += 1.0 / values.len() as f64;
            }
            let wide = bandwidth(&values, range) / range * (POINTS - 1) as f64;
            let kernel = |distance: f64| (-0.5 * (distance / wide).powi(2)).exp() / wide;
            let at = |x: usize| cells.iter().enumerate().map(|(y, share)| share * kernel(x as f64 - y as f64)).sum();
            (0..POINTS).map(|x| (value(x), at(x))).collect()
        };
        self.groups.iter().map(density).collect()
    }
}

impl Chart for Densities {
    fn draw(&self, wide: f64) -> Drawing {
        let names: Vec<&str> = self.groups.iter().map(|(name, _)| name.as_str()).collect();
        let named = names.len() > 1 && !self.hide_legend;
        let head = if named { legend_height(&names, wide) + 4.0 } else { 8.0 };
        let tall = (wide * 0.36).clamp(90.0, 240.0);
        let frame = Frame { left: 10.0, right: wide - 10.0, top: head, bottom: head + tall };
        let mut drawing = Drawing::new(wide, frame.bottom + if self.value_title.is_empty() { 26.0 } else { 46.0 });
        if named {
            legend(&mut drawing, (0.0, 0.0), wide, &names, true);
        }
        let (low, high) = self.ends();
        let x = Axis::over([low, high].into_iter(), Scale::Linear, (frame.left, frame.right));
        x.draw_below(&mut drawing, frame.top, frame.bottom, ((frame.right - frame.left) / 60.0) as usize);
        title_below(&mut drawing, frame, &self.value_title);
        let curves = self.curves();
        let peak = curves.iter().flatten().map(|point| point.1).fold(0.0, f64::max);
        let y = Axis::over([0.0, peak].into_iter(), Scale::Linear, (frame.bottom, frame.top + 4.0));
        for (group, curve) in curves.iter().enumerate().filter(|(_, curve)| !curve.is_empty()) {
            let mut line: Vec<_> = curve.iter().map(|point| (x.pixel(point.0), y.pixel(point.1))).collect();
            drawing.path(&through(&line), &stroke(group), names[group]);
            if let Some(&(px, py)) = line.iter().min_by(|a, b| a.1.total_cmp(&b.1)) {
                drawing.mark((px, py), group, names[group]);
            }
            line.extend([(frame.right, frame.bottom), (frame.left, frame.bottom)]);
            drawing.path(&(through(&line) + "z"), &format!("rs-under rs-f{}", group % COLOURS), "");
        }
        drawing
    }

    fn data(&self) -> Data {
        let mut data = Data::new(["class", "value", "density"]);
        for ((name, _), curve) in self.groups.iter().zip(self.curves()) {
            let (low, high) = self.ends();
            let unit = (high - low) / (POINTS - 1) as f64;
            for (value, density) in curve {
                data.push([name.clone(), exact(value), exact(density / unit / (2.0 * std::f64::consts::PI).sqrt())]);
            }
        }
        data
    }

    fn alt(&self) -> String {
        let items = self.groups.iter().map(|(name, values)| match summary(values) {
            Some(one) => {
                format!(
                    "{name} median {2}, quartiles {0} and {1}",
                    number(one.low),
                    number(one.high),
                    number(one.median)
                )
            }
            None => format!("{name} without values"),
        });
        let of = if self.value_title.is_empty() { String::new() } else { format!(" of {}", self.value_title) };
        format!("Distribution{of} by class: {}.", listed(&items.collect::<Vec<_>>()))
    }
}
