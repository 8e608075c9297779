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

#[test]
fn samples_keep_the_types_of_typed_formats() {
    let folder = Folder::new();
    let row = |row: usize| {
        format!("2024-{:02}-{:02}T{:02}:30:00,{},{}\n", row % 12 + 1, row % 27 + 1, row % 24, row * 7 % 31, row % 2)
    };
    folder.write("t.csv", String::from("when,x,t\n") + &(0..100).map(row).collect::<String>());
    folder.write(
        "t.jsonl",
        (0..100)
            .map(|at| {
                let line = row(at);
                let cells: Vec<&str> = line.trim().split(',').collect();
                format!("{{\"when\": \"{}\", \"x\": {}, \"t\": {}}}\n", cells[0], cells[1], cells[2])
            })
            .collect::<String>(),
    );
    folder.run_with("apply - t.jsonl --output t.parquet", b"when\nx\nt\n").ok();
    let ranking =
        |options: &str| folder.run(&format!("select {options} -t t -m anova --json")).json()["ranking"].clone();
    for file in ["t.csv", "t.jsonl", "t.parquet"] {
        let (sampled, all) = (ranking(&format!("{file} --sample 60")), ranking(file));
        assert!(sampled.to_string().contains("when.month"), "{file}: {sampled}");
        assert_eq!(ranking(&format!("{file} --sample 100")), all, "{file}");
    }
}

#[test]
fn samples_are_decoded_and_read_once() {
    let folder = Folder::new();
    // Without quotes, the first cells would look like comments.
    let row = |row: usize| format!("\"%u{}\";grün{};{}\n% comment\n", row % 7, row % 3, row % 2);
    let text = String::from("x;kind;t\n") + &(0..60).map(row).collect::<String>();
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    folder.write("t.csv", latin);
    let options = "-t t -m anova --encoding windows-1252 --comment %";
    let record = folder.run(&format!("select t.csv {options} --sample 60 --json")).json();
    assert_eq!(record["data"]["samples"], 60, "no row is a comment");
    assert_eq!(record["ranking"], folder.run(&format!("select t.csv {options} --json")).json()["ranking"]);
    let text = record["warnings"].to_string();
    assert_eq!(text.matches("separated by").count(), 1, "{text}");
    let train = "train t.csv --top 2 --no-held-out --rule-param steps=9 --model m.json --sample 60";
    folder.run(&format!("{train} {options}")).ok();
    assert_contains(&folder.read("m.json"), &["gr\u{fc}n1", "\"encoding\":"]);
    folder
        .run("select t.csv -t kind --sample 2 --comment % --encoding latin1")
        .refused(&["t.csv (--sample 2)", "class"]);
}
