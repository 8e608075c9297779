//! Shared parts of cross-validation: folds, growing sizes, and rankings of some rows.

use super::SelectError;
use super::ranking::order_of;
use crate::data::{Dataset, Design};
use crate::methods::settings::Settings;
use crate::methods::{FitError, Method, Problem};
use crate::optim::Observer;
use crate::pool;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// 1, 2, 3, 5, 8, 13, ... and finally all.
pub fn growing_sizes(features: usize) -> Vec<usize> {
    let (mut sizes, mut pair) = (Vec::new(), (1, 2));
    while pair.0 < features {
        sizes.push(pair.0);
        pair = (pair.1, pair.0 + pair.1);
    }
    sizes.push(features);
    sizes
}

/// The fold of every row, stratified by class (`codes`; all equal for regression): numbers of rows, in total and per
/// class, differ by at most one between folds. `draw` distinguishes random draws with the same seed.
pub fn stratified_folds(codes: &[u32], folds: usize, seed: u64, draw: u64) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(draw);
    let mut rows: Vec<usize> = (0..codes.len()).collect();
    rows.shuffle(&mut rng);
    rows.sort_by_key(|&row| codes[row]);
    let mut fold = vec![0; rows.len()];
    rows.into_iter().enumerate().for_each(|(at, row)| fold[row] = at % folds);
    fold
}

/// A ranking of features.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureOrder {
    /// Feature indices, best first.
    pub indices: Vec<usize>,
    /// Number of features that the method's own size rule keeps, if it has one.
    pub native: Option<usize>,
}

/// The rows of a data set on which a method ranks the features.
#[derive(Debug, Clone, Copy)]
pub struct RankingRequest<'a> {
    /// The data set.
    pub data: &'a Dataset,
    /// The training rows.
    pub rows: &'a [usize],
    /// The same rows, coded.
    pub design: &'a Design,
    /// The method.
    pub method: Method,
    /// The settings to try, which share the preparation.
    pub settings: &'a [Settings],
    /// Weights of all rows of the data set; all equal if absent.
    pub weights: Option<&'a [f64]>,
    /// Random seed.
    pub seed: u64,
}

/// Ranks the features on some rows with a method. Returns one ranking, or the error of its fit, per setting. Fewer if the
/// observer ends it.
///
/// # Errors
/// Errors of the preparation.
pub fn ranked_on(
    request: &RankingRequest,
    observer: &mut dyn Observer,
) -> Result<Vec<Result<FeatureOrder, FitError>>, SelectError> {
    pool::observed(observer, |observer| ranked_in_pool(request, observer))
}

fn ranked_in_pool(
    request: &RankingRequest,
    observer: &mut dyn Observer,
) -> Result<Vec<Result<FeatureOrder, FitError>>, SelectError> {
    let &RankingRequest { data, rows, design, method, settings, weights, seed } = request;
    let names: Vec<&str> = data.features.iter().map(|feature| feature.name.as_str()).collect();
    let target = data.target.rows_of(rows);
    let weights: Option<Vec<f64>> = weights.map(|weights| rows.iter().map(|&row| weights[row]).collect());
    let problem = Problem { design, names: &names, target: &target, weights: weights.as_deref() };
    problem.check(method.info())?;
    let prepared = method.prepare(problem)?;
    let mut found = Vec::with_capacity(settings.len());
    for settings in settings {
        let order = prepared.fit(settings, seed, observer).and_then(|fit| {
            Ok(FeatureOrder { indices: order_of(data, &fit)?, native: fit.native.map(|own| own.clamp(1, names.len())) })
        });
        found.push(order);
        if observer.fitted().is_break() {
            break;
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_grow_and_end_with_all() {
        assert_eq!(growing_sizes(1), [1]);
        assert_eq!(growing_sizes(2), [1, 2]);
        assert_eq!(growing_sizes(10), [1, 2, 3, 5, 8, 10]);
        assert_eq!(growing_sizes(13), [1, 2, 3, 5, 8, 13]);
    }

    #[test]
    fn folds_share_rows_and_classes() {
        let codes: Vec<u32> = (0..53).map(|row| u32::from(row % 5 == 0)).collect();
        let found = stratified_folds(&codes, 5, 4, 0);
        for fold in 0..5 {
            let own: Vec<usize> = (0..53).filter(|&row| found[row] == fold).collect();
            let rare = own.iter().filter(|&&row| codes[row] == 1).count();
            assert!((2..=3).contains(&rare) && (10..=11).contains(&own.len()), "{own:?}");
        }
        assert_ne!(stratified_folds(&codes, 5, 4, 1), found, "another draw");
    }
}
