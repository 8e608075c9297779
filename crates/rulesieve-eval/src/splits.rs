//! Training and test rows: stratified folds, folds of groups, leave-one-out, repeated folds, and folds in the order of time.

mod scikit;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rulesieve::Remedy;
use rulesieve::data::{Column, ColumnData, names};
use rulesieve::select::stratified_folds;
use std::cmp::Ordering;
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
    /// The stratified folds of scikit-learn, `StratifiedKFold(folds, shuffle=True, random_state=seed)`.
    ScikitFolds {
        /// Number of folds.
        folds: usize,
        /// Its seed, instead of that of the evaluation.
        seed: u32,
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
    /// Blocks of time of about equal size: each but the first is tested by the blocks before it. Rows of the same time stay together.
    Time {
        /// Number of tested blocks.
        folds: usize,
        /// The rank of the time of each row.
        times: Vec<u32>,
        /// Number of blocks before the test rows to train on (a rolling window); all if absent (an expanding window).
        window: Option<usize>,
    },
}

/// Rows that cannot be split.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum SplitError {
    /// Fewer than two folds.
    #[error("{folds} folds are not allowed")]
    TooFewFolds { folds: usize },
    /// More folds than rows or groups.
    #[error("{folds} folds of {count} {what} are not allowed")]
    TooManyFolds { folds: usize, count: usize, what: &'static str },
    /// Too few different times.
    #[error("{folds} folds in the order of time need {} different times, and there are {times}", folds + 1)]
    TooFewTimes { folds: usize, times: usize },
    /// A window without a block.
    #[error("a window of 0 blocks is not allowed")]
    NoWindow,
}

