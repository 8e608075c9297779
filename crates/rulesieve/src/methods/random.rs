//! `random`: a random order, the baseline.
//!
//! The score of a feature depends on the seed and on its name alone: neither on the order of the columns nor on the
//! other columns. (The ranking then gives features that are equal in every row one score, as for any method.)

use super::{Certainty, Fit, FitError, MethodInfo, Prepared, Problem, Settings};
use crate::optim::Observer;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(super) static INFO: MethodInfo = MethodInfo {
    name: "random",
    title: "random",
    summary: "a random order, drawn from the seed: the baseline",
    source: "none",
    certainty: Certainty::Established,
    cost: "O(m)",
    regression: true,
    ..MethodInfo::DEFAULT
};

pub(super) fn prepare(problem: Problem<'_>) -> Result<Box<dyn Prepared + '_>, FitError> {
    Ok(Box::new(OnNames(problem)))
}

struct OnNames<'a>(Problem<'a>);

impl Prepared for OnNames<'_> {
    fn fit(&self, _: &Settings, seed: u64, _: &mut dyn Observer) -> Result<Fit, FitError> {
        let draw = |name: &&str| {
            // FNV-1a of the name chooses the stream, the seed the generator.
            let stream = name
                .bytes()
                .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(stream);
            rng.random::<f64>()
        };
        Ok(Fit { scores: self.0.names.iter().map(draw).collect(), ..Fit::default() })
    }
}
