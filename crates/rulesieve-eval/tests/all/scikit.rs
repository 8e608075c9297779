//! Metrics and estimators against recorded results of scikit-learn (`golden/make.py`).
#![allow(clippy::unwrap_used)]

use rulesieve::linalg::Matrix;
use rulesieve_eval::metrics::Confusion;
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
        assert_eq!(machine.predict(&gram, &test), expected, "{} C {c}, {classes} classes", case["kernel"]);
    }
}
