//! A document with tables and figures, written as Markdown or HTML.

use rulesieve_report::{Data, Figure, Page, Section};

/// The subject of the document.
const SUBJECT: &str =
    "Low-Dimensional Representation-Driven TSK Fuzzy System for Feature Selection (Liu, Cai and Li, 2025)";

/// A table of texts; the first column names its rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The file name without extension.
    pub name: String,
    /// The caption.
    pub caption: String,
    /// Header and rows.
    pub data: Data,
    /// Rows and columns of highlighted cells.
    pub best: Vec<(usize, usize)>,
    /// Columns after the first that contain text instead of numbers.
    pub text_columns: Vec<usize>,
}

/// A block of a document.
#[derive(Debug, Clone)]
pub enum Block {
    /// A section heading.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A list of short paragraphs.
    List(Vec<String>),
    /// A table.
    Table(Table),
    /// A figure.
    Figure(Box<Figure>),
}

/// A document with a title.
#[derive(Debug, Clone)]
pub struct Document {
    /// The title.
    pub title: String,
    /// The blocks.
    pub blocks: Vec<Block>,
}

impl Document {
    /// Returns the tables.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks.iter().filter_map(|block| if let Block::Table(table) = block { Some(table) } else { None })
    }

    /// Returns the figures.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.blocks
            .iter()
            .filter_map(|block| if let Block::Figure(figure) = block { Some(figure.as_ref()) } else { None })
    }

    /// Returns the main results, which are the first list.
    pub fn headlines(&self) -> &[String] {
        let lists = self
            .blocks
            .iter()
            .find_map(|block| if let Block::List(items) = block { Some(items.as_slice()) } else { None });
        lists.unwrap_or_default()
    }

    /// Formats the document as a self-contained HTML file.
    pub fn html(&self) -> String {
        let mut page = Page::new(&self.title, SUBJECT);
        let mut section: Option<Section> = None;
        for block in &self.blocks {
            if let Block::Heading(heading) = block {
                page = section.take().into_iter().fold(page, Page::section);
                section = Some(Section::new(heading));
                continue;
            }
            // A list before the first heading is the summary.
            let Some(open) = section.take() else {
                if let Block::List(items) = block {
                    page = items.iter().fold(page, |page, item| page.summary(&plain(item)));
                }
                continue;
            };
            section = Some(match block {
                Block::Heading(_) => open,
                Block::Text(text) => open.text(&plain(text)),
                Block::List(items) => items.iter().fold(open, |open, item| open.text(&plain(item))),
                Block::Table(table) => {
                    let numbers: Vec<usize> =
                        (1..table.data.header.len()).filter(|at| !table.text_columns.contains(at)).collect();
                    open.table_with_best(&table.caption, &table.data, &numbers, &table.best)
                }
                Block::Figure(figure) => open.figure(figure.as_ref().clone()),
            });
        }
        section.take().into_iter().fold(page, Page::section).html()
    }

    /// Formats the document as Markdown; `figures` is the folder of the figures, relative to the document.
    pub fn markdown(&self, figures: Option<&str>) -> String {
        let mut text = format!("# {}\n", self.title);
        for block in &self.blocks {
            text.push('\n');
            match block {
                Block::Heading(heading) => text.push_str(&format!("## {heading}\n")),
                Block::Text(paragraph) => text.push_str(&format!("{paragraph}\n")),
                Block::List(items) => items.iter().for_each(|item| text.push_str(&format!("- {item}\n"))),
                Block::Table(table) => text.push_str(&table.markdown()),
                Block::Figure(figure) => {
                    if let Some(folder) = figures {
                        text.push_str(&format!("![{}]({folder}/{}.svg)\n\n", cell(&figure.title), figure.name));
                    }
                    text.push_str(&format!("*{}* {}\n", figure.title, figure.alt));
                }
            }
        }
        text
    }
}

impl Table {
    /// Creates a table without highlighted cells.
    pub(crate) fn new(name: &str, caption: &str, data: Data) -> Self {
        Self { name: name.to_owned(), caption: caption.to_owned(), data, best: Vec::new(), text_columns: Vec::new() }
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let header = line(self.data.header.iter().map(|text| cell(text)).collect());
        let is_text = |at: usize| at == 0 || self.text_columns.contains(&at);
        let rule: Vec<&str> = (0..self.data.header.len()).map(|at| if is_text(at) { "---" } else { "---:" }).collect();
        let row = |(at, row): (usize, &Vec<String>)| {
            let mark = |(column, text): (usize, &String)| match self.best.contains(&(at, column)) {
                true => format!("**{}**", cell(text)),
                false => cell(text),
            };
            line(row.iter().enumerate().map(mark).collect())
        };
        let rows: String = self.data.rows.iter().enumerate().map(row).collect();
        format!("**{}**\n\n{header}|{}|\n{rows}", self.caption, rule.join("|"))
    }
}

/// Escapes a text for a table cell or a link.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// Removes Markdown markup.
fn plain(text: &str) -> String {
    text.replace(['`', '*'], "")
}
