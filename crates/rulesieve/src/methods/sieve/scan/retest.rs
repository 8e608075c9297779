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
    let of_fewer = if used < cells {
        effects_of_fewer(table, &joint)
    } else {
        cells - table.bins.iter().map(|bins| bins - 1).product::<usize>()
    };
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

/// Number of independent effects of fewer columns on the cells that occur: the rank of the indicators of their margins. Where one
/// category determines another, this is as many as there are cells, and nothing is left for an interaction.
fn effects_of_fewer(table: &Table, joint: &[f64]) -> usize {
    let used: Vec<usize> = (0..joint.len()).filter(|&cell| joint[cell] > 0.0).collect();
    let mut basis: Vec<(usize, Vec<f64>)> = Vec::new();
    let mut stride = 1;
    for &bins in table.bins.iter().rev() {
        let key = |cell: usize| cell - cell / stride % bins * stride;
        let mut keys: Vec<usize> = used.iter().map(|&cell| key(cell)).collect();
        keys.sort_unstable();
        keys.dedup();
        for own in keys {
            let mut vector: Vec<f64> = used.iter().map(|&cell| f64::from(u8::from(key(cell) == own))).collect();
            for (pivot, other) in &basis {
                let factor = vector[*pivot];
                vector.iter_mut().zip(other).for_each(|(value, other)| *value -= factor * other);
            }
            let pivot = (0..vector.len()).find(|&at| vector[at].abs() > PRECISION);
            if let Some(pivot) = pivot {
                let scale = vector[pivot];
                vector.iter_mut().for_each(|value| *value /= scale);
                basis.push((pivot, vector));
            }
        }
        stride *= bins;
    }
    basis.len()
}

/// The logarithm of the p-value of an interaction of two columns that is proportional to the product of their centred ranks.
pub(super) fn log_p_of_product(table: &Table) -> f64 {
    let cells: usize = table.bins.iter().product();
    let joint: Vec<f64> =
        (0..cells).map(|cell| (0..table.classes).map(|class| table.counts[class * cells + cell]).sum()).collect();
    let (of_first, of_second) = (bin_scores(&joint, table.bins[1], false), bin_scores(&joint, table.bins[1], true));
    let scores: Vec<f64> =
        (0..cells).map(|cell| of_first[cell / table.bins[1]] * of_second[cell % table.bins[1]]).collect();
    let without = fit_without_interaction(table, &joint);
    let with = fit(table, &joint, without.clone(), Some(&scores));
    let (mut ratio, mut pearson) = (0.0, 0.0);
    for ((&count, &without), &with) in table.counts.iter().zip(&without).zip(&with) {
        if without > 0.0 && with > 0.0 {
            pearson += (with - without).powi(2) / without;
            ratio += 2.0 * count * (with / without).ln();
        }
    }
    let freedom = (table.classes - 1) as f64;
    log_chi_squared_tail(ratio, freedom).max(log_chi_squared_tail(pearson, freedom))
}

/// Centred mean ranks of the bins of one of two columns, with variance one.
fn bin_scores(joint: &[f64], bins_of_second: usize, second: bool) -> Vec<f64> {
    let bins = if second { bins_of_second } else { joint.len() / bins_of_second };
    let mut counts = vec![0.0; bins];
    for (cell, count) in joint.iter().enumerate() {
        counts[if second { cell % bins_of_second } else { cell / bins_of_second }] += count;
    }
    let total: f64 = counts.iter().sum();
    let mut before = 0.0;
    let mut scores = Vec::with_capacity(bins);
    for count in &counts {
        scores.push((before + count / 2.0) / total - 0.5);
        before += count;
    }
    let variance = scores.iter().zip(&counts).map(|(score, count)| score * score * count).sum::<f64>() / total;
    scores.iter().map(|score| score / variance.sqrt().max(f64::MIN_POSITIVE)).collect()
}

/// Iterative proportional fitting of the margin of all columns, and for every column of that of the classes and all others.
fn fit_without_interaction(table: &Table, joint: &[f64]) -> Vec<f64> {
    fit(table, joint, vec![1.0; table.counts.len()], None)
}

/// The same from given values on, and where cells have scores, also of the sum of these in every class.
fn fit(table: &Table, joint: &[f64], mut fitted: Vec<f64>, scores: Option<&[f64]>) -> Vec<f64> {
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
    for _ in 0..ITERATIONS {
        let mut change = scores.map_or(0.0, |scores| fit_scores(table, &mut fitted, scores));
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

/// A step of Newton's method towards the sum of scores of every class; returns the largest difference.
fn fit_scores(table: &Table, fitted: &mut [f64], scores: &[f64]) -> f64 {
    let mut change = 0.0_f64;
    for (counts, fitted) in table.counts.chunks(scores.len()).zip(fitted.chunks_mut(scores.len())) {
        let missing: f64 =
            counts.iter().zip(fitted.iter()).zip(scores).map(|((count, own), score)| score * (count - own)).sum();
        let slope: f64 = fitted.iter().zip(scores).map(|(own, score)| score * score * own).sum();
        let step = if slope > 0.0 { (missing / slope).clamp(-1.0, 1.0) } else { 0.0 };
        fitted.iter_mut().zip(scores).for_each(|(own, score)| *own *= (step * score).exp());
        change = change.max(missing.abs());
    }
    change
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

    /// The column of cities determines that of states; with a city in both, one cell is left for an interaction.
    #[test]
    fn degrees_of_freedom_are_those_of_the_cells_that_occur() {
        let table = |counts: Vec<f64>| Table { counts, bins: vec![2, 4], classes: 2 };
        let nested = table(vec![9.0, 30.0, 0.0, 0.0, 0.0, 0.0, 22.0, 5.0, 31.0, 10.0, 0.0, 0.0, 0.0, 0.0, 8.0, 25.0]);
        let joint =
            |table: &Table| -> Vec<f64> { (0..8).map(|cell| table.counts[cell] + table.counts[8 + cell]).collect() };
        assert_eq!((effects_of_fewer(&nested, &joint(&nested)), log_p_value(&nested)), (4, 0.0));
        let mut linked = table(nested.counts);
        (linked.counts[4], linked.counts[12]) = (20.0, 20.0);
        assert_eq!(effects_of_fewer(&linked, &joint(&linked)), 5);
        (linked.counts[5], linked.counts[13]) = (30.0, 10.0);
        assert_eq!(effects_of_fewer(&linked, &joint(&linked)), 5, "six cells, one for an interaction");
    }

    /// Additive effects are no product; the product of two ranks is, also where it hides in noise.
    #[test]
    fn a_product_is_tested_beyond_the_effects_of_each_column() {
        let scores = [-1.5, -0.5, 0.5, 1.5];
        let table = |logit: &dyn Fn(f64, f64) -> f64| {
            let ones = scores.iter().flat_map(|a| scores.iter().map(move |b| 40.0 / (1.0 + (-logit(*a, *b)).exp())));
            let ones: Vec<f64> = ones.collect();
            let counts = ones.iter().map(|one| 40.0 - one).chain(ones.iter().copied()).collect();
            Table { counts, bins: vec![4, 4], classes: 2 }
        };
        assert!(log_p_of_product(&table(&|a, b| a + 0.8 * b - 1.0)) > -0.01);
        let product = table(&|a, b| 0.5 * a * b + a);
        assert!(log_p_of_product(&product) < log_p_value(&product) - 4.0 && log_p_of_product(&product) < -15.0);
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
