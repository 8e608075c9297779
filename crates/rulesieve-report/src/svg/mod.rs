//! SVG output. All text is escaped here; coordinates are always finite.

mod scale;
mod style;
mod text;

pub(crate) use scale::Axis;
pub use scale::Scale;
pub use style::STYLE;
pub(crate) use text::{as_fine, clean, escape, listed, number, shorten, width};

use std::fmt::Write;

/// Size of normal text in pixels.
pub(crate) const TEXT: f64 = 13.0;
/// Size of small text in pixels.
pub(crate) const SMALL: f64 = 12.0;
/// Relative width of bold characters.
pub(crate) const BOLD: f64 = 1.08;
/// Margin around a drawing in pixels.
const MARGIN: f64 = 10.0;
/// Number of colours; further series reuse them with other dashes.
pub(crate) const COLOURS: usize = 6;

/// A drawing without the enclosing `svg` element.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Drawing {
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
    /// SVG elements.
    pub(crate) body: String,
}

/// Horizontal alignment of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// Formats a coordinate: finite, one decimal.
pub(crate) fn at(value: f64) -> String {
    let value = if value.is_finite() { value.clamp(-1e6, 1e6) } else { 0.0 };
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").map(str::to_owned).unwrap_or(text);
    if text == "-0" { "0".to_owned() } else { text }
}

impl Drawing {
    /// Creates an empty drawing.
    pub(crate) fn new(width: f64, height: f64) -> Self {
        Self { width, height, body: String::new() }
    }

