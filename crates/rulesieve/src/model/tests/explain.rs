//! Explanations of known rules.

use super::*;

#[test]
fn rules_are_listed_strongest_first_in_units_of_the_columns() {
    let explanation = with_policy(Missing::Median).explain();
    assert_eq!(explanation.rules.len(), 2);
    let (first, second) = (&explanation.rules[0], &explanation.rules[1]);
    assert_eq!((first.rule, first.weight, second.weight), (1, 0.7, 0.3));
    // Centre 0.9 / 2 + 0.5 of 0 to 10.
    assert_eq!(first.conditions[0].term, Term::High);
    assert!((first.conditions[0].about.unwrap() - 9.5).abs() < 1e-12);
    assert_eq!((first.conditions[1].term, first.conditions[1].categories.len()), (Term::Any, 0));
    assert_eq!(second.conditions[0].term, Term::Low);
    assert!((second.conditions[0].about.unwrap() - 1.0).abs() < 1e-12);
    assert_eq!(
        (second.conditions[1].term, &second.conditions[1].categories[..]),
        (Term::Categories, &["a".into()][..])
    );
    assert_eq!(first.effects, [-2.1, 2.1]);
}

#[test]
fn slopes_are_per_unit_of_the_column() {
    let explanation = with_policy(Missing::Median).explain();
    let slopes = &explanation.rules[0].slopes;
    assert_eq!(slopes.len(), 1, "zero slopes are not listed: {slopes:?}");
    // 0.5 - 0.25 against the mean of the classes, times the factor 2, over the range of 10.
    assert_eq!((slopes[0].feature.as_str(), slopes[0].output), ("size", 1));
    assert!((slopes[0].per_unit - 0.05).abs() < 1e-12);
    assert!(explanation.rules[1].slopes.is_empty());
}

#[test]
fn wide_spreads_are_any() {
    let mut model = by_hand();
    model.network.log_spreads[1][0] = 3.0;
    let explanation = Predictor::new(model).unwrap().explain();
    assert!(explanation.rules[0].conditions.iter().all(|condition| condition.term == Term::Any));
}

#[test]
fn a_row_is_explained_by_its_rules_and_features() {
    let predictor = with_policy(Missing::Median);
    let rows = table(vec![
        Column::text("kind", ["b", "a"]),
        Column::numeric("size", vec![9.0, 1.0]),
        Column::text("more", ["", ""]),
    ]);
    let row = predictor.explain_row(&rows, 1, 1).unwrap();
    assert_eq!((row.row, row.predicted.as_str()), (2, "no"));
    assert_eq!(row.fired[0].rule, 2, "numbered as in the explanation");
    assert!(row.fired[0].firing > 0.9 && row.fired[0].output > 0.0);
    assert!((row.fired.iter().map(|fired| fired.firing).sum::<f64>() - 1.0).abs() < 1e-12);
    assert_eq!(row.contributions.len(), 2);
    let size = row.contributions.iter().find(|one| one.feature == "size").unwrap();
    assert_eq!((size.value.as_str(), size.typical.as_str()), ("1", "4"));
    assert!(row.contributions[0].contribution.abs() >= row.contributions[1].contribution.abs());
    // A typical value contributes nothing.
    let typical = table(vec![Column::text("kind", ["b"]), Column::numeric("size", vec![4.0])]);
    assert!(predictor.explain_row(&typical, 0, 1).unwrap().contributions.iter().all(|one| one.contribution == 0.0));
}
