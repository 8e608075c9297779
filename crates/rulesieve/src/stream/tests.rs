//! Streamed fits compared with fits in memory and with known results.

mod coding;
mod training;

use super::*;
use crate::data::{Column, ColumnData, Missing, TargetColumn};
use crate::generate;
use crate::methods::Method;
use crate::optim::Silent;
use crate::select::Size;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A table in memory that is served in pieces like a file.
struct Rows {
    table: Table,
    rows: usize,
    /// Number of times it was read from the first row.
    begun: AtomicUsize,
}

impl Rows {
    fn new(table: Table, rows: usize) -> Self {
        Self { table, rows, begun: AtomicUsize::new(0) }
    }
}

impl RowSource for Rows {
    fn pieces(&self, texts: &[String]) -> Result<Pieces<'_>, SourceError> {
        self.begun.fetch_add(1, Ordering::SeqCst);
        let texts = texts.to_vec();
        let all = self.table.rows();
        let pieces = (0..all.div_ceil(self.rows)).map(move |piece| {
            let range = piece * self.rows..((piece + 1) * self.rows).min(all);
            let columns = self.table.columns().iter().map(|column| {
                let cells: Vec<String> = range.clone().map(|row| column.cell(row)).collect();
                let numbers: Option<Vec<f64>> = cells.iter().map(|cell| number(cell)).collect();
                match (&column.data, numbers) {
                    (ColumnData::Numeric(values), _) => Column::numeric(&column.name, values[range.clone()].to_vec()),
                    (_, Some(numbers)) if !texts.contains(&column.name) => Column::numeric(&column.name, numbers),
                    _ => Column::text(&column.name, cells),
                }
            });
            let mut table = Table::new(columns.collect())?;
            table.target_hint = self.table.target_hint.clone();
            Ok(table)
        });
        Ok(Box::new(pieces))
    }
}

fn number(cell: &str) -> Option<f64> {
    if cell.is_empty() { Some(f64::NAN) } else { cell.parse().ok() }
}

fn options(method: Method, seed: u64, set: &[(&str, &str)]) -> SelectOptions {
    let set: Vec<(String, String)> = set.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    let settings = method.settings(&set).unwrap();
    SelectOptions { settings, size: Size::Top(4), seed, ..SelectOptions::new(method) }
}

fn run(rows: &Rows, data: &DatasetOptions, set: &[(&str, &str)], seed: u64) -> Result<Selection, StreamError> {
    select(rows, data, &options(METHOD, seed, set), &mut Silent)
}

fn refusal(columns: Vec<Column>, data: &DatasetOptions) -> String {
    let rows = Rows::new(Table::new(columns).unwrap(), 2);
    let error = run(&rows, data, &[], 0).unwrap_err();
    error.remedy().map_or_else(|| error.to_string(), |remedy| format!("{error}; {remedy}"))
}

fn on_target() -> DatasetOptions {
    DatasetOptions::new(Target::named("t"))
}

fn labels(count: usize) -> Column {
    Column::text("t", (0..count).map(|row| if row % 2 == 0 { "p" } else { "q" }))
}

#[test]
fn finds_the_same_structure_as_in_memory() {
    for (name, samples, features, rows) in
        [("double-circle", 400, 10, 64), ("xor", 500, 20, 8192), ("xor", 12_000, 20, 999)]
    {
        let generated = generate::find(name).unwrap().generate(Some(samples), Some(features), 1).unwrap();
        let source = Rows::new(generated.table, rows);
        let selection = run(&source, &DatasetOptions::default(), &[], 1).unwrap();
        let truth = &generated.informative;
        let first: Vec<&str> = selection.ranking[..truth.len()].iter().map(|r| r.feature.as_str()).collect();
        assert!(truth.iter().all(|feature| first.contains(&feature.as_str())), "{name}: {first:?}");
        assert!(selection.diagnostics["validation_loss"] < 0.6 * selection.diagnostics["chance_loss"], "{name}");
        assert_eq!((selection.data.samples, selection.data.features), (samples, features));
        let sampled =
            selection.warnings.iter().any(|warning| warning.to_string().contains("a sample of 4096 of 12000 rows"));
        assert_eq!(sampled, samples == 12_000, "{:?}", selection.warnings);
    }
}

