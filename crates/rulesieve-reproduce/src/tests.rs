//! Tables and texts from given scores.

use super::*;
use crate::bound::Bound;
use crate::document::Block;
use crate::peers::{beyond_a_third, leads, own_sizes};
use crate::printed::{INDUCTIVE, OURS};
use crate::tables::{compared_with_printed, scores};
use rulesieve::select::{Size, Value};
use rulesieve_eval::evaluate::{Cell, CellPoint};
use std::collections::BTreeMap;
use std::path::Path;

fn point(alpha: f64, accuracy: &[f64], macro_f1: &[f64]) -> CellPoint {
    CellPoint {
        params: BTreeMap::from([("alpha".to_owned(), Value::Number(alpha))]),
        chosen: Vec::new(),
        scores: BTreeMap::from([
            ("accuracy".to_owned(), accuracy.to_vec()),
            ("macro_f1".to_owned(), macro_f1.to_vec()),
        ]),
        stability: None,
        failed: None,
    }
}

fn named(names: &[&str]) -> Vec<DataSet> {
    data_sets().unwrap().into_iter().filter(|set| names.contains(&set.name.as_str())).collect()
}

fn hash(set: &str) -> String {
    named(&[set])[0].sha256.clone()
}

/// A line for the data set vote.
fn line(method: &str, part: (usize, usize), points: Vec<CellPoint>) -> Line {
    let text = |text: &str| text.to_owned();
    Line {
        method: text(method),
        part,
        key: format!("{method} {part:?}"),
        grid: format!("{method} in {}", part.1),
        settings: part.1 * points.len(),
        format: 1,
        data: hash("vote"),
        cells: vec![Cell { method: text(method), points, seconds: 2.0 }],
    }
}

/// Two folds; the first setting is better on average, the second in the second fold.
fn two_parts(folder: &Path) -> Store {
    let mut store = Store::open(&folder.join("paper")).unwrap();
    store.save("vote", line(OURS, (0, 2), vec![point(1.0, &[0.9, 0.8], &[0.5, 0.4])])).unwrap();
    store.save("vote", line(OURS, (1, 2), vec![point(2.0, &[0.7, 0.9], &[0.6, 0.6])])).unwrap();
    store
}

#[test]
fn methods_with_missing_parts_are_omitted() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("paper")).unwrap();
    store.save("vote", line(OURS, (0, 2), vec![point(1.0, &[0.9, 0.8], &[0.5, 0.4])])).unwrap();
    assert!(store.cells("vote", &hash("vote")).is_empty());
    let store = two_parts(folder.path());
    let cell = &store.cells("vote", &hash("vote"))[OURS];
    assert_eq!((cell.points.len(), cell.seconds), (2, 4.0));
    assert!(store.contains("vote", "ldr-tsk (1, 2)") && !store.contains("wdbc", "ldr-tsk (1, 2)"));
    let reopened = Store::open(&folder.path().join("paper")).unwrap();
    assert_eq!(reopened.cells("vote", &hash("vote")), store.cells("vote", &hash("vote")));
}

#[test]
fn another_grid_replaces_the_old_parts() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = two_parts(folder.path());
    store.save("vote", line("anova", (0, 1), vec![point(0.0, &[0.5, 0.5], &[0.5, 0.5])])).unwrap();
    store.save("vote", line(OURS, (0, 1), vec![point(3.0, &[0.6, 0.6], &[0.6, 0.6])])).unwrap();
    let cells = store.cells("vote", &hash("vote"));
    assert_eq!((cells.len(), cells[OURS].points.len()), (2, 1));
}

/// The grids have the same number of parts.
#[test]
fn parts_of_another_grid_do_not_complete_this_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = two_parts(folder.path());
    let other = Line { grid: "another".to_owned(), ..line(OURS, (0, 2), vec![point(9.0, &[0.1, 0.1], &[0.1, 0.1])]) };
    store.save("vote", other).unwrap();
    assert!(store.cells("vote", &hash("vote")).is_empty());
    assert_eq!(store.settings("vote", OURS, 1), 0, "incomplete settings do not count");
}

