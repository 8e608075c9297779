#![allow(clippy::unwrap_used, reason = "tests may fail")]

mod rebuild;
mod synthetic;

use super::*;
use crate::data_sets;
use rulesieve::data::Table;
use rulesieve_io::ReadOptions;
use std::fs;

const DOCUMENT: &str = include_str!("../../../../docs/datasets.md");

fn all() -> Vec<(DataSet, Recipe)> {
    data_sets().unwrap().into_iter().zip(recipes().unwrap()).collect()
}

fn one(name: &str) -> (DataSet, Recipe) {
    all().into_iter().find(|(set, _)| set.name == name).unwrap()
}

#[test]
fn recipes_agree_with_the_manifest() {
    assert_eq!(data_sets().unwrap().len(), recipes().unwrap().len());
    for (set, recipe) in all() {
        assert_eq!(set.name, recipe.name);
        assert_eq!(recipe.names(set.features).len(), set.features, "{}", set.name);
        assert_eq!(recipe.classes.len(), set.classes, "{}", set.name);
        assert_eq!(recipe.classes.values().sum::<usize>(), set.samples, "{}", set.name);
        assert!(!recipe.files().is_empty());
    }
}

/// Without line breaks, which wrap the document.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_document_names_all_data_sets_archives_and_files() {
    for (set, recipe) in all() {
        let section = DOCUMENT.split("\n### ").find(|part| part.lines().next() == Some(set.name.as_str()));
        let section = section.unwrap_or_else(|| panic!("docs/datasets.md has no section {}", set.name));
        let mut facts = vec![set.archive.as_str(), &set.entry, &set.file, &set.rights, &set.oddities];
        facts.extend(recipe.files());
        let shape = format!("{} rows, {} features, {} classes", set.samples, set.features, set.classes);
        facts.push(&shape);
        for fact in facts {
            assert!(
                one_line(section).contains(&one_line(fact)),
                "docs/datasets.md, section {}, does not contain '{fact}'",
                set.name
            );
        }
    }
    assert!(DOCUMENT.contains("rulesieve reproduce --originals"));
}

/// First rows in the documented layouts of the archives give the first rows of the manifest's files.
#[test]
fn first_lines_of_the_archives_are_converted() {
    let wdbc = "842302,M,17.99,10.38,122.8,1001,0.1184,0.2776,0.3001,0.1471,0.2419,0.07871,1.095,0.9053,8.589,153.4,0.006399,\
                0.04904,0.05373,0.01587,0.03003,0.006193,25.38,17.33,184.6,2019,0.1622,0.6656,0.7119,0.2654,0.4601,0.1189\n";
    let vowel = "  0  0  0   -3.639  0.418  -0.670  1.779  -0.168  1.627  -0.388  0.529  -0.874  -0.814  0\n";
    for (name, file, line, first, last) in [
        ("wdbc", "wdbc.data", wdbc, "id,radius_mean,texture_mean", "0.4601,0.1189,M"),
        ("vowel", "vowel-context.data", vowel, "feature_0,feature_1", "-0.874,-0.814,hid"),
        (
            "vote",
            "house-votes-84.data",
            "republican,n,y,n,y,y,y,n,n,n,y,?,y,y,y,n,y\n",
            "handicapped-infants,",
            "y,,y,y,y,n,y,republican",
        ),
        ("australian", "australian.dat", "1 22.08 11.46 2 4 4 1.585 0 0 0 1 2 100 1213 0\n", "A1,A2,A3", "100,1213,0"),
        ("pima", "pima-indians-diabetes.data", "6,148,72,35,0,33.6,0.627,50,1\n", "pregnancies,glucose", "0.627,50,1"),
        (
            "diabetes",
            "pima-indians-diabetes.data",
            "6,148,72,35,0,33.6,0.627,50,1\n",
            "preg,plas",
            "0.627,50,tested_positive",
        ),
        (
            "german",
            "german.data",
            "A11 6 A34 A43 1169 A65 A75 4 A93 A101 4 A121 67 A143 A152 2 A173 1 A192 A201 1 \n",
            "checking_status,duration",
            "A192,A201,1",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(file), line).unwrap();
        let (set, recipe) = one(name);
        let found = recipe.found(folder.path());
        let (original, path) = found.first().unwrap();
        let csv = String::from_utf8(convert::csv(&recipe, original, &set, path).unwrap().unwrap()).unwrap();
        assert!(csv.starts_with(first) && csv.ends_with(&format!("{last}\n")), "{name}: {csv}");
    }
}

