//! Penalty on the squared distance of rules from their initial values.

use super::network::Network;
use super::pass::Gradient;

/// Weights of the squared distances from the initial values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Anchor {
    pub(crate) centres: f64,
    pub(crate) log_spreads: f64,
}

impl Anchor {
    pub(crate) fn add(&self, network: &Network, start: &Network, gradient: &mut Gradient) {
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
