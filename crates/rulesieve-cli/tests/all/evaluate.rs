//! `evaluate`: evaluation of methods on held-out data.

use crate::common::{Folder, assert_contains};

const QUICK: &str = "--folds 4 --inner 2 --costs 1,10";

#[test]
fn methods_and_baselines_are_evaluated_and_recorded() {
    let folder = Folder::new();
    let line = format!("evaluate builtin:penguins --missing median --methods anova,variance {QUICK}");
    let text = folder.run(&line).ok();
    assert_contains(
        &text,
        &["protocol nested: 4 folds, 2 inner folds, rbf SVM, C of 1, 10", "anova", "variance", "all features"],
    );
    assert_contains(&text, &["random features", "most frequent class", "stability", "p against the first"]);
    let record = folder.run(&format!("{line} --json --output e.json")).json();
    assert_eq!((&record["schema"], &record["protocol"]), (&"rulesieve/evaluation/1".into(), &"nested".into()));
    assert_eq!((&record["estimator"]["name"], &record["estimator"]["kernel"]), (&"svm".into(), &"rbf".into()));
    let anova = &record["methods"][0];
    assert!(anova["accuracy"]["mean"].as_f64().unwrap() > 0.9, "{}", anova["accuracy"]);
    assert!(record["baselines"]["majority"]["accuracy"]["mean"].as_f64().unwrap() < 0.5);
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
fn splits_and_estimators_can_be_chosen() {
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
    assert_eq!((&one["estimator"]["kernel"], &one["estimator"]["gamma"]), (&"linear".into(), &serde_json::Value::Null));
    let twice =
        folder.run(&format!("{line} --drop patient --folds 3 --repeats 2 --costs 1 --fraction 0.5 --gamma 0.3")).json();
    assert_eq!(twice["methods"][0]["folds"].as_array().unwrap().len(), 6);
    assert_eq!(twice["methods"][0]["folds"][0]["svm"]["gamma"], 0.3);
    let shuffled = folder.run(&format!("{line} --drop patient --permute-labels {QUICK}")).json();
    assert_eq!(shuffled["permuted_labels"], true);
}

#[test]
fn invalid_arguments_are_rejected() {
    let folder = Folder::new();
    folder.run("generate waveform --samples 60 --seed 2 --output t.csv").ok();
    let refused = |more: &str, words: &[&str]| folder.run(&format!("evaluate t.csv -t class {more}")).refused(words);
    refused("--methods anovva", &["no method 'anovva'", "anova"]);
    refused("--methods anova,anova", &["'anova' is named twice"]);
    refused("--methods anova --folds 1", &["1 folds are not allowed"]);
    refused("--methods anova --folds 100", &["100 folds of 60 rows"]);
    refused("--methods anova --inner 1", &["1 folds are not allowed"]);
    refused("--methods anova --costs 0", &["C = 0", "from 1e-6 to 1e6"]);
    refused("--methods anova --set alpha=1", &["METHOD:NAME=VALUE"]);
    refused("--methods anova --set ldr-tsk:alpha=1", &["ldr-tsk is not among the methods"]);
    refused("--methods ldr-tsk --set ldr-tsk:alpha=-1", &["alpha"]);
    refused("--methods anova --groups nobody", &["no column 'nobody'"]);
    refused("--methods anova --kernel linear --gamma 3", &["--gamma", "does not apply to the linear kernel"]);
    folder.write("g.csv", "a,g,t\n1,p,x\n2,,y\n3,q,x\n4,q,y\n");
    folder.run("evaluate g.csv -t t --groups g --methods anova").refused(&["'g' is missing in data row 2", "group"]);
    folder.run("generate friedman --samples 60 --seed 1 --output f.csv").ok();
    let numbers = "evaluate f.csv -t y --task regression --methods";
    folder.run(&format!("{numbers} erfs")).refused(&["erfs needs classes", "relieff", "--bins"]);
    folder.run(&format!("{numbers} ldr-tsk-inductive --estimator svm")).refused(&["need classes", "knn or tsk"]);
    refused("--methods anova --estimator knn --costs 1", &["--costs", "does not apply to the estimator knn"]);
    refused("--methods anova --neighbours 3", &["--neighbours", "does not apply to the estimator svm"]);
    refused("--methods anova --estimator knn --neighbours 0", &["0 neighbours are not allowed"]);
    refused("--methods anova --top 3 --costs 1 --inner 3", &["--inner", "nothing to choose"]);
    refused("--methods anova --protocol paper --costs 1,10", &["one cost"]);
    refused("--methods anova --protocol paper --curve", &["--protocol nested"]);
    refused("--methods anova --grid ldr-tsk:alpha=1", &["ldr-tsk is not among the methods"]);
    refused("--methods ldr-tsk --grid ldr-tsk:alpha=1,much", &["alpha = much", "a number from"]);
    refused("--methods ldr-tsk --grid alpha=1", &["METHOD:NAME=VALUE,VALUE,..."]);
    refused("--methods anova --subsample 1", &["from 2 to"]);
    refused("--methods anova --resume", &["--resume needs --records FILE"]);
    refused("--methods anova --output ./r --records r", &["is the input itself"]);
    let misused = |more: &str, words: &[&str]| {
        folder.run(&format!("evaluate t.csv -t class --methods anova {more}")).misused(words);
    };
    misused("--gamma wide", &["--gamma", "'wide' is not a valid gamma", "scale, auto"]);
    misused("--kernel poly", &["--kernel", "linear, rbf"]);
    misused("--estimator oracle", &["--estimator", "svm, knn, tsk, htsk"]);
    misused("--protocol fair", &["--protocol", "nested, paper, paper-per-fold"]);
    misused("--size huge", &["--size", "'huge' is not a size", "one-se, best, elbow"]);
    misused("--time-budget 0", &["--time-budget", "above 0"]);
    misused("--split date", &["time=COLUMN"]);
    misused("--split time=x --groups y", &["cannot be used with"]);
    misused("--window 2", &["required arguments"]);
    misused("--estimator-rows many", &["a whole number, or all"]);
    refused("--methods anova --estimator-rows 3", &["at least 10"]);
    folder.run("evaluate t.csv -t class --methods anova --points 0").misused(&["at least 1"]);
    folder.run("evaluate t.csv -t class --methods anova --repeats 0").misused(&["at least 1"]);
    let one_by_one = "--methods ldr-tsk-inductive --curve --leave-one-out";
    folder.run(&format!("evaluate f.csv -t y --task regression {one_by_one}")).refused(&["R2 of a single one"]);
    refused("--methods anova --records t.csv", &["is the input itself"]);
}

#[test]
fn the_papers_protocols_are_named_with_their_grid() {
    let folder = Folder::new();
    folder.run("generate waveform --samples 90 --seed 2 --output t.csv").ok();
    let line = "evaluate t.csv -t class --methods ldr-tsk,anova --set ldr-tsk:iterations=5 --folds 3 --protocol";
    let text = folder.run(&format!("{line} paper --points 5")).ok();
    assert_contains(&text, &["protocol paper: 3 folds, rbf SVM, C of 1", "13.0 +- 0.0"]);
    let record = folder.run(&format!("{line} paper --json")).json();
    let grid = record["methods"][0]["grid"].as_array().unwrap();
    assert_eq!((grid.len(), &record["protocol"]), (125, &"paper".into()));
    let best = grid.iter().map(|point| point["accuracy"]["mean"].as_f64().unwrap()).fold(0.0, f64::max);
    assert_eq!(record["methods"][0]["accuracy"]["mean"], best);
    assert_contains(&record["warnings"].to_string(), &["protocol paper", "best mean score on the test rows"]);
    let per_fold = folder.run(&format!("{line} paper-per-fold --json")).json();
    assert!(per_fold["methods"][0]["accuracy"]["mean"].as_f64().unwrap() >= best);
    let own = folder.run(&format!("{line} paper --grid ldr-tsk:alpha=1,2,3 --set ldr-tsk:beta=1 --json")).json();
    assert_eq!(own["methods"][0]["grid"].as_array().unwrap().len(), 15);
    assert_eq!(own["methods"][0]["folds"][0]["params"]["beta"], 1.0);
}

#[test]
fn defaults_fit_the_task() {
    let folder = Folder::new();
    let names = |record: &serde_json::Value| {
        let methods = record["methods"].as_array().unwrap().iter();
        methods.map(|method| method["method"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let classes = folder.run("evaluate builtin:penguins --missing median --folds 3 --costs 1 --top 3 --json").json();
    assert_eq!(names(&classes), ["sieve", "anova", "mutual-info", "mrmr"]);
    let anova = &classes["methods"][1];
    for score in ["roc_auc", "average_precision"] {
        assert!(anova[score]["mean"].as_f64().unwrap() > 0.95 && anova["folds"][0][score].is_number(), "{score}");
        assert!(classes["baselines"]["majority"][score]["mean"].as_f64().unwrap() < 0.55);
    }
    folder.run("generate friedman --samples 100 --seed 2 --output f.csv").ok();
    let numbers = folder.run("evaluate f.csv -t y --task regression --top 5 --folds 3 --json").json();
    assert!(names(&numbers).contains(&"sieve".to_owned()) && numbers["score"] == "r2", "{:?}", names(&numbers));
    let text = folder.run("evaluate builtin:penguins --missing median --methods anova --top 3 --folds 3").ok();
    assert_contains(&text, &["ROC AUC", "precision"]);
}

#[test]
fn rows_are_split_in_the_order_of_time_and_sampled() {
    let folder = Folder::new();
    let rows: String = (0..90)
        .map(|row| {
            format!("20{:02}-0{}-11,{},{},{}\n", 10 + row / 9, 1 + row % 9, row % 7, row * 5 % 11, ["x", "y"][row % 2])
        })
        .collect();
    folder.write("t.csv", format!("day,a,b,t\n{rows}"));
    let line = "evaluate t.csv -t t --methods anova --top 1 --costs 1 --split time=day --json";
    let record = folder.run(&format!("{line} --window 2")).json();
    assert_eq!((&record["features"], record["methods"][0]["folds"].as_array().unwrap().len()), (&2.into(), 5));
    assert_eq!(record["splits"], "5 folds in the order of time, trained on the 2 blocks before");
    let fold = &record["methods"][0]["folds"][4];
    assert_eq!((&fold["train_rows"], &fold["test"][0]), (&30.into(), &75.into()));
    let sampled = folder.run(&format!("{line} --estimator-rows 12")).json();
    assert_eq!(sampled["estimator_rows"], 12);
    folder.write("late.csv", "day,a,t\n2020-01-01,1,x\nsoon,2,y\n");
    folder.refuses("evaluate late.csv -t t --methods anova --split time=day", &["data row 2", "soon", "2026-03-14"]);
}

#[test]
fn regression_curves_and_other_estimators_are_shown() {
    let folder = Folder::new();
    folder.run("generate friedman --samples 120 --seed 2 --output f.csv").ok();
    let quick = "--set ldr-tsk-inductive:steps=40 --set ldr-tsk-inductive:starts=1 --points 1 --folds 3 --inner 2";
    let line = format!("evaluate f.csv -t y --task regression --methods ldr-tsk-inductive {quick} --curve");
    let text = folder.run(&line).ok();
    assert_contains(&text, &["numeric target y", "nearest neighbours", "R2", "RMSE", "mean", "one-se size", "area"]);
    let record = folder.run(&format!("{line} --estimator tsk --json")).json();
    assert!(record["methods"][0]["folds"][0]["tsk"]["rules"].as_u64().unwrap() > 0);
    assert!(record["baselines"]["mean"]["rmse"]["mean"].as_f64().unwrap() > 1.0);
    folder.run("generate waveform --samples 90 --seed 2 --output t.csv").ok();
    let knn =
        "evaluate t.csv -t class --methods anova --estimator knn --neighbours 3,9 --folds 3 --subsample 8 --top 5";
    assert_contains(&folder.run(knn).ok(), &["nearest neighbours, K of 3, 9", "log-loss"]);
    let record = folder.run(&format!("{knn} --json")).json();
    assert_eq!(record["methods"][0]["stability"]["over"], "8 subsamples of half the rows");
}