#[test]
fn stores_of_the_same_folder_keep_each_others_lines() {
    let folder = tempfile::tempdir().unwrap();
    let one = |method: &str| line(method, (0, 1), vec![point(1.0, &[0.9, 0.8], &[0.5, 0.4])]);
    let mut first = Store::open(&folder.path().join("paper")).unwrap();
    let mut second = Store::open(&folder.path().join("paper")).unwrap();
    first.save("vote", one("anova")).unwrap();
    second.save("vote", one("mrmr")).unwrap();
    first.save("vote", one("relieff")).unwrap();
    let both = Store::open(&folder.path().join("paper")).unwrap();
    let names: Vec<String> = both.cells("vote", &hash("vote")).into_keys().collect();
    assert_eq!(names, ["anova", "mrmr", "relieff"]);
}

#[test]
fn parts_of_different_formats_or_other_data_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = two_parts(folder.path());
    assert!(store.cells("vote", "other").is_empty());
    assert_eq!((store.settings("vote", OURS, 1), store.settings("vote", OURS, 2)), (2, 0));
    let newer =
        Line { format: 2, grid: "newer".to_owned(), ..line(OURS, (0, 2), vec![point(1.0, &[1.0, 1.0], &[1.0, 1.0])]) };
    store.save("vote", newer).unwrap();
    assert!(store.cells("vote", &hash("vote")).is_empty(), "the old parts are removed, the new ones incomplete");
}

#[test]
fn each_view_and_each_measure_chooses_its_own_setting() {
    let folder = tempfile::tempdir().unwrap();
    two_parts(folder.path());
    let results = Results::read(folder.path(), &named(&["vote"]), &protocols().unwrap()).unwrap();
    let mean = |view, measure| results.score(view, "vote", OURS, measure).unwrap().mean;
    assert!((mean(View::Paper, Measure::Accuracy) - 85.0).abs() < 1e-9);
    assert!((mean(View::Paper, Measure::MacroF1) - 60.0).abs() < 1e-9);
    assert!((mean(View::PaperPerFold, Measure::Accuracy) - 90.0).abs() < 1e-9);
    let std = results.score(View::Paper, "vote", OURS, Measure::Accuracy).unwrap().std;
    assert!((std - 100.0 * 0.005_f64.sqrt()).abs() < 1e-9, "sample standard deviation: {std}");
    assert!(results.score(View::Nested, "vote", OURS, Measure::Accuracy).is_none());
}

#[test]
fn failed_settings_are_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("paper")).unwrap();
    let failed = CellPoint { failed: Some("split 2: no".into()), scores: BTreeMap::new(), ..point(1.0, &[], &[]) };
    store.save("vote", line(OURS, (0, 1), vec![failed, point(2.0, &[0.5, 0.7], &[0.5, 0.5])])).unwrap();
    let results = Results::read(folder.path(), &named(&["vote"]), &protocols().unwrap()).unwrap();
    assert!((results.score(View::Paper, "vote", OURS, Measure::Accuracy).unwrap().mean - 60.0).abs() < 1e-9);
    assert!((results.score(View::PaperPerFold, "vote", OURS, Measure::Accuracy).unwrap().mean - 60.0).abs() < 1e-9);
}

