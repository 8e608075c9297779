//! The printed tables of the paper must give its printed statistics.
#![allow(clippy::unwrap_used)]

use rulesieve_eval::statistics::{CompareOptions, Comparison, Scores, StatisticsError, compare};

fn table(text: &str) -> Scores {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let methods = lines.next().unwrap()[1..].to_vec();
    let rows: Vec<Vec<String>> = lines.collect();
    let values = rows.iter().map(|row| row[1..].iter().map(|cell| cell.parse().unwrap()).collect()).collect();
    Scores::new(rows.iter().map(|row| row[0].clone()).collect(), methods, values).unwrap()
}

fn against_ours(text: &str) -> Comparison {
    compare(&table(text), &CompareOptions { control: Some("Ours".to_owned()), ..CompareOptions::default() }).unwrap()
}

fn close(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() < within, "{found} {expected}");
}

#[test]
fn accuracy_gives_the_printed_statistics() {
    let found = against_ours(include_str!("../../../rulesieve-reproduce/data/paper/accuracy.csv"));
    close(found.friedman.chi2, 72.404_762, 1e-6);
    close(found.friedman.f.unwrap(), 34.579_933, 1e-6);
    close(found.friedman.critical, 2.188_761, 1e-6);
    assert_eq!(found.friedman.df, (6, 102));
    assert_eq!(found.bonferroni_dunn.q, 2.638);
    close(found.bonferroni_dunn.cd, 1.899_577, 1e-6);
    let ranks = [
        ("DG-ALETSK", 6.2222),
        ("DG-TSK", 5.0278),
        ("FRSE-TSK", 4.5833),
        ("FSOR", 2.8056),
        ("MCFS", 5.4444),
        ("RJFWLF", 2.5),
        ("Ours", 1.4167),
    ];
    ranks.iter().for_each(|(method, rank)| close(found.average_ranks[*method], *rank, 5e-5));
    assert_eq!(found.bonferroni_dunn.different, ["DG-ALETSK", "DG-TSK", "FRSE-TSK", "MCFS"]);
    assert_eq!(found.methods[0], "Ours");
    // Computed by hand: one tie among the differences.
    let fsor = found.wilcoxon_holm.iter().find(|test| test.method == "FSOR").unwrap();
    assert_eq!(fsor.w, 6.5);
    close(fsor.p, 1.144e-4, 1e-6);
    close(found.nemenyi.q, 2.948, 1e-9);
    assert!(found.nemenyi.different.contains(&("FSOR".to_owned(), "MCFS".to_owned())));
}

#[test]
fn macro_f1_gives_the_known_statistics() {
    let found = against_ours(include_str!("../../../rulesieve-reproduce/data/paper/macro-f1.csv"));
    close(found.friedman.chi2, 72.678_571, 1e-6);
    close(found.friedman.f.unwrap(), 34.979_778, 1e-6);
    close(found.average_ranks["FSOR"], 2.6667, 5e-5);
}

#[test]
fn the_order_of_methods_and_the_sign_of_scores_do_not_matter() {
    let accuracy = table(include_str!("../../../rulesieve-reproduce/data/paper/accuracy.csv"));
    let errors = |row: &Vec<f64>| row.iter().rev().map(|value| 100.0 - value).collect::<Vec<f64>>();
    let methods = accuracy.methods().iter().rev().cloned().collect();
    let turned =
        Scores::new(accuracy.datasets().to_vec(), methods, accuracy.rows().iter().map(errors).collect()).unwrap();
    let options = CompareOptions { higher_is_better: false, ..CompareOptions::default() };
    let (a, b) = (compare(&accuracy, &CompareOptions::default()).unwrap(), compare(&turned, &options).unwrap());
    assert_eq!((a.bonferroni_dunn.control.as_str(), b.bonferroni_dunn.control.as_str()), ("Ours", "Ours"));
    close(a.friedman.chi2, b.friedman.chi2, 1e-9);
    for (a, b) in a.wilcoxon_holm.iter().zip(&b.wilcoxon_holm) {
        assert_eq!((&a.method, a.better, a.equal, a.worse, a.w), (&b.method, b.better, b.equal, b.worse, b.w));
        close(a.p, b.p, 1e-12);
    }
}

#[test]
fn invalid_tables_are_rejected() {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let error = |methods: &[&str], rows: Vec<Vec<f64>>| {
        let sets = (0..rows.len()).map(|at| format!("set{at}")).collect();
        Scores::new(sets, names(methods), rows).unwrap_err().to_string()
    };
    assert!(error(&["a"], vec![vec![1.0], vec![2.0]]).contains("1 methods"));
    assert!(error(&["a", "b"], vec![vec![1.0, 2.0]]).contains("1 data sets"));
    assert!(error(&["a", "a"], vec![vec![1.0, 2.0]; 2]).contains("'a' appears twice"));
    let message = error(&["a", "b"], vec![vec![1.0, 2.0], vec![1.0, f64::NAN]]);
    assert!(message.contains("score of b on data set 'set1' is NaN"), "{message}");
    assert!(error(&["a", "b"], vec![vec![1.0, 2.0], vec![1.0]]).contains("1 scores for 2 methods"));
    let scores = Scores::new(names(&["s", "t"]), names(&["a", "b"]), vec![vec![1.0, 2.0]; 2]).unwrap();
    let options = CompareOptions { control: Some("c".to_owned()), ..CompareOptions::default() };
    assert_eq!(
        compare(&scores, &options),
        Err(StatisticsError::NoControl { control: "c".to_owned(), methods: "a, b".to_owned() })
    );
    for alpha in [0.0, -1.0, 0.5, f64::NAN] {
        assert!(compare(&scores, &CompareOptions { alpha, ..CompareOptions::default() }).is_err(), "{alpha}");
    }
}
