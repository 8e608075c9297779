//! Intervals of multipliers that share one factorisation or one set of nodes.

/// Columns whose multipliers lie in one interval.
#[derive(Debug, Clone)]
pub(super) struct Group<P> {
    /// The columns, ascending.
    pub(super) columns: Vec<usize>,
    /// The smallest multiplier among them.
    pub(super) low: f64,
    /// The largest.
    pub(super) high: f64,
    /// The plan of this interval.
    pub(super) plan: P,
}

/// Halves the interval of all multipliers until `plan(low, high)` accepts each part. A single point must be accepted.
pub(super) fn split<P>(lambda: &[f64], plan: impl Fn(f64, f64) -> Option<P>) -> Vec<Group<P>> {
    let mut columns: Vec<usize> = (0..lambda.len()).collect();
    columns.sort_by(|&a, &b| lambda[a].total_cmp(&lambda[b]).then(a.cmp(&b)));
    let mut groups = Vec::new();
    let mut waiting = if columns.is_empty() { Vec::new() } else { vec![columns] };
    while let Some(mut columns) = waiting.pop() {
        let (low, high) = (lambda[columns[0]], lambda[columns[columns.len() - 1]]);
        if let Some(plan) = plan(low, high) {
            columns.sort_unstable();
            groups.push(Group { columns, low, high, plan });
            continue;
        }
        let middle = low + (high - low) / 2.0;
        let cut = columns.partition_point(|&column| lambda[column] <= middle);
        waiting.push(columns.split_off(cut));
        waiting.push(columns);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_belongs_to_one_group() {
        let lambda = [5.0, 1.0, 1.0, 1000.0, 1e-6, 5.5];
        let groups = split(&lambda, |low, high| (high - low <= 1.0).then_some(()));
        let columns: Vec<Vec<usize>> = groups.into_iter().map(|group| group.columns).collect();
        assert_eq!(columns, [vec![1, 2, 4], vec![0, 5], vec![3]]);
    }
}
