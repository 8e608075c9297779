//! A text with tables and figures, to be written as Markdown or as a page.

use rulesieve_report::{Data, Figure};

/// A table of texts; the first column names its rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The name of its file.
    pub name: String,
    /// What it shows.
    pub caption: String,
    /// Heads of the columns, and rows.
    pub data: Data,
}

/// A piece of a document.
#[derive(Debug, Clone)]
pub enum Block {
    /// The head of a section.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// Short paragraphs.
    List(Vec<String>),
    /// A table.
    Table(Table),
    /// A figure.
    Figure(Box<Figure>),
}

/// A text with a title.
#[derive(Debug, Clone)]
pub struct Document {
    /// The title.
    pub title: String,
    /// Its pieces.
    pub blocks: Vec<Block>,
}

impl Document {
    /// The tables.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks.iter().filter_map(|block| if let Block::Table(table) = block { Some(table) } else { None })
    }

    /// The figures.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.blocks
            .iter()
            .filter_map(|block| if let Block::Figure(figure) = block { Some(figure.as_ref()) } else { None })
    }

    /// What was found, in short: the first list.
    pub fn headlines(&self) -> &[String] {
        let lists = self
            .blocks
            .iter()
            .find_map(|block| if let Block::List(items) = block { Some(items.as_slice()) } else { None });
        lists.unwrap_or_default()
    }

    /// As Markdown; `figures` is the folder of figures as a link from the text.
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
    fn markdown(&self) -> String {
        let line =
            |cells: &[String]| format!("| {} |\n", cells.iter().map(|text| cell(text)).collect::<Vec<_>>().join(" | "));
        let rule: Vec<String> =
            (0..self.data.header.len()).map(|at| if at == 0 { "---" } else { "---:" }.to_owned()).collect();
        let rows: String = self.data.rows.iter().map(|row| line(row)).collect();
        format!("**{}**\n\n{}|{}|\n{rows}", self.caption, line(&self.data.header), rule.join("|"))
    }
}

/// A text inside a table or a link.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
