//! Greyscale images in rows, with selected pixels marked white.

use super::Chart;
use crate::Data;
use crate::figure::exact;
use crate::svg::{Anchor, Drawing, TEXT, width};

const GAP: f64 = 6.0;
/// The brightest grey of images with marked pixels, which are white.
const BRIGHTEST: f64 = 205.0;
/// Maximum pixels per side of an image.
const LARGEST: usize = 4096;

/// A grid of images.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pictures {
    /// Titles of the columns.
    pub columns: Vec<String>,
    /// Rows with their names.
    pub rows: Vec<(String, Vec<Picture>)>,
}

/// A greyscale image.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Picture {
    /// Height in pixels.
    pub height: usize,
    /// Width in pixels.
    pub width: usize,
    /// Brightness from 0 (black) to 1, row by row; missing and non-finite pixels are black.
    pub pixels: Vec<f64>,
    /// Which pixels are marked white, in the same order.
    pub mask: Option<Vec<bool>>,
}

impl Picture {
    fn marked(&self) -> usize {
        self.mask.as_ref().map_or(0, |mask| mask.iter().filter(|&&marked| marked).count())
    }

    /// Number and position of the marked pixels; `None` if none is marked.
    fn marks(&self) -> Option<String> {
        let (mask, marked) = (self.mask.as_ref()?, self.marked());
        let share = |third: usize| {
            let rows = third * self.height / 3..(third + 1) * self.height / 3;
            let here =
                mask.iter().enumerate().filter(|&(at, &marked)| marked && rows.contains(&(at / self.width.max(1))));
            (100.0 * here.count() as f64 / marked as f64).round()
        };
        (marked > 0).then(|| {
            let [upper, middle, lower] = [share(0), share(1), share(2)];
            format!("{marked} pixels marked white, {upper} % of them in the upper third, {middle} % in the middle, {lower} % in the lower.")
        })
    }

    /// The image as a PNG data URL; `None` without pixels.
    fn data_url(&self) -> Option<String> {
        let (height, width) = (self.height.min(LARGEST), self.width.min(LARGEST));
        if height == 0 || width == 0 {
            return None;
        }
        let brightest = if self.mask.is_some() { BRIGHTEST } else { 255.0 };
        let byte = |at: usize| {
            let marked = self.mask.as_ref().is_some_and(|mask| mask.get(at) == Some(&true));
            let value = self.pixels.get(at).copied().filter(|value| value.is_finite()).unwrap_or(0.0);
            if marked { 255 } else { (value.clamp(0.0, 1.0) * brightest).round() as u8 }
        };
        let bytes: Vec<u8> = (0..height).flat_map(|y| (0..width).map(move |x| y * self.width + x)).map(byte).collect();
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width as u32, height as u32);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header().ok()?.write_image_data(&bytes).ok()?;
        Some(format!("data:image/png;base64,{}", base64(&file)))
    }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * at)) as usize & 63];
            text.push(if at <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

impl Chart for Pictures {
    fn draw(&self, wide: f64) -> Drawing {
        let columns =
            self.rows.iter().map(|(_, pictures)| pictures.len()).max().unwrap_or(0).max(self.columns.len()).max(1);
        let names = self.rows.iter().map(|(name, _)| width(name, TEXT)).fold(0.0, f64::max).min(wide * 0.25);
        let left = if names > 0.0 { names + 12.0 } else { 0.0 };
        let cell = ((wide - left) / columns as f64 - GAP).clamp(4.0, 150.0);
        let shape = self.rows.iter().flat_map(|(_, pictures)| pictures).find(|picture| picture.width > 0);
        let tall =
            shape.map_or(cell, |picture| cell * picture.height as f64 / picture.width as f64).clamp(4.0, 4.0 * cell);
        let head = if self.columns.is_empty() { 0.0 } else { 24.0 };
        let mut drawing = Drawing::new(wide, head + (tall + GAP) * self.rows.len().max(1) as f64);
        for (at, title) in self.columns.iter().enumerate() {
            let middle = left + (cell + GAP) * at as f64 + cell / 2.0;
            drawing.text((middle, 15.0), Anchor::Middle, "rs-t rs-small", cell + GAP - 2.0, title);
        }
        for (row, (name, pictures)) in self.rows.iter().enumerate() {
            let y = head + (tall + GAP) * row as f64;
            drawing.text((names, y + tall / 2.0 + 4.5), Anchor::End, "rs-t", names + 2.0, name);
            for (at, picture) in pictures.iter().enumerate() {
                let Some(url) = picture.data_url() else { continue };
                let title = self.columns.get(at).map_or("", String::as_str);
                let corner = (left + (cell + GAP) * at as f64, y);
                drawing.image(corner, (cell, tall), &url, format!("{name} {title}").trim());
            }
        }
        drawing
    }

    fn shrinks(&self) -> bool {
        self.columns.len() < 5 && self.rows.iter().all(|(_, pictures)| pictures.len() < 5)
    }

    fn data(&self) -> Data {
        let mut data = Data::new(["row", "column", "y", "x", "brightness", "marked"]);
        for (name, pictures) in &self.rows {
            for (at, picture) in pictures.iter().enumerate() {
                let title = self.columns.get(at).cloned().unwrap_or_else(|| (at + 1).to_string());
                for (index, &value) in picture.pixels.iter().enumerate().filter(|_| picture.width > 0) {
                    let marked = picture.mask.as_ref().is_some_and(|mask| mask.get(index) == Some(&true));
                    let (y, x) = ((index / picture.width).to_string(), (index % picture.width).to_string());
                    let marked = if marked { "yes" } else { "no" };
                    data.push([name.clone(), title.clone(), y, x, exact(value), marked.to_owned()]);
                }
            }
        }
        data
    }

    fn alt(&self) -> String {
        let all: Vec<&Picture> = self.rows.iter().flat_map(|(_, pictures)| pictures).collect();
        let size = all.first().map_or(String::new(), |one| format!(" of {} x {} pixels", one.height, one.width));
        let what = match (all.len(), self.rows.len()) {
            (1, _) => format!("A greyscale image{size}"),
            (count, 1) => format!("{count} greyscale images{size}"),
            (count, rows) => format!("{count} greyscale images{size} in {rows} rows"),
        };
        let titles =
            if self.columns.is_empty() { String::new() } else { format!("; columns: {}", self.columns.join(", ")) };
        let described = |(name, pictures): &(String, Vec<Picture>)| {
            let marks = pictures.first()?.marks()?;
            Some(if name.is_empty() { format!(" {marks}") } else { format!(" {name}: {marks}") })
        };
        format!("{what}{titles}.{}", self.rows.iter().filter_map(described).collect::<String>())
    }
}
