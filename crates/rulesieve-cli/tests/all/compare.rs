//! `compare`: statistical tests on a table of scores.

use crate::common::{Folder, assert_contains};

const PAPER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../rulesieve-reproduce/data/paper/accuracy.csv");

#[test]
fn the_papers_table_gives_the_papers_statistics() {
    let folder = Folder::new();
    let text = folder.run(&format!("compare {PAPER} --control Ours")).ok();
    assert_contains(
        &text,
        &["chi2 72.4048", "F 34.5799", "critical 2.1888", "q 2.638", "critical difference 1.8996", "1.4167"],
    );
    assert_contains(&text, &["from Ours: DG-ALETSK, DG-TSK, FRSE-TSK, MCFS differ"]);
    let json = folder.run(&format!("compare {PAPER} --control Ours --json")).json();
    assert_eq!(json["schema"], "rulesieve/comparison/1");
    assert_eq!((json["friedman"]["chi2"].as_f64().unwrap() * 1e4).round(), 724_048.0);
    assert_eq!(json["bonferroni_dunn"]["control"], "Ours");
    assert_eq!(json["bonferroni_dunn"]["different"].as_array().unwrap().len(), 4);
    assert_eq!(json["wilcoxon_holm"].as_array().unwrap().len(), 6);
    assert!(json["average_ranks"]["FSOR"].as_f64().unwrap() < 3.0);
}

#[test]
fn options_are_passed_to_the_statistical_tests() {
    let folder = Folder::with("data,a,b,c\ns,1,2,3\nt,1,2,3\nu,2,1,3\n");
    assert_eq!(folder.run("compare t.csv --json").json()["methods"][0], "c");
    let turned = folder.run("compare t.csv --lower-is-better --json").json();
    assert_eq!((&turned["methods"][0], &turned["bonferroni_dunn"]["control"]), (&"a".into(), &"a".into()));
    let critical = |alpha: &str| {
        folder.run(&format!("compare t.csv --alpha {alpha} --json")).json()["friedman"]["critical"].as_f64().unwrap()
    };
    assert!(critical("0.1") < critical("0.05"));
    assert_contains(&folder.run("compare t.csv --control b").ok(), &["3 methods on 3 data sets", "control"]);
    assert_eq!(turned["control_chosen"], true);
    assert_contains(&folder.run("compare t.csv").ok(), &["c was chosen as control", "name a control beforehand"]);
    assert!(!folder.run("compare t.csv --control c").ok().contains("was chosen"));
    folder.write("n.csv", "year,a,b\n2001,1,2\n2002,2,3\n");
    let numbered = folder.run("compare n.csv --json").json();
    assert_eq!(numbered["methods"].as_array().unwrap().len(), 2, "the first column names the data sets");
}

#[test]
fn invalid_tables_are_rejected() {
    let folder = Folder::with("data,a,b\ns,1,2\nt,,3\n");
    folder.run("compare t.csv").refused(&["t.csv", "score of a on data set 't'"]);
    folder.write("w.csv", "data,a,b\ns,1,2\nt,good,3\n");
    folder.run("compare w.csv").refused(&["w.csv", "a on data set 't' is 'good', not a number"]);
    folder.write("one.csv", "data,a,b\ns,1,2\n");
    folder.run("compare one.csv").refused(&["one.csv", "1 data sets: comparing needs at least 2"]);
    folder.write("ok.csv", "data,a,b\ns,1,2\nt,2,3\n");
    folder.run("compare ok.csv --control x").refused(&["no method 'x'", "there are a, b"]);
    folder.run("compare ok.csv --alpha 0").refused(&["alpha 0 is not allowed", "from 0.000001 to below 0.5"]);
    folder.run("compare none.csv").refused(&["none.csv"]);
}
