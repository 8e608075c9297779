//! Optimality conditions of the SVM; `tests/scikit.rs` compares predictions with scikit-learn.

use super::rows::Rows;
use super::solver::{Problem, Solution, solve};
use super::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rulesieve::matrix::Matrix;

/// Rows of two overlapping classes, alternating.
fn clouds(n: usize, m: usize, distance: f64, seed: u64) -> (Matrix, Vec<u32>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let x = Matrix::from_fn(n, m, |row, _| rng.random_range(-1.0..1.0) + distance * (row % 2) as f64);
    (x, (0..n).map(|row| (row % 2) as u32).collect())
}

fn solved(gram: &Gram, kernel: Kernel, signs: &[f64], costs: &[f64], shrinking: bool) -> Solution {
    let members: Vec<usize> = (0..signs.len()).collect();
    let rows = Rows::new(gram, kernel, &members);
    let (signs, costs) = (signs.to_vec(), costs.to_vec());
    solve(Problem { rows, signs, costs, tolerance: 1e-3, shrinking, max_iter: None }, &|| false)
}

fn kernel_matrix(gram: &Gram, kernel: Kernel) -> Vec<Vec<f64>> {
    let all: Vec<usize> = (0..gram.rows()).collect();
    let squares: Vec<f64> = all.iter().map(|&row| gram.square(row)).collect();
    let row = |row: usize| {
        let mut out = vec![0.0; all.len()];
        kernel.fill(gram, row, &all, &squares, &mut out);
        out
    };
    all.iter().map(|&at| row(at)).collect()
}

fn objective(kernel: &[Vec<f64>], signs: &[f64], b: &[f64]) -> f64 {
    let quadratic: f64 = (0..b.len()).map(|i| (0..b.len()).map(|j| b[i] * b[j] * kernel[i][j]).sum::<f64>()).sum();
    quadratic / 2.0 - signs.iter().zip(b).map(|(sign, b)| sign * b).sum::<f64>()
}

#[test]
fn kernels_agree_with_their_definition() {
    let (x, _) = clouds(9, 4, 0.3, 1);
    let gram = Gram::new(&x);
    let distance = |a: usize, b: usize| (0..4).map(|j| (x[(a, j)] - x[(b, j)]).powi(2)).sum::<f64>();
    let (rbf, linear) = (kernel_matrix(&gram, Kernel::Rbf { gamma: 0.7 }), kernel_matrix(&gram, Kernel::Linear));
    for a in 0..9 {
        for b in 0..9 {
            assert!((rbf[a][b] - (-0.7 * distance(a, b)).exp()).abs() < 1e-12);
            let product: f64 = (0..4).map(|j| x[(a, j)] * x[(b, j)]).sum();
            assert!((linear[a][b] - product).abs() < 1e-12);
        }
    }
}

#[test]
fn gamma_is_computed_from_the_training_rows() {
    let (x, _) = clouds(20, 3, 0.5, 2);
    let gram = Gram::new(&x);
    let rows: Vec<usize> = (3..17).collect();
    let cells: Vec<f64> = rows.iter().flat_map(|&row| (0..3).map(move |j| (row, j))).map(|at| x[at]).collect();
    let mean = cells.iter().sum::<f64>() / cells.len() as f64;
    let variance = cells.iter().map(|cell| (cell - mean).powi(2)).sum::<f64>() / cells.len() as f64;
    assert!((Gamma::Scale.number(&gram, &rows) - 1.0 / (3.0 * variance)).abs() < 1e-10);
    assert_eq!(Gamma::Auto.number(&gram, &rows), 1.0 / 3.0);
    assert_eq!(Gamma::Number(0.2).number(&gram, &rows), 0.2);
    assert_eq!(Gamma::Scale.number(&Gram::new(&Matrix::zeros(4, 2)), &[0, 1]), 1.0, "no variance");
}

