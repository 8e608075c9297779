//! Ranks: 1 is best, and ties share their mean rank.

use super::Scores;

/// Ranks scores.
pub fn ranks(scores: &[f64], higher_is_better: bool) -> Vec<f64> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| {
        let ascending = scores[a].total_cmp(&scores[b]);
        if higher_is_better { ascending.reverse() } else { ascending }
    });
    let mut ranks = vec![0.0; scores.len()];
    for (first, last) in ties(&order, |&a, &b| scores[a] == scores[b]) {
        // The mean of the ranks first + 1 to last + 1.
        let mean = (first + last) as f64 / 2.0 + 1.0;
        order[first..=last].iter().for_each(|&at| ranks[at] = mean);
    }
    ranks
}

/// Returns the first and last indices of runs of equal entries.
pub(super) fn ties<T>(sorted: &[T], equal: impl Fn(&T, &T) -> bool) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in 0..sorted.len() {
        match runs.last_mut() {
            Some((first, last)) if equal(&sorted[*first], &sorted[at]) => *last = at,
            _ => runs.push((at, at)),
        }
    }
    runs
}

/// Returns the mean rank of each method over the data sets.
pub fn average_ranks(scores: &Scores, higher_is_better: bool) -> Vec<f64> {
    let mut sums = vec![0.0; scores.methods().len()];
    for row in scores.rows() {
        sums.iter_mut().zip(ranks(row, higher_is_better)).for_each(|(sum, rank)| *sum += rank);
    }
    sums.iter().map(|sum| sum / scores.rows().len() as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_their_mean_rank() {
        assert_eq!(ranks(&[0.5, 0.9, 0.5, 0.1], true), [2.5, 1.0, 2.5, 4.0]);
        assert_eq!(ranks(&[0.5, 0.9, 0.5, 0.1], false), [2.5, 4.0, 2.5, 1.0]);
        assert_eq!(ranks(&[1.0, 1.0, 1.0], true), [2.0, 2.0, 2.0]);
    }
}
