use super::*;
use crate::evaluate::{
    Candidate, Estimator, EvaluateOptions, Evaluation, FORMAT, KernelKind, Protocol, RunSpec, Truth,
};
use crate::splits::Plan;
use crate::svm::Gamma;
use rulesieve::data::{CategoricalCoding, Dataset, DatasetOptions};
use rulesieve::optim::{Halt, Progress, Silent};
use rulesieve::select::{Size, Value};
use rulesieve::{Warning, generate, methods::Method};
use std::ops::ControlFlow;

fn data() -> Dataset {
    let table = generate::find("waveform").unwrap().generate(Some(90), None, 1).unwrap().table;
    Dataset::new(table, &DatasetOptions::default()).unwrap()
}

fn options(seed: u64) -> EvaluateOptions {
    let candidate = |name: &str| {
        let method: Method = name.parse().unwrap();
        Candidate { method, points: vec![method.settings(&[]).unwrap()] }
    };
    EvaluateOptions {
        protocol: Protocol::Nested,
        candidates: vec![candidate("anova"), candidate("ldr-tsk")],
        size: None,
        plan: Plan::Folds { folds: 4, repeats: 1 },
        inner: 2,
        estimator: Estimator::Svm {
            kernel: KernelKind::Rbf,
            gamma: Gamma::Scale,
            costs: vec![1.0, 10.0],
            max_iter: None,
            class_order: Default::default(),
        },
        estimator_rows: None,
        curve: true,
        subsamples: 3,
        permute: false,
        baselines: true,
        seed,
    }
}

/// The record without times.
fn timeless(record: &EvaluationRecord) -> String {
    let text = serde_json::to_string_pretty(record).unwrap();
    text.lines().filter(|line| !line.contains("\"seconds\"")).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_resumed_run_gives_the_result_of_an_uninterrupted_one() {
    let (data, options) = (data(), options(3));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.sqlite");
    let evaluation = Evaluation::new(&data, &options).unwrap();
    let mut all_fits = 0;
    let mut count = |progress: &Progress| {
        all_fits = progress.limit;
        ControlFlow::Continue(())
    };
    let uninterrupted = evaluation.run(None, &mut count).unwrap().record;

    let mut calls = 0;
    let mut late = |_: &Progress| {
        calls += 1;
        if calls > 900 { ControlFlow::Break(Halt::Interrupted) } else { ControlFlow::Continue(()) }
    };
    let mut run = Records::open(&path).unwrap().begin(evaluation.spec(), "waves").unwrap();
    let halted = evaluation.run(Some(&mut run), &mut late).unwrap().halted;
    let before = run.done().unwrap();
    assert!(halted.is_some() && (1..evaluation.spec().tasks().len()).contains(&before), "{before} done");
    drop(run);

    let (mut run, found) = Records::open(&path).unwrap().resume(evaluation.spec(), "waves").unwrap();
    assert!(found);
    let mut fits = 0;
    let mut count = |progress: &Progress| {
        fits = progress.limit;
        ControlFlow::Continue(())
    };
    let resumed = evaluation.run(Some(&mut run), &mut count).unwrap().record;
    assert_eq!(timeless(&resumed), timeless(&uninterrupted));
    // Each split takes at least three fits, each subsample one.
    assert!(
        fits > 0 && fits + before <= all_fits && fits < all_fits,
        "only the remaining tasks are run: {fits} of {all_fits}"
    );

    let records = Records::open(&path).unwrap();
    let (rebuilt, input) = records.record(1).unwrap();
    assert_eq!(
        (serde_json::to_string(&rebuilt).unwrap(), input.as_str()),
        (serde_json::to_string(&resumed).unwrap(), "waves")
    );
    let list = records.list().unwrap();
    assert_eq!((list.len(), list[0].done, list[0].tasks), (1, 4 * 4 + 3 * 3, 4 * 4 + 3 * 3));
    assert_eq!(list[0].methods, ["anova", "ldr-tsk"]);
}

#[test]
fn other_options_or_other_data_are_another_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.sqlite");
    let data = data();
    let key = |data: &Dataset, options: &EvaluateOptions| Evaluation::new(data, options).unwrap().spec().key();
    let first = key(&data, &options(3));
    assert_eq!(first, key(&data, &options(3)));
    let mut other = data.clone();
    if let rulesieve::data::FeatureValues::Numeric(values) = &mut other.features[7].values {
        values[11] += 1e-9;
    }
    assert_ne!(first, key(&other, &options(3)));
    let estimator = Estimator::Knn { neighbours: vec![1] };
    for options in [options(4), EvaluateOptions { inner: 3, ..options(3) }, EvaluateOptions { estimator, ..options(3) }]
    {
        assert_ne!(first, key(&data, &options));
    }
    for (seed, exists) in [(3, false), (4, false), (3, true)] {
        let options = options(seed);
        let evaluation = Evaluation::new(&data, &options).unwrap();
        assert_eq!(Records::open(&path).unwrap().resume(evaluation.spec(), "x").unwrap().1, exists, "seed {seed}");
    }
    let error = Records::open(&path).unwrap().record(9).unwrap_err().to_string();
    assert!(error.contains("has no run 9"), "{error}");
    let nothing = Records::open(&path).unwrap().record(1).unwrap().0;
    assert!(!nothing.complete && nothing.methods.is_empty() && !nothing.unfinished.is_empty());
}

