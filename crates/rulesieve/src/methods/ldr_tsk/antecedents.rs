//! The IF part that the paper's rules lack, recovered after the fit: Gaussians in the projected space X Q that imitate the
//! learned firing strengths F. Approximate, because F is free for every training sample: [`Antecedents::r_squared`] says
//! how much of it the Gaussians explain.
//!
//! `w_ir = F_ir / sum_i F_ir`, `m_rj = sum_i w_ir h_ij`, `s_rj^2 = sum_i w_ir (h_ij - m_rj)^2`,
//! `f_r(h) = A_r exp(-(1/d) sum_j (h_j - m_rj)^2 / (2 s_rj^2))`, `A_r` by least squares of `F_r`. As in the paper, firing
//! strengths are not normalised.

use crate::linalg::{Cholesky, Matrix, Plain, Transposed, add_product, exp, inner_gram, outer_gram, product};

/// Spreads are at least this share of the deviation of their dimension over all samples.
const NARROWEST: f64 = 1e-6;
/// Firing strengths whose variance is below this share of their mean square are constant but for rounding.
const ROUNDING: f64 = 1e-12;
/// Consequents are fitted again where that takes a system of at most this order, from at most so many numbers.
const LARGEST_ORDER: usize = 1500;
const MOST_NUMBERS: usize = 1 << 23;

/// Gaussian memberships of every rule in every dimension of the projected space.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Antecedents {
    /// rules x d.
    pub centres: Matrix,
    /// rules x d.
    pub spreads: Matrix,
    /// The largest firing strength of every rule.
    pub amplitudes: Vec<f64>,
    /// The share of the variance of its firing strengths that each rule's curve explains; negative where it does worse than
    /// their mean, 0 where they do not vary.
    pub r_squared: Vec<f64>,
}

impl Antecedents {
    /// From the projected samples X Q (n x d) and their firing strengths (n x rules, positive).
    pub(crate) fn recover(latent: &Matrix, strengths: &Matrix) -> Self {
        let (d, rules) = (latent.cols(), strengths.cols());
        let all = vec![1.0 / latent.rows().max(1) as f64; latent.rows()];
        let narrowest: Vec<f64> = (0..d).map(|j| NARROWEST * moments(latent.col(j), &all).1).collect();
        let (mut centres, mut spreads) = (Matrix::zeros(rules, d), Matrix::zeros(rules, d));
        for rule in 0..rules {
            let shares = shares_of(strengths.col(rule));
            for j in 0..d {
                let (mean, deviation) = moments(latent.col(j), &shares);
                centres[(rule, j)] = mean;
                spreads[(rule, j)] = deviation.max(narrowest[j]).max(f64::MIN_POSITIVE.sqrt());
            }
        }
        let mut found = Self { centres, spreads, amplitudes: vec![1.0; rules], r_squared: vec![0.0; rules] };
        let curves = found.firing(latent);
        for rule in 0..rules {
            let (curve, wanted) = (curves.col(rule), strengths.col(rule));
            let product: f64 = curve.iter().zip(wanted).map(|(curve, wanted)| curve * wanted).sum();
            let square: f64 = curve.iter().map(|value| value * value).sum();
            let amplitude = product / square.max(f64::MIN_POSITIVE);
            let missed: f64 =
                curve.iter().zip(wanted).map(|(curve, wanted)| (wanted - amplitude * curve).powi(2)).sum();
            let variance = moments(wanted, &all).1.powi(2) * wanted.len() as f64;
            let squares: f64 = wanted.iter().map(|wanted| wanted * wanted).sum();
            found.amplitudes[rule] = amplitude;
            found.r_squared[rule] = if variance > ROUNDING * squares { 1.0 - missed / variance } else { 0.0 };
        }
        found
    }

    /// Firing strengths of projected samples, n x rules.
    pub(crate) fn firing(&self, latent: &Matrix) -> Matrix {
        let (n, d, rules) = (latent.rows(), latent.cols(), self.centres.rows());
        let mut firing = Matrix::zeros(n, rules);
        for rule in 0..rules {
            let out = firing.col_mut(rule);
            for j in 0..d {
                let (centre, spread) = (self.centres[(rule, j)], self.spreads[(rule, j)]);
                for (out, value) in out.iter_mut().zip(latent.col(j)) {
                    *out += ((value - centre) / spread).powi(2);
                }
            }
            let amplitude = self.amplitudes[rule];
            out.iter_mut().for_each(|out| *out = amplitude * exp(-*out / (2 * d.max(1)) as f64));
        }
        firing
    }

