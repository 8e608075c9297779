//! Scatter plots by class.

use super::{Chart, Frame, legend, legend_height, title_below};
use crate::Data;
use crate::figure::exact;
use crate::svg::{Axis, Drawing, Scale, listed, number};

/// Maximum number of points drawn per group.
const DRAWN: usize = 1000;

/// A scatter plot.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scatter {
    /// Groups of points with their names.
    pub groups: Vec<(String, Vec<(f64, f64)>)>,
    /// Title of the x axis.
    pub x_title: String,
    /// Title of the y axis.
    pub y_title: String,
    /// Whether both axes have the same range and unit.
    pub square: bool,
    /// Whether the line y = x is drawn.
    pub diagonal: bool,
    /// Whether the legend is left to the enclosing chart.
    pub hide_legend: bool,
}

/// The points that can be drawn, thinned evenly to the maximum.
fn drawable(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let finite: Vec<_> = points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
    let step = finite.len().div_ceil(DRAWN).max(1);
    finite.into_iter().step_by(step).collect()
}

impl Chart for Scatter {
    fn draw(&self, wide: f64) -> Drawing {
        let names: Vec<&str> = self.groups.iter().map(|(name, _)| name.as_str()).collect();
        let named = names.len() > 1 && !self.hide_legend;
        let head = if named { legend_height(&names, wide) + 4.0 } else { 8.0 };
        let groups: Vec<_> = self.groups.iter().map(|(_, points)| drawable(points)).collect();
        let xs = || groups.iter().flatten().map(|point| point.0);
        let ys = || groups.iter().flatten().map(|point| point.1);
        let titled = if self.y_title.is_empty() { 0.0 } else { 22.0 };
        let tall = if self.square { (wide * 0.8).min(420.0) } else { (wide * 0.5).clamp(130.0, 320.0) };
        let numbers = Axis::over(ys(), Scale::Linear, (tall, 0.0)).padded().label_width(5);
        let left = titled + numbers + 12.0;
        let right = if self.square { (left + tall).min(wide - 10.0) } else { wide - 10.0 };
        let frame = Frame { left, right, top: head, bottom: head + tall };
        let mut drawing = Drawing::new(wide, frame.bottom + if self.x_title.is_empty() { 26.0 } else { 46.0 });
        if named {
            legend(&mut drawing, (0.0, 0.0), wide, &names, false);
        }
        // One range for both axes gives equal units in a square.
        let both = |own: Vec<f64>, other: Vec<f64>| if self.square { [own, other].concat() } else { own };
        let (x_values, y_values) = (both(xs().collect(), ys().collect()), both(ys().collect(), xs().collect()));
        let x = Axis::over(x_values.into_iter(), Scale::Linear, (frame.left, frame.right)).padded();
        let y = Axis::over(y_values.into_iter(), Scale::Linear, (frame.bottom, frame.top)).padded();
        y.draw_left(&mut drawing, frame.left, frame.right, 5);
        x.draw_below(&mut drawing, frame.top, frame.bottom, ((frame.right - frame.left) / 70.0) as usize);
        title_below(&mut drawing, frame, &self.x_title);
        if titled > 0.0 {
            drawing.upright((13.0, (frame.top + frame.bottom) / 2.0), "rs-t rs-small rs-soft", tall, &self.y_title);
        }
        if self.diagonal && groups.iter().any(|points| !points.is_empty()) {
            let all: Vec<f64> = xs().chain(ys()).collect();
            let (low, high) = all.iter().fold((f64::MAX, -f64::MAX), |(low, high), &v| (low.min(v), high.max(v)));
            drawing.line((x.pixel(low), y.pixel(low)), (x.pixel(high), y.pixel(high)), "rs-ink rs-d5");
        }
        for (group, points) in groups.iter().enumerate() {
            for point in points {
                drawing.mark((x.pixel(point.0), y.pixel(point.1)), group, "");
            }
        }
        drawing
    }

    fn data(&self) -> Data {
        let mut data = Data::new(["group", "x", "y"]);
        for (name, points) in &self.groups {
            for &(x, y) in points {
                data.push([name.clone(), exact(x), exact(y)]);
            }
        }
        data
    }

    fn alt(&self) -> String {
        let middle = |values: Vec<f64>| number(values.iter().map(|value| value / values.len() as f64).sum());
        let items = self.groups.iter().map(|(name, points)| {
            let points: Vec<_> = points.iter().filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
            if points.is_empty() {
                return format!("{name} without points");
            }
            let x = middle(points.iter().map(|point| point.0).collect());
            let y = middle(points.iter().map(|point| point.1).collect());
            format!("{name} with {} points around {x} and {y}", points.len())
        });
        format!("Points of {} against {}: {}.", self.y_title, self.x_title, listed(&items.collect::<Vec<_>>()))
    }
}
