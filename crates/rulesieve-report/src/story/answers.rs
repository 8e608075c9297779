//! How right a model is, and which classes it takes for each other.

use super::Story;
use super::views::table;
use crate::charts::{Chart, Heat, Scatter};
use crate::page::Section;
use crate::svg::number;
use crate::{Data, Figure};
use maud::html;
use rulesieve::data::{Column, ColumnData, Task};
use rulesieve::model::{Metrics, Model, Prediction, Training};

/// Classes of a confusion matrix that is drawn.
const CLASSES: usize = 30;
/// Mistakes that are listed where it is not.
const MISTAKES: usize = 12;

impl Story<'_> {
    pub(super) fn fit(&self) -> Option<Section> {
        let predictor = self.model?;
        let model = predictor.model();
        let section = Section::new("How right the model is");
        let section = section.table("Figures of the refit", &figures(model), &[1, 2, 3]);
        let all = match model.training.on_all_rows {
            true => "It was then trained once more on all rows, as many steps as did best. ",
            false => "",
        };
        let Some((table, target)) = table(self.about.data, &model.features) else { return Some(section) };
        let Ok(answers) = predictor.predict(&table, 1) else { return Some(section) };
        let which = if self.about.data.samples() < self.about.rows { "the sample" } else { "the table" };
        let text = html! { p {
            (all) "The figure shows the saved model on all " (self.about.data.samples()) " rows of " (which) ". It has learned from most of "
            "them, so it flatters. The rows kept aside say more, and rows of another file most: " code { "rulesieve predict --evaluate" } "."
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

/// How the refit went.
fn figures(model: &Model) -> Data {
    let Training { learned, aside, .. } = model.training;
    let training = &model.training;
    let regression = model.task == Task::Regression;
    let share = |share: f64| if regression { number(share) } else { super::percent(share) };
    let measure = if regression { "R squared" } else { "accuracy" };
    let mut data = Data::new(["rows", "count", measure, "loss"]);
    let (right, loss) = (share(training.training_accuracy), number(training.training_loss));
    data.push(["learned from".to_owned(), learned.to_string(), right, loss]);
    if aside > 0 {
        let (right, loss) = (share(training.validation_accuracy), number(training.validation_loss));
        data.push(["kept aside".to_owned(), aside.to_string(), right, loss]);
        let loss = number(training.chance_loss);
        data.push(["kept aside, constant answer".to_owned(), aside.to_string(), String::new(), loss]);
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