#[test]
fn other_files_are_rejected_and_left_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "a long text that is not a database\n".repeat(40)).unwrap();
    let before = std::fs::read(&text).unwrap();
    let rejected = |path: &Path| Records::open(path).err().unwrap().to_string();
    assert!(rejected(&text).contains("not a file of saved runs"), "{}", rejected(&text));
    assert_eq!(std::fs::read(&text).unwrap(), before);
    let foreign = folder.path().join("other.sqlite");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    assert!(rejected(&foreign).contains("not a file of saved runs"));
    let newer = folder.path().join("newer.sqlite");
    drop(Records::open(&newer).unwrap());
    Connection::open(&newer).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();
    assert!(rejected(&newer).contains("layout 99"));
}

#[test]
fn damaged_results_are_reported_and_do_not_panic() {
    damage(Protocol::Nested);
    damage(Protocol::Paper);
}

fn damage(protocol: Protocol) {
    let data = data();
    let mut options = EvaluateOptions { protocol, curve: protocol == Protocol::Nested, ..options(3) };
    if protocol == Protocol::Paper {
        options.estimator = Estimator::Svm {
            kernel: KernelKind::Rbf,
            gamma: Gamma::Scale,
            costs: vec![1.0],
            max_iter: None,
            class_order: Default::default(),
        };
        let method = options.candidates[1].method;
        options.candidates[1].points = crate::evaluate::grid::points(method, &[], &[], Some(3), 0).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.sqlite");
    let evaluation = Evaluation::new(&data, &options).unwrap();
    let mut run = Records::open(&path).unwrap().begin(evaluation.spec(), "x").unwrap();
    evaluation.run(Some(&mut run), &mut Silent).unwrap();
    drop(run);
    let damage = [
        "UPDATE outcomes SET outcome = replace(outcome, '\"setting\":0', '\"setting\":7')",
        "UPDATE outcomes SET outcome = replace(outcome, '\"classes\":[', '\"classes\":[9,')",
        "UPDATE outcomes SET outcome = '{}'",
        "UPDATE outcomes SET number = number + 100",
        "UPDATE outcomes SET ranker = 'nobody' WHERE ranker = 'anova'",
        "UPDATE runs SET frame = replace(frame, '\"tests\":[[', '\"tests\":[[9999,')",
        "UPDATE runs SET frame = '[]'",
        "UPDATE runs SET frame = replace(frame, '\"halves\":3', '\"halves\":1000000000000000000')",
        "UPDATE outcomes SET outcome = json_remove(outcome, '$.split.points[0]') WHERE part = 'split'",
        "UPDATE outcomes SET outcome = json_insert(outcome, '$.split.points[0].prediction.Ok[0][#]',
            json_extract(outcome, '$.split.points[0].prediction.Ok[0][0]')) WHERE part = 'split'",
        "UPDATE outcomes SET outcome = json_set(outcome, '$.subsample.order[0]', 5, '$.subsample.order[1]', 5) WHERE part = 'half'",
    ];
    for text in damage {
        let copy = folder.path().join("copy.sqlite");
        std::fs::copy(&path, &copy).unwrap();
        Connection::open(&copy).unwrap().execute_batch(text).unwrap();
        let error = Records::open(&copy).unwrap().record(1).unwrap_err().to_string();
        assert!(error.contains("damaged"), "{text}: {error}");
    }
    assert!(Records::open(&path).unwrap().record(1).is_ok());
}

#[test]
fn a_damaged_run_does_not_hide_the_others_and_reading_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.sqlite");
    let (data, options) = (data(), options(3));
    let evaluation = Evaluation::new(&data, &options).unwrap();
    for _ in 0..2 {
        drop(Records::open(&path).unwrap().begin(evaluation.spec(), "x").unwrap());
    }
    Connection::open(&path).unwrap().execute_batch("UPDATE runs SET frame = '[]' WHERE id = 1").unwrap();
    let list = Records::read(&path).unwrap().list().unwrap();
    assert!(
        list[0].fault.as_ref().unwrap().contains("damaged") && list[1].fault.is_none() && list[1].methods.len() == 2
    );
    let empty = folder.path().join("empty.sqlite");
    std::fs::write(&empty, "").unwrap();
    assert!(Records::read(&empty).is_err());
    assert_eq!(std::fs::metadata(&empty).unwrap().len(), 0);
}

