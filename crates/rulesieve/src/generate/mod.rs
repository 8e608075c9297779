//! Synthetic tables with known informative columns.
//!
//! Each generator follows a published construction, named in its file. The same name, size and seed give the same bits;
//! every generator has its own ChaCha8 stream, so two of them never share random numbers under one seed.
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

/// Maximum number of feature cells: 2^28, which is 2 GiB of numbers.
pub const MAXIMUM_CELLS: usize = 1 << 28;

/// First stream number of the generators, different from the small ones of fits: a fit with the seed of its data must
/// not reuse the random numbers of that data.
const FIRST_STREAM: u64 = 0x6765_6e00;

/// A generated table with the roles of its columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Generated {
    /// The features, then the label; `target_hint` names the label.
    pub table: Table,
    /// The informative columns, in table order.
    pub informative: Vec<String>,
    /// The redundant columns, which depend on the informative ones, in table order.
    pub redundant: Vec<String>,
}

/// A named generator.
#[derive(Debug)]
pub struct Generator {
    /// The name.
    pub name: &'static str,
    /// Description in one line.
    pub summary: &'static str,
    /// Source of the construction.
    pub source: &'static str,
    /// The name of the label column.
    pub target: &'static str,
    /// Number of classes; 0 for regression.
    pub classes: usize,
    /// Default number of rows: the size in the source.
    pub default_samples: usize,
    /// Default number of feature columns: the size in the source.
    pub default_features: usize,
    /// Minimum number of rows, enough for every class or cluster. If labels are drawn at random (parity, waveform), a
    /// table of this size may still lack a class.
    pub minimum_samples: usize,
    /// Minimum number of feature columns; further columns are noise (for `control`, more points in time).
    pub minimum_features: usize,
    stream: u64,
    build: fn(usize, usize, &mut ChaCha8Rng) -> Parts,
}

/// Output of a construction: the features, then the label.
struct Parts {
    columns: Vec<Column>,
    informative: Vec<String>,
    redundant: Vec<String>,
}

impl Generator {
    /// Generates a table of `samples` rows and `features` columns plus the label, by default of the size in the source.
    ///
    /// # Errors
    /// Too few samples or features, or more than [`MAXIMUM_CELLS`] cells.
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

/// A random number from [0, 1).
fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    rng.random()
}

/// A random number from [low, high).
fn between(low: f64, high: f64, rng: &mut ChaCha8Rng) -> f64 {
    low + (high - low) * uniform(rng)
}

/// A random number from N(0, 1).
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
