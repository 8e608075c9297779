//! Association of two columns.

use rulesieve::data::{FeatureValues, MISSING};

/// Maximum number of rows used: enough for two digits.
const ROWS: usize = 20_000;

/// Pearson's correlation of two numeric columns, the correlation ratio of a numeric and a categorical one, or Cramér's V of two
/// categorical ones. Only the first has a sign. Ignores rows with a missing value; NaN if a column is constant.
pub(super) fn association(a: &FeatureValues, b: &FeatureValues) -> f64 {
    let step = a.len().div_ceil(ROWS).max(1);
    let rows: Vec<usize> =
        (0..a.len().min(b.len())).step_by(step).filter(|&row| !a.is_missing(row) && !b.is_missing(row)).collect();
    match (a, b) {
        (FeatureValues::Numeric(a), FeatureValues::Numeric(b)) => pearson(&pick(a, &rows), &pick(b, &rows)),
        (FeatureValues::Numeric(a), FeatureValues::Categorical { codes, .. })
        | (FeatureValues::Categorical { codes, .. }, FeatureValues::Numeric(a)) => {
            ratio(&pick(a, &rows), &pick(codes, &rows))
        }
        (FeatureValues::Categorical { codes: a, .. }, FeatureValues::Categorical { codes: b, .. }) => {
            cramer(&pick(a, &rows), &pick(b, &rows))
        }
    }
}

fn pick<T: Copy>(values: &[T], rows: &[usize]) -> Vec<T> {
    rows.iter().map(|&row| values[row]).collect()
}

/// Values minus their mean, scaled to at most 1 so that squares stay finite.
fn centred(values: &[f64]) -> Vec<f64> {
    let count = values.len() as f64;
    let mean: f64 = values.iter().map(|value| value / count).sum();
    let largest = values.iter().map(|value| (value - mean).abs()).fold(0.0, f64::max);
    values.iter().map(|value| if largest > 0.0 { (value - mean) / largest } else { 0.0 }).collect()
}

fn pearson(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (centred(a), centred(b));
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    (dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt()).clamp(-1.0, 1.0)
}

/// Correlation ratio: the square root of the share of the variance between categories.
fn ratio(values: &[f64], codes: &[u32]) -> f64 {
    let values = centred(values);
    let levels = codes.iter().filter(|&&code| code != MISSING).max().map_or(0, |&code| code as usize + 1);
    let mut sums = vec![(0.0, 0.0); levels];
    for (&value, &code) in values.iter().zip(codes) {
        let (count, sum) = &mut sums[code as usize];
        *count += 1.0;
        *sum += value;
    }
    let between: f64 = sums.iter().filter(|(count, _)| *count > 0.0).map(|(count, sum)| sum * sum / count).sum();
    let all: f64 = values.iter().map(|value| value * value).sum();
    // Not `min`, which would turn NaN into a number.
    (between / all).sqrt().clamp(0.0, 1.0)
}

fn cramer(a: &[u32], b: &[u32]) -> f64 {
    let levels = |codes: &[u32]| codes.iter().max().map_or(0, |&code| code as usize + 1);
    let (rows, columns, total) = (levels(a), levels(b), a.len() as f64);
    let mut counts = vec![0.0; rows * columns];
    a.iter().zip(b).for_each(|(&a, &b)| counts[a as usize * columns + b as usize] += 1.0);
    let row = |at: usize| counts[at * columns..(at + 1) * columns].iter().sum::<f64>();
    let column = |at: usize| (0..rows).map(|row| counts[row * columns + at]).sum::<f64>();
    let (of_rows, of_columns): (Vec<f64>, Vec<f64>) =
        ((0..rows).map(row).collect(), (0..columns).map(column).collect());
    let mut chi2 = 0.0;
    for (i, a) in of_rows.iter().enumerate().filter(|(_, count)| **count > 0.0) {
        for (j, b) in of_columns.iter().enumerate().filter(|(_, count)| **count > 0.0) {
            let expected = a * b / total;
            chi2 += (counts[i * columns + j] - expected).powi(2) / expected;
        }
    }
    let used = |sums: &[f64]| sums.iter().filter(|count| **count > 0.0).count();
    let least = used(&of_rows).min(used(&of_columns)) as f64 - 1.0;
    (chi2 / total / least).sqrt().clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(codes: &[u32]) -> FeatureValues {
        FeatureValues::Categorical { levels: ["a", "b", "c"].map(str::to_owned).to_vec(), codes: codes.to_vec() }
    }

    #[test]
    fn known_values() {
        let number = |values: &[f64]| FeatureValues::Numeric(values.to_vec());
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-12, "{found} is not {wanted}");
        near(association(&number(&[1.0, 2.0, 3.0, f64::NAN]), &number(&[3.0, 2.0, 1.0, 9.0])), -1.0);
        near(association(&number(&[1.0, 2.0, 4.0]), &number(&[1.0, 1.0, 2.0])), 5.0 / 28f64.sqrt());
        // Category means 1 and 4 around 2.5: 9/10 of the sum of squares is between categories.
        near(association(&number(&[0.5, 1.5, 3.5, 4.5]), &text(&[0, 0, 2, 2])), (9.0f64 / 10.0).sqrt());
        near(association(&text(&[0, 0, 1, 1]), &text(&[2, 2, 0, 0])), 1.0);
        near(association(&text(&[0, 0, 1, 1]), &text(&[0, 1, 0, 1])), 0.0);
        near(association(&text(&[0, 0, 1, MISSING]), &text(&[1, 1, 0, 1])), 1.0);
    }

    #[test]
    fn constant_columns_give_nan() {
        let constant = FeatureValues::Numeric(vec![1.0; 4]);
        assert!(association(&constant, &constant).is_nan());
        assert!(association(&constant, &text(&[0, 1, 0, 1])).is_nan());
        assert!(association(&text(&[0; 4]), &text(&[0; 4])).is_nan());
        let huge = FeatureValues::Numeric(vec![1e300, -1e300, 1e300, 0.0]);
        assert!((association(&huge, &huge) - 1.0).abs() < 1e-12);
    }
}
