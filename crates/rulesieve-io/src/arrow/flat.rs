//! Access to FlatBuffers, checked against the ends of the bytes.

/// A table: numbered fields at offsets that its `vtable` lists.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flat<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Flat<'a> {
    /// The root table.
    pub(super) fn root(bytes: &'a [u8]) -> Option<Self> {
        Self { bytes, at: 0 }.follow(0)
    }

    /// A number of `N` bytes.
    pub(super) fn number<const N: usize>(&self, field: usize) -> Option<[u8; N]> {
        array(self.bytes, self.position(field)?)
    }

    /// A signed integer of 16 bits, or the default.
    pub(super) fn short(&self, field: usize, default: i16) -> i16 {
        self.number(field).map_or(default, i16::from_le_bytes)
    }

    /// A signed integer of 32 bits, or the default.
    pub(super) fn int(&self, field: usize, default: i32) -> i32 {
        self.number(field).map_or(default, i32::from_le_bytes)
    }

    /// A signed integer of 64 bits, 0 if it is absent.
    pub(super) fn long(&self, field: usize) -> i64 {
        self.number(field).map_or(0, i64::from_le_bytes)
    }

    /// A byte, 0 if it is absent.
    pub(super) fn byte(&self, field: usize) -> u8 {
        self.number::<1>(field).map_or(0, |[byte]| byte)
    }

    /// A nested table.
    pub(super) fn table(&self, field: usize) -> Option<Self> {
        self.follow(self.position(field)?)
    }

    /// The bytes of a vector of structures of `N` bytes.
    pub(super) fn structures<const N: usize>(&self, field: usize) -> Option<&'a [u8]> {
        let (start, count) = self.vector(field)?;
        self.bytes.get(start..start.checked_add(count.checked_mul(N)?)?)
    }

    /// A vector of tables.
    pub(super) fn tables(&self, field: usize) -> Option<Vec<Self>> {
        let (start, count) = self.vector(field)?;
        // An entry has four bytes.
        (count <= self.bytes.len() / 4).then_some(())?;
        (0..count).map(|at| self.follow(start + 4 * at)).collect()
    }

    /// A text.
    pub(super) fn text(&self, field: usize) -> Option<&'a str> {
        std::str::from_utf8(self.structures::<1>(field)?).ok()
    }

    fn position(&self, field: usize) -> Option<usize> {
        let back = i64::from(i32::from_le_bytes(array(self.bytes, self.at)?));
        let vtable = usize::try_from(self.at as i64 - back).ok()?;
        let size = usize::from(u16::from_le_bytes(array(self.bytes, vtable)?));
        let entry = 4 + 2 * field;
        if entry + 2 > size {
            return None;
        }
        let offset = usize::from(u16::from_le_bytes(array(self.bytes, vtable + entry)?));
        (offset != 0).then_some(self.at + offset)
    }

    fn follow(&self, at: usize) -> Option<Self> {
        let offset = u32::from_le_bytes(array(self.bytes, at)?) as usize;
        let at = at.checked_add(offset)?;
        (at < self.bytes.len()).then_some(Self { bytes: self.bytes, at })
    }

    /// Start and number of the elements of a vector.
    fn vector(&self, field: usize) -> Option<(usize, usize)> {
        let vector = self.table(field)?;
        Some((vector.at + 4, u32::from_le_bytes(array(self.bytes, vector.at)?) as usize))
    }
}

/// The `N` bytes at a position.
pub(super) fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}
