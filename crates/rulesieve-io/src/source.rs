//! Where a table comes from, and its bytes: read up to the limit, decompressed on the way.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use flate2::read::MultiGzDecoder;

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
    match source {
        Source::Path(path) => load_path(path, options),
        Source::Stdin => drain("standard input".to_owned(), io::stdin().lock(), options.format, options.limits),
        Source::Bytes { name, bytes } => {
            let format = options.format.or_else(|| Format::from_path(Path::new(name)));
            drain(escaped(name), bytes.as_slice(), format, options.limits)
        }
    }
}

fn load_path(path: &Path, options: &ReadOptions) -> Result<Input, ReadError> {
    let name = escaped(&path.display().to_string());
    let open_error = |source| ReadError::Open { file: name.clone(), source };
    let metadata = fs::metadata(path).map_err(open_error)?;
    if metadata.is_dir() {
        return Err(ReadError::Directory { file: name });
    }
    if metadata.is_file() && metadata.len() > options.limits.bytes {
        let (found, limit) = (metadata.len(), options.limits.bytes);
        return Err(ReadError::Limit { file: name, what: "bytes", found, limit, option: "--max-bytes" });
    }
    let mut file = Counted { inner: File::open(path).map_err(open_error)?, bytes: 0 };
    let format = options.format.or_else(|| Format::from_path(path));
    let input = drain(name, &mut file, format, options.limits)?;
    if metadata.is_file() && file.bytes < metadata.len() {
        return Err(ReadError::Shrank { file: input.name, expected: metadata.len(), found: file.bytes });
    }
    Ok(input)
}

/// Decompresses where the first bytes are those of gzip, then reads to the end or to the limit.
fn drain(name: String, mut reader: impl Read, format: Option<Format>, limits: Limits) -> Result<Input, ReadError> {
    let mut magic = Vec::with_capacity(2);
    if let Err(source) = reader.by_ref().take(2).read_to_end(&mut magic) {
        return Err(ReadError::Open { file: name, source });
    }
    let is_gzip = magic == [0x1f, 0x8b];
    let whole = io::Cursor::new(magic).chain(reader);
    if is_gzip {
        fill(name.clone(), MultiGzDecoder::new(whole), format, limits, |source| ReadError::Gzip { file: name, source })
    } else {
        fill(name.clone(), whole, format, limits, |source| ReadError::Open { file: name, source })
    }
}

fn fill(
    name: String,
    mut reader: impl Read,
    format: Option<Format>,
    limits: Limits,
    failure: impl FnOnce(io::Error) -> ReadError,
) -> Result<Input, ReadError> {
    let mut bytes = Vec::new();
    if let Err(error) = reader.by_ref().take(HEAD_BYTES).read_to_end(&mut bytes) {
        return Err(failure(error));
    }
    let format = match format.or_else(|| guess(&bytes)) {
        Some(format) => format,
        None => return Err(ReadError::UnknownFormat { file: name }),
    };
    let mut input = Input { name, bytes, format };
    if format.is_text() {
        refuse_binary(&input, &input.bytes)?;
    }
    let left = limits.bytes.saturating_add(1).saturating_sub(input.bytes.len() as u64);
    if let Err(error) = reader.take(left).read_to_end(&mut input.bytes) {
        return Err(failure(error));
    }
    if input.bytes.len() as u64 > limits.bytes {
        return Err(ReadError::Endless { file: input.name, limit: limits.bytes });
    }
    Ok(input)
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

/// Counts what passes, to notice a file that ends before its length.
struct Counted<R> {
    inner: R,
    bytes: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.bytes += count as u64;
        Ok(count)
    }
}
