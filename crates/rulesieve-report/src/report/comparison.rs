//! Evaluation of methods: scores, stability, selection frequencies, and score by number of columns.

use super::Report;
use crate::Data;
use crate::charts::{Bar, Bars, Chart, Dot, Dots, Lines, Scale, Series};
use crate::page::Section;
use crate::svg::number;
use maud::html;
use rulesieve::methods;
use rulesieve_eval::evaluate::{EvaluationRecord, MAJORITY, MethodRecord, Spread, Spreads};

/// Maximum columns with a frequency bar.
const FREQUENT: usize = 25;

/// Names and titles of the scores.
fn columns(record: &EvaluationRecord) -> Vec<(&'static str, &'static str)> {
    let mut columns = match record.score {
        "r2" => vec![("r2", "R squared"), ("rmse", "RMSE")],
        _ => vec![
            ("accuracy", "accuracy, %"),
            ("macro_f1", "macro-F1, %"),
            ("roc_auc", "ROC AUC"),
            ("average_precision", "average precision"),
        ],
    };
    columns.retain(|(name, _)| record.scores_of(name).next().is_some());
    if record.scores_of("log_loss").next().is_some() {
        columns.push(("log_loss", "log-loss"));
    }
    columns
}

fn cell(score: &str, spread: Spread) -> String {
    let text = |value: f64| match score {
        "accuracy" | "macro_f1" => format!("{:.2}", 100.0 * value),
        _ => number(value),
    };
    spread.std.map_or(text(spread.mean), |std| format!("{} ± {}", text(spread.mean), text(std)))
}

fn every(record: &EvaluationRecord) -> impl Iterator<Item = &MethodRecord> {
    record.methods.iter().chain(&record.baselines.all_features).chain(&record.baselines.random_features)
}

