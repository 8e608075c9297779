//! Training and test rows: stratified folds, folds of groups, leave-one-out, and repeated folds.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rulesieve::Remedy;
use rulesieve::select::stratified_folds;
use std::collections::BTreeMap;

/// Indices of training and test rows, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// Training rows.
    pub train: Vec<usize>,
    /// Test rows.
    pub test: Vec<usize>,
}

/// How rows are split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    /// Stratified folds, drawn independently for each repeat.
    Folds {
        /// Number of folds.
        folds: usize,
        /// Number of repeats.
        repeats: usize,
    },
    /// Folds that keep the rows of a group together, of about equal size.
    Groups {
        /// Number of folds.
        folds: usize,
        /// The group of each row.
        groups: Vec<u32>,
    },
    /// One split per row.
    LeaveOneOut,
}

/// Rows that cannot be split.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SplitError {
    /// Fewer than two folds.
    #[error("{folds} folds are not allowed")]
    TooFewFolds {
        /// The folds.
        folds: usize,
    },
    /// More folds than rows or groups.
    #[error("{folds} folds of {count} {what} are not allowed")]
    TooManyFolds {
        /// The folds.
        folds: usize,
        /// The number of rows or groups.
        count: usize,
        /// `rows` or `groups`.
        what: &'static str,
    },
}

impl SplitError {
    /// Returns the remedy.
    pub fn remedy(&self) -> Option<Remedy> {
        Some(Remedy::plain(match self {
            Self::TooFewFolds { .. } => "use at least 2".to_owned(),
            Self::TooManyFolds { count, .. } => format!("use at most {count}"),
        }))
    }
}

/// Splits rows with these classes (all equal for regression). The same seed gives the same splits.
///
/// # Errors
/// Fails for fewer than two folds, or more folds than rows or groups.
pub fn splits(plan: &Plan, codes: &[u32], seed: u64) -> Result<Vec<Split>, SplitError> {
    match plan {
        Plan::Folds { folds, repeats } => {
            check(*folds, codes.len(), "rows")?;
            let repeat = |repeat: usize| of_folds(&stratified_folds(codes, *folds, seed, repeat as u64), *folds);
            Ok((0..(*repeats).max(1)).flat_map(repeat).collect())
        }
        Plan::Groups { folds, groups } => {
            let count = groups.iter().max().map_or(0, |&most| most as usize + 1);
            let mut sizes = vec![0_usize; count];
            groups.iter().for_each(|&group| sizes[group as usize] += 1);
            check(*folds, sizes.iter().filter(|&&size| size > 0).count(), "groups")?;
            let fold_of = by_size(&sizes, *folds, seed);
            Ok(of_folds(&groups.iter().map(|&group| fold_of[group as usize]).collect::<Vec<_>>(), *folds))
        }
        Plan::LeaveOneOut => {
            check(2, codes.len(), "rows")?;
            Ok(of_folds(&(0..codes.len()).collect::<Vec<_>>(), codes.len()))
        }
    }
}

/// Draws half of the rows: stratified by class, or complete groups until half of the rows are drawn.
pub fn subsample(plan: &Plan, codes: &[u32], seed: u64) -> Vec<usize> {
    let Plan::Groups { groups, .. } = plan else {
        let fold = stratified_folds(codes, 2, seed, 0);
        return (0..codes.len()).filter(|&row| fold[row] == 0).collect();
    };
    let mut members: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    groups.iter().enumerate().for_each(|(row, &group)| members.entry(group).or_default().push(row));
    let mut order: Vec<Vec<usize>> = members.into_values().collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    let mut rows = Vec::new();
    for group in order {
        if 2 * rows.len() >= codes.len() {
            break;
        }
        rows.extend(group);
    }
    rows.sort_unstable();
    rows
}

fn check(folds: usize, count: usize, what: &'static str) -> Result<(), SplitError> {
    match folds {
        0 | 1 => Err(SplitError::TooFewFolds { folds }),
        _ if folds > count => Err(SplitError::TooManyFolds { folds, count, what }),
        _ => Ok(()),
    }
}

/// Assigns groups to folds: large groups first, each to the fold with the fewest rows so far.
fn by_size(sizes: &[usize], folds: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    order.sort_by_key(|&group| std::cmp::Reverse(sizes[group]));
    let (mut fold_of, mut filled) = (vec![0; sizes.len()], vec![0_usize; folds]);
    for group in order {
        let fold = (0..folds).min_by_key(|&fold| (filled[fold], fold)).unwrap_or(0);
        fold_of[group] = fold;
        filled[fold] += sizes[group];
    }
    fold_of
}

