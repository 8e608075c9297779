//! `evaluate`: methods judged by rows they have not seen.

mod common;

use common::{Folder, says};

const QUICK: &str = "--folds 4 --inner 2 --costs 1,10";

#[test]
fn methods_and_baselines_are_judged_and_recorded() {
    let folder = Folder::new();
    let line = format!("evaluate builtin:penguins --missing median --methods anova,variance {QUICK}");
    let text = folder.run(&line).ok();
    says(&text, &["protocol nested: 4 folds, 2 inside, rbf SVM, C of 1, 10", "anova", "variance", "all features"]);
    says(&text, &["random features", "most frequent class", "stability", "p against the first"]);
    let record = folder.run(&format!("{line} --json --output e.json")).json();
    assert_eq!((&record["schema"], &record["protocol"]), (&"rulesieve/evaluation/1".into(), &"nested".into()));
    assert_eq!(record["classifier"]["kernel"], "rbf");
    let anova = &record["methods"][0];
    assert!(anova["accuracy"]["mean"].as_f64().unwrap() > 0.9, "{}", anova["accuracy"]);
    assert!(record["baselines"]["majority"]["mean"].as_f64().unwrap() < 0.5);
    let mut rows: Vec<u64> = Vec::new();
    for fold in anova["folds"].as_array().unwrap() {
        let test = fold["test"].as_array().unwrap();
        assert_eq!(test.len(), fold["predicted"].as_array().unwrap().len());
        assert!(["Adelie", "Chinstrap", "Gentoo"].contains(&fold["predicted"][0].as_str().unwrap()));
        assert!(fold["svm"]["gamma"].as_f64().unwrap() > 0.0 && !fold["selected"].as_array().unwrap().is_empty());
        rows.extend(test.iter().map(|row| row.as_u64().unwrap()));
    }
    rows.sort_unstable();
    assert_eq!(rows, (0..344).collect::<Vec<u64>>());
    let saved: serde_json::Value = serde_json::from_str(&folder.read("e.json")).unwrap();
    assert_eq!(saved["methods"][1]["folds"][2]["predicted"], record["methods"][1]["folds"][2]["predicted"]);
}

#[test]
fn threads_and_the_order_of_columns_change_nothing() {
    let folder = Folder::new();
    folder.run("generate waveform --samples 200 --seed 2 --output t.csv").ok();
    let folds = |file: &str, more: &str| {
        let record =
            folder.run(&format!("evaluate {file} -t class --methods anova,ldr-tsk {QUICK} {more} --json")).json();
        let folds = |method: &serde_json::Value| {
            let folds = method["folds"].as_array().unwrap().iter();
            folds.map(|fold| (fold["selected"].clone(), fold["predicted"].clone())).collect::<Vec<_>>()
        };
        record["methods"].as_array().unwrap().iter().map(folds).collect::<Vec<_>>()
    };
    let plain = folds("t.csv", "--threads 1");
    assert_eq!(folds("t.csv", "--threads 3"), plain);
    assert_ne!(folds("t.csv", "--seed 1"), plain);
    let turned: String =
        folder.read("t.csv").lines().map(|row| row.rsplit(',').collect::<Vec<_>>().join(",") + "\n").collect();
    folder.write("turned.csv", turned);
    assert_eq!(folds("turned.csv", ""), plain);
}

#[test]
fn splits_and_judges_can_be_chosen() {
    let folder = Folder::new();
    let rows: String =
        (0..60).map(|row| format!("{},{},p{},{}\n", row % 7, row * 5 % 11, row / 6, ["x", "y"][row % 2])).collect();
    folder.write("t.csv", format!("a,b,patient,t\n{rows}"));
    let line = "evaluate t.csv -t t --methods anova --json";
    let grouped = folder.run(&format!("{line} --groups patient --folds 5 --inner 2 --top 1")).json();
    assert_eq!((&grouped["features"], &grouped["splits"]), (&2.into(), &"5 folds of groups".into()));
    for fold in grouped["methods"][0]["folds"].as_array().unwrap() {
        let mut patients: Vec<u64> =
            fold["test"].as_array().unwrap().iter().map(|row| row.as_u64().unwrap() / 6).collect();
        patients.dedup();
        assert_eq!(patients.len() * 6, fold["test"].as_array().unwrap().len(), "patients stay whole");
    }
    let one = folder.run(&format!("{line} --drop patient --leave-one-out --costs 1 --top 1 --kernel linear")).json();
    assert_eq!(one["methods"][0]["folds"].as_array().unwrap().len(), 60);
    assert_eq!(
        (&one["classifier"]["kernel"], &one["classifier"]["gamma"]),
        (&"linear".into(), &serde_json::Value::Null)
    );
    let twice =
        folder.run(&format!("{line} --drop patient --folds 3 --repeats 2 --costs 1 --fraction 0.5 --gamma 0.3")).json();
    assert_eq!(twice["methods"][0]["folds"].as_array().unwrap().len(), 6);
    assert_eq!(twice["methods"][0]["folds"][0]["svm"]["gamma"], 0.3);
    let shuffled = folder.run(&format!("{line} --drop patient --permute-labels {QUICK}")).json();
    assert_eq!(shuffled["permuted_labels"], true);
}

#[test]
fn nonsense_is_refused() {
    let folder = Folder::new();
    folder.run("generate waveform --samples 60 --seed 2 --output t.csv").ok();
    let refused = |more: &str, words: &[&str]| folder.run(&format!("evaluate t.csv -t class {more}")).refused(words);
    refused("--methods anovva", &["no method 'anovva'", "anova"]);
    refused("--methods anova,anova", &["'anova' is named twice"]);
    refused("--methods anova --folds 1", &["1 folds are not allowed"]);
    refused("--methods anova --folds 100", &["100 folds of 60 rows"]);
    refused("--methods anova --inner 1", &["1 folds are not allowed"]);
    refused("--methods anova --costs 0", &["C = 0", "from 1e-6 to 1e6"]);
    refused("--methods anova --gamma wide", &["--gamma wide", "scale, auto"]);
    refused("--methods anova --set alpha=1", &["METHOD:NAME=VALUE"]);
    refused("--methods anova --set ldr-tsk:alpha=1", &["ldr-tsk is not among the methods"]);
    refused("--methods ldr-tsk --set ldr-tsk:alpha=-1", &["alpha"]);
    refused("--methods anova --groups nobody", &["no column 'nobody'"]);
    refused("--methods anova --kernel linear --gamma 3", &["--gamma means nothing to the linear kernel"]);
    folder.write("g.csv", "a,g,t\n1,p,x\n2,,y\n3,q,x\n4,q,y\n");
    folder.run("evaluate g.csv -t t --groups g --methods anova").refused(&["'g' is missing in data row 2", "group"]);
    folder.run("generate friedman --samples 60 --seed 1 --output f.csv").ok();
    folder.run("evaluate f.csv -t y --task regression --methods anova").refused(&["evaluate judges classes", "--bins"]);
}
