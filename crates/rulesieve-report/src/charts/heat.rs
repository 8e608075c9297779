//! Heat maps.

use super::{Chart, no_data};
use crate::Data;
use crate::figure::exact;
use crate::svg::{Anchor, Drawing, SMALL, TEXT, number, width};

/// Largest opacity of cells with text: it keeps a text contrast of 4.5:1 on all colours, light and dark.
const WRITTEN: f64 = 0.5;
/// Minimum cell width for column names without overlap.
const NAMED: f64 = 9.0;
/// Maximum width of a rotated column name.
const HEAD: f64 = 110.0;

/// Colour scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shading {
    /// One colour, from transparent for the lowest to opaque for the highest value.
    #[default]
    Sequential,
    /// Transparent at zero, one colour for positive and another for negative values.
    Diverging,
}

/// A heat map.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Heat {
    /// Row names, top to bottom.
    pub rows: Vec<String>,
    /// Column names.
    pub columns: Vec<String>,
    /// Values by row.
    pub values: Vec<Vec<f64>>,
    /// Colour scale.
    pub shading: Shading,
    /// Values of the lightest and darkest shade; default: the range of the data.
    pub range: Option<(f64, f64)>,
    /// Decimals of the numbers in the cells; default: no numbers.
    pub digits: Option<usize>,
    /// Title of the rows.
    pub row_title: String,
    /// Title of the columns.
    pub column_title: String,
    /// Title of the values.
    pub value_title: String,
}

impl Heat {
    fn value(&self, row: usize, column: usize) -> f64 {
        self.values.get(row).and_then(|values| values.get(column)).copied().unwrap_or(f64::NAN)
    }

    fn finite(&self) -> impl Iterator<Item = f64> {
        self.values.iter().flatten().copied().filter(|value| value.is_finite())
    }

    /// The values of opacity 0 and 1.
    fn ends(&self) -> (f64, f64) {
        let range = || {
            let (low, high) = self.finite().fold((f64::MAX, -f64::MAX), |(low, high), v| (low.min(v), high.max(v)));
            if low > high { (0.0, 1.0) } else { (low, high) }
        };
        let (low, high) = self.range.filter(|(low, high)| low.is_finite() && high.is_finite()).unwrap_or_else(range);
        match self.shading {
            Shading::Sequential => (low, high),
            Shading::Diverging => (0.0, low.abs().max(high.abs())),
        }
    }

    /// The CSS class of a cell and its opacity.
    fn shade(&self, value: f64, ends: (f64, f64)) -> (&'static str, f64) {
        let (value, class) = match self.shading {
            Shading::Sequential => (value, "rs-f0"),
            Shading::Diverging => (value.abs(), if value < 0.0 { "rs-f1" } else { "rs-f0" }),
        };
        let share = (value / 2.0 - ends.0 / 2.0) / (ends.1 / 2.0 - ends.0 / 2.0);
        (class, if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 })
    }

    /// Whether numbers are requested and fit into the cells.
    fn is_written(&self, cell: f64) -> bool {
        let widest = self.values.iter().flatten().map(|&value| width(&self.text(value), SMALL)).fold(0.0, f64::max);
        self.digits.is_some() && widest + 4.0 <= cell
    }

    fn text(&self, value: f64) -> String {
        match self.digits {
            _ if !value.is_finite() => "–".to_owned(),
            Some(digits) if value.abs() < 1e6 => {
                let text = format!("{value:.digits$}");
                text.strip_prefix('-')
                    .filter(|rest| rest.bytes().all(|b| b == b'0' || b == b'.'))
                    .map(str::to_owned)
                    .unwrap_or(text)
            }
            _ => number(value),
        }
    }

    fn legend(&self, drawing: &mut Drawing, corner: (f64, f64), darkest: f64, ends: (f64, f64)) {
        let from = if self.shading == Shading::Diverging { -ends.1 } else { ends.0 };
        let (low, high) = (number(from), number(ends.1));
        let start = corner.0 + width(&low, SMALL) + 8.0;
        let room = drawing.width - start - width(&high, SMALL) - 12.0;
        let steps = 24;
        let step = (room / f64::from(steps)).clamp(1.0, 5.0);
        drawing.text((corner.0, corner.1 + 11.0), Anchor::Start, "rs-t rs-small rs-soft", 80.0, &low);
        for at in 0..steps {
            let share = f64::from(at) / f64::from(steps - 1);
            let (class, opacity) = match self.shading {
                Shading::Sequential => ("rs-f0", share),
                Shading::Diverging => (if share < 0.5 { "rs-f1" } else { "rs-f0" }, (2.0 * share - 1.0).abs()),
            };
            drawing.shade((start + f64::from(at) * step, corner.1), (step, 14.0), class, Some(darkest * opacity), "");
        }
        let end = start + f64::from(steps) * step;
        drawing.rect((start, corner.1), (end - start, 14.0), "rs-frame", "");
        let titled = [high.as_str(), &self.value_title].join("  ");
        let room = drawing.width - end - 8.0;
        // Optional here: the title and the text alternative of the figure contain it too.
        let label = if width(&titled, SMALL) <= room { titled.trim() } else { high.as_str() };
        drawing.text((end + 8.0, corner.1 + 11.0), Anchor::Start, "rs-t rs-small rs-soft", room, label);
    }
}

