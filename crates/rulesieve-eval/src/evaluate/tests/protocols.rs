//! Choices of each protocol, curves, stability over subsamples, and size rules.

use super::*;
use rulesieve::select::{SelectOptions, SizeRule, choose_size};

fn with_points(name: &str, set: &[(&str, &str)], axis: (&str, &[&str])) -> Candidate {
    let method: Method = name.parse().unwrap();
    let set: Vec<(String, String)> = set.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    let axis = (axis.0.to_owned(), axis.1.iter().map(|value| (*value).to_owned()).collect());
    // All other axes of the grid are fixed.
    let own: Vec<String> = method.info().grid.iter().map(|(name, _)| (*name).to_owned()).collect();
    let fixed = own.into_iter().filter(|name| *name != axis.0).map(|name| (name, "1".to_owned()));
    let set: Vec<(String, String)> = set.into_iter().chain(fixed).collect();
    Candidate { method, points: grid::points(method, &set, &[axis], None, 0).unwrap() }
}

fn paper(protocol: Protocol) -> EvaluateOptions {
    let one = with_points("ldr-tsk", &[("iterations", "15")], ("alpha", &["0.01", "1", "100"]));
    EvaluateOptions { protocol, candidates: vec![one], estimator: svm(&[1.0]), ..options(&[]) }
}

#[test]
fn protocol_paper_reports_the_best_setting() {
    let data = waveform(150);
    let found = evaluate(&data, &paper(Protocol::Paper), &mut Silent).unwrap();
    let method = &found.methods[0];
    assert_eq!((method.grid.len(), found.protocol.as_str(), found.inner_folds), (3, "paper", None));
    let best = method.grid.iter().map(|point| point.scores["accuracy"].mean).fold(0.0, f64::max);
    assert_eq!(accuracy(method), best);
    let params = &method.folds[0].params;
    assert!(
        method.folds.iter().all(|fold| fold.params == *params && fold.selected.len() == 13),
        "one setting, a third"
    );
    // Each setting alone has the same score as in the grid.
    for point in 0..3 {
        let mut alone = paper(Protocol::Paper);
        alone.candidates[0].points = vec![alone.candidates[0].points[point].clone()];
        let alone = evaluate(&data, &alone, &mut Silent).unwrap();
        assert_eq!(accuracy(&alone.methods[0]), method.grid[point].scores["accuracy"].mean);
    }
    assert!(
        found.warnings.iter().any(|warning| warning.to_string().contains("protocol paper")),
        "{:?}",
        found.warnings
    );
}

/// Gamma follows from the scaled training rows.
#[test]
fn the_protocol_as_run_scales_by_all_rows() {
    let data = waveform(60);
    let plan = Plan::ScikitFolds { folds: 3, seed: 42 };
    let found = |protocol| {
        let options = EvaluateOptions { protocol, plan: plan.clone(), estimator: svm(&[1.0]), ..options(&["anova"]) };
        evaluate(&data, &options, &mut Silent).unwrap()
    };
    let gammas = |record: &EvaluationRecord| -> Vec<f64> {
        let folds = &record.baselines.all_features.as_ref().unwrap().folds;
        let gamma = |fold: &FoldRecord| match fold.estimator {
            FittedEstimator::Svm { gamma, .. } => gamma.unwrap(),
            _ => panic!("another estimator"),
        };
        folds.iter().map(gamma).collect()
    };
    let all: Vec<usize> = (0..60).collect();
    let encoder = rulesieve::data::Encoder::fit(&data, &all, data.coding).unwrap();
    let gram = crate::svm::Gram::new(&encoder.transform(&data, &all).unwrap().x);
    let splits = crate::splits::splits(&plan, data.target.codes(), 0).unwrap();
    let expected = splits.iter().map(|split| Gamma::Scale.number(&gram, &split.train));
    let (as_run, paper) = (found(Protocol::PaperAsRun), found(Protocol::Paper));
    for ((expected, as_run), paper) in expected.zip(gammas(&as_run)).zip(gammas(&paper)) {
        assert!((as_run - expected).abs() < 1e-9 * expected && (paper - expected).abs() > 1e-4 * expected);
    }
    assert!(as_run.methods[0].folds.iter().all(|fold| fold.selected.len() == 13), "a third");
    let leaks = |record: &EvaluationRecord| record.warnings.iter().any(|one| one.to_string().contains("by all rows"));
    assert!(leaks(&as_run) && !leaks(&paper));
    let other = EvaluateOptions { protocol: Protocol::PaperAsRun, estimator: svm(&[1.0]), ..options(&["anova"]) };
    assert!(matches!(evaluate(&data, &other, &mut Silent), Err(EvaluateError::OtherFolds { .. })));
    let plan = Plan::ScikitFolds { folds: 3, seed: 42 };
    let other = EvaluateOptions { estimator: Estimator::Tsk, plan, ..other };
    assert!(matches!(evaluate(&data, &other, &mut Silent), Err(EvaluateError::OtherEstimator { .. })));
}

