//! Target columns and their classes.

use super::*;

fn three() -> Table {
    table(vec![num("a", &[1.0, 2.0, 3.0, 4.0]), halves(4), num("z", &[1.0, 0.0, 1.0, 0.0])])
}

fn target_of(table: Table, wanted: Option<&str>) -> Result<String, DataError> {
    let options = DatasetOptions::new(TargetColumn { column: wanted.map(str::to_owned), ..Default::default() });
    Dataset::new(table, &options).map(|data| data.target.name().to_owned())
}

#[test]
fn by_name_number_last_or_hint() {
    assert_eq!(target_of(three(), Some("t")).unwrap(), "t");
    assert_eq!(target_of(three(), Some("2")).unwrap(), "t");
    assert_eq!(target_of(three(), Some("last")).unwrap(), "z");
    assert_eq!(target_of(three(), Some("3")).unwrap(), "z");
    let mut hinted = three();
    hinted.target_hint = Some("z".to_owned());
    assert_eq!(target_of(hinted.clone(), None).unwrap(), "z");
    assert_eq!(target_of(hinted, Some("t")).unwrap(), "t", "a requested column takes precedence over the hint");
}

#[test]
fn a_column_name_takes_precedence_over_a_number_and_last() {
    let columns = || vec![num("x", &[1.0, 2.0, 3.0, 4.0]), num("last", &[0.0, 1.0, 0.0, 1.0]), num("1", &[5.0; 4])];
    assert_eq!(target_of(table(columns()), Some("last")).unwrap(), "last");
    let named_one = target_of(table(columns()), Some("1")).unwrap_err();
    assert_contains(named_one, &["target '1' has a single class, '5'"]);
}

#[test]
fn unknown_targets_suggest_or_list() {
    let error = target_of(three(), None).unwrap_err();
    assert_eq!(error.remedy(), Some(Remedy::NameTarget));
    assert_contains(error, &["no target", "a, t, z"]);
    assert_contains(target_of(three(), Some("4")).unwrap_err(), &["column number 4", "3 columns", "counted from 1"]);
    assert_contains(target_of(three(), Some("0")).unwrap_err(), &["column number 0"]);
    let species = table(vec![num("mass", &[1.0, 2.0]), txt("species", &["a", "b"])]);
    let near = target_of(species.clone(), Some("Specie")).unwrap_err();
    assert_contains(near, &["no column 'Specie'", "did you mean 'species'?", "mass, species"]);
    let far = target_of(species, Some("kind")).unwrap_err().to_string();
    assert!(!far.contains("did you mean"), "{far}");
}

fn classes(label: Column) -> (Vec<String>, Vec<u32>) {
    let rows = label.len();
    let varied: Vec<f64> = (0..rows).map(|row| row as f64 / 10.0).collect();
    let target = data(vec![num("x", &varied), label]).target;
    (target.classes().to_vec(), target.codes().to_vec())
}

#[test]
fn labels_of_every_kind() {
    let check = |label: Column, expected: &[&str], codes: &[u32]| {
        let (classes, found) = classes(label);
        assert_eq!((classes, found), (expected.iter().map(|&c| c.to_owned()).collect(), codes.to_vec()));
    };
    check(txt("t", &["true", "false", "false", "true"]), &["false", "true"], &[1, 0, 0, 1]);
    check(num("t", &[900.0, 0.0, 7.0, 7.0, -0.0, 900.0]), &["0", "7", "900"], &[2, 0, 1, 1, 0, 2]);
    check(txt("t", &["NA", "ü", "日本", "ü", "NA", "日本"]), &["NA", "ü", "日本"], &[0, 1, 2, 1, 0, 2]);
    // Numbers are sorted numerically, not as texts.
    check(num("t", &[10.0, 9.0, 10.0, 9.0]), &["9", "10"], &[1, 0, 1, 0]);
}