#[test]
fn the_same_bits_for_any_number_of_threads_and_any_size_of_pieces() {
    let table = generate::find("waveform").unwrap().generate(Some(6000), Some(30), 3).unwrap().table;
    let set = [("steps", "40"), ("starts", "3"), ("batch", "64")];
    let on = |threads: usize, rows: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let source = Rows::new(table.clone(), rows);
        pool.install(|| run(&source, &DatasetOptions::default(), &set, 5).unwrap())
    };
    let one = on(1, 1000);
    assert_eq!(on(4, 1000).ranking, one.ranking);
    assert_eq!(on(2, 1000).trace, one.trace);
    // Other pieces change the rounding of sums.
    for (a, b) in on(2, 77).ranking.iter().zip(&one.ranking) {
        assert!(a.feature == b.feature && (a.score - b.score).abs() < 1e-6, "{a:?} {b:?}");
    }
}

/// Numbers with missing values, categories of texts and of numbers, two of them with two levels.
fn mixed(rows: usize) -> Table {
    let numbers = (0..rows).map(|row| if row % 7 == 3 { f64::NAN } else { 1e3 + (row * row % 23) as f64 });
    Table::new(vec![
        Column::numeric("gaps", numbers.collect()),
        Column::text("kind", (0..rows).map(|row| ["u", "", "w", "v"][row * row % 11 % 4])),
        Column::numeric("year", (0..rows).map(|row| [2009.0, 10.0, 2007.0][row % 5 % 3]).collect()),
        Column::text("two", (0..rows).map(|row| ["yes", "no"][row % 3 % 2])),
        labels(rows),
    ])
    .unwrap()
}

#[test]
fn incomplete_rows_can_be_left_out() {
    let source = Rows::new(mixed(600), 50);
    let data = DatasetOptions { missing: crate::data::Missing::DropRows, ..on_target() };
    let whole = Dataset::new(source.table.clone(), &data).unwrap();
    let selection = run(&source, &data, &[("steps", "5")], 0).unwrap();
    assert_eq!(selection.data.samples, whole.samples());
    assert!(selection.warnings.contains(&whole.warnings[0]), "{:?}", selection.warnings);
}

#[test]
fn a_column_may_turn_out_to_be_text() {
    let late = |row: usize| if row == 33 { "x".to_owned() } else { (row % 3).to_string() };
    let target = |row: usize| if row > 30 { "9a".to_owned() } else { (row % 2).to_string() };
    let table = Table::new(vec![
        Column::text("late", (0..40).map(late)),
        Column::numeric("plain", (0..40).map(|row| f64::from(row * row % 13)).collect()),
        Column::text("t", (0..40).map(target)),
    ]);
    let source = Rows::new(table.unwrap(), 8);
    let selection = run(&source, &on_target(), &[("steps", "5")], 0).unwrap();
    assert_eq!(selection.data.class_names, ["0", "1", "9a"]);
    let surveyed = Surveyed::new(&source, &on_target(), 0).unwrap();
    assert_eq!(surveyed.plan.texts, ["late", "t"]);
    assert_eq!(surveyed.plan.groups(), [0..4, 4..5]);
}

#[test]
fn constant_and_equal_columns_are_known_from_all_rows() {
    let rows = 9000;
    let values: Vec<f64> = (0..rows).map(|row| f64::from(row * 7 % 101)).collect();
    let mut nearly = values.clone();
    nearly[8999] += 1.0;
    let mut once = vec![0.0; rows as usize];
    once[5000] = 1.0;
    let mut columns = vec![
        Column::numeric("a", values.clone()),
        Column::numeric("b", values),
        Column::numeric("nearly", nearly),
        Column::numeric("once", once),
        Column::numeric("same", vec![4.0; rows as usize]),
    ];
    columns.push(labels(rows as usize));
    let source = Rows::new(Table::new(columns).unwrap(), 500);
    let found = Surveyed::new(&source, &on_target(), 0).unwrap().sample.suspicions;
    assert_eq!((found.constant, found.duplicates), (vec![4], vec![vec![0, 1]]));
}