impl SplitError {
    /// Returns the remedy.
    pub fn remedy(&self) -> Option<Remedy> {
        Some(Remedy::plain(match self {
            Self::TooFewFolds { .. } => "use at least 2".to_owned(),
            Self::TooManyFolds { count, .. } => format!("use at most {count}"),
            Self::TooFewTimes { times: 0 | 1, .. } => "use another column".to_owned(),
            Self::TooFewTimes { times, .. } => format!("use at most {}", times - 1),
            Self::NoWindow => "use at least 1".to_owned(),
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
        Plan::ScikitFolds { folds, seed } => {
            check(*folds, codes.len(), "rows")?;
            Ok(of_folds(&scikit::stratified_folds(codes, *folds, *seed), *folds))
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
        Plan::Time { folds, times, window } => by_time(times, *folds, *window),
    }
}

/// Cuts rows into blocks of time, and tests each block but the first by those before it.
fn by_time(times: &[u32], folds: usize, window: Option<usize>) -> Result<Vec<Split>, SplitError> {
    let mut groups: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    times.iter().enumerate().for_each(|(row, &time)| groups.entry(time).or_default().push(row));
    match (folds, window) {
        (0, _) => return Err(SplitError::TooFewTimes { folds: 1, times: groups.len().min(1) }),
        _ if folds >= groups.len() => return Err(SplitError::TooFewTimes { folds, times: groups.len() }),
        (_, Some(0)) => return Err(SplitError::NoWindow),
        _ => {}
    }
    let count = folds + 1;
    let (mut blocks, mut rows, mut left) = (vec![Vec::new(); count], 0, groups.len());
    let mut block = 0;
    for group in groups.into_values() {
        // Begins the next block at the end of its share, or if every remaining time must begin one.
        let full = !blocks[block].is_empty() && 2 * rows + group.len() > 2 * (block + 1) * times.len() / count;
        if block + 1 < count && (full || left < count - block) {
            block += 1;
        }
        (rows, left) = (rows + group.len(), left - 1);
        blocks[block].extend(group);
    }
    blocks.iter_mut().for_each(|block| block.sort_unstable());
    let split = |at: usize| {
        let mut train = blocks[at - at.min(window.unwrap_or(at))..at].concat();
        train.sort_unstable();
        Split { train, test: blocks[at].clone() }
    };
    Ok((1..count).map(split).collect())
}

/// Returns the rank of the time of each row, from a column of numbers or dates, or of texts that begin with a date such as 2026-03-14
/// and sort in the order of time.
///
/// # Errors
/// Fails at the first row, counted from 0, without a time.
pub fn time_ranks(column: &Column) -> Result<Vec<u32>, TimeError> {
    let fault =
        |row: usize| TimeError { column: names::short(&column.name), row, value: names::short(&column.cell(row)) };
    match &column.data {
        ColumnData::Numeric(values) | ColumnData::Dates(values) => match values.iter().position(|value| value.is_nan())
        {
            Some(row) => Err(fault(row)),
            None => Ok(ranks(values, f64::total_cmp)),
        },
        ColumnData::Text(_) => {
            let cells: Vec<String> = (0..column.len()).map(|row| column.cell(row).trim().to_owned()).collect();
            match cells.iter().position(|cell| !is_date(cell)) {
                Some(row) => Err(fault(row)),
                None => Ok(ranks(&cells, String::cmp)),
            }
        }
    }
}

/// A row without a time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column '{column}' holds no time in data row {}: '{value}'", row + 1)]
pub struct TimeError {
    /// The column.
    pub column: String,
    /// The row, from 0.
    pub row: usize,
    /// Its value, shortened.
    pub value: String,
}

impl TimeError {
    /// Suggested fix.
    pub fn remedy(&self) -> Option<Remedy> {
        Some(Remedy::plain("use numbers, or dates such as 2026-03-14 or 2026-03-14 09:30"))
    }
}

/// Returns whether a text begins with a year, optionally followed by a month, a day and a time of two digits each.
fn is_date(text: &str) -> bool {
    let form = "dddd-dd-ddTdd:dd:dd";
    let matches = |(letter, form): (char, char)| match form {
        'd' => letter.is_ascii_digit(),
        'T' => letter == 'T' || letter == ' ',
        _ => letter == form,
    };
    let length = text.chars().count();
    let complete = [4, 7, 10, 16].contains(&length) || length >= form.len();
    complete && text.chars().zip(form.chars()).all(matches)
}

fn ranks<T>(values: &[T], order: impl Fn(&T, &T) -> Ordering) -> Vec<u32> {
    let mut rows: Vec<usize> = (0..values.len()).collect();
    rows.sort_by(|&a, &b| order(&values[a], &values[b]));
    let mut ranks = vec![0; values.len()];
    for pair in rows.windows(2) {
        let later = order(&values[pair[0]], &values[pair[1]]) == Ordering::Less;
        ranks[pair[1]] = ranks[pair[0]] + u32::from(later);
    }
    ranks
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

/// Draws at most this many rows, stratified by class; indices ascending.
pub(crate) fn stratified_sample(codes: &[u32], most: usize, seed: u64) -> Vec<usize> {
    if codes.len() <= most {
        return (0..codes.len()).collect();
    }
    let mut members: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    codes.iter().enumerate().for_each(|(row, &code)| members.entry(code).or_default().push(row));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut rows = Vec::with_capacity(most);
    let (mut seen, mut drawn) = (0_u128, 0_usize);
    for mut class in members.into_values() {
        class.shuffle(&mut rng);
        // The share of the rows so far, rounded down, so that the sum of all is the limit.
        seen += class.len() as u128;
        let until = (seen * most as u128 / codes.len() as u128) as usize;
        rows.extend(class.into_iter().take(until - drawn));
        drawn = until;
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
    use rulesieve::data::TextColumn;
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
    fn blocks_of_time_follow_each_other() {
        let of = |folds, times: &[u32], window| splits(&Plan::Time { folds, times: times.to_vec(), window }, &[], 0);
        let found = of(2, &[5, 1, 1, 9, 5, 7], None).unwrap();
        assert_eq!(found[0], Split { train: vec![1, 2], test: vec![0, 4] });
        assert_eq!(found[1], Split { train: vec![0, 1, 2, 4], test: vec![3, 5] });
        assert_eq!(of(2, &[5, 1, 1, 9, 5, 7], Some(1)).unwrap()[1].train, [0, 4]);
        // Most rows have one time: every block still has one.
        let uneven = of(3, &[1, 1, 1, 1, 1, 1, 2, 3, 4], None).unwrap();
        assert_eq!(uneven.iter().map(|split| split.test.clone()).collect::<Vec<_>>(), [vec![6], vec![7], vec![8]]);
        let late = of(3, &[1, 2, 3, 4, 4, 4, 4, 4, 4], None).unwrap();
        assert_eq!(late[2], Split { train: vec![0, 1, 2], test: (3..9).collect() });
        assert!(of(2, &[1, 1, 2], None).unwrap_err().to_string().contains("need 3 different times, and there are 2"));
        assert_eq!(of(1, &[1, 2], Some(0)), Err(SplitError::NoWindow));
        assert!(of(0, &[1, 2], None).is_err());
    }

    #[test]
    fn times_are_numbers_or_dates() {
        let texts = |cells: &[&str]| {
            let mut column = TextColumn::default();
            cells.iter().for_each(|cell| column.push(cell));
            time_ranks(&Column { name: "t".into(), data: ColumnData::Text(column) })
        };
        let numbers =
            |cells: &[f64]| time_ranks(&Column { name: "t".into(), data: ColumnData::Numeric(cells.to_vec()) });
        assert_eq!(numbers(&[2.5, -1.0, 2.5, 9.0]).unwrap(), [1, 0, 1, 2]);
        assert_eq!(texts(&["2026-03-14", "2025-12-31", "2026-03-14"]).unwrap(), [1, 0, 1]);
        assert_eq!(texts(&["2026-03-14 09:30", "2026-03-14T09:30:00.5Z"]).unwrap(), [0, 1]);
        assert_eq!(texts(&["1999", "2001"]).unwrap(), [0, 1]);
        assert!(numbers(&[1.0, f64::NAN]).unwrap_err().to_string().contains("no time in data row 2"));
        for wrong in ["14.03.2026", "March", "", "2026-3-1", "2026-03-1"] {
            assert_eq!(texts(&["2026-03-14", wrong]).unwrap_err().value, wrong);
        }
    }

    #[test]
    fn samples_are_stratified() {
        let codes: Vec<u32> = (0..1000).map(|row| u32::from(row % 10 == 0)).collect();
        let rows = stratified_sample(&codes, 99, 1);
        assert!(rows.len() == 99 && rows.is_sorted_by(|a, b| a < b) && stratified_sample(&codes, 99, 2) != rows);
        assert!((9..=10).contains(&rows.iter().filter(|&&row| codes[row] == 1).count()));
        assert_eq!(stratified_sample(&codes[..50], 50, 1), (0..50).collect::<Vec<_>>());
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