#[test]
fn rejected_targets() {
    let x = || num("x", &[1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_contains(refusal(vec![x(), txt("t", &["a"; 5])]), &["'t' has a single class, 'a'"]);
    assert_contains(refusal(vec![x(), txt("t", &["a", "a", "a", "a", "b"])]), &["'t' has a single class, 'a'"]);
    let distinct = refusal(vec![x(), txt("t", &["a", "b", "c", "d", "e"])]);
    assert_eq!(distinct.remedy(), Some(Remedy::OtherTarget));
    assert_contains(distinct, &["'t' has 5 classes with a single row each"]);
    let constant = refusal(vec![x(), num("t", &[7.5; 5])]);
    assert_eq!(constant.remedy(), Some(Remedy::OtherTarget));
    assert_contains(constant, &["'t' is 7.5 in every row"]);
    assert_contains(refusal(vec![x(), num("t", &[0.0, 0.0, 1.0, 1.0, f64::INFINITY])]), &["'t' is inf in data row 5"]);
}

#[test]
fn classes_with_a_single_row_are_left_out() {
    let numbers = num("x", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let found = data(vec![numbers, txt("t", &["a", "z", "c", "b", "c", "a"])]);
    assert_eq!((found.target.classes(), found.target.codes()), (&["a".into(), "c".into()][..], &[0, 1, 1, 0][..]));
    assert_eq!(found.used_rows, Some(vec![0, 2, 4, 5]));
    assert_warns(&found, &["left out classes with a single row: b, z"]);
}

#[test]
fn too_many_classes_are_rejected() {
    let rows = 140_000;
    let names: Vec<String> = (0..rows).map(|row| format!("c{}", row % 70_000)).collect();
    let varied: Vec<f64> = (0..rows).map(|row| (row % 17) as f64).collect();
    let error = refusal(vec![num("x", &varied), Column::text("t", &names)]);
    assert_eq!(error.remedy(), Some(Remedy::OtherTarget));
    assert_contains(error, &["'t' has 70000 classes in 140000 rows, more than the 1000"]);
}

#[test]
fn the_task_of_numbers_is_inferred() {
    let varied: Vec<f64> = (0..100).map(|row| f64::from(row) / 3.0).collect();
    let task = |values: &[f64], target: TargetColumn| {
        let columns = vec![num("x", &varied[..values.len()]), num("t", values)];
        let data = Dataset::new(table(columns), &DatasetOptions::new(target)).unwrap();
        (data.target.task(), data.inferred.map(|task| task.task()))
    };
    let (classes, numbers) = (Task::Classification, Task::Regression);
    let of = |step: f64, count: usize| (0..100).map(|row| step * (row % count) as f64).collect::<Vec<f64>>();
    for (values, inferred, other) in [
        (of(1.0, 2), classes, Target::named("t").regression()),
        (of(1.0, 20), classes, Target::named("t").regression()),
        (of(1.0, 21), numbers, Target::named("t").classification()),
        (of(0.5, 3), numbers, Target::named("t").classification()),
        (vec![0.0, 0.0, 1.0, 1.0, 2.0], numbers, Target::named("t").classification()),
    ] {
        assert_eq!(task(&values, Target::named("t")), (inferred, Some(inferred)));
        assert_eq!(task(&values, other.clone()), (if inferred == classes { numbers } else { classes }, None));
    }
    assert_eq!(task(&of(0.5, 3), Target::named("t").bins(2)), (classes, None));
}

#[test]
fn a_regression_target_is_recognised_and_can_be_binned() {
    let measured: Vec<f64> = (0..60).map(|row| f64::from(row) * 0.37).collect();
    let columns = || vec![num("x", &measured), num("t", &measured)];
    let error = Dataset::new(table(columns()), &DatasetOptions::new(Target::named("t").classification())).unwrap_err();
    assert_eq!(error.remedy(), Some(Remedy::RegressionOrClasses));
    assert_contains(error, &["'t' looks like a regression target", "60 different values in 60"]);
    let binned = Dataset::new(table(columns()), &DatasetOptions::new(Target::named("t").bins(3))).unwrap();
    assert_eq!(binned.target.counts(), [20, 20, 20]);
    for bins in [0, 1, 101] {
        let options = DatasetOptions::new(Target::named("t").bins(bins));
        assert_contains(Dataset::new(table(columns()), &options).unwrap_err(), &[&bins.to_string(), "from 2 to 100"]);
    }
    let options = DatasetOptions::new(Target::named("t").bins(2));
    let text = Dataset::new(table(vec![num("x", &[1.0, 2.0, 3.0, 4.0]), halves(4)]), &options).unwrap_err();
    assert_contains(text, &["'t' holds texts", "cannot be binned"]);
}

#[test]
fn many_whole_classes_with_enough_rows_are_classes() {
    let labels: Vec<f64> = (0..100).map(|row| f64::from(row % 25)).collect();
    let varied: Vec<f64> = (0..100).map(|row| f64::from(row) / 3.0).collect();
    let options = DatasetOptions::new(Target::named("t").classification());
    let found = Dataset::new(table(vec![num("x", &varied), num("t", &labels)]), &options).unwrap();
    assert_eq!(found.target.classes().len(), 25);
}

#[test]
fn a_rare_class_is_reported() {
    let labels: Vec<&str> = (0..1000).map(|row| if row < 2 { "rare" } else { "usual" }).collect();
    let varied: Vec<f64> = (0..1000).map(|row| f64::from(row % 17) / 3.0).collect();
    let found = data(vec![num("x", &varied), txt("t", &labels)]);
    assert_warns(&found, &["class 'rare' is rare: 2 of 1000 rows"]);
    assert!(!found.warnings.iter().any(|warning| warning.to_string().contains("'usual'")));
}
