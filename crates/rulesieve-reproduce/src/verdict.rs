//! Why a printed figure is missed: what has been measured on a data set, and what that explains.

use crate::bound::Bound;
use crate::manifest::DataSet;
use crate::results::Score;
use crate::tables::shown;
use rulesieve_report::Data;

/// Printed and found scores closer than this, in percent, count as the same.
pub(crate) const CLOSE: f64 = 0.5;

/// What is known about a data set, in percent.
pub(crate) struct Row<'a> {
    pub(crate) set: &'a DataSet,
    pub(crate) printed: Score,
    pub(crate) paper: Option<Score>,
    pub(crate) per_fold: Option<f64>,
    /// The best of all methods, each with the setting that does best on the test rows of every fold.
    pub(crate) anyone: Option<f64>,
    /// All subsets tried, where there are few; known for accuracy.
    pub(crate) bound: Option<&'a Bound>,
}

impl Row<'_> {
    pub(crate) fn paper_mean(&self) -> Option<f64> {
        self.paper.map(|score| score.mean)
    }

    /// Ours under `paper` less the printed figure.
    pub(crate) fn difference(&self) -> Option<f64> {
        Some(self.paper_mean()? - self.printed.mean)
    }

    pub(crate) fn reached_by(&self, value: Option<f64>) -> bool {
        value.is_some_and(|value| value >= self.printed.mean - CLOSE)
    }

    /// Whether other folds might move ours to the printed figure.
    pub(crate) fn within_two_errors(&self) -> bool {
        self.paper.is_some_and(|score| self.printed.mean - score.mean <= 2.0 * score.standard_error())
    }

    /// What explains that ours is not the printed figure, the surest reason first.
    fn verdict(&self) -> &'static str {
        let Some(difference) = self.difference() else { return "" };
        let missed = |best: Option<f64>| best.is_some() && !self.reached_by(best);
        if difference > CLOSE {
            "passed"
        } else if self.reached_by(self.paper_mean()) {
            "reached"
        } else if missed(self.bound.map(|bound| bound.ceiling)) {
            "no third of the features gives it, not even another one in every fold"
        } else if missed(self.bound.map(|bound| bound.fixed)) {
            "no third of the features gives it in all folds together"
        } else if self.within_two_errors() {
            "within two standard errors: other folds could explain it"
        } else if missed(self.anyone) {
            "no method here gives it, not even each with its best setting of every fold"
        } else if self.reached_by(self.per_fold) {
            "only with the best setting of every fold"
        } else {
            "not explained"
        }
    }
}

/// How far ours is from print on every data set, and what explains it.
pub(crate) fn reasons(rows: &[Row]) -> Data {
    let mut data =
        Data::new(["data", "ours", "printed", "ours less printed", "two standard errors of ours", "reading"]);
    for row in rows {
        let Some((score, difference)) = row.paper.zip(row.difference()) else { continue };
        data.push([
            row.set.name.clone(),
            shown(&score),
            shown(&row.printed),
            format!("{difference:+.2}"),
            format!("{:.2}", 2.0 * score.standard_error()),
            row.verdict().to_owned(),
        ]);
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::data_sets;

    #[test]
    fn every_set_is_put_down_to_what_explains_it() {
        let sets = data_sets().unwrap();
        let bound = |fixed: f64, ceiling: f64| Bound { subsets: 1, ceiling, fixed, features: Vec::new() };
        let (low, high, open) = (bound(78.0, 79.4), bound(79.4, 79.6), bound(79.6, 81.0));
        let row = |at: usize, paper: f64, error: f64, per_fold: f64| Row {
            set: &sets[at],
            printed: Score { mean: 80.0, std: 1.5, folds: 10 },
            paper: Some(Score { mean: paper, std: error * 10.0_f64.sqrt(), folds: 10 }),
            per_fold: Some(per_fold),
            anyone: Some(90.0),
            bound: None,
        };
        let rows = [
            row(0, 79.6, 1.0, 81.0),
            Row { bound: Some(&open), ..row(1, 78.0, 1.1, 82.0) },
            Row { bound: Some(&low), ..row(2, 77.0, 2.0, 79.0) },
            Row { bound: Some(&high), ..row(3, 79.0, 0.1, 79.0) },
            Row { anyone: Some(79.4), ..row(4, 79.0, 0.4, 79.3) },
            row(5, 79.0, 0.1, 79.6),
            row(6, 79.0, 0.1, 79.4),
            row(7, 80.6, 0.1, 81.0),
        ];
        let verdicts: Vec<&str> = rows.iter().map(Row::verdict).collect();
        let expected = [
            "reached",
            "within two standard errors: other folds could explain it",
            "no third of the features gives it, not even another one in every fold",
            "no third of the features gives it in all folds together",
            "no method here gives it, not even each with its best setting of every fold",
            "only with the best setting of every fold",
            "not explained",
            "passed",
        ];
        assert_eq!(verdicts, expected);
        assert_eq!(reasons(&rows).rows[1][1..5], ["78.00 ± 3.48", "80.00 ± 1.50", "-2.00", "2.20"]);
    }
}