    /// The share of the samples that the rules answer rightly with the recovered firing strengths, once their consequents are
    /// fitted anew (ridge, one output for each class). Nothing where that would be too large a system.
    pub(crate) fn accuracy(&self, latent: &Matrix, codes: &[u32], classes: usize, ridge: f64) -> Option<f64> {
        let firing = self.firing(latent);
        let (n, unknowns) = (latent.rows(), firing.cols() * (latent.cols() + 1));
        if n.min(unknowns) > LARGEST_ORDER || (n > unknowns && n * unknowns > MOST_NUMBERS) {
            return None;
        }
        let wanted = Matrix::from_fn(n, classes, |row, class| f64::from(u8::from(codes[row] as usize == class)));
        let said =
            if n <= unknowns { dual(latent, &firing, &wanted, ridge) } else { primal(latent, &firing, &wanted, ridge) };
        let said = said?;
        let right = |&row: &usize| {
            let best = (0..classes).max_by(|&a, &b| said[(row, a)].total_cmp(&said[(row, b)]).then(b.cmp(&a)));
            best == Some(codes[row] as usize)
        };
        Some((0..n).filter(right).count() as f64 / n.max(1) as f64)
    }
}

/// Firing strengths as shares of one.
pub(crate) fn shares_of(strengths: &[f64]) -> Vec<f64> {
    let total: f64 = strengths.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    strengths.iter().map(|strength| strength / total).collect()
}

/// Mean and standard deviation of values that count by shares of one.
pub(crate) fn moments(values: &[f64], shares: &[f64]) -> (f64, f64) {
    let sum = |of: &dyn Fn(f64) -> f64| values.iter().zip(shares).map(|(value, share)| share * of(*value)).sum::<f64>();
    let mean = sum(&|value| value);
    (mean, sum(&|value| (value - mean).powi(2)).sqrt())
}

/// What ridge regression on `f_r (h, 1)` says of the samples, from the system of order n: its kernel is
/// `sum_r f_r f_r^T` times `H H^T + 1`, entry by entry.
fn dual(latent: &Matrix, firing: &Matrix, wanted: &Matrix, ridge: f64) -> Option<Matrix> {
    let (mut kernel, together) = (outer_gram(latent), outer_gram(firing));
    kernel
        .as_mut_slice()
        .iter_mut()
        .zip(together.as_slice())
        .for_each(|(kernel, fired)| *kernel = (*kernel + 1.0) * fired);
    let mut system = kernel.clone();
    system.shift_diagonal(ridge);
    let mut solution = wanted.clone();
    Cholesky::new(system).ok()?.solve_in_place(&mut solution);
    Some(product(Plain(&kernel), Plain(&solution)))
}

