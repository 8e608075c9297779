//! A table of numbers as shades.

use super::{Chart, nothing};
use crate::Data;
use crate::figure::exact;
use crate::svg::{Anchor, Drawing, SMALL, TEXT, number, width};

/// The darkest shade of cells that are written on: with it, text keeps 4.5 times the contrast on every colour, light and dark.
const WRITTEN: f64 = 0.5;
/// Room of a head that rises to the right.
const HEAD: f64 = 110.0;

/// How numbers become shades.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shading {
    /// From nothing for the lowest to full for the highest.
    #[default]
    Sequential,
    /// Zero is nothing; one colour for what lies above, another for what lies below.
    Diverging,
}

/// A heat map.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Heat {
    /// Names of the rows, from above.
    pub rows: Vec<String>,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// A list of numbers for each row.
    pub values: Vec<Vec<f64>>,
    /// How numbers become shades.
    pub shading: Shading,
    /// The numbers of the lightest and the darkest shade; those of the data where none are given.
    pub range: Option<(f64, f64)>,
    /// Digits after the point of the numbers in the cells; none are written without.
    pub digits: Option<usize>,
    /// What the rows are.
    pub row_title: String,
    /// What the columns are.
    pub column_title: String,
    /// What is measured.
    pub value_title: String,
}

impl Heat {
    fn value(&self, row: usize, column: usize) -> f64 {
        self.values.get(row).and_then(|values| values.get(column)).copied().unwrap_or(f64::NAN)
    }

    fn finite(&self) -> impl Iterator<Item = f64> {
        self.values.iter().flatten().copied().filter(|value| value.is_finite())
    }

    /// The numbers of no shade and of full shade.
    fn ends(&self) -> (f64, f64) {
        let seen = || {
            let (low, high) = self.finite().fold((f64::MAX, -f64::MAX), |(low, high), v| (low.min(v), high.max(v)));
            if low > high { (0.0, 1.0) } else { (low, high) }
        };
        let (low, high) = self.range.filter(|(low, high)| low.is_finite() && high.is_finite()).unwrap_or_else(seen);
        match self.shading {
            Shading::Sequential => (low, high),
            Shading::Diverging => (0.0, low.abs().max(high.abs())),
        }
    }

    /// The class of a cell and how dark it is.
    fn shade(&self, value: f64, ends: (f64, f64)) -> (&'static str, f64) {
        let (value, class) = match self.shading {
            Shading::Sequential => (value, "rs-f0"),
            Shading::Diverging => (value.abs(), if value < 0.0 { "rs-f1" } else { "rs-f0" }),
        };
        let share = (value / 2.0 - ends.0 / 2.0) / (ends.1 / 2.0 - ends.0 / 2.0);
        (class, self.darkest() * if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 })
    }

    fn darkest(&self) -> f64 {
        if self.digits.is_some() { WRITTEN } else { 1.0 }
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

    fn legend(&self, drawing: &mut Drawing, corner: (f64, f64), most: f64, ends: (f64, f64)) {
        let from = if self.shading == Shading::Diverging { -ends.1 } else { ends.0 };
        let (low, high) = (number(from), number(ends.1));
        let start = corner.0 + width(&low, SMALL) + 8.0;
        let (steps, step) = (24, 5.0);
        drawing.text((corner.0, corner.1 + 11.0), Anchor::Start, "rs-t rs-small rs-soft", 80.0, &low);
        for at in 0..steps {
            let share = f64::from(at) / f64::from(steps - 1);
            let (class, opacity) = match self.shading {
                Shading::Sequential => ("rs-f0", share),
                Shading::Diverging => (if share < 0.5 { "rs-f1" } else { "rs-f0" }, (2.0 * share - 1.0).abs()),
            };
            drawing.shade(
                (start + f64::from(at) * step, corner.1),
                (step, 14.0),
                class,
                Some(self.darkest() * opacity),
                "",
            );
        }
        let end = start + f64::from(steps) * step;
        drawing.rect((start, corner.1), (end - start, 14.0), "rs-frame", "");
        let said = [high, self.value_title.clone()].join("  ");
        drawing.text((end + 8.0, corner.1 + 11.0), Anchor::Start, "rs-t rs-small rs-soft", most - end, said.trim());
    }
}

