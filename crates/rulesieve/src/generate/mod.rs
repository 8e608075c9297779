//! Tables made by a rule, with the columns that carry signal known.
//!
//! Each generator follows a published construction, named in its file. The same name, size and seed give the same bits;
//! every generator draws from a ChaCha8 stream of its own, so two of them never share numbers under one seed.
//!
//! ```
//! let xor = rulesieve::generate::find("xor").ok_or("no such generator")?;
//! let made = xor.generate(Some(100), Some(5), 7)?;
//! assert_eq!((made.table.rows(), made.table.columns().len()), (100, 5 + 1)); // the label is the last column
//! assert_eq!(made.informative, ["x1", "x2"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod control;
mod double_circle;
mod error;
mod friedman;
mod madelon;
mod parity;
mod registry;
#[cfg(test)]
mod testing;
mod waveform;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

use crate::data::{Column, Table};

pub use error::GenerateError;
pub use registry::{all, find};

/// Most feature cells a generator makes: 2^28, which is 2 GiB of numbers.
pub const MAXIMUM_CELLS: usize = 1 << 28;

/// First stream number of the generators, apart from the small ones that fits count their tasks by: a fit under the
/// seed of its data must not start from the numbers in that data.
const FIRST_STREAM: u64 = 0x6765_6e00;

/// A generated table and the truth about its columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Generated {
    /// The features, then the label; `target_hint` names the label.
    pub table: Table,
    /// The columns that carry signal, in table order.
    pub informative: Vec<String>,
    /// The columns that only repeat the signal of the informative ones, in table order.
    pub redundant: Vec<String>,
}

/// A named recipe for tables.
#[derive(Debug)]
pub struct Generator {
    /// The name by which users call it.
    pub name: &'static str,
    /// What it makes, in one line.
    pub summary: &'static str,
    /// Who published the construction, and when.
    pub source: &'static str,
    /// The name of the label column.
    pub target: &'static str,
    /// Number of classes; 0 when the label is a number to be predicted.
    pub classes: usize,
    /// Rows when none are asked for: the size in the source.
    pub default_samples: usize,
    /// Feature columns when none are asked for: the size in the source.
    pub default_features: usize,
    /// Fewest rows that can hold every class or cluster once. Where the rule draws labels at random (parity, waveform),
    /// a table that small may still lack one.
    pub minimum_samples: usize,
    /// Fewest feature columns that hold the construction; those above are noise (for `control`, more points in time).
    pub minimum_features: usize,
    stream: u64,
    build: fn(usize, usize, &mut ChaCha8Rng) -> Parts,
}

/// What a recipe returns before it becomes a checked table: the features and then the label.
struct Parts {
    columns: Vec<Column>,
    informative: Vec<String>,
    redundant: Vec<String>,
}

impl Generator {
    /// Makes a table of `samples` rows and `features` columns plus the label, by default as many as in the source.
    ///
    /// # Errors
    /// Too few samples or features for the construction, or more than [`MAXIMUM_CELLS`] cells.
    pub fn generate(
        &self,
        samples: Option<usize>,
        features: Option<usize>,
        seed: u64,
    ) -> Result<Generated, GenerateError> {
        let samples = samples.unwrap_or(self.default_samples);
        let features = features.unwrap_or(self.default_features);
        self.check(samples, features)?;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(FIRST_STREAM + self.stream);
        let parts = (self.build)(samples, features, &mut rng);
        let mut table = Table::new(parts.columns)?;
        table.target_hint = Some(self.target.to_owned());
        Ok(Generated { table, informative: parts.informative, redundant: parts.redundant })
    }

    fn check(&self, samples: usize, features: usize) -> Result<(), GenerateError> {
        if samples < self.minimum_samples {
            let minimum = self.minimum_samples;
            return Err(GenerateError::TooFewSamples { generator: self.name, found: samples, minimum });
        }
        if features < self.minimum_features {
            let minimum = self.minimum_features;
            return Err(GenerateError::TooFewFeatures { generator: self.name, found: features, minimum });
        }
        match samples.checked_mul(features) {
            Some(cells) if cells <= MAXIMUM_CELLS => Ok(()),
            _ => Err(GenerateError::TooLarge { generator: self.name, samples, features, maximum: MAXIMUM_CELLS }),
        }
    }
}

/// A number from [0, 1).
fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    rng.random()
}

/// A number from [low, high).
fn between(low: f64, high: f64, rng: &mut ChaCha8Rng) -> f64 {
    low + (high - low) * uniform(rng)
}

/// A number from N(0, 1).
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    rng.sample(StandardNormal)
}

/// `prefix` followed by each of the numbers.
fn numbered(prefix: &str, numbers: impl IntoIterator<Item = usize>) -> Vec<String> {
    numbers.into_iter().map(|number| format!("{prefix}{number}")).collect()
}

/// Columns `prefix1`, `prefix2`, ... of `samples` draws each.
fn drawn_columns(prefix: &str, count: usize, samples: usize, mut draw: impl FnMut() -> f64) -> Vec<Column> {
    let names = numbered(prefix, 1..=count).into_iter();
    names.map(|name| Column::numeric(name, (0..samples).map(|_| draw()).collect())).collect()
}
