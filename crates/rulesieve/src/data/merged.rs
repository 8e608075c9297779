//! Rare categories share one indicator, which limits the number of indicators by the number of rows.

/// Categories with fewer rows than this are rare ...
const FEW_ROWS: usize = 5;
/// ... if they also have fewer than one row in this many: small tables keep their categories.
const FEW_SHARE: usize = 20;
/// Maximum number of unmerged categories for up to 5,000 rows; beyond, a hundredth of the rows.
const MOST_LEVELS: usize = 50;
/// Rows per unmerged category in longer tables.
const ROWS_PER_LEVEL: usize = 100;
/// The name of the merged category.
const OTHER: &str = "other";

/// The categories of a column after merging the rare ones.
pub(crate) struct MergedLevels {
    /// Names, the merged one last.
    pub(crate) names: Vec<String>,
    /// Numbers of rows.
    pub(crate) counts: Vec<usize>,
    /// For every original category its index among them.
    pub(crate) indices: Vec<u32>,
    /// Whether the last one stands for merged categories.
    pub(crate) other: bool,
}

impl MergedLevels {
    /// Merges nothing.
    pub(crate) fn all(names: Vec<String>, counts: Vec<usize>) -> Self {
        Self { indices: (0..names.len() as u32).collect(), names, counts, other: false }
    }

    /// Merges rare categories if there are at least two: those with fewer than 5 rows (and fewer than one row in 20),
    /// and the rarest beyond `max(50, rows / 100)`, at most `limit`. Among equally frequent ones the first are kept.
    pub(crate) fn new(names: Vec<String>, counts: Vec<usize>, limit: usize) -> Self {
        let rows: usize = counts.iter().sum();
        let most = (rows / ROWS_PER_LEVEL).max(MOST_LEVELS).min(limit.saturating_sub(1));
        let mut order: Vec<usize> = (0..counts.len()).collect();
        order.sort_by_key(|&level| (std::cmp::Reverse(counts[level]), level));
        let is_rare = |level: usize| counts[level] < FEW_ROWS && counts[level] * FEW_SHARE < rows;
        let mut own = vec![false; counts.len()];
        order.iter().take(most).filter(|&&level| !is_rare(level)).for_each(|&level| own[level] = true);
        let merged = own.iter().filter(|own| !**own).count();
        if counts.len() <= 2 || merged < 2 {
            return Self::all(names, counts);
        }
        let mut next = 0;
        let last = (counts.len() - merged) as u32;
        let index = |own: &bool| {
            next += u32::from(*own);
            if *own { next - 1 } else { last }
        };
        let indices: Vec<u32> = own.iter().map(index).collect();
        let mut totals = vec![0; last as usize + 1];
        indices.iter().zip(&counts).for_each(|(&index, count)| totals[index as usize] += count);
        let mut kept: Vec<String> =
            names.into_iter().zip(&own).filter(|(_, own)| **own).map(|(name, _)| name).collect();
        kept.push(free_name(OTHER, &kept));
        Self { names: kept, counts: totals, indices, other: true }
    }
}

/// A name for a category that differs from all others.
pub(super) fn free_name(name: &str, taken: &[String]) -> String {
    let mut name = name.to_owned();
    while taken.contains(&name) {
        name = format!("({name})");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(counts: &[usize]) -> (Vec<String>, Vec<usize>, Vec<u32>) {
        let names = (0..counts.len()).map(|level| format!("l{level}")).collect();
        let found = MergedLevels::new(names, counts.to_vec(), 1000);
        assert_eq!(found.other, found.names.last().is_some_and(|name| name == OTHER));
        (found.names, found.counts, found.indices)
    }

    #[test]
    fn rare_levels_share_an_index() {
        let (names, counts, indices) = merged(&[40, 4, 60, 1, 5]);
        assert_eq!(
            (names.join(" "), counts, indices),
            ("l0 l2 l4 other".into(), vec![40, 60, 5, 5], vec![0, 3, 1, 3, 2])
        );
        // A single rare level, two levels, and a table so small that no level is rare.
        for counts in [&[40, 4, 60][..], &[1, 99], &[4, 4, 4], &[1, 1, 2]] {
            assert_eq!(merged(counts).1, counts, "nothing to merge");
        }
    }

    #[test]
    fn the_most_frequent_levels_are_kept() {
        let mut counts = vec![10; 80];
        counts[79] = 11;
        let (names, counts, indices) = merged(&counts);
        assert_eq!((names.len(), counts[50], indices[79], indices[48], indices[49]), (51, 300, 49, 48, 50));
        assert_eq!(merged(&[100; 80]).0.len(), 80, "8,000 rows allow 80 levels");
        assert_eq!(merged(&[1; 5000]).0, [OTHER]);
    }

    #[test]
    fn the_merged_level_has_a_name_of_its_own() {
        let names = ["other", "a", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!(MergedLevels::new(names, vec![50, 50, 1, 1], 1000).names, ["other", "a", "(other)"]);
    }
}
