//! Data problems and their warnings.

use super::*;

/// Numbers without pattern, never whole.
fn noise(rows: usize, salt: u32) -> Vec<f64> {
    (0..rows as u32).map(|row| f64::from((row + 1) * (row + salt) * 7919 % 1009) / 10.0 + 0.05).collect()
}

#[test]
fn constant_columns_are_reported_and_all_constant_rejected() {
    let found = data(vec![num("k", &[3.0; 4]), num("x", &[1.0, 4.0, 2.0, 3.0]), txt("w", &["u"; 4]), halves(4)]);
    assert_eq!(found.suspicions.constant, [0, 1]);
    assert_warns(&found, &["constant", "scored 0 and ranked last: k, w"]);
    let zeros = data(vec![num("k", &[0.0, -0.0, 0.0, -0.0]), num("x", &[1.0, 4.0, 2.0, 3.0]), halves(4)]);
    assert_eq!(zeros.suspicions.constant, [0], "zero and minus zero are one value");
    assert_contains(refusal(vec![num("k", &[3.0; 4]), txt("w", &["u"; 4]), halves(4)]), &["nothing varies"]);
}

#[test]
fn a_column_with_one_value_and_gaps_is_constant() {
    let columns = vec![num("k", &[3.0, NO, 3.0, 3.0]), num("x", &[1.0, 4.0, 2.0, 3.0]), halves(4)];
    let found = Dataset::new(table(columns), &with_missing(Missing::Median)).unwrap();
    assert_eq!(found.suspicions.constant, [0]);
}

#[test]
fn equal_columns_are_listed_together() {
    let (a, b) = (noise(30, 1), noise(30, 2));
    let found = data(vec![num("q", &a), num("b", &b), num("a", &a), txt("c", &["u", "v"].repeat(15)), halves(30)]);
    assert_eq!(found.suspicions.duplicates, [vec![0, 3]]);
    assert_warns(&found, &["equal in every row", "a, q"]);
    let mut columns: Vec<Column> = (0..100).map(|at| num(&format!("x{at:02}"), &a)).collect();
    columns.push(halves(30));
    let hundred = data(columns);
    assert_eq!(hundred.suspicions.duplicates, [(0..100).collect::<Vec<_>>()]);
    assert_warns(&hundred, &["x00, x01", "and 88 more"]);
}

#[test]
fn many_sets_of_equal_columns_make_one_warning() {
    let columns = (0..5).flat_map(|set| {
        let values = noise(30, 10 + set);
        [num(&format!("x{set}"), &values), num(&format!("y{set}"), &values)]
    });
    let found = data(columns.chain([halves(30)]).collect());
    let equal: Vec<_> = found.warnings.iter().filter(|warning| matches!(warning, Warning::Equal { .. })).collect();
    let [Warning::Equal { sets }] = equal[..] else { panic!("{equal:?}") };
    assert_eq!((sets.len(), &sets[4]), (5, &vec!["x4".to_owned(), "y4".to_owned()]));
    assert_warns(&found, &["scored alike: (x0, y0), (x1, y1), (x2, y2) and 2 more sets"]);
}

#[test]
fn numbers_read_as_categories_because_of_texts_are_reported() {
    let columns = || {
        let age: Vec<String> =
            (0..30).map(|row| if row == 7 { "unknown".into() } else { format!("{row}.5") }).collect();
        let level: Vec<&str> = ["1", "2", "n/k"].repeat(10);
        vec![
            Column::text("age", &age),
            txt("level", &level),
            txt("half", &["1", "x"].repeat(15)),
            txt("all", &["1", "2"].repeat(15)),
            num("x", &noise(30, 1)),
            halves(30),
        ]
    };
    let found = data(columns());
    let suspects: Vec<&str> = found.suspicions.mostly_numbers.iter().map(|&at| names(&found)[at]).collect();
    assert_eq!(suspects, ["age", "level"]);
    let columns_found = vec!["age".to_owned(), "level".to_owned()];
    let warning = assert_warns(&found, &["such as 'unknown' in 'age'", ": age, level"]);
    assert_eq!(warning.remedy(), Some(Remedy::ClearTexts { columns: columns_found.into(), example: "unknown".into() }));
    let declared = DatasetOptions { categorical: vec!["age".into(), "level".into()], ..with_missing(Missing::Error) };
    let wanted = Dataset::new(table(columns()), &declared).unwrap();
    assert!(
        wanted.suspicions.mostly_numbers.is_empty()
            && !wanted.warnings.iter().any(|warning| warning.to_string().contains("texts"))
    );
}

