//! Dot plots with intervals.

use super::Chart;
use super::rows::Rows;
use crate::Data;
use crate::figure::exact;
use crate::svg::{Axis, Drawing, Scale, as_fine, listed};

const ROW: f64 = 30.0;

/// A dot plot with intervals.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dots {
    /// Dots, top to bottom.
    pub dots: Vec<Dot>,
    /// Title of the values.
    pub value_title: String,
    /// Fixed ends of the axis.
    pub range: Option<(f64, f64)>,
}

/// A dot.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dot {
    /// Name.
    pub label: String,
    /// Value.
    pub value: f64,
    /// Ends of the interval.
    pub interval: Option<(f64, f64)>,
    /// Whether the dot is highlighted.
    pub highlight: bool,
}

impl Dot {
    fn ends(&self) -> Option<(f64, f64)> {
        self.interval.filter(|(low, high)| low.is_finite() && high.is_finite())
    }
}

impl Dots {
    fn text(&self, dot: &Dot) -> String {
        let fixed = self.range.map_or(0.0, |(low, high)| low.abs().max(high.abs()));
        let ends = dot.ends().map_or(0.0, |(low, high)| low.abs().max(high.abs()));
        let number = |value: f64| as_fine(value, fixed.max(ends).max(dot.value.abs()));
        match (dot.value.is_finite(), dot.ends()) {
            (false, _) => "no value".to_owned(),
            (true, Some((low, high))) => format!("{} ({} to {})", number(dot.value), number(low), number(high)),
            (true, None) => number(dot.value),
        }
    }
}

impl Chart for Dots {
    fn draw(&self, wide: f64) -> Drawing {
        let rows = Rows::new(wide, ROW, self.dots.iter().map(|dot| (dot.label.as_str(), self.text(dot))));
        let (mut drawing, frame) = (rows.drawing(&self.value_title), rows.frame);
        let ends = self.dots.iter().filter_map(Dot::ends).flat_map(|(low, high)| [low, high]);
        let fixed = self.range.into_iter().flat_map(|(low, high)| [low, high]);
        let all = self.dots.iter().map(|dot| dot.value).chain(ends).chain(fixed);
        let axis = Axis::over(all, Scale::Linear, (frame.left + 6.0, frame.right - 6.0)).rounded(5);
        rows.draw_axis(&mut drawing, &axis, &self.value_title);
        for (at, dot) in self.dots.iter().enumerate() {
            let text = self.text(dot);
            let middle = rows.name(&mut drawing, at, &dot.label, dot.highlight, &text);
            if let Some((low, high)) = dot.ends() {
                let (low, high) = (axis.pixel(low), axis.pixel(high));
                drawing.line((low, middle), (high, middle), "rs-ink");
                [low, high].iter().for_each(|&x| drawing.line((x, middle - 5.0), (x, middle + 5.0), "rs-ink"));
            }
            if dot.value.is_finite() {
                let name = format!("{}: {text}", dot.label);
                drawing.disc((axis.pixel(dot.value), middle), if dot.highlight { "rs-f0" } else { "rs-f5" }, &name);
            }
        }
        drawing
    }

    fn data(&self) -> Data {
        let mut data = Data::new(["name", "value", "low", "high"]);
        for dot in &self.dots {
            let (low, high) = dot.ends().map_or_else(Default::default, |(low, high)| (exact(low), exact(high)));
            data.push([dot.label.clone(), exact(dot.value), low, high]);
        }
        data
    }

    fn alt(&self) -> String {
        let items: Vec<String> = self.dots.iter().map(|dot| format!("{} {}", dot.label, self.text(dot))).collect();
        let what = if self.value_title.is_empty() { "values" } else { &self.value_title };
        format!("Dots of {what} with intervals, top to bottom: {}.", listed(&items))
    }
}
