//! Features that are selected together: the columns of one sensor, the powers of one quantity. A method treats each
//! group as one feature of several columns; the ranking lists its members consecutively, with the score of the group.

use super::{Ranked, RankedPair, SelectError, ranking};
use crate::data::{Dataset, Design};
use crate::linalg::Matrix;
use crate::methods::{Fit, FitError, Pair};
use std::collections::HashMap;
use std::ops::Range;

/// A partition of the features; a feature without a group is a group of its own.
pub(super) struct Groups<'a> {
    data: &'a Dataset,
    /// Indices of the members of every group.
    members: Vec<Vec<usize>>,
}

impl<'a> Groups<'a> {
    pub(super) fn new(data: &'a Dataset, named: &[Vec<String>]) -> Result<Self, SelectError> {
        let mut free: HashMap<&str, usize> =
            data.features.iter().enumerate().map(|(at, feature)| (feature.name.as_str(), at)).collect();
        let mut members = Vec::new();
        for (number, group) in named.iter().enumerate() {
            let fault = |name: &String| match data.index_of(name) {
                Some(_) => SelectError::GroupedTwice { feature: name.clone() },
                None => SelectError::GroupOfUnknown { group: number + 1, feature: name.clone() },
            };
            // A group may name excluded columns: callers that label all columns do not know which are excluded.
            let is_excluded = |name: &&String| data.excluded.iter().any(|one| one.feature == **name);
            let mut indices = group
                .iter()
                .filter(|name| !is_excluded(name))
                .map(|name| free.remove(name.as_str()).ok_or_else(|| fault(name)))
                .collect::<Result<Vec<usize>, _>>()?;
            indices.sort_unstable();
            members.push(indices);
        }
        members.retain(|indices| !indices.is_empty());
        members.extend(free.into_values().map(|at| vec![at]));
        // Groups are sorted by their first member, as features are sorted by name.
        members.sort_unstable();
        Ok(Self { data, members })
    }

    /// The name of the first member of every group.
    pub(super) fn names(&self) -> Vec<&'a str> {
        self.members.iter().map(|indices| self.data.features[indices[0]].name.as_str()).collect()
    }

    /// Merges the columns of every group into one block.
    pub(super) fn merge(&self, design: &Design) -> Design {
        let order: Vec<usize> = self.members.iter().flatten().flat_map(|&at| design.blocks[at].clone()).collect();
        let parts = side_by_side(self.members.iter().flatten().map(|&at| design.blocks[at].len()));
        let width = |indices: &Vec<usize>| indices.iter().map(|&at| design.blocks[at].len()).sum();
        let blocks = side_by_side(self.members.iter().map(width));
        let x = Matrix::from_fn(design.x.rows(), order.len(), |row, col| design.x[(row, order[col])]);
        let rows_of =
            |at: usize| design.filled.iter().find(|(feature, _)| *feature == at).map(|(_, rows)| rows.clone());
        let filled = self.members.iter().enumerate().filter_map(|(group, indices)| {
            let mut rows: Vec<usize> = indices.iter().filter_map(|&at| rows_of(at)).flatten().collect();
            rows.sort_unstable();
            rows.dedup();
            (!rows.is_empty()).then_some((group, rows))
        });
        Design { x, blocks, parts, filled: filled.collect() }
    }

    /// Ranks the groups by a fit.
    pub(super) fn ordered(&self, fit: &Fit) -> Result<Vec<(usize, f64)>, FitError> {
        ranking::ordered_fit(self.data, &self.members, fit)
    }

    /// Number of groups that every selection contains.
    pub(super) fn included(&self) -> usize {
        ranking::included(self.data, &self.members).iter().filter(|included| **included).count()
    }

    /// Number of these groups that are not among the first `own` in the order of the method.
    pub(super) fn included_beyond(&self, own: usize, fit: &Fit) -> usize {
        let included = ranking::included(self.data, &self.members);
        let first = fit.order.iter().flatten().take(own).filter(|group| included[**group]).count();
        self.included() - first
    }

    /// Ranks all features by the ranking of their groups.
    pub(super) fn listed(&self, order: &[(usize, f64)], fit: &Fit) -> Vec<Ranked> {
        ranking::listed(self.data, &self.members, order, &fit.p_values)
    }

    /// Pairs of groups, by the names of their first members.
    pub(super) fn pairs(&self, fit: &Fit) -> Vec<RankedPair> {
        let names = self.names();
        let name = |group: usize| names[group].to_owned();
        let named = |pair: &Pair| {
            let (a, b) = (name(pair.features.0), name(pair.features.1));
            RankedPair { features: if a <= b { (a, b) } else { (b, a) }, p_value: pair.p_value }
        };
        fit.pairs.iter().map(named).collect()
    }

    /// Features of some groups.
    pub(super) fn features_of(&self, order: &[(usize, f64)]) -> Vec<usize> {
        order.iter().flat_map(|&(group, _)| self.members[group].iter().copied()).collect()
    }

    /// Features of the groups that a model does not use, except copies of features that it uses.
    pub(super) fn unused(&self, groups: &[usize]) -> Vec<usize> {
        let left = ranking::unused(self.data, &self.members, groups);
        left.iter().flat_map(|&group| self.members[group].iter().copied()).collect()
    }
}

