//! What pages are put together from.

use crate::svg::clean;
use crate::{Data, Figure};
use maud::{Markup, PreEscaped, html};

/// Rows of a table below a figure; `--figures` writes all.
const ROWS: usize = 40;
/// Letters of a name that are shown; a cell of a file may be longer than the page.
const LETTERS: usize = 160;

/// A text of the user: kept apart from the direction of the words around it, and cut where it never ends.
pub(crate) fn name(text: &str) -> Markup {
    let text = clean(text);
    match text.char_indices().nth(LETTERS * 8) {
        Some((end, _)) => html! { bdi { (&text[..end]) "\u{2026}" } },
        None => html! { bdi { (text) } },
    }
}

/// A name that stands out in a sentence.
fn strong(text: &str) -> Markup {
    let text = clean(text);
    match text.char_indices().nth(LETTERS) {
        Some((end, _)) => html! { strong { bdi title=(text) { (&text[..end]) "\u{2026}" } } },
        None => html! { strong { bdi { (text) } } },
    }
}

/// Names in a sentence: `a`, `a and b`, `a, b and c`, and how many more there are than `most`.
pub(crate) fn names<S: AsRef<str>>(all: &[S], most: usize) -> Markup {
    let shown = &all[..all.len().min(most)];
    let more = all.len() - shown.len();
    html! {
        @for (at, one) in shown.iter().enumerate() {
            @if at > 0 { @if at + 1 == shown.len() && more == 0 { " and " } @else { ", " } }
            (strong(one.as_ref()))
        }
        @if more > 0 { " and " (more) " more" }
    }
}

/// A table in a box of its own, which scrolls where the page is too narrow.
pub(crate) fn table(caption: &str, data: &Data, numbers: &[usize]) -> Markup {
    let class = |at: usize| numbers.contains(&at).then_some("number");
    html! {
        div.scroll tabindex="0" role="group" aria-label=(clean(caption)) {
            table {
                caption { (name(caption)) }
                thead { tr { @for (at, head) in data.header.iter().enumerate() {
                    th scope="col" class=[class(at)] { (name(head)) }
                } } }
                tbody { @for row in &data.rows { tr { @for (at, cell) in row.iter().enumerate() {
                    @if at == 0 { th scope="row" class=[class(at)] { (name(cell)) } }
                    @else { td class=[class(at)] { (name(cell)) } }
                } } } }
            }
        }
    }
}

/// A figure with what it says, in words and numbers, folded away below it.
pub(crate) fn figure(figure: &Figure) -> Markup {
    let data = &figure.data;
    let shown = Data { header: data.header.clone(), rows: data.rows.iter().take(ROWS).cloned().collect() };
    let number =
        |column: usize| shown.rows.iter().all(|row| row[column].is_empty() || row[column].parse::<f64>().is_ok());
    let numbers: Vec<usize> = (0..shown.header.len()).filter(|&column| number(column)).collect();
    let caption = match data.rows.len() > ROWS {
        true => format!("The first {ROWS} of {} rows behind the figure", data.rows.len()),
        false => "The numbers behind the figure".to_owned(),
    };
    html! {
        figure {
            div.scroll.plot tabindex="0" role="group" aria-label=(clean(&figure.title)) { (PreEscaped(figure.inline())) }
            figcaption { (name(&figure.title)) }
            details {
                summary { "In words and numbers" }
                p { (name(&figure.alt)) }
                @if !shown.rows.is_empty() { (table(&caption, &shown, &numbers)) }
            }
        }
    }
}
