//! Chart types. Each is a plain struct with the data to draw; [`Chart::figure`] creates the figure.
//!
//! Numbers that are not finite are not drawn; a chart without data is an empty frame, not an error.

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

/// Width of a figure in pixels.
pub const WIDTH: f64 = 660.0;

/// Width of a figure on a phone in pixels.
pub const NARROW: f64 = 310.0;

/// A chart that can be drawn.
pub trait Chart {
    /// Draws the chart at a width in pixels.
    fn draw(&self, width: f64) -> Drawing;
    /// The plotted data.
    fn data(&self) -> Data;
    /// The text alternative with the main numbers.
    fn alt(&self) -> String;

    /// Whether it is legible at [`NARROW`]; if not, the page scrolls the wide figure.
    fn shrinks(&self) -> bool {
        true
    }

    /// Creates the figure. `name` becomes the file name.
    fn figure(&self, name: &str, title: &str) -> Figure {
        let figure = Figure::new(name, title, &self.alt(), &self.draw(WIDTH), self.data());
        if self.shrinks() { figure.with_narrow(&self.draw(NARROW)) } else { figure }
    }
}

/// Bounds of the plotting area.
#[derive(Debug, Clone, Copy)]
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

/// Height of a legend.
fn legend_height(names: &[&str], most: f64) -> f64 {
    match legend_positions(names, most).last() {
        Some((_, y)) => y + 26.0,
        None => 0.0,
    }
}

fn entry_width(name: &str, most: f64) -> f64 {
    (width(name, SMALL) + 48.0).min(most)
}

fn legend_positions(names: &[&str], most: f64) -> Vec<(f64, f64)> {
    let (mut x, mut y) = (0.0, 0.0);
    let position = |name: &&str| {
        let wide = entry_width(name, most);
        if x > 0.0 && x + wide > most {
            (x, y) = (0.0, y + 20.0);
        }
        let here = (x, y);
        x += wide;
        here
    };
    names.iter().map(position).collect()
}

/// Draws the names of series, each with its marker and, for `lines`, its line style.
fn legend(drawing: &mut Drawing, corner: (f64, f64), most: f64, names: &[&str], lines: bool) {
    for (series, (name, (x, y))) in names.iter().zip(legend_positions(names, most)).enumerate() {
        let (x, y) = (corner.0 + x, corner.1 + y + 10.0);
        if lines {
            drawing.line((x, y), (x + 24.0, y), &stroke(series));
        }
        drawing.mark((x + 12.0, y), series, "");
        drawing.text((x + 30.0, y + 4.0), Anchor::Start, "rs-t rs-small", entry_width(name, most) - 34.0, name);
    }
}

/// The CSS classes of the line of a series: colour and dashes.
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

/// Placeholder for a chart without data.
fn no_data(drawing: &mut Drawing) {
    let middle = (drawing.width / 2.0, drawing.height / 2.0);
    drawing.text(middle, Anchor::Middle, "rs-t rs-small rs-soft", drawing.width, "no data");
}

#[cfg(test)]
mod tests;