#[test]
fn protocol_paper_per_fold_reports_the_best_setting_of_each_split() {
    let data = waveform(150);
    let all: Vec<Vec<f64>> = (0..3)
        .map(|point| {
            let mut alone = paper(Protocol::Paper);
            alone.candidates[0].points = vec![alone.candidates[0].points[point].clone()];
            let found = evaluate(&data, &alone, &mut Silent).unwrap();
            found.methods[0].folds.iter().map(|fold| fold.scores["accuracy"]).collect()
        })
        .collect();
    let best = (0..5).map(|split| all.iter().map(|scores| scores[split]).fold(0.0, f64::max));
    let found = evaluate(&data, &paper(Protocol::PaperPerFold), &mut Silent).unwrap();
    let own: Vec<f64> = found.methods[0].folds.iter().map(|fold| fold.scores["accuracy"]).collect();
    assert_eq!(own, best.collect::<Vec<_>>());
}

/// With one iteration the ranking depends on the random start; inner folds must choose the other setting.
#[test]
fn nested_chooses_settings_by_inner_folds() {
    let data = waveform(200);
    let one = with_points("ldr-tsk", &[], ("iterations", &["1", "100"]));
    let options =
        EvaluateOptions { size: Some(Size::Top(4)), candidates: vec![one], estimator: svm(&[1.0]), ..options(&[]) };
    let found = evaluate(&data, &options, &mut Silent).unwrap();
    let long = found.methods[0].folds.iter().filter(|fold| format!("{:?}", fold.params["iterations"]).contains("100"));
    assert!(long.count() >= 4, "{:?}", found.methods[0].folds.iter().map(|fold| &fold.params).collect::<Vec<_>>());
    assert_eq!(found.inner_folds, Some(3));
}

/// The error names the setting if all fail.
#[test]
fn failed_settings_are_excluded() {
    let data = waveform(100);
    for protocol in [Protocol::Nested, Protocol::Paper] {
        let options = |values: &[&str]| EvaluateOptions {
            candidates: vec![with_points("ldr-tsk", &[("iterations", "10")], ("d", values))],
            protocol,
            size: Some(Size::Top(4)),
            estimator: svm(&[1.0]),
            ..options(&[])
        };
        let found = evaluate(&data, &options(&["1000", "5"]), &mut Silent).unwrap();
        assert!(found.methods[0].folds.iter().all(|fold| format!("{:?}", fold.params["d"]).contains('5')));
        let error = evaluate(&data, &options(&["1000", "2000"]), &mut Silent).unwrap_err().to_string();
        assert!(error.contains("ldr-tsk") && error.contains("d = "), "{error}");
    }
}

/// R squared of a single row is undefined; the best setting is found independently of its index.
#[test]
fn settings_for_regression_are_compared_by_squared_errors() {
    let reading = DatasetOptions::new(TargetColumn::default().regression());
    let data = generated("friedman", 14, &reading);
    let best = |axis: &[&str]| {
        let one = with_points("ldr-tsk-inductive", &[("steps", "30"), ("starts", "1")], ("beta", axis));
        let options = EvaluateOptions {
            protocol: Protocol::Paper,
            candidates: vec![one],
            plan: Plan::LeaveOneOut,
            estimator: Estimator::Knn { neighbours: vec![3] },
            ..options(&[])
        };
        let found = evaluate(&data, &options, &mut Silent).unwrap().methods.remove(0);
        let grid: Vec<f64> = found.grid.iter().map(|point| point.scores["r2"].mean).collect();
        assert_eq!(found.scores["r2"].mean, grid.iter().copied().fold(f64::NEG_INFINITY, f64::max), "{grid:?}");
        found.scores["r2"].mean
    };
    assert_eq!(best(&["0.02", "0.3", "3"]), best(&["3", "0.3", "0.02"]));
}

