//! The interaction of two columns in their effect on the class: the model in which the effects of both add up (on the scale of
//! logits) against the saturated one. Exact also where the columns depend on each other.

use super::tail::log_chi_squared_tail;

const ITERATIONS: usize = 100;
const PRECISION: f64 = 1e-6;

/// Counts by class (outer), bin of the first column and bin of the second (inner).
pub(super) struct Table {
    pub(super) counts: Vec<f64>,
    pub(super) shape: (usize, usize, usize),
}

/// The logarithm of the p-value of the interaction: the larger one of the likelihood ratio and of Pearson's chi-squared, since
/// either may be too small where counts are.
pub(super) fn log_p_value(table: &Table) -> f64 {
    let (rows, cols, classes) = table.shape;
    let cells = rows * cols;
    let joint: Vec<f64> =
        (0..cells).map(|cell| (0..classes).map(|class| table.counts[class * cells + cell]).sum()).collect();
    let used = joint.iter().filter(|&&count| count > 0.0).count();
    let freedom = ((used + 1).saturating_sub(rows + cols) * (classes - 1)) as f64;
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

/// Iterative proportional fitting of all three two-way margins.
fn fit_without_interaction(table: &Table, joint: &[f64]) -> Vec<f64> {
    let (rows, cols, classes) = table.shape;
    let cells = rows * cols;
    let by_row = |cell: usize| (cell % cells) / cols + cell / cells * rows;
    let by_col = |cell: usize| cell % cols + cell / cells * cols;
    let by_cell = |cell: usize| cell % cells;
    let sums = |values: &[f64], key: &dyn Fn(usize) -> usize, count: usize| {
        let mut sums = vec![0.0; count];
        values.iter().enumerate().for_each(|(cell, value)| sums[key(cell)] += value);
        sums
    };
    let wanted_rows = sums(&table.counts, &by_row, rows * classes);
    let wanted_cols = sums(&table.counts, &by_col, cols * classes);
    let mut fitted = vec![1.0; table.counts.len()];
    let scale = |fitted: &mut Vec<f64>, key: &dyn Fn(usize) -> usize, wanted: &[f64]| {
        let found = sums(fitted, key, wanted.len());
        let mut change = 0.0_f64;
        for (cell, value) in fitted.iter_mut().enumerate() {
            let (found, wanted) = (found[key(cell)], wanted[key(cell)]);
            let factor = if found > 0.0 { wanted / found } else { 0.0 };
            change = change.max((found - wanted).abs());
            *value *= factor;
        }
        change
    };
    for _ in 0..ITERATIONS {
        let change = scale(&mut fitted, &by_cell, joint);
        let change = change.max(scale(&mut fitted, &by_row, &wanted_rows));
        if change.max(scale(&mut fitted, &by_col, &wanted_cols)) < PRECISION {
            break;
        }
    }
    fitted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exclusive_or_is_an_interaction_and_sums_are_not() {
        let xor = Table { counts: vec![40.0, 10.0, 10.0, 40.0, 10.0, 40.0, 40.0, 10.0], shape: (2, 2, 2) };
        assert!(log_p_value(&xor) < -30.0);
        // Logits -1, 0, 0, 1: effects that add up; counts of the second class by cell of 1,000 rows.
        let shares = [0.268_941, 0.5, 0.5, 0.731_059];
        let ones: Vec<f64> = shares.iter().map(|share| 1000.0 * share).collect();
        let counts = ones.iter().map(|one| 1000.0 - one).chain(ones.iter().copied()).collect();
        assert!(log_p_value(&Table { counts, shape: (2, 2, 2) }) > -0.01);
    }

    /// With columns that are nearly copies of each other, an effect of one is no interaction.
    #[test]
    fn dependence_of_the_columns_is_no_interaction() {
        let counts = vec![80.0, 4.0, 4.0, 12.0, 20.0, 1.0, 16.0, 48.0];
        assert!(log_p_value(&Table { counts, shape: (2, 2, 2) }) > -3.0);
    }

    #[test]
    fn fitted_margins_are_those_of_the_table() {
        let counts = vec![5.0, 9.0, 2.0, 7.0, 1.0, 4.0, 8.0, 3.0, 6.0, 2.0, 9.0, 5.0];
        let table = Table { counts: counts.clone(), shape: (2, 3, 2) };
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
