//! The statistics of the scan against those of the NumPy reference, and its error control on noise.

use super::super::columns::{Columns, Values};
use super::super::params::Params;
use super::pairs::PairScan;
use super::products::ProductScan;
use super::single::Single;
use super::{Kinds, bins, scan};
use crate::data::{Column, Dataset};
use crate::methods::tests::{data, design, settings};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn columns(data: &Dataset) -> Columns {
    Columns::as_they_are(&design(data), &data.target)
}

/// Fractions of a sine that grows fast; the classes are the exclusive or of the first two columns, and a third shifts them.
fn reference() -> Dataset {
    let value = |row: usize, col: usize| {
        let value = (row as f64 * 12.9898 + col as f64 * 78.233).sin() * 43758.5453;
        value - value.floor()
    };
    let class = |row: usize| {
        let product = (value(row, 0) - 0.5) * (value(row, 1) - 0.5);
        if product > 0.0 || value(row, 2) > 0.9 { "q" } else { "p" }
    };
    let mut cells: Vec<Column> =
        (0..5).map(|col| Column::numeric(format!("x{col}"), (0..400).map(|row| value(row, col)).collect())).collect();
    cells.push(Column::text("t", (0..400).map(class)));
    data(cells)
}

/// Values of `scan` of the reference, without its correction.
#[test]
fn statistics_are_those_of_the_reference() {
    let columns = columns(&reference());
    let rows: Vec<usize> = (0..400).collect();
    let single = Single::new(&columns, &rows, 4);
    let known = [-0.234_880_195, -2.983_771_917, -7.874_405_235, -0.390_971_455, -0.285_065_974];
    for (column, expected) in columns.features.iter().zip(known) {
        let binned = bins::of_column(column, &rows, (4, 4), 1);
        assert!((single.chi_squared(&binned[0]) - expected).abs() < 1e-6);
    }
    // kruskal and mood of scipy.stats.
    let known =
        [(-0.950_137, -0.708_624), (-0.210_335, -0.800_909), (-8.014_114, -9.119_457), (-0.368_010, -1.565_364)];
    for (column, (location, scale)) in columns.features.iter().zip(known) {
        let Values::Numeric(values) = &column.parts[0] else { panic!("not numeric") };
        let found = single.rank_tests(values, &[]);
        assert!((found[0] - location).abs() < 1e-5 && (found[1] - scale).abs() < 1e-5, "{found:?}");
    }
    let pairs = PairScan::new(&columns, &rows, &[0, 1, 2, 3, 4], (4, f64::MAX)).unwrap();
    assert!((pairs.shortcut_log_p(0, 1) + 131.931_844_943).abs() < 1e-6, "{}", pairs.shortcut_log_p(0, 1));
}

/// Over noise of several kinds the smallest corrected p-value is at most 0.05 in at most 5 % of the tables, within chance.
#[test]
fn noise_is_rarely_significant() {
    let params = Params::from_settings(&settings("sieve", &[("parity", "1e6")]));
    let (mut significant, tables) = (0, 120);
    for seed in 0..tables {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let rows = [40, 100, 400][seed as usize % 3];
        let rare = if seed % 4 == 0 { 0.15 } else { 0.5 };
        let mut cells: Vec<Column> = (0..40)
            .map(|at| {
                let name = format!("n{at:02}");
                match (at + seed as usize) % 4 {
                    0 => Column::numeric(name, (0..rows).map(|_| rng.random::<f64>()).collect()),
                    1 => Column::numeric(name, (0..rows).map(|_| 1.0 / (rng.random::<f64>() + 1e-9)).collect()),
                    2 => Column::numeric(name, (0..rows).map(|_| rng.random::<f64>().round()).collect()),
                    _ => Column::text(name, (0..rows).map(|_| ["a", "b", "c", "d", "e"][rng.random_range(0..5)])),
                }
            })
            .collect();
        let class = |row: usize, rng: &mut ChaCha8Rng| row < 2 || (row > 3 && rng.random::<f64>() < rare);
        cells.push(Column::text("t", (0..rows).map(|row| if class(row, &mut rng) { "p" } else { "q" })));
        let columns = columns(&data(cells));
        let found = scan(&columns, &(0..rows).collect::<Vec<_>>(), &params, Kinds::ALL, &mut || None);
        significant += usize::from(found.log_p.iter().any(|&log_p| log_p <= 0.05_f64.ln()));
    }
    // 6 are expected at most; 13 or more have a probability below 1 %.
    assert!(significant < 13, "{significant} of {tables}");
}

