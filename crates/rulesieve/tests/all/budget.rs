//! Fits ask the observer often enough for a time budget, also with hundreds of classes.
#![allow(clippy::unwrap_used)]

use rulesieve::data::{Column, Missing, Table};
use rulesieve::optim::{Halt, Progress};
use rulesieve::prelude::*;
use std::ops::ControlFlow;

fn many_classes() -> Dataset {
    let mut columns: Vec<Column> = (0..40_u32)
        .map(|col| {
            Column::numeric(format!("x{col}"), (0..1200_u32).map(|row| f64::from(row * (7 + col) % 1013)).collect())
        })
        .collect();
    columns.push(Column::text("y", (0..1200).map(|row| format!("c{}", row % 400))));
    Table::new(columns).unwrap().into_dataset(Target::named("y"), Missing::Error).unwrap()
}

#[test]
fn steps_of_many_classes_are_observed_more_often() {
    let mut end = |_: &Progress| ControlFlow::Break(Halt::OutOfTime);
    let halted = Selector::new(Method::LdrTskInductive).top(5).fit_with(&many_classes(), &mut end).unwrap();
    assert!(halted.iterations.unwrap() < 20, "{:?}", halted.iterations);
    assert_eq!(halted.selected.len(), 5);
}

#[test]
fn the_last_pass_over_all_rows_can_be_ended() {
    let table = rulesieve::generate::find("waveform").unwrap().generate(Some(300), Some(21), 0).unwrap().table;
    let data = table.into_dataset(Target::named("class"), Missing::Error).unwrap();
    let trainer = Selector::new(Method::Anova).top(4).fit(&data).unwrap().trainer().rules(3).set("steps", 200);
    let mut calls = 0;
    let whole = trainer
        .fit_with(&data, &mut |_: &Progress| {
            calls += 1;
            ControlFlow::Continue(())
        })
        .unwrap();
    assert!(whole.0.model().training.on_all_rows && whole.1.is_none());
    let (mut left, all) = (calls, calls);
    let ended = trainer
        .fit_with(&data, &mut |_: &Progress| {
            left -= 1;
            if left == 0 { ControlFlow::Break(Halt::OutOfTime) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
    assert!(all > 1 && !ended.0.model().training.on_all_rows);
    assert_eq!(ended.1, Some(Halt::OutOfTime));
}
