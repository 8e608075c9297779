//! Performance of a model, and confusion matrices.

use super::Report;
use super::dataset::table;
use crate::charts::{Chart, Heat, Scatter};
use crate::page::Section;
use crate::svg::number;
use crate::{Data, Figure};
use maud::html;
use rulesieve::data::{Column, ColumnData, Task};
use rulesieve::model::{Metrics, Model, Prediction};

/// Maximum classes of a confusion matrix; with more, the most frequent errors are listed.
const CLASSES: usize = 30;
/// Maximum errors in the list.
const ERRORS: usize = 12;

impl Report<'_> {
    pub(super) fn performance(&self) -> Option<Section> {
        let predictor = self.model?;
        let model = predictor.model();
        let section = Section::new("Model performance");
        let section = section.table("Scores of the model", &scores(model), &[1, 2, 3]);
        let Some((table, target)) = table(self.run.data, &model.features) else { return Some(section) };
        let Ok(predictions) = predictor.predict(&table, 1) else { return Some(section) };
        let which = if self.run.data.samples() < self.run.rows { "the sample" } else { "the table" };
        let text = html! { p {
            "Held-out rows took no part in the selection and the rules that predict them. The figure shows the saved model on all "
            (self.run.data.samples()) " rows of " (which) ", most of which are its training rows: it is too good. Another labelled "
            "file shows how well it predicts."
        } };
        let drawn = match model.task {
            Task::Regression => Some(Ok(predicted_against_true(&predictions.rows, &target))),
            Task::Classification => {
                let mut metrics = Metrics::new(model);
                metrics.add(&predictions.rows, &target, 1).ok();
                let classes = metrics.finish().and_then(|found| found.classes);
                classes.map(|classes| confusion(&classes.class_names, &classes.confusion))
            }
        };
        Some(match drawn {
            Some(Ok(figure)) => section.with(text).figure(figure),
            Some(Err(errors)) => section.with(text).table("Most frequent errors", &errors, &[2]),
            None => section,
        })
    }

    /// The confusion matrix of the first method over all splits.
    pub(super) fn evaluation_confusion(&self) -> Option<Section> {
        let record = self.evaluation?;
        let first = record.methods.first().filter(|first| !first.confusion.is_empty())?;
        let title = rulesieve::methods::title(&first.method);
        let rows: usize = first.confusion.iter().flatten().sum();
        let section = Section::new("Confusion matrix");
        let section = section.text(&format!(
            "Predictions of the estimator on the columns of {title}: {rows} held-out rows of all splits."
        ));
        Some(match confusion(&record.class_names, &first.confusion) {
            Ok(mut figure) => {
                figure.name = "confusion-evaluation".to_owned();
                section.figure(figure)
            }
            Err(errors) => section.table("Most frequent errors", &errors, &[2]),
        })
    }
}

/// Scores on training rows and held-out rows. Validation rows are omitted because they were used to choose the rules.
fn scores(model: &Model) -> Data {
    let training = &model.training;
    let regression = model.task == Task::Regression;
    let score = |value: f64| if regression { number(value) } else { super::percent(value) };
    let text = |value: Option<f64>| value.map(number).unwrap_or_default();
    let (measure, error) = if regression { ("R squared", "RMSE") } else { ("accuracy", "log-loss") };
    let mut data = Data::new(["rows", "count", measure, error]);
    let mut push = |name: &str, rows: usize, right: Option<f64>, wrong: Option<f64>| {
        data.push([name.to_owned(), rows.to_string(), right.map(score).unwrap_or_default(), text(wrong)]);
    };
    // The loss of regression is not in units of the target.
    let loss = Some(training.training_loss).filter(|_| !regression);
    push("training rows", training.training_rows, Some(training.training_accuracy), loss);
    if let Some(found) = &training.held_out {
        let (own, chance) =
            if regression { (found.rmse, found.chance_rmse) } else { (Some(found.loss), Some(found.chance_loss)) };
        push("held-out rows", found.rows, found.accuracy.or(found.r2), own);
        push("constant prediction", found.rows, found.chance_accuracy, chance);
    }
    data
}

/// The confusion matrix, or a table of the most frequent errors if there are too many classes.
fn confusion(classes: &[String], counts: &[Vec<usize>]) -> Result<Figure, Data> {
    if classes.len() <= CLASSES {
        let heat = Heat {
            rows: classes.to_vec(),
            columns: classes.to_vec(),
            values: counts.iter().map(|row| row.iter().map(|&count| count as f64).collect()).collect(),
            digits: Some(0),
            range: counts.iter().flatten().max().map(|&most| (0.0, most.max(1) as f64)),
            row_title: "true class".into(),
            column_title: "predicted class".into(),
            value_title: "rows".into(),
            ..Heat::default()
        };
        return Ok(heat.figure("confusion", "Confusion matrix: true classes in rows, predicted classes in columns"));
    }
    let cells = (0..classes.len()).flat_map(|truth| (0..classes.len()).map(move |predicted| (truth, predicted)));
    let mut wrong: Vec<(usize, usize)> =
        cells.filter(|&(truth, predicted)| truth != predicted && counts[truth][predicted] > 0).collect();
    wrong.sort_by_key(|&(truth, predicted)| std::cmp::Reverse(counts[truth][predicted]));
    let mut data = Data::new(["true class", "predicted class", "rows"]);
    for (truth, predicted) in wrong.into_iter().take(ERRORS) {
        data.push([classes[truth].clone(), classes[predicted].clone(), counts[truth][predicted].to_string()]);
    }
    Err(data)
}

/// A scatter plot of predicted against true values.
fn predicted_against_true(predictions: &[Option<Prediction>], target: &Column) -> Figure {
    let ColumnData::Numeric(truth) = &target.data else { return Scatter::default().figure("answers", "Predictions") };
    let pairs = truth.iter().zip(predictions).filter_map(|(&truth, prediction)| match prediction {
        Some(Prediction::Number(value)) => Some((truth, *value)),
        _ => None,
    });
    let pairs: Vec<(f64, f64)> = pairs.collect();
    let scatter = Scatter {
        groups: vec![("rows".into(), pairs)],
        x_title: format!("true {}", target.name),
        y_title: format!("predicted {}", target.name),
        square: true,
        diagonal: true,
        hide_legend: true,
    };
    scatter.figure("answers", "Predicted against true values; exact predictions are on the diagonal")
}
