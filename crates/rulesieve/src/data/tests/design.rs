//! Coding and scaling learned on training rows.

use super::*;

fn column(data: &Dataset, feature: &str, train: &[usize], rows: &[usize]) -> Vec<f64> {
    let at = names(data).iter().position(|&name| name == feature).unwrap();
    let design = coded(data, train, rows, CategoricalCoding::OneHot);
    design.x.col(design.blocks[at].start).to_vec()
}

#[test]
fn the_range_is_that_of_the_training_rows() {
    let data = data(vec![num("x", &[10.0, 20.0, 12.0, 30.0, 0.0, 20.0]), halves(6)]);
    assert_eq!(column(&data, "x", &[0, 1, 2], &[0, 1, 2]), [0.0, 1.0, 0.2]);
    assert_eq!(column(&data, "x", &[0, 1, 2], &[3, 4]), [2.0, -1.0], "no clipping");
}

#[test]
fn constant_in_the_training_fold_is_zero_everywhere() {
    let data = data(vec![num("x", &[5.0, 5.0, 9.0, 1.0]), txt("c", &["u", "u", "v", "w"]), halves(4)]);
    let design = coded(&data, &[0, 1], &[0, 1, 2, 3], CategoricalCoding::OneHot);
    assert_eq!((design.blocks.clone(), design.x.as_slice()), (vec![0..1, 1..2], &[0.0; 8][..]));
}

#[test]
fn extreme_ranges_give_finite_numbers() {
    let huge = data(vec![num("x", &[-1e308, 1e308, 0.0, 1.7e308]), halves(4)]);
    assert_eq!(column(&huge, "x", &[0, 1, 2], &[0, 1, 2]), [0.0, 1.0, 0.5]);
    let beyond = column(&huge, "x", &[0, 2], &[3]);
    assert!((beyond[0] - 2.7).abs() < 1e-12, "{beyond:?}");
    let tiny = data(vec![num("x", &[0.0, 5e-324, -0.0, 1e308]), halves(4)]);
    let scaled = column(&tiny, "x", &[0, 1, 2], &[0, 1, 2, 3]);
    assert_eq!(scaled[..3], [0.0, 1.0, 0.0]);
    assert!(scaled[3].is_finite(), "{scaled:?}");
}

#[test]
fn a_large_offset_keeps_small_differences() {
    let base = [0.0, 1.0, 0.25, 0.75, 0.5, 0.125];
    // Steps of 2^-9 around 1e9 are exact in 64 bits, differences of 1e-3 in size.
    let shifted: Vec<f64> = base.iter().map(|value| 1e9 + value / 64.0).collect();
    let data = data(vec![num("x", &shifted), halves(6)]);
    assert!(data.suspicions.constant.is_empty());
    assert_eq!(column(&data, "x", &[0, 1, 2, 3, 4, 5], &[0, 1, 2, 3, 4, 5]), base);
}

#[test]
fn medians_of_extreme_numbers_stay_between_their_neighbours() {
    let columns = vec![num("x", &[5e-324, 5e-324, 1.0, NO, 5e-324, 1.0]), halves(6)];
    let small = Dataset::new(table(columns), &with_missing(Missing::Median)).unwrap();
    assert_eq!(column(&small, "x", &[0, 1, 3], &[3]), [0.0]);
    assert_eq!(column(&small, "x", &[0, 1, 2, 3, 4], &[3]), [0.0], "not below the smallest");
    let columns = vec![num("x", &[1.6e308, 1.7e308, -1e308, NO, 1.7e308, 1.6e308]), halves(6)];
    let large = Dataset::new(table(columns), &with_missing(Missing::Median)).unwrap();
    let filled = column(&large, "x", &[0, 1, 2, 3, 4, 5], &[3])[0];
    assert!((filled - 2.6 / 2.7).abs() < 1e-12, "{filled}");
}

