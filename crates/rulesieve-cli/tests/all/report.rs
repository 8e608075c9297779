//! Reports and figures: their content, and that hostile names in a table are escaped.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::common::{Folder, SMALL, assert_contains, twice};

/// A name that would run as a script.
const EVIL: &str = "<script>document.title='x'</script>";

/// The small table with hostile names of columns, categories and classes.
fn hostile() -> String {
    let table = SMALL.replace("good", EVIL).replace("kind", "\"</svg>\"\"&\"").replace(",u,", ",<u>,");
    table.replace(",x\n", ",</title><b>\n")
}

/// Panics unless tags are balanced, there is one `h1`, and every figure is well-formed.
#[track_caller]
fn check_page(html: &str) {
    let empty = ["meta", "br", "!DOCTYPE", "hr"];
    let mut open: Vec<&str> = Vec::new();
    for tag in html.split('<').skip(1) {
        let inside = tag.split('>').next().unwrap();
        let name = inside.split([' ', '/']).find(|part| !part.is_empty()).unwrap();
        if inside.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "</{name}>");
        } else if !inside.ends_with('/') && !empty.contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert_eq!(html.matches("<h1").count(), 1);
    assert!(!html.contains("<script") && !html.contains("NaN") && !html.contains("<b>"), "{html}");
    let address = |part: &str| part.starts_with("http://www.w3.org/2000/svg") || !part.starts_with("http");
    assert!(html.split('"').all(address), "an external address");
    let pictures: Vec<&str> = html.match_indices("<svg").map(|(at, _)| at).map(|at| &html[at..]).collect();
    for picture in &pictures {
        let end = picture.find("</svg>").unwrap() + "</svg>".len();
        roxmltree::Document::parse(&picture[..end]).unwrap();
    }
    assert!(!pictures.is_empty());
}

#[test]
fn select_reports_the_ranking_and_the_command() {
    let folder = Folder::with(twice(SMALL));
    let run = folder.run("select t.csv --target t --method ldr-tsk --top 2 --report r.html --figures f");
    assert_contains(&run.err, &["report written to r.html", "figures and their data written to f"]);
    run.ok();
    let html = folder.read("r.html");
    check_page(&html);
    let command = "rulesieve select t.csv --target t --method ldr-tsk --top 2 --report r.html --figures f";
    assert_contains(&html, &["good", "weak", "Ranking", "Convergence", "Correlations", command]);
    let files: Vec<String> = std::fs::read_dir(folder.path("f"))
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    let mut stems: Vec<&str> = files.iter().filter_map(|file| file.strip_suffix(".svg")).collect();
    stems.sort_unstable();
    assert_eq!(stems, ["convergence", "correlation", "distributions", "scores"]);
    for stem in stems {
        roxmltree::Document::parse(&folder.read(&format!("f/{stem}.svg"))).unwrap();
        assert!(folder.read(&format!("f/{stem}.csv")).lines().count() > 1, "{stem}");
    }
    assert_contains(&folder.read("f/scores.csv"), &["name,value,error,highlighted", "good,"]);
}

#[test]
fn figures_are_reproducible() {
    let folder = Folder::with(twice(SMALL));
    let arguments = "select t.csv --target t --method anova --figures f";
    folder.run(arguments).ok();
    let first = folder.read("f/distributions.svg");
    folder.run(&format!("{arguments} --threads 1")).ok();
    assert_eq!(folder.read("f/distributions.svg"), first);
}

#[test]
fn a_size_rule_shows_its_curve() {
    let folder = Folder::with(twice(SMALL));
    folder.run("select t.csv --target t --method anova --size best --report r.html").ok();
    let html = folder.read("r.html");
    check_page(&html);
    assert_contains(&html, &["Number of columns", "The rule best chose"]);
}

#[test]
fn hostile_names_are_escaped_everywhere() {
    let folder = Folder::with(twice(&hostile()));
    folder.run("train t.csv --target t --top 3 --rule-param steps=60 --model m.json --report r.html --figures f").ok();
    let html = folder.read("r.html");
    check_page(&html);
    assert_contains(
        &html,
        &["&lt;script&gt;document.title", "&lt;/title&gt;", "Rules", "One row explained", "Confusion matrix"],
    );
    folder.run("evaluate t.csv --target t --methods anova,variance --folds 3 --report e.html").ok();
    check_page(&folder.read("e.html"));
}

#[test]
fn evaluate_reports_comparison_stability_and_frequencies() {
    let folder = Folder::with(twice(SMALL));
    folder.run("evaluate t.csv --target t --methods anova,variance --folds 4 --curve --report e.html --figures f").ok();
    let html = folder.read("e.html");
    check_page(&html);
    let parts =
        ["Comparison of methods", "Stability", "Selection frequencies", "Score by number of columns", "SHA-256"];
    assert_contains(&html, &parts);
    assert_contains(&html, &["most frequent class", "random features", "Confusion matrix"]);
    assert!(folder.path("f/stability.svg").is_file() && folder.path("f/curve.csv").is_file());
}

