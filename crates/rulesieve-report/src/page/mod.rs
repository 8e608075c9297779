//! A self-contained HTML page of text, tables and figures, without scripts or external resources.

mod parts;
mod style;

use parts::table_with_best;
pub(crate) use parts::{name, names, table, words};

use crate::{Data, Figure, STYLE};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Forbids scripts and external resources, so that hostile names in the data have no effect.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/// An HTML page.
#[derive(Debug, Clone)]
pub struct Page {
    title: String,
    subject: String,
    summary: Vec<Markup>,
    sections: Vec<Section>,
}

/// A section with a heading.
#[derive(Debug, Clone)]
pub struct Section {
    title: String,
    body: Vec<Markup>,
    figures: Vec<Figure>,
}

impl Section {
    /// Creates an empty section.
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), body: Vec::new(), figures: Vec::new() }
    }

    /// Adds a paragraph.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        self.with(html! { p { (words(text)) } })
    }

    /// Adds a figure with its data in a collapsed block below it.
    #[must_use]
    pub fn figure(mut self, figure: Figure) -> Self {
        self.body.push(parts::figure(&figure));
        self.figures.push(figure);
        self
    }

    /// Adds a table. `numbers` are the indices of numeric columns.
    #[must_use]
    pub fn table(self, caption: &str, data: &Data, numbers: &[usize]) -> Self {
        self.with(table(caption, data, numbers))
    }

    /// Adds a table with the cells `best`, by row and column, in bold.
    #[must_use]
    pub fn table_with_best(self, caption: &str, data: &Data, numbers: &[usize], best: &[(usize, usize)]) -> Self {
        self.with(table_with_best(caption, data, numbers, best))
    }

    /// Adds one or more lines of shell commands.
    #[must_use]
    pub fn command(self, command: &str) -> Self {
        let lines: Vec<String> = command.lines().map(crate::svg::clean).collect();
        self.with(html! { pre tabindex="0" { code { (lines.join("\n")) } } })
    }

    /// Adds content.
    #[must_use]
    pub(crate) fn with(mut self, content: Markup) -> Self {
        self.body.push(content);
        self
    }
}

impl Page {
    /// Creates an empty page.
    pub fn new(title: &str, subject: &str) -> Self {
        Self { title: title.to_owned(), subject: subject.to_owned(), summary: Vec::new(), sections: Vec::new() }
    }

    /// Adds a sentence to the summary at the top.
    #[must_use]
    pub fn summary(self, sentence: &str) -> Self {
        self.summary_markup(html! { (words(sentence)) })
    }

    #[must_use]
    pub(crate) fn summary_markup(mut self, sentence: Markup) -> Self {
        self.summary.push(sentence);
        self
    }

    /// Adds a section; an empty section is skipped.
    #[must_use]
    pub fn section(mut self, section: Section) -> Self {
        if !section.body.is_empty() {
            self.sections.push(section);
        }
        self
    }

    /// Adds a section if present.
    #[must_use]
    pub(crate) fn maybe(self, section: Option<Section>) -> Self {
        match section {
            Some(section) => self.section(section),
            None => self,
        }
    }

    /// All figures in order, with unique names.
    pub fn figures(&self) -> Vec<Figure> {
        let mut figures: Vec<Figure> = Vec::new();
        for figure in self.sections.iter().flat_map(|section| &section.figures) {
            let mut figure = figure.clone();
            let stem = figure.name.clone();
            let mut next = 2;
            while figures.iter().any(|other| other.name == figure.name) {
                figure.name = format!("{stem}-{next}");
                next += 1;
            }
            figures.push(figure);
        }
        figures
    }

    /// The page as an HTML file.
    pub fn html(&self) -> String {
        let title = crate::svg::clean(&self.title);
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="generator" content={ "rulesieve " (env!("CARGO_PKG_VERSION")) };
                    meta name="color-scheme" content="light dark";
                    title { (title) " · rulesieve" }
                    style { (PreEscaped(style::PAGE)) (PreEscaped(STYLE)) }
                }
                body {
                    a.skip href="#main" { "Skip to the summary" }
                    header {
                        p.kind { "rulesieve" }
                        h1 { (words(&self.title)) }
                        p.subject { (words(&self.subject)) }
                    }
                    main id="main" {
                        @if !self.summary.is_empty() {
                            section.summary aria-label="Summary" { @for one in &self.summary { p { (one) } } }
                        }
                        (self.contents())
                        @for (at, section) in self.sections.iter().enumerate() {
                            section aria-labelledby={ "part-" (at + 1) } {
                                h2 id={ "part-" (at + 1) } { (words(&section.title)) }
                                @for part in &section.body { (part) }
                            }
                        }
                    }
                    footer {
                        p { "Written by rulesieve " (env!("CARGO_PKG_VERSION")) ". This page is self-contained: it has no scripts and no external resources." }
                    }
                }
            }
        };
        page.into_string()
    }

    fn contents(&self) -> Markup {
        html! {
            @if self.sections.len() > 3 {
                nav aria-label="Contents" {
                    ul { @for (at, section) in self.sections.iter().enumerate() {
                        li { a href={ "#part-" (at + 1) } { (words(&section.title)) } }
                    } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::{Bars, Chart};

    #[test]
    fn hostile_text_is_escaped() {
        let evil = "<script>alert(1)</script>\u{0}\u{202e}\"'&";
        let mut data = Data::new([evil, "n"]);
        data.push([evil, "1"]);
        let section = Section::new(evil).text(evil).table(evil, &data, &[1]).command(&format!("a\n{evil}"));
        let section = section.figure(Bars { value_title: evil.into(), ..Bars::default() }.figure(evil, evil));
        let html = Page::new(evil, evil).summary(evil).section(section).html();
        assert!(!html.contains("<script") && !html.contains('\u{202e}') && !html.contains('\u{0}'), "{html}");
        assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && html.contains("<code>a\n&lt;"));
        assert_eq!(html.matches("<h1").count(), 1);
        assert_eq!(html.matches("<style>").count(), 1);
    }

    #[test]
    fn empty_sections_are_skipped_and_figure_names_are_unique() {
        let bars = || Bars::default().figure("bars", "t");
        let page = Page::new("t", "s").section(Section::new("nothing here"));
        let page = page.section(Section::new("some").figure(bars()).figure(bars()).figure(bars()));
        assert!(!page.html().contains("nothing here"));
        let names: Vec<String> = page.figures().into_iter().map(|figure| figure.name).collect();
        assert_eq!(names, ["bars", "bars-2", "bars-3"]);
    }
}