#[test]
fn settings_excluded_by_inner_folds_are_reported() {
    let one = with_points("ldr-tsk", &[("iterations", "10")], ("d", &["1000", "5"]));
    let options = EvaluateOptions {
        candidates: vec![one],
        size: Some(Size::Top(4)),
        estimator: svm(&[1.0]),
        subsamples: 3,
        ..options(&[])
    };
    let found = evaluate(&waveform(100), &options, &mut Silent).unwrap();
    assert!(
        found.warnings.iter().any(|warning| {
            let text = warning.to_string();
            text.contains("failed in inner folds") && text.contains("in 5 training parts")
        }),
        "{:?}",
        found.warnings
    );
    let params = found.methods[0].stability.as_ref().unwrap().params.as_ref().unwrap();
    assert!(format!("{:?}", params["d"]).contains('5'), "subsamples are ranked with the chosen setting");
}

#[test]
fn curves_increase_with_informative_features_and_include_the_given_size() {
    let options = EvaluateOptions { curve: true, size: Some(Size::Top(4)), ..options(&["anova"]) };
    let found = evaluate(&waveform(200), &options, &mut Silent).unwrap();
    let method = &found.methods[0];
    let curve = method.curve.as_ref().unwrap();
    let sizes: Vec<usize> = curve.points.iter().map(|point| point.features).collect();
    assert_eq!(sizes, [1, 2, 3, 4, 5, 8, 13, 21, 34, 40]);
    assert!(curve.points[6].score > curve.points[0].score + 0.1, "{curve:?}");
    assert!(curve.area > curve.points[0].score && curve.one_se > 2, "{curve:?}");
    assert_eq!(curve.points[3].score, accuracy(method), "the given size is a point of the curve");
    let all = found.baselines.all_features.as_ref().unwrap().curve.as_ref().unwrap();
    assert_eq!(all.points.len(), 1);
    assert!((all.points[0].score - curve.points[9].score).abs() < 0.05, "all features, in any order");
}

#[test]
fn stability_is_measured_over_subsamples() {
    let options = EvaluateOptions { subsamples: 20, size: Some(Size::Top(6)), ..options(&["anova"]) };
    let found = evaluate(&waveform(200), &options, &mut Silent).unwrap();
    let anova = found.methods[0].stability.as_ref().unwrap();
    assert_eq!((anova.over.as_str(), anova.size), ("20 subsamples of half the rows", 6.0));
    let random = found.baselines.random_features.as_ref().unwrap().stability.as_ref().unwrap();
    assert!(anova.measure.value > 0.4 && random.measure.value.abs() < 0.15, "{anova:?} {random:?}");
    // Subsamples share fewer rows than training sets, so their selections are less similar.
    let over_splits = evaluate(&waveform(200), &EvaluateOptions { subsamples: 0, ..options }, &mut Silent).unwrap();
    assert!(anova.measure.value < over_splits.methods[0].stability.as_ref().unwrap().measure.value);
}

#[test]
fn cells_have_the_scores_of_the_record() {
    let data = waveform(150);
    for protocol in [Protocol::Paper, Protocol::Nested] {
        let options = EvaluateOptions { size: Some(Size::Top(8)), ..paper(protocol) };
        let record = evaluate(&data, &options, &mut Silent).unwrap();
        let (cells, halted) = Evaluation::new(&data, &options).unwrap().run_for_cells(None, &mut Silent).unwrap();
        let cells = cells.unwrap();
        let names: Vec<&str> = cells.iter().map(|cell| cell.method.as_str()).collect();
        assert_eq!((names, halted), (vec!["ldr-tsk", "all features", "random features", MAJORITY], None));
        let folds = |method: &MethodRecord| method.folds.iter().map(|fold| fold.scores["accuracy"]).collect::<Vec<_>>();
        let own = &record.methods[0];
        assert!(cells[0].points.iter().any(|point| point.scores["accuracy"] == folds(own)), "{protocol:?}");
        assert_eq!(cells[1].points[0].scores["accuracy"], folds(record.baselines.all_features.as_ref().unwrap()));
        let majority = record.baselines.majority.as_ref().unwrap()["accuracy"].mean;
        assert!((cells[3].points[0].mean("accuracy").unwrap() - majority).abs() < 1e-12);
        let points = &cells[0].points;
        if protocol == Protocol::Paper {
            assert!(
                points
                    .iter()
                    .zip(&own.grid)
                    .all(|(point, grid)| point.mean("accuracy") == Some(grid.scores["accuracy"].mean))
            );
            // Beta and gamma are constant here but may differ between parts of a grid.
            assert!(points.iter().all(|point| point.params.keys().eq(["alpha", "beta", "gamma"])), "{points:?}");
        } else {
            assert_eq!((points.len(), points[0].chosen.len(), points[0].params.len()), (1, 5, 0));
        }
    }
}

