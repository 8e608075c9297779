//! Files of earlier versions are read.
#![allow(clippy::unwrap_used)]

use rulesieve::data::{Column, ExclusionReason};
use rulesieve::model::Model;
use rulesieve::prelude::*;
use rulesieve::select::Selection;

#[test]
fn earlier_names_are_read() {
    let numbers = |name: &str, value: fn(usize) -> f64| Column::numeric(name, (0..40).map(value).collect());
    let columns = vec![
        numbers("id", |row| row as f64),
        numbers("wave", |row| (row as f64).sin()),
        numbers("level", |row| (row % 2) as f64 + 0.1 * (row as f64).cos()),
        Column::text("class", (0..40).map(|row| ["a", "b"][row % 2])),
    ];
    let data = Table::new(columns).unwrap().into_dataset(Target::named("class"), Missing::Error).unwrap();
    let selection = Selector::new(Method::Anova).top(1).fit(&data).unwrap();
    assert_eq!(selection.excluded[0].reason, ExclusionReason::RowNumber);
    let renamed = |text: String, names: &[[&str; 2]]| {
        names.iter().fold(text, |text, [now, earlier]| {
            assert!(text.contains(now), "{now}");
            text.replace(now, earlier)
        })
    };
    let names = [["\"excluded\"", "\"set_aside\""], ["\"excluded-columns\"", "\"set-aside\""]];
    let text = renamed(serde_json::to_string(&selection).unwrap(), &names);
    assert_eq!(serde_json::from_str::<Selection>(&text).unwrap(), selection);

    let model = selection.trainer().rules(2).set("steps", 30).fit(&data).unwrap().model().clone();
    let names = [["\"training_rows\"", "\"learned\""], ["\"validation_rows\"", "\"aside\""]];
    let text = renamed(serde_json::to_string(&model).unwrap(), &names);
    assert_eq!(serde_json::from_str::<Model>(&text).unwrap(), model);
}
