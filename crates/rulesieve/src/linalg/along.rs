//! Quantities at places along a smooth curve, all but one of which tell that one nearly: what the polynomial through the
//! others leaves of it is so small that single precision is enough for what is done with it, at twice the speed.

use super::widest;

/// The places, and how the one at [`Along::MIDDLE`] follows from the others.
pub(super) struct Along {
    /// The share of every place; that of the middle one is zero.
    shares: Vec<f64>,
}

impl Along {
    /// The one that is told by the others. With three places it lies between two others.
    pub(super) const MIDDLE: usize = 1;

    /// Nothing for fewer than three places: a constant tells too little.
    pub(super) fn new(places: &[f64]) -> Option<Self> {
        let middle = *places.get(Self::MIDDLE)?;
        let others = || places.iter().enumerate().filter(|&(at, _)| at != Self::MIDDLE);
        let share = |(at, place): (usize, &f64)| -> f64 {
            if at == Self::MIDDLE {
                return 0.0;
            }
            others().filter(|&(other, _)| other != at).map(|(_, other)| (middle - other) / (place - other)).product()
        };
        (places.len() > 2).then(|| Self { shares: places.iter().enumerate().map(share).collect() })
    }

    /// What the others leave of the middle one.
    pub(super) fn rest(&self, values: &[&[f64]]) -> Vec<f64> {
        let mut rest = values[Self::MIDDLE].to_vec();
        self.add_others(&mut rest, values, -1.0);
        rest
    }

    /// Adds `sign` times what the others say of the middle one.
    pub(super) fn add_others(&self, to: &mut [f64], values: &[&[f64]], sign: f64) {
        for (&share, values) in self.shares.iter().zip(values).filter(|(share, _)| **share != 0.0) {
            let factor = sign * share;
            widest!(|| to.iter_mut().zip(*values).for_each(|(to, value)| *to += factor * value));
        }
    }

    /// The weights of all but the middle one, with their shares of its weight.
    pub(super) fn weights_of_others(&self, weights: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let with_share = |(at, share): (usize, &f64)| {
            let both = weights[at].iter().zip(&weights[Self::MIDDLE]);
            both.map(|(own, middle)| own + share * middle).collect()
        };
        let others = self.shares.iter().enumerate().filter(|&(at, _)| at != Self::MIDDLE);
        others.map(with_share).collect()
    }
}