#[test]
fn errors_name_the_row_of_the_file() {
    let numbers = |bad: f64| Column::numeric("a", vec![1.0, 2.0, 3.0, 4.0, bad, 6.0]);
    assert!(refusal(vec![numbers(f64::INFINITY), labels(6)], &on_target()).contains("'a' is inf in data row 5"));
    let strict = on_target().missing(Missing::Error);
    let missing = refusal(vec![numbers(f64::NAN), labels(6)], &strict);
    assert!(missing.contains("'a' is missing in data row 5 (1 missing values in 1 columns)"), "{missing}");
    let label = Column::text("t", ["p", "q", "p", "q", "p", ""]);
    assert!(refusal(vec![numbers(5.0), label], &strict).contains("'t' is missing in data row 6"));
    let distinct = Column::text("t", ["p", "q", "r", "s", "t", "z"]);
    assert!(refusal(vec![numbers(5.0), distinct], &on_target()).contains("6 classes with a single row each"));
    let wide = Column::numeric("a", vec![1e300, -1e300, 0.0, 1.0, 2.0, 3.0]);
    assert!(refusal(vec![wide, labels(6)], &on_target()).contains("too wide to be scaled"));
    let same = Column::numeric("a", vec![1.0; 6]);
    assert!(refusal(vec![same, labels(6)], &on_target()).contains("nothing varies"));
    let many = Column::text("id", (0..3000).map(|row| format!("r{row}")));
    assert!(refusal(vec![many, labels(3000)], &on_target()).contains("more than the 1000 that can be coded"));
    let bins = DatasetOptions::new(Target::named("t").bins(2));
    assert!(
        refusal(vec![numbers(5.0), labels(6)], &bins)
            .contains("cutting the target into classes needs all rows at once")
    );
    let source = Rows::new(mixed(20), 5);
    let anova = options(Method::Anova, 0, &[]);
    let error = select(&source, &on_target(), &anova, &mut Silent).unwrap_err().to_string();
    assert!(error.contains("anova needs all rows at once"), "{error}");
}

/// Tables with gaps, classes of single rows, and numeric targets are read in pieces as in memory.
#[test]
fn targets_and_gaps_are_treated_as_in_memory() {
    let rows = 30;
    let number = |name: &str, of: &dyn Fn(usize) -> f64| Column::numeric(name, (0..rows).map(of).collect());
    let whole = |step: usize| move |row: usize| (row % step) as f64;
    let features = || {
        let gap = |row: usize| if row % 11 == 3 { f64::NAN } else { (row * row % 31) as f64 };
        let kinds = (0..rows).map(|row| if row % 7 == 2 { "" } else { ["u", "v"][row % 2] });
        let empty = Column::text("empty", (0..rows).map(|_| "NA"));
        let half = Column::text("half", (0..rows).map(|row| if row % 3 == 0 { "" } else { "y" }));
        vec![number("gap", &gap), Column::text("kind", kinds), empty, half]
    };
    let targets = [
        number("t", &whole(3)),
        number("t", &whole(25)),
        number("t", &|row| if row == 29 { 0.5 } else { (row % 2) as f64 }),
        number("t", &|row| if row == 29 { 7.0 } else { (row % 2) as f64 }),
        number("t", &|row| if row == 4 { f64::NAN } else { (row % 2) as f64 }),
        Column::text("t", (0..rows).map(|row| if row == 12 { "single" } else { ["p", "q", ""][row % 3] })),
    ];
    for target in targets {
        let table = Table::new([features(), vec![target]].concat()).unwrap();
        for missing in [Missing::Fill, Missing::Median] {
            let data = on_target().missing(missing);
            let whole = Dataset::new(table.clone(), &data).unwrap();
            let streamed =
                Surveyed::new(&Rows::new(table.clone(), 4), &data, 1).map(|surveyed| surveyed.sample).unwrap();
            let of = |data: &Dataset| {
                let names: Vec<String> = data.features.iter().map(|feature| feature.name.clone()).collect();
                let warnings: BTreeSet<String> = data.warnings.iter().map(ToString::to_string).collect();
                let (target, inferred, excluded) = (&data.target, &data.inferred, &data.excluded);
                (names, warnings, target.clone(), inferred.clone(), excluded.clone(), data.suspicions.clone())
            };
            assert_eq!(of(&streamed), of(&whole), "{missing:?}");
        }
    }
}

