//! The kinds of figures. Each is a plain struct of what is to be seen; [`Chart::figure`] makes the figure.
//!
//! Numbers that are not finite have no place and are left out; a chart of nothing is an empty frame, never an error.

mod bars;
mod critical;
mod distribution;
mod dots;
mod heat;
mod lines;
mod panels;
mod pictures;
mod rows;
mod scatter;
mod shares;

pub use crate::svg::Scale;
pub use bars::{Bar, Bars};
pub use critical::{CriticalDifference, Difference};
pub use distribution::Densities;
pub use dots::{Dot, Dots};
pub use heat::{Heat, Shading};
pub use lines::{Lines, Series};
pub use panels::Panels;
pub use pictures::{Picture, Pictures};
pub use scatter::Scatter;
pub use shares::Shares;

use crate::svg::{Anchor, COLOURS, Drawing, SMALL, width};
use crate::{Data, Figure};

/// Width of a figure, in pixels.
pub const WIDTH: f64 = 660.0;

/// Width of the same figure on a phone.
pub const NARROW: f64 = 310.0;

/// Something that can be drawn.
pub trait Chart {
    /// The picture at a width in pixels.
    fn draw(&self, width: f64) -> Drawing;
    /// The numbers behind it.
    fn data(&self) -> Data;
    /// What is seen, with numbers.
    fn alt(&self) -> String;

    /// Whether it can be read at the width of a phone; if not, a page lets the reader move over the wide one.
    fn shrinks(&self) -> bool {
        true
    }

    /// The figure: `name` is that of its files, `title` says what it is.
    fn figure(&self, name: &str, title: &str) -> Figure {
        let figure = Figure::new(name, title, &self.alt(), &self.draw(WIDTH), self.data());
        if self.shrinks() { figure.with_narrow(&self.draw(NARROW)) } else { figure }
    }
}

/// Room around the plotting area.
#[derive(Debug, Clone, Copy)]
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

/// Height of a legend.
fn legend_height(names: &[&str], room: f64) -> f64 {
    match legend_places(names, room).last() {
        Some((_, y)) => y + 26.0,
        None => 0.0,
    }
}

fn entry_width(name: &str, room: f64) -> f64 {
    (width(name, SMALL) + 48.0).min(room)
}

fn legend_places(names: &[&str], room: f64) -> Vec<(f64, f64)> {
    let (mut x, mut y) = (0.0, 0.0);
    let place = |name: &&str| {
        let wide = entry_width(name, room);
        if x > 0.0 && x + wide > room {
            (x, y) = (0.0, y + 20.0);
        }
        let here = (x, y);
        x += wide;
        here
    };
    names.iter().map(place).collect()
}

/// Names of series in a row, each with its mark and, for lines, its dashes.
fn legend(drawing: &mut Drawing, corner: (f64, f64), room: f64, names: &[&str], lines: bool) {
    for (series, (name, (x, y))) in names.iter().zip(legend_places(names, room)).enumerate() {
        let (x, y) = (corner.0 + x, corner.1 + y + 10.0);
        if lines {
            drawing.line((x, y), (x + 24.0, y), &stroke(series));
        }
        drawing.mark((x + 12.0, y), series, "");
        drawing.text((x + 30.0, y + 4.0), Anchor::Start, "rs-t rs-small", entry_width(name, room) - 34.0, name);
    }
}

/// The class of the line of a series: its colour and its dashes.
fn stroke(series: usize) -> String {
    let dash = (series + series / COLOURS) % COLOURS;
    format!("rs-line rs-s{} rs-d{dash}", series % COLOURS)
}

/// The title of a horizontal axis.
fn title_below(drawing: &mut Drawing, frame: Frame, title: &str) {
    let middle = (frame.left + frame.right) / 2.0;
    let most = frame.right - frame.left;
    drawing.text((middle, frame.bottom + 36.0), Anchor::Middle, "rs-t rs-small rs-soft", most, title);
}

/// Words beside a chart that has nothing to show.
fn nothing(drawing: &mut Drawing) {
    let middle = (drawing.width / 2.0, drawing.height / 2.0);
    drawing.text(middle, Anchor::Middle, "rs-t rs-small rs-soft", drawing.width, "nothing to show");
}

#[cfg(test)]
mod tests;
