//! Pages and figures: what they hold, and that nothing in a table gets out of them.
#![allow(clippy::unwrap_used, reason = "a test")]

mod common;

use common::{Folder, SMALL, says, twice};

/// A name that would run, and one that would end what it stands in.
const EVIL: &str = "<script>document.title='x'</script>";

/// The small table with hostile names of columns, categories and classes.
fn hostile() -> String {
    let table = SMALL.replace("good", EVIL).replace("kind", "\"</svg>\"\"&\"").replace(",u,", ",<u>,");
    table.replace(",x\n", ",</title><b>\n")
}

/// Fails unless tags are closed in their order, headings do not skip a level, and every picture is well-formed.
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
    assert!(html.split('"').all(address), "an address of elsewhere");
    let pictures: Vec<&str> = html.match_indices("<svg").map(|(at, _)| at).map(|at| &html[at..]).collect();
    for picture in &pictures {
        let end = picture.find("</svg>").unwrap() + "</svg>".len();
        roxmltree::Document::parse(&picture[..end]).unwrap();
    }
    assert!(!pictures.is_empty());
}

#[test]
fn select_tells_the_ranking_and_the_command() {
    let folder = Folder::with(twice(SMALL));
    let run = folder.run("select t.csv --target t --method ldr-tsk --top 2 --report r.html --figures f");
    says(&run.err, &["report written to r.html", "figures with their numbers written to f"]);
    run.ok();
    let html = folder.read("r.html");
    check_page(&html);
    let command = "rulesieve select t.csv --target t --method ldr-tsk --top 2 --report r.html --figures f";
    says(&html, &["good", "weak", "The ranking", "How the fit settled", "What the columns have in common", command]);
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
    says(&folder.read("f/scores.csv"), &["name,value,error,highlighted", "good,"]);
}

#[test]
fn a_page_is_the_same_each_time() {
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
    says(&html, &["How many are enough", "the rule best chose"]);
}

#[test]
fn hostile_names_are_text_everywhere() {
    let folder = Folder::with(twice(&hostile()));
    folder.run("train t.csv --target t --top 3 --rule-param steps=60 --model m.json --report r.html --figures f").ok();
    let html = folder.read("r.html");
    check_page(&html);
    says(
        &html,
        &["&lt;script&gt;document.title", "&lt;/title&gt;", "The rules", "One row explained", "Confusion matrix"],
    );
    folder.run("evaluate t.csv --target t --methods anova,variance --folds 3 --report e.html").ok();
    check_page(&folder.read("e.html"));
}

#[test]
fn evaluate_tells_comparison_stability_and_frequencies() {
    let folder = Folder::with(twice(SMALL));
    folder.run("evaluate t.csv --target t --methods anova,variance --folds 4 --curve --report e.html --figures f").ok();
    let html = folder.read("e.html");
    check_page(&html);
    let parts =
        ["The methods compared", "Stability", "Which columns were kept", "How many columns are enough", "SHA-256"];
    says(&html, &parts);
    says(&html, &["most frequent class", "random features", "Which classes are taken for each other"]);
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
    says(&html, &["Answers against the truth", "against the target", "a number from 0 to 12"]);
    assert!(!html.contains("class by class"));
    folder.run("evaluate t.csv --target y --task regression --missing median --methods ldr-tsk-inductive --set ldr-tsk-inductive:steps=30 --points 1 --folds 3 --report e.html").ok();
    let html = folder.read("e.html");
    check_page(&html);
    assert!(!html.contains("taken for each other") && html.contains("R squared"));
}

#[test]
fn a_streamed_file_shows_what_is_there() {
    let folder = Folder::new();
    folder.run("generate xor --samples 6000 --features 6 --output t.csv").ok();
    let arguments = "t.csv --target class --stream --top 2";
    folder.run(&format!("select {arguments} --report s.html")).ok();
    let html = folder.read("s.html");
    check_page(&html);
    says(&html, &["6000 rows", "From a sample of 4096 of 6000 rows"]);
    folder.run(&format!("train {arguments} --rule-param steps=40 --model m.json --report r.html")).ok();
    let html = folder.read("r.html");
    check_page(&html);
    says(&html, &["the first row of the sample", "all 4096 rows of the sample"]);
}

#[test]
fn places_that_cannot_be_written_are_refused_before_the_work() {
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
fn demo_writes_the_whole_story() {
    let folder = Folder::new();
    let out = folder.run("demo --report story.html --figures f").ok();
    says(&out, &["Open story.html in a browser", "10 of 10 selected features carry signal", "held-out accuracy"]);
    let html = folder.read("story.html");
    check_page(&html);
    let parts = [
        "The ranking",
        "Stability",
        "How many columns are enough",
        "What the columns have in common",
        "The best columns, class by class",
        "The rules",
        "One row explained",
        "Which classes are taken for each other",
        "The methods compared",
        "How to repeat this",
    ];
    says(&html, &parts);
    assert_eq!(folder.files(), ["f", "rulesieve-demo", "story.html"]);
}

#[test]
fn figures_never_lie_beside_what_is_read_or_written() {
    let folder = Folder::new();
    folder.run("generate waveform --samples 60 --features 21 --output scores.csv").ok();
    let table = folder.read("scores.csv");
    let line = "select scores.csv --target class --method anova";
    folder.run(&format!("{line} --figures .")).refused(&["--figures .", "scores.csv is there too"]);
    folder.run(&format!("{line} --figures f --output f")).refused(&["--figures", "f"]);
    folder.run(&format!("{line} --figures f --report f")).refused(&["--figures", "f"]);
    assert_eq!(folder.read("scores.csv"), table);
    folder.run(&format!("{line} --figures f")).ok();
    assert_ne!(folder.read("f/scores.csv"), table);
    assert!(folder.read("f/scores.csv").lines().count() > 7, "a head and the seven columns that are kept, at least");
}
