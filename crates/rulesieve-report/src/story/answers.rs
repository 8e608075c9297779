//! How right a model is, and which classes it takes for each other.

use super::Story;
use super::views::table;
use crate::charts::{Chart, Heat, Scatter};
use crate::page::Section;
use crate::svg::number;
use crate::{Data, Figure};
use maud::html;
use rulesieve::data::{Column, ColumnData, Task};
use rulesieve::model::{Metrics, Model, Prediction};

/// Classes of a confusion matrix that is drawn.
const CLASSES: usize = 30;
/// Mistakes that are listed where it is not.
const MISTAKES: usize = 12;

impl Story<'_> {
    pub(super) fn fit(&self) -> Option<Section> {
        let predictor = self.model?;
        let model = predictor.model();
        let section = Section::new("How right the model is");
        let section = section.table("Figures of the training", &figures(model), &[1, 2, 3]);
        let Some((table, target)) = table(self.about.data, &model.features) else { return Some(section) };
        let Ok(answers) = predictor.predict(&table, 1) else { return Some(section) };
        let which = if self.about.data.samples() < self.about.rows { "the sample" } else { "the table" };
        let text = html! { p {
            "Held-out rows took no part in the selection and the rules that predict them. The figure shows the saved model on all "
            (self.about.data.samples()) " rows of " (which) ", most of which are its training rows: it is too good. Another labelled "
            "file shows how well it predicts."
        } };
        let drawn = match model.task {
            Task::Regression => Some(Ok(against(&answers.rows, &target))),
            Task::Classification => {
                let mut metrics = Metrics::new(model);
                metrics.add(&answers.rows, &target, 1).ok();
                let classes = metrics.finish().and_then(|found| found.classes);
                classes.map(|classes| confusion(&classes.class_names, &classes.confusion))
            }
        };
        Some(match drawn {
            Some(Ok(figure)) => section.with(text).figure(figure),
            Some(Err(mistakes)) => section.with(text).table("Most frequent mistakes", &mistakes, &[2]),
            None => section,
        })
    }

    /// The confusion of the first method over all splits.
    pub(super) fn judged_confusion(&self) -> Option<Section> {
        let record = self.evaluation?;
        let first = record.methods.first().filter(|first| !first.confusion.is_empty())?;
        let title = rulesieve::methods::title(&first.method);
        let rows: usize = first.confusion.iter().flatten().sum();
        let section = Section::new("Which classes are taken for each other");
        let section = section.text(&format!(
            "The judge on the columns of {title}: {rows} answers for rows not learned from, all splits together."
        ));
        Some(match confusion(&record.class_names, &first.confusion) {
            Ok(mut figure) => {
                figure.name = "confusion-evaluation".to_owned();
                section.figure(figure)
            }
            Err(mistakes) => section.table("Most frequent mistakes", &mistakes, &[2]),
        })
    }
}

/// How well the rules predict. Validation rows are left out: they were used to choose the rules.
fn figures(model: &Model) -> Data {
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
    push("training rows", training.learned, Some(training.training_accuracy), loss);
    if let Some(found) = &training.held_out {
        let (own, chance) =
            if regression { (found.rmse, found.chance_rmse) } else { (Some(found.loss), Some(found.chance_loss)) };
        push("held-out rows", found.rows, found.accuracy.or(found.r2), own);
        push("constant prediction", found.rows, found.chance_accuracy, chance);
    }
    data
}

/// The confusion matrix, or the most frequent mistakes where there are too many classes to draw.
fn confusion(classes: &[String], counts: &[Vec<usize>]) -> Result<Figure, Data> {
    if classes.len() <= CLASSES {
        let heat = Heat {
            rows: classes.to_vec(),
            columns: classes.to_vec(),
            values: counts.iter().map(|row| row.iter().map(|&count| count as f64).collect()).collect(),
            digits: Some(0),
            range: counts.iter().flatten().max().map(|&most| (0.0, most.max(1) as f64)),
            row_title: "true class".into(),
            column_title: "answered class".into(),
            value_title: "rows".into(),
            ..Heat::default()
        };
        return Ok(heat.figure("confusion", "Confusion matrix: true classes in rows, answers in columns"));
    }
    let places = (0..classes.len()).flat_map(|truth| (0..classes.len()).map(move |answer| (truth, answer)));
    let mut wrong: Vec<(usize, usize)> =
        places.filter(|&(truth, answer)| truth != answer && counts[truth][answer] > 0).collect();
    wrong.sort_by_key(|&(truth, answer)| std::cmp::Reverse(counts[truth][answer]));
    let mut data = Data::new(["true class", "answered", "rows"]);
    for (truth, answer) in wrong.into_iter().take(MISTAKES) {
        data.push([classes[truth].clone(), classes[answer].clone(), counts[truth][answer].to_string()]);
    }
    Err(data)
}

/// Answers against the truth.
fn against(answers: &[Option<Prediction>], target: &Column) -> Figure {
    let ColumnData::Numeric(truth) = &target.data else { return Scatter::default().figure("answers", "Answers") };
    let pairs = truth.iter().zip(answers).filter_map(|(&truth, answer)| match answer {
        Some(Prediction::Number(value)) => Some((truth, *value)),
        _ => None,
    });
    let pairs: Vec<(f64, f64)> = pairs.collect();
    let scatter = Scatter {
        groups: vec![("rows".into(), pairs)],
        x_title: format!("{} in the table", target.name),
        y_title: "answer of the model".into(),
        square: true,
        diagonal: true,
        bare: true,
    };
    scatter.figure("answers", "Answers against the truth: on the diagonal they are right")
}