fn of_folds(fold_of: &[usize], folds: usize) -> Vec<Split> {
    let mut splits = vec![Split { train: Vec::new(), test: Vec::new() }; folds];
    for (row, &own) in fold_of.iter().enumerate() {
        for (fold, split) in splits.iter_mut().enumerate() {
            if fold == own { split.test.push(row) } else { split.train.push(row) }
        }
    }
    splits
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn codes() -> Vec<u32> {
        (0..53).map(|row| if row % 10 == 3 { 2 } else { u32::from(row % 3 == 0) }).collect()
    }

    #[test]
    fn folds_are_stratified_and_test_each_row_once() {
        let codes = codes();
        let found = splits(&Plan::Folds { folds: 5, repeats: 3 }, &codes, 7).unwrap();
        assert_eq!(found.len(), 15);
        for repeat in found.chunks(5) {
            let mut tested: Vec<usize> = repeat.iter().flat_map(|split| split.test.clone()).collect();
            tested.sort_unstable();
            assert_eq!(tested, (0..53).collect::<Vec<_>>());
            for split in repeat {
                assert!((10..=11).contains(&split.test.len()) && split.train.len() + split.test.len() == 53);
                assert!(split.train.iter().all(|row| !split.test.contains(row)));
                for class in 0..3 {
                    let all = codes.iter().filter(|&&code| code == class).count();
                    let here = split.test.iter().filter(|&&row| codes[row] == class).count();
                    assert!((here as f64 - all as f64 / 5.0).abs() <= 1.0, "{here} of {all}");
                }
            }
        }
        assert_ne!(found[..5], found[5..10], "repeats differ");
        assert_eq!(splits(&Plan::Folds { folds: 5, repeats: 3 }, &codes, 7).unwrap(), found);
        assert_ne!(splits(&Plan::Folds { folds: 5, repeats: 3 }, &codes, 8).unwrap(), found);
    }

    #[test]
    fn groups_stay_together() {
        let groups: Vec<u32> = (0..60).map(|row| [0, 1, 1, 2, 3, 3, 3, 4, 5, 6][row % 10]).collect();
        let found = splits(&Plan::Groups { folds: 3, groups: groups.clone() }, &[0; 60], 1).unwrap();
        for split in &found {
            assert!(split.test.iter().all(|&row| split.train.iter().all(|&other| groups[row] != groups[other])));
            assert!((18..=24).contains(&split.test.len()), "{}", split.test.len());
        }
    }

    #[test]
    fn subsamples_depend_on_the_seed_and_keep_groups_together() {
        let groups: Vec<u32> =
            [14, 11, 8, 5].into_iter().enumerate().flat_map(|(group, rows)| vec![group as u32; rows]).collect();
        let grouped = Plan::Groups { folds: 2, groups: groups.clone() };
        let subsamples: BTreeSet<Vec<usize>> = (0..20).map(|seed| subsample(&grouped, &[0; 38], seed)).collect();
        assert!(subsamples.len() > 3, "{}", subsamples.len());
        for rows in &subsamples {
            let whole = |group: u32| {
                let here = rows.iter().filter(|&&row| groups[row] == group).count();
                here == 0 || here == groups.iter().filter(|&&own| own == group).count()
            };
            assert!((0..4).all(whole) && (19..38).contains(&rows.len()));
        }
        let codes = codes();
        let plain = subsample(&Plan::LeaveOneOut, &codes, 1);
        assert!((26..=27).contains(&plain.len()) && subsample(&Plan::LeaveOneOut, &codes, 2) != plain);
    }

    #[test]
    fn leave_one_out_and_errors() {
        let found = splits(&Plan::LeaveOneOut, &[0, 1, 0], 1).unwrap();
        assert_eq!(found[1], Split { train: vec![0, 2], test: vec![1] });
        let error = |plan: &Plan| {
            let error = splits(plan, &[0, 1, 0], 1).unwrap_err();
            error.remedy().map_or_else(|| error.to_string(), |remedy| format!("{error}; {remedy}"))
        };
        assert!(error(&Plan::Folds { folds: 1, repeats: 1 }).contains("at least 2"));
        assert!(error(&Plan::Folds { folds: 4, repeats: 1 }).contains("4 folds of 3 rows"));
        assert!(error(&Plan::Groups { folds: 3, groups: vec![0, 0, 4] }).contains("3 folds of 2 groups"));
    }
}
