//! Chance level on noise for all methods, and the bias of selection outside the folds.

use super::*;
use crate::splits::splits;
use crate::svm::{Gram, Svc, SvmOptions};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rulesieve::data::Encoder;
use rulesieve::methods::{Method, Problem};

/// Columns of noise with random labels.
fn noise(rows: usize, columns: usize, seed: u64) -> Dataset {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut all: Vec<Column> = (0..columns)
        .map(|at| Column::numeric(format!("x{at:03}"), (0..rows).map(|_| rng.random::<f64>()).collect()))
        .collect();
    all.push(Column::text("t", (0..rows).map(|_| if rng.random::<bool>() { "a" } else { "b" })));
    Dataset::new(Table::new(all).unwrap(), &DatasetOptions::new(Target::named("t"))).unwrap()
}

/// A method with few iterations, which suffice for chance level.
pub(super) fn quick(method: Method, points: usize) -> Candidate {
    let few = [("steps", "20"), ("starts", "1"), ("iterations", "20"), ("epochs", "3")];
    let has = |name: &str| method.info().params.iter().any(|spec| spec.name == name);
    let few = few.iter().filter(|(name, _)| has(name));
    let set: Vec<(String, String)> = few.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Candidate { method, points: grid::points(method, &set, &[], Some(points), 0).unwrap() }
}

/// Several seeds give the mean a small standard error. Inner folds choose among two settings of methods with a grid.
fn assert_chance_level(methods: impl Iterator<Item = Method>) {
    let data = waveform(120);
    let chance = 1.0 / 3.0_f64;
    let every = methods.map(|method| quick(method, 2)).collect::<Vec<_>>();
    let mut means = vec![Vec::new(); every.len()];
    for seed in 0..12 {
        let options = EvaluateOptions { permute: true, seed, candidates: every.clone(), ..options(&[]) };
        let found = evaluate(&data, &options, &mut Silent).unwrap();
        means.iter_mut().zip(&found.methods).for_each(|(means, method)| means.push(accuracy(method)));
    }
    let deviation = |means: &Vec<f64>| {
        let mean = means.iter().sum::<f64>() / means.len() as f64;
        let variance = means.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (means.len() - 1) as f64;
        (mean - chance) / (variance / means.len() as f64).sqrt()
    };
    let names: Vec<&str> = every.iter().map(|one| one.method.info().name).collect();
    let all: Vec<f64> = means.iter().map(deviation).collect();
    let message = format!("standard errors from chance: {:?}", names.iter().zip(&all).collect::<Vec<_>>());
    assert!(all.iter().all(|deviation| deviation.abs() < 3.0), "{message}");
}

#[test]
fn random_labels_give_chance_level() {
    assert_chance_level([Method::Sieve, Method::LdrTskInductive, Method::LdrTsk, Method::Anova].into_iter());
}

#[test]
#[ignore = "slow"]
fn random_labels_give_chance_level_for_all_methods() {
    assert_chance_level(Method::ALL.iter().copied());
}

/// Selects the features on all rows before the split into folds.
#[test]
fn selection_outside_the_folds_is_biased() {
    let data = noise(80, 400, 5);
    let inside = {
        let options = EvaluateOptions { size: Some(Size::Top(10)), estimator: svm(&[1.0]), ..options(&["anova"]) };
        accuracy(&evaluate(&data, &options, &mut Silent).unwrap().methods[0])
    };
    let rows: Vec<usize> = (0..80).collect();
    let design = Encoder::fit(&data, &rows, data.coding).unwrap().transform(&data, &rows).unwrap();
    let names: Vec<&str> = data.features.iter().map(|feature| feature.name.as_str()).collect();
    let problem = Problem { design: &design, names: &names, target: &data.target, weights: None };
    let one = candidate("anova");
    let fit = one.method.prepare(problem).unwrap().fit(&one.points[0], 0, &mut Silent).unwrap();
    let mut order: Vec<usize> = (0..400).collect();
    order.sort_by(|&a, &b| fit.scores[b].total_cmp(&fit.scores[a]));
    let x = rulesieve::matrix::Matrix::from_fn(80, 10, |row, at| design.x[(row, order[at])]);
    let gram = Gram::new(&x);
    let mut right = 0;
    for split in splits(&Plan::Folds { folds: 5, repeats: 1 }, data.target.codes(), 3).unwrap() {
        let svm = SvmOptions::rbf(1.0, Gamma::Scale, &gram, &split.train);
        let predictions = Svc::fit(&gram, &split.train, data.target.codes(), 2, &svm).predict(&gram, &split.test);
        right +=
            split.test.iter().zip(&predictions).filter(|(row, class)| data.target.codes()[**row] == **class).count();
    }
    let outside = right as f64 / 80.0;
    assert!(outside > 0.7 && inside < 0.62, "outside {outside}, inside {inside}");
}

/// With many settings, the protocols of the paper exceed chance level on noise, most of all per fold.
#[test]
fn choosing_by_the_test_rows_is_optimistic() {
    let data = noise(60, 30, 7);
    let method = Method::LdrTsk;
    let set = [("iterations".to_owned(), "10".to_owned())];
    let points = grid::points(method, &set, &[], Some(20), 1).unwrap();
    let options = |protocol| EvaluateOptions {
        protocol,
        candidates: vec![Candidate { method, points: points.clone() }],
        estimator: svm(&[1.0]),
        size: Some(Size::Top(5)),
        ..options(&[])
    };
    let score = |protocol| accuracy(&evaluate(&data, &options(protocol), &mut Silent).unwrap().methods[0]);
    let (nested, paper, per_fold) = (score(Protocol::Nested), score(Protocol::Paper), score(Protocol::PaperPerFold));
    assert!(nested < paper && paper < per_fold, "nested {nested}, paper {paper}, per fold {per_fold}");
    assert!(per_fold > 0.6, "{per_fold}");
}