/// Consecutive ranges of some lengths.
fn side_by_side(lengths: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut end = 0;
    let range = |length| {
        end += length;
        end - length..end
    };
    lengths.map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, DatasetOptions, Table, Target};
    use crate::methods::Method;
    use crate::optim::Silent;
    use crate::select::{SelectOptions, Selection, Size, select};

    fn noise(step: f64) -> Vec<f64> {
        (0..40).map(|row| (f64::from(row) * step).fract()).collect()
    }

    fn chosen(name: &str, mut columns: Vec<Column>, groups: &[&[&str]], size: Size) -> Result<Selection, SelectError> {
        columns.push(Column::text("t", (0..40).map(|row| if row % 2 == 0 { "p" } else { "q" })));
        let options = DatasetOptions::new(Target::named("t"));
        let data = Dataset::new(Table::new(columns).unwrap(), &options).unwrap();
        let method: Method = name.parse().unwrap();
        let groups = groups.iter().map(|group| group.iter().map(|&name| name.to_owned()).collect()).collect();
        let settings = method.settings(&[]).unwrap();
        let options = SelectOptions::new(method).settings(settings).size(size).groups(groups);
        select(&data, &options, &mut Silent)
    }

    /// Columns a and d separate the classes, b and c do not.
    fn selected(groups: &[&[&str]], size: Size) -> Result<Selection, SelectError> {
        let separating =
            |by: f64| (0..40).map(|row| f64::from(row % 2) * by + (f64::from(row) * 0.37).fract()).collect();
        let columns = vec![
            Column::numeric("a", separating(4.0)),
            Column::numeric("b", noise(0.618)),
            Column::numeric("c", noise(0.414)),
            Column::numeric("d", separating(0.6)),
        ];
        chosen("anova", columns, groups, size)
    }

    #[test]
    fn a_constant_feature_ranks_after_groups() {
        for name in ["relieff", "fsor", "mutual-info", "random"] {
            let step = |at: usize| 0.618 + 0.0731 * at as f64;
            let mut columns: Vec<Column> =
                (1..7).map(|at| Column::numeric(format!("x{at}"), noise(step(at)))).collect();
            columns.push(Column::numeric("x0", vec![2.0; 40]));
            let found = chosen(name, columns, &[&["x1", "x6"]], Size::Top(3)).unwrap();
            let last = found.ranking.last().unwrap();
            assert_eq!((last.feature.as_str(), last.score), ("x0", 0.0), "{name}");
            assert!(!found.selected.contains(&"x0".to_owned()), "{name}");
        }
    }

    #[test]
    fn members_stay_together_and_sizes_count_groups() {
        let alone = selected(&[], Size::Top(2)).unwrap();
        assert_eq!(alone.selected, ["a", "d"]);
        let grouped = selected(&[&["c", "a"]], Size::Top(1)).unwrap();
        assert_eq!(grouped.selected, ["a", "c"]);
        assert_eq!(grouped.ranking[0].score, grouped.ranking[1].score);
        let names: Vec<&str> = grouped.ranking.iter().map(|ranked| ranked.feature.as_str()).collect();
        assert_eq!(names, ["a", "c", "d", "b"]);
        assert_eq!(selected(&[&["c", "a"]], Size::Top(2)).unwrap().selected, ["a", "c", "d"]);
    }

    /// A group is not coded as a category: its columns are numbers or indicators.
    #[test]
    fn members_of_a_group_keep_their_coding() {
        let columns = || {
            let level = |row: usize| ["r", "s", "u"][(row * row / 3) % 3];
            vec![
                Column::numeric("a", (0..40).map(|row| f64::from(row % 2) + (f64::from(row) * 0.37).fract()).collect()),
                Column::numeric("b", noise(0.618)),
                Column::text("c", (0..40).map(level)),
                Column::numeric("d", noise(0.414)),
            ]
        };
        let score = |found: &Selection, name: &str| {
            found.ranking.iter().find(|ranked| ranked.feature == name).map(|ranked| ranked.score).unwrap()
        };
        for members in [&["a", "b"][..], &["a", "c"], &["a", "b", "c", "d"]] {
            for (name, whole) in [("mutual-info", f64::max as fn(f64, f64) -> f64), ("relieff", |sum, own| sum + own)] {
                let alone = chosen(name, columns(), &[], Size::Top(1)).unwrap();
                let grouped = chosen(name, columns(), &[members], Size::Top(1)).unwrap();
                let expected = members.iter().map(|member| score(&alone, member)).reduce(whole).unwrap();
                assert!((score(&grouped, "a") - expected).abs() < 1e-12, "{name} {members:?}");
            }
        }
    }

    #[test]
    fn invalid_groups_are_rejected_by_name() {
        let message = |groups: &[&[&str]]| selected(groups, Size::Top(1)).unwrap_err().to_string();
        assert!(message(&[&["a", "z"]]).contains("group 1 names 'z'"), "{}", message(&[&["a", "z"]]));
        assert!(message(&[&["a", "b"], &["b"]]).contains("'b' is in two groups"));
        let rule = Size::Rule("one-se".parse().unwrap());
        assert_eq!(selected(&[&["a", "b"]], rule), Err(SelectError::GroupsAndRule));
    }
}
