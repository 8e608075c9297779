//! Properties that hold for any table of finite numbers.

use super::*;
use proptest::prelude::*;

/// Any finite number, including extreme ones.
fn finite() -> impl Strategy<Value = f64> {
    let extreme = prop::sample::select(vec![0.0, -0.0, 5e-324, -5e-324, 1e-308, 1e308, f64::MAX, f64::MIN, 1e9 + 1e-6]);
    prop_oneof![3 => -1e3..1e3, 1 => any::<f64>().prop_filter("finite", |value| value.is_finite()), 1 => extreme]
}

/// A number, sometimes missing.
fn sometimes() -> impl Strategy<Value = f64> {
    prop_oneof![9 => finite(), 1 => Just(f64::NAN)]
}

/// Up to four columns of equal length.
fn columns() -> impl Strategy<Value = Vec<Vec<f64>>> {
    (4_usize..24).prop_flat_map(|rows| prop::collection::vec(prop::collection::vec(sometimes(), rows), 1..5))
}

fn as_data(columns: &[Vec<f64>]) -> Option<Dataset> {
    let mut all: Vec<Column> = columns.iter().enumerate().map(|(at, values)| num(&format!("x{at}"), values)).collect();
    all.push(halves(columns[0].len()));
    // Empty columns and constant tables are rejected, which other tests cover.
    Dataset::new(table(all), &with_missing(Missing::Median)).ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn training_rows_lie_between_0_and_1(columns in columns()) {
        if let Some(data) = as_data(&columns) {
            let design = coded_all(&data, CategoricalCoding::OneHot);
            prop_assert!(design.x.as_slice().iter().all(|value| (0.0..=1.0).contains(value)), "{:?}", design);
        }
    }

    #[test]
    fn other_rows_are_numbers(columns in columns(), cut in 1_usize..4) {
        if let Some(data) = as_data(&columns) {
            let rows: Vec<usize> = (0..data.samples()).collect();
            let design = coded(&data, &rows[..cut], &rows, CategoricalCoding::Ordinal);
            prop_assert!(design.x.as_slice().iter().all(|value| value.is_finite()), "{:?}", design);
        }
    }

    #[test]
    fn the_extremes_of_the_training_rows_become_0_and_1(columns in columns()) {
        if let Some(data) = as_data(&columns) {
            let design = coded_all(&data, CategoricalCoding::OneHot);
            for at in 0..data.features.len() {
                let (low, high) = design.x.col(at).iter().fold((1.0_f64, 0.0_f64), |r, &v| (r.0.min(v), r.1.max(v)));
                let constant = data.suspicions.constant.contains(&at);
                prop_assert_eq!((low, high), if constant { (0.0, 0.0) } else { (0.0, 1.0) });
            }
        }
    }

    #[test]
    fn permuted_columns_give_the_same_design(columns in columns(), shift in 0_usize..5) {
        let named: Vec<Column> = columns.iter().enumerate().map(|(at, v)| num(&format!("x{at}"), v)).collect();
        let mut all = named;
        all.push(halves(columns[0].len()));
        let options = with_missing(Missing::Median);
        let mut turned = all.clone();
        turned.rotate_left(shift % all.len());
        if let (Ok(a), Ok(b)) = (Dataset::new(table(all), &options), Dataset::new(table(turned), &options)) {
            let (a, b) = (coded_all(&a, CategoricalCoding::OneHot), coded_all(&b, CategoricalCoding::OneHot));
            prop_assert_eq!(a, b);
        }
    }
}
