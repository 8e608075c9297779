//! Sizes chosen by cross-validation, tuning, regression, balanced classes.

use crate::common::{Folder, assert_contains};

/// Few steps: the tests check that options reach the fit, not its quality.
const QUICK: &str = "--method ldr-tsk-inductive --set steps=60 --set starts=1 --set stages=1";

#[test]
fn a_rule_chooses_the_size_and_prints_the_curve() {
    let folder = Folder::new();
    let record = folder.run(&format!("select builtin:penguins --missing median --size best --json {QUICK}")).json();
    let points = record["size"]["points"].as_array().unwrap();
    let sizes: Vec<u64> = points.iter().map(|point| point["features"].as_u64().unwrap()).collect();
    assert_eq!((sizes, &record["size"]["rule"]), (vec![1, 2, 3, 5, 7], &"best".into()));
    let score = |at: usize| points[at]["score"].as_f64().unwrap();
    let best = (0..5).rev().max_by(|&a, &b| score(a).total_cmp(&score(b))).unwrap();
    assert_eq!(record["selected"].as_array().unwrap().len() as u64, points[best]["features"].as_u64().unwrap());
    assert!(score(best) > 0.9, "{}", score(best));
    let text = folder.run(&format!("select builtin:penguins --missing median --size one-se {QUICK}")).ok();
    assert_contains(&text, &["cross-validated score, 5 folds, size by one-se", "standard error"]);
    folder.run("select builtin:penguins --size huge").misused(&["'huge' is not a size", "one-se, best, elbow"]);
    folder.run("select builtin:penguins --size best --top 2").misused(&["--size", "--top"]);
}

#[test]
fn tuning_prints_the_grid_and_records_the_choice() {
    let folder = Folder::new();
    let run = folder.run(&format!("select builtin:penguins --missing median --top 2 --tune --json {QUICK}"));
    let record = run.json();
    assert!([0.1, 0.25, 0.5, 1.0].contains(&record["params"]["beta"].as_f64().unwrap()));
    let warnings = record["warnings"].to_string();
    assert_contains(&warnings, &["validation loss (used to choose beta)", "at 0.1", "at 0.25", "at 0.5", "at 1"]);
    folder.refuses(
        "select builtin:penguins --missing median -m anova --tune --top 2",
        &["anova has no tunable parameter"],
    );
    folder.refuses(
        "select builtin:penguins --missing median -m ldr-tsk-inductive --tune --set beta=0.3",
        &["--tune chooses beta", "--set beta gives it"],
    );
}

#[test]
fn regression_requires_a_method_that_supports_it() {
    let folder = Folder::new();
    folder.run("generate friedman --samples 1000 --features 8 --seed 1 --output f.csv").ok();
    folder.refuses(
        "select f.csv --target y --task regression -m erfs",
        &["erfs needs classes", "anova", "--task classification"],
    );
    folder.refuses(
        "select f.csv --target y --task regression --balance",
        &["weights = balanced", "a regression target has no classes"],
    );
    folder.run("select f.csv --target y --task regression --bins 2").refused(&["--bins", "--task regression"]);
    let record = folder.run("select f.csv --target y --top 5 --json").json();
    assert_eq!((&record["data"]["task"], &record["data"]["classes"]), (&"regression".into(), &0.into()));
    let mut selected: Vec<&str> = record["selected"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
    selected.sort_unstable();
    assert_eq!(selected, ["x1", "x2", "x3", "x4", "x5"], "the five columns of Friedman's function");
    folder.run("train f.csv --target y --top 5 --model m.json").ok();
    let scores = folder.run("predict m.json f.csv --evaluate --output p.csv").ok();
    assert_contains(&scores, &["RMSE", "R squared"]);
}

#[test]
fn balancing_changes_the_fit() {
    let folder = Folder::new();
    let rows = |flag: &str| {
        let line = format!("select builtin:penguins --missing median --json {QUICK} {flag}");
        folder.run(&line).json()
    };
    let (equal, balanced) = (rows(""), rows("--balance"));
    assert_eq!((&equal["params"]["weights"], &balanced["params"]["weights"]), (&"equal".into(), &"balanced".into()));
    assert_ne!(equal["ranking"], balanced["ranking"]);
    folder.refuses(
        "select builtin:penguins --missing median -m anova --balance",
        &["anova does not support class weights"],
    );
    let network = |flag: &str| {
        folder
            .run(&format!(
                "train builtin:penguins --missing median {QUICK} {flag} --rule-param steps=30 --model m.json"
            ))
            .ok();
        serde_json::from_str::<serde_json::Value>(&folder.read("m.json")).unwrap()["network"].clone()
    };
    let balanced = network("--balance");
    assert_eq!(network("--set weights=balanced"), balanced, "equal to --balance");
    assert_ne!(network(""), balanced);
}

#[test]
fn a_native_size_is_that_of_the_method() {
    let folder = Folder::new();
    folder.run("generate waveform --samples 90 --seed 2 --output t.csv").ok();
    let line = "select t.csv -t class --size native --json --method";
    let found = folder.run(&format!("{line} mcfs --set s=7 --set starts=1")).json();
    assert_eq!(found["selected"].as_array().unwrap().len(), 7, "as many as its projection has rows");
    let wide = |zeta: &str| {
        let found = folder.run(&format!("{line} dg-tsk --set iterations=20 --set zeta={zeta}")).json();
        found["selected"].as_array().unwrap().len()
    };
    assert!(wide("0.05") < wide("0.9"), "a lower threshold keeps more");
    folder.run(&format!("{line} anova")).refused(&["anova has no rule of its own", "--top"]);
    let both = "evaluate t.csv -t class --methods mcfs,anova --set mcfs:s=7 --set mcfs:starts=1 --folds 3 --costs 1 --points 1";
    let evaluated = folder.run(&format!("{both} --size native --json")).json();
    let kept = |method: usize| evaluated["methods"][method]["features"]["mean"].as_f64().unwrap();
    assert_eq!((kept(0), kept(1)), (7.0, 13.0), "a third for a method without a rule");
    assert_eq!(evaluated["size"], "as the method's own rule keeps");
    folder.run(&format!("{both} --size native --curve")).refused(&["leave out the curve"]);
}

#[test]
fn sizes_have_the_same_meaning_in_all_commands() {
    let folder = Folder::new();
    folder.run("generate waveform --samples 120 --seed 2 --output t.csv").ok();
    let kept = |line: &str| folder.run(&format!("{line} --json")).json();
    let select = |size: &str| kept(&format!("select t.csv -t class -m anova {size}"))["selected"].clone();
    assert_eq!(select("--size 4"), select("--top 4"));
    assert_eq!(select("--size 1/4"), select("--fraction 0.25"));
    assert_eq!(select("--size auto"), select("--size one-se"));
    let features = |size: &str| {
        let line = "evaluate t.csv -t class --methods anova --folds 3 --costs 1";
        kept(&format!("{line} {size}"))["methods"][0]["features"]["mean"].as_f64().unwrap()
    };
    assert_eq!((features("--size 4"), features("--top 4")), (4.0, 4.0));
    assert_eq!((features("--size 1/4"), features("--fraction 0.25")), (10.0, 10.0));
    assert!(features("--size one-se") <= features("--size best"));
    let model = "train t.csv -t class -m anova --no-held-out --rule-param steps=20 --rule-param rules=2 --model m.json";
    assert_eq!(kept(&format!("{model} --size 1/4"))["selected"].as_array().unwrap().len(), 10);
}
