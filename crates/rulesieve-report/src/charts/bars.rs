//! Horizontal bar charts with error bars.

use super::Chart;
use super::rows::Rows;
use crate::Data;
use crate::figure::exact;
use crate::svg::{Axis, Drawing, Scale, as_fine, listed, number};

const ROW: f64 = 26.0;
const BAR: f64 = 15.0;

/// A horizontal bar chart.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bars {
    /// Bars, top to bottom.
    pub bars: Vec<Bar>,
    /// Title of the values.
    pub value_title: String,
    /// Label of highlighted bars, shown behind their values.
    pub highlight: String,
    /// Fixed ends of the axis; error bars are clipped there.
    pub range: Option<(f64, f64)>,
}

/// A bar.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bar {
    /// Name.
    pub label: String,
    /// Value.
    pub value: f64,
    /// Half the length of the error bar.
    pub error: Option<f64>,
    /// Whether the bar is highlighted.
    pub highlight: bool,
}

impl Bar {
    /// The ends of the error bar; both are the value if there is none.
    fn reach(&self) -> [f64; 2] {
        let error = self.error.filter(|error| error.is_finite()).unwrap_or(0.0).abs();
        [self.value - error, self.value + error]
    }

    fn text(&self) -> String {
        match self.error.filter(|error| error.is_finite()) {
            Some(error) => {
                let span = self.value.abs().max(error.abs());
                format!("{} ± {}", as_fine(self.value, span), as_fine(error, span))
            }
            None => number(self.value),
        }
    }
}

impl Bars {
    fn value_text(&self, bar: &Bar) -> String {
        let mark =
            if bar.highlight && !self.highlight.is_empty() { format!(" {}", self.highlight) } else { String::new() };
        if bar.value.is_finite() { bar.text() + &mark } else { format!("no value{mark}") }
    }
}

impl Chart for Bars {
    fn draw(&self, wide: f64) -> Drawing {
        let rows = Rows::new(wide, ROW, self.bars.iter().map(|bar| (bar.label.as_str(), self.value_text(bar))));
        let (mut drawing, frame) = (rows.drawing(&self.value_title), rows.frame);
        let axis = match self.range {
            Some((low, high)) => Axis::over([low, high].into_iter(), Scale::Linear, (frame.left, frame.right)),
            None => {
                let reach = self.bars.iter().flat_map(Bar::reach).chain([0.0]);
                Axis::over(reach, Scale::Linear, (frame.left, frame.right)).rounded(5)
            }
        };
        rows.draw_axis(&mut drawing, &axis, &self.value_title);
        for (at, bar) in self.bars.iter().enumerate() {
            let text = self.value_text(bar);
            let middle = rows.name(&mut drawing, at, &bar.label, bar.highlight, &text);
            if !bar.value.is_finite() {
                continue;
            }
            let (zero, end) = (axis.pixel(0.0), axis.pixel(bar.value));
            let class = if bar.highlight { "rs-f0" } else { "rs-pale" };
            let length = (end - zero).abs().max(1.0);
            let name = format!("{}: {text}", bar.label);
            drawing.rect((zero.min(end), middle - BAR / 2.0), (length, BAR), class, &name);
            if bar.error.is_some_and(f64::is_finite) {
                let [low, high] = bar.reach().map(|value| axis.pixel(value));
                drawing.line((low, middle), (high, middle), "rs-ink");
                [low, high].iter().for_each(|&x| drawing.line((x, middle - 4.0), (x, middle + 4.0), "rs-ink"));
            }
        }
        drawing.line((axis.pixel(0.0), frame.top), (axis.pixel(0.0), frame.bottom), "rs-axis");
        drawing
    }

    fn data(&self) -> Data {
        let mut data = Data::new(["name", "value", "error", "highlighted"]);
        for bar in &self.bars {
            let error = bar.error.map(exact).unwrap_or_default();
            let mark = if bar.highlight { "yes" } else { "no" };
            data.push([bar.label.clone(), exact(bar.value), error, mark.to_owned()]);
        }
        data
    }

    fn alt(&self) -> String {
        let items: Vec<String> =
            self.bars.iter().map(|bar| format!("{} {}", bar.label, self.value_text(bar))).collect();
        let what = if self.value_title.is_empty() { "values" } else { &self.value_title };
        format!("{} horizontal bars of {what}, top to bottom: {}.", self.bars.len(), listed(&items))
    }
}
