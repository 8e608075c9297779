//! Distributions of the selected columns by class or against a numeric target, and their correlations.

use super::Report;
use super::association::association;
use super::dataset::Classes;
use crate::charts::{Chart, Densities, Dot, Dots, Heat, Panels, Scatter, Shading, Shares};
use crate::page::Section;
use rulesieve::data::{Dataset, Feature, FeatureValues, MISSING, Task, table::format_number};

/// Maximum columns with a distribution.
const DRAWN: usize = 6;
/// Maximum columns of the correlation matrix.
const RELATED: usize = 20;
/// Maximum categories of a column; rare ones are merged.
const LEVELS: usize = 8;
/// Numeric columns with at most this number of distinct values are drawn as categories.
const FEW: usize = 8;
/// Maximum points of a scatter plot.
const POINTS: usize = 400;

impl Report<'_> {
    /// The first `most` columns to describe.
    fn chosen(&self, most: usize) -> Vec<&Feature> {
        let data = self.run.data;
        self.features().iter().filter_map(|name| Some(&data.features[data.index_of(name)?])).take(most).collect()
    }

    pub(super) fn distributions(&self) -> Option<Section> {
        let (data, chosen) = (self.run.data, self.chosen(DRAWN));
        if chosen.is_empty() {
            return None;
        }
        let classes = data.target.task() == Task::Classification;
        let groups = classes.then(|| Classes::of(data));
        let panel = |(at, feature): (usize, &&Feature)| {
            let chart: Box<dyn Chart> = match (&groups, levels(feature)) {
                (Some(groups), Some((levels, codes))) => Box::new(shares(&levels, &codes, groups)),
                (Some(groups), None) => Box::new(densities(feature, groups)),
                (None, Some((levels, codes))) => Box::new(quartiles(data, &levels, &codes)),
                (None, None) => Box::new(scatter(data, feature)),
            };
            (format!("{}. {}", at + 1, feature.name), chart)
        };
        let panels: Vec<_> = chosen.iter().enumerate().map(panel).collect();
        let columns = if panels.len() == 1 { 1 } else { 2 };
        let legend = groups.map(|groups| groups.names).unwrap_or_default();
        let panels = Panels { panels, columns, legend, lines: true };
        let (title, text) = if classes {
            let text = "Distributions of the best columns in each class: numeric columns as densities of equal area, categories as shares of \
                        the class in percent. The less the classes overlap, the more informative a column is by itself; columns \
                        that are informative only together overlap here.";
            ("Best columns by class", text)
        } else {
            let text = "Numeric columns as points, categories as the median and quartiles of the target.";
            ("Best columns against the target", text)
        };
        let figure = panels.figure("distributions", title);
        Some(Section::new(title).text(&(text.to_owned() + &self.sampled())).figure(figure))
    }

    pub(super) fn correlation(&self) -> Option<Section> {
        let chosen = self.chosen(RELATED);
        if chosen.len() < 2 {
            return None;
        }
        let names: Vec<String> = chosen.iter().map(|feature| feature.name.clone()).collect();
        let row = |a: &&Feature| chosen.iter().map(|b| association(&a.values, &b.values)).collect();
        let heat = Heat {
            rows: names.clone(),
            columns: names,
            values: chosen.iter().map(row).collect(),
            shading: Shading::Diverging,
            range: Some((-1.0, 1.0)),
            digits: Some(2),
            value_title: "correlation".into(),
            ..Heat::default()
        };
        let categories = chosen.iter().any(|feature| matches!(feature.values, FeatureValues::Categorical { .. }));
        let text = if categories {
            "Strongly correlated columns carry the same information. Pearson's correlation between numeric columns; with a \
             category, the correlation ratio or Cramér's V, which have no sign."
        } else {
            "Strongly correlated columns carry the same information. Pearson's correlation, from -1 to 1."
        };
        let figure = heat.figure("correlation", "Correlation of the selected columns");
        Some(Section::new("Correlations").text(&(text.to_owned() + &self.sampled())).figure(figure))
    }
}

