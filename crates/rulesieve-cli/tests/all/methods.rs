//! `methods`: the list of methods and their parameters.

use crate::common::{Folder, assert_contains};

#[test]
fn all_are_listed() {
    let text = Folder::new().run("methods").ok();
    let heads: Vec<&str> = text.lines().filter(|line| line.ends_with(']')).collect();
    let names: Vec<&str> = heads.iter().filter_map(|line| line.split_whitespace().next()).collect();
    let every: Vec<&str> = rulesieve::methods::Method::ALL.iter().map(|method| method.info().name).collect();
    assert_eq!(names, every);
    assert_contains(
        &text,
        &[
            "ldr-tsk  [article]",
            "ldr-tsk-inductive  [own]",
            "source: ",
            "tasks: classification, regression\n",
            "cost: O(",
            "parameters: alpha, beta",
        ],
    );
}

#[test]
fn one_shows_source_cost_and_every_parameter() {
    let folder = Folder::new();
    let text = folder.run("methods ldr-tsk").ok();
    assert_contains(&text, &["10.1109/TFUZZ.2025.3608935", "cost", "certainty", "parameter"]);
    for name in ["alpha", "beta", "gamma", "d", "rules", "targets", "iterations", "tolerance", "window", "inner"] {
        assert!(text.lines().any(|line| line.split_whitespace().next() == Some(name)), "{name}: {text}");
    }
    assert_contains(
        &text,
        &["Grid of evaluate and reproduce: alpha 0.01, 0.1, 1, 10, 100; beta 0.01, 0.1, 1, 10, 100; gamma 0.01,"],
    );
    assert_contains(&folder.run("methods dg-tsk").ok(), &["It has no grid: evaluate uses its defaults"]);
    assert_contains(&folder.run("methods anova").ok(), &["It has no parameters."]);
    assert_eq!(folder.run("methods anova --format csv").ok(), "parameter,default,allowed,purpose\n");
    assert_contains(
        &folder.run("methods --rule-params").ok(),
        &["rulesieve train", "parameter", "rules", "holdout", "starts"],
    );
    folder.run("methods anvoa").refused(&["'anvoa'", "did you mean 'anova'?"]);
}

#[test]
fn listed_parameters_are_accepted_by_set() {
    let folder = Folder::with(crate::common::SMALL);
    let found = folder.run("methods ldr-tsk --json").json();
    let method = &found["methods"][0];
    assert_eq!((&found["schema"], &method["name"]), (&"rulesieve/methods/1".into(), &"ldr-tsk".into()));
    let params = method["params"].as_array().unwrap();
    assert_eq!(params.len(), 16);
    assert_eq!((method["grid"].as_object().unwrap().len(), &method["grid"]["beta"][4]), (3, &100.0.into()));
    let mut line = String::from("select t.csv -t t --method ldr-tsk --json");
    for param in params.iter().filter(|param| param["name"] != "iterations") {
        let default = param["default"].as_str().map_or_else(|| param["default"].to_string(), str::to_owned);
        line += &format!(" --set {}={default}", param["name"].as_str().unwrap());
        assert!(!param["purpose"].as_str().unwrap().is_empty() && !param["allowed"].as_str().unwrap().is_empty());
    }
    let ranking = |line: &str| folder.run(&format!("{line} --set iterations=5")).json()["ranking"].clone();
    assert_eq!(
        ranking(&line),
        ranking("select t.csv -t t --method ldr-tsk --json"),
        "explicit defaults change nothing"
    );
    assert_eq!(
        folder.run("methods --json").json()["methods"].as_array().unwrap().len(),
        rulesieve::methods::Method::ALL.len()
    );
}
