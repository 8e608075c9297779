//! A page of words, tables and figures in one file, without a script and without anything from elsewhere.

mod parts;
mod style;

use parts::table_with_best;
pub(crate) use parts::{name, names, table, words};

use crate::{Data, Figure, STYLE};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Nothing may be loaded or run, whatever the page holds.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/// A page.
#[derive(Debug, Clone)]
pub struct Page {
    title: String,
    subject: String,
    answer: Vec<Markup>,
    sections: Vec<Section>,
}

/// A part of a page under a heading.
#[derive(Debug, Clone)]
pub struct Section {
    title: String,
    body: Vec<Markup>,
    figures: Vec<Figure>,
}

impl Section {
    /// A section without content.
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), body: Vec::new(), figures: Vec::new() }
    }

    /// Adds a paragraph.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        self.with(html! { p { (words(text)) } })
    }

    /// Adds a figure, with its numbers folded away below it.
    #[must_use]
    pub fn figure(mut self, figure: Figure) -> Self {
        self.body.push(parts::figure(&figure));
        self.figures.push(figure);
        self
    }

    /// Adds a table. `numbers` are the columns that hold numbers.
    #[must_use]
    pub fn table(self, caption: &str, data: &Data, numbers: &[usize]) -> Self {
        self.with(table(caption, data, numbers))
    }

    /// The same with some cells, by row and column, in bold.
    #[must_use]
    pub fn table_with_best(self, caption: &str, data: &Data, numbers: &[usize], best: &[(usize, usize)]) -> Self {
        self.with(table_with_best(caption, data, numbers, best))
    }

    /// Adds a command to be typed, or several lines of them.
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
    /// A page without content. The title says what it is, the subject what it is about.
    pub fn new(title: &str, subject: &str) -> Self {
        Self { title: title.to_owned(), subject: subject.to_owned(), answer: Vec::new(), sections: Vec::new() }
    }

    /// Adds a sentence to the answer at the top.
    #[must_use]
    pub fn answer(self, sentence: &str) -> Self {
        self.answered(html! { (words(sentence)) })
    }

    #[must_use]
    pub(crate) fn answered(mut self, sentence: Markup) -> Self {
        self.answer.push(sentence);
        self
    }

    /// Adds a section; one without content is left out.
    #[must_use]
    pub fn section(mut self, section: Section) -> Self {
        if !section.body.is_empty() {
            self.sections.push(section);
        }
        self
    }

    /// Adds a section where there is one.
    #[must_use]
    pub(crate) fn maybe(self, section: Option<Section>) -> Self {
        match section {
            Some(section) => self.section(section),
            None => self,
        }
    }

    /// All figures, in their order. Their names differ.
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

    /// The page as a file.
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
                    a.skip href="#main" { "Skip to the answer" }
                    header {
                        p.kind { "rulesieve" }
                        h1 { (words(&self.title)) }
                        p.subject { (words(&self.subject)) }
                    }
                    main id="main" {
                        @if !self.answer.is_empty() {
                            section.answer aria-label="The answer" { @for one in &self.answer { p { (one) } } }
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
                        p { "Written by rulesieve " (env!("CARGO_PKG_VERSION")) ". This page is one file, loads nothing and runs nothing." }
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
    fn whatever_is_written_stays_text() {
        let evil = "<script>alert(1)</script>\u{0}\u{202e}\"'&";
        let mut data = Data::new([evil, "n"]);
        data.push([evil, "1"]);
        let section = Section::new(evil).text(evil).table(evil, &data, &[1]).command(&format!("a\n{evil}"));
        let section = section.figure(Bars { value_title: evil.into(), ..Bars::default() }.figure(evil, evil));
        let html = Page::new(evil, evil).answer(evil).section(section).html();
        assert!(!html.contains("<script") && !html.contains('\u{202e}') && !html.contains('\u{0}'), "{html}");
        assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && html.contains("<code>a\n&lt;"));
        assert_eq!(html.matches("<h1").count(), 1);
        assert_eq!(html.matches("<style>").count(), 1);
    }

    #[test]
    fn empty_sections_are_left_out_and_names_of_figures_differ() {
        let bars = || Bars::default().figure("bars", "t");
        let page = Page::new("t", "s").section(Section::new("nothing here"));
        let page = page.section(Section::new("some").figure(bars()).figure(bars()).figure(bars()));
        assert!(!page.html().contains("nothing here"));
        let names: Vec<String> = page.figures().into_iter().map(|figure| figure.name).collect();
        assert_eq!(names, ["bars", "bars-2", "bars-3"]);
    }
}