#[test]
fn added_features_give_the_complete_gram_matrix() {
    let (x, _) = clouds(30, 7, 0.2, 3);
    let part =
        |columns: std::ops::Range<usize>| Matrix::from_fn(30, columns.len(), |row, at| x[(row, columns.start + at)]);
    let mut grown = Gram::new(&part(0..2));
    grown.extend(&part(2..3));
    grown.extend(&part(3..7));
    let whole = Gram::new(&x);
    let renewed = grown.clone().renewed(&part(0..2)).renewed(&x);
    assert_eq!(
        (renewed.row(1), renewed.variance(&[0, 1, 3]), renewed.width()),
        (whole.row(1), whole.variance(&[0, 1, 3]), 7)
    );
    for row in 0..30 {
        grown.row(row).iter().zip(whole.row(row)).for_each(|(a, b)| assert!((a - b).abs() < 1e-12));
    }
    let rows: Vec<usize> = (0..30).collect();
    let (a, b) = (Gamma::Scale.number(&grown, &rows), Gamma::Scale.number(&whole, &rows));
    assert!((a - b).abs() < 1e-10 * b);
}

/// Zero sum, bounds, and the slope conditions of all samples up to the tolerance.
#[test]
fn solutions_satisfy_the_optimality_conditions() {
    for (seed, kernel) in [(4, Kernel::Rbf { gamma: 1.5 }), (5, Kernel::Linear)] {
        for (c, shrinking) in [(0.5, true), (100.0, true), (100.0, false)] {
            let (x, codes) = clouds(240, 3, 0.4, seed);
            let gram = Gram::new(&x);
            let signs: Vec<f64> = codes.iter().map(|&code| if code == 0 { 1.0 } else { -1.0 }).collect();
            let costs: Vec<f64> = signs.iter().map(|&sign| if sign > 0.0 { c } else { 2.0 * c }).collect();
            let solution = solved(&gram, kernel, &signs, &costs, shrinking);
            let (b, matrix) = (&solution.coefficients, kernel_matrix(&gram, kernel));
            assert!(solution.converged);
            assert!(b.iter().sum::<f64>().abs() < 1e-8 * c);
            for t in 0..b.len() {
                let (low, high) = if signs[t] > 0.0 { (0.0, costs[t]) } else { (-costs[t], 0.0) };
                assert!((low..=high).contains(&b[t]));
                let slope = signs[t] - (0..b.len()).map(|s| matrix[t][s] * b[s]).sum::<f64>();
                let missed = slope - solution.offset;
                // Rows are in single precision.
                let slack = 1.1e-3 + 2e-6 * c;
                assert!(b[t] >= high || missed < slack, "{t} can increase: {missed}");
                assert!(b[t] <= low || missed > -slack, "{t} can decrease: {missed}");
            }
        }
    }
}

#[test]
fn no_step_of_two_coefficients_decreases_the_objective() {
    let (x, codes) = clouds(14, 2, 0.6, 6);
    let gram = Gram::new(&x);
    let kernel = Kernel::Rbf { gamma: 1.0 };
    let signs: Vec<f64> = codes.iter().map(|&code| if code == 0 { 1.0 } else { -1.0 }).collect();
    let solution = solved(&gram, kernel, &signs, &[2.0; 14], true);
    let matrix = kernel_matrix(&gram, kernel);
    let best = objective(&matrix, &signs, &solution.coefficients);
    for i in 0..14 {
        for j in 0..14 {
            for step in [0.5, 0.05, 0.005] {
                let mut moved = solution.coefficients.clone();
                moved[i] += step;
                moved[j] -= step;
                let within = |t: usize| {
                    if signs[t] > 0.0 { (0.0..=2.0).contains(&moved[t]) } else { (-2.0..=0.0).contains(&moved[t]) }
                };
                if i != j && within(i) && within(j) {
                    assert!(objective(&matrix, &signs, &moved) > best - 1e-4);
                }
            }
        }
    }
}

