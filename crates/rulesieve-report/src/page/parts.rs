//! Building blocks of pages.

use crate::svg::clean;
use crate::{Data, Figure};
use maud::{Markup, PreEscaped, html};

/// Maximum rows of a table below a figure; `--figures` writes all.
const ROWS: usize = 40;
/// Maximum characters of a name.
const LETTERS: usize = 60;
/// Maximum characters of a table cell.
const CELL: usize = 240;
/// Maximum characters of a paragraph.
const PARAGRAPH: usize = 4000;
/// Column counts above which a printed table uses small and very small text.
const MANY: [usize; 2] = [6, 12];

/// A text truncated to `most` characters, and the full text if it was truncated.
fn cut(text: &str, most: usize) -> (String, Option<String>) {
    let text = clean(text);
    match text.char_indices().nth(most) {
        Some((end, _)) => (format!("{}\u{2026}", &text[..end]), Some(text)),
        None => (text, None),
    }
}

/// Text, truncated to the length of a paragraph.
pub(crate) fn words(text: &str) -> Markup {
    html! { bdi { (cut(text, PARAGRAPH).0) } }
}

/// A name from the data: isolated from the text direction around it and truncated, with the full name as tooltip.
pub(crate) fn name(text: &str) -> Markup {
    limited(text, LETTERS)
}

fn limited(text: &str, most: usize) -> Markup {
    let (shown, full) = cut(text, most);
    html! { bdi title=[full] { (shown) } }
}

/// Names in a sentence: `a`, `a and b`, `a, b and c`; at most `most`, then the number of the others.
pub(crate) fn names<S: AsRef<str>>(all: &[S], most: usize) -> Markup {
    let shown = &all[..all.len().min(most)];
    let more = all.len() - shown.len();
    html! {
        @for (at, one) in shown.iter().enumerate() {
            @if at > 0 { @if at + 1 == shown.len() && more == 0 { " and " } @else { ", " } }
            strong { (name(one.as_ref())) }
        }
        @if more > 0 { " and " (more) " more" }
    }
}

/// A table in a container that scrolls on narrow pages.
pub(crate) fn table(caption: &str, data: &Data, numbers: &[usize]) -> Markup {
    table_with_best(caption, data, numbers, &[])
}

/// A table with the cells `best`, by row and column, in bold.
pub(crate) fn table_with_best(caption: &str, data: &Data, numbers: &[usize], best: &[(usize, usize)]) -> Markup {
    let columns = data.header.len();
    let class = |at: usize| numbers.contains(&at).then_some("number");
    html! {
        div.scroll tabindex="0" role="group" aria-label=(clean(caption)) {
            table.many[columns > MANY[0]].most[columns > MANY[1]] {
                caption { (words(caption)) }
                thead { tr { @for (at, head) in data.header.iter().enumerate() {
                    th scope="col" class=[class(at)] { (name(head)) }
                } } }
                tbody { @for (line, row) in data.rows.iter().enumerate() { tr { @for (at, cell) in row.iter().enumerate() {
                    @if at == 0 { th scope="row" class=[class(at)] { (limited(cell, CELL)) } }
                    @else if best.contains(&(line, at)) { td class=[class(at)] { strong { (limited(cell, CELL)) } } }
                    @else { td class=[class(at)] { (limited(cell, CELL)) } }
                } } } }
            }
        }
    }
}

/// A figure with its text alternative and data in a collapsed block below it.
pub(crate) fn figure(figure: &Figure) -> Markup {
    let (data, (wide, narrow)) = (&figure.data, figure.inline());
    let shown = Data { header: data.header.clone(), rows: data.rows.iter().take(ROWS).cloned().collect() };
    let number =
        |column: usize| shown.rows.iter().all(|row| row[column].is_empty() || row[column].parse::<f64>().is_ok());
    let numbers: Vec<usize> = (0..shown.header.len()).filter(|&column| number(column)).collect();
    let caption = match data.rows.len() > ROWS {
        true => format!("First {ROWS} of {} data rows of the figure", data.rows.len()),
        false => "Data of the figure".to_owned(),
    };
    html! {
        figure {
            div.plot.wide.only[narrow.is_none()] { (PreEscaped(wide)) }
            @if let Some(narrow) = narrow { div.plot.narrow { (PreEscaped(narrow)) } }
            figcaption { (words(&figure.title)) }
            details {
                summary { "Description and data" }
                p { (words(&figure.alt)) }
                @if !shown.rows.is_empty() { (table(&caption, &shown, &numbers)) }
            }
        }
    }
}
