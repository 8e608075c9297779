//! Which protocol explains the printed figures? One row for each data set.

use crate::bound::Bound;
use crate::document::{Block, Table};
use crate::manifest::DataSet;
use crate::printed::printed;
use crate::results::{Measure, Results, Score, View};
use crate::sensitivity::median;
use crate::tables::BASELINES;
use rulesieve_eval::evaluate::{ALL, MAJORITY};
use rulesieve_report::Data;
use std::collections::BTreeMap;

/// The paper's method.
pub(crate) const OURS: &str = "ldr-tsk";
/// The one that predicts.
pub(crate) const INDUCTIVE: &str = "ldr-tsk-inductive";
/// Filters without settings: what a few lines of any library give.
const FILTERS: [&str; 4] = ["anova", "mutual-info", "mrmr", "relieff"];

/// Printed and found scores closer than this, in percent, count as the same.
const CLOSE: f64 = 0.5;

/// What is known about a data set, in percent.
struct Row<'a> {
    set: &'a DataSet,
    printed: f64,
    paper: Option<Score>,
    per_fold: Option<f64>,
    nested: Option<f64>,
    bound: Option<f64>,
}

impl Row<'_> {
    fn paper_mean(&self) -> Option<f64> {
        self.paper.map(|score| score.mean)
    }

    /// Ours under `paper` less the printed figure.
    fn difference(&self) -> Option<f64> {
        Some(self.paper_mean()? - self.printed)
    }

    /// Whether other folds might move ours to the printed figure.
    fn within_two_errors(&self) -> bool {
        self.paper.is_some_and(|score| self.printed - score.mean <= 2.0 * score.standard_error())
    }
}

/// The table, and what it says.
pub(crate) fn protocols(results: &Results, sets: &[DataSet], bounds: &BTreeMap<String, Bound>) -> Vec<Block> {
    let all = printed(Measure::Accuracy);
    let mean = |view, set: &DataSet, method: &str| {
        results.score(view, &set.name, method, Measure::Accuracy).map(|score| score.mean)
    };
    let mut rows = Vec::new();
    for set in sets {
        let Some(printed) = all.get(&(set.name.clone(), OURS.to_owned())) else { continue };
        let paper = results.score(View::Paper, &set.name, OURS, Measure::Accuracy);
        let [per_fold, nested] = [View::PaperPerFold, View::Nested].map(|view| mean(view, set, OURS));
        let bound = bounds.get(&set.name).map(|bound| bound.ceiling);
        rows.push(Row { set, printed: printed.mean, paper, per_fold, nested, bound });
    }
    let mut data = Data::new([
        "data",
        "printed",
        "paper",
        "paper-per-fold",
        "nested",
        "ldr-tsk-inductive, nested",
        ALL,
        MAJORITY,
        "best single filter",
        "best subset",
        "best subset of every fold",
    ]);
    for row in &rows {
        let shown = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.2}"));
        let filter = FILTERS
            .iter()
            .filter_map(|name| Some((mean(View::Paper, row.set, name)?, *name)))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(a.1)));
        data.push([
            row.set.name.clone(),
            format!("{:.2}", row.printed),
            shown(row.paper_mean()),
            shown(row.per_fold),
            shown(row.nested),
            shown(mean(View::Nested, row.set, INDUCTIVE)),
            shown(mean(View::Paper, row.set, BASELINES[0])),
            shown(mean(View::Paper, row.set, MAJORITY)),
            filter.map_or(String::new(), |(score, name)| format!("{score:.2} ({name})")),
            shown(bounds.get(&row.set.name).map(|bound| bound.fixed)),
            shown(row.bound),
        ]);
    }
    let caption =
        "Accuracy of ldr-tsk in percent: printed, and under each protocol, beside what needs no such method".to_owned();
    let mut blocks = vec![Block::Table(Table::new("which-protocol", &caption, data))];
    blocks.push(Block::List(reading(&rows)));
    blocks
}