#[test]
fn regression_finds_the_informative_columns() {
    let generated = generate::find("friedman").unwrap().generate(Some(6000), Some(10), 2).unwrap();
    let data = DatasetOptions::new(TargetColumn::default().regression());
    let selection = run(&Rows::new(generated.table, 700), &data, &[("steps", "300"), ("starts", "1")], 1).unwrap();
    let first: Vec<&str> = selection.ranking[..4].iter().map(|r| r.feature.as_str()).collect();
    assert!(first.iter().all(|feature| generated.informative.iter().any(|truth| truth == feature)), "{first:?}");
    assert!(selection.diagnostics["validation_loss"] < 0.4 * selection.diagnostics["chance_loss"]);
    let same = Column::numeric("t", vec![2.5; 6]);
    let numbers = |target: Column| {
        let a = Column::numeric("a", vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        refusal(vec![a, target], &DatasetOptions::new(Target::named("t").regression()).missing(Missing::Error))
    };
    assert!(numbers(same).contains("'t' is 2.5 in every row"));
    assert!(numbers(Column::text("t", ["1", "2", "3", "4", "5", "x"])).contains("'t' holds texts"));
    assert!(numbers(Column::numeric("t", vec![1e300, -1e300, 0.0, 1.0, 2.0, 3.0])).contains("rescale it in the file"));
    assert!(numbers(Column::numeric("t", vec![1.0, 2.0, f64::NAN, 1.0, 2.0, 3.0])).contains("missing in data row 3"));
}

#[test]
fn rows_sorted_by_a_regression_target_are_reported() {
    let noted = |number: fn(usize) -> f64| {
        let values = (0..2000).map(|row| f64::from(row * 7919 % 1009)).collect();
        let target = Column::numeric("t", (0..2000).map(number).collect());
        let table = Table::new(vec![Column::numeric("a", values), target]).unwrap();
        let data = DatasetOptions::new(Target::named("t").regression());
        let surveyed = Surveyed::new(&Rows::new(table, 200), &data, 0).map(|s| s.sample);
        surveyed.unwrap().warnings.iter().any(|warning| warning.to_string().contains("sorted by the target"))
    };
    assert!(noted(|row| row as f64));
    assert!(!noted(|row| (row * 7919 % 1013) as f64));
}

#[test]
fn rows_sorted_by_class_are_reported() {
    let noted = |class: fn(usize) -> &'static str| {
        let values = (0..2000).map(|row| f64::from(row * 7919 % 1009)).collect();
        let target = Column::text("t", (0..2000).map(class));
        let table = Table::new(vec![Column::numeric("a", values), target]).unwrap();
        let surveyed = Surveyed::new(&Rows::new(table, 200), &on_target(), 0).map(|s| s.sample);
        surveyed.unwrap().warnings.iter().any(|warning| warning.to_string().contains("sorted by class"))
    };
    assert!(noted(|row| if row < 1000 { "p" } else { "q" }));
    assert!(!noted(|row| if row % 2 == 0 { "p" } else { "q" }));
}