    fn add(&mut self, element: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(element);
        self.body.push('\n');
    }

    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let (x1, y1, x2, y2) = (at(from.0), at(from.1), at(to.0), at(to.1));
        self.add(format_args!(r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#));
    }

    /// A rectangle with an optional tooltip `name`.
    pub(crate) fn rect(&mut self, corner: (f64, f64), size: (f64, f64), class: &str, name: &str) {
        self.shade(corner, size, class, None, name);
    }

    /// A rectangle with an optional opacity.
    pub(crate) fn shade(
        &mut self,
        corner: (f64, f64),
        size: (f64, f64),
        class: &str,
        opacity: Option<f64>,
        name: &str,
    ) {
        let (x, y, width, height) = (at(corner.0), at(corner.1), at(size.0.max(0.0)), at(size.1.max(0.0)));
        let opacity = opacity.map_or(String::new(), |part| format!(r#" fill-opacity="{:.3}""#, part.clamp(0.0, 1.0)));
        let open = format!(r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"{opacity}"#);
        self.named(&open, "rect", name);
    }

    pub(crate) fn path(&mut self, d: &str, class: &str, name: &str) {
        self.named(&format!(r#"<path class="{class}" d="{d}""#), "path", name);
    }

    fn named(&mut self, open: &str, tag: &str, name: &str) {
        if name.is_empty() {
            self.add(format_args!("{open}/>"));
        } else {
            self.add(format_args!("{open}><title>{}</title></{tag}>", escape(name)));
        }
    }

    /// Text of at most `most` pixels; truncated text has the full text as tooltip.
    pub(crate) fn text(&mut self, position: (f64, f64), anchor: Anchor, class: &str, most: f64, text: &str) {
        let size = if class.contains("rs-small") { SMALL } else { TEXT };
        let size = if class.contains("rs-strong") { size * BOLD } else { size };
        let short = shorten(text, size, most);
        let full = if short == clean(text) { String::new() } else { format!("<title>{}</title>", escape(text)) };
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let (x, y) = (at(position.0), at(position.1));
        self.add(format_args!(r#"<text class="{class}" x="{x}" y="{y}"{anchor}>{full}{}</text>"#, escape(&short)));
    }

    /// Text rotated by 90 degrees, centred.
    pub(crate) fn upright(&mut self, centre: (f64, f64), class: &str, most: f64, text: &str) {
        let short = shorten(text, TEXT, most);
        let (x, y) = (at(centre.0), at(centre.1));
        self.add(format_args!(
            r#"<text class="{class}" x="{x}" y="{y}" text-anchor="middle" transform="rotate(-90 {x} {y})">{}</text>"#,
            escape(&short)
        ));
    }

    /// Text rotated by 45 degrees, for the header of a narrow column.
    pub(crate) fn slanted(&mut self, position: (f64, f64), most: f64, text: &str) {
        let short = shorten(text, SMALL, most);
        let full = if short == clean(text) { String::new() } else { format!("<title>{}</title>", escape(text)) };
        let (x, y) = (at(position.0), at(position.1));
        self.add(format_args!(
            r#"<text class="rs-t rs-small" x="{x}" y="{y}" transform="rotate(-45 {x} {y})">{full}{}</text>"#,
            escape(&short)
        ));
    }

    /// An embedded image.
    pub(crate) fn image(&mut self, corner: (f64, f64), size: (f64, f64), href: &str, name: &str) {
        let (x, y, width, height) = (at(corner.0), at(corner.1), at(size.0), at(size.1));
        let name = escape(name);
        self.add(format_args!(
            r#"<image class="rs-image" x="{x}" y="{y}" width="{width}" height="{height}" href="{href}"><title>{name}</title></image>"#
        ));
    }

    /// A disc, larger than a marker.
    pub(crate) fn disc(&mut self, centre: (f64, f64), class: &str, name: &str) {
        let (x, y) = (at(centre.0), at(centre.1));
        self.named(&format!(r#"<circle class="rs-mark {class}" cx="{x}" cy="{y}" r="6""#), "circle", name);
    }

    /// A marker in the shape of a series.
    pub(crate) fn mark(&mut self, centre: (f64, f64), series: usize, name: &str) {
        let (x, y, r) = (centre.0, centre.1, 3.6);
        let point = |dx: f64, dy: f64| format!("{} {}", at(x + dx * r), at(y + dy * r));
        let corners: &[(f64, f64)] = match series % COLOURS {
            0 => &[],
            1 => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
            2 => &[(0.0, -1.3), (1.2, 0.9), (-1.2, 0.9)],
            3 => &[(0.0, -1.4), (1.4, 0.0), (0.0, 1.4), (-1.4, 0.0)],
            4 => &[(0.0, 1.3), (1.2, -0.9), (-1.2, -0.9)],
            _ => &[(-1.2, -0.5), (1.2, -0.5), (1.2, 0.5), (-1.2, 0.5)],
        };
        let d = if corners.is_empty() {
            let (left, y, radius) = (at(x - r), at(y), at(r));
            format!("M{left} {y}a{radius} {radius} 0 1 0 7.2 0a{radius} {radius} 0 1 0 -7.2 0z")
        } else {
            format!("M{}z", corners.iter().map(|&(dx, dy)| point(dx, dy)).collect::<Vec<_>>().join("L"))
        };
        self.path(&d, &format!("rs-mark rs-f{}", series % COLOURS), name);
    }

    /// Inserts another drawing at a position.
    pub(crate) fn insert(&mut self, corner: (f64, f64), other: &Drawing) {
        let (x, y) = (at(corner.0), at(corner.1));
        self.add(format_args!(r#"<g transform="translate({x} {y})">"#));
        self.body.push_str(&other.body);
        self.body.push_str("</g>\n");
    }

    /// The drawing as a complete SVG file.
    pub(crate) fn document(&self, title: &str, alt: &str) -> String {
        let (wide, high) = (self.width.max(1.0).ceil() + 2.0 * MARGIN, self.height.max(1.0).ceil() + 2.0 * MARGIN);
        let (width, height, start) = (at(wide), at(high), at(-MARGIN));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"rs-figure\" viewBox=\"{start} {start} {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\">\n<title>{}</title>\n<desc>{}</desc>\n<style>{STYLE}</style>\n\
             <rect class=\"rs-paper\" x=\"{start}\" y=\"{start}\" width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
            escape(title),
            escape(alt),
            self.body
        )
    }
}

/// Path data of a polyline.
pub(crate) fn through(points: &[(f64, f64)]) -> String {
    let steps: Vec<String> = points.iter().map(|&(x, y)| format!("{} {}", at(x), at(y))).collect();
    if steps.is_empty() { "M0 0".to_owned() } else { format!("M{}", steps.join("L")) }
}
