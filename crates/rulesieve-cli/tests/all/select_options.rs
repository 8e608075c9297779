//! `select`: invalid options, and options that end a fit.

use crate::common::{Folder, SMALL, assert_contains};

fn small(options: &str) -> crate::common::Run {
    Folder::with(SMALL).run(&format!("select t.csv --target t {options}"))
}

#[test]
fn impossible_sizes_and_seeds() {
    small("--top 0").refused(&["cannot select 0 features", "at least 1"]);
    for share in ["0", "1.5", "NaN", "-0.5", "inf"] {
        small(&format!("--fraction {share}")).refused(&["a fraction of", "above 0 and at most 1"]);
    }
    for top in ["-1", "2.5", "many"] {
        small(&format!("--top {top}")).misused(&[top, "--top", "a whole number, at least 1"]);
    }
    small("--seed -1").misused(&["'-1'", "a whole number from 0 to 18446744073709551615"]);
    small("--top 2 --fraction 0.5").misused(&["--top", "--fraction", "cannot be used with"]);
}

#[test]
fn errors_of_unknown_parameters_and_methods_list_the_known_ones() {
    small("-m ldr-tsk --set alpah=1").refused(&["ldr-tsk has no parameter 'alpah'", "alpha, beta, gamma, d, rules"]);
    small("-m anova --set alpha=1").refused(&["anova has no parameter 'alpha'", "it has none"]);
    small("--set alpha").refused(&["--set takes name=value, not 'alpha'", "rulesieve methods"]);
    small("-m anvoa").refused(&[
        "no method 'anvoa'",
        "did you mean 'anova'?",
        "ldr-tsk-inductive, ldr-tsk, erfs, fsor",
    ]);
    small("-m qqq").refused(&["no method 'qqq'; there are: sieve, ldr-tsk-inductive, ldr-tsk"]);
}

#[test]
fn bad_values_name_parameter_value_and_range() {
    for name in ["alpha", "beta", "gamma"] {
        for value in ["0", "-1", "NaN", "inf", "1e300", "x", ""] {
            let run = small(&format!("-m ldr-tsk --set {name}={value}"));
            run.refused(&[&format!("{name} = {value} is not allowed"), "a number from 0.000001 to 1000000"]);
        }
    }
    small("-m ldr-tsk --set rate_x=0").refused(&["rate_x = 0", "a number from 0.000000001 to 1"]);
    small("-m ldr-tsk --set iterations=0").refused(&["iterations = 0", "a whole number from 1 to 1000000"]);
    small("-m ldr-tsk --set rules=0").refused(&["rules = 0", "from 1 to 1024"]);
    small("-m ldr-tsk --set d=-1").refused(&["d = -1", "a whole number from 1"]);
    small("-m ldr-tsk --set d=7").refused(&["t.csv", "d = 7", "at most the number of columns, 6"]);
    small("-m ldr-tsk --set rules=13").refused(&["rules = 13", "at most the number of samples, 12"]);
    small("-m ldr-tsk --set targets=words").refused(&["targets = words", "class-numbers, one-hot"]);
    small("-m ldr-tsk --set d=1 --set d=2").refused(&["parameter d is set twice"]);
}

#[test]
fn strict_fails_without_convergence_after_printing() {
    let run = small("-m ldr-tsk --set iterations=3 --fraction 0.333 --strict");
    assert_eq!(run.code, 1);
    assert_contains(&run.out, &["selected 1 of 4 features"]);
    assert_contains(&run.err, &["warning: not converged", "after 3 iterations"]);
    assert_eq!(small("-m ldr-tsk --set iterations=3").code, 0);
    assert_eq!(small("-m ldr-tsk --set tolerance=1 --set window=1 --strict").code, 0);
    assert_eq!(small("-m anova --strict").code, 0);
}

#[test]
fn a_time_budget_ends_the_fit_and_marks_the_ranking() {
    let line = "select builtin:xor --method ldr-tsk --set iterations=1000000 --set tolerance=0 --time-budget 0.2";
    let folder = Folder::new();
    let began = std::time::Instant::now();
    let run = folder.run(line);
    assert!(began.elapsed().as_secs() < 20);
    assert_eq!(run.code, 0);
    assert_contains(&run.out, &["selected 6 of 20", "out of time: this is the ranking of an unfinished fit"]);
    assert_contains(&run.err, &["warning: out of time: the ranking is that of iteration"]);
    let record = folder.run(&format!("{line} --json")).json();
    assert_eq!(record["converged"], false);
    assert_contains(&record["warnings"].to_string(), &["out of time"]);
    assert_eq!(folder.run(&format!("{line} --strict")).code, 1);
    for budget in ["0", "-1", "NaN", "inf", "1e300"] {
        small(&format!("--time-budget {budget}")).misused(&["--time-budget", "above 0 and at most 1000000000"]);
    }
}