impl Report<'_> {
    pub(super) fn comparison(&self) -> Option<Section> {
        let record = self.evaluation?;
        let columns = columns(record);
        let scores = |scores: &Spreads| -> Vec<String> {
            columns
                .iter()
                .map(|(name, _)| scores.get(name).map(|spread| cell(name, *spread)).unwrap_or_default())
                .collect()
        };
        let heads = columns.iter().map(|(_, title)| (*title).to_owned());
        let rest = ["features", "p against the first", "seconds"].map(str::to_owned);
        let mut data = Data::new(["method".to_owned()].into_iter().chain(heads).chain(rest));
        for method in every(record) {
            let p = method.first_against_this.as_ref();
            let p = p.map_or(String::new(), |test| test.p.map_or("–".to_owned(), |p| format!("{p:.3}")));
            let size = format!("{:.1}", method.features.mean);
            let name = methods::title(&method.method).to_owned();
            data.push([name].into_iter().chain(scores(&method.scores)).chain([
                size,
                p,
                format!("{:.1}", method.seconds),
            ]));
        }
        for (name, found) in [(MAJORITY, &record.baselines.majority), ("mean", &record.baselines.mean)] {
            if let Some(found) = found {
                let empty = [const { String::new() }; 3];
                data.push([name.to_owned()].into_iter().chain(scores(found)).chain(empty));
            }
        }
        let numbers: Vec<usize> = (1..data.header.len()).collect();
        let text = html! {
            p { "Scores on held-out rows, " (record.splits_text()) ", " (record.estimator_text()) ": mean ± standard deviation over the splits. The last methods are "
                "baselines: all columns, columns in random order, and a constant prediction. p-values test the difference from the "
                "first method." }
        };
        let section =
            Section::new("Comparison of methods").with(text).table("Scores on held-out rows", &data, &numbers);
        Some(section.figure(bars(record).figure("comparison", "Scores of methods and baselines")))
    }

    pub(super) fn stability(&self) -> Option<Section> {
        let record = self.evaluation?;
        let dots = record.methods.iter().chain(&record.baselines.random_features).filter_map(|method| {
            let found = method.stability.as_ref()?.measure;
            let highlight = record.methods.first().is_some_and(|first| first.method == method.method);
            let label = methods::title(&method.method).to_owned();
            Some(Dot { label, value: found.value, interval: Some((found.low, found.high)), highlight })
        });
        let dots: Vec<Dot> = dots.collect();
        let over = record.methods.iter().find_map(|method| Some(method.stability.as_ref()?.over.clone()))?;
        let dots = Dots { dots, value_title: "stability with 95 % interval".into(), range: Some((0.0, 1.0)) };
        let text = format!(
            "Similarity of the selections on different rows (Nogueira's measure, over {over}): 1 for identical selections, 0 for \
             the similarity of random ones. The interval assumes independent selections and is slightly too narrow."
        );
        Some(Section::new("Stability").text(&text).figure(dots.figure("stability", "Stability of the selections")))
    }

    pub(super) fn frequencies(&self) -> Option<Section> {
        let record = self.evaluation?;
        let first = record.methods.first().filter(|first| !first.frequencies.is_empty())?;
        let mut kept: Vec<(&String, f64)> = first.frequencies.iter().map(|(name, share)| (name, *share)).collect();
        kept.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        let more = kept.len().saturating_sub(FREQUENT);
        let bar = |&(name, share): &(&String, f64)| Bar {
            label: name.clone(),
            value: 100.0 * share,
            error: None,
            highlight: share >= 0.5,
        };
        let bars = kept.iter().take(FREQUENT).map(bar).collect();
        let bars = Bars {
            bars,
            value_title: "% of the splits that select the column".into(),
            range: Some((0.0, 100.0)),
            ..Bars::default()
        };
        let title = methods::title(&first.method);
        let never = record.features - kept.len();
        let mut text = format!(
            "Share of the splits in which {title} selected each column; shares of at least half are highlighted."
        );
        if more > 0 {
            text += &format!(" {more} more were selected less often.");
        }
        if never > 0 {
            text += &format!(" {never} were never selected.");
        }
        let section = Section::new("Selection frequencies").text(&text);
        Some(section.figure(bars.figure("frequencies", "Selection frequency of each column")))
    }

    pub(super) fn curves(&self) -> Option<Section> {
        let record = self.evaluation?;
        let scale = if record.score == "r2" { 1.0 } else { 100.0 };
        let series = record.methods.iter().chain(&record.baselines.random_features).filter_map(|method| {
            let curve = method.curve.as_ref()?;
            Some(Series {
                name: methods::title(&method.method).to_owned(),
                points: curve.points.iter().map(|point| (point.features as f64, scale * point.score)).collect(),
                spread: curve.points.iter().map(|point| scale * point.standard_error).collect(),
                band: true,
            })
        });
        let series: Vec<Series> = series.collect();
        let first = record.methods.first()?.curve.as_ref().filter(|_| !series.is_empty())?;
        let lines = Lines {
            series,
            x_title: "number of columns".into(),
            y_title: if record.score == "r2" { "R squared".into() } else { "accuracy in %".into() },
            x_scale: Scale::Log,
            marks: true,
            x_ticks: first.points.iter().map(|point| point.features as f64).collect(),
            annotation: Some((first.one_se as f64, format!("one standard error: {}", first.one_se))),
            ..Lines::default()
        };
        let text = format!(
            "Score of the best 1, 2, 3, 5, 8, ... columns on the held-out rows of each split; bands are one standard error. For the \
             first method, {} columns are within one standard error of the best score.",
            first.one_se
        );
        let section = Section::new("Score by number of columns").text(&text);
        Some(section.figure(lines.figure("curve", "Score against the number of columns")))
    }
}

/// The main score of all methods and baselines as bars.
fn bars(record: &EvaluationRecord) -> Bars {
    let scale = if record.score == "r2" { 1.0 } else { 100.0 };
    let bar = |label: &str, scores: &Spreads, highlight: bool| {
        let spread = scores.get(record.score)?;
        let error = spread.std.map(|std| scale * std);
        Some(Bar { label: label.to_owned(), value: scale * spread.mean, error, highlight })
    };
    let constant = [(MAJORITY, &record.baselines.majority), ("mean", &record.baselines.mean)];
    let constant = constant.into_iter().filter_map(|(name, scores)| bar(name, scores.as_ref()?, false));
    let own = every(record).enumerate();
    let own =
        own.filter_map(|(at, method)| bar(methods::title(&method.method), &method.scores, at < record.methods.len()));
    let title = if record.score == "r2" { "R squared" } else { "accuracy in %" };
    let range = (record.score != "r2").then_some((0.0, 100.0));
    Bars { bars: own.chain(constant).collect(), value_title: title.into(), range, ..Bars::default() }
}