#[test]
fn tables_highlight_the_best_and_average_over_complete_data_sets() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = two_parts(folder.path());
    store.save("vote", line("anova", (0, 1), vec![point(0.0, &[0.85, 0.85], &[0.1, 0.1])])).unwrap();
    store
        .save("wdbc", Line { data: hash("wdbc"), ..line("anova", (0, 1), vec![point(0.0, &[0.5, 0.5], &[0.1, 0.1])]) })
        .unwrap();
    let sets = named(&["vote", "wdbc"]);
    let results = Results::read(folder.path(), &sets, &protocols().unwrap()).unwrap();
    let methods = [OURS.to_owned(), "anova".to_owned()];
    let table = scores(&results, View::Paper, Measure::Accuracy, &sets, &methods);
    assert_eq!(table.best, [(0, 1), (0, 2), (1, 2)], "ties are both highlighted");
    assert_eq!(table.data.rows[0][1], "85.00 ± 7.07");
    assert_eq!(table.data.rows[1][1], "");
    assert_eq!(table.data.rows[2][..3], ["mean of 1", "85.00 ± 7.07", "85.00 ± 0.00"]);
    store.save("vote", line("dg-tsk", (0, 1), vec![point(0.0, &[0.8, 0.8], &[0.1, 0.1])])).unwrap();
    let with_peer = Results::read(folder.path(), &sets, &protocols().unwrap()).unwrap();
    let leads = leads(&with_peer, Measure::Accuracy, &sets);
    assert_eq!(leads, ["DG-TSK +5.00 (in print +2.75) over 1 of 2 data sets"], "97.94 - 95.19 on vote");
    assert!(own_sizes(&with_peer, Measure::Accuracy, &sets).is_none());
    let mut native = Store::open(&folder.path().join("paper-native")).unwrap();
    native.save("vote", line("dg-tsk", (0, 1), vec![point(0.0, &[0.94, 0.94], &[0.1, 0.1])])).unwrap();
    let with_native = Results::read(folder.path(), &sets, &protocols().unwrap()).unwrap();
    let (table, lines) = own_sizes(&with_native, Measure::Accuracy, &sets).unwrap();
    assert_eq!(table.data.rows, [["vote", "80.00, 94.00 (95.19)"], ["wdbc", ""]]);
    assert_eq!(
        lines,
        ["DG-TSK: closer to print by its own rule on 1 of 1 data sets; mean distance 1.2 points, 15.2 with a third."]
    );
    let bound = |ceiling: f64| Bound { subsets: 1, ceiling, fixed: ceiling, features: Vec::new() };
    let beyond = |ceiling: f64| beyond_a_third(Measure::Accuracy, &[("vowel".to_owned(), bound(ceiling))].into());
    assert!(beyond(72.2).len() == 1 && beyond(72.2)[0].starts_with("The printed 88.38 of FSRE-AdaTSK on vowel"));
    assert!(beyond(88.0).is_empty(), "within a point");
    let compared = compared_with_printed(&results, View::Paper, Measure::Accuracy, &sets);
    assert_eq!(compared.data.rows[0][1], "85.00 (97.94)");
    assert_eq!(compared.data.rows[1][1], "(98.07)");
}

/// The printed accuracy of the paper's method on vote is 97.94.
#[test]
fn cells_of_the_protocol_as_run_are_compared_to_the_last_digit() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("paper-as-run")).unwrap();
    let points = vec![point(1.0, &[0.97936, 0.97936], &[0.5, 0.4]), point(2.0, &[0.9, 0.98], &[0.5, 0.4])];
    store.save("vote", line(OURS, (0, 1), points)).unwrap();
    let sets = named(&["vote", "wdbc"]);
    let results = Results::read(folder.path(), &sets, &protocols().unwrap()).unwrap();
    let mean = compared_with_printed(&results, View::PaperAsRun, Measure::Accuracy, &sets);
    assert_eq!((mean.data.rows[0][1].as_str(), mean.best), ("97.94 (97.94)", vec![(0, 1)]));
    assert!(mean.caption.ends_with("1 of 14 cells are equal to the last digit"), "{}", mean.caption);
    let each = results.score(View::PaperAsRunPerFold, "vote", OURS, Measure::Accuracy).unwrap();
    assert!((each.mean - 97.968).abs() < 1e-9 && (each.std - 0.032).abs() < 1e-9, "of two folds: {each:?}");
    assert!(results.score(View::Paper, "vote", OURS, Measure::Accuracy).is_none());
}

