//! Compressed data, recognised by its first bytes.

use std::io::{self, Read, Write};

use flate2::{read::MultiGzDecoder, write::GzEncoder};

/// Compression of a whole file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Codec {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
}

/// Bytes that recognise every codec.
pub(crate) const MAGIC_BYTES: usize = 10;

/// Working memory of a decoder, which files may ask for, in KiB. `xz -9` and `zstd --ultra` need less.
#[cfg(feature = "compression")]
const MEMORY_KIB: u32 = 256 * 1024;

impl Codec {
    const ALL: [Self; 4] = [Self::Gzip, Self::Zstd, Self::Bzip2, Self::Xz];
    /// The cargo feature with all codecs but gzip.
    pub(crate) const FEATURE: &str = "compression";

    /// Its name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "Zstandard",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
        }
    }

    /// Its file ending.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Self::Gzip => "gz",
            Self::Zstd => "zst",
            Self::Bzip2 => "bz2",
            Self::Xz => "xz",
        }
    }

    /// The codec of data that begins with these bytes.
    pub(crate) fn of_magic(head: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|codec| match codec {
            Self::Gzip => head.starts_with(b"\x1f\x8b"),
            Self::Zstd => head.starts_with(b"\x28\xb5\x2f\xfd"),
            // `BZh`, the block size, and the start of a block or of the end.
            Self::Bzip2 => {
                head.starts_with(b"BZh") && matches!(head.get(4..10), Some(b"1AY&SY" | b"\x17\x72\x45\x38\x50\x90"))
            }
            Self::Xz => head.starts_with(b"\xfd7zXZ\0"),
        })
    }

    /// A file name without the ending of a codec or of a ZIP archive.
    pub(crate) fn strip_ending(name: &str) -> &str {
        let endings = Self::ALL.map(Self::ending).into_iter().chain(["zip"]);
        endings.filter_map(|ending| name.strip_suffix(ending)?.strip_suffix('.')).next().unwrap_or(name)
    }

    /// Whether this build can read and write it.
    pub(crate) fn is_built(self) -> bool {
        self == Self::Gzip || cfg!(feature = "compression")
    }

    /// Decompresses a stream, which may be a concatenation of compressed parts.
    #[cfg(feature = "compression")]
    pub(crate) fn decoder<'a>(self, data: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
        Ok(match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(data)),
            Self::Zstd => {
                let mut decoder = zstd::Decoder::new(data)?;
                decoder.window_log_max(MEMORY_KIB.ilog2() + 10)?;
                Box::new(decoder)
            }
            Self::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(data)),
            Self::Xz => Box::new(lzma_rust2::XzReader::new_mem_limit(data, true, MEMORY_KIB)),
        })
    }

    /// Decompresses gzip data.
    #[cfg(not(feature = "compression"))]
    pub(crate) fn decoder<'a>(self, data: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
        match self {
            Self::Gzip => Ok(Box::new(MultiGzDecoder::new(data))),
            _ => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}

/// Compresses what is written to it.
pub(crate) enum Encoder<'a> {
    Plain(&'a mut dyn Write),
    Gzip(GzEncoder<&'a mut dyn Write>),
    #[cfg(feature = "compression")]
    Zstd(zstd::Encoder<'static, &'a mut dyn Write>),
}

impl<'a> Encoder<'a> {
    /// Begins a file with this compression.
    pub(crate) fn new(codec: Option<Codec>, to: &'a mut dyn Write) -> io::Result<Self> {
        Ok(match codec {
            None => Self::Plain(to),
            Some(Codec::Gzip) => Self::Gzip(GzEncoder::new(to, flate2::Compression::default())),
            #[cfg(feature = "compression")]
            Some(Codec::Zstd) => Self::Zstd(zstd::Encoder::new(to, zstd::DEFAULT_COMPRESSION_LEVEL)?),
            Some(_) => return Err(io::ErrorKind::Unsupported.into()),
        })
    }

    /// Completes the file and flushes it.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Self::Plain(to) => to.flush(),
            Self::Gzip(encoder) => encoder.finish()?.flush(),
            #[cfg(feature = "compression")]
            Self::Zstd(encoder) => encoder.finish()?.flush(),
        }
    }
}

impl Write for Encoder<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(to) => to.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
            #[cfg(feature = "compression")]
            Self::Zstd(encoder) => encoder.write(bytes),
        }
    }

    /// Flushes only uncompressed data: compressed blocks that end early compress less.
    fn flush(&mut self) -> io::Result<()> {
        if let Self::Plain(to) = self { to.flush() } else { Ok(()) }
    }
}
