//! What holds the rules of a refit near their start.

use super::network::Network;
use super::pass::Gradient;

/// Weights of the squared distances from the start, for rules that shall stay near it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anchor {
    pub(super) centres: f64,
    pub(super) log_spreads: f64,
}

impl Anchor {
    pub(super) fn add(&self, network: &Network, start: &Network, gradient: &mut Gradient) {
        let pull = |weight: f64, values: &[f64], start: &[f64], gradient: &mut [f64]| {
            for ((gradient, value), start) in gradient.iter_mut().zip(values).zip(start) {
                *gradient += 2.0 * weight * (value - start);
            }
        };
        let share = 1.0 / network.rules() as f64;
        let Network { centres, log_spreads, .. } = network;
        let (weight, to) = (self.centres * share, start.centres.as_slice());
        pull(weight, centres.as_slice(), to, gradient.centres.as_mut_slice());
        let (weight, to) = (self.log_spreads * share, start.log_spreads.as_slice());
        pull(weight, log_spreads.as_slice(), to, gradient.log_spreads.as_mut_slice());
    }
}
