//! Columns and target as a few bins, for contingency tables.

use crate::methods::sieve::columns::{Column, Goal, Values};

/// Classes into which a numeric target is cut.
const TARGET_CLASSES: usize = 4;

/// The smallest expected count of a cell: below, the chi-squared distribution is no longer that of the statistic.
pub(super) const EXPECTED: usize = 5;

/// The bin of every row of the scan, and the number of bins.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bins {
    pub(super) codes: Vec<u8>,
    pub(super) count: usize,
}

/// The class of every row of the scan; numbers are cut into classes of equal count.
pub(super) fn classes(goal: &Goal, rows: &[usize]) -> (Vec<u32>, usize) {
    match goal {
        Goal::Classes(codes, count) => (rows.iter().map(|&row| codes[row]).collect(), *count),
        Goal::Numbers(values) => {
            let taken: Vec<f64> = rows.iter().map(|&row| values[row]).collect();
            let bins = of_equal_count(&taken, &(0..taken.len()).collect::<Vec<_>>(), TARGET_CLASSES);
            (bins.iter().map(|&bin| u32::from(bin)).collect(), TARGET_CLASSES)
        }
    }
}

/// New codes of the classes with at least `least` rows, at most `most` of them; the others together are one class where they
/// have as many rows, else they have none. Also the number of new classes.
pub(super) fn frequent_classes(counts: &[usize], least: usize, most: usize) -> (Vec<Option<u32>>, usize) {
    let mut frequent: Vec<usize> = (0..counts.len()).filter(|&class| counts[class] >= least).collect();
    if frequent.len() > most {
        frequent.sort_by_key(|&class| std::cmp::Reverse(counts[class]));
        frequent.truncate(most.saturating_sub(1));
        frequent.sort_unstable();
    }
    let mut map = vec![None; counts.len()];
    frequent.iter().zip(0..).for_each(|(&class, code)| map[class] = Some(code));
    let rare: usize = counts.iter().zip(&map).filter(|(_, code)| code.is_none()).map(|(count, _)| count).sum();
    let merged = rare >= least;
    if merged {
        let code = frequent.len() as u32;
        map.iter_mut().filter(|own| own.is_none()).for_each(|own| *own = Some(code));
    }
    (map, frequent.len() + usize::from(merged))
}

/// The largest number of cells, from the squares or the numbers up to `most`, that leaves two classes with the expected count.
pub(super) fn affordable(counts: &[usize], most: usize, cells: impl Fn(usize) -> usize) -> Option<usize> {
    let mut sorted = counts.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let second = sorted.get(1).copied().unwrap_or(0);
    (2..=most).rev().find(|&bins| second >= EXPECTED * cells(bins))
}

/// Bins of every part of a feature: at most `most` for numbers and `levels` for categories; a category, or missing values,
/// with fewer than `least` rows is merged with others. Parts with a single bin are left out.
pub(super) fn of_column(column: &Column, rows: &[usize], (most, levels): (usize, usize), least: usize) -> Vec<Bins> {
    let bins = column.parts.iter().map(|part| match part {
        Values::Numeric(values) => {
            let taken: Vec<f64> = rows.iter().map(|&row| values[row]).collect();
            numeric(&taken, &missing(column, rows), most, least)
        }
        Values::Levels(codes, count) => {
            let mut taken: Vec<u32> = rows.iter().map(|&row| codes[row]).collect();
            let missing = missing(column, rows);
            taken.iter_mut().zip(&missing).filter(|(_, missing)| **missing).for_each(|(code, _)| *code = *count as u32);
            frequent_levels(&taken, count + 1, levels, least)
        }
    });
    bins.filter(|bins| bins.count > 1).collect()
}

/// Whether the value of every row was missing; empty where none was, or where the feature has several parts.
pub(super) fn missing(column: &Column, rows: &[usize]) -> Vec<bool> {
    if column.missing.is_empty() || column.parts.len() > 1 {
        return Vec::new();
    }
    rows.iter().map(|row| column.missing.binary_search(row).is_ok()).collect()
}

