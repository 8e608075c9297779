//! Lookup of categories by name or by numeric value.

use std::collections::HashMap;

/// Finds the index of a category in a list of known ones.
///
/// The same column may be read as numbers from one file (or one part of a file) and as texts from another, so `1.50`
/// also stands for a known `1.5`.
pub(crate) struct Levels<'a> {
    names: HashMap<&'a str, u32>,
    numbers: HashMap<u64, u32>,
}

impl<'a> Levels<'a> {
    pub(crate) fn new(levels: &'a [String]) -> Self {
        let names = levels.iter().map(String::as_str).zip(0..).collect();
        let mut numbers = HashMap::new();
        for (level, index) in levels.iter().zip(0..) {
            if let Some(key) = number(level) {
                numbers.entry(key).or_insert(index);
            }
        }
        Self { names, numbers }
    }

    /// The index of a category, if known.
    pub(crate) fn find(&self, category: &str) -> Option<u32> {
        let named = self.names.get(category).copied();
        named.or_else(|| self.numbers.get(&number(category)?).copied())
    }
}

/// The bits of a finite number; zero and minus zero are equal.
fn number(text: &str) -> Option<u64> {
    text.trim().parse::<f64>().ok().filter(|value| value.is_finite()).map(|value| (value + 0.0).to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_before_numbers() {
        let known: Vec<String> = ["a", "1.50", "2", "2.0", "0"].map(str::to_owned).to_vec();
        let levels = Levels::new(&known);
        let found: Vec<Option<u32>> =
            ["a", "1.5", "2", "2.0", "2.00", "-0", "b", "NaN", ""].map(|text| levels.find(text)).to_vec();
        assert_eq!(found, [Some(0), Some(1), Some(2), Some(3), Some(2), Some(4), None, None, None]);
    }
}