#[test]
fn incomplete_methods_are_excluded_from_tests() {
    let folder = tempfile::tempdir().unwrap();
    let sets = named(&["vote", "wdbc"]);
    let mut store = Store::open(&folder.path().join("paper")).unwrap();
    for (method, done) in [(OURS, 2), ("anova", 2), ("mrmr", 1)] {
        for set in &sets[..done] {
            let own = line(method, (0, 1), vec![point(1.0, &[0.9, 0.8], &[0.5, 0.4])]);
            store.save(&set.name, Line { data: set.sha256.clone(), ..own }).unwrap();
        }
    }
    let results = Results::read(folder.path(), &sets, &protocols().unwrap()).unwrap();
    let methods = [OURS, "anova", "mrmr"].map(str::to_owned);
    let scores = crate::statistics::own_scores(&results, View::Paper, &sets, &methods, false).unwrap();
    assert_eq!((scores.methods().len(), scores.rows().len()), (2, 2));

    let text = |control: &str| match &crate::statistics::tests("own", "Ours", &scores, control)[..] {
        [Block::Text(text), Block::Figure(_)] => text.clone(),
        other => panic!("{other:?}"),
    };
    assert!(text("anova").contains(" from anova: ") && !text("anova").contains("the best here"), "{}", text("anova"));
    assert!(text("relieff").contains(" (the best here): "), "{}", text("relieff"));
    assert!(text("anova").contains("not significant"), "equal scores: {}", text("anova"));

    let better = line("mrmr", (0, 1), vec![point(1.0, &[0.95, 0.85], &[0.5, 0.4])]);
    store.save("vote", Line { data: sets[0].sha256.clone(), ..better }).unwrap();
    let results = Results::read(folder.path(), &sets, &protocols().unwrap()).unwrap();
    let pairs = crate::statistics::pairs(&results, View::Paper, &sets, &methods, OURS).unwrap();
    assert_eq!(pairs.data.rows, [["anova", "2", "0/2/0", "+0.00"], ["mrmr", "1", "0/0/1", "-5.00"]]);
    assert!(crate::statistics::pairs(&results, View::Paper, &sets, &methods, "relieff").is_none());
}

#[test]
fn the_table_of_times_lists_data_sets_with_fewer_settings() {
    let folder = tempfile::tempdir().unwrap();
    let sets = named(&["vote", "wdbc"]);
    let mut store = Store::open(&folder.path().join("paper")).unwrap();
    for (set, settings) in sets.iter().zip([2, 1]) {
        let points = (0..settings).map(|at| point(f64::from(at), &[0.9, 0.8], &[0.5, 0.4])).collect();
        store.save(&set.name, Line { data: set.sha256.clone(), ..line(OURS, (0, 1), points) }).unwrap();
        let single = line("anova", (0, 1), vec![point(1.0, &[0.9, 0.8], &[0.5, 0.4])]);
        store.save(&set.name, Line { data: set.sha256.clone(), ..single }).unwrap();
    }
    let results = Results::read(folder.path(), &sets, &protocols().unwrap()).unwrap();
    let blocks = crate::times::blocks(&results, &sets, &[OURS, "anova"].map(str::to_owned));
    let [Block::Table(table), Block::List(remarks)] = &blocks[..] else { panic!("{blocks:?}") };
    // All lines took the same time, for two settings of ours on vote and one on wdbc.
    assert_eq!(table.data.rows[0][1..], ["2", "1.000", "50.0"]);
    assert_eq!(table.data.rows[1][1..], ["1", "1.333", "50.0"]);
    assert_eq!(remarks.len(), 2, "{remarks:?}");
    assert_eq!(remarks[0], "Fewer settings of ldr-tsk on wdbc (1).");
    assert!(remarks[1].contains("a rough guide"), "{remarks:?}");
}