#[test]
fn equal_columns_have_missing_values_in_the_same_rows() {
    let signed_gap = -f64::NAN;
    let columns = vec![
        num("a", &[1.5, NO, 2.0, 0.0]),
        num("b", &[1.5, signed_gap, 2.0, -0.0]),
        num("c", &[1.5, 2.0, NO, 0.0]),
        halves(4),
    ];
    let found = Dataset::new(table(columns), &with_missing(Missing::Median)).unwrap();
    assert_eq!(found.suspicions.duplicates, [vec![0, 1]]);
}

#[test]
fn copies_of_the_target_and_perfect_separators_are_possible_leaks() {
    let columns = |times: usize| {
        vec![
            num("coded", &[7.0, 3.0, 5.0, 7.0, 3.0, 5.0].repeat(times)),
            txt("renamed", &["1", "2", "0", "1", "2", "0"].repeat(times)),
            num("apart", &[1.0, 5.0, 9.0, 2.0, 6.0, 8.0].repeat(times)),
            num("touching", &[1.0, 2.0, 9.0, 2.0, 6.0, 8.0].repeat(times)),
            txt("t", &["x", "y", "z", "x", "y", "z"].repeat(times)),
        ]
    };
    let found = data(columns(4));
    assert!(data(columns(1)).suspicions.perfect_separators.is_empty(), "six rows are too few");
    let of = |at: &[usize]| at.iter().map(|&at| names(&found)[at].to_owned()).collect::<Vec<_>>();
    assert_eq!(excluded(&found), ["coded: copy of the target", "renamed: copy of the target"]);
    assert_eq!(of(&found.suspicions.perfect_separators), ["apart"]);
    assert_warns(&found, &["excluded as copies of the target 't': coded, renamed"]);
    assert_warns(&found, &["possible leak: each class has its own range of apart"]);
    let twice: Vec<f64> = noise(30, 1).iter().map(|value| 2.0 * value + 1.0).collect();
    let numbers = || table(vec![num("scaled", &twice), num("x", &noise(30, 2)), num("t", &noise(30, 1))]);
    let options = DatasetOptions::new(Target::named("t").regression());
    assert_eq!(excluded(&Dataset::new(numbers(), &options).unwrap()), ["scaled: copy of the target"]);
    let options = DatasetOptions { keep_suspicious: KeepSuspicious::All, ..options };
    let found = Dataset::new(numbers(), &options).unwrap();
    assert_warns(&found, &["possible leak: scaled is a copy of the target 't': but for scale and origin"]);
}

#[test]
fn a_column_that_merges_or_splits_classes_is_not_a_copy() {
    let found = data(vec![
        txt("merged", &["1", "1", "0", "1", "1", "0"]),
        txt("split", &["1", "2", "0", "3", "2", "0"]),
        txt("t", &["x", "y", "z", "x", "y", "z"]),
    ]);
    assert!(found.suspicions.copies_of_target.is_empty());
}

#[test]
fn an_extreme_outlier_is_reported() {
    let mut values = noise(40, 5);
    values[3] = 1e12;
    let found = data(vec![num("spoilt", &values), num("fine", &noise(40, 6)), halves(40)]);
    assert_eq!(found.suspicions.outliers, [1]);
    assert_warns(&found, &["extreme values flatten", "spoilt"]);
    values[3] = f64::MAX;
    values[4] = -f64::MAX;
    assert_eq!(data(vec![num("spoilt", &values), halves(40)]).suspicions.outliers, [0]);
}

#[test]
fn an_ordinary_table_gives_no_warning() {
    let found = data(vec![num("x", &noise(40, 7)), txt("c", &["u", "v", "v", "u"].repeat(10)), halves(40)]);
    assert_eq!(found.warnings, []);
}
