//! Columns that are excluded from the features.

use super::*;

/// Numbers from 0 to 1 that are all different.
fn noise(count: usize) -> Vec<f64> {
    (0..count).map(|row| ((row as f64 + 1.0) * 0.618_033_988_75).fract()).collect()
}

fn text_of(count: usize, cell: impl Fn(usize) -> String) -> Vec<String> {
    (0..count).map(cell).collect()
}

#[test]
fn identifiers_and_row_numbers_are_excluded() {
    let shuffled: Vec<f64> = (0..30).map(|row| f64::from(row * 7 % 30)).collect();
    let spread: Vec<f64> = (0..30).map(|row| f64::from(row * 7 % 30) * 1000.0 + 17.0).collect();
    let counted: Vec<f64> = (0..30).map(|row| f64::from(900 - 3 * row)).collect();
    let few = ["u", "v", "w"].repeat(10);
    let columns = || {
        vec![
            num("shuffled", &shuffled),
            num("counted", &counted),
            num("CustomerID", &spread),
            num("income", &spread),
            num("measured", &noise(30)),
            txt("patient_ID", &few),
            Column::text("names", text_of(30, |row| format!("p{}", row * 11 % 30))),
            txt("grid", &few.iter().rev().copied().collect::<Vec<_>>()),
            halves(30),
        ]
    };
    let found = data(columns());
    let expected =
        ["CustomerID: row identifier", "counted: row number", "names: row identifier", "shuffled: row identifier"];
    assert_eq!(excluded(&found), expected);
    assert_eq!(names(&found), ["grid", "income", "measured", "patient_ID"]);
    assert_warns(&found, &["excluded as row identifiers: CustomerID, names, shuffled"]);
    let excluded = assert_warns(&found, &["excluded as row numbers: counted"]);
    assert_eq!(excluded.remedy(), Some(Remedy::KeepSuspicious));
    assert_warns(&found, &["named like an identifier, although values repeat", "patient_ID"]);
    assert!(found.suspicions.identifiers.is_empty() && found.suspicions.named_like_identifiers == [3]);

    let keep = |keep_suspicious| Dataset::new(table(columns()), &DatasetOptions { keep_suspicious, ..target("t") });
    let all = keep(KeepSuspicious::All).unwrap();
    assert_eq!((all.features.len(), all.excluded.len()), (8, 0));
    let columns = ["CustomerID", "names", "shuffled"].map(str::to_owned).to_vec();
    let warning = assert_warns(&all, &["looks like a row identifier", "CustomerID, names, shuffled"]);
    assert_eq!(warning.remedy(), Some(Remedy::DropColumns { columns }));
    let one = keep(KeepSuspicious::Named(vec!["names".into()])).unwrap();
    assert_eq!(one.excluded.len(), 3);
    assert!(names(&one).contains(&"names"));
    assert_contains(
        keep(KeepSuspicious::Named(vec!["name".into()])).unwrap_err(),
        &["'name'", "did you mean 'names'?"],
    );
}

#[test]
fn small_tables_and_measurements_are_not_excluded() {
    let counted: Vec<f64> = (0..19).map(f64::from).collect();
    let short = data(vec![num("counted", &counted), num("x", &noise(19)), halves(19)]);
    assert!(short.excluded.is_empty(), "19 rows are too few");
    // Distinct values that are spread like a measurement, and a row number with a gap.
    let population: Vec<f64> = (0..40).map(|row| (noise(40)[row] * 1e5).round()).collect();
    let mut gap: Vec<f64> = (0..40).map(f64::from).collect();
    gap[39] = 400.0;
    let stray = text_of(40, |row| if row == 7 { "unknown".to_owned() } else { (row * 31 % 40).to_string() });
    let found = data(vec![
        num("population", &population),
        num("gap", &gap),
        Column::text("age", stray),
        num("index", &noise(40)),
        halves(40),
    ]);
    assert!(found.excluded.is_empty(), "{:?}", found.excluded);
}

#[test]
fn ranks_are_not_identifiers() {
    let ranks = |step: usize| (0..41).map(|row| (row * step % 41) as f64).collect::<Vec<f64>>();
    let columns: Vec<Column> = (0..2).map(|at| num(&format!("r{at}"), &ranks(at + 5))).collect();
    let with = |more: Vec<Column>| data([columns.clone(), vec![num("x", &noise(41))], more, vec![halves(41)]].concat());
    assert_eq!(with(vec![]).excluded.len(), 2);
    assert!(with(vec![num("r2", &ranks(9))]).excluded.is_empty());
}

#[test]
fn a_table_keeps_its_last_features() {
    let counted: Vec<f64> = (0..30).map(f64::from).collect();
    let found = data(vec![num("id", &counted), num("constant", &[5.0; 30]), halves(30)]);
    assert_eq!((names(&found), found.excluded.len()), (vec!["constant", "id"], 0));
    assert_warns(&found, &["kept although suspicious, because all other features are constant: id"]);
}

#[test]
fn data_problems_refer_to_the_remaining_columns() {
    let counted: Vec<f64> = (0..30).map(f64::from).collect();
    let found = data(vec![
        num("a_id", &counted),
        num("b", &noise(30)),
        num("c_id", &counted),
        num("d", &[1.0; 30]),
        num("e", &noise(30)),
        halves(30),
    ]);
    assert_eq!(names(&found), ["b", "d", "e"]);
    assert_eq!((&found.suspicions.constant[..], &found.suspicions.duplicates[..]), (&[1][..], &[vec![0, 2]][..]));
}
