//! Round trips of model files and rejection of damaged ones.

use super::*;
use crate::data::Task;
use crate::select::{RecoveredCondition, RecoveredRule, RecoveredRules, Value};

#[test]
fn a_saved_model_has_the_same_bits() {
    let mut model = by_hand();
    model.network.centres[0][0] = 0.1 + 0.2;
    model.network.slopes[1][1][0] = 5e-324;
    model.preprocessing.means[1] = 1.0 / 3.0;
    let text = serde_json::to_string_pretty(&model).unwrap();
    let back: Model = serde_json::from_str(&text).unwrap();
    assert_eq!(back, model);
    assert_eq!(back.network.centres[0][0].to_bits(), (0.1_f64 + 0.2).to_bits());
    assert_eq!(serde_json::to_string_pretty(&back).unwrap(), text);
    back.check().unwrap();
}

#[test]
fn every_truncated_file_is_rejected() {
    let text = serde_json::to_string(&by_hand()).unwrap();
    for end in 0..text.len() {
        assert!(serde_json::from_str::<Model>(&text[..end]).is_err(), "{end} bytes");
    }
}

#[test]
fn other_schemas_are_named() {
    let mut model = by_hand();
    model.schema = "rulesieve/model/2".to_owned();
    assert_contains(model.check().unwrap_err(), &["'rulesieve/model/2'", "'rulesieve/model/1'"]);
}

/// Adds valid rules of the selection method to a model, to be damaged.
fn own_rules(model: &mut Model) -> &mut RecoveredRules {
    let condition = RecoveredCondition {
        feature: "size".to_owned(),
        term: Term::Low,
        overall: Some(5.0),
        about: Some(2.0),
        deviation: Some(1.0),
        category: None,
    };
    let rule = RecoveredRule {
        weight: 1.0,
        r_squared: 0.1,
        amplitude: 0.3,
        centres: vec![0.0, 1.0],
        spreads: vec![1.0, 0.5],
        conditions: vec![condition],
        class_shares: vec![0.5, 0.5],
    };
    model.recovered.insert(RecoveredRules {
        approximate: true,
        r_squared: 0.1,
        training_accuracy: Some(0.9),
        rules: vec![rule],
    })
}

#[test]
fn rules_of_the_selection_method_are_saved() {
    let mut model = by_hand();
    own_rules(&mut model);
    assert!(Predictor::new(model.clone()).is_ok());
    let text = serde_json::to_string(&model).unwrap();
    assert_eq!(serde_json::from_str::<Model>(&text).unwrap(), model);
}