#[test]
fn the_document_without_results_contains_the_printed_statistics() {
    let folder = tempfile::tempdir().unwrap();
    let sets = data_sets().unwrap();
    let results = Results::read(folder.path(), &sets, &protocols().unwrap()).unwrap();
    let extras = read_extras(folder.path()).unwrap();
    let sources = Sources {
        results: &results,
        extras: &extras,
        sets: &sets,
        methods: &[OURS.to_owned(), INDUCTIVE.to_owned()],
        protocols: Vec::new(),
        faces: None,
    };
    let document = document(&sources).unwrap();
    let text = document.markdown(Some("figures"));
    assert!(text.contains("F = 34.5799") && text.contains("1.8996") && text.contains("(97.94)"), "{text}");
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    let page = document.html();
    assert!(page.contains("Ours") && !page.contains('`') && !page.contains("<script"));
}

#[test]
fn built_in_files_are_consistent() {
    let (sets, protocols) = (data_sets().unwrap(), protocols().unwrap());
    assert_eq!(sets.len(), 19);
    let printed = crate::printed::printed(Measure::Accuracy);
    for set in &sets {
        assert_eq!(set.sha256.len(), 64, "{}", set.name);
        assert_eq!(printed.contains_key(&(set.name.clone(), OURS.to_owned())), set.name != FACES, "{}", set.name);
    }
    for protocol in &protocols {
        let batches: Vec<Batch> = protocol
            .order(&[])
            .iter()
            .flat_map(|name| protocol.batches(name, "a set that is not thinned", None).unwrap())
            .collect();
        let points = |name: &str| -> usize {
            let own = batches.iter().filter(|batch| batch.method == name);
            own.map(|batch| batch.options.candidates[0].points.len()).sum()
        };
        let limit = |name: &String| if protocol.whole_grid.contains(name) { 125 } else { protocol.points };
        assert!(protocol.methods.iter().all(|name| (1..=limit(name)).contains(&points(name))), "{}", protocol.name);
        assert!(batches.iter().all(|batch| batch.part.0 < batch.part.1));
        // Baselines are evaluated once per data set.
        let once = usize::from(!protocol.native);
        assert_eq!(batches.iter().filter(|batch| batch.options.baselines).count(), once);
        let size = if protocol.native { Size::Native } else { Size::THIRD };
        assert!(batches.iter().all(|batch| batch.options.size == Some(size)));
    }
    let native = protocols.iter().find(|one| one.native).unwrap();
    assert_eq!(native.methods(&[OURS.to_owned(), "dg-tsk".to_owned()]), ["dg-tsk"], "other methods have no rule");
    let paper = protocols.iter().find(|one| one.name == "paper").unwrap();
    let whole = paper.batches(OURS, "isolet", None).unwrap();
    assert_eq!(whole.iter().filter(|batch| batch.method == OURS).count(), 5, "125 settings in parts of 25");
    let thin = paper.batches(OURS, "isolet", Some(3)).unwrap();
    let limited = paper.batches(OURS, "isolet", Some(paper.points)).unwrap();
    assert_eq!(limited.last().unwrap().grid.len(), 25, "a limit replaces that of the protocol");
    assert_eq!(thin.last().unwrap().options.candidates[0].points.len(), 3);
    let settings = |set: &str, points| paper.batches("mcfs", set, points).unwrap()[0].grid.len();
    assert_eq!((settings("vote", None), settings("yale", None)), (25, 5), "fewer settings to limit the time");
    assert_eq!((settings("yale", Some(2)), settings("yale", Some(9))), (2, 9), "the given limit is used");
    for thinned in protocols.iter().flat_map(|protocol| &protocol.thinned) {
        assert!(thinned.data.iter().all(|name| sets.iter().any(|set| set.name == *name)), "{thinned:?}");
        assert!(thinned.method.parse::<rulesieve::methods::Method>().is_ok() && thinned.points >= 1, "{thinned:?}");
    }
}