#[test]
fn one_hot_blocks_are_grouped_and_two_levels_take_one_column() {
    let data = data(vec![
        num("a", &[0.0, 1.0, 0.5, 0.2]),
        txt("b", &["x", "z", "y", "z"]),
        txt("c", &["no", "yes", "yes", "no"]),
        halves(4),
    ]);
    let design = coded_all(&data, CategoricalCoding::OneHot);
    assert_eq!(design.blocks, [0..1, 1..4, 4..5]);
    assert_eq!(design.x.col(1), [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(design.x.col(2), [0.0, 0.0, 1.0, 0.0]);
    assert_eq!(design.x.col(3), [0.0, 1.0, 0.0, 1.0]);
    assert_eq!(design.x.col(4), [0.0, 1.0, 1.0, 0.0]);
    let ordinal = coded_all(&data, CategoricalCoding::Ordinal);
    assert_eq!(ordinal.blocks, [0..1, 1..2, 2..3]);
    assert_eq!(ordinal.x.col(1), [0.0, 1.0, 0.5, 1.0]);
    assert_eq!(ordinal.x.col(2), design.x.col(4));
}

#[test]
fn unseen_categories_are_coded_as_the_most_frequent() {
    let data = data(vec![txt("c", &["u", "v", "v", "w", "q", "u"]), halves(6)]);
    let design = coded(&data, &[0, 1, 2, 3], &[4, 3], CategoricalCoding::OneHot);
    assert_eq!((design.blocks.len(), design.blocks[0].clone()), (1, 0..3), "u, v, w; q was not seen");
    let rows = |row| (0..3).map(|col| design.x[(row, col)]).collect::<Vec<_>>();
    assert_eq!((rows(0), rows(1)), (vec![0.0, 1.0, 0.0], vec![0.0, 0.0, 1.0]));
    let two = coded(&data, &[0, 1, 2], &[0, 1, 3, 4], CategoricalCoding::OneHot);
    assert_eq!((two.blocks.len(), two.x.as_slice()), (1, &[0.0, 1.0, 1.0, 1.0][..]));
}

#[test]
fn rare_categories_share_an_indicator_but_not_an_ordinal_code() {
    let cell = |row: usize| if row < 900 { ["u", "v", "w"][row % 3].to_owned() } else { format!("name {row:04}") };
    let texts: Vec<String> = (0..1002).map(cell).collect();
    let data = data(vec![Column::text("who", &texts), halves(1002)]);
    let rows: Vec<usize> = (0..1002).collect();
    let design = coded_all(&data, CategoricalCoding::OneHot);
    let row = |row: usize| (0..design.x.cols()).map(|col| design.x[(row, col)]).collect::<Vec<_>>();
    assert_eq!((row(0), row(950)), (vec![1.0, 0.0, 0.0, 0.0], vec![0.0, 0.0, 0.0, 1.0]));
    let ordinal = coded_all(&data, CategoricalCoding::Ordinal);
    assert_eq!((ordinal.x[(900, 0)], ordinal.x[(2, 0)]), (0.0, 1.0));

    // Unseen categories count as rare if rare ones were merged, and are not reported.
    let encoder = Encoder::fit(&data, &rows[..950], CategoricalCoding::OneHot).unwrap();
    let later = encoder.transform(&data, &[990]).unwrap();
    assert_eq!((0..4).map(|col| later.x[(0, col)]).collect::<Vec<_>>(), [0.0, 0.0, 0.0, 1.0]);
    assert!(encoder.unseen(&data.features).is_empty());
    let strict = Encoder::fit(&data, &rows[..900], CategoricalCoding::OneHot).unwrap();
    assert_eq!(strict.unseen(&data.features).len(), 102, "nothing was merged");
}

#[test]
fn the_size_limit_is_checked_before_allocation() {
    let texts: Vec<String> = (0..1000).map(|row| format!("name {:02}", row % 50)).collect();
    let data = data(vec![Column::text("who", &texts), halves(1000)]);
    let rows: Vec<usize> = (0..1000).collect();
    let encoder = Encoder::fit(&data, &rows, CategoricalCoding::OneHot).unwrap();
    let many = vec![0; (1 << 30) / 50 + 1];
    assert_contains(encoder.transform(&data, &many).err().unwrap(), &["50 columns", "1073741824 cells"]);
}
