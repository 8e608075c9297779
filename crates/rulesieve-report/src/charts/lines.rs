//! Line charts with one or more series.

use super::{Chart, Frame, legend, legend_height, stroke, title_below};
use crate::Data;
use crate::figure::exact;
use crate::svg::{Anchor, Axis, COLOURS, Drawing, Scale, listed, number, through};

/// Maximum number of points drawn with markers.
const MARKED: usize = 40;
/// Maximum number of points drawn per series.
const DRAWN: usize = 1500;

/// A line chart.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lines {
    /// The series.
    pub series: Vec<Series>,
    /// Title of the x axis.
    pub x_title: String,
    /// Title of the y axis.
    pub y_title: String,
    /// Scale of the x axis.
    pub x_scale: Scale,
    /// Scale of the y axis.
    pub y_scale: Scale,
    /// Values that the y axis must include, to compare several charts.
    pub y_range: Option<(f64, f64)>,
    /// Whether points have markers; long series never have.
    pub marks: bool,
    /// Tick values of the x axis; default: round numbers.
    pub x_ticks: Vec<f64>,
    /// A vertical line at an x value, and its label.
    pub annotation: Option<(f64, String)>,
}

/// A line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    /// Name.
    pub name: String,
    /// Points, x ascending.
    pub points: Vec<(f64, f64)>,
    /// Half length of the error bar of each point; empty if not known.
    pub spread: Vec<f64>,
    /// Whether the spread is drawn as a band instead of error bars.
    pub band: bool,
}

impl Series {
    /// The points that can be drawn, with their spread.
    fn drawable(&self, x: Scale, y: Scale) -> Vec<(f64, f64, f64)> {
        let spread = |at: usize| self.spread.get(at).copied().filter(|spread| spread.is_finite()).unwrap_or(0.0).abs();
        let points = self.points.iter().enumerate().map(|(at, &(px, py))| (px, py, spread(at)));
        let drawable: Vec<_> = points.filter(|point| x.contains(point.0) && y.contains(point.1)).collect();
        let step = drawable.len().div_ceil(DRAWN).max(1);
        let last = drawable.len().saturating_sub(1);
        drawable
            .into_iter()
            .enumerate()
            .filter(|(at, _)| at % step == 0 || *at == last)
            .map(|(_, point)| point)
            .collect()
    }
}

impl Lines {
    fn spread(&self, drawing: &mut Drawing, axes: (&Axis, &Axis), points: &[(f64, f64, f64)], series: usize) {
        let (x, y) = axes;
        let end = |value: f64| if self.y_scale.contains(value) { y.pixel(value) } else { y.pixel(f64::MIN_POSITIVE) };
        if self.series[series].band {
            let above = points.iter().map(|&(px, py, spread)| (x.pixel(px), end(py + spread)));
            let below = points.iter().rev().map(|&(px, py, spread)| (x.pixel(px), end(py - spread)));
            let outline: Vec<_> = above.chain(below).collect();
            drawing.path(&(through(&outline) + "z"), &format!("rs-band rs-f{}", series % COLOURS), "");
            return;
        }
        for &(px, py, spread) in points.iter().filter(|point| point.2 > 0.0) {
            let (px, low, high) = (x.pixel(px), end(py - spread), end(py + spread));
            let class = format!("rs-line rs-s{}", series % COLOURS);
            drawing.line((px, low), (px, high), &class);
            [low, high].iter().for_each(|&py| drawing.line((px - 3.0, py), (px + 3.0, py), &class));
        }
    }

    fn axes(&self, drawable: &[Vec<(f64, f64, f64)>], frame: Frame) -> (Axis, Axis) {
        let xs = drawable.iter().flatten().map(|point| point.0).chain(self.annotation.iter().map(|(x, _)| *x));
        let ys = drawable.iter().flatten().flat_map(|&(_, y, spread)| [y - spread, y + spread]);
        let fixed = self.y_range.into_iter().flat_map(|(low, high)| [low, high]);
        let x = Axis::over(xs, self.x_scale, (frame.left + 6.0, frame.right - 6.0));
        let y = Axis::over(ys.chain(fixed), self.y_scale, (frame.bottom, frame.top)).rounded(5);
        (x, y)
    }
}