#[test]
fn an_evaluation_without_baselines_has_the_same_scores() {
    let data = waveform(120);
    let with = EvaluateOptions { size: Some(Size::Top(8)), ..options(&["anova"]) };
    let without = EvaluateOptions { baselines: false, ..with.clone() };
    let (with, without) =
        (evaluate(&data, &with, &mut Silent).unwrap(), evaluate(&data, &without, &mut Silent).unwrap());
    assert_eq!(with.methods[0].scores, without.methods[0].scores);
    assert!(without.baselines.all_features.is_none() && without.baselines.random_features.is_none());
    assert!(without.baselines.majority.is_some());
}

#[test]
fn given_subsets_are_scored_like_selections() {
    let data = waveform(120);
    let options = EvaluateOptions { size: Some(Size::Top(3)), estimator: svm(&[1.0]), ..options(&["variance"]) };
    let found = evaluate(&data, &options, &mut Silent).unwrap();
    let evaluation = Evaluation::new(&data, &options).unwrap();
    let all: Vec<usize> = (0..data.features.len()).collect();
    let scores = evaluation.score_subsets(&[all, vec![0], vec![5, 6]], &mut Silent).unwrap().unwrap();
    let scores: Vec<f64> = scores.iter().map(|splits| splits.iter().sum::<f64>() / splits.len() as f64).collect();
    assert!((scores[0] - accuracy(found.baselines.all_features.as_ref().unwrap())).abs() < 1e-12);
    assert!(scores[1] < scores[0], "{scores:?}");
    struct Never;
    impl Observer for Never {
        fn observe(&mut self, _: &Progress) -> ControlFlow<Halt> {
            ControlFlow::Break(Halt::OutOfTime)
        }
    }
    assert_eq!(evaluation.score_subsets(&[vec![0]], &mut Never).unwrap(), None);
}

#[test]
fn size_rules_use_the_training_rows_of_each_split() {
    let data = waveform(150);
    let of = |protocol, rule| {
        let size = Some(Size::Rule(rule));
        let options = EvaluateOptions { protocol, size, estimator: svm(&[1.0]), ..options(&["anova"]) };
        evaluate(&data, &options, &mut Silent).unwrap()
    };
    let nested = of(Protocol::Nested, SizeRule::OneSe);
    assert_eq!((nested.size.as_str(), nested.inner_folds), ("one-se", None), "inner folds have nothing to choose");
    let folds = &nested.methods[0].folds;
    // The same as a selection from the training rows of the first split.
    let train: Vec<usize> = (0..150).filter(|row| !folds[0].test.contains(row)).collect();
    let select = SelectOptions::new(Method::Anova).seed(3 + 1);
    let found = choose_size(&data, &train, &select, SizeRule::OneSe, &mut Silent).unwrap();
    let ControlFlow::Continue((size, _)) = found else { panic!("no observer ends it") };
    assert_eq!(folds[0].selected.len(), size);
    let best = of(Protocol::Nested, SizeRule::Best);
    assert!(nested.methods[0].features.mean <= best.methods[0].features.mean);
    let paper = of(Protocol::Paper, SizeRule::OneSe);
    assert_eq!(paper.methods[0].folds[0].selected, folds[0].selected);
    let curve = EvaluateOptions { curve: true, size: Some(Size::Rule(SizeRule::Best)), ..options(&["anova"]) };
    let error = evaluate(&data, &curve, &mut Silent).unwrap_err();
    assert!(error.remedy().is_some_and(|remedy| remedy.to_string().contains("leave out the curve")), "{error}");
}

