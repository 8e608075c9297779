//! Grids of small charts with titles.

use super::{Chart, legend, legend_height};
use crate::Data;
use crate::svg::{Anchor, Drawing};

const GAP: f64 = 22.0;
/// Below this width a row has half as many charts.
const STACK_BELOW: f64 = 480.0;

/// A grid of charts, row by row.
#[derive(Default)]
pub struct Panels {
    /// The charts with their titles.
    pub panels: Vec<(String, Box<dyn Chart>)>,
    /// Charts per row.
    pub columns: usize,
    /// Names of the series common to all charts; empty for no legend.
    pub legend: Vec<String>,
    /// Whether the legend shows line styles.
    pub lines: bool,
}

impl Chart for Panels {
    fn draw(&self, wide: f64) -> Drawing {
        let columns = self.columns.clamp(1, self.panels.len().max(1));
        let columns = if wide < STACK_BELOW { columns.div_ceil(2) } else { columns };
        let each = ((wide - GAP * (columns - 1) as f64) / columns as f64).max(60.0);
        let names: Vec<&str> = self.legend.iter().map(String::as_str).collect();
        let head = if names.is_empty() { 0.0 } else { legend_height(&names, wide) + 6.0 };
        let drawn: Vec<Drawing> = self.panels.iter().map(|(_, chart)| chart.draw(each)).collect();
        let mut positions = Vec::with_capacity(drawn.len());
        let mut y = head;
        for row in drawn.chunks(columns) {
            positions.extend((0..row.len()).map(|column| ((each + GAP) * column as f64, y)));
            y += 26.0 + row.iter().map(|chart| chart.height).fold(0.0, f64::max) + GAP;
        }
        let mut drawing = Drawing::new(wide, (y - GAP).max(40.0));
        legend(&mut drawing, (0.0, 0.0), wide, &names, self.lines);
        for (((title, _), chart), (x, y)) in self.panels.iter().zip(&drawn).zip(positions) {
            drawing.text((x, y + 15.0), Anchor::Start, "rs-t rs-strong", each, title);
            drawing.insert((x, y + 26.0), chart);
        }
        drawing
    }

    fn shrinks(&self) -> bool {
        self.columns < 4 && self.panels.iter().all(|(_, chart)| chart.shrinks())
    }

    fn data(&self) -> Data {
        let parts: Vec<(&str, Data)> =
            self.panels.iter().map(|(title, chart)| (title.as_str(), chart.data())).collect();
        // Charts of different types have different headers: use the long format with one value per row.
        let header = parts.first().map(|(_, data)| data.header.clone()).unwrap_or_default();
        if parts.iter().all(|(_, data)| data.header == header) {
            let mut all = Data::new(["panel".to_owned()].into_iter().chain(header));
            for (title, data) in parts {
                data.rows.into_iter().for_each(|row| all.push([title.to_owned()].into_iter().chain(row)));
            }
            return all;
        }
        let mut all = Data::new(["panel", "row", "column", "value"]);
        for (title, data) in parts {
            for (at, row) in data.rows.iter().enumerate() {
                for (column, cell) in data.header.iter().zip(row) {
                    all.push([title, &(at + 1).to_string(), column, cell]);
                }
            }
        }
        all
    }

    fn alt(&self) -> String {
        let items: Vec<String> = self.panels.iter().map(|(title, chart)| format!("{title}: {}", chart.alt())).collect();
        format!("{} small charts. {}", items.len(), items.join(" "))
    }
}
