//! Ranking, choice of the size, and convergence.

use super::{Report, many, p_value};
use crate::Data;
use crate::charts::{Bar, Bars, Chart, Lines, Panels, Scale, Series};
use crate::page::Section;
use crate::svg::number;
use maud::html;
use rulesieve::data::Task;
use rulesieve::select::Ranked;

/// Bars of features that are not selected.
const OTHERS: usize = 10;
/// Maximum number of bars.
const BARS: usize = 30;
/// Terms whose values span more than this ratio have a logarithmic axis.
const STEEP: f64 = 30.0;
/// Explanation of the p-values.
const P_VALUES: &str = "The p-value of a column is the smallest of all tests that include it, alone or with other columns, corrected for the \
                        number of tests. It measures the evidence for an association with the target, not its strength.";

impl Report<'_> {
    pub(super) fn scores(&self) -> Option<Section> {
        let selection = self.selection?;
        let count = selection.selected.len();
        let shown = (count + OTHERS).min(BARS).min(selection.ranking.len());
        let bar = |(at, ranked): (usize, &Ranked)| Bar {
            label: ranked.feature.clone(),
            value: ranked.score,
            error: None,
            highlight: at < count,
        };
        let bars = selection.ranking[..shown].iter().enumerate().map(bar).collect();
        let bars = Bars { bars, value_title: "score".into(), highlight: "selected".into(), range: None };
        let hidden = selection.ranking.len() - shown;
        let unused = selection.unused.len();
        let section = Section::new("Ranking").with(html! {
            p { (count) " of " (many(selection.data.features, "column", "columns")) " selected. " (meaning(&selection.method))
                @if hidden > 0 { " Not shown: " (hidden) " with lower scores." }
                @if unused > 0 { " Not used by the model: " (unused) "." }
            }
        });
        let section = section.figure(bars.figure("scores", "Scores of the columns, best first"));
        let tests = p_values(&selection.ranking[..shown]);
        Some(match tests {
            Some(tests) => section.text(P_VALUES).table("p-values of the columns", &tests, &[0, 2, 3]),
            None => section,
        })
    }

    pub(super) fn size(&self) -> Option<Section> {
        let selection = self.selection?;
        let curve = selection.size.as_ref()?;
        let classes = selection.data.task == Task::Classification;
        let scale = if classes { 100.0 } else { 1.0 };
        let title = if classes { "accuracy in %" } else { "R squared" };
        let series = Series {
            name: title.to_owned(),
            points: curve.points.iter().map(|point| (point.features as f64, scale * point.score)).collect(),
            spread: curve.points.iter().map(|point| scale * point.standard_error).collect(),
            band: true,
        };
        let count = selection.selected.len();
        let lines = Lines {
            series: vec![series],
            x_title: "number of columns".into(),
            y_title: title.into(),
            x_scale: Scale::Log,
            marks: true,
            x_ticks: curve.points.iter().map(|point| point.features as f64).collect(),
            annotation: Some((count as f64, format!("chosen: {count}"))),
            ..Lines::default()
        };
        let text = format!(
            "Cross-validated score of kernel ridge regression on the best columns, {} folds. The rule {} chose {count} columns by this \
             score, which is therefore slightly optimistic. The band is one standard error to each side.",
            curve.folds, curve.rule
        );
        let section = Section::new("Number of columns").text(&text);
        Some(section.figure(lines.figure("size", "Score against the number of columns")))
    }

    pub(super) fn convergence(&self) -> Option<Section> {
        let selection = self.selection?;
        let terms: Vec<(&String, &Vec<f64>)> = selection.trace.iter().filter(|(_, values)| values.len() > 1).collect();
        let steps = selection.iterations?;
        if terms.is_empty() {
            return None;
        }
        let lines = |terms: &[(&String, &Vec<f64>)]| Lines {
            series: terms.iter().map(|(name, values)| history(name, values, steps)).collect(),
            x_title: "iteration".into(),
            y_title: if terms.len() == 1 { String::new() } else { "loss".into() },
            y_scale: if terms.iter().all(|(_, values)| steep(values)) { Scale::Log } else { Scale::Linear },
            ..Lines::default()
        };
        // Losses share axes; other terms have different units.
        let alike = terms.iter().all(|(name, _)| name.ends_with("loss"));
        let figure = if alike {
            lines(&terms).figure("convergence", "Loss by iteration")
        } else {
            let panel =
                |term: &(&String, &Vec<f64>)| (term.0.replace('_', " "), Box::new(lines(&[*term])) as Box<dyn Chart>);
            let panels = terms.iter().map(panel).collect();
            Panels { panels, columns: 2, ..Panels::default() }
                .figure("convergence", "Terms of the objective by iteration")
        };
        let state = match selection.converged {
            Some(true) => "Converged",
            _ => "Not converged",
        };
        let text = format!("{state} after {steps} iterations, {} seconds.", number(selection.seconds));
        Some(Section::new("Convergence").text(&text).figure(figure))
    }
}

/// The meaning of the scores of a method.
fn meaning(method: &str) -> &'static str {
    match method {
        "sieve" => {
            "A score is the increase of the held-out squared error when the column is removed from the selected set; it is 0 for \
             all other columns. The order is that of the method: two columns with the same information have low scores."
        }
        _ => "Scores of different methods are not comparable; only their order and ratios have a meaning.",
    }
}

/// The p-values of ranked columns, if the method computes them.
fn p_values(ranking: &[Ranked]) -> Option<Data> {
    ranking.iter().find(|ranked| ranked.p_value.is_some())?;
    let mut data = Data::new(["rank", "column", "score", "p-value"]);
    for ranked in ranking {
        let tested = ranked.p_value.map(p_value).unwrap_or_default();
        data.push([ranked.rank.to_string(), ranked.feature.clone(), number(ranked.score), tested]);
    }
    Some(data)
}

/// A term by iteration; a trace may contain only every n-th iteration.
fn history(name: &str, values: &[f64], steps: usize) -> Series {
    let step = steps as f64 / values.len() as f64;
    let points = values.iter().enumerate().map(|(at, &value)| ((at + 1) as f64 * step, value)).collect();
    Series { name: name.replace('_', " "), points, ..Series::default() }
}

fn steep(values: &[f64]) -> bool {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(0.0, f64::max);
    low > 0.0 && high / low > STEEP
}
