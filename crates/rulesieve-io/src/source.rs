//! Sources of tables; reads their bytes up to the limit, decompressed.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use rulesieve::{Limit, Remedy};

use crate::{
    archive::{self, Archive},
    compression::{Codec, MAGIC_BYTES},
    encoding::is_utf16,
    error::ReadError,
    options::{Format, ReadOptions},
    text::{escaped, refuse_binary},
};

/// Size of the head in bytes. It is checked before the rest is read, to reject endless or extremely compressed binary data early.
const HEAD_BYTES: u64 = 64 * 1024;

/// Where to read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file.
    Path(PathBuf),
    /// Standard input.
    Stdin,
    /// Bytes in memory.
    Bytes {
        /// Name in messages; its extension determines the format as for a path.
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

/// The decompressed bytes of a source and their format.
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

/// A source with known format, of which the first bytes have been read.
pub(crate) struct Opened<'a> {
    /// Name, format, and the bytes read so far.
    pub(crate) input: Input,
    /// The compression of the source.
    pub(crate) packed: Option<&'static str>,
    rest: Box<dyn Read + 'a>,
    bytes: u64,
    limit: u64,
    /// The size of a file that is not compressed.
    size: Option<u64>,
}

/// Opens a source and detects its format.
pub(crate) fn open<'a>(source: &'a Source, options: &ReadOptions) -> Result<Opened<'a>, ReadError> {
    match source {
        Source::Path(path) => open_path(path, options),
        Source::Stdin => begin("standard input".to_owned(), Box::new(io::stdin().lock()), options.format, options),
        Source::Bytes { name, bytes } => {
            let format = options.format.or_else(|| Format::from_path(Path::new(name)));
            begin(escaped(name), Box::new(bytes.as_slice()), format, options)
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
    let mut opened = begin(name, Box::new(file), format, options)?;
    opened.size = Some(expected).filter(|size| *size > 0 && opened.packed.is_none());
    Ok(opened)
}

/// Sets up decompression if the source is compressed, and reads the head.
fn begin<'a>(
    name: String,
    mut reader: Box<dyn Read + 'a>,
    format: Option<Format>,
    options: &ReadOptions,
) -> Result<Opened<'a>, ReadError> {
    let mut magic = Vec::with_capacity(MAGIC_BYTES);
    if let Err(error) = reader.by_ref().take(MAGIC_BYTES as u64).read_to_end(&mut magic) {
        return Err(own_error(error).unwrap_or_else(|source| ReadError::Open { file: name, source }));
    }
    let whole = Whole { name, head: magic, reader, format, limit: options.limits.bytes };
    let Content { mut opened, format } = match Codec::of_magic(&whole.head) {
        Some(codec) => whole.decompress(codec)?,
        None if whole.head.starts_with(archive::MAGIC) && !matches!(format, Some(Format::Npz | Format::Excel)) => {
            whole.unzip()?
        }
        None => whole.plain(),
    };
    let mut head = Vec::new();
    opened.read_unchecked(HEAD_BYTES, &mut head)?;
    opened.input.bytes = head;
    match format.or_else(|| detect(&opened.input.bytes, is_utf16(options))) {
        Some(format) => opened.input.format = format,
        None => return Err(ReadError::UnknownFormat { file: opened.input.name }),
    }
    if opened.input.format.is_text() {
        refuse_binary(&opened.input, &opened.input.bytes, options)?;
    }
    opened.check_limit()?;
    Ok(opened)
}

/// A source as stored, of which the first bytes have been read.
struct Whole<'a> {
    name: String,
    head: Vec<u8>,
    reader: Box<dyn Read + 'a>,
    format: Option<Format>,
    limit: u64,
}

/// The decompressed content of a source, and its format if it is known.
struct Content<'a> {
    opened: Opened<'a>,
    format: Option<Format>,
}

