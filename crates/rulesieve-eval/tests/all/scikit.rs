//! Metrics and estimators against recorded results of scikit-learn (`golden/make.py`).
#![allow(clippy::unwrap_used)]

use rulesieve::matrix::Matrix;
use rulesieve_eval::metrics::{Confusion, of_class_scores, of_numbers};
use rulesieve_eval::splits::{Plan, splits};
use rulesieve_eval::svm::{Gamma, Gram, Svc, SvmOptions};
use serde_json::Value;

fn cases(text: &str) -> Vec<Value> {
    serde_json::from_str(text).unwrap()
}

fn codes(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|code| code.as_u64().unwrap() as u32).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[test]
fn metrics_agree_also_with_empty_classes() {
    let cases = cases(include_str!("../golden/metrics.json"));
    assert_eq!(cases.len(), 40);
    for case in cases {
        let classes = case["classes"].as_u64().unwrap() as usize;
        let table = Confusion::new(&codes(&case["truth"]), &codes(&case["answers"]), classes);
        let found = [table.accuracy(), table.balanced_accuracy(), table.macro_f1(), table.mcc()];
        for (found, name) in found.into_iter().zip(["accuracy", "balanced_accuracy", "macro_f1", "mcc"]) {
            let expected = case[name].as_f64().unwrap();
            assert!((found - expected).abs() < 1e-12, "{name}: {found} {expected}\n{case}");
        }
    }
}

fn check(found: Option<(f64, f64)>, case: &Value) {
    for (found, name) in [(found.map(|one| one.0), "roc_auc"), (found.map(|one| one.1), "average_precision")] {
        match (found, case[name].as_f64()) {
            (Some(found), Some(expected)) => assert!((found - expected).abs() < 1e-12, "{name}: {found} {expected}"),
            (found, expected) => assert_eq!(found, expected, "{name}"),
        }
    }
}

#[test]
fn rankings_agree_also_with_ties() {
    let cases = cases(include_str!("../golden/rankings.json"));
    assert_eq!(cases.len(), 30);
    for case in cases {
        let codes = codes(&case["codes"]);
        let classes = case["classes"].as_u64().unwrap() as usize;
        let scores = Matrix::from_column_major(codes.len(), classes, numbers(&case["scores"])).unwrap();
        check(of_class_scores(&codes, &scores), &case);
    }
}

#[test]
fn r_squared_of_folds_together_agrees() {
    let case: Value = serde_json::from_str(include_str!("../golden/regression.json")).unwrap();
    let (truth, values) = (numbers(&case["truth"]), numbers(&case["values"]));
    let r2 = of_numbers(&truth, &values).1.unwrap();
    assert!((r2 - case["r2"].as_f64().unwrap()).abs() < 1e-12, "{r2}");
    let of_fold = |(truth, values): (&[f64], &[f64])| of_numbers(truth, values).1.unwrap();
    let folds: Vec<f64> = truth.chunks(10).zip(values.chunks(10)).map(of_fold).collect();
    folds.iter().zip(numbers(&case["folds"])).for_each(|(found, expected)| assert!((found - expected).abs() < 1e-12));
    assert!(folds.iter().all(|fold| *fold < r2 - 0.05), "the folds have different means: {folds:?}");
}

#[test]
fn svms_give_the_same_predictions() {
    let cases = cases(include_str!("../golden/svm.json"));
    assert_eq!(cases.len(), 12);
    for case in cases {
        let (codes, cells) = (codes(&case["codes"]), numbers(&case["x"]));
        let x = Matrix::from_column_major(codes.len(), cells.len() / codes.len(), cells).unwrap();
        let gram = Gram::new(&x);
        let (train, test): (Vec<usize>, Vec<usize>) =
            (0..codes.len()).partition(|&row| row < case["train"].as_u64().unwrap() as usize);
        let c = case["c"].as_f64().unwrap();
        let mut options = match case["kernel"].as_str().unwrap() {
            "rbf" => SvmOptions::rbf(c, Gamma::Scale, &gram, &train),
            _ => SvmOptions::linear(c),
        };
        options.weights = case["weights"].as_array().map(|_| numbers(&case["weights"]));
        let classes = case["classes"].as_u64().unwrap() as usize;
        let machine = Svc::fit(&gram, &train, &codes, classes, &options);
        let expected = self::codes(&case["answers"]);
        let (predicted, scores) = machine.predict_scored(&gram, &test);
        assert_eq!(predicted, expected, "{} C {c}, {classes} classes", case["kernel"]);
        let own: Vec<u32> = test.iter().map(|&row| codes[row]).collect();
        check(of_class_scores(&own, &scores), &case);
    }
}

/// The decision values differ by the iteration at which a machine stops, so that they show every deviation from LIBSVM.
#[test]
fn stopped_svms_have_the_same_decision_values() {
    let cases = cases(include_str!("../golden/svm-stopped.json"));
    assert_eq!(cases.len(), 4);
    for case in cases {
        let (codes, cells) = (codes(&case["codes"]), numbers(&case["x"]));
        let x = Matrix::from_column_major(codes.len(), cells.len() / codes.len(), cells).unwrap();
        let (gram, train) = (Gram::new(&x), case["train"].as_u64().unwrap() as usize);
        let (train, test): (Vec<usize>, Vec<usize>) = (0..codes.len()).partition(|&row| row < train);
        let (c, classes) = (case["c"].as_f64().unwrap(), case["classes"].as_u64().unwrap() as usize);
        for stop in case["stops"].as_array().unwrap() {
            let max_iter = usize::try_from(stop["cap"].as_i64().unwrap()).ok();
            let options = SvmOptions { max_iter, ..SvmOptions::rbf(c, Gamma::Scale, &gram, &train) };
            let machine = Svc::fit(&gram, &train, &codes, classes, &options);
            let which = format!("C {c}, at most {max_iter:?} iterations");
            let stopped = self::codes(&stop["iterations"]).iter().any(|&count| Some(count as usize) == max_iter);
            assert_eq!(machine.converged, !stopped, "{which}");
            let (predicted, scores) = machine.predict_scored(&gram, &test);
            assert_eq!(predicted, self::codes(&stop["answers"]), "{which}");
            if classes == 2 {
                for (found, expected) in scores.col(1).iter().zip(numbers(&stop["values"])) {
                    assert!((found - expected).abs() < 1e-9 * c, "{which}: {found} {expected}");
                }
            }
        }
    }
}

#[test]
fn folds_are_the_same() {
    let cases = cases(include_str!("../golden/folds.json"));
    assert_eq!(cases.len(), 5);
    for case in cases {
        let (codes, fold_of) = (codes(&case["codes"]), codes(&case["fold_of"]));
        let (folds, seed) = (case["folds"].as_u64().unwrap() as usize, case["seed"].as_u64().unwrap() as u32);
        let found = splits(&Plan::ScikitFolds { folds, seed }, &codes, 7).unwrap();
        assert_eq!(found.len(), folds);
        for (fold, split) in found.iter().enumerate() {
            let (test, train): (Vec<usize>, Vec<usize>) =
                (0..codes.len()).partition(|&row| fold_of[row] as usize == fold);
            assert_eq!((&split.test, &split.train), (&test, &train), "{folds} folds, fold {fold}");
        }
    }
}