/// The same from the system of the unknowns.
fn primal(latent: &Matrix, firing: &Matrix, wanted: &Matrix, ridge: f64) -> Option<Matrix> {
    let (n, d, rules) = (latent.rows(), latent.cols(), firing.cols());
    let mut inputs = Matrix::zeros(n, rules * (d + 1));
    for rule in 0..rules {
        for j in 0..=d {
            let target = inputs.col_mut(rule * (d + 1) + j);
            target.copy_from_slice(firing.col(rule));
            if j < d {
                target.iter_mut().zip(latent.col(j)).for_each(|(target, value)| *target *= value);
            }
        }
    }
    let mut system = inner_gram(&inputs);
    system.shift_diagonal(ridge);
    let mut solution = Matrix::zeros(inputs.cols(), wanted.cols());
    add_product(&mut solution, 0.0, 1.0, Transposed(&inputs), Plain(wanted));
    Cholesky::new(system).ok()?.solve_in_place(&mut solution);
    Some(product(Plain(&inputs), Plain(&solution)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn random(rows: usize, cols: usize, seed: u64) -> Matrix {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        Matrix::from_fn(rows, cols, |_, _| rng.random_range(-1.0..1.0))
    }

    /// Samples of which each third lies in a place of its own, where one rule fires and the others hardly do.
    fn clusters(n: usize) -> (Matrix, Matrix, Vec<u32>) {
        let codes: Vec<u32> = (0..n).map(|row| (row % 3) as u32).collect();
        let noise = random(n, 2, 1);
        let latent = Matrix::from_fn(n, 2, |row, j| {
            let place = [[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]][row % 3][j];
            place + noise[(row, j)]
        });
        let strengths = Matrix::from_fn(n, 3, |row, rule| if row % 3 == rule { 0.9 } else { 0.001 });
        (latent, strengths, codes)
    }

    #[test]
    fn rules_that_fire_in_places_of_their_own_are_recovered() {
        let (latent, strengths, codes) = clusters(300);
        let found = Antecedents::recover(&latent, &strengths);
        for (rule, place) in [[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]].iter().enumerate() {
            for (j, place) in place.iter().enumerate() {
                assert!((found.centres[(rule, j)] - place).abs() < 0.2, "{rule} {j} {}", found.centres[(rule, j)]);
            }
            assert!(found.r_squared[rule] > 0.8, "{:?}", found.r_squared);
        }
        assert_eq!(found.accuracy(&latent, &codes, 3, 1e-3), Some(1.0));
    }

    #[test]
    fn strengths_that_have_nothing_to_do_with_the_samples_are_not_explained() {
        let (latent, _, _) = clusters(300);
        let strengths = Matrix::from_fn(300, 3, |row, rule| 0.2 + 0.1 * f64::from(u8::from((row / 3 + rule) % 2 == 0)));
        let found = Antecedents::recover(&latent, &strengths);
        assert!(found.r_squared.iter().all(|&r| r < 0.1), "{:?}", found.r_squared);
    }

    #[test]
    fn curves_are_those_of_the_definition() {
        let (latent, strengths) =
            (random(20, 3, 2), Matrix::from_fn(20, 2, |row, rule| 0.1 + (row * (rule + 1)) as f64));
        let found = Antecedents::recover(&latent, &strengths);
        let total: f64 = strengths.col(1).iter().sum();
        let mean: f64 = (0..20).map(|row| strengths[(row, 1)] / total * latent[(row, 2)]).sum();
        let square: f64 = (0..20).map(|row| strengths[(row, 1)] / total * (latent[(row, 2)] - mean).powi(2)).sum();
        assert!((found.centres[(1, 2)] - mean).abs() < 1e-14);
        assert!((found.spreads[(1, 2)] - square.sqrt()).abs() < 1e-14);
        // The amplitude is where the sum of squared misses is flat.
        let missed = |amplitude: f64| {
            let curves = found.firing(&latent);
            let miss = |row: usize| strengths[(row, 1)] - amplitude * curves[(row, 1)] / found.amplitudes[1];
            (0..20).map(|row| miss(row).powi(2)).sum::<f64>()
        };
        let (best, step) = (found.amplitudes[1], 1e-3);
        assert!(missed(best) < missed(best + step) && missed(best) < missed(best - step));
        let distance: f64 =
            (0..3).map(|j| ((latent[(7, j)] - found.centres[(1, j)]) / found.spreads[(1, j)]).powi(2) / 6.0).sum();
        let expected = found.amplitudes[1] * (-distance).exp();
        assert!((found.firing(&latent)[(7, 1)] - expected).abs() < 1e-12 * expected);
    }

    #[test]
    fn both_ways_to_fit_consequents_agree() {
        let (latent, firing) = (random(25, 3, 3), random(25, 2, 4));
        let wanted = random(25, 2, 5);
        let (a, b) = (dual(&latent, &firing, &wanted, 0.1).unwrap(), primal(&latent, &firing, &wanted, 0.1).unwrap());
        a.as_slice().iter().zip(b.as_slice()).for_each(|(a, b)| assert!((a - b).abs() < 1e-10, "{a} {b}"));
    }

    #[test]
    fn one_sample_and_constant_dimensions_give_finite_numbers() {
        let one = Antecedents::recover(&Matrix::zeros(1, 2), &Matrix::from_fn(1, 2, |_, _| 0.5));
        let flat = Antecedents::recover(&Matrix::zeros(5, 1), &Matrix::from_fn(5, 1, |_, _| 0.3));
        // Constant but for rounding, over samples that do vary.
        let nearly = Matrix::from_fn(40, 1, |row, _| 0.3 + 1e-13 * (row % 7) as f64);
        let rounded = Antecedents::recover(&random(40, 2, 6), &nearly);
        assert_eq!(rounded.r_squared, [0.0]);
        for found in [one, flat, rounded] {
            let numbers = [found.centres.as_slice(), found.spreads.as_slice(), &found.amplitudes, &found.r_squared];
            assert!(numbers.iter().all(|numbers| numbers.iter().all(|number| number.is_finite())), "{found:?}");
        }
    }
}
