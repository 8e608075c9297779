//! A dot for each name, with the interval in which the value may lie.

use super::{Chart, Frame, title_below};
use crate::Data;
use crate::figure::exact;
use crate::svg::{Anchor, Axis, BOLD, Drawing, SMALL, Scale, TEXT, as_fine, listed, width};

const ROW: f64 = 30.0;

/// Dots with intervals, one below the other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dots {
    /// The dots, from above.
    pub dots: Vec<Dot>,
    /// What is measured.
    pub value_title: String,
    /// The ends of the axis, where they are given by the measure.
    pub range: Option<(f64, f64)>,
}

/// A dot.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dot {
    /// Its name.
    pub label: String,
    /// Its place.
    pub value: f64,
    /// The ends of its interval.
    pub interval: Option<(f64, f64)>,
    /// Whether it is one of those that matter.
    pub highlight: bool,
}

impl Dot {
    fn ends(&self) -> Option<(f64, f64)> {
        self.interval.filter(|(low, high)| low.is_finite() && high.is_finite())
    }

    fn text(&self) -> String {
        let span = self.ends().map_or(self.value.abs(), |(low, high)| low.abs().max(high.abs()).max(self.value.abs()));
        let number = |value: f64| as_fine(value, span);
        match (self.value.is_finite(), self.ends()) {
            (false, _) => "no value".to_owned(),
            (true, Some((low, high))) => format!("{} ({} to {})", number(self.value), number(low), number(high)),
            (true, None) => number(self.value),
        }
    }
}

impl Chart for Dots {
    fn draw(&self, wide: f64) -> Drawing {
        let names = self.dots.iter().map(|dot| width(&dot.label, TEXT * BOLD)).fold(0.0, f64::max).min(wide * 0.32);
        let said = self.dots.iter().map(|dot| width(&dot.text(), SMALL)).fold(0.0, f64::max).min(wide * 0.32);
        let frame = Frame {
            left: names + 20.0,
            right: (wide - said - 20.0).max(names + 60.0),
            top: 6.0,
            bottom: 6.0 + ROW * self.dots.len().max(1) as f64,
        };
        let mut drawing = Drawing::new(wide, frame.bottom + if self.value_title.is_empty() { 26.0 } else { 46.0 });
        let ends = self.dots.iter().filter_map(Dot::ends).flat_map(|(low, high)| [low, high]);
        let fixed = self.range.into_iter().flat_map(|(low, high)| [low, high]);
        let all = self.dots.iter().map(|dot| dot.value).chain(ends).chain(fixed);
        let axis = Axis::over(all, Scale::Linear, (frame.left, frame.right)).rounded(5);
        axis.draw_below(&mut drawing, frame.top, frame.bottom, 5);
        title_below(&mut drawing, frame, &self.value_title);
        for (at, dot) in self.dots.iter().enumerate() {
            let middle = frame.top + ROW * (at as f64 + 0.5);
            let strong = if dot.highlight { "rs-t rs-strong" } else { "rs-t" };
            drawing.text((frame.left - 12.0, middle + 4.5), Anchor::End, strong, names + 4.0, &dot.label);
            let (said, most) = (dot.text(), wide - frame.right - 12.0);
            drawing.text((frame.right + 12.0, middle + 4.0), Anchor::Start, "rs-t rs-small rs-soft", most, &said);
            if let Some((low, high)) = dot.ends() {
                let (low, high) = (axis.place(low), axis.place(high));
                drawing.line((low, middle), (high, middle), "rs-ink");
                [low, high].iter().for_each(|&x| drawing.line((x, middle - 5.0), (x, middle + 5.0), "rs-ink"));
            }
            if dot.value.is_finite() {
                let name = format!("{}: {said}", dot.label);
                drawing.disc((axis.place(dot.value), middle), if dot.highlight { "rs-f0" } else { "rs-f5" }, &name);
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
        let told: Vec<String> = self.dots.iter().map(|dot| format!("{} {}", dot.label, dot.text())).collect();
        let what = if self.value_title.is_empty() { "values" } else { &self.value_title };
        format!("Dots of {what} with intervals, from above: {}.", listed(&told))
    }
}
