//! Where a table comes from, and its bytes: read up to the limit, decompressed on the way.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use flate2::read::MultiGzDecoder;
use rulesieve::Limit;

use crate::{
    error::ReadError,
    options::{Format, Limits, ReadOptions},
    text::{escaped, refuse_binary},
};

/// So many bytes are looked at before the rest is read: an endless or exploding stream of binary data ends here.
const HEAD_BYTES: u64 = 64 * 1024;

/// Where to read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file.
    Path(PathBuf),
    /// Standard input.
    Stdin,
    /// Bytes already at hand.
    Bytes {
        /// What messages call them; its ending tells the format as a path's does.
        name: String,
        /// The bytes.
        bytes: Vec<u8>,
    },
}

impl Source {
    /// `-` is standard input, anything else a path.
    pub fn parse(text: &str) -> Self {
        if text == "-" { Self::Stdin } else { Self::Path(PathBuf::from(text)) }
    }
}

/// The bytes of a source, decompressed and within the limit, and the format they are in.
pub(crate) struct Input {
    /// The source's name, safe to print.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) format: Format,
}

/// Reads the whole source.
pub(crate) fn load(source: &Source, options: &ReadOptions) -> Result<Input, ReadError> {
    open(source, options)?.load()
}

/// A source whose first bytes have been read, so that its format is known.
pub(crate) struct Opened<'a> {
    /// Its name and format, and the bytes read so far.
    pub(crate) input: Input,
    /// Whether the bytes come out of gzip data.
    pub(crate) gzip: bool,
    rest: Box<dyn Read + 'a>,
    bytes: u64,
    limit: u64,
}

/// Opens a source and finds its format.
pub(crate) fn open<'a>(source: &'a Source, options: &ReadOptions) -> Result<Opened<'a>, ReadError> {
    let limits = options.limits;
    match source {
        Source::Path(path) => open_path(path, options),
        Source::Stdin => begin("standard input".to_owned(), Box::new(io::stdin().lock()), options.format, limits),
        Source::Bytes { name, bytes } => {
            let format = options.format.or_else(|| Format::from_path(Path::new(name)));
            begin(escaped(name), Box::new(bytes.as_slice()), format, limits)
        }
    }
}

fn open_path<'a>(path: &Path, options: &ReadOptions) -> Result<Opened<'a>, ReadError> {
    let name = escaped(&path.display().to_string());
    let open_error = |source| ReadError::Open { file: name.clone(), source };
    let metadata = fs::metadata(path).map_err(open_error)?;
    if metadata.is_dir() {
        return Err(ReadError::Directory { file: name });
    }
    if metadata.is_file() && metadata.len() > options.limits.bytes {
        let (found, limit) = (metadata.len(), options.limits.bytes);
        return Err(ReadError::Limit { file: name, found, limit, of: Limit::Bytes });
    }
    let expected = if metadata.is_file() { metadata.len() } else { 0 };
    let file = Measured { inner: File::open(path).map_err(open_error)?, name: name.clone(), bytes: 0, expected };
    let format = options.format.or_else(|| Format::from_path(path));
    begin(name, Box::new(file), format, options.limits)
}

/// Decompresses where the first bytes are those of gzip, and reads the first bytes of what comes out.
fn begin<'a>(
    name: String,
    mut reader: Box<dyn Read + 'a>,
    format: Option<Format>,
    limits: Limits,
) -> Result<Opened<'a>, ReadError> {
    let mut magic = Vec::with_capacity(2);
    if let Err(error) = reader.by_ref().take(2).read_to_end(&mut magic) {
        return Err(own_error(error).unwrap_or_else(|source| ReadError::Open { file: name, source }));
    }
    let gzip = magic == [0x1f, 0x8b];
    let whole = io::Cursor::new(magic).chain(reader);
    let rest: Box<dyn Read + 'a> = if gzip { Box::new(MultiGzDecoder::new(whole)) } else { Box::new(whole) };
    // The format stands in until the first bytes tell.
    let input = Input { name, bytes: Vec::new(), format: format.unwrap_or(Format::Csv) };
    let mut opened = Opened { input, gzip, rest, bytes: 0, limit: limits.bytes };
    let mut head = Vec::new();
    opened.read_unchecked(HEAD_BYTES, &mut head)?;
    opened.input.bytes = head;
    if format.is_none() {
        match guess(&opened.input.bytes) {
            Some(format) => opened.input.format = format,
            None => return Err(ReadError::UnknownFormat { file: opened.input.name }),
        }
    }
    if opened.input.format.is_text() {
        refuse_binary(&opened.input, &opened.input.bytes)?;
    }
    opened.check_limit()?;
    Ok(opened)
}

impl Opened<'_> {
    /// Reads everything that is left.
    pub(crate) fn load(mut self) -> Result<Input, ReadError> {
        let mut bytes = std::mem::take(&mut self.input.bytes);
        self.read(u64::MAX, &mut bytes)?;
        self.input.bytes = bytes;
        Ok(self.input)
    }

    /// Appends up to `count` further bytes and returns their number, which is smaller only at the end.
    pub(crate) fn read(&mut self, count: u64, out: &mut Vec<u8>) -> Result<u64, ReadError> {
        let found = self.read_unchecked(count, out)?;
        self.check_limit()?;
        Ok(found)
    }

    fn read_unchecked(&mut self, count: u64, out: &mut Vec<u8>) -> Result<u64, ReadError> {
        let allowed =
            self.limit.saturating_add(1).saturating_sub(self.bytes).max(HEAD_BYTES.saturating_sub(self.bytes));
        let found = self.rest.by_ref().take(count.min(allowed)).read_to_end(out).map_err(|error| {
            let file = self.input.name.clone();
            own_error(error).unwrap_or_else(|source| match self.gzip {
                true => ReadError::Gzip { file, source },
                false => ReadError::Open { file, source },
            })
        })?;
        self.bytes += found as u64;
        Ok(found as u64)
    }

    fn check_limit(&self) -> Result<(), ReadError> {
        if self.bytes > self.limit {
            return Err(ReadError::Endless { file: self.input.name.clone(), limit: self.limit });
        }
        Ok(())
    }
}

/// The error that one of our own readers sent through an error of the standard library.
fn own_error(error: io::Error) -> Result<ReadError, io::Error> {
    error.downcast::<ReadError>()
}

/// The format of a nameless source: a binary one by its signature, otherwise CSV if it looks like text.
fn guess(head: &[u8]) -> Option<Format> {
    let may_be_text = || {
        let utf16 = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
        let valid = match std::str::from_utf8(head) {
            Ok(_) => true,
            // Latin-1 text deserves the message about its encoding; mostly unreadable bytes do not.
            Err(error) => error.valid_up_to() >= head.len() / 2,
        };
        utf16 || (valid && !head.contains(&0))
    };
    let opens_arff = || {
        let text = String::from_utf8_lossy(head);
        let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('%'));
        first.is_some_and(|line| line.to_ascii_lowercase().starts_with("@relation"))
    };
    Format::from_signature(head)
        .or_else(|| opens_arff().then_some(Format::Arff))
        .or_else(|| may_be_text().then_some(Format::Csv))
}

/// Notices a file that ends before the length it had when it was opened.
struct Measured<R> {
    inner: R,
    name: String,
    bytes: u64,
    expected: u64,
}

impl<R: Read> Read for Measured<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.bytes += count as u64;
        if count == 0 && !buffer.is_empty() && self.bytes < self.expected {
            let (file, expected, found) = (self.name.clone(), self.expected, self.bytes);
            return Err(io::Error::other(ReadError::Shrank { file, expected, found }));
        }
        Ok(count)
    }
}
