//! Estimators other than the SVM, and regression.

use super::*;
use rulesieve::Remedy;

#[test]
fn neighbours_and_rules_predict_classes_with_probabilities() {
    let data = waveform(240);
    for estimator in [Estimator::Knn { neighbours: vec![1, 15] }, Estimator::Tsk, Estimator::Htsk] {
        let options =
            EvaluateOptions { size: Some(Size::Top(10)), estimator: estimator.clone(), ..options(&["anova"]) };
        let found = evaluate(&data, &options, &mut Silent).unwrap();
        let scores = &found.methods[0].scores;
        assert!(scores["accuracy"].mean > 0.7, "{estimator:?} {scores:?}");
        assert!((0.2..1.0).contains(&scores["log_loss"].mean), "{estimator:?} {scores:?}");
        for fold in &found.methods[0].folds {
            match fold.estimator {
                FittedEstimator::Knn { neighbours } => assert_eq!(neighbours, 15, "one neighbour is too noisy"),
                FittedEstimator::Tsk { rules } => assert!((1..=16).contains(&rules)),
                FittedEstimator::Htsk { rules } => assert_eq!(rules, 30),
                FittedEstimator::Svm { .. } => panic!("another estimator"),
            }
        }
    }
    let by_svm = evaluate(&data, &EvaluateOptions { size: Some(Size::Top(10)), ..options(&["anova"]) }, &mut Silent);
    assert!(!by_svm.unwrap().methods[0].scores.contains_key("log_loss"), "an SVM has no probabilities");
}

/// Most folds have constant targets, and values are as large as 1e200.
#[test]
fn constant_and_huge_targets_are_accepted() {
    let table = |scale: f64| {
        let x = Column::numeric("x", (0..20).map(|row| f64::from(row % 7)).collect());
        let z = Column::numeric("z", (0..20).map(|row| f64::from(row * 3 % 5)).collect());
        let y = Column::numeric("t", (0..20).map(|row| if row == 3 || row == 11 { scale } else { 0.0 }).collect());
        let reading = DatasetOptions::new(Target::named("t").regression());
        Dataset::new(Table::new(vec![x, z, y]).unwrap(), &reading).unwrap()
    };
    let method = Method::LdrTskInductive;
    let set = [("steps".to_owned(), "20".to_owned()), ("starts".to_owned(), "1".to_owned())];
    let candidates = vec![Candidate { method, points: vec![method.settings(&set).unwrap()] }];
    for (scale, estimator) in
        [(1.0, Estimator::Tsk), (1e200, Estimator::Knn { neighbours: vec![1, 3] }), (1e200, Estimator::Tsk)]
    {
        let plan = Plan::Folds { folds: 10, repeats: 1 };
        let options = EvaluateOptions { candidates: candidates.clone(), estimator, plan, ..options(&[]) };
        let found = evaluate(&table(scale), &options, &mut Silent).unwrap();
        assert!(
            found.warnings.iter().any(|warning| warning.to_string().contains("R2 is not defined in 8 of 10")),
            "{:?}",
            found.warnings
        );
        assert!(
            found.methods[0].scores.values().all(|spread| spread.mean.is_finite()),
            "{:?}",
            found.methods[0].scores
        );
        assert!(found.baselines.all_features.as_ref().unwrap().first_against_this.is_some());
    }
}

#[test]
fn regression_is_scored_by_errors() {
    let reading = DatasetOptions::new(TargetColumn::default().regression());
    let data = generated("friedman", 300, &reading);
    let method = Method::LdrTskInductive;
    let set = [("steps".to_owned(), "150".to_owned()), ("starts".to_owned(), "1".to_owned())];
    let candidates = vec![Candidate { method, points: vec![method.settings(&set).unwrap()] }];
    for estimator in [Estimator::Knn { neighbours: vec![3, 9] }, Estimator::Tsk] {
        let options = EvaluateOptions {
            candidates: candidates.clone(),
            size: Some(Size::Top(5)),
            estimator: estimator.clone(),
            plan: Plan::Folds { folds: 3, repeats: 1 },
            ..options(&[])
        };
        let found = evaluate(&data, &options, &mut Silent).unwrap();
        let (own, base) = (&found.methods[0], &found.baselines);
        let mean = base.mean.as_ref().unwrap();
        assert!(mean["r2"].mean.abs() < 0.1 && base.majority.is_none(), "{mean:?}");
        let least = if estimator == Estimator::Tsk { 0.7 } else { 0.5 };
        assert!(own.scores["r2"].mean > least && own.scores["rmse"].mean < 0.8 * mean["rmse"].mean, "{:?}", own.scores);
        assert!(own.scores["r2"].mean > base.random_features.as_ref().unwrap().scores["r2"].mean + 0.1);
        assert_eq!((found.task, found.score), ("regression", "r2"));
        assert!(own.confusion.is_empty() && matches!(own.folds[0].predicted, Predicted::Numbers(_)));
        let shuffled = evaluate(&data, &EvaluateOptions { permute: true, ..options }, &mut Silent).unwrap();
        assert!(shuffled.methods[0].scores["r2"].mean < 0.1, "{:?}", shuffled.methods[0].scores);
    }
    let one_by_one = EvaluateOptions {
        candidates: candidates.clone(),
        plan: Plan::LeaveOneOut,
        estimator: Estimator::Knn { neighbours: vec![3] },
        size: Some(Size::Top(5)),
        ..options(&[])
    };
    let few = generated("friedman", 12, &reading);
    let found = evaluate(&few, &one_by_one, &mut Silent).unwrap();
    assert!(found.methods[0].scores["r2"].std.is_none() && found.methods[0].scores["rmse"].std.is_none());
    let error = evaluate(&data, &options(&["anova"]), &mut Silent).unwrap_err();
    let estimators = vec!["knn", "tsk"];
    assert_eq!(error.remedy(), Some(Remedy::EstimatorOrBins { estimators }), "{error}");
}