fn numeric(values: &[f64], missing: &[bool], most: usize, least: usize) -> Bins {
    let absent = missing.iter().filter(|&&missing| missing).count();
    let own_bin = absent >= least.max(1);
    let present: Vec<usize> = (0..values.len()).filter(|&row| !own_bin || !missing[row]).collect();
    let mut codes = vec![most as u8; values.len()];
    for (&row, bin) in present.iter().zip(merged(of_equal_count(values, &present, most), most, least)) {
        codes[row] = bin;
    }
    compressed(codes)
}

/// The bin of every value, of as many as asked for; some may be empty.
pub(super) fn of_ranks(values: &[f64], bins: usize) -> Vec<u8> {
    of_equal_count(values, &(0..values.len()).collect::<Vec<_>>(), bins)
}

/// Whether a number of every row is in the upper one of two bins of about equal count.
pub(super) fn upper_half(values: &[f64], rows: &[usize]) -> Bins {
    Bins { codes: of_equal_count(values, rows, 2), count: 2 }
}

/// Bins of which each has at least `least` rows: a smaller one joins the smaller of its neighbours.
fn merged(mut codes: Vec<u8>, most: usize, least: usize) -> Vec<u8> {
    let mut counts = vec![0_usize; most];
    codes.iter().for_each(|&code| counts[usize::from(code)] += 1);
    // The bins that are left, in order, each with the bins that it holds.
    let mut left: Vec<(usize, Vec<usize>)> =
        counts.iter().enumerate().filter(|(_, count)| **count > 0).map(|(bin, &count)| (count, vec![bin])).collect();
    while left.len() > 1 {
        let Some(small) = (0..left.len()).min_by_key(|&at| left[at].0).filter(|&at| left[at].0 < least) else { break };
        let (count, bins) = left.remove(small);
        let before = small.checked_sub(1);
        let after = Some(small).filter(|&at| at < left.len());
        let into = [before, after].into_iter().flatten().min_by_key(|&at| left[at].0).unwrap_or(0);
        left[into].0 += count;
        left[into].1.extend(bins);
    }
    let mut place = vec![0_u8; most];
    for (at, (_, bins)) in left.iter().enumerate() {
        bins.iter().for_each(|&bin| place[bin] = at as u8);
    }
    codes.iter_mut().for_each(|code| *code = place[usize::from(*code)]);
    codes
}

/// The bin of some rows: that of the middle rank of all equal values, so that changing all signs changes no bin but its number.
fn of_equal_count(values: &[f64], rows: &[usize], bins: usize) -> Vec<u8> {
    let order = ascending(rows.iter().map(|&row| values[row]));
    let mut out = vec![0; rows.len()];
    let mut first = 0;
    while first < order.len() {
        let equal = order[first..].iter().take_while(|(key, _)| *key == order[first].0).count();
        let bin = ((2 * first + equal) * bins / (2 * rows.len())) as u8;
        order[first..first + equal].iter().for_each(|&(_, at)| out[at as usize] = bin);
        first += equal;
    }
    out
}

/// The places of some values in ascending order, each with a key that is equal for equal values.
pub(super) fn ascending(values: impl Iterator<Item = f64>) -> Vec<(u64, u32)> {
    // The order of these integers is that of the numbers; adding zero makes both zeros equal.
    let key = |value: f64| {
        let bits = (value + 0.0).to_bits();
        if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
    };
    let mut order: Vec<(u64, u32)> = values.zip(0..).map(|(value, at)| (key(value), at)).collect();
    order.sort_unstable();
    order
}

fn frequent_levels(codes: &[u32], count: usize, most: usize, least: usize) -> Bins {
    let mut counts = vec![0_usize; count];
    codes.iter().for_each(|&code| counts[code as usize] += 1);
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&level| std::cmp::Reverse(counts[level]));
    let all_fit = count <= most && counts.iter().all(|&count| count == 0 || count >= least);
    let kept = if all_fit { count } else { order.iter().take(most - 1).take_while(|&&at| counts[at] >= least).count() };
    let rest: usize = order[kept..].iter().map(|&level| counts[level]).sum();
    // A rest that is too small joins the rarest level that is kept.
    let last = if rest >= least { kept } else { kept.saturating_sub(1) };
    let mut bin = vec![last as u8; count];
    order[..kept].iter().enumerate().for_each(|(at, &level)| bin[level] = at as u8);
    compressed(codes.iter().map(|&code| bin[code as usize]).collect())
}

