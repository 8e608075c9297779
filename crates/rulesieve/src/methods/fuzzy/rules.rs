//! Rule bases.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Point-based: places of the samples that become rules, ascending. All of them up to `most`; of more, every class gives its
/// share, drawn without replacement.
pub(crate) fn points(codes: &[u32], classes: usize, most: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let count = codes.len();
    if count <= most {
        return (0..count).collect();
    }
    let mut drawn = Vec::with_capacity(most + classes);
    for class in 0..classes {
        let mut own: Vec<usize> = (0..count).filter(|&at| codes[at] as usize == class).collect();
        let share = (most as f64 * own.len() as f64 / count as f64).round() as usize;
        drawn.extend_from_slice(own.partial_shuffle(rng, share).0);
    }
    drawn.sort_unstable();
    drawn
}
