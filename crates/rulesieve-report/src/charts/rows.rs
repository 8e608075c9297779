//! Layout of named rows on one axis: name on the left and value on the right, or both above the row on narrow screens.

use super::Frame;
use crate::svg::{Anchor, Axis, BOLD, Drawing, SMALL, TEXT, width};

/// Below this width names and values are above their rows.
const STACK_BELOW: f64 = 480.0;
/// Height of a row with its name above.
const STACKED: f64 = 44.0;

/// Layout of rows, names and axis.
pub(super) struct Rows {
    pub(super) frame: Frame,
    wide: f64,
    tall: f64,
    stacked: bool,
}

impl Rows {
    /// Computes the layout from the names and values of rows of height `tall`.
    pub(super) fn new<'a>(wide: f64, tall: f64, rows: impl Iterator<Item = (&'a str, String)>) -> Self {
        let (mut names, mut values, mut count) = (0.0_f64, 0.0_f64, 0);
        for (name, value) in rows {
            (names, values, count) = (names.max(width(name, TEXT * BOLD)), values.max(width(&value, SMALL)), count + 1);
        }
        let stacked = wide < STACK_BELOW;
        let tall = if stacked { STACKED } else { tall };
        let (left, right) = if stacked {
            (8.0, wide - 12.0)
        } else {
            let left = names.min(wide * 0.34) + 16.0;
            (left, (wide - values.min(wide * 0.32) - 18.0).max(left + 60.0))
        };
        let bottom = 6.0 + tall * f64::from(count.max(1));
        Self { frame: Frame { left, right, top: 6.0, bottom }, wide, tall, stacked }
    }

    /// Creates an empty drawing of the right size.
    pub(super) fn drawing(&self, title: &str) -> Drawing {
        Drawing::new(self.wide, self.frame.bottom + if title.is_empty() { 26.0 } else { 46.0 })
    }

    /// Draws the axis below the rows, with its title.
    pub(super) fn draw_axis(&self, drawing: &mut Drawing, axis: &Axis, title: &str) {
        let most = (((self.frame.right - self.frame.left) / 50.0) as usize).clamp(2, 5);
        axis.draw_below(drawing, self.frame.top, self.frame.bottom, most);
        super::title_below(drawing, self.frame, title);
    }

    /// Draws the name and the value of a row and returns the vertical centre of its content.
    pub(super) fn name(&self, drawing: &mut Drawing, at: usize, name: &str, strong: bool, value: &str) -> f64 {
        let top = self.frame.top + self.tall * at as f64;
        let class = if strong { "rs-t rs-strong" } else { "rs-t" };
        let soft = "rs-t rs-small rs-soft";
        if self.stacked {
            let most = self.wide - width(value, SMALL) - 24.0;
            drawing.text((self.frame.left + 5.0, top + 17.0), Anchor::Start, class, most - 5.0, name);
            drawing.text((self.wide - 2.0, top + 17.0), Anchor::End, soft, self.wide * 0.6, value);
            return top + 32.0;
        }
        let middle = top + self.tall / 2.0;
        drawing.text((self.frame.left - 11.0, middle + 4.5), Anchor::End, class, self.frame.left - 14.0, name);
        let most = self.wide - self.frame.right - 10.0;
        drawing.text((self.frame.right + 10.0, middle + 4.0), Anchor::Start, soft, most, value);
        middle
    }
}
