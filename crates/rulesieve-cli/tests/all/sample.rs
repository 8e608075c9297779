//! `--sample`: a stratified sample of the rows.

use crate::common::{Folder, SMALL, assert_contains};

/// 9,000 rows of class x, 900 of y and 3 of z; `code` has texts from row 5,000 on.
fn table() -> String {
    let row = |row: usize| {
        let class = if row.is_multiple_of(11) { "y" } else { "x" };
        let class = if [700, 7000, 9800].contains(&row) { "z" } else { class };
        let code = if row < 5000 { row.to_string() } else { format!("k{}", row % 3) };
        format!("{},{}.50,{code},{class}\n", row * 7919 % 1009, row % 13)
    };
    String::from("a,b,code,t\n") + &(0..9900).map(row).collect::<String>()
}

#[test]
fn every_learning_command_takes_a_sample() {
    let folder = Folder::with(table());
    let text = "sample of 500 of 9900 rows";
    let select = "select t.csv -t t -m anova --sample 500";
    assert_contains(&folder.run(select).ok(), &[text]);
    let record = folder.run(&format!("{select} --json")).json();
    assert_eq!(record["data"]["samples"], 500);
    let warning = serde_json::json!({"kind": "sampled-rows", "message": "only a random sample of 500 of 9900 rows is used",
        "sample": 500, "rows": 9900});
    assert!(record["warnings"].as_array().unwrap().contains(&warning), "{}", record["warnings"]);
    let train = "train t.csv -t t -m anova --top 1 --sample 500 --model m.json --rule-param steps=9 --no-held-out";
    assert_contains(&folder.run(train).ok(), &[text]);
    let evaluate = "evaluate t.csv -t t --methods anova --top 1 --points 1 --costs 1 --folds 2 --sample 500";
    assert_contains(&folder.run(evaluate).ok(), &[text]);
    let check = folder.run("check t.csv -t t --sample 500");
    assert_contains(&check.out, &[text, "x  453", "y   45", "z    2"]);
}

#[test]
fn samples_depend_on_the_seed_and_on_nothing_else() {
    let folder = Folder::with(table());
    let ranking = |options: &str| {
        folder.run(&format!("select {options} -t t -m anova --sample 700 --json")).json()["ranking"].clone()
    };
    let one = ranking("t.csv");
    assert_eq!(ranking("t.csv --seed 0 --threads 1"), one);
    assert_ne!(ranking("t.csv --seed 1"), one);
    let piped = folder.run_with("select - -t t -m anova --sample 700 --json", table().as_bytes()).json();
    assert_eq!(piped["ranking"], one);
    let all = folder.run("select t.csv -t t -m anova --sample 20000 --json").json();
    assert_eq!(all["ranking"], folder.run("select t.csv -t t -m anova --json").json()["ranking"]);
    assert!(!all["warnings"].to_string().contains("sample"), "{}", all["warnings"]);
}

#[test]
fn samples_of_other_inputs() {
    let folder = Folder::with(SMALL);
    let columns = |line: &str| folder.run(line).ok().lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    let sampled = columns("check builtin:penguins --missing median --sample 100 --format csv");
    let whole = columns("check builtin:penguins --missing median --format csv");
    let kinds = |lines: &[String]| {
        lines.iter().map(|line| line.split(',').take(2).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
    };
    let sorted = |mut kinds: Vec<String>| {
        kinds.sort();
        kinds
    };
    assert_eq!(sorted(kinds(&sampled)), sorted(kinds(&whole)));
    folder.write("f.csv", "a,t\n1,x\n2,x\n3\n");
    folder.run("select f.csv -t t --sample 2").refused(&["f.csv, line 4"]);
    folder.run("select none.csv -t t --sample 2").refused(&["cannot read none.csv"]);
}
