//! ZIP archives: the single file of an archive, or a format that is an archive itself.

use std::io::{self, Cursor, Read};

use flate2::{Crc, read::DeflateDecoder};
use zip::{CompressionMethod, ZipArchive};

use crate::{
    error::ReadError,
    options::Format,
    text::{escaped, shown},
};

/// The start of an archive.
pub(crate) const MAGIC: &[u8] = b"PK\x03\x04";
/// Maximum number of listed files.
const LISTED: usize = 12;

/// What an archive holds.
pub(crate) enum Archive {
    /// A file format that is a ZIP archive.
    Itself { format: Format, bytes: Vec<u8> },
    /// One compressed file.
    File { name: String, content: Box<dyn Read> },
}

/// Looks into an archive; `source` is its name.
pub(crate) fn open(source: &str, bytes: Vec<u8>) -> Result<Archive, ReadError> {
    let damaged = |error: String| ReadError::Content {
        file: source.to_owned(),
        problem: format!("the ZIP archive is damaged or cut off ({})", shown(&error)),
    };
    let unsupported = |what: String, advice: &'static str| ReadError::Unsupported {
        file: source.to_owned(),
        what,
        remedy: rulesieve::Remedy::plain(advice),
    };
    let mut archive = ZipArchive::new(Cursor::new(&bytes)).map_err(|error| damaged(error.to_string()))?;
    let names: Vec<String> = (0..archive.len())
        .map(|at| archive.by_index_raw(at).map(|file| String::from_utf8_lossy(file.name_raw()).into_owned()))
        .collect::<Result<_, _>>()
        .map_err(|error| damaged(error.to_string()))?;
    if let Some(format) = format_of(&names) {
        return Ok(Archive::Itself { format, bytes });
    }
    let files: Vec<usize> = (0..names.len()).filter(|&at| is_file(&names[at])).collect();
    let &[at] = &files[..] else {
        let mut listed: Vec<String> =
            files.iter().take(LISTED).map(|&at| format!("'{}'", escaped(&names[at]))).collect();
        if files.len() > LISTED {
            listed.push("...".to_owned());
        }
        let what = match files.len() {
            0 => "a ZIP archive without files".to_owned(),
            count => format!("a ZIP archive of {count} files ({})", listed.join(", ")),
        };
        return Err(unsupported(what, "extract the table and read that file"));
    };
    let file = archive.by_index_raw(at).map_err(|error| damaged(error.to_string()))?;
    if file.encrypted() {
        return Err(unsupported("an encrypted ZIP archive".to_owned(), "extract the table and read that file"));
    }
    let start = file.data_start().ok_or_else(|| damaged("no data".to_owned()))?;
    let (size, method, expected) = (file.compressed_size(), file.compression(), file.crc32());
    drop(file);
    drop(archive);
    let mut data = Cursor::new(bytes);
    data.set_position(start);
    let data = data.take(size);
    let content: Box<dyn Read> = match method {
        CompressionMethod::Stored => Box::new(data),
        CompressionMethod::Deflated => Box::new(DeflateDecoder::new(data)),
        other => {
            let what = format!("a ZIP archive with the compression {other}");
            return Err(unsupported(what, "extract the table and read that file"));
        }
    };
    let name = names.into_iter().nth(at).unwrap_or_default();
    Ok(Archive::File { name, content: Box::new(Checked { inner: content, crc: Crc::new(), expected }) })
}

/// The format that consists of these files.
fn format_of(names: &[String]) -> Option<Format> {
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    if names.iter().any(|name| name.ends_with(".npy")) {
        return Some(Format::Npz);
    }
    (has("xl/workbook.xml") || has("xl/workbook.bin") || has("content.xml")).then_some(Format::Excel)
}

/// Whether an entry is neither a folder nor a file that macOS adds.
fn is_file(name: &str) -> bool {
    !name.ends_with('/') && !name.starts_with("__MACOSX/") && name.rsplit('/').next() != Some(".DS_Store")
}

/// Compares the checksum at the end.
struct Checked<R> {
    inner: R,
    crc: Crc,
    expected: u32,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.crc.update(&buffer[..count]);
        if count == 0 && !buffer.is_empty() && self.crc.sum() != self.expected {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum differs"));
        }
        Ok(count)
    }
}