impl Chart for Heat {
    fn draw(&self, wide: f64) -> Drawing {
        let (rows, columns) = (self.rows.len(), self.columns.len());
        if rows == 0 || columns == 0 {
            let mut drawing = Drawing::new(wide, 60.0);
            nothing(&mut drawing);
            return drawing;
        }
        let titled = if self.row_title.is_empty() { 0.0 } else { 20.0 };
        let names = self.rows.iter().map(|name| width(name, TEXT)).fold(0.0, f64::max).min(wide * 0.3);
        let left = titled + names + 10.0;
        let longest = self.columns.iter().map(|name| width(name, SMALL)).fold(0.0, f64::max);
        let cell = ((wide - left - 8.0) / columns as f64).min((longest + 14.0).clamp(76.0, 140.0));
        let slanted = longest > cell - 6.0;
        let cell = if slanted { ((wide - left - HEAD * 0.55) / columns as f64).min(62.0) } else { cell }.max(1.0);
        let tall = cell.clamp(if self.digits.is_some() { 22.0 } else { 12.0 }, 40.0).min(cell.max(24.0));
        let head = if slanted { longest.min(HEAD) * 0.75 + 14.0 } else { 22.0 };
        let top = head + if self.column_title.is_empty() { 0.0 } else { 20.0 };
        let bottom = top + tall * rows as f64;
        let mut drawing = Drawing::new(wide, bottom + 30.0);
        let middle = left + cell * columns as f64 / 2.0;
        if !self.column_title.is_empty() {
            drawing.text((middle, 14.0), Anchor::Middle, "rs-t rs-small rs-soft", wide - left, &self.column_title);
        }
        if titled > 0.0 {
            drawing.upright((12.0, (top + bottom) / 2.0), "rs-t rs-small rs-soft", bottom - top, &self.row_title);
        }
        // Names that would lie on each other are left to the pointer and the table.
        if cell >= 9.0 {
            for (at, name) in self.columns.iter().enumerate() {
                let x = left + cell * (at as f64 + 0.5);
                match slanted {
                    true => drawing.slanted((x, top - 6.0), HEAD, name),
                    false => drawing.text((x, top - 7.0), Anchor::Middle, "rs-t rs-small", cell, name),
                }
            }
        }
        let ends = self.ends();
        for (row, name) in self.rows.iter().enumerate() {
            let y = top + tall * row as f64;
            drawing.text((left - 8.0, y + tall / 2.0 + 4.5), Anchor::End, "rs-t", names + 2.0, name);
            for (column, head) in self.columns.iter().enumerate() {
                let (x, value) = (left + cell * column as f64, self.value(row, column));
                let (class, opacity) = self.shade(value, ends);
                let said = format!("{name}, {head}: {}", self.text(value));
                drawing.shade((x + 0.5, y + 0.5), (cell - 1.0, tall - 1.0), class, Some(opacity), &said);
                if self.digits.is_some() && cell >= 26.0 {
                    let text = self.text(value);
                    drawing.text(
                        (x + cell / 2.0, y + tall / 2.0 + 4.0),
                        Anchor::Middle,
                        "rs-t rs-small",
                        cell + 4.0,
                        &text,
                    );
                }
            }
        }
        drawing.rect((left, top), (cell * columns as f64, tall * rows as f64), "rs-frame", "");
        self.legend(&mut drawing, (left, bottom + 12.0), wide, ends);
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
        let place = |wanted: f64| {
            let places = (0..self.rows.len()).flat_map(|row| (0..self.columns.len()).map(move |column| (row, column)));
            let mut found = places.filter(|&(row, column)| self.value(row, column) == wanted);
            found
                .next()
                .map_or(String::new(), |(row, column)| format!(" ({}, {})", self.rows[row], self.columns[column]))
        };
        let what = if self.value_title.is_empty() { "values" } else { &self.value_title };
        let shape = format!("Heat map of {what}, {} rows and {} columns", self.rows.len(), self.columns.len());
        match self
            .finite()
            .fold(None, |ends: Option<(f64, f64)>, v| Some(ends.map_or((v, v), |(l, h)| (l.min(v), h.max(v)))))
        {
            Some((low, high)) => {
                format!("{shape}: lowest {}{}, highest {}{}.", number(low), place(low), number(high), place(high))
            }
            None => format!("{shape}, without numbers."),
        }
    }
}