impl<'a> Whole<'a> {
    fn plain(self) -> Content<'a> {
        let rest = Box::new(io::Cursor::new(self.head).chain(self.reader));
        Content { opened: Opened::new(self.name, rest, None, self.limit), format: self.format }
    }

    fn decompress(self, codec: Codec) -> Result<Content<'a>, ReadError> {
        if !codec.is_built() {
            let what = format!("{} data, which this build does not decompress", codec.name());
            let remedy = Remedy::plain(format!("decompress it, or build with the cargo feature `{}`", Codec::FEATURE));
            return Err(ReadError::Unsupported { file: self.name, what, remedy });
        }
        match codec.decoder(io::Cursor::new(self.head).chain(self.reader)) {
            Ok(rest) => {
                let opened = Opened::new(self.name, rest, Some(codec.name()), self.limit);
                Ok(Content { opened, format: self.format })
            }
            Err(source) => Err(ReadError::Compressed { file: self.name, codec: codec.name(), source }),
        }
    }

    /// Takes the single file of a ZIP archive, or the archive itself if it is a format of its own.
    fn unzip(self) -> Result<Content<'a>, ReadError> {
        let (name, limit, format) = (self.name.clone(), self.limit, self.format);
        let mut opened = self.plain().opened;
        let mut bytes = Vec::new();
        opened.read(u64::MAX, &mut bytes)?;
        Ok(match archive::open(&name, bytes)? {
            Archive::Itself { format, bytes } => {
                let opened = Opened::new(name, Box::new(io::Cursor::new(bytes)), None, limit);
                Content { opened, format: Some(format) }
            }
            Archive::File { name: member, content } => {
                let format = format.or_else(|| Format::from_path(Path::new(&member)));
                Content { opened: Opened::new(name, content, Some("ZIP"), limit), format }
            }
        })
    }
}

impl<'a> Opened<'a> {
    fn new(name: String, rest: Box<dyn Read + 'a>, packed: Option<&'static str>, limit: u64) -> Self {
        // The format is a placeholder until the head is known.
        let input = Input { name, bytes: Vec::new(), format: Format::Csv };
        Self { input, packed, rest, bytes: 0, limit, size: None }
    }

    /// Reads the rest of the source.
    pub(crate) fn load(mut self) -> Result<Input, ReadError> {
        let mut bytes = std::mem::take(&mut self.input.bytes);
        if let Some(size) = self.size.and_then(|size| usize::try_from(size.min(self.limit)).ok()) {
            let left = size.saturating_sub(bytes.len());
            bytes.try_reserve_exact(left).map_err(|_| self.input.out_of_memory(size))?;
        }
        self.read(u64::MAX, &mut bytes)?;
        self.input.bytes = bytes;
        Ok(self.input)
    }

    /// Appends up to `count` bytes and returns their number, which is smaller only at the end.
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
            if error.kind() == io::ErrorKind::OutOfMemory {
                return self.input.out_of_memory(out.capacity().saturating_mul(2));
            }
            own_error(error).unwrap_or_else(|source| match self.packed {
                Some(codec) => ReadError::Compressed { file, codec, source },
                None => ReadError::Open { file, source },
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

/// Unwraps a [`ReadError`] that [`Measured`] passed through an [`io::Error`].
fn own_error(error: io::Error) -> Result<ReadError, io::Error> {
    error.downcast::<ReadError>()
}

/// Detects the format: a binary one by its signature, JSON and ARFF by their first characters, else CSV if it may be text.
fn detect(head: &[u8], is_utf16: bool) -> Option<Format> {
    let may_be_text = || {
        let utf16 = is_utf16 || head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
        let valid = match std::str::from_utf8(head) {
            Ok(_) => true,
            // Mostly valid text is probably Latin-1 and gets an error about its encoding.
            Err(error) => error.valid_up_to() >= head.len() / 2,
        };
        utf16 || (valid && !head.contains(&0))
    };
    let opens_arff = || {
        let text = String::from_utf8_lossy(head);
        let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('%'));
        first.is_some_and(|line| line.to_ascii_lowercase().starts_with("@relation"))
    };
    let opens_json = || {
        let begin: Vec<u8> = head.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).take(2).collect();
        matches!(begin[..], [b'{', b'"' | b'}'] | [b'[', b'{'])
    };
    Format::from_signature(head)
        .or_else(|| opens_json().then_some(Format::Json))
        .or_else(|| opens_arff().then_some(Format::Arff))
        .or_else(|| may_be_text().then_some(Format::Csv))
}

/// A reader that reports a file that became shorter after it was opened.
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
