//! A synthetic data set, so that these tests need no files.

use super::*;
use rulesieve_eval::evaluate::digest;

const CSV: &str = "width,kind,class\n1.5,a,yes\n-0,,no\n3,b,yes\n4,a,no\n";
const RECIPE: &str = r#"{"name": "toy", "names": {"list": ["width", "kind"]}, "classes": {"no": 2, "yes": 2}, "originals": [
    {"files": ["toy.data"], "form": "comma", "label": {"column": "c1"}, "drop": ["c3"], "labels": {"0": "no", "1": "yes"}},
    {"files": ["toy.dat"], "form": "blanks", "label": {"blocks": {"rows": 2, "labels": ["no", "yes"]}}},
    {"files": ["toy.arff"], "form": "arff", "label": {"column": "Class"}, "rename": {"Width": "width"}}]}"#;

fn toy() -> (DataSet, Recipe) {
    let mut set = one("vote").0;
    (set.name, set.file) = ("toy".to_owned(), "toy.csv.gz".to_owned());
    (set.samples, set.features, set.classes, set.missing) = (4, 2, 2, 1);
    let source = Source::Bytes { name: "toy.csv".to_owned(), bytes: CSV.into() };
    set.sha256 = digest(&set.read_from(&source).unwrap());
    (set, serde_json::from_str(RECIPE).unwrap())
}

fn found(files: &[(&str, &str)]) -> Finding {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), convert::packed(name, text.as_bytes().to_vec()).unwrap()).unwrap();
    }
    let (set, recipe) = toy();
    let finding = convert(&set, &recipe, folder.path()).unwrap();
    if finding.is_right() {
        fs::write(folder.path().join(&set.file), &finding.content).unwrap();
        assert!(finding.content.starts_with(&[0x1f, 0x8b]), "compressed according to its name");
        assert!(check(&set, &recipe, folder.path()).unwrap().is_right());
    }
    finding
}

const DATA: &str = "1,1.5,x,a\n0,-0.0,x,?\n1,3,y,b\n0,4,x,a\n";
const ARFF: &str = "@relation toy\n@attribute Width real\n@attribute kind {a,b}\n@attribute Class {no,yes}\n@data\n\
                    1.5,a,yes\n-0,?,no\n3,b,yes\n4,a,no\n";

#[test]
fn layouts_of_several_kinds_give_the_same_data() {
    for (name, text) in [("toy.data", DATA), ("toy.arff", ARFF), ("toy.data.gz", DATA), ("toy.arff.gz", ARFF)] {
        let finding = found(&[(name, text)]);
        assert_eq!((finding.differences.join("; "), finding.shape), (String::new(), Some((4, 2))), "{name}");
    }
}

#[test]
fn the_correct_original_is_used() {
    let finding = found(&[("toy.data", "1,2,3,4\n0,1,1,1\n"), ("toy.arff", ARFF)]);
    assert!(finding.is_right() && finding.file.unwrap().ends_with("toy.arff"));
}

#[test]
fn differences_are_reported() {
    for (name, text, expected) in [
        ("toy.data", DATA.replace("1.5", "1.6"), "other values"),
        ("toy.data", DATA.replace("-0.0", "0"), "other values"),
        ("toy.data", DATA.replacen("1,1.5", "0,1.5", 1), "a single class, 'no'"),
        ("toy.data", DATA.replace("0,4", "no,4"), "the label 'no' is none of 0, 1"),
        ("toy.data", DATA.replace(",x", ""), "line 3"),
        ("toy.data", "1,2\n0,2\n".to_owned(), "no column c3 among its 2"),
        ("toy.dat", "1 a\n2 b\n3 a\n".to_owned(), "3 rows instead of 4"),
        ("toy.dat", "1 a\n2 b\n3 a\n4 a\n".to_owned(), "0 missing cells instead of 1"),
        ("toy.arff", ARFF.replace("kind", "sort"), "no column 'kind'; unknown column 'sort'"),
    ] {
        let finding = found(&[(name, &text)]);
        let reported = finding.differences.join("; ");
        assert!(!finding.is_right() && reported.contains(expected), "{expected}: {reported}");
        assert!(finding.content.is_empty());
    }
}

#[test]
fn missing_files_are_named() {
    let missing = found(&[]);
    assert_eq!((missing.file, missing.differences), (None, vec!["no file toy.data or toy.dat or toy.arff".to_owned()]));
    let packed = found(&[("toy.data.Z", "")]);
    assert!(packed.file.is_none() && packed.differences[0].ends_with("unpack it first, for instance with `gzip -d`"));
}
