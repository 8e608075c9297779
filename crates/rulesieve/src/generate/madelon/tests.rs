use std::collections::HashSet;

use super::super::Generated;
use super::super::testing::{correlation, make, mean, numbers, variance};

/// Solves a small system by Gaussian elimination with pivoting; the last column is the right side.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for at in 0..n {
        let pivot = (at..n).max_by(|a, b| rows[*a][at].abs().total_cmp(&rows[*b][at].abs())).unwrap();
        rows.swap(at, pivot);
        let chosen = rows[at].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(other, _)| *other != at) {
            let factor = row[at] / chosen[at];
            row.iter_mut().zip(&chosen).for_each(|(cell, pivot)| *cell -= factor * pivot);
        }
    }
    (0..n).map(|at| rows[at][n] / rows[at][at]).collect()
}

/// Share of a column's variance that a linear function of the informative columns does not explain.
fn unexplained(made: &Generated, name: &str) -> f64 {
    let centred = |name: &str| -> Vec<f64> {
        let values = numbers(made, name);
        values.iter().map(|value| value - mean(values)).collect()
    };
    let inputs: Vec<Vec<f64>> = made.informative.iter().map(|name| centred(name)).collect();
    let output = centred(name);
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let normal_equations =
        inputs.iter().map(|a| inputs.iter().map(|b| product(a, b)).chain([product(a, &output)]).collect()).collect();
    let coefficients = solve(normal_equations);
    let rest: Vec<f64> = (0..output.len())
        .map(|row| output[row] - inputs.iter().zip(&coefficients).map(|(x, c)| c * x[row]).sum::<f64>())
        .collect();
    variance(&rest) / variance(&output)
}

fn probes(made: &Generated) -> Vec<String> {
    let signal: HashSet<&String> = made.informative.iter().chain(&made.redundant).collect();
    let names = made.table.columns().iter().map(|column| column.name.clone());
    names.filter(|name| name != "class" && !signal.contains(name)).collect()
}

/// The vertex of every row according to the signs of its centred coordinates.
fn signs(made: &Generated, columns: &[String]) -> Vec<usize> {
    let mut codes = vec![0; made.table.rows()];
    for (bit, name) in columns.iter().enumerate() {
        let values = numbers(made, name);
        let centre = mean(values);
        codes.iter_mut().zip(values).for_each(|(code, value)| *code |= usize::from(*value > centre) << bit);
    }
    codes
}

/// Accuracy of predicting the majority label of the rows with the same code.
fn majority(made: &Generated, codes: &[usize]) -> f64 {
    let mut balance = [0.0_f64; super::CLUSTERS];
    codes.iter().zip(numbers(made, "class")).for_each(|(code, label)| balance[*code] += label);
    (balance.iter().map(|sum| sum.abs()).sum::<f64>() / codes.len() as f64 + 1.0) / 2.0
}

#[test]
fn redundant_columns_are_combinations_of_the_informative_and_probes_are_not() {
    let made = make("madelon", 2600, 60, 1);
    assert_eq!((made.informative.len(), made.redundant.len()), (5, 15));
    for name in &made.redundant {
        // Rounding a column of deviation 10 adds less than 0.001 of its variance, a few times that over five inputs.
        assert!(unexplained(&made, name) < 0.005, "{name} leaves {}", unexplained(&made, name));
    }
    for name in probes(&made) {
        assert!(unexplained(&made, &name) > 0.98, "{name} leaves {}", unexplained(&made, &name));
    }
}

#[test]
fn five_columns_together_predict_the_label_and_probes_do_not() {
    for seed in 0..5 {
        let made = make("madelon", 3200, 40, seed);
        let informed = majority(&made, &signs(&made, &made.informative));
        assert!(informed > 0.75, "seed {seed}: the clusters predict {informed} of the labels");
        let blind = majority(&made, &signs(&made, &probes(&made)[..5]));
        assert!(blind < 0.6, "seed {seed}: five probes predict {blind} of the labels");
    }
}

#[test]
fn the_clusters_lie_on_all_vertices() {
    let made = make("madelon", 3200, 20, 2);
    let codes = signs(&made, &made.informative);
    for vertex in 0..super::CLUSTERS {
        let found = codes.iter().filter(|code| **code == vertex).count();
        assert!((50..=150).contains(&found), "{found} rows near vertex {vertex}, not about 100");
    }
    for name in &made.informative {
        // Side 2 and five uniform coefficients of variance 1/3: a coordinate has variance 4 + 5/3, mostly of its sign.
        let values = numbers(&made, name);
        let centre = mean(values);
        let size = mean(&values.iter().map(|value| (value - centre).abs()).collect::<Vec<_>>());
        let ratio = size / variance(values).sqrt();
        assert!((0.82..0.92).contains(&ratio), "{name} is unimodal: {ratio}");
    }
}

#[test]
fn no_single_probe_predicts_the_label() {
    let made = make("madelon", 2600, 200, 3);
    for name in probes(&made) {
        let found = correlation(numbers(&made, &name), numbers(&made, "class"));
        assert!(found.abs() < 0.085, "{name}: correlation {found}");
    }
}

#[test]
fn cells_are_whole_numbers_from_0_to_999_and_names_are_uninformative() {
    let made = make("madelon", 500, 100, 4);
    let features = &made.table.columns()[..100];
    assert_eq!((features[0].name.as_str(), features[99].name.as_str()), ("f001", "f100"));
    let cells: Vec<f64> = features.iter().flat_map(|column| numbers(&made, &column.name).to_vec()).collect();
    assert!(cells.iter().all(|cell| cell.fract() == 0.0));
    assert_eq!(cells.iter().copied().fold(f64::INFINITY, f64::min), 0.0);
    assert_eq!(cells.iter().copied().fold(0.0, f64::max), 999.0);
    let other = make("madelon", 500, 100, 5);
    assert_ne!(made.informative, other.informative, "the position of the signal must be random");
    assert_eq!(make("madelon", 32, 1200, 0).table.columns()[0].name, "f0001");
}

#[test]
fn one_in_a_hundred_labels_is_flipped() {
    let made = make("madelon", 20_000, 20, 6);
    let labels = numbers(&made, "class");
    assert!(labels.iter().all(|label| label.abs() == 1.0));
    assert!(mean(labels).abs() < 0.02, "classes out of balance: {}", mean(labels));
    let mut rng = rand::SeedableRng::seed_from_u64(6);
    let clusters = super::assign_clusters(20_000, &mut rng);
    let labels = super::draw_labels(&clusters, &mut rng);
    let mut sums = [0.0; super::CLUSTERS];
    clusters.iter().zip(&labels).for_each(|(cluster, label)| sums[*cluster] += label);
    let flipped: f64 = sums.iter().map(|sum: &f64| (625.0 - sum.abs()) / 2.0).sum();
    assert!((150.0..250.0).contains(&flipped), "{flipped} of 20000 flipped");
    assert_eq!(sums.iter().filter(|sum| **sum > 0.0).count(), 16);
}
