//! Large allocations that fail with an error instead of ending the program.

use std::fmt;
use std::hint::black_box;

/// A size in bytes, in readable units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bytes(pub usize);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mega = self.0 as f64 / 1e6;
        if mega < 1000.0 { write!(f, "{:.0} MB", mega.ceil()) } else { write!(f, "{:.1} GB", mega / 1000.0) }
    }
}

/// Bytes that smaller allocations may need besides.
const SLACK: usize = 16 << 20;

/// Whether so many bytes can be allocated now: allocates and frees them, without touching them.
pub fn is_available(bytes: usize) -> bool {
    let mut probe: Vec<u8> = Vec::new();
    let found = probe.try_reserve_exact(bytes.saturating_add(SLACK)).is_ok();
    // Keeps the allocation, which the compiler may otherwise leave out.
    black_box(&probe);
    found
}
