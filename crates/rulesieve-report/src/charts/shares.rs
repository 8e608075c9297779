//! Bar charts of category shares by class.

use super::{Chart, Frame, legend, legend_height};
use crate::Data;
use crate::figure::exact;
use crate::svg::{Anchor, Axis, COLOURS, Drawing, Scale, TEXT, listed, number, width};

const BAR: f64 = 9.0;

/// A bar chart of shares: one bar for each category and class.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shares {
    /// The categories.
    pub levels: Vec<String>,
    /// The classes, each with the share of its rows in each category.
    pub groups: Vec<(String, Vec<f64>)>,
    /// Title of the categories.
    pub value_title: String,
    /// Whether the legend is left to the enclosing chart.
    pub hide_legend: bool,
}

impl Shares {
    fn share(&self, group: usize, level: usize) -> f64 {
        self.groups[group].1.get(level).copied().unwrap_or(f64::NAN)
    }
}

impl Chart for Shares {
    fn draw(&self, wide: f64) -> Drawing {
        let classes: Vec<&str> = self.groups.iter().map(|(name, _)| name.as_str()).collect();
        let named = classes.len() > 1 && !self.hide_legend;
        let head = if named { legend_height(&classes, wide) + 4.0 } else { 8.0 };
        let names = self.levels.iter().map(|name| width(name, TEXT)).fold(0.0, f64::max).min(wide * 0.34);
        let block = BAR * classes.len().max(2) as f64 + 9.0;
        let frame = Frame {
            left: names + 12.0,
            right: wide - 16.0,
            top: head,
            bottom: head + block * self.levels.len().max(1) as f64,
        };
        let mut drawing = Drawing::new(wide, frame.bottom + if self.value_title.is_empty() { 26.0 } else { 46.0 });
        if named {
            legend(&mut drawing, (0.0, 0.0), wide, &classes, false);
        }
        let axis = Axis::over([0.0, 100.0].into_iter(), Scale::Linear, (frame.left, frame.right));
        axis.draw_below(&mut drawing, frame.top, frame.bottom, 4);
        if !self.value_title.is_empty() {
            let title = format!("{}, % of the class", self.value_title);
            super::title_below(&mut drawing, frame, &title);
        }
        for (at, level) in self.levels.iter().enumerate() {
            let top = frame.top + block * at as f64 + 4.5;
            let middle = top + (block - 9.0) / 2.0 + 4.5;
            drawing.text((frame.left - 8.0, middle), Anchor::End, "rs-t", names + 2.0, level);
            for (group, class) in classes.iter().enumerate() {
                let share = 100.0 * self.share(group, at);
                if !share.is_finite() {
                    continue;
                }
                let (start, end) = (axis.pixel(0.0), axis.pixel(share));
                let y = top + BAR * group as f64;
                let label = format!("{class}, {level}: {} %", number(share));
                let length = (end - start).max(1.0);
                drawing.rect((start, y + 0.5), (length, BAR - 1.0), &format!("rs-f{}", group % COLOURS), &label);
                drawing.mark((start + length, y + BAR / 2.0), group, "");
            }
        }
        drawing.line((frame.left, frame.top), (frame.left, frame.bottom), "rs-axis");
        drawing
    }

    fn data(&self) -> Data {
        let mut data = Data::new(["class", "category", "share"]);
        for (group, (name, _)) in self.groups.iter().enumerate() {
            for (at, level) in self.levels.iter().enumerate() {
                data.push([name.clone(), level.clone(), exact(self.share(group, at))]);
            }
        }
        data
    }

    fn alt(&self) -> String {
        let items = (0..self.groups.len()).map(|group| {
            let mut levels: Vec<usize> =
                (0..self.levels.len()).filter(|&at| self.share(group, at).is_finite()).collect();
            levels.sort_by(|&a, &b| self.share(group, b).total_cmp(&self.share(group, a)));
            let most = levels.iter().take(2);
            let most: Vec<String> =
                most.map(|&at| format!("{} {} %", self.levels[at], number(100.0 * self.share(group, at)))).collect();
            format!("{} mostly {}", self.groups[group].0, most.join(" and "))
        });
        format!("Shares of {} by class: {}.", self.value_title, listed(&items.collect::<Vec<_>>()))
    }
}