/// The categories of a column, or of a numeric one with few distinct values, and the category of each row; rare ones merged.
fn levels(feature: &Feature) -> Option<(Vec<String>, Vec<Option<usize>>)> {
    let (names, codes): (Vec<String>, Vec<Option<usize>>) = match &feature.values {
        FeatureValues::Categorical { levels, codes } => {
            (levels.clone(), codes.iter().map(|&code| (code != MISSING).then_some(code as usize)).collect())
        }
        FeatureValues::Numeric(values) => {
            let mut distinct: Vec<f64> = Vec::new();
            for &value in values.iter().filter(|value| !value.is_nan()) {
                if let Err(at) = distinct.binary_search_by(|other| other.total_cmp(&value)) {
                    distinct.insert(at, value);
                }
                if distinct.len() > FEW {
                    return None;
                }
            }
            let index = |value: &f64| distinct.binary_search_by(|other| other.total_cmp(value)).ok();
            let codes = values.iter().map(index).collect();
            (distinct.into_iter().map(format_number).collect(), codes)
        }
    };
    if names.len() <= LEVELS {
        return Some((names, codes));
    }
    let mut counts = vec![0_usize; names.len()];
    codes.iter().flatten().for_each(|&at| counts[at] += 1);
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&a, &b| counts[b].cmp(&counts[a]).then(a.cmp(&b)));
    let mut group = vec![LEVELS - 1; names.len()];
    order.iter().take(LEVELS - 1).enumerate().for_each(|(at, &level)| group[level] = at);
    let mut kept: Vec<String> = order.iter().take(LEVELS - 1).map(|&level| names[level].clone()).collect();
    kept.push(format!("{} others", names.len() - kept.len()));
    Some((kept, codes.into_iter().map(|code| code.map(|at| group[at])).collect()))
}

fn shares(levels: &[String], codes: &[Option<usize>], classes: &Classes) -> Shares {
    let mut counts = vec![vec![0.0; levels.len()]; classes.names.len()];
    for (code, &class) in codes.iter().zip(&classes.of) {
        if let Some(level) = code {
            counts[class][*level] += 1.0;
        }
    }
    let share = |counts: Vec<f64>| {
        let all: f64 = counts.iter().sum();
        counts.into_iter().map(|count| if all > 0.0 { count / all } else { f64::NAN }).collect()
    };
    let groups = classes.names.iter().cloned().zip(counts.into_iter().map(share)).collect();
    Shares { levels: levels.to_vec(), groups, value_title: String::new(), hide_legend: true }
}

fn densities(feature: &Feature, classes: &Classes) -> Densities {
    let FeatureValues::Numeric(values) = &feature.values else { return Densities::default() };
    let mut groups: Vec<(String, Vec<f64>)> = classes.names.iter().map(|name| (name.clone(), Vec::new())).collect();
    values.iter().zip(&classes.of).for_each(|(&value, &class)| groups[class].1.push(value));
    Densities { groups, value_title: String::new(), hide_legend: true }
}

/// Median and quartiles of the target in each category.
fn quartiles(data: &Dataset, levels: &[String], codes: &[Option<usize>]) -> Dots {
    let numbers = data.target.numbers().unwrap_or_default();
    let dot = |(at, level): (usize, &String)| {
        let own = codes.iter().zip(numbers).filter(|(code, _)| **code == Some(at)).map(|(_, &number)| number);
        let mut own: Vec<f64> = own.collect();
        own.sort_by(f64::total_cmp);
        let quantile = |share: f64| own.get(((own.len().max(1) - 1) as f64 * share).round() as usize).copied();
        let interval = quantile(0.25).zip(quantile(0.75));
        Dot { label: level.clone(), value: quantile(0.5).unwrap_or(f64::NAN), interval, highlight: true }
    };
    Dots { dots: levels.iter().enumerate().map(dot).collect(), value_title: data.target.name().to_owned(), range: None }
}

fn scatter(data: &Dataset, feature: &Feature) -> Scatter {
    let (FeatureValues::Numeric(values), Some(numbers)) = (&feature.values, data.target.numbers()) else {
        return Scatter::default();
    };
    let step = values.len().div_ceil(POINTS).max(1);
    let points = values.iter().copied().zip(numbers.iter().copied()).step_by(step).collect();
    Scatter {
        groups: vec![("rows".into(), points)],
        y_title: data.target.name().to_owned(),
        hide_legend: true,
        ..Scatter::default()
    }
}