/// Layout of the cells.
struct Grid {
    left: f64,
    top: f64,
    bottom: f64,
    cell: f64,
    tall: f64,
    slanted: bool,
}

impl Heat {
    fn grid(&self, wide: f64) -> Grid {
        let titled = if self.row_title.is_empty() { 0.0 } else { 20.0 };
        let names = self.rows.iter().map(|name| width(name, TEXT)).fold(0.0, f64::max).min(wide * 0.3);
        let left = titled + names + 10.0;
        let columns = self.columns.len() as f64;
        let longest = self.columns.iter().map(|name| width(name, SMALL)).fold(0.0, f64::max);
        let cell = ((wide - left - 8.0) / columns).min((longest + 14.0).clamp(76.0, 140.0));
        let slanted = longest > cell - 3.0;
        // The last rotated name extends beyond its column.
        let beyond = longest.min(HEAD) * 0.75;
        let cell = if slanted { ((wide - left - beyond) / columns).min(62.0) } else { cell }.max(1.0);
        let tall = cell.clamp(if self.digits.is_some() { 22.0 } else { 15.0 }, 40.0).min(cell.max(24.0));
        let head = match slanted {
            _ if cell < NAMED => 8.0,
            true => longest.min(HEAD) * 0.75 + 14.0,
            false => 22.0,
        };
        let top = head + if self.column_title.is_empty() { 0.0 } else { 20.0 };
        Grid { left, top, bottom: top + tall * self.rows.len() as f64, cell, tall, slanted }
    }

    /// Draws the titles of rows and columns and the column names.
    fn heads(&self, drawing: &mut Drawing, grid: &Grid) {
        let Grid { left, top, bottom, cell, .. } = *grid;
        let (soft, middle) = ("rs-t rs-small rs-soft", left + cell * self.columns.len() as f64 / 2.0);
        if !self.column_title.is_empty() {
            drawing.text((middle, 14.0), Anchor::Middle, soft, drawing.width - left, &self.column_title);
        }
        if !self.row_title.is_empty() {
            drawing.upright((12.0, (top + bottom) / 2.0), soft, bottom - top, &self.row_title);
        }
        // Names that would overlap are only in the tooltips and the data table.
        for (at, name) in self.columns.iter().enumerate().filter(|_| cell >= NAMED) {
            let x = left + cell * (at as f64 + 0.5);
            match grid.slanted {
                true => drawing.slanted((x, top - 6.0), HEAD, name),
                false => drawing.text((x, top - 7.0), Anchor::Middle, "rs-t rs-small", cell, name),
            }
        }
    }

