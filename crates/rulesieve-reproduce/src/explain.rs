//! Which protocol explains the printed figures? One row for each data set, and a reason for each that is missed.

use crate::bound::Bound;
use crate::document::{Block, Table};
use crate::manifest::DataSet;
use crate::printed::printed;
use crate::results::{Measure, Results, View};
use crate::sensitivity::median;
use crate::tables::BASELINES;
use crate::verdict::{CLOSE, Row, reasons};
use rulesieve_eval::evaluate::{ALL, MAJORITY};
use rulesieve_report::Data;
use std::collections::BTreeMap;

/// The paper's method.
pub(crate) const OURS: &str = "ldr-tsk";
/// The one that predicts.
pub(crate) const INDUCTIVE: &str = "ldr-tsk-inductive";
/// Filters without settings: what a few lines of any library give.
const FILTERS: [&str; 4] = ["anova", "mutual-info", "mrmr", "relieff"];

const COSTS: &str = "Under `paper` the SVM has C = 1, since the paper names neither kernel nor C; `nested` chooses C among 1, 10 and 100 by training rows. So `nested`, though it \
    never looks at a test row, may come out above `paper`: what C alone is worth is seen in the two columns of all features. \
    `experiments/readings` tries `paper` with other folds, C, kernel and coding on the data sets that are quickly done.";

/// The table, a reason for each data set, and what they say.
pub(crate) fn protocols(
    results: &Results,
    measure: Measure,
    sets: &[DataSet],
    methods: &[String],
    bounds: &BTreeMap<String, Bound>,
) -> Vec<Block> {
    let all = printed(measure);
    let mean =
        |view, set: &DataSet, method: &str| results.score(view, &set.name, method, measure).map(|score| score.mean);
    let row = |set| -> Option<Row> {
        let set: &DataSet = set;
        let anyone = methods.iter().filter_map(|method| mean(View::PaperPerFold, set, method));
        Some(Row {
            set,
            printed: *all.get(&(set.name.clone(), OURS.to_owned()))?,
            paper: results.score(View::Paper, &set.name, OURS, measure),
            per_fold: mean(View::PaperPerFold, set, OURS),
            anyone: anyone.reduce(f64::max),
            bound: bounds.get(&set.name).filter(|_| measure == Measure::Accuracy),
        })
    };
    let rows: Vec<Row> = sets.iter().filter_map(row).collect();
    let caption = format!(
        "{} of ldr-tsk in percent: printed, and under each protocol, beside what needs no such method",
        measure.title()
    );
    let name = |what: &str| match measure {
        Measure::Accuracy => what.to_owned(),
        other => format!("{what}-{}", other.file()),
    };
    let mut blocks = vec![Block::Table(Table::new(&name("which-protocol"), &caption, beside(&rows, mean)))];
    if rows.iter().all(|row| row.paper.is_none()) {
        return blocks;
    }
    let caption = format!("{} of ldr-tsk under paper against print, set by set", measure.title());
    let reasons = Table { words: vec![5], ..Table::new(&name("set-by-set"), &caption, reasons(&rows)) };
    blocks.extend([Block::Table(reasons), Block::List(reading(&rows, measure))]);
    if measure == Measure::Accuracy {
        blocks.push(Block::Text(COSTS.to_owned()));
    }
    blocks
}

fn beside(rows: &[Row], mean: impl Fn(View, &DataSet, &str) -> Option<f64>) -> Data {
    let all_nested = format!("{ALL}, nested");
    let mut head = vec!["data", "printed", "paper", "paper-per-fold", "nested", "ldr-tsk-inductive, nested"];
    head.extend([ALL, all_nested.as_str(), MAJORITY, "best single filter"]);
    let bounded = rows.iter().any(|row| row.bound.is_some());
    if bounded {
        head.extend(["best subset", "best subset of every fold"]);
    }
    let mut data = Data::new(head);
    for row in rows {
        let shown = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.2}"));
        let filter = FILTERS
            .iter()
            .filter_map(|name| Some((mean(View::Paper, row.set, name)?, *name)))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(a.1)));
        let mut cells = vec![
            row.set.name.clone(),
            format!("{:.2}", row.printed.mean),
            shown(row.paper_mean()),
            shown(row.per_fold),
            shown(mean(View::Nested, row.set, OURS)),
            shown(mean(View::Nested, row.set, INDUCTIVE)),
            shown(mean(View::Paper, row.set, BASELINES[0])),
            shown(mean(View::Nested, row.set, BASELINES[0])),
            shown(mean(View::Paper, row.set, MAJORITY)),
            filter.map_or(String::new(), |(score, name)| format!("{score:.2} ({name})")),
        ];
        if bounded {
            cells.extend([shown(row.bound.map(|bound| bound.fixed)), shown(row.bound.map(|bound| bound.ceiling))]);
        }
        data.push(cells);
    }
    data
}

