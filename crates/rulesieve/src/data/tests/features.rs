//! Columns that become features, their kind and order.

use super::*;
use crate::data::{FeatureValues, MISSING};

#[test]
fn tables_without_rows_or_features_are_rejected() {
    assert_eq!(refusal(vec![num("x", &[]), num("t", &[])]), DataError::NoRows);
    assert_contains(refusal(vec![halves(4)]), &["no feature columns besides the target 't'"]);
    let options = DatasetOptions { drop: vec!["x".into()], ..target("t") };
    let all_dropped = Dataset::new(table(vec![num("x", &[1.0, 2.0, 3.0, 4.0]), halves(4)]), &options);
    assert_eq!(all_dropped, Err(DataError::NoFeatures { target: "t".into() }));
}

#[test]
fn the_order_of_columns_in_the_file_does_not_matter() {
    let columns = vec![
        num("b", &[3.0, 1.0, 2.0, 5.0]),
        txt("c", &["u", "v", "w", "u"]),
        num("a", &[0.1, 0.2, 0.9, 0.4]),
        halves(4),
        num("B", &[7.0, 7.0, 7.0, 7.0]),
    ];
    let first = data(columns.clone());
    assert_eq!(names(&first), ["B", "a", "b", "c"]);
    for shift in 1..columns.len() {
        let mut permuted = columns.clone();
        permuted.rotate_left(shift);
        permuted.swap(0, 2);
        let other = data(permuted);
        assert_eq!(other, first);
        let coding = CategoricalCoding::OneHot;
        assert_eq!(coded_all(&other, coding), coded_all(&first, coding));
    }
}

#[test]
fn categories_are_detected_or_declared() {
    let columns = vec![num("zip", &[10.0, 9.0, NO, 10.0]), txt("colour", &["red", "NA", "blue", "red"]), halves(4)];
    let options = DatasetOptions { categorical: vec!["zip".into()], ..with_missing(Missing::Median) };
    let found = Dataset::new(table(columns), &options).unwrap();
    let levels = |values: &[&str]| values.iter().map(|&level| level.to_owned()).collect::<Vec<_>>();
    let colour = FeatureValues::Categorical { levels: levels(&["blue", "red"]), codes: vec![1, MISSING, 0, 1] };
    let zip = FeatureValues::Categorical { levels: levels(&["9", "10"]), codes: vec![1, 0, MISSING, 1] };
    assert_eq!((&found.features[0].values, &found.features[1].values), (&colour, &zip));
    assert_eq!((zip.missing(), zip.is_missing(2), zip.is_missing(3), zip.len()), (1, true, false, 4));
}

#[test]
fn declared_and_dropped_columns_must_exist_and_not_be_the_target() {
    let columns = || vec![num("weight", &[1.0, 2.0, 3.0, 4.0]), num("y", &[1.0, 2.0, 3.0, 5.0]), halves(4)];
    let refused = |options: DatasetOptions| Dataset::new(table(columns()), &options).unwrap_err();
    let unknown = refused(DatasetOptions { categorical: vec!["wieght".into()], ..target("t") });
    assert_contains(unknown, &["no column 'wieght'", "did you mean 'weight'?"]);
    assert_contains(refused(DatasetOptions { drop: vec!["q".into()], ..target("t") }), &["no column 'q'"]);
    let both = refused(DatasetOptions { drop: vec!["t".into()], ..target("t") });
    assert_contains(both, &["'t' is the target", "dropped"]);
    let both = refused(DatasetOptions { categorical: vec!["t".into()], ..target("last") });
    assert_contains(both, &["'t' is the target", "categorical"]);
    let dropped = Dataset::new(table(columns()), &DatasetOptions { drop: vec!["y".into()], ..target("t") }).unwrap();
    assert_eq!(names(&dropped), ["weight"]);
}

#[test]
fn infinite_and_empty_columns_are_named() {
    let x = num("x", &[1.0, 2.0, 3.0, 4.0]);
    let infinite = refusal(vec![x.clone(), num("y", &[1.0, 2.0, f64::NEG_INFINITY, f64::INFINITY]), halves(4)]);
    assert_eq!(infinite, DataError::NotFinite { column: "y".into(), row: 3.into(), value: "-inf".into() });
    assert_contains(infinite, &["'y' is -inf in data row 3", "finite"]);
    for empty in [num("y", &[NO; 4]), txt("y", &["NA", "", "?", "null"])] {
        let columns = vec![x.clone(), empty, halves(4)];
        let error = Dataset::new(table(columns), &with_missing(Missing::Error)).unwrap_err();
        assert_eq!(error.remedy(), Some(Remedy::drop_column("y")));
        assert_contains(error, &["'y' has no value at all"]);
    }
}

#[test]
fn a_dropped_column_may_hold_anything() {
    let columns = vec![num("x", &[1.0, 2.0, 3.0, 4.0]), num("y", &[f64::INFINITY; 4]), halves(4)];
    let options = DatasetOptions { drop: vec!["y".into()], ..target("t") };
    assert_eq!(names(&Dataset::new(table(columns), &options).unwrap()), ["x"]);
}

#[test]
fn warnings_of_the_reader_are_passed_on() {
    let mut read = table(vec![num("x", &[1.0, 3.0, 2.0, 4.0]), halves(4)]);
    let warning = Warning::DelimiterDetected { delimiter: "tabs".into() };
    read.warnings.push(warning.clone());
    let found = Dataset::new(read, &target("t")).unwrap();
    assert_eq!(found.warnings, [warning]);
}