/// Codes without gaps.
fn compressed(mut codes: Vec<u8>) -> Bins {
    let mut used = [false; 256];
    codes.iter().for_each(|&code| used[usize::from(code)] = true);
    let mut place = [0_u8; 256];
    let mut count = 0;
    for (code, used) in used.iter().enumerate() {
        place[code] = count as u8;
        count += usize::from(*used);
    }
    codes.iter_mut().for_each(|code| *code = place[usize::from(*code)]);
    Bins { codes, count }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_have_equal_counts_and_equal_values_share_one() {
        let bins = |values: &[f64], most| numeric(values, &[], most, 1).codes;
        assert_eq!(bins(&[5.0, 1.0, 3.0, 2.0, 4.0, 6.0, 8.0, 7.0], 4), [2, 0, 1, 0, 1, 2, 3, 3]);
        assert_eq!(bins(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0], 4), [0, 0, 0, 0, 0, 0, 1, 1]);
        assert_eq!(bins(&[0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], 4), [0, 1, 1, 1, 1, 1, 1, 1], "any share of ones");
    }

    #[test]
    fn missing_values_have_a_bin_where_they_are_enough() {
        let values = [1.0, 2.0, 3.0, 4.0, 2.5, 2.5];
        let missing = [false, false, false, false, true, true];
        assert_eq!(numeric(&values, &missing, 2, 2).codes, [0, 0, 1, 1, 2, 2]);
        let missing = [false, false, false, false, false, true];
        assert_eq!(numeric(&[1.0, 2.0, 2.4, 3.0, 4.0, 2.5], &missing, 2, 2).codes, [0, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn changing_all_signs_changes_no_bin() {
        let values = [0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 2.0, 3.0, 3.0, 3.0, 3.0];
        let negative: Vec<f64> = values.iter().map(|value| -value).collect();
        for most in 2..5 {
            let (bins, mirrored) = (numeric(&values, &[], most, 1), numeric(&negative, &[], most, 1));
            let mirrored: Vec<u8> = mirrored.codes.iter().map(|&bin| (mirrored.count - 1) as u8 - bin).collect();
            assert_eq!(bins.codes, mirrored, "{most}");
        }
    }

    #[test]
    fn small_bins_are_merged() {
        let values = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        assert_eq!(numeric(&values, &[], 4, 2).count, 1);
        assert_eq!(merged(vec![0, 0, 0, 1, 2, 2, 3, 3, 3], 4, 2), [0, 0, 0, 1, 1, 1, 2, 2, 2]);
    }

    #[test]
    fn rare_levels_are_merged() {
        let codes = [0, 0, 0, 0, 1, 1, 1, 2, 3, 3, 3, 3, 3];
        let bins = frequent_levels(&codes, 4, 8, 3);
        assert_eq!((bins.count, bins.codes[7]), (3, bins.codes[4]), "one row joins the rarest level");
        assert_eq!(frequent_levels(&codes, 4, 2, 3).count, 2);
        assert_eq!(frequent_levels(&[0, 1, 2, 3, 4, 5], 6, 8, 3).count, 1, "nothing but rare levels");
    }

    #[test]
    fn rare_classes_are_merged_or_left_out() {
        assert_eq!(frequent_classes(&[10, 3, 12, 2], 5, 9), (vec![Some(0), Some(2), Some(1), Some(2)], 3));
        assert_eq!(frequent_classes(&[10, 3, 12], 5, 9), (vec![Some(0), None, Some(1)], 2));
        assert_eq!(frequent_classes(&[9; 5], 5, 3), (vec![Some(0), Some(1), Some(2), Some(2), Some(2)], 3));
        assert_eq!(affordable(&[100, 80, 3], 4, |bins| bins * bins), Some(4));
        assert_eq!(affordable(&[100, 50], 4, |bins| bins * bins), Some(3));
        assert_eq!(affordable(&[100, 15], 4, |bins| bins * bins), None);
    }
}