#[test]
fn numbers_and_missing_values() {
    let rows: String =
        (0..40).map(|at| format!("{},{},{}\n", at % 7, if at == 3 { "" } else { "1.5" }, at % 7 * 2)).collect();
    let folder = Folder::with(format!("a,b,y\n{rows}"));
    let arguments = "--target y --task regression --missing median";
    folder.run(&format!("train t.csv {arguments} --top 2 --rule-param steps=60 --model m.json --report r.html")).ok();
    let html = folder.read("r.html");
    check_page(&html);
    assert_contains(&html, &["Predicted against true values", "against the target", "a number from 0 to 12"]);
    assert!(!html.contains("columns by class"));
    folder.run("evaluate t.csv --target y --task regression --missing median --methods ldr-tsk-inductive --set ldr-tsk-inductive:steps=30 --points 1 --folds 3 --report e.html").ok();
    let html = folder.read("e.html");
    check_page(&html);
    assert!(!html.contains("Confusion matrix") && html.contains("R squared"));
}

#[test]
fn reports_of_streamed_files_describe_a_sample() {
    let folder = Folder::new();
    folder.run("generate xor --samples 6000 --features 6 --output t.csv").ok();
    let arguments = "t.csv --target class --stream --top 2";
    folder.run(&format!("select {arguments} --report s.html")).ok();
    let html = folder.read("s.html");
    check_page(&html);
    assert_contains(&html, &["6000 rows", "From a sample of 4096 of 6000 rows"]);
    folder.run(&format!("train {arguments} --rule-param steps=40 --model m.json --report r.html")).ok();
    let html = folder.read("r.html");
    check_page(&html);
    assert_contains(&html, &["the first row of the sample", "all 4096 rows of the sample"]);
}

#[test]
fn unwritable_destinations_are_rejected_before_the_fit() {
    let folder = Folder::with(SMALL);
    let select = "select missing.csv --target t";
    folder.run(&format!("{select} --report no/r.html")).refused(&["cannot write no/r.html", "there is no folder no"]);
    folder.run(&format!("{select} --report .")).refused(&["it is a directory"]);
    folder.run(&format!("{select} --figures no/f")).refused(&["no/f", "there is no folder no"]);
    folder.run(&format!("{select} --figures t.csv")).refused(&["it is a file; name a folder"]);
    folder.run("select t.csv --target t --report t.csv").refused(&["is the input itself"]);
    folder.run(&format!("{select} --report r --output ./r")).refused(&["both name r"]);
    folder.run("train missing.csv --target t --model m --report m").refused(&["both name m"]);
    folder.run("evaluate missing.csv --target t --report no/r.html").refused(&["there is no folder no"]);
    folder.run("demo --report no/r.html").refused(&["there is no folder no"]);
    assert_eq!(folder.run(&format!("{select} --figures f")).code, 2);
    assert_eq!(folder.files(), ["t.csv"], "nothing is left behind");
}

#[test]
fn demo_writes_a_complete_report() {
    let folder = Folder::new();
    let out = folder.run("demo --report story.html --figures f").ok();
    assert_contains(
        &out,
        &["Open story.html in a browser", "10 of 10 selected features are informative", "held-out accuracy"],
    );
    let html = folder.read("story.html");
    check_page(&html);
    let parts = [
        "Ranking",
        "Stability",
        "Score by number of columns",
        "Correlations",
        "Best columns by class",
        "Rules",
        "One row explained",
        "Confusion matrix",
        "Comparison of methods",
        "How to reproduce this",
    ];
    assert_contains(&html, &parts);
    assert_eq!(folder.files(), ["f", "rulesieve-demo", "story.html"]);
}

#[test]
fn figures_are_not_written_next_to_inputs_or_outputs() {
    let folder = Folder::new();
    folder.run("generate waveform --samples 60 --features 21 --output scores.csv").ok();
    let table = folder.read("scores.csv");
    let line = "select scores.csv --target class --method anova";
    folder.run(&format!("{line} --figures .")).refused(&["--figures .", "scores.csv is in this folder"]);
    folder.run(&format!("{line} --figures f --output f")).refused(&["--figures", "f"]);
    folder.run(&format!("{line} --figures f --report f")).refused(&["--figures", "f"]);
    assert_eq!(folder.read("scores.csv"), table);
    folder.run(&format!("{line} --figures f")).ok();
    assert_ne!(folder.read("f/scores.csv"), table);
    assert!(folder.read("f/scores.csv").lines().count() > 7, "a head and the seven columns that are kept, at least");
}