    fn row(&self, drawing: &mut Drawing, grid: &Grid, row: usize, (ends, written): ((f64, f64), bool)) {
        let Grid { left, top, cell, tall, .. } = *grid;
        let y = top + tall * row as f64;
        let room = left - 6.0 - if self.row_title.is_empty() { 0.0 } else { 20.0 };
        drawing.text((left - 8.0, y + tall / 2.0 + 4.5), Anchor::End, "rs-t", room, &self.rows[row]);
        for (column, head) in self.columns.iter().enumerate() {
            let (x, value) = (left + cell * column as f64, self.value(row, column));
            let (class, shade) = self.shade(value, ends);
            let (shade, text) = (if written { WRITTEN * shade } else { shade }, self.text(value));
            let label = format!("{}, {head}: {text}", self.rows[row]);
            drawing.shade((x + 0.5, y + 0.5), (cell - 1.0, tall - 1.0), class, Some(shade), &label);
            if written {
                let middle = (x + cell / 2.0, y + tall / 2.0 + 4.0);
                drawing.text(middle, Anchor::Middle, "rs-t rs-small", cell + 4.0, &text);
            }
        }
    }
}

impl Chart for Heat {
    fn draw(&self, wide: f64) -> Drawing {
        if self.rows.is_empty() || self.columns.is_empty() {
            let mut drawing = Drawing::new(wide, 60.0);
            no_data(&mut drawing);
            return drawing;
        }
        let grid = self.grid(wide);
        let mut drawing = Drawing::new(wide, grid.bottom + 30.0);
        self.heads(&mut drawing, &grid);
        let (ends, written) = (self.ends(), self.is_written(grid.cell));
        (0..self.rows.len()).for_each(|row| self.row(&mut drawing, &grid, row, (ends, written)));
        let size = (grid.cell * self.columns.len() as f64, grid.bottom - grid.top);
        drawing.rect((grid.left, grid.top), size, "rs-frame", "");
        let darkest = if written { WRITTEN } else { 1.0 };
        self.legend(&mut drawing, (grid.left, grid.bottom + 12.0), darkest, ends);
        drawing
    }

    fn data(&self) -> Data {
        let corner = if self.row_title.is_empty() { "name" } else { &self.row_title };
        let mut data = Data::new([corner.to_owned()].into_iter().chain(self.columns.iter().cloned()));
        for (row, name) in self.rows.iter().enumerate() {
            let cells = (0..self.columns.len()).map(|column| exact(self.value(row, column)));
            data.push([name.clone()].into_iter().chain(cells));
        }
        data
    }

    fn alt(&self) -> String {
        let position = |wanted: f64| {
            let cells = (0..self.rows.len()).flat_map(|row| (0..self.columns.len()).map(move |column| (row, column)));
            let mut found = cells.filter(|&(row, column)| self.value(row, column) == wanted);
            let named = |title: &str, value: &str| {
                if title.is_empty() { value.to_owned() } else { format!("{title} {value}") }
            };
            found.next().map_or(String::new(), |(row, column)| {
                let (row, column) = (&self.rows[row], &self.columns[column]);
                format!(" ({}, {})", named(&self.row_title, row), named(&self.column_title, column))
            })
        };
        let what = if self.value_title.is_empty() { "values" } else { &self.value_title };
        let shape = format!("Heat map of {what}, {} rows and {} columns", self.rows.len(), self.columns.len());
        match self
            .finite()
            .fold(None, |ends: Option<(f64, f64)>, v| Some(ends.map_or((v, v), |(l, h)| (l.min(v), h.max(v)))))
        {
            Some((low, high)) => {
                format!("{shape}: lowest {}{}, highest {}{}.", number(low), position(low), number(high), position(high))
            }
            None => format!("{shape}, without numbers."),
        }
    }
}