/// Later rows are never trained on, also inside; the groups of equal times stay together.
#[test]
fn training_rows_precede_test_rows() {
    let data = waveform(120);
    let times: Vec<u32> = (0..120).map(|row| (row * 7 % 120 / 4) as u32).collect();
    for (window, expected) in [(None, [24, 48, 72, 96]), (Some(1), [24, 24, 24, 24])] {
        let plan = Plan::Time { folds: 4, times: times.clone(), window };
        let options = EvaluateOptions { plan, ..options(&["anova"]) };
        let evaluation = Evaluation::new(&data, &options).unwrap();
        for (split, expected) in expected.into_iter().enumerate() {
            let rows = evaluation.spec().split(split);
            let [train, test] = [&rows.train, &rows.test].map(|rows| rows.iter().map(|&row| times[row]));
            assert!(train.max().unwrap() < test.min().unwrap(), "{window:?}, split {split}");
            assert_eq!((rows.train.len(), rows.test.len()), (expected, 24));
        }
        let record = evaluation.run(None, &mut Silent).unwrap().record;
        assert!(record.complete && record.splits.starts_with("4 folds in the order of time"), "{}", record.splits);
        let rows: Vec<usize> = record.methods[0].folds.iter().map(|fold| fold.train_rows).collect();
        assert_eq!(rows, expected);
        let other = EvaluateOptions { plan: Plan::Folds { folds: 4, repeats: 1 }, ..options.clone() };
        assert_ne!(evaluation.spec().key(), Evaluation::new(&data, &other).unwrap().spec().key());
        let saved = serde_json::to_string(evaluation.spec()).unwrap();
        assert_eq!(&serde_json::from_str::<RunSpec>(&saved).unwrap(), evaluation.spec());
    }
}

/// Only a sample of the training rows trains the estimator; all test rows are predicted.
#[test]
fn the_estimator_is_trained_on_a_sample() {
    let data = waveform(400);
    let run = |estimator_rows, estimator: Estimator| {
        let options = EvaluateOptions { estimator_rows, estimator, size: Some(Size::Top(8)), ..options(&["anova"]) };
        let evaluation = Evaluation::new(&data, &options).unwrap();
        (evaluation.spec().key(), evaluation.run(None, &mut Silent).unwrap().record)
    };
    let knn = || Estimator::Knn { neighbours: vec![5] };
    for estimator in [svm(&[1.0]), knn(), Estimator::Htsk] {
        let ((key, whole), (other, sampled)) = (run(None, estimator.clone()), run(Some(60), estimator));
        assert_eq!((whole.estimator_rows, sampled.estimator_rows), (None, Some(60)));
        assert!(key != other && sampled.estimator_text().contains("a sample of 60 training rows"));
        let predicted = |fold: &FoldRecord| match &fold.predicted {
            Predicted::Labels(labels) => labels.len(),
            Predicted::Numbers(_) => 0,
        };
        assert!(sampled.methods[0].folds.iter().all(|fold| predicted(fold) == 80 && fold.train_rows == 320));
        let (all, some) = (accuracy(&whole.methods[0]), accuracy(&sampled.methods[0]));
        assert!(some > 0.6 && some < all, "{some} {all}");
        assert_eq!(whole.methods[0].frequencies, sampled.methods[0].frequencies, "all training rows rank");
    }
    // A limit that no training set exceeds changes nothing, not even the key.
    let (whole, limited) = (run(None, knn()), run(Some(320), knn()));
    assert_eq!((whole.0, whole.1.estimator_rows), (limited.0, limited.1.estimator_rows));
}

/// Test rows are predicted in chunks of the size of the sample, with the same result as at once.
#[test]
fn chunks_of_test_rows_change_nothing() {
    let data = waveform(3000);
    let plan = Plan::Folds { folds: 2, repeats: 1 };
    let options = |estimator| EvaluateOptions {
        estimator_rows: Some(400),
        estimator,
        plan: plan.clone(),
        size: Some(Size::Top(5)),
        baselines: false,
        ..options(&["anova"])
    };
    for estimator in [svm(&[1.0]), Estimator::Knn { neighbours: vec![3] }] {
        let options = options(estimator);
        let evaluation = Evaluation::new(&data, &options).unwrap();
        let record = evaluation.run(None, &mut Silent).unwrap().record;
        let first = &record.methods[0].folds[0];
        let rows = evaluation.spec().split(0);
        let shorter = crate::splits::Split { train: rows.train, test: rows.test[..100].to_vec() };
        let indices: Vec<usize> = first
            .selected
            .iter()
            .map(|name| data.features.iter().position(|feature| feature.name == *name).unwrap())
            .collect();
        let encoded = evaluation.context().encode(shorter, options.seed + 1).ok().unwrap();
        let part = encoded.prediction(&indices, &options.estimator.choices(), &mut Silent).ok().unwrap();
        let PredictedValues::Classes(codes) = part.values else { panic!("classes") };
        let labels: Vec<&String> = codes.iter().map(|&code| &data.target.classes()[code as usize]).collect();
        let Predicted::Labels(all) = &first.predicted else { panic!("classes") };
        assert_eq!(labels, all[..100].iter().collect::<Vec<_>>(), "{:?}", first.estimator);
    }
}
