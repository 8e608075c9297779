//! Chosen columns, indices of rows, and dates.

use crate::data::{Column, DataError, Dataset, DatasetOptions, DateColumn, ExclusionReason, Table, Target};
use crate::methods::Method;
use crate::optim::Silent;
use crate::select::{SelectOptions, Size, select};

const DAY: f64 = 86_400.0;

/// 40 rows: an index, a date every second day, two numbers, garbage, and the target.
fn table() -> Table {
    let numbers = |name: &str, value: &dyn Fn(usize) -> f64| Column::numeric(name, (0..40).map(value).collect());
    let mut table = Table::new(vec![
        numbers("column1", &|row| row as f64),
        Column::dates("when", (0..40).map(|row| (19_000.0 + 2.0 * (row * 7 % 40) as f64) * DAY).collect()),
        numbers("a", &|row| (row % 7) as f64),
        numbers("b", &|row| (row % 4) as f64 + (row % 5) as f64),
        numbers("bad", &|row| if row == 3 { f64::INFINITY } else { 1.0 }),
        Column::text("t", (0..40).map(|row| if row % 4 < 2 { "p" } else { "q" })),
    ])
    .unwrap();
    table.index_hint = Some("column1".to_owned());
    table
}

fn options() -> DatasetOptions {
    DatasetOptions::new(Target::named("t")).drop(["bad"])
}

fn names(data: &Dataset) -> String {
    data.features.iter().map(|feature| feature.name.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn an_unnamed_first_column_with_unique_values_is_an_index() {
    let data = Dataset::new(table(), &options()).unwrap();
    assert_eq!(names(&data), "a b when.days when.month when.weekday");
    assert_eq!((data.excluded[0].feature.as_str(), data.excluded[0].reason), ("column1", ExclusionReason::Index));
    let mut named = table();
    named.index_hint = None;
    assert_eq!(Dataset::new(named, &options()).unwrap().excluded[0].reason, ExclusionReason::RowNumber);
    let kept = options().keep_suspicious(crate::data::KeepSuspicious::All);
    assert!(names(&Dataset::new(table(), &kept).unwrap()).contains("column1"));
}

#[test]
fn dates_are_groups_of_features() {
    let data = Dataset::new(table(), &options()).unwrap();
    assert_eq!(data.dates, [DateColumn { column: "when".into(), first_day: 19_000 }]);
    for (options, expected) in [
        (options().drop(["bad", "when"]), "a b"),
        (options().drop(["bad", "when.days"]), "a b when.month when.weekday"),
        (options().keep(["when", "a"]), "a when.days when.month when.weekday"),
        (options().keep(["when.month", "3"]), "a when.month"),
        (options().id(["when"]), "a b"),
        (options().drop(["1", "4-5"]), "a when.days when.month when.weekday"),
    ] {
        assert_eq!(names(&Dataset::new(table(), &options).unwrap()), expected);
    }
    let id = Dataset::new(table(), &options().id(["when"])).unwrap().excluded;
    assert_eq!((id[1].feature.as_str(), id[1].reason), ("when", ExclusionReason::Identifier));
}

#[test]
fn included_features_are_always_selected() {
    let both = Dataset::new(table(), &options().drop(["b*"]).include(["b"]));
    assert!(matches!(both, Err(DataError::IncludedAndExcluded { column }) if column == "b"));
    let data = Dataset::new(table(), &options().include(["a", "column1"])).unwrap();
    let included = |data: &Dataset| data.include.iter().map(|&at| data.features[at].name.clone()).collect::<Vec<_>>();
    assert_eq!(included(&data), ["a", "column1"], "kept although it is an index");
    for (size, count) in [(Size::Top(3), 3), (Size::Top(1), 2), (Size::Fraction(0.5), 3), (Size::Auto, 2)] {
        let options = SelectOptions::new(Method::Anova).size(size);
        let selected = select(&data, &options, &mut Silent).unwrap().selected;
        assert!(selected.len() >= count && ["a", "column1"].iter().all(|name| selected.contains(&(*name).to_owned())));
        assert!(matches!(size, Size::Auto) || selected.len() == count, "{size}: {selected:?}");
    }
    let rows: Vec<usize> = (0..30).collect();
    assert_eq!(included(&data.subset(&rows).unwrap()), ["a", "column1"]);
}