/// What the rows say, in sentences.
fn reading(rows: &[Row], measure: Measure) -> Vec<String> {
    let what = measure.word();
    let done: Vec<&Row> = rows.iter().filter(|row| row.paper.is_some()).collect();
    let named = |some: &[&&Row]| match some.len() {
        0 => "none".to_owned(),
        count => format!("{count} ({})", some.iter().map(|row| row.set.name.as_str()).collect::<Vec<_>>().join(", ")),
    };
    let by = |test: &dyn Fn(&Row) -> bool| named(&done.iter().filter(|row| test(row)).collect::<Vec<_>>());
    let reached = |row: &Row| row.reached_by(row.paper_mean());
    let mut lines = vec![
        format!(
            "Of {} data sets, `paper` reaches the printed {what} to within {CLOSE} points, or passes it, on {}.",
            done.len(),
            by(&reached)
        ),
        format!(
            "Only the bound `paper-per-fold` reaches it on {}.",
            by(&|row| !reached(row) && row.reached_by(row.per_fold))
        ),
        format!("Not even that bound reaches it on {}.", by(&|row| !row.reached_by(row.per_fold))),
        format!(
            "Where `paper` misses it, the printed figure lies within two standard errors of ours (a rough measure, from \
             the spread of the folds), so that other folds alone could explain it, on {}.",
            by(&|row| !reached(row) && row.within_two_errors())
        ),
    ];
    lines.extend(differences(&done, what));
    let below =
        |row: &&&Row, best: fn(&Bound) -> f64| row.bound.is_some_and(|bound| !row.reached_by(Some(best(bound))));
    let beyond: Vec<&&Row> = done.iter().filter(|row| below(row, |bound| bound.ceiling)).collect();
    let together: Vec<&&Row> = done.iter().filter(|row| below(row, |bound| bound.fixed)).collect();
    if !together.is_empty() {
        lines.push(format!(
            "Where all subsets of a third of the features can be tried, the best of them, chosen by the test rows, misses the printed figure on {}, \
             even the best of every fold on {}: with these folds and this SVM, no selection that is the same in all folds reaches the former, and none at all the latter.",
            named(&together),
            named(&beyond)
        ));
    }
    lines
}

/// Ours less printed, over all data sets.
fn differences(done: &[&Row], what: &str) -> Option<String> {
    let mut all: Vec<(f64, &str)> =
        done.iter().filter_map(|row| Some((row.difference()?, row.set.name.as_str()))).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (lowest, highest) = (all.first()?, all.last()?);
    let sum = all.iter().map(|one| one.0).sum::<f64>();
    let median = median(all.iter().map(|one| one.0).collect());
    let two: Vec<String> = all.iter().take(2).map(|(lacks, name)| format!("{name} {lacks:+.2}")).collect();
    Some(format!(
        "Ours under `paper` less the printed {what}: mean {:+.2}, median {median:+.2} points, from {:+.2} ({}) to {:+.2} ({}); {sum:+.1} in sum, \
         the two that lack most: {}.",
        sum / all.len() as f64,
        lowest.0,
        lowest.1,
        highest.0,
        highest.1,
        two.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::data_sets;
    use crate::results::Score;

    #[test]
    fn sets_are_counted_and_named_by_what_reaches_their_figure() {
        let sets = data_sets().unwrap();
        let bound = |fixed: f64, ceiling: f64| Bound { subsets: 1, ceiling, fixed, features: Vec::new() };
        let (low, high, open) = (bound(78.0, 79.4), bound(79.4, 79.6), bound(79.6, 81.0));
        let row = |at: usize, paper: f64, error: f64, per_fold: f64, bound| Row {
            set: &sets[at],
            printed: Score { mean: 80.0, std: 1.5, folds: 10 },
            paper: Some(Score { mean: paper, std: error * 10.0_f64.sqrt(), folds: 10 }),
            per_fold: Some(per_fold),
            anyone: None,
            bound,
        };
        let rows = [
            row(0, 79.6, 1.0, 81.0, None),
            row(1, 78.0, 1.1, 82.0, Some(&open)),
            row(2, 77.0, 2.0, 79.0, Some(&low)),
            row(3, 79.0, 0.1, 79.0, Some(&high)),
        ];
        let name = |at: usize| sets[at].name.as_str();
        let said = reading(&rows, Measure::MacroF1);
        assert!(
            said[0].ends_with(&format!("the printed macro-F1 to within 0.5 points, or passes it, on 1 ({}).", name(0)))
        );
        assert!(said[1].ends_with(&format!("on 1 ({}).", name(1))), "{said:?}");
        assert!(said[2].ends_with(&format!("on 2 ({}, {}).", name(2), name(3))), "{said:?}");
        assert!(said[3].ends_with(&format!("on 2 ({}, {}).", name(1), name(2))), "{said:?}");
        let numbers = format!(
            "mean -1.60, median -1.50 points, from -3.00 ({two}) to -0.40 ({}); -6.4 in sum, the two that lack most: {two} -3.00, {} -2.00.",
            name(0),
            name(1),
            two = name(2)
        );
        assert!(said[4].ends_with(&numbers), "{said:?}");
        assert!(said[5].contains(&format!(
            "on 2 ({}, {}), even the best of every fold on 1 ({}):",
            name(2),
            name(3),
            name(2)
        )));
    }
}
