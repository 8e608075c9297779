//! Initial rule centres by k-means++ and a few iterations of Lloyd's algorithm.

use crate::linalg::Matrix;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Maximum number of clustered samples: more would cost time and change the centres little.
const MOST: usize = 4000;
const PASSES: usize = 12;

/// Centres of `count` clusters of the first `learn` columns of `x` (m x n), as a `count` x m matrix.
pub(crate) fn centres(x: &Matrix, learn: usize, count: usize, rng: &mut ChaCha8Rng) -> Matrix {
    let mut order: Vec<usize> = (0..learn).collect();
    let samples: Vec<&[f64]> = order.partial_shuffle(rng, MOST.min(learn)).0.iter().map(|&at| x.col(at)).collect();
    let mut centres = spread_out(&samples, count, rng);
    for _ in 0..PASSES {
        move_to_means(&samples, &mut centres);
    }
    Matrix::from_fn(count, x.rows(), |rule, dim| centres[rule][dim])
}

/// k-means++: every next centre is a sample drawn with probability proportional to its squared distance to the others.
fn spread_out(samples: &[&[f64]], count: usize, rng: &mut ChaCha8Rng) -> Vec<Vec<f64>> {
    let mut centres = vec![samples[rng.random_range(0..samples.len())].to_vec()];
    let mut distances: Vec<f64> = samples.iter().map(|sample| distance(sample, &centres[0])).collect();
    while centres.len() < count {
        let total: f64 = distances.iter().sum();
        let mut left = rng.random::<f64>() * total;
        let drawn = distances.iter().position(|distance| {
            left -= distance;
            left < 0.0
        });
        // Fewer distinct samples than centres: reuse any sample.
        let drawn = drawn.unwrap_or_else(|| rng.random_range(0..samples.len()));
        let centre = samples[drawn].to_vec();
        for (nearest, sample) in distances.iter_mut().zip(samples) {
            *nearest = nearest.min(distance(sample, &centre));
        }
        centres.push(centre);
    }
    centres
}

fn move_to_means(samples: &[&[f64]], centres: &mut [Vec<f64>]) {
    let mut sums = vec![vec![0.0; samples[0].len()]; centres.len()];
    let mut counts = vec![0_usize; centres.len()];
    for sample in samples {
        let away = centres.iter().enumerate().map(|(at, centre)| (distance(sample, centre), at));
        let nearest = away.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, at)| at);
        counts[nearest] += 1;
        sums[nearest].iter_mut().zip(*sample).for_each(|(sum, value)| *sum += value);
    }
    for ((centre, sum), count) in centres.iter_mut().zip(sums).zip(counts) {
        // Keep the centre of an empty cluster.
        if count > 0 {
            centre.iter_mut().zip(sum).for_each(|(centre, sum)| *centre = sum / count as f64);
        }
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn clusters_are_found_and_too_many_centres_are_allowed() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let corner = |sample: usize| [(sample % 2) as f64 * 10.0, (sample / 2 % 2) as f64 * 10.0];
        let x = Matrix::from_fn(2, 200, |dim, sample| corner(sample)[dim] + (sample as f64 * 0.7).sin());
        let found = centres(&x, 200, 4, &mut rng);
        for at in 0..4 {
            let near = (0..4).any(|rule| (0..2).all(|dim| (found[(rule, dim)] - corner(at)[dim]).abs() < 1.0));
            assert!(near, "{found:?}");
        }
        let same = Matrix::from_fn(3, 5, |_, _| 2.0);
        assert_eq!(centres(&same, 5, 4, &mut rng), Matrix::from_fn(4, 3, |_, _| 2.0));
    }
}