#[test]
fn an_impossible_destination_is_refused_before_the_fit() {
    let folder = Folder::with(SMALL);
    // A fit that would take hours.
    let long = "select t.csv -t t --method ldr-tsk --set iterations=1000000 --set tolerance=0 --output";
    folder.run(&format!("{long} nowhere/s.json")).refused(&["nowhere/s.json", "no folder nowhere"]);
    std::fs::create_dir(folder.path("folder")).unwrap();
    folder.run(&format!("{long} folder")).refused(&["folder", "directory"]);
}

#[test]
fn an_existing_record_stays_when_the_run_fails() {
    let folder = Folder::with(SMALL);
    folder.write("s.json", "mine");
    folder.run("select t.csv -t nothing --output s.json").refused(&["no column 'nothing'"]);
    assert_eq!((folder.read("s.json").as_str(), folder.files().len()), ("mine", 2));
}

#[test]
fn missing_values_follow_the_policy() {
    let folder = Folder::with(SMALL.replacen("0.9,1.25", ",1.25", 1));
    folder.refuses("select t.csv -t t --missing error", &["t.csv", "'noise'", "row 2", "1 missing", "--missing fill"]);
    let samples = |policy: &str| {
        let record = folder.run(&format!("select t.csv -t t -m anova --json --missing {policy}")).json();
        record["data"]["samples"].as_u64().unwrap()
    };
    assert_eq!((samples("fill"), samples("median"), samples("drop-rows")), (12, 12, 11));
    folder.run("select t.csv -t t --missing mean").misused(&["mean", "--missing"]);
}

#[test]
fn options_without_effect_are_rejected() {
    let folder = Folder::with(SMALL);
    folder.refuses("select builtin:penguins --max-rows 3", &["--max-rows applies only to files", "builtin:penguins"]);
    folder.run("select t.csv -t t --features-variable X").refused(&["--features-variable", "format csv"]);
    folder.run("select t.csv --input-format arff --header no -t t").refused(&["--header", "format arff"]);
}

#[test]
fn the_input_is_never_replaced() {
    let folder = Folder::with(SMALL);
    folder.run("select t.csv -t t -m anova --output ./t.csv").refused(&["is the input itself"]);
    assert_eq!(folder.read("t.csv"), SMALL);
    folder.run("select t.csv -t t -m anova --output s.json").ok();
    folder.run("apply s.json t.csv --output t.csv").refused(&["is the input itself"]);
    assert_eq!(folder.read("t.csv"), SMALL);
}

#[test]
fn standard_input_may_be_arff() {
    let arff = b"% a comment\n@RELATION r\n@ATTRIBUTE a NUMERIC\n@ATTRIBUTE t {x,y}\n@DATA\n1,x\n2,y\n1.5,x\n2.5,y\n";
    let record = Folder::new().run_with("select - -t t -m anova --json", arff).json();
    assert_eq!(record["selected"], serde_json::json!(["a"]));
}

#[test]
fn features_that_the_model_does_not_use_are_named() {
    let folder = Folder::new();
    // A sparsity weight so large that rows of Q are exactly zero.
    let command = "select builtin:double-circle --method ldr-tsk-inductive --fraction 0.333 --set beta=20 --set stages=1 --set starts=1";
    let record = folder.run(&format!("{command} --json")).json();
    let unused: Vec<&str> = record["unused"].as_array().unwrap().iter().filter_map(|name| name.as_str()).collect();
    assert_eq!(record["diagnostics"]["unused_features"].as_f64(), Some(unused.len() as f64));
    assert!(!unused.is_empty());
    for ranked in record["ranking"].as_array().unwrap() {
        let (name, score) = (ranked["feature"].as_str().unwrap(), ranked["score"].as_f64().unwrap());
        assert_eq!(unused.contains(&name), score == 0.0, "{ranked}");
    }
    assert_contains(&folder.run(command).ok(), &["not used"]);
}