#[test]
fn shrinking_does_not_change_predictions() {
    let (x, codes) = clouds(600, 4, 0.5, 7);
    let gram = Gram::new(&x);
    let (train, test): (Vec<usize>, Vec<usize>) = (0..600).partition(|row| row % 3 > 0);
    for options in [SvmOptions::rbf(50.0, Gamma::Scale, &gram, &train), SvmOptions::linear(50.0)] {
        let plain = SvmOptions { shrinking: false, ..options.clone() };
        let predict = |options: &SvmOptions| Svc::fit(&gram, &train, &codes, 2, options).predict(&gram, &test);
        let differ = predict(&options).iter().zip(predict(&plain)).filter(|(a, b)| **a != *b).count();
        assert!(differ <= 1, "{differ} of {}", test.len());
    }
}

/// By hand: for samples at -1 and 1, the decision function is x, so both coefficients are 1/2.
#[test]
fn two_samples_on_a_line() {
    let gram = Gram::new(&Matrix::from_fn(2, 1, |row, _| [1.0, -1.0][row]));
    let solution = solved(&gram, Kernel::Linear, &[1.0, -1.0], &[10.0; 2], true);
    assert!((solution.coefficients[0] - 0.5).abs() < 1e-12 && (solution.coefficients[1] + 0.5).abs() < 1e-12);
    assert!(solution.offset.abs() < 1e-12);
    // With a cost of 0.1 both are at the bound, and the offset is the middle of the allowed interval.
    let bound = solved(&gram, Kernel::Linear, &[1.0, -1.0], &[0.1; 2], true);
    assert_eq!((bound.coefficients[0], bound.coefficients[1]), (0.1, -0.1));
    assert!(bound.offset.abs() < 1e-12);
}

#[test]
fn ties_go_to_the_first_class() {
    assert_eq!(svc::first_of_most(&[1, 1, 1]), 0);
    assert_eq!(svc::first_of_most(&[0, 2, 1, 2]), 1);
}

#[test]
fn absent_classes_and_a_single_class_are_accepted() {
    let (x, _) = clouds(6, 2, 0.0, 8);
    let gram = Gram::new(&x);
    let options = SvmOptions::linear(1.0);
    let one = Svc::fit(&gram, &[0, 1, 2], &[2; 6], 4, &options);
    assert_eq!(one.predict(&gram, &[3, 4]), [2, 2]);
    let two = Svc::fit(&gram, &[0, 1, 2, 3], &[1, 3, 1, 3, 1, 3], 4, &options);
    assert!(two.predict(&gram, &[4, 5]).iter().all(|class| [1, 3].contains(class)));
}

#[test]
fn class_weights_increase_predictions_of_the_class() {
    let (x, codes) = clouds(300, 2, 0.1, 9);
    let gram = Gram::new(&x);
    let rows: Vec<usize> = (0..300).collect();
    let count = |weights: Option<Vec<f64>>| {
        let options = SvmOptions { weights, ..SvmOptions::rbf(1.0, Gamma::Scale, &gram, &rows) };
        Svc::fit(&gram, &rows, &codes, 2, &options).predict(&gram, &rows).iter().filter(|&&class| class == 1).count()
    };
    let (plain, weighted) = (count(None), count(Some(vec![1.0, 5.0])));
    assert!(weighted > plain + 30, "{weighted} {plain}");
}

#[test]
fn gamma_is_parsed_and_printed() {
    for gamma in [Gamma::Scale, Gamma::Auto, Gamma::Number(0.1), Gamma::Number(1e-12)] {
        assert_eq!(gamma.to_string().parse::<Gamma>().unwrap(), gamma);
        assert_eq!(serde_json::from_str::<Gamma>(&serde_json::to_string(&gamma).unwrap()).unwrap(), gamma);
    }
    assert_eq!(serde_json::from_str::<Vec<Gamma>>(r#"["auto", 0.5, "0.5"]"#).unwrap()[1..], [Gamma::Number(0.5); 2]);
    for text in ["", "wide", "0", "-1", "NaN", "inf", "1e13"] {
        assert!(text.parse::<Gamma>().unwrap_err().to_string().contains("scale, auto, or a number"), "{text}");
    }
}
