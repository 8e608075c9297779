//! Report pages of small data sets, ordinary and hostile.

use super::*;
use rulesieve::Warning;
use rulesieve::data::{Column, DatasetOptions, Missing, Table, Target};
use rulesieve::methods::Method;
use rulesieve::model::{CrossFit, Predictor, TrainOptions, cross_fit, train};
use rulesieve::optim::Silent;
use rulesieve::select::{SelectOptions, Size, select};

const EVIL: &str = "<script>document.title='x'</script>";

/// Forty rows: an informative column, an informative category, and a noise column.
fn data(names: [&str; 4], regression: bool) -> Dataset {
    let wave = |at: i32, speed: f64| (f64::from(at) * speed).sin();
    let first = (0..40).map(|at| f64::from(at % 2) * 3.0 + wave(at, 1.3)).collect();
    let kind = (0..40).map(|at| if at % 5 == 0 { "<b>" } else { "v&w" });
    let noise = (0..40).map(|at| if at == 7 { f64::NAN } else { wave(at, 7.1) }).collect();
    let target = match regression {
        true => Column::numeric(names[3], (0..40).map(|at| f64::from(at % 2) * 2.0 + wave(at, 1.3)).collect()),
        false => Column::text(names[3], (0..40).map(|at| if at % 2 == 0 { "even" } else { EVIL })),
    };
    let table =
        vec![Column::numeric(names[0], first), Column::text(names[1], kind), Column::numeric(names[2], noise), target];
    let target = Target::named(names[3]);
    let target = if regression { target.regression() } else { target };
    Table::new(table).unwrap().into_dataset(target, Missing::Median).unwrap()
}

fn page(data: &Dataset, method: &str, trained: bool) -> Page {
    page_after(data, method, trained, |_| {})
}

/// The page of a model after `change`.
fn page_after(data: &Dataset, method: &str, trained: bool, change: impl Fn(&mut Predictor)) -> Page {
    let method: Method = method.parse().unwrap();
    let options = SelectOptions::new(method).size(Size::Top(2)).seed(3);
    let selection = select(data, &options, &mut Silent).unwrap();
    let training = TrainOptions::new().set([("steps", "60")]).unwrap().seed(3);
    let model = trained.then(|| {
        let (mut model, _) = train(data, &selection, &training, &mut Silent).unwrap();
        model.set_held_out(cross_fit(data, &options, &training, None, &mut Silent));
        change(&mut model);
        model
    });
    let run = RunInfo { input: "t.csv", command: "rulesieve train t.csv", data, rows: data.samples() };
    Report { run, selection: Some(&selection), model: model.as_ref(), evaluation: None }.page()
}

#[test]
fn a_classification_model_with_hostile_names() {
    let data = data([EVIL, "\"&'", "=cmd", "t\u{202e}"], false);
    let page = page(&data, "ldr-tsk", true);
    let html = page.html();
    assert!(!html.contains("<script") && !html.contains("<b>"), "{html}");
    assert!(html.contains("&lt;script&gt;document.title"));
    for part in [
        "Ranking",
        "Rules",
        "One row explained",
        "Model performance",
        "How to reproduce this",
        "the first row of the table",
    ] {
        assert!(html.contains(part), "{part}");
    }
    let names: Vec<String> = page.figures().into_iter().map(|figure| figure.name).collect();
    assert_eq!(names, ["scores", "one-row", "confusion", "distributions", "correlation", "convergence"]);
    assert!(!html.contains("NaN") && !html.contains(">inf<"));
}

#[test]
fn a_regression_model_has_its_own_figures() {
    let page = page(&data(["a", "b", "c", "y"], true), "ldr-tsk-inductive", true);
    let names: Vec<String> = page.figures().into_iter().map(|figure| figure.name).collect();
    assert_eq!(names, ["scores", "one-row", "answers", "distributions", "correlation", "convergence"]);
    let html = page.html();
    assert!(html.contains("held-out R2 ") && html.contains("constant prediction"), "{html}");
}

#[test]
fn held_out_results_are_shown_and_validation_results_are_not() {
    let data = data(["a", "b", "c", "y"], false);
    let html = page(&data, "anova", true).html();
    for part in ["held-out accuracy ", "on 40 rows (constant prediction 50.0 %)", "held-out rows", "training rows"] {
        assert!(html.contains(part), "{part}: {html}");
    }
    let chance = |model: &mut Predictor| {
        let mut found = cross_fit_of(model);
        if let Some(held_out) = &mut found.held_out {
            held_out.better_than_chance = false;
        }
        model.set_held_out(found);
    };
    let html = page_after(&data, "anova", true, chance).html();
    assert!(html.contains("No better than chance") && html.contains("no better than chance on 40 held-out rows"));
    let none = |model: &mut Predictor| {
        model.set_held_out(CrossFit {
            warnings: vec![Warning::NoHeldOut { reason: "out of time".into() }],
            ..CrossFit::default()
        });
    };
    let html = page_after(&data, "anova", true, none).html();
    assert!(html.contains("training accuracy") && html.contains("out of time") && !html.contains("held-out accuracy"));
    assert!(!html.contains("validation accuracy"), "validation rows chose among restarts: {html}");
}

/// The held-out results of a model.
fn cross_fit_of(model: &Predictor) -> CrossFit {
    CrossFit { held_out: model.model().training.held_out.clone(), ..CrossFit::default() }
}

#[test]
fn a_filter_has_no_rules_and_no_convergence() {
    let html = page(&data(["a", "b", "c", "y"], false), "anova", false).html();
    assert!(!html.contains("Convergence") && !html.contains("Rules") && !html.contains("One row"));
    assert!(html.contains("does not show its quality"));
}

/// XOR of two columns thresholded at 0.5, and a noise column.
fn exclusive(names: [&str; 3]) -> Dataset {
    let wave = |at: u32, speed: f64| (f64::from(at) * speed).fract();
    let column = |name: &str, speed: f64| Column::numeric(name, (0..200).map(|at| wave(at, speed)).collect());
    let one = |at: u32| (wave(at, 0.618_034) > 0.5) != (wave(at, 0.414_214) > 0.5);
    let target = Column::text("t", (0..200).map(|at| if one(at) { "one" } else { "none or both" }));
    let table = vec![column(names[0], 0.618_034), column(names[1], 0.414_214), column(names[2], 0.732_051), target];
    let options = DatasetOptions::new(Target::named("t"));
    Dataset::new(Table::new(table).unwrap(), &options).unwrap()
}

#[test]
fn pairs_and_p_values_are_shown_if_the_method_computes_them() {
    let found = page(&exclusive([EVIL, "b", "c"]), "sieve", false);
    let html = found.html();
    assert!(!html.contains("<script"), "{html}");
    for part in [
        "Interacting columns",
        "exceeds the sum of their separate effects",
        "corrected for all pairs tested",
        "pairs tested: all 3",
        "&lt;/script&gt; and b",
        "p-values of the columns",
        "increase of the held-out squared error when the column is removed from the selected set",
        "held-out accuracy ",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    let names: Vec<String> = found.figures().into_iter().map(|figure| figure.name).collect();
    assert_eq!(names[..2], ["scores", "pairs"]);
    assert!(!html.contains("NaN"), "cells without a pair are drawn as a dash");
}

#[test]
fn without_pairs_there_is_no_section() {
    let data = data(["a", "b", "c", "y"], false);
    for method in ["sieve", "anova"] {
        let html = page(&data, method, false).html();
        assert!(!html.contains("Interacting columns"), "{method}");
        assert_eq!(html.contains("p-values of the columns"), method == "sieve");
    }
}
