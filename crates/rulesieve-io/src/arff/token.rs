//! Tokens of an ARFF line: quoted or unquoted values; comments begin at a percent sign.

use crate::{error::ReadError, source::Input, text::shown};

/// A value and whether it was quoted: `'?'` is a text, `?` a missing cell.
pub(super) struct Token {
    pub(super) text: String,
    pub(super) quoted: bool,
}

/// The unread rest of a line.
pub(super) struct Tokens<'a> {
    input: &'a Input,
    line: usize,
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(input: &'a Input, line: usize, text: &'a str) -> Self {
        Self { input, line, rest: text.trim_start() }
    }

    /// Reads the next value up to, and without, one of the terminators.
    pub(super) fn value(&mut self, terminators: &[char]) -> Result<Token, ReadError> {
        match self.rest.chars().next() {
            Some(quote @ ('\'' | '"')) => self.quoted(quote),
            _ => {
                let end = self.rest.find(|at: char| at == '%' || terminators.contains(&at)).unwrap_or(self.rest.len());
                let (value, rest) = self.rest.split_at(end);
                self.rest = rest.trim_start();
                Ok(Token { text: value.trim_end().to_owned(), quoted: false })
            }
        }
    }

    fn quoted(&mut self, quote: char) -> Result<Token, ReadError> {
        let mut text = String::new();
        let mut characters = self.rest.char_indices().skip(1);
        while let Some((at, character)) = characters.next() {
            match character {
                '\\' => match characters.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, 'r')) => text.push('\r'),
                    Some((_, other)) => text.push(other),
                    None => break,
                },
                _ if character == quote => {
                    self.rest = self.rest[at + quote.len_utf8()..].trim_start();
                    return Ok(Token { text, quoted: true });
                }
                _ => text.push(character),
            }
        }
        let problem = "the quote that opens here is not closed; close it, or escape it with a backslash";
        Err(ReadError::Quote { file: self.input.name.clone(), line: self.line, problem })
    }

    /// Skips a character if it comes next.
    pub(super) fn skip(&mut self, expected: char) -> bool {
        match self.rest.strip_prefix(expected) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    pub(super) fn next_is(&self, expected: char) -> bool {
        self.rest.starts_with(expected)
    }

    /// Requires that only a comment is left.
    pub(super) fn end(&self) -> Result<(), ReadError> {
        if self.rest.is_empty() || self.rest.starts_with('%') {
            return Ok(());
        }
        let problem = format!("found '{}' where the line should end", shown(self.rest));
        Err(self.input.line_error(self.line, problem))
    }
}
