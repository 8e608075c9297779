//! Policies for missing values.

use super::*;

#[test]
fn the_error_names_the_first_and_counts_all() {
    let columns =
        vec![num("a", &[1.0, 2.0, 3.0, NO]), num("b", &[1.0, 5.0, NO, NO]), txt("c", &["u", "v", "u", "v"]), halves(4)];
    let error = Dataset::new(table(columns), &with_missing(Missing::Error)).unwrap_err();
    assert_eq!(error, DataError::Missing { column: "b".into(), row: 3.into(), missing: 3, columns: 2 });
    assert_eq!(error.remedy(), Some(Remedy::FillMissing));
    assert_contains(error.clone().rows_from_zero(), &["in row 2 "]);
    assert_contains(error, &["'b'", "row 3", "3 missing values in 2 columns"]);
}

/// Rows 0 to 3 have median 2.5, all rows 4.
fn gaps() -> Dataset {
    let numbers = num("a", &[0.0, 2.0, 3.0, 10.0, NO, 4.0, 9.0, 9.0, NO, 1.0, 8.0, 4.0]);
    let colours = ["u", "v", "v", "w", "", "u", "u", "u", "?", "u", "u", "u"];
    Dataset::new(table(vec![numbers, txt("c", &colours), halves(12)]), &with_missing(Missing::Median)).unwrap()
}

#[test]
fn medians_come_from_the_training_rows_alone() {
    let data = gaps();
    let design = coded(&data, &[0, 1, 2, 3, 4], &[4, 8], CategoricalCoding::Ordinal);
    assert_eq!(design.x.col(0), [0.25, 0.25], "median 2.5 of 0, 2, 3, 10, in a range of 10");
    let all = coded_all(&data, CategoricalCoding::Ordinal);
    assert_eq!(all.x.col(0)[4], 0.4, "median 4 of all rows");
    let odd = coded(&data, &[0, 1, 3], &[4], CategoricalCoding::Ordinal);
    assert_eq!(odd.x.col(0), [0.2]);
}

#[test]
fn the_most_frequent_category_comes_from_the_training_rows_alone() {
    let data = gaps();
    let design = coded(&data, &[0, 1, 2, 3, 4], &[4, 8], CategoricalCoding::OneHot);
    let of_row = |design: &Design, row| design.blocks[1].clone().map(|col| design.x[(row, col)]).collect::<Vec<_>>();
    assert_eq!(of_row(&design, 0), [0.0, 1.0, 0.0], "v among u, v, v, w");
    assert_eq!(of_row(&design, 1), [0.0, 1.0, 0.0]);
    assert_eq!(of_row(&coded_all(&data, CategoricalCoding::OneHot), 4), [1.0, 0.0, 0.0], "u among all");
    let tied = coded(&data, &[1, 3], &[4], CategoricalCoding::Ordinal);
    assert_eq!(tied.x.col(1), [0.0], "of v and w, once each, the first");
}

#[test]
fn a_column_without_training_values_is_constant() {
    let design = coded(&gaps(), &[4, 8], &[0, 4], CategoricalCoding::OneHot);
    assert_eq!((design.x.cols(), design.x.as_slice()), (2, &[0.0; 4][..]));
}

#[test]
fn incomplete_rows_are_dropped() {
    let columns = vec![
        num("a", &[1.0, NO, 3.0, 4.0, 5.0, 6.5]),
        txt("c", &["u", "v", "u", "v", "NA", "u"]),
        txt("t", &["x", "x", "x", "y", "y", "y"]),
    ];
    let found = Dataset::new(table(columns), &with_missing(Missing::DropRows)).unwrap();
    assert_eq!((found.samples(), found.target.codes()), (4, &[0, 0, 1, 1][..]));
    assert_warns(&found, &["left out 2 of 6 rows"]);
    assert_eq!(coded_all(&found, CategoricalCoding::OneHot).x.col(0), [0.0, 2.0 / 5.5, 3.0 / 5.5, 1.0]);
}

#[test]
fn a_lost_class_is_reported() {
    let columns = vec![num("a", &[1.0, 4.0, NO, NO, 5.0, 2.0]), txt("t", &["x", "x", "m", "m", "y", "y"])];
    let found = Dataset::new(table(columns), &with_missing(Missing::DropRows)).unwrap();
    assert_eq!((found.target.classes(), found.target.codes()), (&["x".into(), "y".into()][..], &[0, 0, 1, 1][..]));
    assert_warns(&found, &["classes without complete rows were removed: m"]);
}