#[test]
fn threads_can_create_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.sqlite");
    let (data, options) = (data(), options(3));
    let evaluation = Evaluation::new(&data, &options).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| Records::open(&path).unwrap().begin(evaluation.spec(), "x").unwrap().number());
        }
    });
    assert_eq!(Records::read(&path).unwrap().list().unwrap().len(), 8);
}

#[test]
fn another_version_of_the_program_resumes_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.sqlite");
    let (data, options) = (data(), options(3));
    let evaluation = Evaluation::new(&data, &options).unwrap();
    let other = RunSpec {
        version: "0.0.7".to_owned(),
        warnings: vec![Warning::Message { text: "other words".to_owned() }],
        ..evaluation.spec().clone()
    };
    drop(Records::open(&path).unwrap().begin(&other, "x").unwrap());
    assert!(Records::open(&path).unwrap().resume(evaluation.spec(), "x").unwrap().1);
    let newer = RunSpec { format: FORMAT + 1, ..other };
    assert!(!Records::open(&path).unwrap().resume(&newer, "x").unwrap().1, "its outcomes differ");
}

#[test]
fn runs_of_the_first_layout_are_read_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.sqlite");
    let (data, options) = (data(), options(3));
    let spec = RunSpec { format: 1, ..Evaluation::new(&data, &options).unwrap().spec().clone() };
    for _ in 0..2 {
        drop(Records::open(&path).unwrap().begin(&spec, "x").unwrap());
    }
    let old = "PRAGMA user_version = 1; UPDATE runs SET key = 'old', frame = json_remove(frame, '$.format');
        UPDATE runs SET frame = json_set(frame, '$.coding', 'OneHot', '$.version', '0.0.7'); UPDATE runs SET frame = '[]' WHERE id = 2;";
    Connection::open(&path).unwrap().execute_batch(old).unwrap();
    let list = Records::read(&path).unwrap().list().unwrap();
    assert!(list[0].fault.is_none() && list[1].fault.is_some(), "reading changes nothing");
    for _ in 0..2 {
        let (run, found) = Records::open(&path).unwrap().resume(&spec, "x").unwrap();
        assert_eq!((run.number(), found), (1, true));
    }
    let layout: i32 =
        Connection::open(&path).unwrap().pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(layout, 2);
}

/// Saved results are found by their keys, so keys must not change.
#[test]
fn keys_are_unchanged() {
    let frame = RunSpec {
        format: 1,
        version: "any".to_owned(),
        data: "d".to_owned(),
        target: "t".to_owned(),
        features: vec!["a".to_owned(), "b".to_owned()],
        truth: Truth::Classes { names: vec!["x".to_owned(), "y".to_owned()], codes: vec![0, 1, 0, 1] },
        protocol: Protocol::Paper,
        splits_label: "any words".to_owned(),
        tests: vec![vec![0, 1], vec![2, 3]],
        trains: None,
        groups: None,
        pooled: false,
        inner: Some(3),
        size: "top 1".to_owned(),
        coding: CategoricalCoding::Ordinal,
        estimator: Estimator::Svm {
            kernel: KernelKind::Rbf,
            gamma: Gamma::Scale,
            costs: vec![1.0],
            max_iter: None,
            class_order: Default::default(),
        },
        estimator_rows: None,
        methods: vec![("ldr-tsk".to_owned(), vec![[("alpha".to_owned(), Value::Number(0.5))].into()])],
        curve: false,
        subsamples: 0,
        permuted: false,
        baselines: true,
        seed: 7,
        warnings: vec![Warning::Message { text: "any words".to_owned() }],
    };
    assert_eq!(frame.key(), "55804219bdb9e88ab0b2adee2cbe843e9814a6296224ea5ddd440df889d1e509");
    let numbers = RunSpec {
        truth: Truth::Numbers(vec![0.5, 1.0]),
        estimator: Estimator::Knn { neighbours: vec![1, 5] },
        ..frame
    };
    let nested = RunSpec { protocol: Protocol::Nested, coding: CategoricalCoding::OneHot, ..numbers };
    assert_eq!(nested.key(), "64b0da193586cfdf6023ff3fa4870d85e168aeff9bb3798d4b11109d17d8ac98");
    let words: Vec<String> = [None, Some(Size::Top(3)), Some(Size::Fraction(0.5)), Some(Size::Native)]
        .map(|size| {
            Evaluation::new(&data(), &EvaluateOptions { size, curve: false, ..options(3) }).unwrap().spec().size.clone()
        })
        .to_vec();
    assert_eq!(words, ["chosen inside", "top 3", "0.5 of all", "as the method's own rule keeps"]);
}
