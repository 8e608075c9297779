//! Keys of saved runs: independent of the version of the program, and stable.
#![allow(clippy::unwrap_used)]

use rulesieve::data::{CategoricalCoding, Dataset, DatasetOptions};
use rulesieve::select::{Size, Value};
use rulesieve::{Warning, generate, methods::Method};
use rulesieve_eval::evaluate::{
    Candidate, Estimator, EvaluateOptions, Evaluation, FORMAT, KernelKind, Protocol, RunSpec, Truth,
};
use rulesieve_eval::records::Records;
use rulesieve_eval::splits::Plan;
use rulesieve_eval::svm::Gamma;
use rusqlite::Connection;

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
        candidates: vec![candidate("anova")],
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
        curve: false,
        subsamples: 0,
        permute: false,
        baselines: true,
        seed,
    }
}

#[test]
fn another_version_of_the_program_resumes_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.sqlite");
    let (data, requested) = (data(), options(3));
    let evaluation = Evaluation::new(&data, &requested).unwrap();
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
    let (data, requested) = (data(), options(3));
    let evaluation = Evaluation::new(&data, &requested).unwrap();
    for _ in 0..2 {
        drop(Records::open(&path).unwrap().begin(evaluation.spec(), "x").unwrap());
    }
    let old = "PRAGMA user_version = 1; UPDATE runs SET key = 'old', frame = json_remove(frame, '$.format');
        UPDATE runs SET frame = json_set(frame, '$.coding', 'OneHot', '$.version', '0.0.7'); UPDATE runs SET frame = '[]' WHERE id = 2;";
    Connection::open(&path).unwrap().execute_batch(old).unwrap();
    let list = Records::read(&path).unwrap().list().unwrap();
    assert!(list[0].fault.is_none() && list[1].fault.is_some(), "reading changes nothing");
    for _ in 0..2 {
        let (run, found) = Records::open(&path).unwrap().resume(evaluation.spec(), "x").unwrap();
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
