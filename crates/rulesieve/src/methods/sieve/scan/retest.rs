//! The interaction of several columns in their effect on the class: the model of all effects of fewer columns (on the scale of
//! logits) against the saturated one. Valid also where the columns depend on each other.

use super::tail::log_chi_squared_tail;

const ITERATIONS: usize = 100;
const PRECISION: f64 = 1e-6;

/// Counts by class (outer) and by the bin of every column, the last column innermost.
pub(super) struct Table {
    pub(super) counts: Vec<f64>,
    /// Bins of every column.
    pub(super) bins: Vec<usize>,
    pub(super) classes: usize,
}

/// The logarithm of the p-value of the interaction of all columns: the larger one of the likelihood ratio and of Pearson's
/// chi-squared, since either may be too small where counts are.
pub(super) fn log_p_value(table: &Table) -> f64 {
    let cells: usize = table.bins.iter().product();
    let joint: Vec<f64> =
        (0..cells).map(|cell| (0..table.classes).map(|class| table.counts[class * cells + cell]).sum()).collect();
    let used = joint.iter().filter(|&&count| count > 0.0).count();
    let of_fewer = cells - table.bins.iter().map(|bins| bins - 1).product::<usize>();
    let freedom = (used.saturating_sub(of_fewer) * (table.classes - 1)) as f64;
    if freedom <= 0.0 {
        return 0.0;
    }
    let fitted = fit_without_interaction(table, &joint);
    let (mut ratio, mut pearson) = (0.0, 0.0);
    for (&count, &fitted) in table.counts.iter().zip(&fitted) {
        if fitted > 0.0 {
            pearson += (count - fitted).powi(2) / fitted;
            ratio += if count > 0.0 { 2.0 * count * (count / fitted).ln() } else { 0.0 };
        }
    }
    log_chi_squared_tail(ratio, freedom).max(log_chi_squared_tail(pearson, freedom))
}

/// Iterative proportional fitting of the margin of all columns, and for every column of that of the classes and all others.
fn fit_without_interaction(table: &Table, joint: &[f64]) -> Vec<f64> {
    let mut margins: Vec<(Vec<usize>, Vec<f64>)> = Vec::new();
    let mut stride = 1;
    for &bins in table.bins.iter().rev() {
        // A cell belongs to the one with the first bin of this column.
        let keys: Vec<usize> = (0..table.counts.len()).map(|cell| cell - cell / stride % bins * stride).collect();
        let wanted = sums(&table.counts, &keys);
        margins.push((keys, wanted));
        stride *= bins;
    }
    let keys: Vec<usize> = (0..table.counts.len()).map(|cell| cell % stride).collect();
    margins.push((keys, joint.to_vec()));
    let mut fitted = vec![1.0; table.counts.len()];
    for _ in 0..ITERATIONS {
        let mut change = 0.0_f64;
        for (keys, wanted) in margins.iter().rev() {
            let found = sums(&fitted, keys);
            for (value, &key) in fitted.iter_mut().zip(keys) {
                change = change.max((found[key] - wanted[key]).abs());
                *value *= if found[key] > 0.0 { wanted[key] / found[key] } else { 0.0 };
            }
        }
        if change < PRECISION {
            break;
        }
    }
    fitted
}

fn sums(values: &[f64], keys: &[usize]) -> Vec<f64> {
    let mut sums = vec![0.0; values.len()];
    values.iter().zip(keys).for_each(|(value, &key)| sums[key] += value);
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exclusive_or_is_an_interaction_and_sums_are_not() {
        let xor = Table { counts: vec![40.0, 10.0, 10.0, 40.0, 10.0, 40.0, 40.0, 10.0], bins: vec![2, 2], classes: 2 };
        assert!(log_p_value(&xor) < -30.0);
        // Logits -1, 0, 0, 1: effects that add up; counts of the second class by cell of 1,000 rows.
        let shares = [0.268_941, 0.5, 0.5, 0.731_059];
        let ones: Vec<f64> = shares.iter().map(|share| 1000.0 * share).collect();
        let counts = ones.iter().map(|one| 1000.0 - one).chain(ones.iter().copied()).collect();
        assert!(log_p_value(&Table { counts, bins: vec![2, 2], classes: 2 }) > -0.01);
    }

    /// With columns that are nearly copies of each other, an effect of one is no interaction.
    #[test]
    fn dependence_of_the_columns_is_no_interaction() {
        let counts = vec![80.0, 4.0, 4.0, 12.0, 20.0, 1.0, 16.0, 48.0];
        assert!(log_p_value(&Table { counts, bins: vec![2, 2], classes: 2 }) > -3.0);
    }

    /// The parity of the first two of three columns, of which the third is not balanced, is no interaction of all three.
    #[test]
    fn a_parity_of_two_columns_is_no_interaction_of_three() {
        let counts = |of_three: bool| {
            let count = |class: usize, cell: usize| {
                let third = if cell & 1 == 1 { 10.0 } else { 90.0 };
                let columns = if of_three { cell } else { cell & 6 };
                if columns.count_ones() as usize % 2 == class { 0.8 * third } else { 0.2 * third }
            };
            (0..2).flat_map(|class| (0..8).map(move |cell| count(class, cell))).collect()
        };
        assert!(log_p_value(&Table { counts: counts(false), bins: vec![2; 3], classes: 2 }) > -0.01);
        assert!(log_p_value(&Table { counts: counts(true), bins: vec![2; 3], classes: 2 }) < -10.0);
    }

    #[test]
    fn fitted_margins_are_those_of_the_table() {
        let counts = vec![5.0, 9.0, 2.0, 7.0, 1.0, 4.0, 8.0, 3.0, 6.0, 2.0, 9.0, 5.0];
        let table = Table { counts: counts.clone(), bins: vec![2, 3], classes: 2 };
        let joint: Vec<f64> = (0..6).map(|cell| counts[cell] + counts[6 + cell]).collect();
        let fitted = fit_without_interaction(&table, &joint);
        for class in 0..2 {
            for row in 0..2 {
                let sum = |values: &[f64]| (0..3).map(|col| values[class * 6 + row * 3 + col]).sum::<f64>();
                assert!((sum(&counts) - sum(&fitted)).abs() < 1e-4);
            }
        }
        // No interaction: equal odds ratios in all pairs of columns.
        let odds = |col: usize| (fitted[col] * fitted[9 + col]) / (fitted[3 + col] * fitted[6 + col]);
        assert!((odds(0) / odds(1) - 1.0).abs() < 1e-3 && (odds(0) / odds(2) - 1.0).abs() < 1e-3);
    }
}
