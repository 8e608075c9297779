//! Decompressed size of the gzip pages of a column, which the Parquet library does not bound.

use std::io::{self, Read, Write};

use flate2::bufread::GzDecoder;

const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// The total decompressed size of all gzip streams in `pages`, counted up to `limit + 1`.
///
/// Finds streams by their magic bytes; other bytes that match fail to decompress.
pub(super) fn gzip_bytes(pages: &[u8], limit: u64) -> u64 {
    let mut count = Count(0);
    for at in 0..pages.len() {
        if pages[at..].starts_with(&MAGIC) && count.0 <= limit {
            let left = limit.saturating_add(1) - count.0;
            // Damage is reported later, when the cells are read.
            let _ = io::copy(&mut GzDecoder::new(&pages[at..]).take(left), &mut count);
        }
    }
    count.0
}

struct Count(u64);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn every_stream_is_counted_up_to_the_limit() {
        let pages = [b"header".to_vec(), gzip(&[0; 5000]), MAGIC.to_vec(), b"junk".to_vec(), gzip(&[1; 300])].concat();
        assert_eq!(gzip_bytes(&pages, 1_000_000), 5300);
        assert_eq!(gzip_bytes(&pages, 4000), 4001);
        assert_eq!(gzip_bytes(&gzip(&vec![0; 3_000_000]), 1000), 1001);
        assert_eq!(gzip_bytes(b"no stream", 10), 0);
    }
}