/// What the rows say, in sentences.
fn reading(rows: &[Row]) -> Vec<String> {
    let done: Vec<&Row> = rows.iter().filter(|row| row.paper.is_some()).collect();
    let named = |some: &[&&Row]| match some.len() {
        0 => "none".to_owned(),
        count => format!("{count} ({})", some.iter().map(|row| row.set.name.as_str()).collect::<Vec<_>>().join(", ")),
    };
    let by = |test: &dyn Fn(&Row) -> bool| named(&done.iter().filter(|row| test(row)).collect::<Vec<_>>());
    let reached = |value: Option<f64>, row: &Row| value.is_some_and(|value| value >= row.printed - CLOSE);
    let mut lines = vec![
        format!(
            "Of {} data sets, `paper` reaches the printed accuracy to within {CLOSE} points, or passes it, on {}.",
            done.len(),
            by(&|row| reached(row.paper_mean(), row))
        ),
        format!(
            "Only the bound `paper-per-fold` reaches it on {}.",
            by(&|row| !reached(row.paper_mean(), row) && reached(row.per_fold, row))
        ),
        format!("Not even that bound reaches it on {}.", by(&|row| !reached(row.per_fold, row))),
        format!(
            "Where `paper` misses it, the printed figure lies within two standard errors of ours (a rough measure, from \
             the spread of the folds), so that other folds alone could explain it, on {}.",
            by(&|row| !reached(row.paper_mean(), row) && row.within_two_errors())
        ),
    ];
    lines.extend(differences(&done));
    let beyond: Vec<&&Row> =
        done.iter().filter(|row| row.bound.is_some_and(|bound| bound < row.printed - 1e-9)).collect();
    if !beyond.is_empty() {
        lines.push(format!(
            "Where all subsets of a third of the features can be tried, even the best of every fold, chosen by its test rows, stays below the \
             printed figure on {}: with these folds and this SVM no method of selection reaches it.",
            named(&beyond)
        ));
    }
    lines
}

/// Ours less printed, over all data sets.
fn differences(done: &[&Row]) -> Option<String> {
    let mut all: Vec<(f64, &str)> =
        done.iter().filter_map(|row| Some((row.difference()?, row.set.name.as_str()))).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (lowest, highest) = (all.first()?, all.last()?);
    let mean = all.iter().map(|one| one.0).sum::<f64>() / all.len() as f64;
    let median = median(all.iter().map(|one| one.0).collect());
    Some(format!(
        "Ours under `paper` less the printed accuracy: mean {mean:+.2}, median {median:+.2} points, from {:+.2} ({}) to {:+.2} ({}).",
        lowest.0, lowest.1, highest.0, highest.1
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::data_sets;

    #[test]
    fn every_set_is_put_down_to_what_explains_it() {
        let sets = data_sets().unwrap();
        let row = |at: usize, paper: f64, error: f64, per_fold: f64, bound: Option<f64>| Row {
            set: &sets[at],
            printed: 80.0,
            paper: Some(Score { mean: paper, std: error * 10.0_f64.sqrt(), folds: 10 }),
            per_fold: Some(per_fold),
            nested: None,
            bound,
        };
        let rows = [
            row(0, 79.6, 1.0, 81.0, None),
            row(1, 78.0, 1.1, 82.0, None),
            row(2, 77.0, 1.0, 79.0, Some(79.9)),
            row(3, 79.0, 0.1, 79.0, Some(80.0)),
        ];
        let name = |at: usize| sets[at].name.as_str();
        let said = reading(&rows);
        assert!(said[0].ends_with(&format!("on 1 ({}).", name(0))), "{said:?}");
        assert!(said[1].ends_with(&format!("on 1 ({}).", name(1))), "{said:?}");
        assert!(said[2].ends_with(&format!("on 2 ({}, {}).", name(2), name(3))), "{said:?}");
        assert!(said[3].ends_with(&format!("on 1 ({}).", name(1))), "{said:?}");
        let from_to = format!("from -3.00 ({}) to -0.40 ({}).", name(2), name(0));
        assert_eq!(
            said[4],
            format!("Ours under `paper` less the printed accuracy: mean -1.60, median -1.50 points, {from_to}")
        );
        assert!(said[5].contains(&format!("on 1 ({}):", name(2))), "{said:?}");
    }
}