/// The folder of the manifest's files, if it exists.
fn shared() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/datasets");
    if !folder.is_dir() {
        println!("skipped: {} does not exist", folder.display());
        return None;
    }
    Some(folder)
}

fn table(folder: &Path, set: &DataSet) -> Table {
    rulesieve_io::read(&Source::Path(folder.join(&set.file)), &ReadOptions::default()).unwrap()
}

#[test]
fn every_layout_gives_the_data_of_the_manifest() {
    let Some(shared) = shared() else { return };
    for (set, recipe) in all() {
        let table = table(&shared, &set);
        assert!(check(&set, &recipe, &shared).unwrap().is_right(), "{}", set.name);
        for original in &recipe.originals {
            let folder = tempfile::tempdir().unwrap();
            // Archives unpack into folders.
            fs::create_dir(folder.path().join("unpacked")).unwrap();
            let path = folder.path().join("unpacked").join(original.files.last().unwrap());
            fs::write(&path, rebuild::original(&table, &set, &recipe, original)).unwrap();
            let finding = convert(&set, &recipe, folder.path()).unwrap();
            assert_eq!(finding.differences, Vec::<String>::new(), "{}", path.display());
            assert_eq!((finding.file, finding.shape), (Some(path), Some((set.samples, set.features))));
            fs::write(folder.path().join(&set.file), finding.content).unwrap();
            assert!(check(&set, &recipe, folder.path()).unwrap().is_right(), "{} as written", set.name);
        }
    }
}

/// Returns the differences reported for a damaged original.
fn differences(name: &str, damage: impl Fn(&str) -> String) -> String {
    let (set, recipe) = one(name);
    let original = &recipe.originals[0];
    let whole = rebuild::original(&table(&shared().unwrap(), &set), &set, &recipe, original);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(&original.files[0]), damage(&String::from_utf8(whole).unwrap())).unwrap();
    let finding = convert(&set, &recipe, folder.path()).unwrap();
    assert!(!finding.is_right() && finding.content.is_empty(), "{name}");
    finding.differences.join("; ")
}

#[test]
fn differences_of_damaged_originals_are_reported() {
    if shared().is_none() {
        return;
    }
    let swapped = |text: &str| {
        let lines = text.lines().map(|line| {
            let mut cells: Vec<&str> = line.split(',').collect();
            cells.swap(3, 4);
            cells.join(",") + "\n"
        });
        lines.collect::<String>()
    };
    assert!(differences("wdbc", |text| text.replacen("17.99", "17.98", 1)).starts_with("other values"));
    assert!(differences("wdbc", swapped).starts_with("other values"));
    assert!(differences("control", |text| text.replacen("28.7812", "28.7813", 1)).starts_with("other values"));
    assert_eq!(
        differences("wdbc", |text| text.lines().skip(9).map(|line| format!("{line}\n")).collect()),
        "560 rows instead of 569"
    );
    assert_eq!(
        differences("control", |text| text.lines().skip(1).map(|line| format!("{line}\n")).collect()),
        "599 rows instead of 600; labels follow from their order"
    );
    assert_eq!(
        differences("vote", |text| text.replace("democrat", "Democrat")),
        "no class 'democrat'; unknown class 'Democrat'"
    );
    assert_eq!(differences("vote", |text| text.replacen('?', "y", 2)), "390 missing cells instead of 392");
    assert_eq!(
        differences("diabetes", |text| text.replace("'mass'", "'bmi'")),
        "no column 'mass'; unknown column 'bmi'"
    );
    assert_eq!(
        differences("german", |text| text.lines().map(|line| format!("{line} 1\n")).collect()),
        "21 columns of features instead of 20"
    );
    assert!(
        differences("vowel", |text| text.replacen("  0\n", "  11\n", 1))
            .starts_with("the label '11' is none of 0, 1, 10")
    );
}
