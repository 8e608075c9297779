//! Decoding of text: UTF-8, UTF-16 with a byte order mark, Windows-1252, and encodings by name.

use std::borrow::Cow;

use encoding_rs::{Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use rulesieve::Warning;

use crate::{
    error::ReadError,
    options::ReadOptions,
    source::Input,
    text::{Position, decode_part, refuse_binary},
};

/// The encoding that the options name, or a byte order mark shows; none for UTF-8.
pub(crate) fn known(
    input: &Input,
    head: &[u8],
    options: &ReadOptions,
) -> Result<Option<(&'static Encoding, Option<Warning>)>, ReadError> {
    if let Some(label) = &options.encoding {
        let named = Encoding::for_label(label.as_bytes()).ok_or_else(|| {
            input.unsupported(
                format!("no encoding '{}'", crate::shown(label)),
                "give one such as utf-8, windows-1252 or utf-16le",
            )
        })?;
        return Ok((named != UTF_8).then_some((named, None)));
    }
    Ok(Encoding::for_bom(head)
        .map(|(encoding, _)| encoding)
        .filter(|encoding| *encoding != UTF_8)
        .map(|encoding| (encoding, Some(decoded_as(encoding)))))
}

/// Whether the options name UTF-16, or the earlier table had it: its texts have NUL bytes.
pub(crate) fn is_utf16(options: &ReadOptions) -> bool {
    let label = options.encoding.as_ref().or(options.like.encoding.as_ref());
    label
        .and_then(|label| Encoding::for_label(label.as_bytes()))
        .is_some_and(|named| named == UTF_16LE || named == UTF_16BE)
}

fn decoded_as(encoding: &'static Encoding) -> Warning {
    Warning::DecodedAs { encoding: encoding.name().to_owned() }
}

/// The encoding of a text that is not UTF-8: that of the earlier table, else Windows-1252 if the text may be in it: before the
/// first other byte there are only ASCII characters.
pub(crate) fn fallback(
    bytes: &[u8],
    valid_up_to: usize,
    options: &ReadOptions,
) -> Option<(&'static Encoding, Option<Warning>)> {
    let saved = options.like.encoding.as_ref().and_then(|label| Encoding::for_label(label.as_bytes()));
    match saved.filter(|saved| *saved != UTF_8) {
        Some(saved) => Some((saved, None)),
        None => bytes[..valid_up_to].is_ascii().then(|| (WINDOWS_1252, Some(decoded_as(WINDOWS_1252)))),
    }
}

/// Whether a decoded text has control characters, and so is none.
fn is_binary(text: &str) -> bool {
    text.chars().any(|c| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1a}' | '\u{85}'))
}

/// Decodes the input, without byte order mark.
pub(crate) fn decode<'a>(
    input: &'a Input,
    options: &ReadOptions,
) -> Result<(Cow<'a, str>, Option<Warning>), ReadError> {
    refuse_binary(input, &input.bytes, options)?;
    if let Some((encoding, warning)) = known(input, &input.bytes, options)? {
        return Ok((encoding.decode(&input.bytes).0, warning));
    }
    match decode_part(input, &input.bytes, Position::START) {
        Ok(text) => Ok((Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text)), None)),
        Err(error) => {
            let valid = std::str::from_utf8(&input.bytes).map_or_else(|error| error.valid_up_to(), str::len);
            let Some((encoding, warning)) = fallback(&input.bytes, valid, options) else { return Err(error) };
            let text = encoding.decode_without_bom_handling(&input.bytes).0;
            if is_binary(&text) { Err(error) } else { Ok((text, warning)) }
        }
    }
}

/// Decodes a text in pieces.
pub(crate) struct Pieces(Decoder);

impl Pieces {
    pub(crate) fn new(encoding: &'static Encoding) -> Self {
        Self(encoding.new_decoder())
    }

    /// Appends the decoded bytes; false if they are no text.
    pub(crate) fn decode(&mut self, bytes: &[u8], last: bool, out: &mut Vec<u8>) -> bool {
        let most = self.0.max_utf8_buffer_length(bytes.len()).unwrap_or(bytes.len().saturating_mul(3) + 16);
        let mut text = String::with_capacity(most);
        let _ = self.0.decode_to_string(bytes, &mut text, last);
        out.extend_from_slice(text.as_bytes());
        !is_binary(&text)
    }
}