/// Two columns among 60 whose interaction decides some of 250 rows: the bins of four levels of two columns have nine degrees of freedom
/// and miss it, the parity of halves and the product of ranks have one.
#[test]
fn tests_of_one_degree_find_an_interaction_on_few_rows() {
    let significant = |log_p: f64| log_p <= 0.01_f64.ln();
    let count = |smooth: bool| {
        let (mut by_bins, mut by_products, mut by_all) = (0, 0, 0);
        for seed in 0..20 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let values: Vec<Vec<f64>> = (0..60).map(|_| (0..250).map(|_| rng.random::<f64>()).collect()).collect();
            let product = |row: usize| (values[7][row] - 0.5) * (values[31][row] - 0.5);
            let class = |row: usize| {
                let other = rng.random::<f64>();
                let noisy = |above: bool| if other < 0.65 { row.is_multiple_of(2) } else { above };
                if smooth { other < 0.5 + 2.2 * product(row) } else { noisy(product(row) > 0.0) }
            };
            let classes: Vec<bool> = (0..250).map(class).collect();
            let mut cells: Vec<Column> =
                (0..60).map(|at| Column::numeric(format!("x{at:02}"), values[at].clone())).collect();
            cells.push(Column::text("t", classes.iter().map(|&class| if class { "p" } else { "q" })));
            let (columns, rows) = (columns(&data(cells)), (0..250).collect::<Vec<_>>());
            let all: Vec<usize> = (0..60).collect();
            let pairs = PairScan::new(&columns, &rows, &all, (4, f64::MAX)).unwrap();
            let bins = pairs.retest(pairs.scan(0..pairs.tiles()));
            let products = ProductScan::new(&columns, &rows, &all, f64::MAX).unwrap().scan();
            let found = |pairs: &[(usize, usize, f64)], tested: f64| {
                pairs.iter().any(|&(a, b, own)| (a, b) == (7, 31) && significant(own + tested.ln()))
            };
            by_bins += usize::from(found(&bins.pairs, bins.tested));
            by_products += usize::from(found(&products.pairs, products.tested));
            let params = Params::from_settings(&settings("sieve", &[]));
            by_all += usize::from(found(&scan(&columns, &rows, &params, Kinds::ALL, &mut || None).pairs, 1.0));
        }
        (by_bins, by_products, by_all)
    };
    let (by_bins, _, by_all) = count(false);
    assert!(by_all >= by_bins + 3, "{by_all} by all tests, {by_bins} by bins");
    let (by_bins, by_products, by_all) = count(true);
    assert!(by_products >= by_bins + 5 && by_all >= by_bins + 3, "{by_products}, {by_all} of all, {by_bins} by bins");
}

/// The parity of two columns and of a third one that is not balanced has an effect only because that of the two has.
#[test]
fn a_skewed_column_gains_no_significance_from_others() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut draw = |share: f64| (0..600).map(|_| rng.random::<f64>() / share).collect::<Vec<f64>>();
    let (a, b, noise) = (draw(1.0), draw(1.0), draw(1.0));
    let skewed: Vec<f64> = draw(0.8).into_iter().map(|value| f64::from(u8::from(value > 1.0))).collect();
    let class = |row: usize| if (a[row] > 0.5) == (b[row] > 0.5) { "p" } else { "q" };
    let classes = Column::text("t", (0..600).map(class));
    let cells = [("a", &a), ("b", &b), ("noise", &noise), ("skewed", &skewed)];
    let mut cells: Vec<Column> = cells.map(|(name, values)| Column::numeric(name, values.clone())).to_vec();
    cells.push(classes);
    let params = Params::from_settings(&settings("sieve", &[]));
    let found = scan(&columns(&data(cells)), &(0..600).collect::<Vec<_>>(), &params, Kinds::ALL, &mut || None);
    assert!(found.log_p[0] < -100.0 && found.log_p[1] < -100.0, "{:?}", found.log_p);
    assert!(found.log_p[2] > 0.05_f64.ln() && found.log_p[3] > 0.05_f64.ln(), "{:?}", found.log_p);
}