impl Chart for Lines {
    fn draw(&self, wide: f64) -> Drawing {
        let names: Vec<&str> = self.series.iter().map(|series| series.name.as_str()).collect();
        let head = if names.len() > 1 { legend_height(&names, wide) + 4.0 } else { 10.0 };
        let tall = (wide * 0.46).clamp(120.0, 300.0);
        let drawable: Vec<_> = self.series.iter().map(|series| series.drawable(self.x_scale, self.y_scale)).collect();
        let mut frame = Frame { left: 0.0, right: wide - 10.0, top: head, bottom: head + tall };
        let titled = if self.y_title.is_empty() { 0.0 } else { 22.0 };
        frame.left = titled + self.axes(&drawable, frame).1.label_width(5) + 12.0;
        let mut drawing = Drawing::new(wide, frame.bottom + if self.x_title.is_empty() { 26.0 } else { 46.0 });
        if names.len() > 1 {
            legend(&mut drawing, (0.0, 0.0), wide, &names, true);
        }
        let (x, y) = self.axes(&drawable, frame);
        y.draw_left(&mut drawing, frame.left, frame.right, 5);
        if self.x_ticks.is_empty() {
            x.draw_below(&mut drawing, frame.bottom - 4.0, frame.bottom, ((frame.right - frame.left) / 70.0) as usize);
        } else {
            x.draw_at(&mut drawing, &self.x_ticks, frame.bottom);
        }
        title_below(&mut drawing, frame, &self.x_title);
        if titled > 0.0 {
            drawing.upright((13.0, (frame.top + frame.bottom) / 2.0), "rs-t rs-small rs-soft", tall, &self.y_title);
        }
        if let Some((at, word)) = self.annotation.as_ref().filter(|(at, _)| self.x_scale.contains(*at)) {
            let at = x.pixel(*at);
            drawing.line((at, frame.top), (at, frame.bottom), "rs-axis rs-d5");
            let (anchor, beside) =
                if at > (frame.left + frame.right) / 2.0 { (Anchor::End, -6.0) } else { (Anchor::Start, 6.0) };
            drawing.text((at + beside, frame.bottom - 8.0), anchor, "rs-t rs-small", 200.0, word);
        }
        for (series, points) in drawable.iter().enumerate() {
            self.spread(&mut drawing, (&x, &y), points, series);
            let line: Vec<_> = points.iter().map(|&(px, py, _)| (x.pixel(px), y.pixel(py))).collect();
            if line.len() > 1 {
                drawing.path(&through(&line), &stroke(series), names[series]);
            }
            if line.len() == 1 || (self.marks && line.len() <= MARKED) {
                for (&position, point) in line.iter().zip(points) {
                    let name = format!("{} at {}: {}", names[series], number(point.0), number(point.1));
                    drawing.mark(position, series, &name);
                }
            }
        }
        drawing
    }

    fn data(&self) -> Data {
        let mut data = Data::new(["series", "x", "y", "spread"]);
        for series in &self.series {
            for (at, &(x, y)) in series.points.iter().enumerate() {
                let spread = series.spread.get(at).copied().map(exact).unwrap_or_default();
                data.push([series.name.clone(), exact(x), exact(y), spread]);
            }
        }
        data
    }

    fn alt(&self) -> String {
        let items = self.series.iter().map(|series| {
            let points = series.drawable(self.x_scale, self.y_scale);
            let (Some(first), Some(last)) = (points.first(), points.last()) else {
                return format!("{}: no points", series.name);
            };
            let best = points.iter().fold(first, |best, point| if point.1 > best.1 { point } else { best });
            let least = points.iter().fold(first, |least, point| if point.1 < least.1 { point } else { least });
            format!(
                "{} goes from {} at {} to {} at {} (lowest {} at {}, highest {} at {})",
                series.name,
                number(first.1),
                number(first.0),
                number(last.1),
                number(last.0),
                number(least.1),
                number(least.0),
                number(best.1),
                number(best.0)
            )
        });
        let items: Vec<String> = items.collect();
        format!("Lines of {} by {}: {}.", self.y_title, self.x_title, listed(&items))
    }
}
