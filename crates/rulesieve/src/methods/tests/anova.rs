//! `anova` compared with results by hand and of scikit-learn.

use super::*;

fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= 1e-10 * expected.abs(), "{found} is not {expected}");
    }
}

#[test]
fn f_by_hand() {
    // x: means 2 and 6 of 1, 2, 3 and 5, 6, 7; SSB = 6 * 2^2 = 24, SSW = 4; F = 24 / (4 / 4) = 24.
    // y: means 2, 2: F = 0.
    let data = data(vec![
        Column::numeric("x", vec![1.0, 2.0, 3.0, 5.0, 6.0, 7.0]),
        Column::numeric("y", vec![1.0, 2.0, 3.0, 3.0, 2.0, 1.0]),
        Column::text("t", ["a", "a", "a", "b", "b", "b"]),
    ]);
    close(&scores(&data, "anova"), &[24.0, 0.0]);
}

const ROWS: [[f64; 4]; 12] = [
    [5.1, 3.5, 1.4, 0.2],
    [4.9, 3.0, 1.4, 0.2],
    [4.7, 3.2, 1.3, 0.2],
    [5.0, 3.6, 1.7, 0.4],
    [7.0, 3.2, 4.7, 1.4],
    [6.4, 3.2, 4.5, 1.5],
    [6.9, 3.1, 4.9, 1.5],
    [6.3, 3.3, 6.0, 2.5],
    [5.8, 2.7, 5.1, 1.9],
    [7.1, 3.0, 5.9, 2.1],
    [6.3, 2.9, 5.6, 1.8],
    [6.5, 3.0, 5.8, 2.2],
];

fn flowers(labels: [f64; 12]) -> Dataset {
    let column = |at: usize| Column::numeric(format!("x{at}"), ROWS.iter().map(|row| row[at]).collect());
    let mut columns: Vec<Column> = (0..4).map(column).collect();
    columns.push(Column::numeric("t", labels.to_vec()));
    data(columns)
}

#[test]
fn f_by_scikit_learn() {
    // from sklearn.feature_selection import f_classif   (scikit-learn 1.x; X are the ROWS above)
    // y = np.array([0] * 4 + [1] * 3 + [2] * 5); f_classif(X, y)[0]; f_classif(X, (y > 0).astype(int))[0]
    let three = [27.53974449964486, 2.8460323726806105, 276.003318584072, 102.73143564356566];
    let two = [48.615249780888185, 4.136752136751947, 160.4992435703467, 63.68541905855399];
    let labels = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0];
    close(&scores(&flowers(labels), "anova"), &three);
    close(&scores(&flowers(labels.map(|label: f64| label.min(1.0))), "anova"), &two);
    // Other names for the same classes.
    close(&scores(&flowers(labels.map(|label| 7.0 - 3.0 * label)), "anova"), &three);
}

#[test]
fn f_of_a_numeric_target_by_scikit_learn() {
    let golden: serde_json::Value = serde_json::from_str(include_str!("../../../tests/golden/filters.json")).unwrap();
    let case = &golden["regression"];
    let floats = |values: &serde_json::Value| -> Vec<f64> {
        values.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
    };
    let mut columns: Vec<Column> = vec![Column::text("kind", floats(&case["levels"]).iter().map(f64::to_string))];
    let numbers = case["x"].as_array().unwrap().iter().enumerate();
    columns.extend(numbers.map(|(at, values)| Column::numeric(format!("x{at}"), floats(values))));
    columns.push(Column::numeric("k", vec![1.0; 150]));
    let y = floats(&case["y"]);
    columns.push(Column::numeric("twice", y.iter().map(|value| 2.0 * value - 1.0).collect()));
    columns.push(Column::numeric("t", y));
    let found = scores(&data(columns), "anova");
    // Sorted by name: k, kind, twice, x0, ...
    assert_eq!((found[0], found[2]), (0.0, f64::MAX));
    close(&found[1..2], &[case["f_of_levels"].as_f64().unwrap()]);
    for (found, expected) in found[3..].iter().zip(floats(&case["f"])) {
        assert!((found - expected).abs() <= 1e-9 * expected.abs() + 1e-12, "{found} is not {expected}");
    }
}

#[test]
fn scale_and_offset_do_not_matter() {
    let labels = ["a", "b", "a", "b", "a", "b", "a", "b"];
    // Multiples of 2^-9: exact after an offset of 1e9.
    let base = [0.0, 3.0, 1.0, 2.0, 1.0, 4.0, 0.0, 3.0].map(|value: f64| value / 512.0);
    let column = |name: &str, map: &dyn Fn(f64) -> f64| Column::numeric(name, base.iter().map(|&v| map(v)).collect());
    let data = data(vec![
        column("a", &|value| value),
        column("b", &|value| value + 1e9),
        column("c", &|value| value * 1e300),
        column("d", &|value| -value * 1e-300),
        Column::text("t", labels),
    ]);
    let found = scores(&data, "anova");
    close(&found, &[found[0]; 4]);
    // In steps: means 0.5 and 3, SSB = 8 * 1.25^2 = 12.5, SSW = 1 + 2 = 3; F = 12.5 / (3 / 6) = 25.
    close(&found[..1], &[25.0]);
}

#[test]
fn degenerate_columns() {
    let data = data(vec![
        Column::numeric("k", vec![2.0; 6]),
        Column::numeric("near", vec![1.0, 1.1, 1.2, 9.0, 9.1, 9.2]),
        Column::numeric("perfect", vec![0.1, 0.1, 0.1, 0.3, 0.3, 0.3]),
        Column::numeric("same_means", vec![0.1, 0.2, 0.3, 0.3, 0.1, 0.2]),
        Column::text("t", ["a", "a", "a", "b", "b", "b"]),
    ]);
    let found = scores(&data, "anova");
    assert_eq!((found[0], found[2], found[3]), (0.0, f64::MAX, 0.0));
    let order: Vec<String> = selection(&data, "anova", &[], 0).ranking.into_iter().map(|r| r.feature).collect();
    assert_eq!(order, ["perfect", "near", "same_means", "k"]);
}

#[test]
fn categories_pool_their_indicators() {
    // Light and Margolin: levels u, v, w over classes a (u u v) and b (v w w).
    // SSB = sum_levels 3 (share_a - share)^2 + 3 (share_b - share)^2: u and w give 6 / 9 each, v gives 0: 4/3.
    // SSW = sum over classes and levels of 3 p (1 - p): 4 * 3 * 2/9 = 8/3. F = (4/3) / ((8/3) / 4) = 2.
    let data = data(vec![
        Column::text("c", ["u", "u", "v", "v", "w", "w"]),
        Column::text("copy", ["u", "u", "u", "w", "w", "w"]),
        Column::text("t", ["a", "a", "a", "b", "b", "b"]),
    ]);
    let found = scores(&data, "anova");
    close(&found[..1], &[2.0]);
    assert_eq!(found.len(), 2);
    assert_eq!(found[1], f64::MAX);
}