#[test]
fn damage_is_reported_with_its_path() {
    type Damage = fn(&mut Model);
    let cases: Vec<(Damage, &[&str])> = vec![
        (|m| m.classes.truncate(1), &["classes", "single class"]),
        (|m| m.classes.clear(), &["classes", "is empty"]),
        (|m| m.classes[1] = "no".into(), &["classes", "'no' twice"]),
        (|m| m.features.clear(), &["features", "is empty"]),
        (|m| m.features[1] = "size".into(), &["features", "'size' twice"]),
        (|m| m.features[1] = "t".into(), &["features", "target"]),
        (|m| m.features[1] = "other".into(), &["preprocessing.columns[1].name"]),
        (|m| m.preprocessing.columns.columns.truncate(1), &["preprocessing.columns", "1 entries where 2"]),
        (|m| m.preprocessing.profiles.truncate(1), &["preprocessing.profiles", "1 entries where 2"]),
        (|m| m.preprocessing.profiles.swap(0, 1), &["preprocessing.profiles[0]", "kind"]),
        (|m| m.preprocessing.means.truncate(3), &["preprocessing.means", "3 entries where 4"]),
        (|m| m.preprocessing.means[2] = f64::NAN, &["preprocessing.means[2]", "NaN"]),
        (|m| m.preprocessing.factors[0] = 0.0, &["preprocessing.factors[0]"]),
        (|m| m.preprocessing.factors[0] = -1.0, &["preprocessing.factors[0]"]),
        (|m| m.network.centres.clear(), &["network.centres", "is empty"]),
        (|m| m.network.centres = vec![vec![0.0; 4]; 5000], &["network.centres", "more than 4096"]),
        (|m| m.network.centres[1].truncate(3), &["network.centres[1]", "3 entries where 4"]),
        (|m| m.network.centres[1][2] = f64::INFINITY, &["network.centres[1][2]", "inf"]),
        (|m| m.network.log_spreads[0][1] = 100.0, &["network.log_spreads[0][1]", "from -6e0 to 6e0"]),
        (|m| m.network.log_spreads.truncate(1), &["network.log_spreads", "1 entries where 2"]),
        (|m| m.network.constants[0].push(0.0), &["network.constants[0]", "3 entries where 2"]),
        (|m| m.network.slopes[0].truncate(1), &["network.slopes[0]"]),
        (|m| m.network.slopes[1][0].truncate(1), &["network.slopes[1][0]"]),
        (|m| m.network.slopes[1][0][3] = f64::NAN, &["network.slopes[1][0][3]", "NaN"]),
        (|m| m.rules.truncate(1), &["rules", "1 entries where 2"]),
        (|m| m.rules[0].weight = 2.0, &["rules[0].weight"]),
        (|m| m.rules[0].coverage = f64::NAN, &["rules[0].coverage"]),
        (|m| m.rules[1].effects.clear(), &["rules[1].effects"]),
        (|m| m.output.scale = 0.0, &["output.scale"]),
        (|m| m.task = Task::Regression, &["classes", "2 entries where 0"]),
        (|m| own_rules(m).rules.clear(), &["recovered.rules", "is empty"]),
        (|m| own_rules(m).rules[0].weight = 1.5, &["recovered.rules[0].weight"]),
        (|m| own_rules(m).rules[0].class_shares.truncate(1), &["recovered.rules[0].class_shares", "1 entries where 2"]),
        (|m| own_rules(m).rules[0].class_shares = vec![1.0, 1.0], &["sum of recovered.rules[0].class_shares"]),
        (|m| own_rules(m).rules[0].spreads.truncate(1), &["recovered.rules[0].spreads", "1 entries where 2"]),
        (|m| own_rules(m).rules[0].spreads[0] = 0.0, &["recovered.rules[0].spreads[0]"]),
        (|m| own_rules(m).rules[0].centres[1] = f64::NAN, &["recovered.rules[0].centres[1]"]),
        (|m| own_rules(m).rules[0].amplitude = f64::NAN, &["recovered.rules[0].amplitude"]),
        (|m| own_rules(m).rules[0].conditions[0].feature = "x".into(), &["recovered.rules[0].conditions[0].feature"]),
        (|m| own_rules(m).rules[0].conditions[0].about = None, &["recovered.rules[0].conditions[0].term"]),
        (|m| own_rules(m).rules[0].conditions[0].deviation = Some(-5.0), &["conditions[0].deviation"]),
        (|m| own_rules(m).approximate = false, &["recovered.approximate"]),
        (|m| own_rules(m).r_squared = 1.5, &["recovered.r_squared"]),
        (|m| own_rules(m).training_accuracy = Some(-0.1), &["recovered.training_accuracy"]),
        (|m| m.training.validation_loss = f64::NAN, &["training.validation_loss"]),
        (|m| m.training.samples = usize::MAX, &["training.samples", "more than"]),
        (|m| m.training.training_rows = usize::MAX, &["training.training_rows", "more than"]),
        (|m| param(m, "batch", Value::Whole(0)), &["training.params", "batch = 0", "from 1 to"]),
        (|m| param(m, "gamma", Value::Number(f64::NAN)), &["training.params", "gamma = NaN"]),
        (|m| param(m, "order", Value::Word("third".into())), &["training.params", "order = third"]),
        (|m| param(m, "patience", Value::Whole(1)), &["training.params", "no parameter 'patience'"]),
    ];
    for (at, (damage, parts)) in cases.into_iter().enumerate() {
        let mut model = by_hand();
        damage(&mut model);
        let error = Predictor::new(model).expect_err(&format!("case {at}: {parts:?}"));
        assert_contains(&error, parts);
        assert_contains(&error, &["damaged"]);
    }
}

fn param(model: &mut Model, name: &str, value: Value) {
    model.training.params.insert(name.to_owned(), value);
}

#[test]
fn damaged_columns_are_rejected() {
    let with = |code: Code| {
        let mut model = by_hand();
        let at = usize::from(matches!(code, Code::Categorical { .. }));
        model.preprocessing.columns.columns[at].code = code;
        Predictor::new(model).unwrap_err().to_string()
    };
    let categories = |levels: &[&str], frequent, missing| Code::Categorical {
        levels: levels.iter().map(|level| (*level).to_owned()).collect(),
        frequent,
        coding: CategoricalCoding::OneHot,
        other: false,
        missing,
    };
    assert_contains(with(Code::Numeric { median: 4.0, low: 0.0, high: f64::NAN }), &["columns[0].high"]);
    assert_contains(with(Code::Numeric { median: 4.0, low: 5.0, high: 1.0 }), &["columns[0].high"]);
    assert_contains(with(Code::Numeric { median: 11.0, low: 0.0, high: 10.0 }), &["columns[0].median"]);
    assert_contains(with(categories(&[], 0, None)), &["columns[1].levels", "is empty"]);
    assert_contains(with(categories(&["a", "b", "a"], 0, None)), &["columns[1].levels", "'a' twice"]);
    assert_contains(
        with(categories(&["a", "b", "c"], 3, None)),
        &["columns[1].frequent", "below the number of levels"],
    );
    assert_contains(with(categories(&["a", "b", "c"], 2, Some(3))), &["columns[1].missing"]);
}