#[test]
fn too_few_complete_rows_are_rejected() {
    let refused = |values: &[f64]| {
        Dataset::new(table(vec![num("a", values), halves(4)]), &with_missing(Missing::DropRows)).unwrap_err()
    };
    assert_contains(refused(&[1.0, 2.0, NO, NO]), &["single class, 'a'"]);
    assert_contains(refused(&[1.0, 2.0, 3.0, NO]), &["single class, 'a'"]);
    let columns = vec![num("a", &[1.0, 2.0, NO, NO]), num("b", &[NO, NO, 1.0, 2.0]), halves(4)];
    let nothing = Dataset::new(table(columns), &with_missing(Missing::DropRows)).unwrap_err();
    assert_eq!(nothing.remedy(), Some(Remedy::FillOrDropEmptiest));
    assert_contains(nothing, &["no row is complete"]);
}

#[test]
fn complete_tables_are_the_same_under_every_policy() {
    let columns = || vec![num("a", &[1.0, 4.0, 2.0, 3.0]), halves(4)];
    let plain = data(columns());
    for policy in [Missing::Error, Missing::Median, Missing::DropRows] {
        let found = Dataset::new(table(columns()), &with_missing(policy)).unwrap();
        assert_eq!(found.missing, policy);
        assert_eq!(Dataset { missing: plain.missing, ..found }, plain);
    }
}

#[test]
fn by_default_missing_values_are_filled_and_missing_categories_are_a_category() {
    let colours = ["u", "v", "v", "u", "", "u", "u", "missing", "?", "u", "u", "v"];
    let columns = || {
        let numbers = num("a", &[0.0, 2.0, 3.0, 10.0, NO, 4.0, 9.0, 9.0, NO, 1.0, 8.0, 4.0]);
        vec![
            numbers,
            txt("c", &colours),
            txt("k", &["u", "", "u", "", "u", "", "u", "", "u", "u", "u", "u"]),
            halves(12),
        ]
    };
    let data = data(columns());
    assert_warns(&data, &["8 missing values in 3 columns were filled in"]);
    assert!(data.suspicions.constant.is_empty(), "a category and missing values are two categories");
    let design = coded_all(&data, CategoricalCoding::OneHot);
    assert_eq!((design.x.col(0)[4], design.blocks[1].len()), (0.4, 4), "u, v, the text missing, and missing values");
    let row = |row: usize| design.blocks[1].clone().map(|col| design.x[(row, col)]).collect::<Vec<_>>();
    assert_eq!((row(4), row(8), row(7)), (row(8), vec![0.0, 0.0, 0.0, 1.0], vec![1.0, 0.0, 0.0, 0.0]));
    assert_eq!(design.x.col(design.blocks[2].start)[..3], [1.0, 0.0, 1.0].map(|u: f64| 1.0 - u));
    assert_eq!(design.filled, [(0, vec![4, 8])], "categories are not imputed");
    // Training rows without missing values: the most frequent category.
    let design = coded(&data, &[0, 1, 2], &[4, 9], CategoricalCoding::OneHot);
    assert_eq!(design.x.col(1), [1.0, 0.0]);
}

#[test]
fn columns_and_rows_without_values_are_left_out() {
    let columns = || {
        vec![
            num("a", &[1.0, 4.0, 2.0, 3.0, 5.0]),
            txt("e", &["", "?", "", "", ""]),
            txt("t", &["x", "y", "", "x", "y"]),
        ]
    };
    for policy in [Missing::Fill, Missing::Median, Missing::DropRows] {
        let found = Dataset::new(table(columns()), &with_missing(policy)).unwrap();
        assert_eq!((excluded(&found), found.samples()), (vec!["e: column without values".to_owned()], 4));
        assert_eq!(found.used_rows, Some(vec![0, 1, 3, 4]));
        assert_warns(&found, &["1 of 5 rows in which target 't' is missing"]);
        assert_warns(&found, &["columns without values: e"]);
    }
    let mut refused = columns();
    assert_contains(Dataset::new(table(columns()), &with_missing(Missing::Error)).unwrap_err(), &["'e' has no value"]);
    refused.remove(1);
    assert_contains(
        Dataset::new(table(refused), &with_missing(Missing::Error)).unwrap_err(),
        &["missing in data row 3"],
    );
    let empty = refusal(vec![num("a", &[1.0, 4.0]), txt("t", &["", "?"])]);
    assert_eq!(empty.remedy(), Some(Remedy::OtherTarget));
    assert_contains(empty, &["target 't' has no value at all"]);
}

#[test]
fn a_class_whose_only_row_is_dropped_is_allowed() {
    let options = DatasetOptions { target: Target::named("t"), missing: Missing::DropRows, ..Default::default() };
    let table = Table::new(vec![num("x", &[1.0, 2.0, 3.0, 5.0, NO]), txt("t", &["a", "a", "b", "b", "z"])]).unwrap();
    let data = Dataset::new(table, &options).unwrap();
    assert_eq!((data.target.classes(), data.samples()), (["a".to_owned(), "b".to_owned()].as_slice(), 4));
    assert!(
        data.warnings
            .iter()
            .any(|warning| warning.to_string().contains("classes without complete rows were removed: z"))
    );
}
